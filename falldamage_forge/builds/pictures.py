"""Pictures of a build: begun in other processes, finished while its files are written."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from falldamage_forge.builds.output_files import board_picture, filament_plan
from falldamage_forge.infra.artifacts import Artifact
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.infra.process_pool import PoolFuture, submit
from falldamage_forge.pieces.bought import magnets_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from falldamage_forge.board import Board
    from falldamage_forge.builds.pipeline import PrintJob
    from falldamage_forge.geometry.mesh import Mesh
    from falldamage_forge.lang.layout import Layout
    from falldamage_forge.lengths import PrintGrid
    from falldamage_forge.maps.loaded_map import Checked
    from falldamage_forge.pieces.piece import Piece
    from falldamage_forge.printing.printer import Printer
    from falldamage_forge.render.build_sheets import Thumbnail
    from falldamage_forge.render.isometric_models import SeenModel
    from falldamage_forge.render.overlay import Overlay
    from falldamage_forge.render.svg import BoardPicture
    from falldamage_forge.rules.position import Position


@dataclass(frozen=True, slots=True)
class ReportViews:
    """Pictures of the finished board on the report page, which another process may take.

    `drawn` are models of others as drawings of the board show them.
    """

    drawn: tuple[SeenModel, ...]
    overlays: tuple[Overlay, ...]
    photo: PoolFuture[bytes]
    scene: PoolFuture[dict[str, Any]]


class BegunSheets:
    """The build sheets, which show both photographs: they begin once these are taken."""

    def __init__(
        self, draw: Callable[..., bytes], photo: PoolFuture[bytes], back: PoolFuture[bytes]
    ) -> None:
        """Keep what the sheets wait for.

        Args:
            draw: Picklable call that draws the sheets; takes `photo` and `back`.
            photo: Photograph of the finished board.
            back: Photograph from behind.
        """
        self._draw, self._photo, self._back = draw, photo, back
        self._sheets: PoolFuture[bytes] | None = None

    def begin(self) -> PoolFuture[bytes]:
        """Start the sheets, before all that waits, once the photographs are taken."""
        if self._sheets is None:
            back, photo = self._back.result(), self._photo.result()
            self._sheets = submit(partial(self._draw, photo=photo, back=back), first=True)
        return self._sheets

    def begun_beside(self, files: Iterable[Artifact]) -> Iterator[Artifact]:
        """Yield files as they are made; start the sheets between two of them, when they can be.

        Args:
            files: Files that this process makes.
        """
        for file in files:
            yield file
            if self._photo.has_ended and self._back.has_ended:
                self.begin()

    def result(self) -> bytes:
        """Return the PDF."""
        return self.begin().result()


@dataclass(frozen=True, slots=True)
class BegunPictures:
    """Pictures of a build that another process takes, in this order, while parts are written.

    Projects need the board; the sheets need the photographs.
    """

    board: PoolFuture[BoardPicture]
    views: ReportViews
    sheets: BegunSheets
    hands: Callable[[], tuple[Artifact, ...]]
    plan: PoolFuture[Artifact]


def begin_pictures(checked: Checked, build: PrintJob, printer: Printer) -> BegunPictures:
    """Draw the parts of a build, and start all other pictures of it.

    Args:
        checked: The checked map.
        build: Its print job.
        printer: The printer of the plates.
    """
    from falldamage_forge.render.build_sheets import first_looks, thumbs

    layout, grid = checked.layout, checked.map.grid
    tops, language = build.options.tops, build.options.language
    board = submit(partial(board_picture, build, layout))
    views = begin_views(checked, build, printer, submit)
    back = submit(_photo(build, printer, behind=True))
    drawings = thumbs(first_looks(build.plan.pieces()), build.meshes)
    view = partial(_plan_view, layout.board, layout.title, grid, tops, language, views.drawn)
    return BegunPictures(
        board,
        views,
        BegunSheets(_sheets(layout, build, drawings, views.drawn), views.photo, back),
        begin_hands(build, printer),
        submit(view),
    )


def _sheets(
    layout: Layout,
    build: PrintJob,
    drawings: Mapping[str, Thumbnail],
    models: tuple[SeenModel, ...],
) -> Callable[..., bytes]:
    """Return a picklable call that draws the build sheets; it is given the photographs."""
    from falldamage_forge.render.build_sheets import sheets

    return partial(
        sheets,
        layout.title or "A map",
        layout.board,
        build.plan.placements,
        drawings,
        filaments=filament_plan(build),
        tops=build.options.tops,
        language=build.options.language,
        ways=build.ways.words() if build.ways else {},
        models=models,
    )


def begin_views(
    checked: Checked,
    build: PrintJob,
    printer: Printer,
    ask: Callable[[Callable[[], Any]], PoolFuture[Any]] = PoolFuture,
) -> ReportViews:
    """Start the photo and the meshes of the report page.

    Args:
        checked: The checked map.
        build: Its print job.
        printer: The printer of the plates.
        ask: Starts a call, perhaps in the background, and returns its future.
    """
    from falldamage_forge.render.isometric_models import seen_models

    drawn = seen_models(build.plan.placements, build.meshes, printer)
    overlays = report_overlays(checked.position)
    scene = partial(_models, build, checked.layout.board, overlays)
    return ReportViews(drawn, overlays, ask(_photo(build, printer)), ask(scene))


def report_overlays(position: Position) -> tuple[Overlay, ...]:
    """Return the overlays of the report page, under the map's own ruleset."""
    from falldamage_forge.render import rule_overlays

    return (
        rule_overlays.turns(position),
        rule_overlays.control(position),
        rule_overlays.hazard(position),
        rule_overlays.islands(position),
    )


def _photo(build: PrintJob, printer: Printer, *, behind: bool = False) -> Callable[[], bytes]:
    """Return a picklable call that takes the photo of the finished board."""
    from falldamage_forge.render.raster3d.board_scene import page_photo

    used = {key: build.meshes[key] for key in build.plan.pieces()}
    tops = build.options.tops
    return partial(page_photo, build.plan.placements, used, printer, tops, behind=behind)


def hand_parts(build: PrintJob) -> tuple[dict[str, Piece], dict[str, Mesh]]:
    """Return the pieces that `hands.pdf` shows, bought magnets among them, and their meshes.

    Args:
        build: Print job, with its meshes.
    """
    from falldamage_forge.geometry.piece_mesh import build as mesh_of
    from falldamage_forge.render.hand_drawings import parts_of

    bought = magnets_in(build.pieces)
    shown = parts_of({**build.pieces, **bought})
    made = {key: mesh_of(bought[key], build.printer) for key in bought.keys() & shown.keys()}
    return shown, {key: made[key] if key in made else build.meshes[key] for key in shown}


def begin_hands(build: PrintJob, printer: Printer) -> Callable[[], tuple[Artifact, ...]]:
    """Start `hands.pdf`, how the parts of a build go together, and return what finishes it.

    Args:
        build: Print job, with its meshes.
        printer: The printer of the plates.

    Returns:
        A function that returns the file; nothing if no joint is shown.
    """
    from falldamage_forge.languages.translator import spoken
    from falldamage_forge.render.hand_drawings import begin_hand_pages

    pages = begin_hand_pages(*hand_parts(build), printer, say=spoken(build.options.language))

    def finish() -> tuple[Artifact, ...]:
        data = pages()
        return () if data is None else (Artifact("hands.pdf", data),)

    return finish


def _plan_view(
    board: Board,
    title: str,
    grid: PrintGrid,
    tops: str,
    language: str,
    models: tuple[SeenModel, ...],
) -> Artifact:
    """Return the board from above."""
    from falldamage_forge.languages.translator import spoken
    from falldamage_forge.render.svg import png
    from falldamage_forge.render.topdown import topdown

    say = spoken(language)
    picture = topdown(board, title=title, grid=grid, tops=tops, say=say, models=models)
    return Artifact("map.png", png(picture))


def _models(build: PrintJob, board: Board, overlays: Sequence[Overlay]) -> dict[str, Any]:
    """Return the parts on the board as viewer meshes of the page."""
    from falldamage_forge.render.viewer_meshes import scene

    parts = (build.plan.placements, build.meshes, build.printer)
    return scene(board, *parts, overlays, build.options.tops)

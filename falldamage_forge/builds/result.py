"""Build result: a checked map with its print job, and every file that an export contains."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from falldamage_forge.builds.output_files import (
    artifacts,
    board_picture,
    filament_plan,
    part_files,
)
from falldamage_forge.builds.pipeline import PrintJob, replace_figures
from falldamage_forge.export.slicer_profiles import slicer_profile_files
from falldamage_forge.infra.artifacts import MANIFEST, Artifact, ManifestEntry, entries_of
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.infra.process_pool import PoolFuture, submit
from falldamage_forge.infra.progress import ProgressCallback, no_progress
from falldamage_forge.issues import has_errors
from falldamage_forge.pieces.bought import magnets_in
from falldamage_forge.printing.supports import supported_keys

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from falldamage_forge.board import Board
    from falldamage_forge.export.piece_list import ListRow
    from falldamage_forge.geometry.mesh import Mesh
    from falldamage_forge.lengths import PrintGrid
    from falldamage_forge.maps.loaded_map import Checked
    from falldamage_forge.pieces.piece import Piece
    from falldamage_forge.printing.estimate_model import PrintStatistics
    from falldamage_forge.printing.plates import Plate
    from falldamage_forge.printing.printer import Printer
    from falldamage_forge.render.build_sheets import Thumbnail
    from falldamage_forge.render.html_report import ReportData
    from falldamage_forge.render.isometric_models import SeenModel
    from falldamage_forge.render.overlay import Overlay
    from falldamage_forge.render.svg import BoardPicture
    from falldamage_forge.rules.answers import Metric
    from falldamage_forge.rules.position import Position


@dataclass(frozen=True)
class BuildResult:
    """A checked map and its print job, ready to be written."""

    checked: Checked
    build: PrintJob
    printer: Printer

    @property
    def plates(self) -> tuple[Plate, ...]:
        """Return the bed loads."""
        return self.build.plates

    @property
    def rows(self) -> tuple[ListRow, ...]:
        """Return the piece list."""
        return self.build.rows

    def with_figures(self, figures: Sequence[PrintStatistics], source: str) -> BuildResult:
        """Return the result with other print statistics.

        Args:
            figures: Statistics of each plate, in the order of the plates.
            source: Their source, such as `PrusaSlicer`.
        """
        return replace(self, build=replace_figures(self.build, figures, source))

    def artifacts(
        self, *, pictures: bool = True, progress: ProgressCallback = no_progress, phone: str = ""
    ) -> tuple[Artifact, ...]:
        """Return every file of the export as bytes, the manifest last.

        Args:
            pictures: False omits pictures, the report and the build sheets.
            progress: Progress callback.
            phone: Name of the scenes that will lie beside the report; empty if none will.
        """
        return tuple(self._files(pictures, progress, phone))

    def write(
        self,
        folder: str | Path,
        *,
        pictures: bool = True,
        progress: ProgressCallback = no_progress,
    ) -> tuple[ManifestEntry, ...]:
        """Write the export, all or nothing, and return its manifest.

        Plates are written one at a time, so that only one is in memory.

        Args:
            folder: A new or empty folder, or an earlier export.
            pictures: False omits pictures, the report and the build sheets.
            progress: Progress callback.

        Raises:
            ForgeError: FDF295 or FDF296; the folder is then unchanged.
        """
        from falldamage_forge.infra.atomic_write import write_folder

        listed: list[ManifestEntry] = []

        def noted() -> Iterator[Artifact]:
            for file in self._files(pictures, progress):
                if file.path == MANIFEST:
                    listed.extend(entries_of(file))
                yield file

        write_folder(Path(folder), noted())
        return tuple(listed)

    def _files(
        self, pictures: bool, progress: ProgressCallback, phone: str = ""
    ) -> Iterator[Artifact]:
        """Yield every file as it is made; pictures are taken in another process meanwhile."""
        from falldamage_forge.languages.translator import spoken

        build, layout, printer = self.build, self.checked.layout, self.printer
        supported = supported_keys(build.pieces)
        say = spoken(build.options.language)
        beside: Iterable[Artifact] = slicer_profile_files(printer, build.plates, supported, say)
        board = None
        if pictures:
            begun = begin_pictures(self)
            board = begun.board.result
            beside = chain(beside, picture_files(self, begun, progress, phone))
        parts = part_files(build, layout, printer, progress, board)
        return artifacts(build, layout, printer, progress, beside, parts)


@dataclass(frozen=True, slots=True)
class ReportViews:
    """Pictures of the finished board on the report page, which another process may take."""

    overlays: tuple[Overlay, ...]
    photo: PoolFuture[bytes]
    scene: PoolFuture[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class BegunPictures:
    """Pictures of a build that another process takes, in this order, while parts are written.

    Projects need the board; what takes long comes early.
    """

    board: PoolFuture[BoardPicture]
    views: ReportViews
    behind: PoolFuture[bytes]
    hands: PoolFuture[tuple[Artifact, ...]]
    plan: PoolFuture[Artifact]
    thumbs: Mapping[str, PoolFuture[Thumbnail]]
    models: tuple[SeenModel, ...]


def begin_pictures(built: BuildResult) -> BegunPictures:
    """Start all pictures of a build; ask for the last of them first.

    Args:
        built: Checked map with its print job.
    """
    from falldamage_forge.render.build_sheets import first_looks, start_thumbnails
    from falldamage_forge.render.isometric_models import seen_models

    layout, build, grid = built.checked.layout, built.build, built.checked.map.grid
    tops, language = build.options.tops, build.options.language
    models = seen_models(build.plan.placements, build.meshes, built.printer)
    view = partial(_plan_view, layout.board, layout.title, grid, tops, language, models)
    return BegunPictures(
        submit(partial(board_picture, build, layout)),
        begin_views(built, submit),
        submit(_photo(built, behind=True)),
        submit(partial(hand_files, *hand_parts(build), built.printer, language)),
        submit(view),
        start_thumbnails(first_looks(build.plan.pieces()), build.meshes),
        models,
    )


def begin_views(
    built: BuildResult, ask: Callable[[Callable[[], Any]], PoolFuture[Any]] = PoolFuture
) -> ReportViews:
    """Start the photo and the meshes of the report page.

    Args:
        built: The build.
        ask: Starts a call, perhaps in the background, and returns its future.
    """
    overlays = report_overlays(built.checked.position)
    scene = partial(_models, built.build, built.checked.layout.board, overlays)
    return ReportViews(overlays, ask(_photo(built)), ask(scene))


def _photo(built: BuildResult, *, behind: bool = False) -> Callable[[], bytes]:
    """Return a picklable call that takes the photo of the finished board."""
    from falldamage_forge.render.raster3d.board_scene import page_photo

    build = built.build
    used = {key: build.meshes[key] for key in build.plan.pieces()}
    tops = build.options.tops
    return partial(page_photo, build.plan.placements, used, built.printer, tops, behind=behind)


def picture_files(
    built: BuildResult,
    begun: BegunPictures,
    progress: ProgressCallback = no_progress,
    phone: str = "",
) -> Iterator[Artifact]:
    """Yield `board.png`, `map.png`, `report.html`, `build.pdf` and `hands.pdf`.

    Args:
        built: Checked map with its print job.
        begun: Result of `begin_pictures`.
        progress: Is called with each step.
        phone: Name of the scenes that will lie beside the report; empty if none will.
    """
    from falldamage_forge.render.build_sheets import finish_thumbnails, sheets
    from falldamage_forge.render.html_report import report

    layout, build = built.checked.layout, built.build
    tops, language = build.options.tops, build.options.language
    placed, title = build.plan.placements, layout.title or "A map"
    progress("taking pictures")
    drawings = finish_thumbnails(begun.thumbs)
    plan, behind = begun.plan.result(), begun.behind.result()
    pages = submit(
        partial(
            sheets,
            title,
            layout.board,
            placed,
            drawings,
            photo=begun.views.photo.result(),
            filaments=filament_plan(build),
            tops=tops,
            back=behind,
            language=language,
            ways=build.ways.words() if build.ways else {},
            models=begun.models,
        )
    )
    data = report_context(built, begun.views)
    seen = begun.board.result()
    yield Artifact("board.png", seen.png)
    yield plan
    progress("writing the report")
    page = report(replace(data, phone=phone, picture=seen), language)
    yield Artifact("report.html", page.encode())
    progress("writing the build sheets")
    yield Artifact("build.pdf", pages.result())
    yield from begun.hands.result()


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


def hand_files(
    pieces: Mapping[str, Piece], meshes: Mapping[str, Mesh], printer: Printer, language: str
) -> tuple[Artifact, ...]:
    """Return `hands.pdf`: how the parts of a build go together; nothing if no joint is shown.

    Args:
        pieces: Pieces by key.
        meshes: Mesh of each in print pose.
        printer: The printer of the plates.
        language: Name of the language of the texts.
    """
    from falldamage_forge.languages.translator import spoken
    from falldamage_forge.render.hand_drawings import hand_pages

    data = hand_pages(pieces, meshes, printer, say=spoken(language))
    return () if data is None else (Artifact("hands.pdf", data),)


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


def report_context(built: BuildResult, views: ReportViews | None = None) -> ReportData:
    """Return the data of the report page.

    Args:
        built: The build.
        views: Result of `begin_views` if they were begun before; None makes them.
    """
    from falldamage_forge.export.piece_list import start_note
    from falldamage_forge.render.html_report import PlateRow, ReportData
    from falldamage_forge.render.isometric_models import seen_models

    checked, build = built.checked, built.build
    layout = checked.layout
    plates = tuple(
        PlateRow(plate.name, len(plate.slots), figures.grams, figures.minutes)
        for plate, figures in zip(build.plates, build.figures, strict=True)
    )
    placements = build.plan.placements
    views = views or begin_views(built)
    return ReportData(
        title=layout.title,
        board=layout.board,
        price=build.options.price,
        start=start_note(len(build.plates), build.printer),
        author=layout.author,
        issues=checked.issues,
        measures=_measures(checked),
        overlays=views.overlays,
        rows=build.rows,
        plates=plates,
        filaments=filament_plan(build),
        tops=build.options.tops,
        printer=built.printer.label,
        scene=views.scene.result(),
        photo=views.photo.result(),
        source=checked.map.text,
        source_name=Path(checked.map.name).name,
        grid=checked.map.grid,
        drawn=seen_models(placements, build.meshes, built.printer),
    )


def report_context_of_illegal(checked: Checked) -> ReportData:
    """Return the data of the report page of an illegal map: no parts, its issues on the board."""
    from falldamage_forge.render.html_report import ReportData
    from falldamage_forge.render.issue_overlay import issue_overlay

    layout = checked.layout
    errors = [issue for issue in checked.issues if issue.severity == "error"]
    return ReportData(
        title=layout.title,
        board=layout.board,
        author=layout.author,
        issues=checked.issues,
        overlays=(issue_overlay(layout.board, errors),),
        source=checked.map.text,
        source_name=Path(checked.map.name).name,
        grid=checked.map.grid,
    )


def _measures(checked: Checked) -> tuple[Metric, ...]:
    """Return the map's metrics; none if it is not playable or too large."""
    from falldamage_forge.metrics.metric_table import metrics_of
    from falldamage_forge.render.html_report import MAX_DRAWN

    board = checked.layout.board
    if has_errors(checked.issues) or board.rows * board.cols > MAX_DRAWN or not board.starts:
        return ()
    return metrics_of(checked.position)


def report_overlays(position: Position) -> tuple[Overlay, ...]:
    """Return the overlays of the report page, under the map's own ruleset."""
    from falldamage_forge.render import rule_overlays

    return (
        rule_overlays.turns(position),
        rule_overlays.control(position),
        rule_overlays.hazard(position),
        rule_overlays.islands(position),
    )

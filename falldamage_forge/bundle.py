"""Everything that goes with a build: files to print, pictures, the page to share, instructions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from falldamage_forge.assemble import Build, with_figures
from falldamage_forge.build_files import artifacts, part_files
from falldamage_forge.export.artifacts import Artifact, Entry
from falldamage_forge.issues import has_errors
from falldamage_forge.pool import Task, begin
from falldamage_forge.profiles import settings_files
from falldamage_forge.waiting import Progress, quiet

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from falldamage_forge.board import Board
    from falldamage_forge.export.lists import ListRow
    from falldamage_forge.forge import Checked
    from falldamage_forge.lengths import Grid
    from falldamage_forge.printing.estimate import Figures
    from falldamage_forge.printing.plates import Plate
    from falldamage_forge.printing.printer import Printer
    from falldamage_forge.render.overlay import Overlay
    from falldamage_forge.render.report import ReportData
    from falldamage_forge.rules.answers import Metric
    from falldamage_forge.rules.position import Position


HELD_PLATES = 40
"""The files of so many plates may be in the memory at once; each takes up to 50 MB."""


@dataclass(frozen=True)
class Built:
    """A map turned into parts, plates and figures, ready to be written."""

    checked: Checked
    build: Build
    printer: Printer

    @property
    def plates(self) -> tuple[Plate, ...]:
        """What to print, load by load."""
        return self.build.plates

    @property
    def rows(self) -> tuple[ListRow, ...]:
        """The list of pieces."""
        return self.build.rows

    def with_figures(self, figures: Sequence[Figures], source: str) -> Built:
        """The same with every figure from another source."""
        return replace(self, build=with_figures(self.build, figures, source))

    def artifacts(
        self, *, pictures: bool = True, progress: Progress = quiet
    ) -> tuple[Artifact, ...]:
        """Every file of the export as bytes, the manifest last."""
        return tuple(self._files(pictures, progress))

    def write(
        self,
        folder: str | Path,
        *,
        pictures: bool = True,
        progress: Progress = quiet,
    ) -> tuple[Entry, ...]:
        """Write the export, all or nothing; ForgeError (FDF295, FDF296) leaves what was there.

        Tells what was written. Of many plates only one is in the memory at a time.
        """
        from falldamage_forge.staging import write_folder

        files = self._files(pictures, progress)
        if len(self.plates) <= HELD_PLATES:
            files = iter(tuple(files))
        written: list[Entry] = []

        def noted() -> Iterator[Artifact]:
            for file in files:
                written.append(file.entry)
                yield file

        write_folder(Path(folder), noted())
        return tuple(written)

    def _files(self, pictures: bool, progress: Progress) -> Iterator[Artifact]:
        """Every file, one by one as it is asked for.

        Another process makes the parts of a few plates meanwhile; those of many would not fit.
        """
        build, layout, printer = self.build, self.checked.layout, self.printer
        beside = settings_files(printer)
        few = pictures and len(build.plates) <= HELD_PLATES
        task = begin(partial(held_parts, build, layout.title, printer)) if few else None
        if pictures:
            beside += picture_files(self, progress)
            progress("writing parts and plates")
        parts = None if task is None else task.result()
        return artifacts(build, layout, printer, quiet if few else progress, beside, parts)


def held_parts(build: Build, title: str, printer: Printer) -> tuple[Artifact, ...]:
    """The parts all at once, as another process hands them over."""
    return tuple(part_files(build, title, printer))


def picture_files(built: Built, progress: Progress = quiet) -> tuple[Artifact, ...]:
    """`board.png`, `map.png`, `report.html`, `build.pdf`."""
    from falldamage_forge.render.report import report
    from falldamage_forge.render.sheets import begin_thumbs, sheets, shown

    layout, build, grid = built.checked.layout, built.build, built.checked.map.grid
    drawn = [
        begin(partial(_drawing, name, layout.board, layout.title, grid))
        for name in ("board.png", "map.png")
    ]
    small = begin_thumbs(build.plan.pieces(), build.meshes)
    progress("taking pictures")
    data = report_data(built, begin)
    progress("writing the report")
    page = Artifact("report.html", report(data).encode())
    progress("writing the build sheets")
    placed, title = build.plan.placements, layout.title or "A map"
    pdf = sheets(title, layout.board, placed, shown(small), photo=data.photo)
    return (*(task.result() for task in drawn), page, Artifact("build.pdf", pdf))


def _drawing(name: str, board: Board, title: str, grid: Grid) -> Artifact:
    """The board as a drawing, or from above."""
    from falldamage_forge.render.isometric import isometric
    from falldamage_forge.render.svg import png
    from falldamage_forge.render.topdown import topdown

    draw = {"board.png": isometric, "map.png": topdown}[name]
    return Artifact(name, png(draw(board, title=title, grid=grid)))


def _models(build: Build, board: Board, overlays: Sequence[Overlay]) -> dict[str, Any]:
    """The parts on the board, to be turned about on the page."""
    from falldamage_forge.render.models import scene

    return scene(board, build.plan.placements, build.meshes, build.printer, overlays)


def report_data(
    built: Built, ask: Callable[[Callable[[], dict[str, Any]]], Task[dict[str, Any]]] = Task
) -> ReportData:
    """Everything the page says; its models are asked for first, so that another may make them."""
    from falldamage_forge.export.lists import start_note
    from falldamage_forge.render.photo.board import page_photo
    from falldamage_forge.render.report import PieceRow, PlateRow, ReportData

    checked, build = built.checked, built.build
    layout = checked.layout
    overlays = overlays_of(checked.position)
    rows = tuple(
        PieceRow(
            row.piece,
            row.title,
            row.quantity,
            row.grams,
            row.minutes,
            " ".join(map(str, row.plates)),
        )
        for row in build.rows
    )
    plates = tuple(
        PlateRow(plate.name, len(plate.slots), figures.grams, figures.minutes)
        for plate, figures in zip(build.plates, build.figures, strict=True)
    )
    placements = build.plan.placements
    models = ask(partial(_models, build, layout.board, overlays))
    photo = page_photo(placements, build.meshes, built.printer)
    return ReportData(
        title=layout.title,
        board=layout.board,
        price=build.options.price,
        start=start_note(len(build.plates), build.printer),
        author=layout.author,
        issues=checked.issues,
        measures=_measures(checked),
        overlays=overlays,
        rows=rows,
        plates=plates,
        printer=built.printer.title,
        photo=photo,
        scene=models.result(),
        source=checked.map.text,
        source_name=Path(checked.map.name).name,
        grid=checked.map.grid,
    )


def faulty_data(checked: Checked) -> ReportData:
    """What the page says of a map that cannot be built: no parts, its faults on the board."""
    from falldamage_forge.render.faults import faults
    from falldamage_forge.render.report import ReportData

    layout = checked.layout
    errors = [issue for issue in checked.issues if issue.severity == "error"]
    return ReportData(
        title=layout.title,
        board=layout.board,
        author=layout.author,
        issues=checked.issues,
        overlays=(faults(layout.board, errors),),
        source=checked.map.text,
        source_name=Path(checked.map.name).name,
        grid=checked.map.grid,
    )


def _measures(checked: Checked) -> tuple[Metric, ...]:
    """How the map plays; nothing where it does not, or where it would take long."""
    from falldamage_forge.measures.table import analyze
    from falldamage_forge.render.report import MAX_DRAWN

    board = checked.layout.board
    if has_errors(checked.issues) or board.rows * board.cols > MAX_DRAWN or not board.starts:
        return ()
    return analyze(checked.position, checked.layout.title).metrics


def overlays_of(position: Position) -> tuple[Overlay, ...]:
    """The overlays of a page, under the map's own game."""
    from falldamage_forge.render import overlays

    return (
        overlays.turns(position),
        overlays.control(position),
        overlays.hazard(position),
        overlays.islands(position),
    )

"""Build result: a checked map with its print job, and every file that an export contains."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from falldamage_forge.builds.output_files import (
    artifacts,
    filament_plan,
    part_files,
)
from falldamage_forge.builds.pictures import BegunPictures, ReportViews, begin_pictures, begin_views
from falldamage_forge.builds.pipeline import PrintJob, replace_figures
from falldamage_forge.export.slicer_profiles import slicer_profile_files
from falldamage_forge.infra.artifacts import MANIFEST, Artifact, ManifestEntry, entries_of
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.infra.progress import ProgressCallback, no_progress
from falldamage_forge.issues import has_errors
from falldamage_forge.printing.supports import supported_keys

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from falldamage_forge.export.piece_list import ListRow
    from falldamage_forge.maps.loaded_map import Checked
    from falldamage_forge.printing.estimate_model import PrintStatistics
    from falldamage_forge.printing.plates import Plate
    from falldamage_forge.printing.printer import Printer
    from falldamage_forge.render.html_report import ReportData
    from falldamage_forge.rules.answers import Metric


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
        begun = begin_pictures(self.checked, build, printer) if pictures else None
        board = None if begun is None else begun.board.result
        parts = part_files(build, layout, printer, progress, board)
        if begun is not None:
            parts = begun.sheets.begun_beside(parts)
            beside = chain(beside, picture_files(self, begun, progress, phone))
        return artifacts(build, layout, printer, progress, beside, parts)


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
    from falldamage_forge.render.html_report import report

    progress("taking pictures")
    plan = begun.plan.result()
    begun.sheets.begin()
    data = report_context(built, begun.views)
    seen = begun.board.result()
    yield Artifact("board.png", seen.png)
    yield plan
    progress("writing the report")
    page = report(replace(data, phone=phone, picture=seen), built.build.options.language)
    yield Artifact("report.html", page.encode())
    progress("writing the build sheets")
    hands = begun.hands()
    yield Artifact("build.pdf", begun.sheets.result())
    yield from hands


def report_context(built: BuildResult, views: ReportViews | None = None) -> ReportData:
    """Return the data of the report page.

    Args:
        built: The build.
        views: Result of `begin_views` if they were begun before; None makes them.
    """
    from falldamage_forge.export.piece_list import start_note
    from falldamage_forge.render.html_report import PlateRow, ReportData

    checked, build = built.checked, built.build
    layout = checked.layout
    plates = tuple(
        PlateRow(plate.name, len(plate.slots), figures.grams, figures.minutes)
        for plate, figures in zip(build.plates, build.figures, strict=True)
    )
    views = views or begin_views(checked, build, built.printer)
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
        drawn=views.drawn,
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

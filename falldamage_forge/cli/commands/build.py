"""`fdforge build`: write plates, lists and a manifest for a map."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from falldamage_forge.cli import option
from falldamage_forge.cli.build_options import (
    BUILD,
    BuildWords,
    build_notes,
    piece_table,
    template_of,
)
from falldamage_forge.cli.map_argument import FORGE, checked_map, echo_issues, file_stem
from falldamage_forge.cli.progress_bar import show_progress
from falldamage_forge.cli.spoken_language import spoken_text
from falldamage_forge.infra.process_pool import warm_up

if TYPE_CHECKING:
    from falldamage_forge.builds.build_stamp import BuildSummary
    from falldamage_forge.builds.pipeline import Formats, PrintJob
    from falldamage_forge.builds.result import BuildResult
    from falldamage_forge.infra.artifacts import ManifestEntry


@option.command
def command(
    map_name: str = option.MAP,
    output: Path | None = option.output(
        "Output folder.  [default: exports/<map>]", writes="folder"
    ),
    printer_name: str | None = option.PRINTER,
    pictures: bool = option.text(
        "Write pictures, report and build sheets.",
        "--pictures/--no-pictures",
        default=True,
        de="Schreibt Bilder, Bericht und Bauanleitung.",
    ),
    formats: Formats = option.choice(
        ("all", "3mf"),
        "Formats of parts and plates; 3mf leaves out STL, three quarters of the folder.",
        default="all",
        de="Formate der Teile und Platten; 3mf lässt STL weg, drei Viertel des Ordners.",
    ),
    given: BuildWords = BUILD,
) -> None:
    """Check MAP (a file or a preset) and write all files that are needed to print it.

    Nothing is written unless the map is legal and playable. The default folder is exports/<map>.
    """
    from falldamage_forge.builds.build_stamp import build_stamp
    from falldamage_forge.infra import presets_folder
    from falldamage_forge.infra.atomic_write import check_target

    target = option.output_path(output, Path("exports") / file_stem(map_name), "folder")
    checked = checked_map(map_name)
    check_target(target)
    options = replace(given.options(), template=template_of(), formats=formats)
    printer = FORGE.printer(checked.map, printer_name, given.process_name)
    stamp = build_stamp(checked, printer, options, target, presets_folder.root(), pictures=pictures)
    # The version of PrusaSlicer is no part of the stamp: its plates are sliced each time.
    summary = None if given.slicer else stamp.summary_of(target)
    if summary is None:
        warm_up("falldamage_forge.builds.pipeline")
        built = given.built(checked, printer_name, options)
        files = built.write(target, pictures=pictures, progress=show_progress)
        summary = _summary(built, target, files)
        if not given.slicer:
            stamp.store(files, summary)
    show_progress("")
    echo_issues(summary.issues, {})
    for line in summary.lines:
        click.echo(line)


def _summary(built: BuildResult, target: Path, files: Sequence[ManifestEntry]) -> BuildSummary:
    """Return the summary of a build: parts, plates, hours, notes, in the language of this call."""
    from falldamage_forge.builds.build_stamp import BuildSummary
    from falldamage_forge.builds.output_files import figures_note

    build = built.build
    size = f"{len(files)} files, {sum(file.size for file in files) / 1e6:.1f} MB"
    plates = f"{len(build.plates)} plates for {built.printer.label} in {target} ({size})"
    lines = (
        piece_table(build),
        *map(spoken_text, (plates, figures_note(build), *_schedule(build))),
        *build_notes(build),
    )
    return BuildSummary(tuple(build.ways.issues()) if build.ways else (), lines)


def _schedule(build: PrintJob) -> list[str]:
    """Return a line per printer with its plates and hours; none for a single printer."""
    from falldamage_forge.export.piece_list import format_minutes, format_ranges

    if build.options.printers == 1:
        return []
    lines = []
    for machine in range(1, build.options.printers + 1):
        own = [n for n, owner in enumerate(build.machines) if owner == machine]
        minutes = sum(build.figures[n].minutes + build.printer.start_minutes for n in own)
        plates = format_ranges(build.plates[n].index for n in own) or "nothing"
        lines.append(f"printer {machine}: plates {plates}, {format_minutes(minutes)}")
    return lines

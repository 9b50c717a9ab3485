"""`fdforge build`: write plates, lists and a manifest for a map."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from falldamage_forge.cli import option
from falldamage_forge.cli.build_options import (
    BUILD,
    BuildWords,
    echo_notes,
    echo_pieces,
    template_of,
)
from falldamage_forge.cli.map_argument import checked_map, echo_issues, file_stem
from falldamage_forge.cli.progress_bar import show_progress
from falldamage_forge.cli.spoken_language import echo
from falldamage_forge.infra.process_pool import warm_up

if TYPE_CHECKING:
    from falldamage_forge.builds.pipeline import PrintJob


@option.command
def command(
    map_name: str = option.MAP,
    output: Path | None = option.output(
        "Output folder.  [default: exports/<map>]", writes="folder"
    ),
    printer_name: str | None = option.PRINTER,
    pictures: bool = option.text(
        "Write pictures, report and build sheets.", "--pictures/--no-pictures", default=True
    ),
    given: BuildWords = BUILD,
) -> None:
    """Check MAP (a file or a preset) and write all files that are needed to print it.

    Nothing is written unless the map is legal and playable. The default folder is exports/<map>.
    """
    from falldamage_forge.infra.atomic_write import check_target

    target = option.output_path(output, Path("exports") / file_stem(map_name), "folder")
    checked = checked_map(map_name)
    check_target(target)
    warm_up("falldamage_forge.builds.pipeline")
    built = given.built(checked, printer_name, template_of())
    files = built.write(target, pictures=pictures, progress=show_progress)
    from falldamage_forge.builds.output_files import figures_note

    build, printer = built.build, built.printer
    show_progress("")
    echo_issues(built.build.ways.issues() if built.build.ways else (), {})
    echo_pieces(build)
    echo(f"{len(build.plates)} plates for {printer.title} in {target} ({len(files)} files)")
    echo(figures_note(build))
    for line in _schedule(build):
        echo(line)
    echo_notes(build)


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

"""`fdforge build`: from a map to plates, lists and a manifest."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from falldamage_forge.cli import complete
from falldamage_forge.cli.build_options import build_options, division_note, options_of, sliced
from falldamage_forge.cli.common import FORGE, checked_map
from falldamage_forge.cli.waiting import show_progress
from falldamage_forge.pool import wake

if TYPE_CHECKING:
    from falldamage_forge.assemble import Build


@click.command()
@click.argument("map_name", metavar="MAP", shell_complete=complete.maps)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Folder to write into.")
@click.option(
    "--printer", "printer_name", help="Printer to print on; `fdforge presets` lists them."
)
@click.option("--pictures/--no-pictures", default=True, help="Pictures, report and build sheets.")
@build_options
def command(
    map_name: str,
    output: Path | None,
    printer_name: str | None,
    pictures: bool,
    process_name: str | None,
    own: Path | None,
    slicer: bool,
    **words: Any,
) -> None:
    """Check MAP (a file, or a preset's name) and write everything that is needed to print it.

    Nothing is written unless the map is legal and playable. The default folder is exports/<map>.
    """
    from falldamage_forge.called import map_path
    from falldamage_forge.export.lists import text_table
    from falldamage_forge.staging import check_target, safe_name

    checked = checked_map(map_name)
    target = output or Path("exports") / safe_name(map_path(map_name).stem)
    check_target(target)
    wake("falldamage_forge.assemble")
    options = options_of(own, **words)
    built = FORGE.assemble(checked, printer_name, options, show_progress, process_name)
    if slicer:
        built = sliced(built)
    files = built.write(target, pictures=pictures, progress=show_progress)
    from falldamage_forge.build_files import figures_note

    build, printer = built.build, built.printer
    show_progress("")
    click.echo(text_table(build.rows, build.options.price))
    click.echo(f"{len(build.plates)} plates for {printer.title} in {target} ({len(files)} files)")
    click.echo(figures_note(build))
    for line in (*_schedule(build), division_note(build)):
        if line:
            click.echo(line)


def _schedule(build: Build) -> list[str]:
    """What each of several printers prints, and for how long; nothing for one."""
    from falldamage_forge.export.lists import hours, ranges

    if build.options.printers == 1:
        return []
    lines = []
    for machine in range(1, build.options.printers + 1):
        own = [n for n, owner in enumerate(build.machines) if owner == machine]
        minutes = sum(build.figures[n].minutes + build.printer.start_minutes for n in own)
        plates = ranges(build.plates[n].index for n in own) or "nothing"
        lines.append(f"printer {machine}: plates {plates}, {hours(minutes)}")
    return lines

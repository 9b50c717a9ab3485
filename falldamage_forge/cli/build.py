"""`fdforge build`: from a map to plates, lists and a manifest."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from falldamage_forge.cli.common import (
    Sources,
    check_map,
    map_path,
    printer_of,
    show_progress,
    stop_on_errors,
)
from falldamage_forge.cli.wishes import division_note, sliced, wish_options, wishes_of

if TYPE_CHECKING:
    from falldamage_forge.assemble import Build
    from falldamage_forge.export.artifacts import Artifact


@click.command()
@click.argument("map_name", metavar="MAP")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Folder to write into.")
@click.option(
    "--printer", "printer_name", help="Printer to print on; `fdforge presets` lists them."
)
@click.option("--pictures/--no-pictures", default=True, help="Pictures, report and build sheets.")
@wish_options
def command(
    map_name: str,
    output: Path | None,
    printer_name: str | None,
    pictures: bool,
    own: Path | None,
    slicer: bool,
    **words: Any,
) -> None:
    """Check MAP (a file, or a preset's name) and write everything that is needed to print it.

    Nothing is written unless the map is legal and playable. The default folder is exports/<map>.
    """
    from falldamage_forge.assemble import artifacts, assemble
    from falldamage_forge.cli.write import safe_name, write_folder
    from falldamage_forge.export.lists import text_table
    from falldamage_forge.presets import load_catalogue

    sources = Sources()
    checked = check_map(map_name, sources)
    stop_on_errors(checked.issues, sources)
    layout = checked.layout
    printer = printer_of(layout, printer_name)
    target = output or Path("exports") / safe_name(map_path(map_name).stem)
    wishes = wishes_of(sources, own, **words)
    build = assemble(layout, load_catalogue(), printer, show_progress, wishes)
    if slicer:
        build = sliced(build)
    beside: tuple[Artifact, ...] = ()
    if pictures:
        from falldamage_forge.cli.pictures import picture_artifacts

        source = next(iter(sources.texts.items()))
        beside = picture_artifacts(layout, checked.issues, build, printer, source)
    files = artifacts(build, layout, printer, show_progress, beside)
    write_folder(target, files)
    show_progress("")
    click.echo(text_table(build.rows))
    click.echo(f"{len(build.plates)} plates for {printer.title} in {target} ({len(files)} files)")
    click.echo(f"filament and time: {build.source}")
    for line in (*_schedule(build), division_note(build)):
        if line:
            click.echo(line)


def _schedule(build: Build) -> list[str]:
    """What each of several printers prints, and for how long; nothing for one."""
    from falldamage_forge.export.lists import hours, ranges

    if build.wishes.printers == 1:
        return []
    lines = []
    for machine in range(1, build.wishes.printers + 1):
        own = [n for n, owner in enumerate(build.machines) if owner == machine]
        minutes = sum(build.figures[n].minutes for n in own)
        plates = ranges(build.plates[n].index for n in own) or "nothing"
        lines.append(f"printer {machine}: plates {plates}, {hours(minutes)}")
    return lines

"""`fdforge build`: from a map to plates, lists and a manifest."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from falldamage_forge.cli.common import (
    Sources,
    check_map,
    map_path,
    printer_of,
    show_progress,
    stop_on_errors,
)

if TYPE_CHECKING:
    from falldamage_forge.export.artifacts import Artifact


@click.command()
@click.argument("map_name", metavar="MAP")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Folder to write into.")
@click.option(
    "--printer", "printer_name", help="Printer to print on; `fdforge presets` lists them."
)
@click.option("--pictures/--no-pictures", default=True, help="Pictures, report and build sheets.")
def command(map_name: str, output: Path | None, printer_name: str | None, pictures: bool) -> None:
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
    build = assemble(layout, load_catalogue(), printer, show_progress)
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

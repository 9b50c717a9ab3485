"""`fdforge pieces`: what a map needs to be printed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from falldamage_forge.cli.common import (
    Sources,
    check_map,
    printer_of,
    show_progress,
    stop_on_errors,
)
from falldamage_forge.cli.wishes import division_note, sliced, wish_options, wishes_of

FORMATS = ("table", "csv", "json", "markdown")


@click.command()
@click.argument("map_name", metavar="MAP")
@click.option(
    "--printer", "printer_name", help="Printer to print on; `fdforge presets` lists them."
)
@click.option("--format", "form", type=click.Choice(FORMATS), default="table", show_default=True)
@wish_options
def command(
    map_name: str,
    printer_name: str | None,
    form: str,
    own: Path | None,
    slicer: bool,
    **words: Any,
) -> None:
    """List the pieces of MAP with quantities, filament and time, and plates."""
    from falldamage_forge.assemble import about_plan, assemble, plate_table
    from falldamage_forge.export import lists
    from falldamage_forge.presets import load_catalogue

    sources = Sources()
    checked = check_map(map_name, sources)
    stop_on_errors(checked.issues, sources)
    printer = printer_of(checked.layout, printer_name)
    wishes = wishes_of(sources, own, **words)
    build = assemble(checked.layout, load_catalogue(), printer, show_progress, wishes)
    if slicer:
        build = sliced(build)
    show_progress("")
    if form == "csv":
        click.echo(lists.csv_bytes(build.rows), nl=False)
    elif form == "json":
        data = lists.list_json(build.rows, plate_table(build), **about_plan(build))
        click.echo(data, nl=False)
    elif form == "markdown":
        click.echo(lists.markdown_table(build.rows))
    else:
        click.echo(lists.text_table(build.rows))
        click.echo(f"filament and time: {build.source}")
        if note := division_note(build):
            click.echo(note)

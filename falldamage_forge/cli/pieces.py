"""`fdforge pieces`: what a map needs to be printed."""

from __future__ import annotations

import click

from falldamage_forge.cli.common import (
    Sources,
    check_map,
    printer_of,
    show_progress,
    stop_on_errors,
)

FORMATS = ("table", "csv", "json", "markdown")


@click.command()
@click.argument("map_name", metavar="MAP")
@click.option(
    "--printer", "printer_name", help="Printer to print on; `fdforge presets` lists them."
)
@click.option("--format", "form", type=click.Choice(FORMATS), default="table", show_default=True)
def command(map_name: str, printer_name: str | None, form: str) -> None:
    """List the pieces of MAP with quantities, estimated filament and time, and plates."""
    from falldamage_forge.assemble import assemble, plate_table
    from falldamage_forge.export import lists
    from falldamage_forge.presets import load_catalogue

    sources = Sources()
    checked = check_map(map_name, sources)
    stop_on_errors(checked.issues, sources)
    printer = printer_of(checked.layout, printer_name)
    build = assemble(checked.layout, load_catalogue(), printer, show_progress)
    show_progress("")
    if form == "csv":
        click.echo(lists.csv_bytes(build.rows), nl=False)
    elif form == "json":
        click.echo(lists.list_json(build.rows, plate_table(build)), nl=False)
    elif form == "markdown":
        click.echo(lists.markdown_table(build.rows))
    else:
        click.echo(lists.text_table(build.rows))

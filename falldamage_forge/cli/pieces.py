"""`fdforge pieces`: what a map needs to be printed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from falldamage_forge.cli import complete
from falldamage_forge.cli.build_options import (
    build_options,
    division_note,
    gcodes,
    options_of,
    sliced,
)
from falldamage_forge.cli.common import FORGE, checked_map
from falldamage_forge.cli.waiting import show_progress

if TYPE_CHECKING:
    from falldamage_forge.assemble import Build

FORMATS = ("table", "csv", "json", "markdown")


@click.command()
@click.argument("map_name", metavar="MAP", shell_complete=complete.maps)
@click.option(
    "--printer", "printer_name", help="Printer to print on; `fdforge presets` lists them."
)
@click.option("--format", "form", type=click.Choice(FORMATS), default="table", show_default=True)
@click.option(
    "--by",
    type=click.Choice(["piece", "feature"]),
    default="piece",
    show_default=True,
    help="By feature: where plastic and minutes go, by PrusaSlicer's G-code.",
)
@build_options
def command(
    map_name: str,
    printer_name: str | None,
    form: str,
    by: str,
    process_name: str | None,
    own: Path | None,
    slicer: bool,
    **words: Any,
) -> None:
    """List the pieces of MAP with quantities, filament and time, and plates."""
    from falldamage_forge.build_files import about_plan, figures_note, plate_table
    from falldamage_forge.export import lists

    checked = checked_map(map_name)
    options = options_of(own, **words)
    built = FORGE.assemble(checked, printer_name, options, show_progress, process_name)
    if by == "feature":
        _echo_features(built.build, form)
        return
    if slicer:
        built = sliced(built)
    build = built.build
    show_progress("")
    if form == "csv":
        click.echo(lists.csv_bytes(build.rows, build.options.price), nl=False)
    elif form == "json":
        data = lists.list_json(
            build.rows, plate_table(build), build.options.price, **about_plan(build)
        )
        click.echo(data, nl=False)
    elif form == "markdown":
        click.echo(lists.markdown_table(build.rows, build.options.price))
    else:
        click.echo(lists.text_table(build.rows, build.options.price))
        click.echo(figures_note(build))
        if note := division_note(build):
            click.echo(note)


def _echo_features(build: Build, form: str) -> None:
    """The plates sliced, and what each kind of line takes over all of them."""
    from falldamage_forge.export.lists import feature_table
    from falldamage_forge.printing.slicer import add_features, read_features

    if form not in ("table", "json"):
        raise click.UsageError("--by feature comes as a table or as json")
    features = add_features([read_features(text) for text in gcodes(build)])
    show_progress("")
    if form == "json":
        rows = [
            {"feature": name, "grams": round(own.grams, 2), "minutes": round(own.minutes, 1)}
            for name, own in features.items()
        ]
        click.echo(json.dumps(rows, indent=2))
        return
    click.echo(feature_table(features, build.options.price))
    click.echo("filament and time: PrusaSlicer")

"""`fdforge pieces`: list the pieces of a map."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from falldamage_forge.cli.build_options import (
    build_options,
    echo_notes,
    gcodes,
    options_of,
    with_slicer_figures,
)
from falldamage_forge.cli.map_argument import FORGE, checked_map
from falldamage_forge.cli.progress_bar import show_progress
from falldamage_forge.cli.shared_options import format_option, map_argument, printer_option
from falldamage_forge.cli.spoken_language import echo, wished_say

if TYPE_CHECKING:
    from falldamage_forge.builds.pipeline import PrintJob

FORMATS = ("table", "csv", "json", "markdown")


@click.command()
@map_argument
@printer_option
@format_option(type=click.Choice(FORMATS), default="table")
@click.option(
    "--by",
    type=click.Choice(["piece", "feature"]),
    default="piece",
    help="Rows: pieces, or the line types of PrusaSlicer's G-code with grams and minutes.",
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
    """List the pieces of MAP with quantities, filament, time and plates."""
    from falldamage_forge.builds.output_files import figures_note, plan_notes, plate_table
    from falldamage_forge.export import piece_list

    checked = checked_map(map_name)
    options = options_of(own, **words)
    meshes = slicer or by == "feature"
    built = FORGE.assemble(checked, printer_name, options, show_progress, process_name, meshes)
    if by == "feature":
        _echo_features(built.build, form)
        return
    if slicer:
        built = with_slicer_figures(built)
    build = built.build
    show_progress("")
    if form == "csv":
        click.echo(piece_list.csv_bytes(build.rows, build.options.price), nl=False)
    elif form == "json":
        data = piece_list.list_json(
            build.rows, plate_table(build), build.options.price, **plan_notes(build)
        )
        click.echo(data, nl=False)
    elif form == "markdown":
        click.echo(piece_list.markdown_table(build.rows, build.options.price))
    else:
        click.echo(piece_list.text_table(build.rows, build.options.price, wished_say()))
        echo(figures_note(build))
        echo_notes(build)


def _echo_features(build: PrintJob, form: str) -> None:
    """Slice the plates and print the totals of each line type."""
    from falldamage_forge.export.piece_list import feature_table
    from falldamage_forge.printing.prusaslicer import add_features, read_features

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
    click.echo(feature_table(features, build.options.price, wished_say()))
    echo("filament and time: PrusaSlicer")

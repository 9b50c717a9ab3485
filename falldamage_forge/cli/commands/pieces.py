"""`fdforge pieces`: list the pieces of a map."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from falldamage_forge.cli import option
from falldamage_forge.cli.build_options import (
    BUILD,
    BuildWords,
    echo_list,
    echo_notes,
    gcodes,
    piece_table,
)
from falldamage_forge.cli.map_argument import checked_map
from falldamage_forge.cli.progress_bar import show_progress
from falldamage_forge.cli.spoken_language import echo, wished_say

if TYPE_CHECKING:
    from falldamage_forge.builds.pipeline import PrintJob

FORMATS = ("table", "csv", "json", "markdown")


@option.command
def command(
    map_name: str = option.MAP,
    printer_name: str | None = option.PRINTER,
    form: str = option.form(*FORMATS),
    by: str = option.choice(
        ["piece", "feature"],
        "Rows: pieces, or the line types of PrusaSlicer's G-code with grams and minutes.",
        default="piece",
    ),
    given: BuildWords = BUILD,
) -> None:
    """List the pieces of MAP with quantities, filament, time and plates."""
    from falldamage_forge.builds.output_files import figures_note

    checked = checked_map(map_name)
    if by == "feature":
        _echo_features(replace(given, slicer=False).built(checked, printer_name).build, form)
        return
    build = given.built(checked, printer_name, meshes=False).build
    show_progress("")
    if not echo_list(build, form):
        click.echo(piece_table(build))
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

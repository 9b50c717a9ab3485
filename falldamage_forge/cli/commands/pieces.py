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
from falldamage_forge.cli.spoken_language import echo, echo_report

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
        de="Zeilen: Teile, oder die Linien des G-Codes von PrusaSlicer mit Gramm und Minuten.",
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
    from falldamage_forge.export.piece_list import feature_rows, feature_table, total_row
    from falldamage_forge.infra.report_table import row_json
    from falldamage_forge.printing.prusaslicer import add_features, read_features

    if form not in ("table", "json"):
        raise click.UsageError("--by feature comes as a table or as json")
    rows = feature_rows(add_features([read_features(text) for text in gcodes(build)]))
    table = feature_table(build.options.price)
    show_progress("")
    if form == "json":
        click.echo(json.dumps([row_json(table, row) for row in rows], indent=2))
        return
    echo_report(table, [*rows, total_row(rows)])
    echo("filament and time: PrusaSlicer")

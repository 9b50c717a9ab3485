"""`fdforge prove --tolerance`: shares of simulated tables by the printer's spread."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from falldamage_forge.cli.progress_bar import show_progress
from falldamage_forge.cli.spoken_language import echo, wished_say

if TYPE_CHECKING:
    from falldamage_forge.geometry.tolerance_analysis import ToleranceResult
    from falldamage_forge.printing.printer import Printer


def echo_tolerances(
    found: dict[str, list[ToleranceResult]], printer: Printer, as_json: bool
) -> None:
    """Print the share of simulated tables that fit and hold, by the printer's spread.

    Args:
        found: Results for each spread, by the name of the map.
        printer: The printer whose gaps are simulated.
        as_json: True to print JSON.

    Raises:
        click.UsageError: If there is no map.
    """
    if not found:
        raise click.UsageError("--tolerance needs a MAP")
    show_progress("")
    if as_json:
        document = {
            name: [
                {
                    "spread_mm": one.spread_mm,
                    "share": round(one.share, 4),
                    "uneven": round(one.uneven, 4),
                    "failures": {why: round(share, 4) for why, share in one.failures.items()},
                }
                for one in table
            ]
            for name, table in found.items()
        }
        click.echo(json.dumps({"printer": printer.name, "tolerance": document}, indent=2))
        return
    for name, table in found.items():
        echo(f"{name}, {printer.title}: fit {printer.fit_mm:g}, click {printer.click_mm:g} mm")
        echo("spread     go together and hold   bridges a layer off   fails first")
        for one in table:
            shares = f"{one.share:20.1%}   {one.uneven:19.1%}"
            first = wished_say()(one.first or "nothing")
            click.echo(f"±{one.spread_mm:.2f} mm  {shares}   {first}")

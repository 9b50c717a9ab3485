"""`fdforge prove --tolerance`: shares of simulated tables by the printer's spread."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from falldamage_forge.cli.progress_bar import show_progress
from falldamage_forge.cli.spoken_language import echo, echo_report
from falldamage_forge.infra.report_table import ReportColumn, row_json

if TYPE_CHECKING:
    from falldamage_forge.geometry.print_report import MeasuredSpread
    from falldamage_forge.geometry.tolerance_analysis import ToleranceResult
    from falldamage_forge.printing.printer import Printer

TOLERANCES = (
    ReportColumn("spread_mm", "spread", "±{:.2f} mm".format, left=True),
    ReportColumn("share", "go together and hold", ".1%", 4),
    ReportColumn("uneven", "bridges a layer off", ".1%", 4),
    ReportColumn(
        "failures",
        value=lambda one: {why: round(share, 4) for why, share in one.failures.items()},
    ),
    ReportColumn(title="fails first", value=lambda one: one.first or "nothing", left=True),
)
"""Columns of the shares at each spread."""
MEASURED = (
    ReportColumn("spread_mm", digits=4),
    ReportColumn("answers"),
    ReportColumn("coupons"),
)
"""Fields of a measured spread."""


def echo_tolerances(
    found: dict[str, list[ToleranceResult]],
    printer: Printer,
    measured: MeasuredSpread | None,
    as_json: bool,
) -> None:
    """Print the share of simulated tables that fit and hold, by the printer's spread.

    Args:
        found: Results for each spread, by the name of the map.
        printer: The printer whose gaps are simulated.
        measured: Spread of a report of prints; None without one.
        as_json: True to print JSON.

    Raises:
        click.UsageError: If there is no map.
    """
    if not found:
        raise click.UsageError("--tolerance needs a MAP")
    show_progress("")
    if as_json:
        document = {
            name: [row_json(TOLERANCES, one) for one in table] for name, table in found.items()
        }
        told = {"measured": row_json(MEASURED, measured)} if measured else {}
        click.echo(json.dumps({"printer": printer.name, **told, "tolerance": document}, indent=2))
        return
    if measured:
        count = f"{measured.answers} answers of {measured.coupons} coupon"
        many = "s" * (measured.coupons != 1)
        echo(f"measured: ±{measured.spread_mm:.2f} mm, from {count}{many}")
    for name, table in found.items():
        echo(f"{name}, {printer.title}: fit {printer.fit_mm:g}, click {printer.click_mm:g} mm")
        echo_report(TOLERANCES, table)

"""`fdforge printer`: list printers and store the user's defaults."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from falldamage_forge.cli import option
from falldamage_forge.cli.map_argument import FORGE
from falldamage_forge.cli.spoken_language import echo
from falldamage_forge.infra.user_paths import resolved


@option.group_command
def command() -> None:
    """List printers, and store your printer, its process and the price of filament."""


@option.under(command, "list")
def list_printers() -> None:
    """List the preset printers; `*` marks yours."""
    from falldamage_forge import presets
    from falldamage_forge.cli.user_config import load_settings

    mine = load_settings()
    names = list(presets.names("printers"))
    for name in (*names, *([] if mine.printer in names else [mine.printer])):
        printer = FORGE.printer(name=name)
        width, depth = printer.bed_mm
        mark = "*" if name == mine.printer else " "
        size = f"{width:g} x {depth:g} x {printer.height_mm:g} mm"
        echo(f"{mark} {name:12}  {size:20}  fit {printer.fit_mm:.2f}  {printer.label}")
    price = f"{mine.price_per_kg:g} {mine.currency} a kg" if mine.price_per_kg else "not told"
    project = f"; saved project: {mine.project}" if mine.project else ""
    echo(f"process: {mine.process}; price of filament: {price}{project}")


@option.under(command)
def use(
    name: str | None = option.argument(required=False),
    process: str | None = option.text(
        "Process; see `fdforge presets`.", de="Prozess; siehe `fdforge presets`."
    ),
    nozzle: float | None = option.number(
        0.1,
        2.0,
        "Nozzle in mm: 0.4, or 0.6 for process `quick`.",
        de="Düse in mm: 0.4, oder 0.6 für den Prozess `quick`.",
    ),
    price_per_kg: float | None = option.PRICE,
    currency: str | None = option.text(
        "Currency of the price, three letters.", de="Währung des Preises, drei Buchstaben."
    ),
    project: Path | None = option.file(
        "Project saved in Bambu Studio or OrcaSlicer for this printer; builds take its settings. "
        "NAME alone forgets it.",
        de="Projekt, das Bambu Studio oder OrcaSlicer für diesen Drucker gespeichert hat; "
        "Platten nehmen seine Einstellungen. NAME allein vergisst es.",
    ),
) -> None:
    """Store printer NAME (a preset or a file) as the default of every command.

    A map's own printer and --printer override it.
    """
    from falldamage_forge.cli.build_options import template_of
    from falldamage_forge.cli.user_config import load_settings, save_settings
    from falldamage_forge.issues import ForgeError, Issue

    if name is not None and (name.endswith(".toml") or Path(name).is_file()):
        name = str(resolved(Path(name)))
    report: dict[str, Any] = {
        "printer": name,
        "process": process or (None if nozzle is None else _process_for(nozzle)),
        "price_per_kg": price_per_kg,
        "currency": currency.upper() if currency else None,
        "project": str(resolved(project)) if project else "" if name else None,
    }
    given = {key: value for key, value in report.items() if value is not None}
    if not given:
        words = "name a printer, --process, --nozzle, --price, --currency or --project"
        raise click.UsageError(words)
    try:
        wished = replace(load_settings(), **given)
    except ValueError as error:
        raise ForgeError([Issue("FDF291", "error", str(error))]) from None
    printer = FORGE.printer(name=wished.printer, process=wished.process)
    if nozzle is not None and printer.nozzle_mm != nozzle:
        low, high = printer.process.nozzles_mm
        message = f"process `{wished.process}` is for nozzles of {low:g} to {high:g} mm"
        raise ForgeError([Issue("FDF291", "error", message, hint="omit --process or --nozzle")])
    template = template_of(wished)
    path = save_settings(wished)
    price = f", {wished.price_per_kg:g} {wished.currency} a kg" if wished.price_per_kg else ""
    saved = f", settings of a project of {template.application}" if template else ""
    echo(f"{printer.label}, process {printer.process.name}{price}{saved}; stored in {path}")


def _process_for(nozzle_mm: float) -> str:
    """Return the stored process if it is for a nozzle, else the first one that is."""
    from falldamage_forge import presets
    from falldamage_forge.cli.user_config import load_settings
    from falldamage_forge.issues import ForgeError, Issue
    from falldamage_forge.printing.printer import TOO_WIDE

    known, mine = presets.processes_for(nozzle_mm), load_settings().process
    if not known:
        message = f"no process is for a nozzle of {nozzle_mm:g} mm"
        raise ForgeError([Issue("FDF291", "error", message, hint=TOO_WIDE["nozzle_mm"])])
    return mine if mine in known else known[0]

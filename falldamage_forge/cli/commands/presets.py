"""`fdforge presets`: list the presets."""

from __future__ import annotations

import json

import click

from falldamage_forge.cli import option
from falldamage_forge.cli.spoken_language import echo

KINDS = ("maps", "tables", "units", "rulesets", "printers", "processes", "styles", "sets")


@option.command
def command(
    as_json: bool = option.JSON,
) -> None:
    """List all names that need no path: maps, units, rulesets, printers and more."""
    from falldamage_forge import presets

    found = {kind: presets.names(kind) for kind in KINDS}
    found["units"] = tuple(presets.load_units())
    if as_json:
        click.echo(json.dumps(found, indent=2))
        return
    for kind, known in found.items():
        if known:
            echo(f"{kind}: {', '.join(known)}")

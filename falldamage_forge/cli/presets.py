"""`fdforge presets`: what comes with the forge."""

from __future__ import annotations

import json

import click

KINDS = ("maps", "tables", "units", "rulesets", "printers", "processes", "styles", "sets")


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(as_json: bool) -> None:
    """List what can be named without a path: maps, units, rulesets, printers and more."""
    from falldamage_forge import presets

    found = {kind: presets.names(kind) for kind in KINDS}
    found["units"] = tuple(presets.load_units())
    if as_json:
        click.echo(json.dumps(found, indent=2))
        return
    for kind, known in found.items():
        if known:
            click.echo(f"{kind}: {', '.join(known)}")

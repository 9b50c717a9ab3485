"""`fdforge expand`: print a map without definitions, imports and symmetry."""

from __future__ import annotations

import click

from falldamage_forge.cli import option
from falldamage_forge.cli.map_argument import FORGE, refusal, stop_on_errors


@option.command
def command(
    map_name: str = option.MAP,
) -> None:
    """Print MAP as a plain map with its definitions, imports and symmetry expanded."""
    from falldamage_forge.lang.flatten import flatten

    map_ = FORGE.load(map_name)
    stop_on_errors(map_.issues, map_.texts)
    refusal(map_)
    click.echo(flatten(map_.layout), nl=False)

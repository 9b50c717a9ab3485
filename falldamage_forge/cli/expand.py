"""`fdforge expand`: a map written out flat."""

from __future__ import annotations

import click

from falldamage_forge.cli import complete
from falldamage_forge.cli.common import FORGE, refusal, stop_on_errors


@click.command()
@click.argument("map_name", metavar="MAP", shell_complete=complete.maps)
def command(map_name: str) -> None:
    """Print MAP as a plain map: definitions placed, symmetry done, imports gone."""
    from falldamage_forge.lang.flatten import flatten

    map_ = FORGE.load(map_name)
    stop_on_errors(map_.issues, map_.texts)
    refusal(map_)
    click.echo(flatten(map_.layout), nl=False)

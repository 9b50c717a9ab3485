"""`fdforge los`: compute a line of sight."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from falldamage_forge.cli import query_options
from falldamage_forge.cli.spoken_language import echo

if TYPE_CHECKING:
    from falldamage_forge.board.surfaces import Surface
    from falldamage_forge.rules.answers import Sight
    from falldamage_forge.rules.position import Position


@click.command()
@query_options.query_command
@click.argument("viewer", metavar="A1[@L]")
@click.argument("target", metavar="B2[@L]")
@query_options.occupied_option
def command(
    position: Position, viewer: str, target: str, occupied: tuple[str, ...], as_json: bool
) -> None:
    """Compute the line of sight between two surfaces of MAP, and the tiles that block it."""
    one, other = position.place(viewer), position.place(target)
    found = position.sees(one, other, occupied)
    if as_json:
        query_options.echo_json(found.json())
    else:
        tell(one, other, found)


def tell(one: Surface, other: Surface, found: Sight) -> None:
    """Print a line of sight between two surfaces."""
    if found:
        echo(f"{one} and {other} see each other")
    else:
        echo(f"{one} and {other} do not see each other: {found.blocked_by} blocks the line")

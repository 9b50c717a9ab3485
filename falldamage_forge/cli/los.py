"""`fdforge los`: who sees whom."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from falldamage_forge.cli import play

if TYPE_CHECKING:
    from falldamage_forge.rules.position import Position


@click.command()
@play.asks
@click.argument("viewer", metavar="A1[@L]")
@click.argument("target", metavar="B2[@L]")
@play.occupied_option
def command(
    position: Position,
    viewer: str,
    target: str,
    occupied: tuple[str, ...],
    as_json: bool,
    **_: Any,
) -> None:
    """Tell whether a unit on one surface of MAP sees a unit on another, and what is in the way."""
    one, other = position.place(viewer), position.place(target)
    found = position.sees(one, other, occupied)
    if as_json:
        play.echo_json(found.json())
    elif found:
        click.echo(f"{one} and {other} see each other")
    else:
        click.echo(f"{one} and {other} do not see each other: {found.blocked_by} is in the way")

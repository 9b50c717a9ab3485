"""`fdforge push`: where a pushed unit ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from falldamage_forge.board import WAYS
from falldamage_forge.cli import play

if TYPE_CHECKING:
    from falldamage_forge.rules.answers import Pushed
    from falldamage_forge.rules.position import Position


@click.command()
@play.asks
@click.option("--attacker", required=True, metavar="TILE", help="Where the attacker stands.")
@click.option("--target", required=True, metavar="TILE", help="Where the pushed unit stands.")
@click.option("--push", "text", required=True, metavar="B2", help="Letter and tiles: B, R, L or F.")
@click.option("--unit", metavar="VICTIM", help="The pushed unit's card.")
@click.option("--mage", is_flag=True, help="The attacker is a mage: falls hurt 2 more.")
@click.option("--way", type=click.Choice(tuple(WAYS)), help="Facing, on an exact diagonal.")
@click.option("--with", "effects", multiple=True, metavar="EFFECT", help="`rope=E5`, `lead-shoes`.")
@play.occupied_option
def command(
    position: Position,
    attacker: str,
    target: str,
    text: str,
    as_json: bool,
    map_: object,
    **words: Any,
) -> None:
    """Tell where a unit on MAP ends when it is pushed, what it falls, and whether it lives."""
    del map_
    found = position.push(attacker, target, text, **words)
    if as_json:
        play.echo_json(found.json())
        return
    if found.extra.get("spire"):
        _tell_spire(target, found)
        return
    where = "dies" if found.end is None else f"ends on {found.end}"
    click.echo(f"the unit on {position.place(target)} {where}, {found.damage} fall damage")
    if found.path:
        click.echo("by " + " -> ".join(map(str, found.path)))


def _tell_spire(target: str, found: Pushed) -> None:
    if not found.extra["gone"]:
        click.echo(f"the spire on {target} stays")
        return
    hit = found.extra["hit"]
    told = f", and hits who stands on {hit['tile']} for {found.damage} damage" if hit else ""
    click.echo(f"the spire on {target} is gone{told}; its tower can be stood on")

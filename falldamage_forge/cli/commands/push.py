"""`fdforge push`: compute the result of a push."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from falldamage_forge.board import WAYS
from falldamage_forge.cli import query_options
from falldamage_forge.cli.shared_options import flag, repeated_option
from falldamage_forge.cli.spoken_language import echo

if TYPE_CHECKING:
    from falldamage_forge.rules.answers import PushResult
    from falldamage_forge.rules.position import Position


@click.command()
@query_options.query_command
@click.option("--attacker", required=True, metavar="TILE", help="Surface of the attacker.")
@click.option("--target", required=True, metavar="TILE", help="Surface of the pushed unit.")
@click.option("--push", "text", required=True, metavar="B2", help="Letter and tiles: B, R, L or F.")
@click.option("--unit", metavar="VICTIM", help="Card of the pushed unit.")
@flag("--mage", help="The attacker is a mage: falls cost 2 more health.")
@click.option("--way", type=click.Choice(tuple(WAYS)), help="Facing, on an exact diagonal.")
@repeated_option(
    "--with",
    "effects",
    metavar="EFFECT",
    help="Effect on the pushed unit, such as `rope=E5` or `lead-shoes`; repeatable.",
)
@query_options.occupied_option
def command(
    position: Position, attacker: str, target: str, text: str, as_json: bool, **words: Any
) -> None:
    """Compute where a pushed unit on MAP ends, its damage, and whether it survives.

    A death names its cause and its place.
    """
    found = position.push(attacker, target, text, **words)
    if as_json:
        query_options.echo_json(found.json())
    else:
        tell(position, target, found)


def tell(position: Position, target: str, found: PushResult) -> None:
    """Print the result of a push of the unit or spire on `target`."""
    from falldamage_forge.games.fall_damage.play.death import death_words

    if found.extra.get("spire"):
        _tell_spire(target, found)
        return
    where = death_words(found.cause, found.at) if found.cause else f"ends on {found.end}"
    echo(f"the unit on {position.place(target)} {where}, {found.damage} fall damage")
    if found.path:
        echo("by " + " -> ".join(map(str, found.path)))


def _tell_spire(target: str, found: PushResult) -> None:
    if not found.extra["gone"]:
        echo(f"the spire on {target} stays")
        return
    hit = found.extra["hit"]
    text = f", and hits who stands on {hit['tile']} for {found.damage} damage" if hit else ""
    echo(f"the spire on {target} is gone{text}; its tower can be stood on")

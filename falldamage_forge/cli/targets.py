"""`fdforge targets`: what a unit can attack from where it stands, or use an ability on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from falldamage_forge.board import WAYS
from falldamage_forge.cli import play

if TYPE_CHECKING:
    from falldamage_forge.rules.answers import Targets
    from falldamage_forge.rules.position import Position

_OPTIONS = (
    click.option("--unit", required=True, metavar="NAME", help="The attacker's card."),
    click.option("--from", "start", required=True, metavar="TILE", help="Where it stands."),
    click.option("--ability", metavar="NAME", help="An ability or treasure, such as `splash`."),
    click.option("--aim", metavar="TILE", help="What the ability is aimed at: tell what it does."),
    click.option("--second", metavar="TILE", help="A second place, where the ability needs one."),
    click.option("--way", type=click.Choice(tuple(WAYS)), help="A direction, where it needs one."),
    click.option("--count", type=click.IntRange(0, 99), help="A number, where it needs one."),
    click.option("--with", "effects", multiple=True, metavar="EFFECT", help="`song`, `weapon=1` …"),
    *play.STANDING,
    play.occupied_option,
)


def _options(function: Any) -> Any:
    return play.decorated(function, _OPTIONS)


@click.command()
@play.asks
@_options
def command(
    position: Position,
    unit: str,
    start: str,
    as_json: bool,
    map_: object,
    **words: Any,
) -> None:
    """List the surfaces of MAP that a unit can attack, with its bonus for height.

    Trees, bridges, ladders and spires in reach are listed with the damage they take. With --ability
    the places it may be aimed at; with --aim too, what it does to whom.
    """
    del map_
    found = position.targets(unit, start, **words)
    if as_json:
        play.echo_json(found.json())
    elif "outcome" in found.extra:
        _tell_outcome(found)
    else:
        _tell(found)


def _tell(found: Targets) -> None:
    click.echo(f"{found.unit} on {found.start}: {len(found.targets)} surfaces")
    play.echo_table(
        ("surface", "bonus"), ((row.surface, f"{row.bonus:+d}") for row in found.targets)
    )
    for thing in found.extra.get("structures", ()):
        pool = f", {thing['pool']} damage destroy it" if thing["pool"] else ", can be pushed"
        click.echo(f"{thing['kind']} at {thing['tile']}@{thing['level']}{pool}")


def _tell_outcome(found: Targets) -> None:
    outcome = found.extra["outcome"]
    click.echo(f"{found.unit} on {found.start} uses {found.extra['ability']}")
    for row in outcome["units"]:
        end = row["end"]
        where = f"ends on {end['tile']}@{end['level']}" if end else "dies"
        harm = f"{row['damage']} damage, {row['fall']} fall damage"
        gains = f", gains {', '.join(row['gains'])}" if row["gains"] else ""
        heal = f", heals {row['heal']}" if row["heal"] else ""
        start = f"{row['from']['tile']}@{row['from']['level']}"
        click.echo(f"  who stands on {start} {where}, {harm}{heal}{gains}")
    for row in outcome["places"]:
        click.echo(f"  may be put on {row['tile']}@{row['level']}, {row['damage']} damage")
    for note in (*outcome["notes"], *(f"tile {tile}" for tile in outcome["tiles"])):
        click.echo(f"  {note}")

"""`fdforge push`: where a pushed unit ends."""

from __future__ import annotations

import click

from falldamage_forge.board import WAYS
from falldamage_forge.cli import play


@click.command()
@click.argument("map_name", metavar="MAP")
@click.option("--attacker", required=True, metavar="TILE", help="Where the attacker stands.")
@click.option("--target", required=True, metavar="TILE", help="Where the pushed unit stands.")
@click.option("--push", "text", required=True, metavar="B2", help="Letter and tiles: B, R, L or F.")
@click.option("--unit", metavar="VICTIM", help="The pushed unit's card.")
@click.option("--mage", is_flag=True, help="The attacker is a mage: falls hurt 2 more.")
@click.option("--way", type=click.Choice(tuple(WAYS)), help="Direction on an exact diagonal.")
@play.occupied_option
@play.options_option
@play.json_option
def command(
    map_name: str,
    attacker: str,
    target: str,
    text: str,
    unit: str | None,
    mage: bool,
    way: str | None,
    occupied: tuple[str, ...],
    options: tuple[str, ...],
    as_json: bool,
) -> None:
    """Tell where a unit on MAP ends when it is pushed, what it falls, and whether it lives."""
    from falldamage_forge.rules.push import Push, Victim, push_unit

    table = play.open_table(map_name, options)
    card = play.unit_of(unit) if unit else None
    try:
        push = Push.parse(text, mage=mage)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    result = push_unit(
        table.graph.terrain,
        table.place(attacker),
        table.place(target),
        push,
        table.ruleset.options,
        taken=table.places(occupied),
        victim=Victim(card.no_fall, card.no_push) if card else Victim(),
        way=WAYS[way] if way else None,
    )
    if as_json:
        play.echo_json(
            {
                "end": play.spot(result.end) if result.end else None,
                "damage": result.damage,
                "dead": result.dead,
                "path": [play.spot(surface) for surface in result.path],
            }
        )
        return
    where = "dies" if result.end is None else f"ends on {result.end}"
    click.echo(f"the unit on {table.place(target)} {where}, {result.damage} fall damage")
    if result.path:
        click.echo("by " + " -> ".join(map(str, result.path)))

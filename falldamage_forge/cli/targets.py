"""`fdforge targets`: what a unit can attack from where it stands."""

from __future__ import annotations

import click

from falldamage_forge.cli import play


@click.command()
@click.argument("map_name", metavar="MAP")
@click.option("--unit", required=True, metavar="NAME", help="The attacker's card.")
@click.option("--from", "start", required=True, metavar="TILE", help="Where it stands.")
@play.occupied_option
@play.options_option
@play.json_option
def command(
    map_name: str,
    unit: str,
    start: str,
    occupied: tuple[str, ...],
    options: tuple[str, ...],
    as_json: bool,
) -> None:
    """List the surfaces of MAP that a unit can attack, with its bonus for height."""
    from falldamage_forge.rules.reach import can_attack, height_bonus
    from falldamage_forge.rules.sight import sees

    table = play.open_table(map_name, options)
    card = play.unit_of(unit)
    here = table.place(start)
    taken = table.places(occupied)
    rules = table.ruleset.options
    found = [
        {**play.spot(other), "bonus": height_bonus(here, other, card.reach, rules)}
        for other in table.graph.surfaces
        if can_attack(here, other, card.reach, rules)
        and (
            not card.needs_sight
            or sees(table.graph.terrain, here, other, rules, taken=taken).visible
        )
    ]
    if as_json:
        play.echo_json({"unit": unit, "from": play.spot(here), "targets": found})
        return
    click.echo(f"{unit} on {here}, reach {card.reach}: {len(found)} surfaces")
    play.echo_table(
        ("surface", "bonus"), ((f"{t['tile']}@{t['level']}", f"{t['bonus']:+d}") for t in found)
    )

"""`fdforge path`: the quickest way from one place to another."""

from __future__ import annotations

import sys

import click

from falldamage_forge.cli import games, play


@click.command()
@click.argument("map_name", metavar="MAP")
@play.profile_options
@click.option("--from", "start", required=True, metavar="TILE", help="Where it stands.")
@click.option("--to", "goal", required=True, metavar="TILE", help="Where it wants to go.")
@click.option("--any-damage", is_flag=True, help="Also take ways that hurt, if nothing else leads.")
@play.rules_option
@games.chance_option
@play.options_option
@play.enemy_option
@play.friend_option
@play.json_option
def command(
    map_name: str,
    unit: str | None,
    move: int | None,
    jump: int | None,
    start: str,
    goal: str,
    any_damage: bool,
    rules: str | None,
    chance: str | None,
    options: tuple[str, ...],
    enemies: tuple[str, ...],
    friends: tuple[str, ...],
    as_json: bool,
) -> None:
    """Show the quickest way on MAP without damage, step by step. Exits 1 if there is none.

    It takes the fewest activations, and of these the least Move.
    """
    from falldamage_forge.rules.movement import move_graph
    from falldamage_forge.rules.route import opened, route

    layout, ruleset = play.open_rules(map_name, options, rules)
    others = (enemies, friends)
    games.path(layout, ruleset, (unit, move, jump), (start, goal), chance, others, as_json)
    table = play.table_of(layout, ruleset)
    name, profile = play.profile_of(unit, move, jump)
    first, last = table.number(start), table.number(goal)
    moves = move_graph(
        table.graph, profile, table.ruleset.options, table.occupancy(enemies, friends)
    )
    way = route(moves, first, last)
    if way is None and any_damage:
        way = route(moves, first, last, safe=False)
    surfaces = table.graph.surfaces
    found = way is not None
    way = way or ()
    steps = [{**play.spot(surfaces[step.to]), **step._asdict()} for step in way]
    for step in steps:
        del step["to"]
    chests = opened(way, table.chests(), table.ruleset.options.treasure_trigger)
    cost, damage = sum(step.cost for step in way), sum(step.damage for step in way)
    turns = way[-1].turn if way else 0
    if as_json:
        play.echo_json(
            {
                "unit": name,
                "from": play.spot(surfaces[first]),
                "to": play.spot(surfaces[last]),
                "found": found,
                "cost": cost if found else None,
                "damage": damage if found else None,
                "turns": turns if found else None,
                "treasure": [play.spot(surfaces[number]) for number in chests],
                "steps": steps,
            }
        )
    elif not found:
        click.echo(f"{name} finds no way from {surfaces[first]} to {surfaces[last]}")
    else:
        click.echo(
            f"{name} from {surfaces[first]} to {surfaces[last]}: "
            f"activations {turns}, cost {cost}, damage {damage}"
        )
        play.echo_table(
            ("turn", "to", "kind", "cost", "damage"),
            ((s.turn, surfaces[s.to], s.kind, s.cost, s.damage) for s in way),
        )
        for number in chests:
            click.echo(f"opens the treasure on {surfaces[number]}")
    sys.exit(0 if found else 1)

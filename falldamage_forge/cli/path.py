"""`fdforge path`: the cheapest way from one place to another."""

from __future__ import annotations

import sys

import click

from falldamage_forge.cli import play


@click.command()
@click.argument("map_name", metavar="MAP")
@play.profile_options
@click.option("--from", "start", required=True, metavar="TILE", help="Where it stands.")
@click.option("--to", "goal", required=True, metavar="TILE", help="Where it wants to go.")
@click.option("--any-damage", is_flag=True, help="Also take ways that hurt, if nothing else leads.")
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
    options: tuple[str, ...],
    enemies: tuple[str, ...],
    friends: tuple[str, ...],
    as_json: bool,
) -> None:
    """Show the cheapest way on MAP without damage, step by step. Exits 1 if there is none."""
    from falldamage_forge.rules.movement import least_turns, move_graph, shortest_path

    table = play.open_table(map_name, options)
    name, profile = play.profile_of(unit, move, jump)
    first, last = table.number(start), table.number(goal)
    occupancy = table.occupancy(enemies, friends)
    moves = move_graph(table.graph, profile, table.ruleset.options, occupancy)
    way = shortest_path(moves, (first,), (last,))
    if way is None and any_damage:
        way = shortest_path(moves, (first,), (last,), safe=False)
    surfaces = table.graph.surfaces
    steps = [
        {**play.spot(surfaces[e.to]), "kind": e.link.kind, "cost": e.cost, "damage": e.damage}
        for e in way or ()
    ]
    turns = least_turns(moves, (first,)).get(last)
    cost, damage = sum(e.cost for e in way or ()), sum(e.damage for e in way or ())
    if as_json:
        play.echo_json(
            {
                "unit": name,
                "from": play.spot(surfaces[first]),
                "to": play.spot(surfaces[last]),
                "found": way is not None,
                "cost": cost if way is not None else None,
                "damage": damage if way is not None else None,
                "turns": turns,
                "steps": steps,
            }
        )
    elif way is None:
        click.echo(f"{name} finds no way from {surfaces[first]} to {surfaces[last]}")
    else:
        click.echo(
            f"{name} from {surfaces[first]} to {surfaces[last]}: cost {cost}, damage {damage}"
        )
        play.echo_table(
            ("to", "kind", "cost", "damage"),
            ((f"{s['tile']}@{s['level']}", s["kind"], s["cost"], s["damage"]) for s in steps),
        )
    sys.exit(0 if way is not None else 1)

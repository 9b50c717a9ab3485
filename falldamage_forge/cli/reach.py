"""`fdforge reach`: where a unit gets to."""

from __future__ import annotations

import click

from falldamage_forge.cli import games, play


@click.command()
@click.argument("map_name", metavar="MAP")
@play.profile_options
@click.option("--from", "start", required=True, metavar="TILE", help="Where it stands: E5 or E5@2.")
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
    rules: str | None,
    chance: str | None,
    options: tuple[str, ...],
    enemies: tuple[str, ...],
    friends: tuple[str, ...],
    as_json: bool,
) -> None:
    """List the surfaces of MAP that a unit reaches: in one activation, and in how many at least.

    `turns` is the least number of activations without damage; `one turn` lists move cost and damage
    of every way of one activation that no other beats in both. Under another game's `--rules` the
    ways are told with their cost, turns and chance.
    """
    from falldamage_forge.rules.movement import least_turns, move_graph, one_turn

    layout, ruleset = play.open_rules(map_name, options, rules)
    others = (enemies, friends)
    if games.reach(layout, ruleset, (unit, move, jump), start, chance, others, as_json):
        return
    table = play.table_of(layout, ruleset)
    name, profile = play.profile_of(unit, move, jump)
    number = table.number(start)
    occupancy = table.occupancy(enemies, friends)
    moves = move_graph(table.graph, profile, table.ruleset.options, occupancy)
    now, turns = one_turn(moves, number), least_turns(moves, (number,))
    rows = [
        {
            **play.spot(surface),
            "turns": turns.get(at),
            "one_turn": [list(label) for label in now.get(at, ())],
        }
        for at, surface in enumerate(table.graph.surfaces)
        if at in now or at in turns
    ]
    here = table.graph.surfaces[number]
    if as_json:
        play.echo_json({"unit": name, "from": play.spot(here), "surfaces": rows})
        return
    click.echo(f"{name} from {here}")
    play.echo_table(
        ("surface", "turns", "one turn (cost, damage)"),
        (
            (
                f"{row['tile']}@{row['level']}",
                "-" if row["turns"] is None else row["turns"],
                " ".join(f"{cost},{damage}" for cost, damage in row["one_turn"]) or "-",
            )
            for row in rows
        ),
    )

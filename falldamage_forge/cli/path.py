"""`fdforge path`: the quickest way from one place to another."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from falldamage_forge.cli import play

if TYPE_CHECKING:
    from collections.abc import Iterable

    from falldamage_forge.rules.answers import Path
    from falldamage_forge.rules.odds import Ended
    from falldamage_forge.rules.unit_on_board import UnitOn


@click.command()
@play.asks
@play.asks_unit
@click.option("--from", "start", required=True, metavar="TILE", help="Where it stands.")
@click.option("--to", "goal", required=True, metavar="TILE", help="Where it wants to go.")
@click.option("--any-damage", is_flag=True, help="Also take ways that hurt, if nothing else leads.")
@click.option(
    "--turns",
    type=click.IntRange(1, 20),
    metavar="N",
    help="Also the chance to be there by each of so many turns, trying again after a failed check.",
)
def command(
    unit: UnitOn,
    among: dict[str, Any],
    start: str,
    goal: str,
    any_damage: bool,
    turns: int | None,
    as_json: bool,
    **_: Any,
) -> None:
    """Show the quickest way on MAP without damage, step by step. Exits 1 if there is none.

    It takes the fewest turns, of these the likeliest, and of these the cheapest.
    """
    found = unit.path(start, goal, any_damage=any_damage, turns=turns or 0, **among)
    if as_json:
        play.echo_json(found.json())
    elif not found.found:
        click.echo(f"{found.unit} finds no way from {found.start} to {found.goal}")
        _tell_odds(found)
    else:
        _tell(found)
    sys.exit(0 if found.found else 1)


def counted(count: int, noun: str) -> str:
    """`1 Move`, `2 Moves`."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _tell(found: Path) -> None:
    checks = any(step.chance != 1 for step in found.steps)
    spots = any(step.spot for step in found.steps)
    click.echo(
        f"{found.unit} from {found.start} to {found.goal}: turns {found.turns}, "
        f"{found.scale.tell(found.cost)} {found.scale.name}, damage {found.harm}"
        + (f", chance {found.chance}" if checks else "")
    )
    if found.move_name and found.moves:
        click.echo(f"{counted(found.moves, found.move_name)}: {play.when_text(found.when)}")
    if found.acts > max(found.turns, 1):
        click.echo(f"an action on arrival: turn {found.acts}")
    play.echo_table(
        (
            "turn",
            *([found.move_name] if found.move_name else []),
            "to",
            *(["spot"] if spots else []),
            "kind",
            found.scale.name,
            "damage",
            *(["chance", "else"] if checks else []),
        ),
        (
            (
                step.turn,
                *([step.move] if found.move_name else []),
                step.surface,
                *([step.spot or "middle"] if spots else []),
                step.kind,
                found.scale.tell(step.cost),
                step.harm,
                *([step.chance, step.risk] if checks else []),
            )
            for step in found.folded
        ),
    )
    for surface in found.treasure:
        click.echo(f"opens the treasure on {surface}")
    _tell_odds(found)


def _tell_odds(found: Path) -> None:
    """The ends of the way and the chances of trying again, where they were asked for."""
    if found.odds is None:
        return
    if len(found.ends) > 1:
        click.echo("one try:")
        _tell_ends(found, found.ends)
    chances = ", ".join(f"{turn}: {chance}" for turn, chance in enumerate(found.odds.by_turn, 1))
    click.echo(f"there by turn {chances}")
    if len(found.odds.ends) > 1:
        click.echo(f"after turn {len(found.odds.by_turn)}, trying again:")
        _tell_ends(found, found.odds.ends)


def _tell_ends(found: Path, ends: Iterable[Ended]) -> None:
    for end in ends:
        where = "out of the game" if end.at is None else f"on {end.at}"
        marks = [("there, " if end.there else "") + where, *(["lying"] if end.lies else [])]
        if end.fallen:
            marks.append(f"fallen {end.fallen} {found.scale.name}")
        if end.hits:
            marks.append(counted(end.hits, "hit"))
        click.echo(f"  {end.chance}  {', '.join(marks)}")

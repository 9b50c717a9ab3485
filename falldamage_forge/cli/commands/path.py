"""`fdforge path`: find the quickest path between two surfaces."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from falldamage_forge.cli import option, query_options
from falldamage_forge.cli.spoken_language import echo, wished_say

if TYPE_CHECKING:
    from collections.abc import Iterable

    from falldamage_forge.rules.answers import Path
    from falldamage_forge.rules.success_odds import PlanOutcome


@query_options.command
def command(
    asked: query_options.Question = query_options.QUESTION,
    who: query_options.UnitWords = query_options.UNIT,
    start: str = query_options.START,
    goal: str = option.text(
        "Goal surface: E5 or E5@2.",
        "--to",
        required=True,
        metavar="TILE",
        de="Zielfläche: E5 oder E5@2.",
    ),
    any_damage: bool = option.flag(
        "Allow paths with damage if there is no other.",
        de="Erlaubt Wege mit Schaden, wenn es keinen anderen gibt.",
    ),
    turns: int | None = option.whole(
        1,
        20,
        "Greatest number of turns; adds the chance of arrival by each turn, with repeated tries "
        "after failed checks.",
        metavar="N",
        de="Größte Zahl von Zügen; nennt auch die Chance der Ankunft bis zu jedem Zug, mit"
        " neuen Versuchen nach misslungenen Proben.",
    ),
) -> None:
    """Find the quickest path on MAP without damage and print its steps. Exits 1 if there is none.

    It has the fewest turns; among these the greatest chance; among these the lowest cost.
    """
    unit = who.on(asked.position())
    found = unit.path(start, goal, any_damage=any_damage, turns=turns or 0, **who.among)
    asked.answer(found, tell)
    sys.exit(0 if found.found else 1)


def format_count(count: int, noun: str) -> str:
    """`1 Move`, `2 Moves`.

    Args:
        count: The number.
        noun: The noun in the singular.
    """
    return f"{count} {noun}{'' if count == 1 else 's'}"


def tell(found: Path) -> None:
    """Print the steps of a path, or that there is none."""
    if not found.found:
        echo(f"{found.unit} finds no way from {found.start} to {found.goal}")
        _tell_odds(found)
        return
    echo(
        f"{found.unit} from {found.start} to {found.goal}: turns {found.turns}, "
        f"{found.scale.tell(found.cost)} {found.scale.name}, damage {found.harm}"
        + (f", chance {found.chance}" if found.has_checks else "")
    )
    if found.move_name and found.moves:
        from falldamage_forge.rules.answer_columns import format_turn_chances

        chances = format_turn_chances(found.when)
        echo(f"{format_count(found.moves, found.move_name)}: {chances}")
    if found.acts > max(found.turns, 1):
        echo(f"an action on arrival: turn {found.acts}")
    query_options.echo_rows(found.table, found.folded)
    for surface in found.treasure:
        echo(f"opens the treasure on {surface}")
    _tell_odds(found)


def _tell_odds(found: Path) -> None:
    """Print the possible ends of the path and the chances of repeated tries, if requested."""
    if found.odds is None:
        return
    if len(found.ends) > 1:
        echo("one try:")
        _tell_ends(found, found.ends)
    chances = ", ".join(f"{turn}: {chance}" for turn, chance in enumerate(found.odds.by_turn, 1))
    echo(f"there by turn {chances}")
    if len(found.odds.ends) > 1:
        echo(f"after turn {len(found.odds.by_turn)}, trying again:")
        _tell_ends(found, found.odds.ends)


def _tell_ends(found: Path, ends: Iterable[PlanOutcome]) -> None:
    say = wished_say()
    for end in ends:
        marks = ["there"] * end.there
        marks.append("out of the game" if end.at is None else f"on {end.at}")
        marks += ["lying"] * end.lies
        if end.fallen:
            marks.append(f"fallen {end.fallen} {found.scale.name}")
        if end.hits:
            marks.append(format_count(end.hits, "hit"))
        click.echo(f"  {end.chance}  {', '.join(map(say, marks))}")

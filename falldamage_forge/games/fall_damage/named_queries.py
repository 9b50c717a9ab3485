"""Queries of Fall Damage by name: what the commands of the same names answer.

Each function calls the `Position` method behind its command, so both answers are the same value.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

from falldamage_forge.board.surfaces import Surface, SurfaceGraph
from falldamage_forge.rules.answers import Path, PushResult, Reach, Sight, Targets
from falldamage_forge.rules.argument_types import (
    EffectWord,
    PushWord,
    StandingWord,
    TileWord,
    UnitWord,
)
from falldamage_forge.rules.position import Position
from falldamage_forge.rules.ruleset import plain_value

if TYPE_CHECKING:
    from falldamage_forge.rules.unit_on_board import BoardUnit

Effects = tuple[EffectWord, ...]
Standing = tuple[StandingWord, ...]
Facing = Literal["north", "east", "south", "west"]
Turns = Annotated[int, range(21)]
Count = Annotated[int, range(100)]


def _unit(position: Position, name: str | None, effects: Effects) -> BoardUnit:
    """Return a unit with changed properties (`move=4`) or under effects (`song`)."""
    parts = (text.partition("=") for text in effects)
    changes = {key.strip(): plain_value(value.strip()) for key, _, value in parts}
    return position.unit(name or position.plain, **changes)


def reach(
    position: Position,
    start: Surface,
    unit: UnitWord | None = None,
    effects: Effects = (),
    enemies: Standing = (),
    friends: Standing = (),
    chance: Fraction = Fraction(0),
) -> Reach:
    """Return the surfaces that a unit reaches, with the least number of turns.

    Args:
        position: The board and its ruleset.
        start: Surface of the unit.
        unit: The unit; None for the plain unit.
        effects: Properties of the unit (`move=4`) and effects on it (`song`).
        enemies: Enemies as tiles or `UNIT=TILE`.
        friends: Friends likewise.
        chance: Least probability of a way.
    """
    on = _unit(position, unit, effects)
    return on.reach(start, enemies=enemies, friends=friends, chance=chance)


def path(
    position: Position,
    start: Surface,
    goal: Surface,
    unit: UnitWord | None = None,
    effects: Effects = (),
    enemies: Standing = (),
    friends: Standing = (),
    chance: Fraction = Fraction(0),
    any_damage: bool = False,
    turns: Turns = 0,
) -> Path:
    """Return the best path of a unit between two surfaces, without damage.

    Args:
        position: The board and its ruleset.
        start: Surface of the unit.
        goal: Surface of the goal.
        unit: The unit; None for the plain unit.
        effects: Properties of the unit (`move=4`) and effects on it (`song`).
        enemies: Enemies as tiles or `UNIT=TILE`.
        friends: Friends likewise.
        chance: Least probability of the path.
        any_damage: True to allow damage if there is no other path.
        turns: 1 to 20 adds the chance of arrival by each turn; 0 adds nothing.
    """
    among = {"enemies": enemies, "friends": friends}
    on = _unit(position, unit, effects)
    return on.path(start, goal, **among, chance=chance, any_damage=any_damage, turns=turns)


def push(
    position: Position,
    attacker: Surface,
    target: TileWord,
    push: PushWord,
    unit: UnitWord | None = None,
    mage: bool = False,
    way: Facing | None = None,
    effects: Effects = (),
    occupied: frozenset[Surface] = frozenset(),
) -> PushResult:
    """Return where a pushed unit or spire ends, its damage, its death.

    Args:
        position: The board and its ruleset.
        attacker: Surface of the attacker.
        target: Surface of the pushed unit, or the spire's tile.
        push: Letter and tiles as on the cards, such as `B2`.
        unit: The pushed unit's card.
        mage: True if the attacker is a mage.
        way: Facing, on an exact diagonal.
        effects: Effects on the pushed unit.
        occupied: Surfaces of other units.
    """
    words: dict[str, Any] = {"unit": unit, "mage": mage, "way": way}
    return position.push(attacker, target, push, **words, effects=effects, occupied=occupied)


def los(
    position: Position,
    viewer: Surface,
    target: Surface,
    occupied: frozenset[Surface] = frozenset(),
) -> Sight:
    """Return the line of sight between two surfaces, and what blocks it.

    Args:
        position: The board and its ruleset.
        viewer: Surface of the viewer.
        target: Surface of the target.
        occupied: Surfaces of other units.
    """
    return position.sees(viewer, target, occupied)


def targets(
    position: Position,
    unit: UnitWord,
    start: Surface,
    ability: str | None = None,
    aim: Surface | None = None,
    second: Surface | None = None,
    way: Facing | None = None,
    count: Count | None = None,
    effects: Effects = (),
    enemies: Standing = (),
    friends: Standing = (),
    occupied: frozenset[Surface] = frozenset(),
) -> Targets:
    """Return the targets of a unit's attack or ability, or what the ability does at an aim.

    Args:
        position: The board and its ruleset.
        unit: The unit.
        start: Surface of the unit.
        ability: Name of an ability; None for the attack.
        aim: Surface at which the ability is aimed; None lists the aims.
        second: Second surface, for abilities that need one.
        way: Direction, for abilities that need one.
        count: Number, for abilities that need one.
        effects: Effects on the unit.
        enemies: Enemies as tiles or `UNIT=TILE`.
        friends: Friends likewise.
        occupied: Surfaces of other units.
    """
    choices: dict[str, Any] = {"aim": aim, "second": second, "way": way, "count": count}
    among: dict[str, Any] = {"enemies": enemies, "friends": friends, "occupied": occupied}
    return position.targets(unit, start, ability=ability, **choices, effects=effects, **among)


class WorstPush(NamedTuple):
    """The worst result of a push of 1 tile.

    Attributes:
        start: Surface of the pushed unit.
        damage: Greatest fall damage of the four directions.
        dead: True if a direction kills a unit of any health.
    """

    start: Surface
    damage: int
    dead: bool


def falls(position: Position, graph: SurfaceGraph) -> tuple[WorstPush, ...]:
    """Return the worst result of a push of 1 tile from each surface, if it does damage.

    Args:
        position: The board and its ruleset.
        graph: Surfaces of the board.
    """
    found = position.game.worst_falls(graph)
    return tuple(WorstPush(at, *found[at]) for at in graph.surfaces if at in found)


QUESTIONS: dict[str, Callable[..., Any]] = {
    "reach": reach,
    "path": path,
    "push": push,
    "los": los,
    "targets": targets,
    "falls": falls,
}
"""Queries by their names in `fdforge ask`."""

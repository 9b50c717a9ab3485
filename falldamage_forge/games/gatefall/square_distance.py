"""Distances in squares, range, and the sides of the Gate."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from typing import Annotated

from falldamage_forge.board import Tile
from falldamage_forge.games.gatefall.options import GatefallOptions

Squares = Annotated[int, range(1001)]
NEIGHBOURS = tuple((r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if (r, c) != (0, 0))


def count(one: Tile, other: Tile) -> int:
    """Return the squares from one to the other, the first not counted.

    Source: "You can always count diagonally".

    Args:
        one: First square.
        other: Last square.
    """
    return max(abs(one.row - other.row), abs(one.col - other.col))


def count_between(ones: Iterable[Tile], others: Iterable[Tile]) -> int:
    """Return the least count between characters "in both of the squares".

    Args:
        ones: Squares of one character.
        others: Squares of the other.
    """
    listed = tuple(others)
    return min(count(one, other) for one in ones for other in listed)


def count_around(
    ones: Iterable[Tile], others: Iterable[Tile], free: Callable[[Tile], bool]
) -> int | None:
    """Return the fewest squares around walls; None if there is no path.

    Args:
        ones: Squares at which to start.
        others: Squares at which to end.
        free: Predicate of the squares between; the ends need not be free.
    """
    goals = set(others)
    seen = dict.fromkeys(ones, 0)
    queue = deque(seen)
    while queue:
        tile = queue.popleft()
        if tile in goals:
            return seen[tile]
        for offset in NEIGHBOURS:
            near = tile.step(offset)
            if near not in seen and (free(near) or near in goals):
                seen[near] = seen[tile] + 1
                queue.append(near)
    return None


def closest(one: Tile, targets: Iterable[Tile]) -> tuple[Tile, ...]:
    """Return the closest targets; several if they tie, and then the owner chooses.

    Args:
        one: Square from which is counted.
        targets: Squares to choose from.
    """
    listed = sorted(targets)
    least = min((count(one, target) for target in listed), default=0)
    return tuple(target for target in listed if count(one, target) == least)


def may_attack(
    attacker: Iterable[Tile],
    target: Iterable[Tile],
    reach: int,
    bases: frozenset[Tile],
    options: GatefallOptions,
    free: Callable[[Tile], bool] = lambda tile: True,
) -> bool:
    """True if an attack is legal: in range, and the target is not in a Base.

    Args:
        attacker: Squares of the attacker.
        target: Squares of the target.
        reach: Range in squares.
        bases: Squares of all Bases.
        options: Options of the ruleset.
        free: Predicate of squares without a wall.
    """
    mine, its = tuple(attacker), tuple(target)
    if bases.intersection(its):
        return False
    if options.attack_from_base == "no" and bases.intersection(mine):
        return False
    far = count_between(mine, its)
    if options.range_walls == "around":
        around = count_around(mine, its, free)
        return around is not None and around <= reach
    return far <= reach


def points_to_attack(
    distance: Squares, reach: Squares, speed: Annotated[int, range(1, 1001)]
) -> int:
    """Return the fewest Action Points to attack at a distance in the open.

    They are the moves and one point for the attack.

    Args:
        distance: Squares between the characters.
        reach: Squares that the attack reaches.
        speed: Squares of one move.
    """
    return -(-max(0, distance - reach) // speed) + 1


def side_of_gate(tiles: Iterable[Tile], row: int) -> str:
    """Return `north`, `south` or `gate`; on a side only when "completely out of it".

    Args:
        tiles: Squares of the character.
        row: Row of the Gate, from 0 in the north.
    """
    rows = {tile.row for tile in tiles}
    if all(at < row for at in rows):
        return "north"
    return "south" if all(at > row for at in rows) else "gate"


def respawn(defeated_in: int) -> tuple[int, int]:
    """Return the own turns in which a character defeated after turn t is idle, and acts again."""
    return defeated_in + 1, defeated_in + 2

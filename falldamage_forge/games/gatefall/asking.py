"""Questions of Gatefall by name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from falldamage_forge.board import Board, Tile
from falldamage_forge.games.flat import layers_of
from falldamage_forge.games.gatefall import gate, points, squares
from falldamage_forge.games.gatefall.options import Options
from falldamage_forge.rules.questions import named

Turns = Annotated[int, range(41)]
Points = Annotated[int, range(101)]


def may_attack(
    board: Board,
    options: Options,
    attacker: Iterable[Tile],
    target: Iterable[Tile],
    reach: int,
    bases: Iterable[Tile] | None = None,
) -> bool:
    """Whether one on some squares may attack one on others: range, Bases, and walls as read.

    The Bases are the map's, or else its start tiles, unless others are named.
    """
    free = {tile for layer in layers_of(board, options.levels == "closed") for tile in layer}
    return squares.may_attack(
        attacker,
        target,
        reach,
        gate.base_tiles(board) if bases is None else frozenset(bases),
        options,
        free.__contains__,
    )


def side_of_gate(
    board: Board, options: Options, tiles: Iterable[Tile], row: int | None = None
) -> str:
    """On which side of the Gate one stands: "completely out of it on either side"."""
    if row is not None:
        return squares.side_of_gate(tiles, row)
    return _gate(board, options).side(tiles)


def the_gate(board: Board, options: Options) -> tuple[str, tuple[Tile, ...]]:
    """The Gate's row or column, and its squares."""
    found = _gate(board, options)
    return found.text, tuple(sorted(found.tiles))


def in_gate(board: Board, options: Options, tiles: Iterable[Tile]) -> bool:
    """Whether one has any square in the Gate."""
    return _gate(board, options).side(tiles) == "gate"


def base(board: Board, side: str) -> tuple[Tile, ...]:
    """The squares of a side's Base."""
    known = gate.bases(board)
    if side not in known:
        raise ValueError(f"one of {', '.join(known) or 'no sides'}, not `{side}`")
    return tuple(sorted(known[side]))


def _gate(board: Board, options: Options) -> gate.Gate:
    found = gate.gate_of(board, options)
    if found is None:
        raise ValueError("there is no Gate on this board under the option `gate`")
    return found


def totals(deck: tuple[int, ...], turns: Turns, shuffle: str = "lazy") -> dict[int, points.Chance]:
    """Chance of each total of Action Points over the first turns, which depend on each other."""
    return points.totals(points.checked(deck), turns, shuffle)


def action_points(deck: tuple[int, ...]) -> dict[int, points.Chance]:
    """Chance of each number of Action Points in a turn with a fresh deck."""
    return points.action_points(points.checked(deck))


def mean_points(deck: tuple[int, ...]) -> points.Chance:
    """Mean Action Points of a turn: 5 times the mean card."""
    return points.mean_points(points.checked(deck))


def by_turn(
    need: Points, deck: tuple[int, ...], turns: Turns, shuffle: str = "lazy"
) -> tuple[points.Chance, ...]:
    """Chance of having had so many Action Points in all by the end of turn 1, 2, …"""
    return points.by_turn(need, points.checked(deck), turns, shuffle)


def turns_distribution(
    need: Points, deck: tuple[int, ...], shuffle: str = "lazy"
) -> dict[int, points.Chance]:
    """Chance of each number of turns in which so many Action Points are first there."""
    return points.turns_distribution(need, points.checked(deck), shuffle)


def likely_turns(
    need: Points, deck: tuple[int, ...], shuffle: str = "lazy", least: points.Chance = points.HALF
) -> int:
    """Fewest turns in which so many Action Points are there with at least a chance."""
    if not 0 <= least <= 1:
        raise ValueError("a chance is from 0 to 1")
    return points.likely_turns(need, points.checked(deck), shuffle, least)


QUESTIONS = named(
    (
        squares.count,
        squares.count_between,
        squares.closest,
        may_attack,
        squares.points_to_attack,
        gate.gate_row,
        the_gate,
        in_gate,
        base,
        side_of_gate,
        squares.respawn,
        action_points,
        mean_points,
        totals,
        by_turn,
        turns_distribution,
        likely_turns,
    )
)

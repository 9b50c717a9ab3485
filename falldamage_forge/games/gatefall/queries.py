"""Queries of Gatefall by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Annotated, Any

from falldamage_forge.board import Board, Tile
from falldamage_forge.games.flat_layers import layers_of
from falldamage_forge.games.gatefall import action_point_odds, gate, square_distance
from falldamage_forge.games.gatefall.options import GatefallOptions, Shuffle

Turns = Annotated[int, range(41)]
Points = Annotated[int, range(101)]


def may_attack(
    board: Board,
    options: GatefallOptions,
    attacker: Iterable[Tile],
    target: Iterable[Tile],
    reach: int,
    bases: Iterable[Tile] | None = None,
) -> bool:
    """True if a character may attack another: range, Bases, and walls by option.

    Args:
        board: The board.
        options: Options of the ruleset.
        attacker: Squares of the attacker.
        target: Squares of the target.
        reach: Range in squares.
        bases: Squares of all Bases; None: the map's.
    """
    free = {tile for layer in layers_of(board, options.levels == "closed") for tile in layer}
    return square_distance.may_attack(
        attacker,
        target,
        reach,
        gate.base_tiles(board) if bases is None else frozenset(bases),
        options,
        free.__contains__,
    )


def side_of_gate(
    board: Board, options: GatefallOptions, tiles: Iterable[Tile], row: int | None = None
) -> str:
    """Return the side of the Gate on which a character is: "completely out of it".

    Args:
        board: The board.
        options: Options of the ruleset.
        tiles: Squares of the character.
        row: Row of another Gate from 0; None: the map's Gate.

    Raises:
        ValueError: If the row is not on the board, or there is no Gate.
    """
    if row is not None:
        if row not in range(board.rows):
            raise ValueError(f"`row` is from 0 to {board.rows - 1}, not {row}")
        return square_distance.side_of_gate(tiles, row)
    return _gate(board, options).side(tiles)


def the_gate(board: Board, options: GatefallOptions) -> tuple[str, tuple[Tile, ...]]:
    """Return the Gate's row or column, and its squares.

    Args:
        board: Board of the map.
        options: Options of the ruleset.
    """
    found = _gate(board, options)
    return found.text, tuple(sorted(found.tiles))


def in_gate(board: Board, options: GatefallOptions, tiles: Iterable[Tile]) -> bool:
    """True if a character has any square in the Gate.

    Args:
        board: Board of the map.
        options: Options of the ruleset.
        tiles: Squares of the character.
    """
    return _gate(board, options).side(tiles) == "gate"


def base(board: Board, side: str) -> tuple[Tile, ...]:
    """Return the squares of a side's Base.

    Args:
        board: Board of the map.
        side: Name of the side.

    Raises:
        ValueError: If there is no such side.
    """
    known = gate.bases(board)
    if side not in known:
        raise ValueError(f"`side` is one of {', '.join(known) or 'no sides'}, not `{side}`")
    return tuple(sorted(known[side]))


def _gate(board: Board, options: GatefallOptions) -> gate.Gate:
    found = gate.gate_of(board, options)
    if found is None:
        raise ValueError("there is no Gate on this board under the option `gate`")
    return found


def totals(
    deck: tuple[int, ...], turns: Turns, shuffle: Shuffle = "lazy"
) -> dict[int, action_point_odds.Chance]:
    """Return the probability of each total of Action Points over the first, dependent turns.

    Args:
        deck: Action Points of each card of the deck.
        turns: Number of turns.
        shuffle: Time at which the deck is shuffled.
    """
    return action_point_odds.total_distribution(action_point_odds.check_deck(deck), turns, shuffle)


def action_points(deck: tuple[int, ...]) -> dict[int, action_point_odds.Chance]:
    """Return the probability of each number of Action Points in a turn with a fresh deck."""
    return action_point_odds.action_points(action_point_odds.check_deck(deck))


def mean_points(deck: tuple[int, ...]) -> action_point_odds.Chance:
    """Return the mean Action Points of a turn: 5 times the mean card."""
    return action_point_odds.mean_points(action_point_odds.check_deck(deck))


def by_turn(
    need: Points, deck: tuple[int, ...], turns: Turns, shuffle: Shuffle = "lazy"
) -> tuple[action_point_odds.Chance, ...]:
    """Return the probability of `need` Action Points in all by the end of each turn.

    Args:
        need: Action Points that are needed in all.
        deck: Action Points of each card of the deck.
        turns: Number of turns.
        shuffle: Time at which the deck is shuffled.
    """
    return action_point_odds.cumulative_distribution(
        need, action_point_odds.check_deck(deck), turns, shuffle
    )


def turns_distribution(
    need: Points, deck: tuple[int, ...], shuffle: Shuffle = "lazy"
) -> dict[int, action_point_odds.Chance]:
    """Return the probability of each number of turns until `need` points are reached.

    Args:
        need: Action Points that are needed in all.
        deck: Action Points of each card of the deck.
        shuffle: Time at which the deck is shuffled.
    """
    return action_point_odds.turns_distribution(need, action_point_odds.check_deck(deck), shuffle)


def likely_turns(
    need: Points,
    deck: tuple[int, ...],
    shuffle: Shuffle = "lazy",
    least: action_point_odds.Chance = action_point_odds.HALF,
) -> int:
    """Return the fewest turns in which `need` points are reached with a given probability.

    Args:
        need: Action Points that are needed in all.
        deck: Action Points of each card of the deck.
        shuffle: Time at which the deck is shuffled.
        least: Least probability.
    """
    if not 0 <= least <= 1:
        raise ValueError("`least` is a chance from 0 to 1")
    return action_point_odds.likely_turns(need, action_point_odds.check_deck(deck), shuffle, least)


QUESTIONS: dict[str, Callable[..., Any]] = {
    "count": square_distance.count,
    "count-between": square_distance.count_between,
    "closest": square_distance.closest,
    "may-attack": may_attack,
    "points-to-attack": square_distance.points_to_attack,
    "gate-row": gate.gate_row,
    "the-gate": the_gate,
    "in-gate": in_gate,
    "base": base,
    "side-of-gate": side_of_gate,
    "respawn": square_distance.respawn,
    "action-points": action_points,
    "mean-points": mean_points,
    "totals": totals,
    "by-turn": by_turn,
    "turns-distribution": turns_distribution,
    "likely-turns": likely_turns,
}
"""Queries by their names in `fdforge ask`."""

"""Symmetry of a board: is it its own image, and which sides change places?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from falldamage_forge.board import DIRECTIONS, Battlement, Board, Deck, Fitting, Tile, make_board
from falldamage_forge.board.grid import TURNS, turn, turned

Edged = TypeVar("Edged", Battlement, Fitting)
OPERATORS = TURNS
"""What a board can be symmetric under."""


def image(board: Board, operator: str) -> Board:
    """The board under an operator; quarter turns exchange its sides' lengths."""
    to = turn(operator, board.rows, board.cols)
    rows, cols = turned(operator, board.rows, board.cols)
    columns = {to(tile): board.column(tile) for tile in board.tiles()}
    return make_board(
        rows,
        cols,
        [columns[Tile(row, col)] for row in range(rows) for col in range(cols)],
        decks=[
            Deck.between(to(deck.a), to(deck.b), deck.level, arch=deck.arch) for deck in board.decks
        ],
        ladders=[replace(x, foot=to(x.foot), top=to(x.top)) for x in board.ladders],
        treasures=[replace(chest, tile=to(chest.tile)) for chest in board.treasures],
        starts=[
            replace(zone, surfaces=tuple(sorted((to(t), level) for t, level in zone.surfaces)))
            for zone in board.starts
        ],
        battlements=[_turned(crown, to) for crown in board.battlements],
        steps=[replace(step, tile=to(step.tile)) for step in board.steps],
        fittings=[_turned(fitting, to) for fitting in board.fittings],
    )


def _turned(thing: Edged, to: Callable[[Tile], Tile]) -> Edged:
    """What stands on a tile's sides at its image's place, its sides turned with it."""
    tile = to(thing.tile)
    beyond = {to(thing.tile.step(side)) for side in thing.sides}
    return replace(thing, tile=tile, sides=tuple(s for s in DIRECTIONS if tile.step(s) in beyond))


def differences(board: Board, operator: str) -> tuple[Tile, ...]:
    """Tiles at which the board and its image differ, apart from who starts where; sorted.

    Sides may change places: start zones are compared as a set of zones.
    """
    other = image(board, operator)
    if (other.rows, other.cols) != (board.rows, board.cols):
        return tuple(board.tiles())
    tiles = {tile for tile in board.tiles() if board.column(tile) != other.column(tile)}
    tiles |= {deck.a for deck in set(board.decks) ^ set(other.decks)}
    tiles |= {ladder.foot for ladder in set(board.ladders) ^ set(other.ladders)}
    tiles |= {crown.tile for crown in set(board.battlements) ^ set(other.battlements)}
    tiles |= {step.tile for step in set(board.steps) ^ set(other.steps)}
    tiles |= {chest.tile for chest in set(board.treasures) ^ set(other.treasures)}
    tiles |= {fitting.tile for fitting in _sideless(board) ^ _sideless(other)}
    zones = {frozenset(zone.surfaces) for zone in board.starts}
    for zone in zones ^ {frozenset(zone.surfaces) for zone in other.starts}:
        tiles |= {tile for tile, _ in zone if tile in board}
    return tuple(sorted(tiles))


def _sideless(board: Board) -> set[Fitting]:
    """The fittings of a board, whosever they are."""
    return {replace(x, name="") if x.kind == "base" else x for x in board.fittings}


def symmetries(board: Board) -> tuple[str, ...]:
    """The operators that leave the board as it is."""
    return tuple(name for name in OPERATORS if not differences(board, name))

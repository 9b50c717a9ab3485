"""Symmetry of a board: the transforms that leave it as it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from falldamage_forge.board import DIRECTIONS, Battlement, Board, Deck, Fitting, Tile, make_board
from falldamage_forge.board.coordinates import TURNS, transform_tile, transformed_size

Edged = TypeVar("Edged", Battlement, Fitting)
OPERATORS = TURNS
"""Transforms under which a board can be symmetric, rotations first."""
REFLECTIONS = ("mirror-x", "mirror-y")
"""Transforms that exchange left and right."""


def transform_board(board: Board, operator: str) -> Board:
    """Return the image of a board.

    Args:
        board: The board.
        operator: Key of `OPERATORS`; a quarter turn exchanges rows and columns.
    """
    to = transform_tile(operator, board.rows, board.cols)
    rows, cols = transformed_size(operator, board.rows, board.cols)
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
    """Return the image of an element on a tile's sides."""
    tile = to(thing.tile)
    beyond = {to(thing.tile.step(side)) for side in thing.sides}
    return replace(thing, tile=tile, sides=tuple(s for s in DIRECTIONS if tile.step(s) in beyond))


def asymmetric_tiles(board: Board, operator: str) -> tuple[Tile, ...]:
    """Return the tiles at which a board differs from its image, sorted.

    Sides may change places: start zones are compared as a set, and the names of bases are ignored.

    Args:
        board: The board.
        operator: Key of `OPERATORS`.

    Returns:
        All tiles if the image has other dimensions.
    """
    other = transform_board(board, operator)
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
    """Return the fittings of a board, without the side of each base."""
    return {replace(x, name="") if x.kind == "base" else x for x in board.fittings}


def symmetries(board: Board) -> tuple[str, ...]:
    """Return the names of the transforms that leave a board as it is."""
    return tuple(name for name in OPERATORS if not asymmetric_tiles(board, name))


def side_exchange(board: Board) -> str:
    """Return the name of a transform that exchanges the two sides of a board; empty if none does.

    A rotation comes before a mirror: it proves more, see `rules.side_exchange`.
    """
    zones = {zone.side: frozenset(zone.surfaces) for zone in board.starts}
    if len(zones) != 2:
        return ""
    one, other = zones.values()
    for name in symmetries(board):
        images = transform_board(board, name).starts
        if frozenset(images[0].surfaces) == (other if images[0].side == next(iter(zones)) else one):
            return name
    return ""

"""Symmetry of a board: the transforms that leave it as it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from falldamage_forge.board.board_model import LISTS, Board, Fitting, Item, make_board
from falldamage_forge.board.coordinates import TURNS, Tile, transform_tile, transformed_size

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
        starts=[zone.moved(to) for zone in board.starts],
        **board.moved(to),
    )


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
    for name in LISTS:
        own, image = set(_sideless(board.items(name))), set(_sideless(other.items(name)))
        tiles |= {x.ends[0] for x in own ^ image}
    zones = {frozenset(zone.surfaces) for zone in board.starts}
    for zone in zones ^ {frozenset(zone.surfaces) for zone in other.starts}:
        tiles |= {tile for tile, _ in zone if tile in board}
    return tuple(sorted(tiles))


def _sideless(items: Iterable[Item]) -> Iterator[Item]:
    """Yield items without the side that a base names."""
    for x in items:
        named = isinstance(x, Fitting) and x.kind == "base"
        yield replace(x, name="") if isinstance(x, Fitting) and named else x


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

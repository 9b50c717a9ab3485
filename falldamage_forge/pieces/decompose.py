"""Columns to blocks: every level of every column filled exactly once, every block supported."""

from __future__ import annotations

from collections.abc import Iterable

from falldamage_forge.board import Board, Tile
from falldamage_forge.pieces.model import Piece, Placement, turn_footprint


def orientations(piece: Piece) -> tuple[tuple[int, tuple[tuple[int, int], ...]], ...]:
    """Quarter turns that give different footprints, each with its offsets."""
    found: dict[tuple[tuple[int, int], ...], int] = {}
    for turns in range(4):
        found.setdefault(turn_footprint(piece.footprint, turns), turns)
    return tuple((turns, footprint) for footprint, turns in found.items())


def decompose_greedy(board: Board, blocks: Iterable[Piece]) -> tuple[Placement, ...]:
    """Blocks that fill the columns, largest first, from the north-west and the ground up.

    A block is only laid where all its tiles are filled to the same level, so it stands on base or
    on blocks everywhere. Needs a 1x1x1 block to be able to fill any board.
    """
    height = {tile: board.column(tile).level for tile in board.tiles()}
    filled = dict.fromkeys(height, 0)
    choices = [
        (piece, turns, footprint)
        for piece in sorted(blocks, key=lambda p: (-len(p.footprint) * p.levels, p.key))
        for turns, footprint in orientations(piece)
    ]
    laid: list[Placement] = []
    for level in range(max(height.values(), default=0)):
        for piece, turns, footprint in choices:
            for tile in height:
                cells = [Tile(tile.row + row, tile.col + col) for row, col in footprint]
                if all(
                    filled.get(cell) == level and height[cell] >= level + piece.levels
                    for cell in cells
                ):
                    laid.append(Placement(piece, tile, level, turns))
                    filled.update(dict.fromkeys(cells, level + piece.levels))
    if filled != height:
        raise ValueError("the catalogue has no block small enough for this board")
    return tuple(laid)

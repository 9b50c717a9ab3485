"""Greedy cover of columns by blocks: largest first, every block on the base or on blocks.

It bounds the exact search from above, and answers where that search would take too long. Without a
solver the cheapest of several greedy covers answers, each with another order of blocks and tiles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import product
from typing import NamedTuple

from falldamage_forge.board import Tile
from falldamage_forge.pieces.block_candidates import Heights, orientations
from falldamage_forge.pieces.piece import Piece, Placement


class GreedyOrder(NamedTuple):
    """Sort keys of a greedy cover: blocks to try first, and tiles to fill first."""

    blocks: Callable[[Piece], tuple[float, ...]]
    tiles: Callable[[Tile], tuple[int, int]]


def _voxels(block: Piece) -> int:
    return len(block.footprint) * block.levels


LARGEST = GreedyOrder(lambda block: (-_voxels(block),), lambda tile: (0, 0))
"""Largest blocks first, tiles as they are given: row by row."""


def greedy_orders(costs: Mapping[str, float]) -> list[GreedyOrder]:
    """Return the orders that are tried for blocks of some costs, `LARGEST` first."""
    blocks = (
        LARGEST.blocks,
        lambda block: (costs[block.key] / _voxels(block),),
        lambda block: (-len(block.footprint), -block.levels),
        lambda block: (-block.levels, -len(block.footprint)),
    )
    tiles = (
        LARGEST.tiles,
        lambda tile: (-tile.row, -tile.col),
        lambda tile: (tile.col, tile.row),
        lambda tile: (-tile.col, -tile.row),
    )
    return [GreedyOrder(*both) for both in product(blocks, tiles)]


def greedy_cover(
    heights: Heights,
    blocks: Iterable[Piece],
    owned: Mapping[str, int],
    order: GreedyOrder = LARGEST,
) -> tuple[Placement, ...]:
    """Return blocks that fill the columns: owned ones first, from the ground up.

    A block is only laid where all its tiles are filled to the same level, so it rests everywhere on
    the base or on blocks.

    Args:
        heights: Levels to fill by tile.
        blocks: Pieces to use; a 1x1x1 block guarantees an answer.
        owned: Parts at hand by key.
        order: Order of blocks and of tiles.

    Raises:
        ValueError: If no block is small enough for a gap.
    """
    filled = dict.fromkeys(heights, 0)
    remaining = dict(owned)
    choices = [
        (piece, turns, footprint)
        for piece in sorted(blocks, key=lambda p: (*order.blocks(p), p.key))
        for turns, footprint in orientations(piece.footprint)
    ]
    tiles = sorted(heights, key=order.tiles)
    laid: list[Placement] = []
    for level in range(max(heights.values(), default=0)):
        higher = [tile for tile in tiles if heights[tile] > level]
        for stocked in (True, False):
            for piece, turns, footprint in choices:
                for tile in higher:
                    if stocked and remaining.get(piece.key, 0) <= 0:
                        break
                    if filled[tile] != level:
                        continue
                    # The footprint's first offset may lie east of its north-west corner.
                    corner = Tile(tile.row, tile.col - footprint[0][1])
                    cells = [Tile(corner.row + row, corner.col + col) for row, col in footprint]
                    if all(
                        filled.get(cell) == level and heights[cell] >= level + piece.levels
                        for cell in cells
                    ):
                        laid.append(Placement(piece, corner, level, turns))
                        filled.update(dict.fromkeys(cells, level + piece.levels))
                        remaining[piece.key] = remaining.get(piece.key, 0) - 1
    if filled != dict(heights):
        raise ValueError("the catalogue has no block small enough for this board")
    return tuple(laid)

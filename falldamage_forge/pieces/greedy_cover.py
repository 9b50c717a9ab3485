"""Greedy cover of columns by blocks: largest first, every block on the base or on blocks.

It bounds the exact search from above, and answers where that search would take too long.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from falldamage_forge.board import Tile
from falldamage_forge.pieces.block_candidates import Heights, orientations
from falldamage_forge.pieces.piece import Piece, Placement


def greedy_cover(
    heights: Heights, blocks: Iterable[Piece], owned: Mapping[str, int]
) -> tuple[Placement, ...]:
    """Return blocks that fill the columns: owned ones first, largest first, from the ground up.

    A block is only laid where all its tiles are filled to the same level, so it rests everywhere on
    the base or on blocks.

    Args:
        heights: Levels to fill by tile.
        blocks: Pieces to use; a 1x1x1 block guarantees an answer.
        owned: Parts at hand by key.

    Raises:
        ValueError: If no block is small enough for a gap.
    """
    filled = dict.fromkeys(heights, 0)
    remaining = dict(owned)
    choices = [
        (piece, turns, footprint)
        for piece in sorted(blocks, key=lambda p: (-len(p.footprint) * p.levels, p.key))
        for turns, footprint in orientations(piece.footprint)
    ]
    laid: list[Placement] = []
    for level in range(max(heights.values(), default=0)):
        higher = [tile for tile in heights if heights[tile] > level]
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

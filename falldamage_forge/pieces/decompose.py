"""Columns to blocks, the quick way: largest first, every block on base or on blocks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from falldamage_forge.board import Tile
from falldamage_forge.pieces.model import Piece, Placement
from falldamage_forge.pieces.spots import Heights, orientations


def greedy_cover(
    heights: Heights, blocks: Iterable[Piece], owned: Mapping[str, int]
) -> tuple[Placement, ...]:
    """Blocks that fill the columns: owned ones first, largest first, from the ground up.

    A block is only laid where all its tiles are filled to the same level, so it stands on base or
    on blocks everywhere. Needs a 1x1x1 block to be able to fill anything; ValueError without.
    """
    filled = dict.fromkeys(heights, 0)
    left = dict(owned)
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
                    if stocked and left.get(piece.key, 0) <= 0:
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
                        left[piece.key] = left.get(piece.key, 0) - 1
    if filled != dict(heights):
        raise ValueError("the catalogue has no block small enough for this board")
    return tuple(laid)

"""Block candidates: the columns of a board as voxels, and every block that fits into them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from falldamage_forge.board import Board, Tile
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.pieces.piece import Piece, Placement, turn_footprint

Heights = Mapping[Tile, int]
"""Levels to fill over each tile; tiles without any are left out."""
Footprint = tuple[tuple[int, int], ...]


def heights_of(board: Board) -> dict[Tile, int]:
    """Return the level up to which blocks fill each tile, if it is above 0, row by row."""
    return {tile: level for tile in board.tiles() if (level := board.built_level(tile))}


@cache
def orientations(footprint: Footprint) -> tuple[tuple[int, Footprint], ...]:
    """Return the quarter turns that give different footprints, each with its offsets.

    Args:
        footprint: (row, col) offsets of the tiles, from the north-west one.

    Returns:
        (clockwise quarter turns, turned footprint) of each, fewest turns first.
    """
    turns_by_footprint: dict[Footprint, int] = {}
    for turns in range(4):
        turns_by_footprint.setdefault(turn_footprint(footprint, turns), turns)
    return tuple((turns, turned) for turned, turns in turns_by_footprint.items())


@dataclass(frozen=True, slots=True)
class BlockCandidates:
    """All possible uses of blocks: `laid[i]` fills the voxels `voxels[i]`, numbered from 0."""

    laid: tuple[Placement, ...]
    voxels: tuple[tuple[int, ...], ...]
    numbers: Mapping[tuple[Tile, int], int]
    """Voxel number by (tile, level)."""


def count_spots(heights: Heights, blocks: Iterable[Piece]) -> int:
    """Return the number of candidates that `find_spots` would return, without building them.

    Args:
        heights: Levels by tile.
        blocks: Blocks that may be used.
    """
    return sum(least - block.levels + 1 for block, _, _, _, least in _fits(heights, blocks))


def _fits(
    heights: Heights, blocks: Iterable[Piece]
) -> Iterator[tuple[Piece, int, Tile, list[Tile], int]]:
    """Yield (block, turns, tile, its tiles, their least height) of all that fits anywhere."""
    for block in blocks:
        for turns, footprint in orientations(block.footprint):
            for tile in heights:
                # The footprint's first offset may lie east of its north-west corner.
                corner = Tile(tile.row, tile.col - footprint[0][1])
                tiles = [Tile(corner.row + row, corner.col + col) for row, col in footprint]
                least = min(heights.get(each, 0) for each in tiles)
                if least >= block.levels:
                    yield block, turns, corner, tiles, least


def find_spots(heights: Heights, blocks: Sequence[Piece]) -> BlockCandidates:
    """Return every block, turn, tile and level that lies inside the columns.

    Args:
        heights: Levels by tile.
        blocks: Blocks that may be used.
    """
    numbers: dict[tuple[Tile, int], int] = {}
    for tile, height in heights.items():
        for level in range(height):
            numbers[tile, level] = len(numbers)
    laid: list[Placement] = []
    voxels: list[tuple[int, ...]] = []
    for block, turns, corner, tiles, least in _fits(heights, blocks):
        for level in range(least - block.levels + 1):
            laid.append(Placement(block, corner, level, turns))
            voxels.append(
                tuple(numbers[t, level + up] for t in tiles for up in range(block.levels))
            )
    return BlockCandidates(tuple(laid), tuple(voxels), numbers)


def check_cover(heights: Heights, laid: Iterable[Placement]) -> None:
    """Check that blocks fill every voxel once and rest on the base or on blocks.

    The check is independent of the search: it lays blocks from the ground up, each only where all
    its tiles are filled to the same level.

    Args:
        heights: Levels by tile.
        laid: Blocks at their places.

    Raises:
        ValueError: If a block floats, overlaps or sticks out, or if the columns are not full.
    """
    filled = dict.fromkeys(heights, 0)
    for placement in sorted(laid, key=lambda p: (p.level, p.tile)):
        for tile in placement.tiles():
            if filled.get(tile) != placement.level:
                raise ValueError(f"{placement.piece.key} at {tile} floats, overlaps or sticks out")
            filled[tile] += placement.piece.levels
    if filled != dict(heights):
        raise ValueError("the blocks do not fill the columns")

"""Lost corners of ruins: those of a top by its variant, and where a board may lose them.

A top is broken at *sites*: corners of its outline, and points between two tiles of one side. A tile
keeps the circle of a round base, its keyholes and the middles of its edges, so only what stands on
the tile itself forbids a break there.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import cache

from falldamage_forge.board import DIRECTIONS, Tile
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.pieces.piece import Piece, Placement, turn_cells

WHOLE: Mapping[str, int] = {"block": 4}
"""Variants of a family with whole tops; the next ones are those with broken tops."""
CORNERS: tuple[tuple[int, int], ...] = ((0, 1), (1, 2), (2, 3), (3, 0))
"""The two sides at each corner of a tile: north-east, then clockwise."""

Cell = tuple[int, int]
Corner = tuple[Cell, int]
"""A (row, col) cell and one of its corners, by its index in `CORNERS`."""
Site = tuple[Corner, ...]
"""The one corner, or the two corners of neighbouring cells, that are lost together."""


def whole_variants(piece: Piece) -> int:
    """Return the number of a piece's variants with whole tops."""
    return min(WHOLE.get(piece.family, piece.variants), piece.variants)


@cache
def sites(footprint: tuple[Cell, ...]) -> tuple[Site, ...]:
    """Return the sites of a footprint, clockwise from its north-eastern corner."""
    cells = set(footprint)
    start = (min(footprint, key=lambda cell: (cell[0], -cell[1])), 0)
    found: list[Site] = []
    cell, side = start
    while not found or (cell, side) != start:
        # Clockwise along a rim edge to the corner at its end: north's is the north-eastern one.
        row, col = DIRECTIONS[(side + 1) % 4]
        ahead = (cell[0] + row, cell[1] + col)
        out = (ahead[0] + DIRECTIONS[side][0], ahead[1] + DIRECTIONS[side][1])
        if ahead not in cells:
            found.append(((cell, side),))
            side = (side + 1) % 4
        elif out in cells:
            cell, side = out, (side - 1) % 4
        else:
            found.append(((cell, side), (ahead, (side - 1) % 4)))
            cell = ahead
    return tuple(found)


@cache
def broken_sites(footprint: tuple[Cell, ...], variant: int) -> tuple[Site, ...]:
    """Return the sites at which a block of a variant is broken; none for those with whole tops.

    Args:
        footprint: Cells (row, col) of the block.
        variant: Number of the block's variant.
    """
    number, every = variant - WHOLE["block"], sites(footprint)
    if number < 0:
        return ()
    count = len(every)
    chosen = (
        every[: max(1, count // 4)],
        every[: count // 2],
        every[::2],
        every[: count * 3 // 4],
    )
    return chosen[number % len(chosen)]


@dataclass(frozen=True, slots=True)
class BoardTops:
    """Tops of a board's blocks: levels by tile, and the (tile, level) that carry something."""

    levels: Mapping[Tile, int]
    carrying: frozenset[tuple[Tile, int]]

    @staticmethod
    def of(placements: Sequence[Placement]) -> BoardTops:
        """Return the tops of all placements of a board."""
        levels: dict[Tile, int] = {}
        for one in placements:
            if one.piece.family in WHOLE:
                for tile in one.tiles():
                    levels[tile] = max(levels.get(tile, 0), one.level + one.piece.levels)
        carrying = ((tile, one.level) for one in placements for tile in one.tiles())
        return BoardTops(levels, frozenset(carrying))

    def is_free(self, tile: Tile, level: int, corner: int, own: Collection[Tile]) -> bool:
        """True if a tile's corner carries nothing and has a drop on both sides, but for its own.

        Args:
            tile: Tile of the top.
            level: Level of the top.
            corner: Index of the corner in `CORNERS`.
            own: Tiles of the part itself.
        """
        if (tile, level) in self.carrying:
            return False
        beside = (
            Tile(tile.row + DIRECTIONS[side][0], tile.col + DIRECTIONS[side][1])
            for side in CORNERS[corner]
        )
        return all(near in own or self.levels.get(near, 0) < level for near in beside)


def broken_choices(placement: Placement, tops: BoardTops, most: int) -> list[tuple[int, int]]:
    """Return (variant, quarter turns) in which a block is broken at free corners alone.

    Args:
        placement: Placement of a block.
        tops: Tops of its board.
        most: Largest number of variants to use of a piece.
    """
    piece, own = placement.piece, placement.tiles()
    if piece.family not in WHOLE:
        return []
    level, found = placement.level + piece.levels, []
    for turns in range(4):
        if replace(placement, quarter_turns=turns).tiles() != own:
            continue
        at = dict(zip(piece.footprint, turn_cells(piece.footprint, turns), strict=True))
        for number in range(whole_variants(piece), min(piece.variants, most)):
            lost = (corner for site in broken_sites(piece.footprint, number) for corner in site)
            if all(
                tops.is_free(_moved(placement.tile, at[cell]), level, (corner + turns) % 4, own)
                for cell, corner in lost
            ):
                found.append((number, turns))
    return found


def _moved(tile: Tile, offset: Cell) -> Tile:
    return Tile(tile.row + offset[0], tile.col + offset[1])

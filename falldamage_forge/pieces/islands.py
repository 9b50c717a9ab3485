"""Islands of columns that touch no others, and their form up to moving and turning."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from falldamage_forge.board import DIRECTIONS, Tile
from falldamage_forge.pieces.model import Piece, Placement, turn_footprint
from falldamage_forge.pieces.spots import orientations

Heights = Mapping[Tile, int]
Form = tuple[tuple[Tile, int], ...]
"""Sorted (tile, height) pairs of an island whose box begins at A1."""


def islands(heights: Heights) -> Iterator[dict[Tile, int]]:
    """Columns connected over tiles' sides, each island sorted, the north-west one first."""
    left = set(heights)
    for tile in sorted(heights):
        if tile not in left:
            continue
        found, edge = {tile}, [tile]
        while edge:
            here = edge.pop()
            for offset in DIRECTIONS:
                near = here.step(offset)
                if near in left and near not in found:
                    found.add(near)
                    edge.append(near)
        left -= found
        yield {each: heights[each] for each in sorted(found)}


@dataclass(frozen=True, slots=True)
class Turn:
    """How an island came from its normal form: turned clockwise in a box, then moved.

    `rows` and `cols` are those of the form's box before turning; `corner` is the island's.
    """

    quarter_turns: int
    rows: int
    cols: int
    corner: Tile

    def back(self, placement: Placement) -> Placement:
        """A placement in the form as one in the island."""
        rows, cols = self.rows, self.cols
        tiles = placement.tiles()
        for _ in range(self.quarter_turns):
            tiles = tuple(Tile(tile.col, rows - 1 - tile.row) for tile in tiles)
            rows, cols = cols, rows
        corner = Tile(
            min(tile.row for tile in tiles) + self.corner.row,
            min(tile.col for tile in tiles) + self.corner.col,
        )
        turns = _least_turns(placement.piece, placement.quarter_turns + self.quarter_turns)
        return Placement(placement.piece, corner, placement.level, turns)


def _least_turns(piece: Piece, turns: int) -> int:
    """The fewest turns that give the same footprint, as every other placement is written."""
    turned = turn_footprint(piece.footprint, turns)
    return next(least for least, footprint in orientations(piece.footprint) if footprint == turned)


def normal_form(island: Heights) -> tuple[Form, Turn]:
    """The least of the island's four turns, and how to come back from it."""
    corner = Tile(min(tile.row for tile in island), min(tile.col for tile in island))
    rows = max(tile.row for tile in island) - corner.row + 1
    cols = max(tile.col for tile in island) - corner.col + 1
    now = {(t.row - corner.row, t.col - corner.col): height for t, height in island.items()}
    found: list[tuple[tuple[tuple[tuple[int, int], int], ...], int, int, int]] = []
    for turns in range(4):
        found.append((tuple(sorted(now.items())), (4 - turns) % 4, rows, cols))
        now = {(col, rows - 1 - row): height for (row, col), height in now.items()}
        rows, cols = cols, rows
    form, turns, rows, cols = min(found)
    tiles = tuple((Tile(*place), height) for place, height in form)
    return tiles, Turn(turns, rows, cols, corner)

"""Connected components of columns, and their normal form under translation and rotation.

`exact_cover` solves each component alone, and equal components only once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from falldamage_forge.board import DIRECTIONS, Tile
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.pieces.block_candidates import orientations
from falldamage_forge.pieces.piece import Piece, Placement, turn_footprint

Heights = Mapping[Tile, int]
Form = tuple[tuple[Tile, int], ...]
"""Sorted (tile, height) pairs of a component whose bounding box begins at A1."""


def islands(heights: Heights) -> Iterator[dict[Tile, int]]:
    """Yield the components connected over tile sides, each sorted, the north-west one first."""
    remaining = set(heights)
    for tile in sorted(heights):
        if tile not in remaining:
            continue
        component, frontier = {tile}, [tile]
        while frontier:
            here = frontier.pop()
            for offset in DIRECTIONS:
                near = here.step(offset)
                if near in remaining and near not in component:
                    component.add(near)
                    frontier.append(near)
        remaining -= component
        yield {each: heights[each] for each in sorted(component)}


@dataclass(frozen=True, slots=True)
class NormalizingTransform:
    """Transform from a normal form back to its component: clockwise turns in a box, then a shift.

    `rows` and `cols` are those of the form's box before turning; `corner` is the north-west tile of
    the component's box.
    """

    quarter_turns: int
    rows: int
    cols: int
    corner: Tile

    def back(self, placement: Placement) -> Placement:
        """Return a placement in the normal form as a placement in the component."""
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
    """Return the fewest turns that give the same footprint, as in every other placement."""
    turned = turn_footprint(piece.footprint, turns)
    return next(least for least, footprint in orientations(piece.footprint) if footprint == turned)


def normal_form(island: Heights) -> tuple[Form, NormalizingTransform]:
    """Return the least of the component's four turns, and the transform back from it."""
    corner = Tile(min(tile.row for tile in island), min(tile.col for tile in island))
    rows = max(tile.row for tile in island) - corner.row + 1
    cols = max(tile.col for tile in island) - corner.col + 1
    turned = {(t.row - corner.row, t.col - corner.col): height for t, height in island.items()}
    candidates: list[tuple[tuple[tuple[tuple[int, int], int], ...], int, int, int]] = []
    for turns in range(4):
        candidates.append((tuple(sorted(turned.items())), (4 - turns) % 4, rows, cols))
        turned = {(col, rows - 1 - row): height for (row, col), height in turned.items()}
        rows, cols = cols, rows
    form, turns, rows, cols = min(candidates)
    tiles = tuple((Tile(*place), height) for place, height in form)
    return tiles, NormalizingTransform(turns, rows, cols, corner)

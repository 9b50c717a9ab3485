"""Pieces and placements: the words that catalogue, plan, geometry, printing and export share."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from falldamage_forge.board import Tile
from falldamage_forge.lengths import GRID, Grid
from falldamage_forge.values import dataclass

Pose = Literal["upright", "upside-down", "on-front"]
"""How a piece lies on the printer's bed, seen from how it stands on the table."""

Value = int | float | str | bool


@dataclass(frozen=True, slots=True)
class Piece:
    """One unique printable design. `key` is its name in every list and its file name.

    `builder` names a registered geometry function and `params` are its arguments, sorted by name.
    `footprint` are the (row, col) offsets of the tiles covered, from the north-west one, at zero
    quarter turns; empty for pieces that stand beside or on a tile without covering it.
    `levels` is the height of what it adds to the board; `group` is the material/colour group.
    It comes in so many `variants`, which mate alike and look different; this one is `variant`.
    `grid` is the size of the tiles and levels it is made for; another than ours is part of its key.
    """

    key: str
    family: str
    title: str
    builder: str
    params: tuple[tuple[str, Value], ...] = ()
    footprint: tuple[tuple[int, int], ...] = ((0, 0),)
    levels: int = 0
    pose: Pose = "upright"
    group: str = "stone"
    variants: int = 1
    variant: int = 0
    grid: Grid = GRID

    def __getitem__(self, name: str) -> Value:
        """The value of a parameter; KeyError for an unknown name."""
        return dict(self.params)[name]

    @property
    def name(self) -> str:
        """The key without size and variant of a piece for other tiles: what tables call it."""
        return self.key.partition(SIZED)[0]

    def on(self, grid: Grid) -> Piece:
        """The same design for tiles and levels of a size: `block-1x1x1@25.4`."""
        if grid == self.grid:
            return self
        suffix = size_suffix(grid)
        key = f"{self.name}{suffix}"
        title = f"{self.title}, {suffix.removeprefix(SIZED)} mm" if suffix else self.title
        return replace(self, key=key, title=title, grid=grid)


SIZED = "@"
"""Between a key and the size of tiles, where that is not ours."""


def size_suffix(grid: Grid) -> str:
    """What the key of a piece ends in: `@25.4`, `@25.4x12.72` where levels are no cubes."""
    if grid == GRID:
        return ""
    tile = f"{SIZED}{grid.pitch_mm:g}"
    cube = abs(grid.rise_mm - grid.pitch_mm) < CUBE_MM
    return tile if cube else f"{tile}x{grid.rise_mm:g}"


CUBE_MM = 0.125
"""Levels that differ from tiles by no more than half a layer are as high as they are wide."""


@dataclass(frozen=True, slots=True)
class Placement:
    """One use of a piece: its north-west tile, the level its bottom stands on, clockwise turns.

    `raised_mm` is how far above its level it stands: on water, on lava, on a start's marker.
    After turning, the footprint is shifted so that its north-west corner lies at `tile` again.
    """

    piece: Piece
    tile: Tile
    level: int
    quarter_turns: int = 0
    raised_mm: float = 0.0

    def tiles(self) -> tuple[Tile, ...]:
        """The tiles covered, sorted."""
        offsets = turn_footprint(self.piece.footprint, self.quarter_turns)
        return tuple(Tile(self.tile.row + row, self.tile.col + col) for row, col in offsets)


def turn_footprint(
    footprint: tuple[tuple[int, int], ...], quarter_turns: int
) -> tuple[tuple[int, int], ...]:
    """Offsets after clockwise quarter turns seen from above, north-west corner back at (0, 0)."""
    for _ in range(quarter_turns % 4):
        depth = max((row for row, _ in footprint), default=0)
        footprint = tuple((col, depth - row) for row, col in footprint)
    if not footprint:
        return ()
    top = min(row for row, _ in footprint)
    left = min(col for _, col in footprint)
    return tuple(sorted((row - top, col - left) for row, col in footprint))

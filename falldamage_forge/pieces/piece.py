"""Pieces and placements: the types that catalogue, plan, geometry, printing and export share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from falldamage_forge.board import Tile
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.lengths import GRID, IN_BLOCKS, PrintGrid

Pose = Literal["upright", "upside-down", "on-front", "on-back"]
"""Orientation of a piece on the printer's bed, relative to its orientation on the table."""

Value = int | float | str | bool

MAX_VARIANTS = 11
"""Greatest number of variants of a piece."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One unique printable design. `key` is its name in every list and its file name.

    `builder` names a registered geometry function and `params` are its arguments, sorted by name.
    `footprint` holds the (row, col) offsets of the tiles covered, from the north-west one, at zero
    quarter turns; it is empty for pieces that stand beside or on a tile without covering it.
    `levels` is the height that the piece adds to the board; `group` is the material or colour
    group. A design has `variants` variants, which mate alike and look different; this piece is
    number `variant`. `grid` is the size of tiles and levels in mm; a grid other than the default is
    part of the key.
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
    grid: PrintGrid = GRID

    def __getitem__(self, name: str) -> Value:
        """Return the value of a parameter; KeyError if the name is unknown."""
        return dict(self.params)[name]

    @property
    def name(self) -> str:
        """Plain name in tables: the key without the suffixes of size and variant."""
        return self.key.partition(SIZED)[0]

    def on(self, grid: PrintGrid) -> Piece:
        """Return the same design for another grid, with a key such as `block-1x1x1@25.4`."""
        if grid == self.grid:
            return self
        suffix = size_suffix(grid)
        key = f"{self.name}{self._held}{suffix}"
        title = f"{self.title}, {suffix.removeprefix(SIZED)} mm" if suffix else self.title
        return replace(self, key=key, title=title, grid=grid)

    @property
    def magnets(self) -> str:
        """Name of the size of the magnets that it holds, such as `6x2`; empty for none."""
        return str(dict(self.params).get(MAGNET_PARAM, ""))

    @property
    def _held(self) -> str:
        """Addition of its magnets to its key; empty without."""
        return f"{MAGNETIC}{self.magnets}" if self.magnets else ""

    @property
    def edge_magnets(self) -> int:
        """Number of magnets in its edges, which join the base."""
        return MAGNETS_IN.get(self.builder, 0) if self.magnets else 0

    @property
    def lying_magnets(self) -> int:
        """Number of magnets under its studs and at its feet, which hold blocks."""
        if not self.magnets.endswith(IN_BLOCKS):
            return 0
        return len(self.footprint) * IN_TILES.get(self.builder, 0)

    def holding(self, magnets: str) -> Piece:
        """Return the same part for magnets, with a key such as `quadrant@magnets-6x2`.

        A part that would hold none is returned as it is.

        Args:
            magnets: Name of the magnets, such as `6x2` or `6x2-blocks`.
        """
        params = tuple(sorted((*self.params, (MAGNET_PARAM, magnets))))
        size = magnets.removesuffix(IN_BLOCKS)
        held = replace(self, params=params, title=f"{self.title}, for magnets {size}")
        if not held.edge_magnets + held.lying_magnets:
            return self
        key = f"{self.name}{held._held}{self.key.removeprefix(self.name)}"
        return replace(held, key=key)


SIZED = "@"
"""Separator between a name and the tile size, for grids other than the default."""
MAGNET_PARAM = "magnets"
"""Parameter of a part of the base that holds magnets: the name of their size."""
MAGNETIC = f"{SIZED}{MAGNET_PARAM}-"
"""Separator between the name of such a part and the size of the magnets, in its key."""
MAGNETS_IN: Mapping[str, int] = {"quadrant": 8, "rim-strip": 2}
"""Magnets in the edges of a part of the base by its builder: two in each that meets others."""
IN_TILES: Mapping[str, int] = {"quadrant": 1, "block": 2}
"""Magnets in each tile of a part by its builder, where magnets hold blocks: under a stud, and at a
block's foot."""


def size_suffix(grid: PrintGrid) -> str:
    """Return the suffix of keys on a grid: `@25.4`, or `@25.4x12.72` if levels are not cubes."""
    if grid == GRID:
        return ""
    tile = f"{SIZED}{grid.pitch_mm:g}"
    cube = abs(grid.rise_mm - grid.pitch_mm) < CUBE_MM
    return tile if cube else f"{tile}x{grid.rise_mm:g}"


CUBE_MM = 0.125
"""A level whose rise differs from the pitch by at most half a layer counts as a cube."""


@dataclass(frozen=True, slots=True)
class Placement:
    """One use of a piece: its north-west tile, the level of its bottom, clockwise quarter turns.

    `raised_mm` is its height above that level, for a piece on water, lava or a start marker. After
    turning, the footprint is shifted so that its north-west corner lies at `tile` again.
    """

    piece: Piece
    tile: Tile
    level: int
    quarter_turns: int = 0
    raised_mm: float = 0.0

    def tiles(self) -> tuple[Tile, ...]:
        """Return the tiles covered, sorted."""
        offsets = turn_footprint(self.piece.footprint, self.quarter_turns)
        return tuple(Tile(self.tile.row + row, self.tile.col + col) for row, col in offsets)

    @property
    def described(self) -> str:
        """Name and place in messages: `tree at E5, level 0`."""
        return f"{self.piece.key} at {self.tile}, level {self.level}"


def turn_footprint(
    footprint: tuple[tuple[int, int], ...], quarter_turns: int
) -> tuple[tuple[int, int], ...]:
    """Return offsets after clockwise quarter turns seen from above, with the corner at (0, 0).

    Args:
        footprint: Offsets (row, col) from the corner at (0, 0).
        quarter_turns: Number of quarter turns.
    """
    return tuple(sorted(turn_cells(footprint, quarter_turns)))


def turn_cells(
    footprint: tuple[tuple[int, int], ...], quarter_turns: int
) -> tuple[tuple[int, int], ...]:
    """Return where each cell lies after the turns of `turn_footprint`, in the cells' order.

    Args:
        footprint: Offsets (row, col) from the corner at (0, 0).
        quarter_turns: Number of quarter turns.
    """
    for _ in range(quarter_turns % 4):
        depth = max((row for row, _ in footprint), default=0)
        footprint = tuple((col, depth - row) for row, col in footprint)
    top = min((row for row, _ in footprint), default=0)
    left = min((col for _, col in footprint), default=0)
    return tuple((row - top, col - left) for row, col in footprint)

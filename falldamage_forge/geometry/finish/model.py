"""The words of finishes: stones on a wall, grooves on a top, and where either may lie.

All lengths in mm. A wall is drawn unrolled: u runs along it, counter-clockwise seen from above, and
v up. A top is drawn about the middle of its tile, x east and y north.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from falldamage_forge.lengths import GRID, Grid

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

Point = tuple[float, float]
Outline = tuple[Point, ...]
"""Counter-clockwise, without the closing point."""


@dataclass(frozen=True, slots=True)
class Run:
    """The foot of a wall: its corners, counter-clockwise, with the wall's inside on the left.

    `grid` is the size of the tiles and levels that it is drawn for.
    """

    corners: Outline
    grid: Grid = GRID

    @property
    def lengths_mm(self) -> tuple[float, ...]:
        """The length of each side; side `i` runs from corner `i` to the next one."""
        ahead = (*self.corners[1:], self.corners[0])
        return tuple(math.dist(a, b) for a, b in zip(self.corners, ahead, strict=True))

    def tiles(self, length_mm: float) -> int:
        """How many tiles long a side is."""
        return max(1, round(length_mm / self.grid.pitch_mm))

    @property
    def convex(self) -> tuple[bool, ...]:
        """Whether a corner stands out; the inner one of an L does not."""
        points = self.corners
        count = len(points)
        return tuple(
            _turn(points[index - 1], points[index], points[(index + 1) % count]) > 0
            for index in range(count)
        )


def _turn(before: Point, here: Point, ahead: Point) -> float:
    return (here[0] - before[0]) * (ahead[1] - here[1]) - (here[1] - before[1]) * (
        ahead[0] - here[0]
    )


@dataclass(frozen=True, slots=True)
class Stone:
    """Something flat that stands out of what it lies on, or is sunk into it.

    `outline` is drawn where it leaves what it lies on; (u, v) with u from the start of side `side`.
    A stone that runs round a corner is drawn once on either side, equal along the corner's line.
    `inset_mm` is how far its face lies behind the wall's plane. `lean_mm` is how much farther back
    its lower edge lies than its upper one. `on` are the stones on its face, which then is upright.
    """

    side: int
    outline: Outline
    inset_mm: float
    lean_mm: float = 0.0
    on: tuple[Stone, ...] = ()

    @property
    def deepest_mm(self) -> float:
        """The greatest inset of its face and of everything on it."""
        own = self.inset_mm + abs(self.lean_mm) / 2
        return max([own, *(stone.deepest_mm for stone in self.on)])


@dataclass(frozen=True, slots=True)
class Wall:
    """A wall's drawing: the plane of its joints, `floor_mm` behind the outline, and its stones."""

    run: Run
    low_mm: float
    high_mm: float
    floor_mm: float
    stones: tuple[Stone, ...]


DRAWN_MM, DRAWN_SLIT_MM = GRID.pitch_mm, 6.0
"""Patterns of tops are drawn on tiles so large, with slits so far from the middle of an edge."""


@dataclass(frozen=True, slots=True)
class Keep:
    """Where a top's pattern may lie, and where the slits of the edge joint lie that it leads into.

    Patterns end at `half_mm` from the middle. Two slits to an edge, at ±`slit_at_mm` along it, run
    from `slit_in_mm` outwards, `slit_half_mm` to either side. `step_mm` is a printed layer. A skin
    of two layers is `thin`: strokes are narrow and go through it, ribs close them from below.
    Patterns are drawn on tiles of `DRAWN_MM` and then fitted into those of `tile_mm`.
    """

    half_mm: float = 13.2
    slit_at_mm: float = 6.0
    slit_in_mm: float = 11.0
    slit_half_mm: float = 0.88
    step_mm: float = 0.24
    thin: bool = False
    tile_mm: float = DRAWN_MM

    def drawn(self) -> Keep:
        """The same on a tile that patterns are drawn on."""
        if self.tile_mm == DRAWN_MM:
            return self
        more = (DRAWN_MM - self.tile_mm) / 2
        return replace(
            self,
            half_mm=self.half_mm + more,
            slit_in_mm=self.slit_in_mm + more,
            slit_at_mm=DRAWN_SLIT_MM,
            tile_mm=DRAWN_MM,
        )

    def slits(self, grow_mm: float = 0.0) -> BaseGeometry:
        """The eight slits, up to the tile's edge."""
        import shapely
        from shapely import affinity

        half = self.slit_half_mm + grow_mm
        pair = shapely.union_all(
            [
                shapely.box(x - half, self.slit_in_mm - grow_mm, x + half, self.tile_mm / 2)
                for x in (-self.slit_at_mm, self.slit_at_mm)
            ]
        )
        return shapely.union_all([affinity.rotate(pair, 90 * k, origin=(0, 0)) for k in range(4)])

    def area(self) -> BaseGeometry:
        """Everything a pattern may use: the square without the slits."""
        import shapely

        half = self.half_mm
        return shapely.difference(shapely.box(-half, -half, half, half), self.slits())


FOOT_MM, BODY_MM = 15.6, 60.0
"""Spires and trees are drawn so tall on tiles of `DRAWN_MM`; up to the foot they are legs."""


@dataclass(frozen=True, slots=True)
class Room:
    """What a spire or a tree may fill about the middle of its tile, and how thick its walls are.

    It stands on a square of `half_mm` and ends at `top_mm`. Ladders lean over an edge so far from
    the middle as `ladder_mm`, and so far to either side as `ladder_half_mm`. Drawn lengths become
    `wide` times as long across; up to its foot it keeps its slopes, above that it is stretched.
    """

    half_mm: float
    top_mm: float
    wall_mm: float
    wide: float = 1.0
    ladder_mm: float = 11.9
    ladder_half_mm: float = 8.15

    @property
    def up(self) -> float:
        """How much longer what is drawn above the foot becomes upwards."""
        usual = self.wide == 1.0 and self.top_mm == BODY_MM
        return 1.0 if usual else (self.top_mm - FOOT_MM * self.wide) / (BODY_MM - FOOT_MM)

    @property
    def crown(self) -> float:
        """As `wide` for crowns, which are never broader than drawn: their tips are thin."""
        return min(self.wide, 1.0)

    @property
    def thick_mm(self) -> float:
        """Walls of bodies that lean, thicker as these are larger."""
        return self.wall_mm * max(self.wide, 1.0)

    def z(self, drawn_mm: float) -> float:
        """Where a drawn height lies."""
        if drawn_mm <= FOOT_MM or self.up == self.wide == 1.0:
            return drawn_mm * self.wide
        return FOOT_MM * self.wide + (drawn_mm - FOOT_MM) * self.up


@dataclass(frozen=True, slots=True)
class Groove:
    """An outline that is sunk into a top, straight down."""

    outline: BaseGeometry
    depth_mm: float

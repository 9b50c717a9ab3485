"""Elements of relief: stones on a wall, grooves on a top, and the areas that they may use.

All lengths are in mm. A wall is drawn unrolled: u runs along it, counter-clockwise seen from above,
and v up. A top is drawn about the middle of its tile, x east and y north.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.lengths import GRID, PrintGrid
from falldamage_forge.printing.process import USUAL_TIP_MM

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

Point = tuple[float, float]
Outline = tuple[Point, ...]
"""Points counter-clockwise, without the closing point."""


NEAR_MM = 1.0
"""Distance of a wall's corner from that of its tile, at most."""


def between(a: Point, b: Point, share: float) -> Point:
    """Return the point at a share, from 0 to 1, of the way from a to b.

    Args:
        a: First point, in mm.
        b: Second point, in mm.
        share: Part of the way, 0 to 1.
    """
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


@dataclass(frozen=True, slots=True)
class WallPath:
    """The foot of a wall: its corners, counter-clockwise, with the wall's inside on the left.

    `grid` holds the pitch and rise that the wall is drawn for. `broken` are the points (x, y) at
    which the top has fallen away.
    """

    corners: Outline
    grid: PrintGrid = GRID
    broken: Outline = ()

    @property
    def lengths_mm(self) -> tuple[float, ...]:
        """Length of each side; side `i` runs from corner `i` to the next one."""
        ahead = (*self.corners[1:], self.corners[0])
        return tuple(math.dist(a, b) for a, b in zip(self.corners, ahead, strict=True))

    def is_broken(self, side: int, u_mm: float) -> bool:
        """True if the top over a point of a side has fallen away.

        Args:
            side: Number of the side.
            u_mm: Place along the side.
        """
        ahead = self.corners[(side + 1) % len(self.corners)]
        point = between(self.corners[side], ahead, u_mm / self.lengths_mm[side])
        return any(math.dist(point, at) < NEAR_MM for at in self.broken)

    def tiles(self, length_mm: float) -> int:
        """Return the length of a side in tiles."""
        return max(1, round(length_mm / self.grid.pitch_mm))

    @property
    def convex(self) -> tuple[bool, ...]:
        """True for each convex corner; the inner one of an L is not."""
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
class ReliefElement:
    """A flat element that stands out of a surface or is sunk into it.

    `outline` is drawn where it leaves that surface, as (u, v) with u from the start of side `side`.
    A stone round a corner is drawn once on either side, equal along the corner's line. `inset_mm`
    is the distance of its face behind the wall's plane, `lean_mm` how much farther back the face's
    lower edge lies than its upper one. `on` are the stones on its face, which then is upright.
    """

    side: int
    outline: Outline
    inset_mm: float
    lean_mm: float = 0.0
    on: tuple[ReliefElement, ...] = ()

    @property
    def deepest_mm(self) -> float:
        """Greatest inset of its face and of everything on it."""
        own = self.inset_mm + abs(self.lean_mm) / 2
        return max([own, *(stone.deepest_mm for stone in self.on)])


Crag = tuple[tuple[tuple[tuple[float, float, float], ...], ...], ...]
"""(u, v, depth) of the points of a wall of earth or rock: by side, by row from below, by column."""


@dataclass(frozen=True, slots=True)
class WallDrawing:
    """A wall's drawing: the plane of its joints, `floor_mm` behind the outline, and its stones.

    A wall of earth or rock is a `crag` instead.
    """

    run: WallPath
    low_mm: float
    high_mm: float
    floor_mm: float
    stones: tuple[ReliefElement, ...]
    crag: Crag = ()


BEYOND_MM = 0.5
"""How far strokes run over an open edge, so that their round ends lie beyond it."""
DRAWN_MM, DRAWN_SLIT_MM = GRID.pitch_mm, 6.0
"""Tile size on which top patterns are drawn, and the distance of slits from mid-edge."""


@dataclass(frozen=True, slots=True)
class PatternArea:
    """Area of a top's pattern, and the edge slits (keyholes) that the pattern leads into.

    Patterns end at `half_mm` from the middle. Each edge has two slits at ±`slit_at_mm` along it,
    from `slit_in_mm` outwards, `slit_half_mm` to either side. `step_mm` is the layer height. A skin
    of two layers is `thin`: strokes are narrow and go through it, and ribs close them from below.
    Stone between strokes is at least `tip_mm` wide.
    Patterns are drawn on tiles of `DRAWN_MM` and then fitted to tiles of `tile_mm`. The edges of
    `open_sides` have no slits: there the pattern runs over the tile's edge. What is drawn between
    slits becomes `squeeze` times narrower on its tile.
    """

    half_mm: float = 13.2
    slit_at_mm: float = 6.0
    slit_in_mm: float = 11.0
    slit_half_mm: float = 0.88
    step_mm: float = 0.24
    thin: bool = False
    tile_mm: float = DRAWN_MM
    open_sides: tuple[int, ...] = ()
    tip_mm: float = USUAL_TIP_MM
    squeeze: float = 1.0

    def drawn(self) -> PatternArea:
        """Return the same area on the tile size that patterns are drawn on."""
        if self.tile_mm == DRAWN_MM:
            return self
        more = (DRAWN_MM - self.tile_mm) / 2
        return replace(
            self,
            half_mm=self.half_mm + more,
            slit_in_mm=self.slit_in_mm + more,
            slit_at_mm=DRAWN_SLIT_MM,
            tile_mm=DRAWN_MM,
            squeeze=max(DRAWN_SLIT_MM / self.slit_at_mm, 1.0),
        )

    def slits(self, grow_mm: float = 0.0) -> BaseGeometry:
        """Return the slits, two an edge that is not open, up to it, grown by `grow_mm`."""
        return _slits(self, grow_mm)

    def at_slits(self, north: BaseGeometry) -> BaseGeometry:
        """Return a shape at the north edge, turned to every edge with slits."""
        import shapely
        from shapely import affinity

        sides = [side for side in range(4) if side not in self.open_sides]
        return shapely.union_all([affinity.rotate(north, -90 * k, origin=(0, 0)) for k in sides])

    def area(self, around_slits_mm: float = 0.0) -> BaseGeometry:
        """Return the rectangle of the pattern, beyond open edges, without the slits, grown."""
        import shapely

        beyond = self.tile_mm / 2 + BEYOND_MM
        north, east, south, west = (
            beyond if side in self.open_sides else self.half_mm for side in range(4)
        )
        whole = shapely.box(-west, -south, east, north)
        return shapely.difference(whole, self.slits(around_slits_mm))


@cache
def _slits(area: PatternArea, grow_mm: float) -> BaseGeometry:
    import shapely

    half = area.slit_half_mm + grow_mm
    pair = shapely.union_all(
        [
            shapely.box(x - half, area.slit_in_mm - grow_mm, x + half, area.tile_mm / 2)
            for x in (-area.slit_at_mm, area.slit_at_mm)
        ]
    )
    return area.at_slits(pair)


FOOT_MM, BODY_MM = 15.6, 60.0
"""Heights of feet and of spires and trees as drawn, on tiles of `DRAWN_MM`."""
RISE = 1.24
"""Minimum rise per mm of run of an outside, or of a closing cavity: 51 degrees."""


@dataclass(frozen=True, slots=True)
class FigureEnvelope:
    """Volume that a spire or a tree may fill about the middle of its tile, and its wall thickness.

    It stands on a square of `half_mm` and ends at `top_mm`. Its cavity begins as a square of
    `skirt_mm`. Drawn lengths are scaled by `wide` horizontally; up to the foot slopes are kept,
    above it the figure is stretched.
    """

    half_mm: float
    top_mm: float
    wall_mm: float
    wide: float = 1.0
    skirt_mm: float = 14.06

    @property
    def up(self) -> float:
        """Vertical scale above the foot."""
        usual = self.wide == 1.0 and self.top_mm == BODY_MM
        return 1.0 if usual else (self.top_mm - FOOT_MM * self.wide) / (BODY_MM - FOOT_MM)

    @property
    def crown(self) -> float:
        """Horizontal scale of crowns, at most 1: their tips are thin."""
        return min(self.wide, 1.0)

    @property
    def thick_mm(self) -> float:
        """Thickness of leaning walls, which grows with the figure."""
        return self.wall_mm * max(self.wide, 1.0)

    def z(self, drawn_mm: float) -> float:
        """Return the height of a drawn height."""
        if drawn_mm <= FOOT_MM or self.up == self.wide == 1.0:
            return drawn_mm * self.wide
        return FOOT_MM * self.wide + (drawn_mm - FOOT_MM) * self.up


@dataclass(frozen=True, slots=True)
class Groove:
    """An outline that is sunk straight down into a top by `depth_mm`."""

    outline: BaseGeometry
    depth_mm: float

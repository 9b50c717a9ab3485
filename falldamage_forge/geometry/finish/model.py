"""The words of finishes: stones on a wall, grooves on a top, and where either may lie.

All lengths in mm. A wall is drawn unrolled: u runs along it, counter-clockwise seen from above, and
v up. A top is drawn about the middle of its tile, x east and y north.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

Point = tuple[float, float]
Outline = tuple[Point, ...]
"""Counter-clockwise, without the closing point."""


@dataclass(frozen=True, slots=True)
class Run:
    """The foot of a wall: its corners, counter-clockwise, with the wall's inside on the left."""

    corners: Outline

    @property
    def lengths_mm(self) -> tuple[float, ...]:
        """The length of each side; side `i` runs from corner `i` to the next one."""
        ahead = (*self.corners[1:], self.corners[0])
        return tuple(math.dist(a, b) for a, b in zip(self.corners, ahead, strict=True))

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


@dataclass(frozen=True, slots=True)
class Keep:
    """Where a top's pattern may lie, and where the slits of the edge joint lie that it leads into.

    Patterns end at `half_mm` from the middle. Two slits to an edge, at ±`slit_at_mm` along it, run
    from `slit_in_mm` outwards, `slit_half_mm` to either side. `step_mm` is a printed layer. A skin
    of two layers is `thin`: strokes are narrow and go through it, ribs close them from below.
    """

    half_mm: float = 13.2
    slit_at_mm: float = 6.0
    slit_in_mm: float = 11.0
    slit_half_mm: float = 0.88
    step_mm: float = 0.24
    thin: bool = False

    def slits(self, grow_mm: float = 0.0) -> BaseGeometry:
        """The eight slits, up to the tile's edge."""
        import shapely
        from shapely import affinity

        half = self.slit_half_mm + grow_mm
        pair = shapely.union_all(
            [
                shapely.box(x - half, self.slit_in_mm - grow_mm, x + half, 15.0)
                for x in (-self.slit_at_mm, self.slit_at_mm)
            ]
        )
        return shapely.union_all([affinity.rotate(pair, 90 * k, origin=(0, 0)) for k in range(4)])

    def area(self) -> BaseGeometry:
        """Everything a pattern may use: the square without the slits."""
        import shapely

        half = self.half_mm
        return shapely.difference(shapely.box(-half, -half, half, half), self.slits())


@dataclass(frozen=True, slots=True)
class Groove:
    """An outline that is sunk into a top, straight down."""

    outline: BaseGeometry
    depth_mm: float

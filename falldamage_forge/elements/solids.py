"""Solids and inks: what draws an element, in tiles and levels from its tile and its surface.

Painters of the board know no element: they walk the solids of what stands on a tile, and the inks
of what lies on it.
"""

from __future__ import annotations

import math
from typing import NamedTuple

Spot = tuple[float, float, float]
"""Row, column and level: from the north-west corner of the tile and the level of its surface."""
Ring = tuple[Spot, ...]
"""Corners of a level polygon, counter-clockwise seen from above."""
Point = tuple[float, float]
"""Row and column from the north-west corner of the tile."""


class Box(NamedTuple):
    """A box of an element's drawing and of its part.

    Attributes:
        low: Corner as (row, col, level), in tiles and levels from the north-west corner of the
            element's tile and from the level of its surface.
        high: The opposite corner.
        paint: Colour, a field of the palette: `wood`, `rock`, `gold`, `leaf`; `cliff` and `ground`
            are those of the level on which it stands.
        shade: Brightness of the colour; 1 is the palette's.
        top: Colour of its top; empty for that of its sides.
    """

    low: Spot
    high: Spot
    paint: str = "wood"
    shade: float = 1.0
    top: str = ""

    @property
    def rings(self) -> tuple[Ring, ...]:
        """Its lower and its upper face."""
        (r0, c0, _), (r1, c1, _) = self.low, self.high
        corners = ((r1, c0), (r1, c1), (r0, c1), (r0, c0))
        return tuple(tuple((r, c, z) for r, c in corners) for z in (self.low[2], self.high[2]))


class Drum(NamedTuple):
    """A solid of stacked rings about the middle of the tile.

    Attributes:
        profile: (level, radius) of each ring, from below.
        corners: Corners of a ring.
        paint: Colour, as a box has it.
        shade: Brightness of the colour.
        turn: Angle of the first corner, in radians.
        ragged: Change of the lowest ring's radius from corner to corner.
        free: True if each tile turns it in a way of its own.
    """

    profile: tuple[tuple[float, float], ...]
    corners: int
    paint: str
    shade: float = 1.0
    turn: float = 0.0
    ragged: float = 0.0
    free: bool = False

    def turned(self, turn: float) -> tuple[Ring, ...]:
        """Return its rings, turned further.

        Args:
            turn: Angle in radians.
        """
        return tuple(
            _ring(level, radius, self.corners, turn + self.turn, 0.0 if number else self.ragged)
            for number, (level, radius) in enumerate(self.profile)
        )

    @property
    def rings(self) -> tuple[Ring, ...]:
        """Its rings, from below."""
        return self.turned(0.0)

    @property
    def top(self) -> str:
        """Colour of its top: that of its sides."""
        return ""


def _ring(level: float, radius: float, corners: int, turn: float, ragged: float) -> Ring:
    angles = (turn + 2 * math.pi * number / corners for number in range(corners))
    reaches = (radius + (ragged if number % 2 else -ragged) for number in range(corners))
    return tuple(
        (0.5 - reach * math.sin(angle), 0.5 + reach * math.cos(angle), level)
        for angle, reach in zip(angles, reaches, strict=True)
    )


class Bar(NamedTuple):
    """A straight bar, upright or level, of which drawings show the line.

    Attributes:
        one: One end.
        two: The other end.
        wide: Its width in tiles.
        paint: Colour, as a box has it.
    """

    one: Spot
    two: Spot
    wide: float
    paint: str = "wood"


class Panel(NamedTuple):
    """A flat area on an upright side of a solid.

    Attributes:
        corners: Its corners, counter-clockwise seen from outside.
        paint: Colour, as a box has it.
        opacity: 0 clear to 1 opaque.
        outlined: True for an edge.
    """

    corners: Ring
    paint: str
    opacity: float = 1.0
    outlined: bool = False


Solid = Box | Drum | Bar | Panel


def box_of(bar: Bar) -> Box:
    """Return a bar as a box as thick as it is wide.

    Args:
        bar: The bar.
    """
    half = bar.wide / 2
    ends = [(min(a, b), max(a, b)) for a, b in zip(bar.one, bar.two, strict=True)]
    (r0, r1), (c0, c1), (z0, z1) = ((a - half * (a == b), b + half * (a == b)) for a, b in ends)
    return Box((r0, c0, z0), (r1, c1, z1), bar.paint)


def corners_of(solid: Solid) -> tuple[Spot, ...]:
    """Return the corners of a solid; of a bar its ends.

    Args:
        solid: The solid.
    """
    if isinstance(solid, Bar):
        return solid.one, solid.two
    if isinstance(solid, Panel):
        return solid.corners
    return tuple(spot for ring in solid.rings for spot in ring)


class Ink(NamedTuple):
    """A shape of an element's flat symbol.

    Attributes:
        points: Its corners, or the points of its line.
        paint: Colour: a field of the palette, `side` for that of the side it names, `field`, or a
            number of the palette's marks.
        width: Width of a line in pixels; 0 for an area.
        opacity: 0 clear to 1 opaque.
        shade: Brightness of the colour.
        closed: True if a line joins its last point with the first.
        dash: Length of a dash in pixels; 0 for none.
        solid: True for an area that has no seams with its neighbours.
    """

    points: tuple[Point, ...]
    paint: str
    width: float = 0.0
    opacity: float = 1.0
    shade: float = 1.0
    closed: bool = False
    dash: float = 0.0
    solid: bool = False


def square(half: float, row: float = 0.5, col: float = 0.5) -> tuple[Point, ...]:
    """Return a square about a point.

    Args:
        half: Half its side in tiles.
        row: Row of its middle.
        col: Column of its middle.
    """
    signs = ((-1, -1), (-1, 1), (1, 1), (1, -1))
    return tuple((row + r * half, col + c * half) for r, c in signs)


def circle(radius: float, corners: int) -> tuple[Point, ...]:
    """Return a circle about the middle of a tile.

    Args:
        radius: Its radius in tiles.
        corners: Corners of the polygon that stands for it.
    """
    angles = (2 * math.pi * number / corners for number in range(corners))
    return tuple((0.5 + radius * math.sin(a), 0.5 + radius * math.cos(a)) for a in angles)


def edge(side: tuple[int, int], inset: float) -> tuple[Point, Point]:
    """Return the two ends of a tile's side.

    Args:
        side: Side as (d_row, d_col).
        inset: Distance from the side and from its ends in tiles.
    """
    row, col = 0.5 + side[0] * (0.5 - inset), 0.5 + side[1] * (0.5 - inset)
    along = 0.5 - inset
    return (
        (row - abs(side[1]) * along, col - abs(side[0]) * along),
        (row + abs(side[1]) * along, col + abs(side[0]) * along),
    )

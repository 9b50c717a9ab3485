"""Where a point of the table falls on the paper: seen from the south-east, from above."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from falldamage_forge.lengths import Grid
from falldamage_forge.render.scene import Path, Point

Spot = tuple[float, float, float]
"""Row, column and level; whole numbers are corners of tiles and tops of levels."""

ELEVATION_DEG = 45.0
LIGHT = (-0.62, 0.20, 0.76)
"""Towards the sun: east, south, up. It stands in the west, so shadows fall along the rows."""


@dataclass(frozen=True, slots=True)
class Projection:
    """A parallel projection; `tile` is a tile's edge in pixels, `dx` and `dy` shift the paper.

    `rise` is how high a level is in tiles.
    """

    tile: float = 64.0
    dx: float = 0.0
    dy: float = 0.0
    rise: float = 1.0

    def __call__(self, row: float, col: float, level: float) -> Point:
        """The pixel of a spot."""
        elevation = math.radians(ELEVATION_DEG)
        half = self.tile * math.sqrt(0.5)
        x = (col - row) * half
        up = level * self.rise * self.tile
        y = (col + row) * half * math.sin(elevation) - up * math.cos(elevation)
        return x + self.dx, y + self.dy

    def path(self, spots: Sequence[Spot]) -> Path:
        """The pixels of several spots."""
        return tuple(self(*spot) for spot in spots)

    def top(self, row: float, col: float, level: float, inset: float = 0.0) -> Path:
        """The four corners of a tile's top: north-west, north-east, south-east, south-west."""
        a, b = inset, 1 - inset
        return self.path(
            [
                (row + a, col + a, level),
                (row + a, col + b, level),
                (row + b, col + b, level),
                (row + b, col + a, level),
            ]
        )


def rise_of(grid: Grid) -> float:
    """How high a level is drawn, in tiles: whole layers are no reason to draw a cube askew."""
    rise = grid.rise_mm / grid.pitch_mm
    return 1.0 if abs(rise - 1.0) < 0.01 else rise


def facing(path: Path) -> bool:
    """Whether a polygon whose corners run counter-clockwise seen from outside faces the viewer."""
    area = sum(
        x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in zip(path, (*path[1:], path[0]), strict=True)
    )
    return area < 0


def brightness(east: float, south: float, up: float) -> float:
    """Light on a face by its outward normal, about 0.6 in shade to 1.1 in full sun."""
    length = math.sqrt(east * east + south * south + up * up) or 1.0
    dot = (east * LIGHT[0] + south * LIGHT[1] + up * LIGHT[2]) / length
    return 0.78 + 0.34 * dot

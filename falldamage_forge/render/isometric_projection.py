"""Isometric projection: from points of the board to pixels, seen from the south-east and above."""

from __future__ import annotations

import math
from collections.abc import Sequence

from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.lengths import PrintGrid
from falldamage_forge.render.display_list import Path, Point

Spot = tuple[float, float, float]
"""Row, column and level; whole numbers are corners of tiles and tops of levels."""

ELEVATION_DEG = 45.0
_HALF = math.sqrt(0.5)
_SINE, _COSINE = math.sin(math.radians(ELEVATION_DEG)), math.cos(math.radians(ELEVATION_DEG))
LIGHT = (-0.62, 0.20, 0.76)
"""Direction to the sun (east, south, up); it stands in the west, so shadows follow the rows."""


@dataclass(frozen=True, slots=True)
class Projection:
    """A parallel projection.

    `tile` is a tile's edge in pixels, `dx` and `dy` shift the picture in pixels, `rise` is the
    height of a level in tiles.
    """

    tile: float = 64.0
    dx: float = 0.0
    dy: float = 0.0
    rise: float = 1.0

    def __call__(self, row: float, col: float, level: float) -> Point:
        """Return the pixel of a spot."""
        return self.path([(row, col, level)])[0]

    def path(self, spots: Sequence[Spot]) -> Path:
        """Return the pixels of several spots, as `__call__`; a page has 90,000."""
        tile, half, rise, dx, dy = self.tile, self.tile * _HALF, self.rise, self.dx, self.dy
        return tuple(
            [
                (
                    (col - row) * half + dx,
                    (col + row) * half * _SINE - level * rise * tile * _COSINE + dy,
                )
                for row, col, level in spots
            ]
        )

    def top(self, row: float, col: float, level: float, inset: float = 0.0) -> Path:
        """Return the corners of a tile's top: north-west, north-east, south-east, south-west."""
        a, b = inset, 1 - inset
        return self.path(
            [
                (row + a, col + a, level),
                (row + a, col + b, level),
                (row + b, col + b, level),
                (row + b, col + a, level),
            ]
        )


def rise_of(grid: PrintGrid) -> float:
    """Return the drawn height of a level in tiles; 1 if rise and pitch differ only by rounding."""
    rise = grid.rise_mm / grid.pitch_mm
    return 1.0 if abs(rise - 1.0) < 0.01 else rise


def faces_viewer(path: Path) -> bool:
    """True if a polygon, counter-clockwise seen from outside, faces the viewer."""
    area = sum(
        x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in zip(path, (*path[1:], path[0]), strict=True)
    )
    return area < 0


def brightness(east: float, south: float, up: float) -> float:
    """Return the light on a face by its outward normal, about 0.6 in shade to 1.1 in full sun."""
    length = math.sqrt(east * east + south * south + up * up) or 1.0
    dot = (east * LIGHT[0] + south * LIGHT[1] + up * LIGHT[2]) / length
    return 0.78 + 0.34 * dot

"""Standing levels: the heights of a solid at which a round base stands, tile by tile.

A base stands where its disc rests on a face that is flat within a millimetre, below air of two
levels.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from falldamage_forge.geometry.csg import Solid, section, translate
from falldamage_forge.geometry.footprint import Cell
from falldamage_forge.lengths import PrintGrid

BASE_MM = 25.0
FLAT_MM = 1.0
"""Greatest difference of heights under a base."""
COVERED = 0.9
"""Share of a base's disc that must rest on the solid."""
SHIFTS_MM = (0.0, -2.0, 2.0)
"""Shifts of a base's middle from the middle of its tile, along each axis."""
LEVEL_FACE = 0.94
"""Least z of the normal of a face that counts as level."""
STUD_MM = 0.3
"""Greatest difference of heights of a tile's top that becomes a stud."""


class Stand(NamedTuple):
    """A height at which a base stands.

    Attributes:
        height_mm: Height above the ground of the part.
        level: Nearest level.
        over_mm: Height above that level; negative below it.
    """

    height_mm: float
    level: int
    over_mm: float


def standing_levels(solid: Solid, cell: Cell, grid: PrintGrid) -> tuple[Stand, ...]:
    """Return the heights at which a base of 25 mm stands on a tile, the highest first.

    Args:
        solid: Solid in the frame of its tiles, in mm.
        cell: (row, col) of the tile.
        grid: Size of tiles and levels.
    """
    found = []
    for height in _candidates(solid, cell, grid):
        if any(_stands(solid, cell, grid, height, x, y) for x in SHIFTS_MM for y in SHIFTS_MM):
            level = max(0, round(height / grid.rise_mm))
            found.append(Stand(height, level, round(height - grid.height_mm(level), 2)))
    return tuple(found)


def _candidates(solid: Solid, cell: Cell, grid: PrintGrid) -> Iterator[float]:
    """Yield heights of a tile at which enough of its area is level, the highest first."""
    import numpy as np

    raw = solid.to_mesh()
    points = np.asarray(raw.vert_properties, np.float64)[:, :3]
    corners = points[np.asarray(raw.tri_verts)]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    length = np.linalg.norm(across, axis=1)
    level = across[:, 2] > LEVEL_FACE * np.maximum(length, 1e-12)
    x, y = grid.centre_mm(*cell)
    half = grid.pitch_mm / 2
    low, high = corners.min(axis=1), corners.max(axis=1)
    near = (low[:, 0] < x + half) & (high[:, 0] > x - half)
    near &= (low[:, 1] < y + half) & (high[:, 1] > y - half)
    heights = corners[level & near][:, :, 2].mean(axis=1)
    if not len(heights):
        return
    sizes = np.minimum(length[level & near] / 2, BASE_MM**2)
    bins = np.round(heights / (FLAT_MM / 2)).astype(int)
    least = int(bins.min())
    areas = np.bincount(bins - least, weights=sizes)
    wide = np.convolve(areas, np.ones(5), "same")
    last = None
    for bin_ in np.flatnonzero(wide > 0.25 * BASE_MM**2)[::-1].tolist():
        if areas[bin_] and (last is None or last - bin_ > 2):
            last = bin_
            own = (bins - least >= bin_ - 2) & (bins - least <= bin_ + 2)
            yield round(float(np.average(heights[own], weights=np.maximum(sizes[own], 1e-9))), 2)


def _stands(
    solid: Solid, cell: Cell, grid: PrintGrid, height: float, shift_x: float, shift_y: float
) -> bool:
    """True if a base stands at a height about a shifted middle of a tile."""
    import shapely
    from manifold3d import Manifold

    x, y = grid.centre_mm(*cell)
    x, y = x + shift_x, y + shift_y
    half = BASE_MM / 2
    air = Manifold.cylinder(2 * grid.rise_mm - FLAT_MM, half - 0.1, half - 0.1, 48)
    if (solid ^ translate(air, x, y, height + FLAT_MM)).volume() > 1.0:
        return False
    disc = shapely.Point(x, y).buffer(half)
    below = section(solid, height - FLAT_MM)
    return bool(below.intersection(disc).area >= COVERED * disc.area)

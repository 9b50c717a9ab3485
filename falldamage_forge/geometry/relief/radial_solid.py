"""Solids whose sections are star-shaped about the z axis: radii over height and angle.

For figures that print upright: `steady` fills overhangs, `hollow` makes the cavity.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from falldamage_forge.geometry.csg import GeometryError, Solid
from falldamage_forge.infra.lazy_dataclass import dataclass

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

OUT = 0.75
"""Maximum outward run of a side per mm of rise: 53 degrees from the horizontal."""
CLOSE = 0.75
"""Maximum inward run of a cavity per mm of rise."""
CLEFT_COLUMNS = 6
"""Half the width of the widest cleft that is filled, in columns."""
POINT_MM, TIP_MM, TIP_CLOSE, SLIT_MM = 0.06, 0.8, 0.32, 0.08
"""Radius of an ended cavity, radius of a slender one, its slower closing, width of its slit."""


@dataclass(frozen=True)
class RadialSolid:
    """Radii (rows, columns) at heights (rows,) from below and angles (columns,) in radians."""

    heights_mm: Floats
    angles: Floats
    radii_mm: Floats

    def solid(self) -> Solid:
        """Return the solid between the lowest and the highest section."""
        import numpy as np
        from manifold3d import Manifold, Mesh64, triangulate

        rows, columns = self.radii_mm.shape
        x = self.radii_mm * np.cos(self.angles)
        y = self.radii_mm * np.sin(self.angles)
        z = np.broadcast_to(self.heights_mm[:, None], x.shape)
        points = np.round(np.stack([x, y, z], axis=2).reshape(-1, 3), 4)
        start = np.arange(rows - 1)[:, None] * columns
        here = (start + np.arange(columns)).ravel()
        ahead = (start + (np.arange(columns) + 1) % columns).ravel()
        floor = np.asarray(triangulate([points[:columns, :2]]))[:, ::-1]
        lid = np.asarray(triangulate([points[-columns:, :2]])) + (rows - 1) * columns
        faces = np.concatenate(
            [
                np.column_stack([here, ahead, ahead + columns]),
                np.column_stack([here, ahead + columns, here + columns]),
                floor,
                lid,
            ]
        )
        solid = Manifold(Mesh64(points, faces.astype(np.uint64)))
        if solid.is_empty():
            raise GeometryError(f"a star is not closed: {solid.status()}")
        return solid

    def steady(self, lean: float | Floats = OUT) -> RadialSolid:
        """Return the solid filled from below where it would overhang too much.

        Args:
            lean: Maximum outward run per mm of rise; one number, or one per row.
        """
        import numpy as np

        radii = self.radii_mm.copy()
        most = np.broadcast_to(lean, len(radii))[1:] * np.diff(self.heights_mm)
        for row in range(len(radii) - 2, -1, -1):
            radii[row] = np.maximum(radii[row], radii[row + 1] - most[row])
        return RadialSolid(self.heights_mm, self.angles, radii)

    def without_clefts(self, most_mm: float, limit_mm: Floats) -> RadialSolid:
        """Return the solid with clefts filled, beside which a cavity would leave walls thin.

        Args:
            most_mm: Greatest difference of the radii at neighbouring angles.
            limit_mm: Radii by angle up to which clefts are filled.
        """
        import numpy as np

        radii = self.radii_mm
        for _ in range(CLEFT_COLUMNS):
            beside = np.maximum(np.roll(radii, 1, axis=1), np.roll(radii, -1, axis=1))
            radii = np.maximum(radii, np.minimum(beside - most_mm, limit_mm))
        return RadialSolid(self.heights_mm, self.angles, radii)

    def hollow(
        self, wall_mm: float, low_mm: float, high_mm: float, step_mm: float = 0.48
    ) -> RadialSolid:
        """Return the cavity inside a wall, between two heights; it closes without overhangs.

        Args:
            wall_mm: Thickness of the wall.
            low_mm: Height at which the cavity begins.
            high_mm: Height at which it ends.
            step_mm: Distance between sections.
        """
        import numpy as np

        angles = turn(64)
        count = max(3, round((high_mm - low_mm) / step_mm) + 1)
        heights = np.linspace(low_mm, high_mm, count)
        within = self._within(angles, wall_mm)
        radii = np.empty((count, len(angles)))
        # A square vault's corner moves faster than its sides.
        corners = 1.0 + 0.35 * np.exp(-(((angles % (math.pi / 2) - math.pi / 4) / 0.24) ** 2))
        for row, height in enumerate(heights):
            near = np.abs(self.heights_mm - min(height, self.heights_mm[-1])) <= step_mm * 1.01
            radii[row] = within[near].min(axis=0)
        # A slender hollow is a slit: round ones below a millimetre about are left out by slicers,
        # and so end at once.
        slit = SLIT_MM / np.maximum(np.abs(np.sin(angles)), 0.02)
        slender = radii.max(axis=1) < TIP_MM
        radii[slender] = np.minimum(radii[slender], slit)
        radii[-1] = np.minimum(POINT_MM + 0.3 * np.abs(np.cos(angles)) ** 8, slit)
        for row in range(count - 2, -1, -1):
            rise = heights[row + 1] - heights[row]
            close = np.where(radii[row + 1] < TIP_MM, TIP_CLOSE, CLOSE * corners)
            radii[row] = np.minimum(radii[row], radii[row + 1] + close * rise)
        return RadialSolid(heights, angles, np.maximum(radii, POINT_MM))

    def _within(self, angles: Floats, wall_mm: float) -> Floats:
        """Return the reach from the axis at each angle that stays `wall_mm` inside each section."""
        import numpy as np

        x = self.radii_mm * np.cos(self.angles)
        y = self.radii_mm * np.sin(self.angles)
        x = np.concatenate([x, (x + np.roll(x, -1, axis=1)) / 2], axis=1)
        y = np.concatenate([y, (y + np.roll(y, -1, axis=1)) / 2], axis=1)
        least = np.empty((len(x), len(angles)))
        # One angle at a time: all at once would be twenty times slower, for want of near memory.
        for column, angle in enumerate(angles):
            cosine, sine = np.cos(angle), np.sin(angle)
            along, aside = x * cosine + y * sine, y * cosine - x * sine
            near = (np.abs(aside) < wall_mm) & (along > 0)
            reach = np.full(x.shape, np.inf)
            reach[near] = along[near] - np.sqrt(wall_mm**2 - aside[near] ** 2)
            least[:, column] = reach.min(axis=1)
        return least


def turn(count: int) -> Floats:
    """Return `count` angles of a full turn in radians."""
    import numpy as np

    angles: Floats = np.arange(count, dtype=np.float64) * (2 * math.pi / count)
    return angles


def polygon(angles: Floats, inradius_mm: float, sides: int, phase: float = 0.0) -> Floats:
    """Return radii of a regular polygon; `phase` is the angle of the middle of a side.

    Args:
        angles: Angles in radians, shape (n,).
        inradius_mm: Distance of the sides from the axis.
        sides: Number of sides.
        phase: Angle of the middle of a side, in radians.
    """
    import numpy as np

    step = 2 * math.pi / sides
    return inradius_mm / np.cos((angles - phase + step / 2) % step - step / 2)


def square(angles: Floats, half_mm: float, corner_mm: float = 0.0) -> Floats:
    """Return radii of a square with chamfered corners.

    Args:
        angles: Angles in radians, shape (n,).
        half_mm: Half size of the square.
        corner_mm: Length that a chamfer takes of each side.
    """
    import numpy as np

    cut = (2 * half_mm - corner_mm) / math.sqrt(2.0)
    return np.minimum(polygon(angles, half_mm, 4), polygon(angles, cut, 4, math.pi / 4))


def interpolate_radii(heights: Floats, rows: list[tuple[float, Floats]]) -> Floats:
    """Return radii at heights, linear between the given (height, radii) rows.

    Args:
        heights: Heights in mm, shape (m,).
        rows: Height and radii of shape (n,), in mm, from below.
    """
    import numpy as np

    at = np.array([height for height, _ in rows])
    table = np.stack([row for _, row in rows])
    place = np.clip(np.searchsorted(at, heights, side="right") - 1, 0, len(at) - 2)
    share = np.clip((heights - at[place]) / (at[place + 1] - at[place]), 0.0, 1.0)[:, None]
    mixed: Floats = table[place] * (1.0 - share) + table[place + 1] * share
    return mixed

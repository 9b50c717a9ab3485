"""Ambient occlusion and soft shadows from a point cloud of the scene.

For each direction towards a light the cloud is sheared onto the ground along it; the highest point
of each cell hides all lower ones in that cell (a shadow map). The mean over many directions is
ambient occlusion for the sky, and a soft shadow for a lamp of some size.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from falldamage_forge.geometry.mesh import extent
from falldamage_forge.infra.lazy_dataclass import dataclass

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

GOLDEN = 0.6180339887498949
_PLASTIC = (0.7548776662466927, 0.5698402909980532)
"""Steps of low-discrepancy sequences on a line and in a square."""
CLEAR_CELLS = 1.4
"""Distance in cells of a receiver from its surface, so that it does not hide itself."""
MOST_POINTS = 5_000_000
_PROBES = 8
_PER_CELL = 2.6
"""Points of the cloud for each cell of a map."""


@dataclass(frozen=True, slots=True, eq=False)
class LightRays:
    """Directions towards a light, shape (n, 3), and the power from each, shape (n,)."""

    towards: NDArray[np.float32]
    power: NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class LightReceiver:
    """Places, shape (m, 3), that receive every `every`-th ray from `first` on, and their light.

    `light` is the light received, `open` the light without occlusion, shape (m,) each.
    """

    places: NDArray[np.float32]
    normals: NDArray[np.float32]
    light: NDArray[np.float32]
    open: NDArray[np.float32]
    first: int
    every: int


def receiver(
    places: NDArray[np.float32], normals: NDArray[np.float32], first: int = 0, every: int = 1
) -> LightReceiver:
    """Return a receiver without light yet, from places and outward normals, shape (m, 3) each.

    Args:
        places: Points that receive light, in mm.
        normals: Outward normals of length 1.
        first: Number of the first point in the picture.
        every: Number of samples that a point stands for.
    """
    import numpy as np

    dark = np.zeros(len(places), np.float32)
    return LightReceiver(places, normals, dark, dark.copy(), first, every)


def sky(count: int, bright_deg: float, lean: float) -> LightRays:
    """Return an overcast sky of total power 1 on level ground.

    Args:
        count: Number of rays.
        bright_deg: Turn of its brighter side.
        lean: Extra brightness of that side.
    """
    import numpy as np

    number = np.arange(count)
    high = 0.17 + 0.83 * (number + 0.5) / count
    turn = 2 * np.pi * number * GOLDEN
    flat = np.sqrt(1 - high**2)
    towards = np.stack([flat * np.sin(turn), -flat * np.cos(turn), high], axis=1)
    side = np.radians(bright_deg)
    power = 1 + lean * flat * (np.sin(turn) * np.sin(side) + np.cos(turn) * np.cos(side))
    power *= 0.6 + 0.4 * high
    power /= (power * high).sum()
    return LightRays(towards.astype(np.float32), power.astype(np.float32))


def lamp(count: int, turn_deg: float, high_deg: float, half_deg: float) -> LightRays:
    """Return a distant round lamp of total power 1 on ground square to it.

    Args:
        count: Number of rays.
        turn_deg: Turn of the lamp: 0 south, 90 east.
        high_deg: Height above the horizon.
        half_deg: Half its angular size.
    """
    import numpy as np

    number = np.arange(count)
    turn, high = np.radians(turn_deg), np.radians(high_deg)
    axis = np.array([np.sin(turn) * np.cos(high), -np.cos(turn) * np.cos(high), np.sin(high)])
    one = np.cross([0.0, 0.0, 1.0], axis)
    one /= np.linalg.norm(one)
    two = np.cross(axis, one)
    reach = np.tan(np.radians(half_deg)) * np.sqrt((number + 0.5) / count)
    angle = 2 * np.pi * number * GOLDEN
    towards = axis + (reach * np.cos(angle))[:, None] * one + (reach * np.sin(angle))[:, None] * two
    towards /= np.linalg.norm(towards, axis=1)[:, None]
    return LightRays(towards.astype(np.float32), np.full(count, 1 / count, np.float32))


def sample_points(
    triangles: NDArray[np.float32], cell_mm: float
) -> tuple[NDArray[np.float32], float]:
    """Return points spread evenly over triangles, and the cell size they are dense enough for.

    Triangles that face straight down are left out: their solid hides them from all sides.

    Args:
        triangles: Shape (n, 3, 3), in mm.
        cell_mm: Wanted cell size of shadow maps.

    Returns:
        Points of shape (m, 3), the lowest first; the cell size, larger if points are too many.
    """
    import numpy as np

    one, two = triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    cross = np.cross(one, two)
    double = np.linalg.norm(cross, axis=1)
    keep = (cross[:, 2] > -0.9 * double) & (double > 0)
    corner, one, two, double = triangles[keep, 0], one[keep], two[keep], double[keep]
    cell_mm = max(cell_mm, float(np.sqrt(double.sum() * _PER_CELL / 2 / MOST_POINTS)))
    wanted = double * (_PER_CELL / 2 / cell_mm**2)
    # The parts of a point that small triangles would have are added up until they make one.
    ends = np.floor(np.cumsum(wanted, dtype=np.float64) + 0.5).astype(np.int64)
    counts = np.diff(ends, prepend=0)
    which = np.repeat(np.arange(len(counts)), counts)
    number = np.arange(len(which), dtype=np.float64)
    u, v = (((number * step) % 1.0).astype(np.float32)[:, None] for step in _PLASTIC)
    over = u + v > 1
    u, v = np.where(over, 1 - u, u), np.where(over, 1 - v, v)
    points = corner[which] + u * one[which] + v * two[which]
    points = points[_upwards(points[:, 2])]
    return _outermost(np.asfortranarray(points), cell_mm), cell_mm


def _upwards(heights: NDArray[np.float32]) -> NDArray[np.int64]:
    """Return the order from lowest to highest, to 1/65,535 of the range: fast and repeatable."""
    import numpy as np

    low, high = heights.min(initial=0), heights.max(initial=0)
    steps = (heights - low) * np.float32(65535 / max(high - low, 1e-6))
    return np.argsort(steps.astype(np.uint16), kind="stable")


def subsample_points(points: NDArray[np.float32], every: int) -> NDArray[np.float32]:
    """Return every `every`-th point of a cloud, for cells of that many times the area.

    Args:
        points: Points, shape (m, 3), in mm.
        every: Distance of two points that are kept.
    """
    import numpy as np

    return np.asfortranarray(points[::every])


def _outermost(points: NDArray[np.float32], cell_mm: float) -> NDArray[np.float32]:
    """Return the points that are highest of their cell in some direction: no hidden insides."""
    import numpy as np

    keep, bounds = np.zeros(len(points), bool), extent(points)
    for towards in sky(_PROBES, 0.0, 0.0).towards:
        heights = _heights(towards, points, cell_mm, bounds)
        keep |= heights.at(points) < points[:, 2] + np.float32(0.4 * cell_mm)
    return np.asfortranarray(points[keep])


def accumulate_light(
    rays: LightRays, points: NDArray[np.float32], cell_mm: float, receivers: Sequence[LightReceiver]
) -> None:
    """Add the light of rays to receivers, minus the light that points hide.

    Args:
        rays: Directions and powers.
        points: Cloud from `sample_points`.
        cell_mm: Cell size of the shadow maps.
        receivers: Places at least `CLEAR_CELLS` cells from their surface; they are updated.
    """
    import numpy as np

    bounds = extent(points)
    for number, (towards, power) in enumerate(zip(rays.towards, rays.power, strict=True)):
        takers = [lit for lit in receivers if number % lit.every == lit.first]
        if not takers:
            continue
        heights = _heights(towards, points, cell_mm, bounds)
        for lit in takers:
            facing = np.maximum(lit.normals @ (towards * (power * np.float32(lit.every))), 0)
            lit.open[:] += facing
            lit.light[:] += facing * (heights.at(lit.places) <= lit.places[:, 2])


@dataclass(frozen=True, slots=True, eq=False)
class _ShadowMap:
    """The highest point of each cell of the ground, sheared towards a light."""

    highest: NDArray[np.float32]
    slant: NDArray[np.float32]
    origin: NDArray[np.float32]
    cell_mm: float

    def cells(self, places: NDArray[np.float32], *, within: bool) -> NDArray[np.int32]:
        """Return the cell of each place; `within` asserts that all lie on the map."""
        import numpy as np

        z, indices = places[:, 2], []
        scale = np.float32(1 / self.cell_mm)
        deep, wide = self.highest.shape
        for axis, most in ((0, wide - 1), (1, deep - 1)):
            at = z * -self.slant[axis]
            at += places[:, axis]
            at -= self.origin[axis]
            at *= scale
            if not within:
                np.clip(at, 0, most, out=at)
            indices.append(at.astype(np.int32))
        cells: NDArray[np.int32] = indices[1] * np.int32(wide) + indices[0]
        return cells

    def at(self, places: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the height above which a place sees the light; minus infinity beside the scene."""
        import numpy as np

        heights: NDArray[np.float32] = np.take(self.highest, self.cells(places, within=False))
        return heights


def _heights(
    towards: NDArray[np.float32],
    points: NDArray[np.float32],
    cell_mm: float,
    bounds: tuple[NDArray[np.float32], NDArray[np.float32]],
) -> _ShadowMap:
    import numpy as np

    slant = towards[:2] / towards[2]
    low, high = bounds
    corners = np.array([at[:2] - slant * z for at in (low, high) for z in (low[2], high[2])])
    # A frame of empty cells takes what lies beyond the scene.
    origin, end = corners.min(axis=0) - 2 * cell_mm, corners.max(axis=0) + 2 * cell_mm
    wide, deep = np.ceil((end - origin) / cell_mm).astype(int).tolist()
    highest = np.full((deep, wide), -np.inf, np.float32)
    shadows = _ShadowMap(highest, slant, origin.astype(np.float32), cell_mm)
    # The lowest points come first and the last write stays: the highest of each cell.
    highest.reshape(-1)[shadows.cells(points, within=True)] = points[:, 2]
    return shadows

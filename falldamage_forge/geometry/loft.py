"""Prisms with chamfered ends: rings joined vertex by vertex, so a chamfer is one clean face."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from falldamage_forge.geometry.connectors import STANDARD
from falldamage_forge.geometry.solids import GeometryError, Solid, rings_of, union

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from shapely.geometry.base import BaseGeometry

    Rings = list[NDArray[np.float64]]

Chamfer = tuple[float, float]
"""How far an end's rim is drawn in (negative: flared out) and over which height, in mm."""

RELIEF: Chamfer = (STANDARD.relief_width_mm, STANDARD.relief_height_mm)
"""Against elephant's foot, for every edge that lies on the bed."""
FLARE: Chamfer = (-STANDARD.relief_width_mm, STANDARD.relief_height_mm)
"""The same for the mouth of a hole."""
SHORTEST_EDGE_MM = 0.02


def prism(
    outline: BaseGeometry,
    low_mm: float,
    high_mm: float,
    *,
    low: Chamfer | None = None,
    high: Chamfer | None = None,
    beyond_mm: float = 0.0,
) -> Solid:
    """The outline between two heights, with a chamfer at either end. Holes are chamfered too.

    `beyond_mm` lengthens the upper end past its chamfer, for tools that cut through a face.
    """
    import shapely

    parts = []
    for polygon in getattr(outline, "geoms", [outline]):
        rings = _clean_rings(shapely.geometry.polygon.orient(polygon))
        levels: list[tuple[Rings, float]] = []
        if low:
            levels.append((_inset(rings, low[0]), low_mm))
        levels.append((rings, low_mm + (low[1] if low else 0.0)))
        levels.append((rings, high_mm - (high[1] if high else 0.0)))
        if high:
            levels.append((_inset(rings, high[0]), high_mm))
        if beyond_mm:
            levels.append((levels[-1][0], high_mm + beyond_mm))
        parts.append(_loft(levels))
    return parts[0] if len(parts) == 1 else union(parts)


def extrude(outline: BaseGeometry, low_mm: float, high_mm: float) -> Solid:
    """The outline between two heights; an empty outline is an error, not an empty solid.

    manifold3d's own extrusion goes through single precision, which leaves pairs of points a
    millionth of a millimetre apart wherever it meets anything else.
    """
    if outline.is_empty or high_mm <= low_mm:
        raise GeometryError("nothing to extrude")
    return prism(outline, low_mm, high_mm)


def _clean_rings(polygon: BaseGeometry) -> Rings:
    """Rings without edges too short to be drawn in."""
    import numpy as np

    cleaned = []
    for ring in rings_of(polygon):
        points = [ring[0]]
        for point in ring[1:]:
            if np.hypot(point[0] - points[-1][0], point[1] - points[-1][1]) > SHORTEST_EDGE_MM:
                points.append(point)
        while (
            np.hypot(points[0][0] - points[-1][0], points[0][1] - points[-1][1]) <= SHORTEST_EDGE_MM
        ):
            points.pop()
        cleaned.append(np.array(points))
    return cleaned


def _inset(rings: Rings, distance_mm: float) -> Rings:
    """Each vertex moved along its mitre into the material (outer ring counter-clockwise)."""
    import numpy as np

    moved = []
    for ring in rings:
        along = np.roll(ring, -1, axis=0) - ring
        along /= np.linalg.norm(along, axis=1)[:, None]
        normal = np.column_stack([-along[:, 1], along[:, 0]])
        before = np.roll(normal, 1, axis=0)
        scale = 1.0 + np.einsum("ij,ij->i", normal, before)
        if (scale < 0.05).any():
            raise GeometryError("a corner is too sharp to be chamfered")
        moved.append(np.round(ring + distance_mm * (normal + before) / scale[:, None], 4))
    return moved


def _loft(levels: Sequence[tuple[Rings, float]]) -> Solid:
    """The solid between equal rings at rising heights."""
    import numpy as np
    from manifold3d import Manifold, Mesh64, triangulate

    count = sum(len(ring) for ring in levels[0][0])
    vertices = np.concatenate(
        [
            np.column_stack([np.concatenate(rings), np.full(count, height)])
            for rings, height in levels
        ]
    )
    ring_of = np.concatenate(
        [start + np.roll(np.arange(len(ring)), -1) for start, ring in _starts(levels[0][0])]
    )
    index = np.arange(count)
    faces = [np.asarray(triangulate(list(levels[0][0])))[:, ::-1]]
    for step in range(len(levels) - 1):
        a, b = index + step * count, ring_of + step * count
        faces.append(np.column_stack([a, b, b + count]))
        faces.append(np.column_stack([a, b + count, a + count]))
    faces.append(np.asarray(triangulate(list(levels[-1][0]))) + (len(levels) - 1) * count)
    solid = Manifold(Mesh64(vertices, np.concatenate(faces).astype(np.uint64)))
    if solid.is_empty():
        raise GeometryError(f"a loft is not closed: {solid.status()}")
    return solid


def _starts(rings: Rings) -> list[tuple[int, NDArray[np.float64]]]:
    starts, at = [], 0
    for ring in rings:
        starts.append((at, ring))
        at += len(ring)
    return starts

"""Lofts: prisms whose outline is inset or flared along their height, as one closed mesh.

Rings are joined vertex by vertex in double precision, so chamfers and grooves are single faces and
adjoining parts of a piece coincide exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from falldamage_forge.geometry.connector_standard import STANDARD
from falldamage_forge.geometry.csg import GeometryError, Solid, rings_of, union

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from shapely.geometry.base import BaseGeometry

    Rings = list[NDArray[np.float64]]

Chamfer = tuple[float, float]
"""Inset of an end's rim (negative: flare) and the height over which it grows, in mm."""
Profile = Sequence[tuple[float, float]]
"""(height, inset) pairs in mm, from below."""

RELIEF: Chamfer = (STANDARD.relief_width_mm, STANDARD.relief_height_mm)
"""Chamfer against elephant's foot, for every edge that lies on the bed."""
FLARE: Chamfer = (-STANDARD.relief_width_mm, STANDARD.relief_height_mm)
"""The same for the mouth of a hole."""
SHORTEST_EDGE_MM = 0.02


def loft_profile(outline: BaseGeometry, profile: Profile) -> Solid:
    """Return an outline lofted along a profile; holes follow it too.

    Args:
        outline: One polygon or several.
        profile: (height, inset) pairs in mm, from below.

    Raises:
        GeometryError: If the outline is empty or a corner is too sharp.
    """
    import shapely

    parts = []
    for polygon in getattr(outline, "geoms", [outline]):
        rings = _clean_rings(shapely.orient_polygons(polygon))
        parts.append(_loft([(_inset(rings, inset), height) for height, inset in profile]))
    if not parts:
        raise GeometryError("nothing to loft")
    return parts[0] if len(parts) == 1 else union(parts)


def prism(
    outline: BaseGeometry,
    low_mm: float,
    high_mm: float,
    *,
    low: Chamfer | None = None,
    high: Chamfer | None = None,
    beyond_mm: float = 0.0,
) -> Solid:
    """Return the outline between two heights, with a chamfer at either end, also of holes.

    Args:
        outline: One polygon or several.
        low_mm: Lower height.
        high_mm: Upper height.
        low: Chamfer of the lower end; None for none.
        high: Chamfer of the upper end; None for none.
        beyond_mm: Extra length past the upper chamfer, for tools that cut through a face.
    """
    profile = [(low_mm, low[0]), (low_mm + low[1], 0.0)] if low else [(low_mm, 0.0)]
    profile += [(high_mm - high[1], 0.0), (high_mm, high[0])] if high else [(high_mm, 0.0)]
    if beyond_mm:
        profile.append((high_mm + beyond_mm, profile[-1][1]))
    return loft_profile(outline, profile)


def extrude(outline: BaseGeometry, low_mm: float, high_mm: float) -> Solid:
    """Return the outline between two heights.

    manifold3d's own extrusion uses single precision, which leaves pairs of points 1e-6 mm apart
    where it meets another solid.

    Args:
        outline: Polygons in mm.
        low_mm: Height of the underside.
        high_mm: Height of the upper side.

    Raises:
        GeometryError: If the outline is empty or `high_mm` is not above `low_mm`.
    """
    if outline.is_empty or high_mm <= low_mm:
        raise GeometryError("nothing to extrude")
    return loft_profile(outline, [(low_mm, 0.0), (high_mm, 0.0)])


def _clean_rings(polygon: BaseGeometry) -> Rings:
    """Return the rings without edges that are too short to be inset."""
    import numpy as np

    cleaned = []
    for ring in rings_of(polygon):
        points = np.array(ring)
        while len(points) > 3:
            lengths = np.linalg.norm(points - np.roll(points, 1, axis=0), axis=1)
            short = lengths <= SHORTEST_EDGE_MM
            if not short.any():
                break
            points = np.delete(points, short.argmax(), axis=0)
        cleaned.append(points)
    return cleaned


def _inset(rings: Rings, distance_mm: float) -> Rings:
    """Move each vertex along its mitre into the material (outer ring counter-clockwise)."""
    import numpy as np

    if distance_mm == 0.0:
        return rings
    moved = []
    for ring in rings:
        along = np.roll(ring, -1, axis=0) - ring
        along /= np.linalg.norm(along, axis=1)[:, None]
        normal = np.column_stack([-along[:, 1], along[:, 0]])
        before = np.roll(normal, 1, axis=0)
        scale = 1.0 + (normal * before).sum(axis=1)
        if (scale < 0.05).any():
            raise GeometryError("a corner is too sharp to be chamfered")
        moved.append(np.round(ring + distance_mm * (normal + before) / scale[:, None], 4))
    return moved


def _loft(levels: Sequence[tuple[Rings, float]]) -> Solid:
    """Return the solid between equal rings at rising heights."""
    import numpy as np
    from manifold3d import Manifold, Mesh64, triangulate

    sizes = [len(ring) for ring in levels[0][0]]
    count = sum(sizes)
    vertices = np.empty((count * len(levels), 3))
    for step, (rings, height) in enumerate(levels):
        part = vertices[step * count : (step + 1) * count]
        np.concatenate(rings, out=part[:, :2])
        part[:, 2] = height
    here = np.arange(count)
    ahead = here + 1
    ends = np.cumsum(sizes)
    ahead[ends - 1] = ends - sizes
    below = np.asarray(triangulate(levels[0][0]))[:, ::-1]
    above = np.asarray(triangulate(levels[-1][0])) + (len(levels) - 1) * count
    sides = np.concatenate(
        [
            np.column_stack([here, ahead, ahead + count]),
            np.column_stack([here, ahead + count, here + count]),
        ]
    )
    faces = [below, *(sides + step * count for step in range(len(levels) - 1)), above]
    solid = Manifold(Mesh64(vertices, np.concatenate(faces).astype(np.uint64)))
    if solid.is_empty():
        raise GeometryError(f"a loft is not closed: {solid.status()}")
    return solid


def shell_of(
    outside: Sequence[tuple[float, NDArray[np.float64]]],
    inside: Sequence[tuple[float, NDArray[np.float64]]],
) -> Solid:
    """Return a box that is open below, from the rings of its outside and of its inside.

    The rim joins the lowest rings, which lie at one height; the highest are closed.

    Args:
        outside: (height, ring) pairs in mm from below; rings have shape (n, 2), counter-clockwise,
            with the same n.
        inside: The same for the cavity.
    """
    import numpy as np
    from manifold3d import Manifold, Mesh64, triangulate

    vertices, faces = [], []
    starts = []
    at = 0
    for levels, inward in ((outside, False), (inside, True)):
        starts.append(at)
        count = len(levels[0][1])
        here = np.arange(count)
        ahead = np.roll(here, -1)
        sides = np.concatenate(
            [
                np.column_stack([here, ahead, ahead + count]),
                np.column_stack([here, ahead + count, here + count]),
            ]
        )
        triangles = [sides + at + step * count for step in range(len(levels) - 1)]
        triangles.append(np.asarray(triangulate([levels[-1][1]])) + at + (len(levels) - 1) * count)
        faces += [part[:, ::-1] for part in triangles] if inward else triangles
        vertices += [np.column_stack([ring, np.full(count, z)]) for z, ring in levels]
        at += count * len(levels)
    outer, inner = outside[0][1], inside[0][1]
    rim = np.asarray(triangulate([outer, inner[::-1]]))
    # The inner ring was handed over backwards: count its points from its end.
    lowest = np.concatenate([np.arange(len(outer)), starts[1] + np.arange(len(inner))[::-1]])
    faces.append(lowest[rim][:, ::-1])
    solid = Manifold(Mesh64(np.concatenate(vertices), np.concatenate(faces).astype(np.uint64)))
    if solid.is_empty():
        raise GeometryError(f"a shell is not closed: {solid.status()}")
    return solid

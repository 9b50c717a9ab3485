"""Prisms whose outline is drawn in or flared along their height, as one clean loft.

Rings are joined vertex by vertex, in double precision, so chamfers and grooves are single faces
and no two parts of a piece are a rounding error apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from falldamage_forge.geometry.solids import GeometryError, Solid, rings_of, union
from falldamage_forge.geometry.standard import STANDARD

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from shapely.geometry.base import BaseGeometry

    Rings = list[NDArray[np.float64]]

Chamfer = tuple[float, float]
"""How far an end's rim is drawn in (negative: flared out) and over which height, in mm."""
Profile = Sequence[tuple[float, float]]
"""(height, inset) pairs from below; the outline is drawn in by the inset at that height, in mm."""

RELIEF: Chamfer = (STANDARD.relief_width_mm, STANDARD.relief_height_mm)
"""Against elephant's foot, for every edge that lies on the bed."""
FLARE: Chamfer = (-STANDARD.relief_width_mm, STANDARD.relief_height_mm)
"""The same for the mouth of a hole."""
SHORTEST_EDGE_MM = 0.02


def profiled(outline: BaseGeometry, profile: Profile) -> Solid:
    """The outline (one polygon or many) lofted along a profile; holes follow it too."""
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
    """The outline between two heights, with a chamfer at either end. Holes are chamfered too.

    `beyond_mm` lengthens the upper end past its chamfer, for tools that cut through a face.
    """
    profile = [(low_mm, low[0]), (low_mm + low[1], 0.0)] if low else [(low_mm, 0.0)]
    profile += [(high_mm - high[1], 0.0), (high_mm, high[0])] if high else [(high_mm, 0.0)]
    if beyond_mm:
        profile.append((high_mm + beyond_mm, profile[-1][1]))
    return profiled(outline, profile)


def extrude(outline: BaseGeometry, low_mm: float, high_mm: float) -> Solid:
    """The outline between two heights; an empty outline is an error, not an empty solid.

    manifold3d's own extrusion goes through single precision, which leaves pairs of points a
    millionth of a millimetre apart wherever it meets anything else.
    """
    if outline.is_empty or high_mm <= low_mm:
        raise GeometryError("nothing to extrude")
    return profiled(outline, [(low_mm, 0.0), (high_mm, 0.0)])


def _clean_rings(polygon: BaseGeometry) -> Rings:
    """Rings without edges too short to be drawn in."""
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
    """Each vertex moved along its mitre into the material (outer ring counter-clockwise)."""
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
    """The solid between equal rings at rising heights."""
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
    """A box that is open below from the rings of its outside and of its inside, from below.

    Rings are (n, 2) arrays, counter-clockwise, all of one side equally long; the lowest ones lie at
    one height and are joined by the rim, the highest are closed.
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
        made = [sides + at + step * count for step in range(len(levels) - 1)]
        made.append(np.asarray(triangulate([levels[-1][1]])) + at + (len(levels) - 1) * count)
        faces += [part[:, ::-1] for part in made] if inward else made
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

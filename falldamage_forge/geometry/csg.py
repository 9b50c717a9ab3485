"""Solid operations over manifold3d and shapely; other modules use both through this one.

Outlines are shapely polygons in mm, solids are manifold3d Manifolds; both are immutable.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from falldamage_forge.infra.interrupts import interrupts_deferred

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

    from falldamage_forge.geometry.mesh import Mesh

WELD_MM = 0.002
"""Points this close remain after boolean operations; float32 would merge them."""

Solid = Any
"""A `manifold3d.Manifold`; that package carries no types."""


class GeometryError(ValueError):
    """An empty, open, inverted or non-finite shape: a bug in a builder, not a problem of a map."""


@cache
def load_library() -> None:
    """Import the library of solids, which crashes or forgets Ctrl-C that arrives meanwhile."""
    with interrupts_deferred():
        import manifold3d  # noqa: F401


def rings_of(outline: BaseGeometry) -> Iterable[list[tuple[float, float]]]:
    """Yield the rings of a polygon or multipolygon, outer and inner, without the closing point."""
    for polygon in getattr(outline, "geoms", [outline]):
        if polygon.geom_type != "Polygon" or polygon.is_empty:
            continue
        for ring in (polygon.exterior, *polygon.interiors):
            yield [(round(x, 4), round(y, 4)) for x, y in ring.coords[:-1]]


def hull(points: Sequence[tuple[float, float, float]]) -> Solid:
    """Return the convex hull of points (x, y, z) in mm."""
    import numpy as np
    from manifold3d import Manifold

    return Manifold.hull_points(np.asarray(points, dtype=np.float64))


def frustum(low_half_mm: float, high_half_mm: float, low_mm: float, high_mm: float) -> Solid:
    """Return a square frustum about the z axis from its half widths at two heights.

    Args:
        low_half_mm: Half width at the lower height.
        high_half_mm: Half width at the upper height.
        low_mm: Lower height.
        high_mm: Upper height.
    """
    return hull(
        [
            (x * half, y * half, z)
            for half, z in ((low_half_mm, low_mm), (high_half_mm, high_mm))
            for x in (-1, 1)
            for y in (-1, 1)
        ]
    )


def revolve(profile: Sequence[tuple[float, float]], segments: int) -> Solid:
    """Return a solid of revolution about z from (radius, height) points.

    Args:
        profile: Points (radius, height) in mm, in order.
        segments: Number of sides of the solid.
    """
    from manifold3d import CrossSection, FillRule, Manifold

    return Manifold.revolve(CrossSection([list(profile)], FillRule.EvenOdd), segments)


def union(solids: Iterable[Solid]) -> Solid:
    """Return the union of all solids, in the order given."""
    from manifold3d import Manifold, OpType

    return Manifold.batch_boolean(list(solids), OpType.Add)


def subtract(solid: Solid, tools: Iterable[Solid]) -> Solid:
    """Return the solid without any of the tools.

    Args:
        solid: Solid to cut.
        tools: Solids to take away.
    """
    from manifold3d import Manifold, OpType

    return Manifold.batch_boolean([solid, *tools], OpType.Subtract)


def force_evaluation(solid: Solid) -> Solid:
    """Force evaluation of a lazy solid, so that its copies share the result; return it."""
    solid.num_tri()
    return solid


def fresh_copy(solid: Solid) -> Solid:
    """Return the solid with a new identity, as if it were built now.

    Where faces of two solids are coplanar, the kernel's triangulation depends on which solid is
    older. A solid in a cache must not be older than one piece and younger than another.
    """
    return solid.as_original()


def translate(solid: Solid, x_mm: float = 0.0, y_mm: float = 0.0, z_mm: float = 0.0) -> Solid:
    """Return the solid shifted by a vector in mm.

    Args:
        solid: Solid to move.
        x_mm: Shift to the east.
        y_mm: Shift to the north.
        z_mm: Shift upwards.
    """
    return solid.translate((x_mm, y_mm, z_mm))


def stand_upright(flat: Solid, axis: str) -> Solid:
    """Return a solid built flat as (run, height, sweep), rotated so that it is swept along `axis`.

    Along "y" the run is x, and the sweep begins at the northern (greater y) end: sweep 0..t lies at
    y 0..-t. Along "x" the run is y and the sweep is x. Both are rotations.

    Args:
        flat: Solid as (run, height, sweep), in mm.
        axis: "x" or "y".
    """
    if axis == "y":
        return flat.transform([[1, 0, 0, 0], [0, 0, -1, 0], [0, 1, 0, 0]])
    return flat.transform([[0, 0, 1, 0], [1, 0, 0, 0], [0, 1, 0, 0]])


def rise_for_mm(run_mm: float, slope_deg: float) -> float:
    """Return the height that an overhang of `run_mm` needs at a slope from the horizontal.

    Args:
        run_mm: Length of the overhang.
        slope_deg: Slope from the horizontal, in degrees.
    """
    return run_mm * math.tan(math.radians(slope_deg))


def section(solid: Solid, z_mm: float) -> BaseGeometry:
    """Return the solid's cross-section at a height, as shapely polygons.

    Args:
        solid: Solid to cut.
        z_mm: Height of the cut.
    """
    import shapely

    rings = [shapely.Polygon(ring) for ring in solid.slice(z_mm).to_polygons() if len(ring) >= 3]
    shape: BaseGeometry = shapely.Polygon()
    for ring in sorted(rings, key=lambda ring: -ring.area):
        shape = shapely.symmetric_difference(shape, ring)
    return shape


def to_mesh(solid: Solid) -> Mesh:
    """Return the solid's triangles in canonical order, each with an area.

    Raises:
        GeometryError: If the solid is empty, inverted or not finite.
    """
    import numpy as np

    from falldamage_forge.geometry.flat_triangles import without_flat
    from falldamage_forge.geometry.mesh import Mesh
    from falldamage_forge.geometry.touching_edges import parted

    status = str(solid.status()).rsplit(".", 1)[-1]
    if status != "NoError":
        raise GeometryError(f"the solid is not valid: {status}")
    raw = _rounded(solid.simplify(WELD_MM)).simplify(WELD_MM).to_mesh()
    vertices = np.ascontiguousarray(np.asarray(raw.vert_properties)[:, :3], dtype=np.float32)
    faces = np.ascontiguousarray(raw.tri_verts, dtype=np.int32)
    if len(faces) == 0:
        raise GeometryError("the solid is empty")
    if not np.isfinite(vertices).all():
        raise GeometryError("a vertex is not a finite number")
    if solid.volume() <= 0:
        raise GeometryError("the solid is inside out")
    return parted(without_flat(Mesh(vertices, faces).in_order())).in_order()


def from_mesh(mesh: Mesh) -> Solid:
    """Return the solid of a mesh.

    Raises:
        GeometryError: If the mesh is not closed.
    """
    import numpy as np

    load_library()
    from manifold3d import Manifold
    from manifold3d import Mesh as Triangles

    solid = Manifold(Triangles(mesh.vertices, mesh.faces.astype(np.uint32)))
    if solid.is_empty():
        raise GeometryError(f"the mesh is not a closed solid: {solid.status()}")
    return solid


def _rounded(solid: Solid) -> Solid:
    """Return the solid with vertices rounded to 0.001 mm, which removes slivers."""
    import numpy as np
    from manifold3d import Manifold
    from manifold3d import Mesh as Triangles

    raw = solid.to_mesh64()
    points = np.round(np.asarray(raw.vert_properties)[:, :3], 3)
    rounded = Manifold(
        Triangles(points.astype(np.float32), np.asarray(raw.tri_verts).astype(np.uint32))
    )
    if rounded.is_empty():
        raise GeometryError(f"the solid is not closed after rounding: {rounded.status()}")
    return rounded

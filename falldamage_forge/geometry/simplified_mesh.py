"""Simplified meshes: parts with fewer triangles, for pictures and pages."""

from __future__ import annotations

from falldamage_forge.geometry.mesh import Mesh
from falldamage_forge.geometry.mesh_cache import cached_shape
from falldamage_forge.infra.disk_cache import key_of

STEPS_PER_MM = 64
"""Corners are rounded to a 64th of a millimetre: unseen, and half as large when packed."""
COARSER, COARSEST_MM = 1.6, 4.0
"""Growth of the tolerance while a mesh has too many triangles, and its greatest."""


def simplified(mesh: Mesh, tolerance_mm: float) -> Mesh:
    """Return a mesh with fewer triangles, cached on disk; the mesh itself if it is not closed.

    Args:
        mesh: Closed mesh in mm.
        tolerance_mm: Greatest distance from the mesh.
    """
    return cached_shape(
        simplified_key(mesh, tolerance_mm), lambda: make_simplified(mesh, tolerance_mm)
    )


def simplified_key(mesh: Mesh, tolerance_mm: float) -> str:
    """Return the key of a simplified mesh in the mesh cache; arguments as of `simplified`."""
    return key_of("simplified", (repr(tolerance_mm).encode(), mesh.digest().encode()))


def make_simplified(mesh: Mesh, tolerance_mm: float) -> Mesh:
    """Return the result of `simplified`, made without the cache."""
    import manifold3d
    import numpy as np

    corners = np.ascontiguousarray(mesh.vertices, np.float32)
    whole = manifold3d.Manifold(manifold3d.Mesh(corners, np.array(mesh.faces, np.uint32)))
    if whole.status() != manifold3d.Error.NoError or whole.is_empty():
        return mesh
    slim = whole.simplify(tolerance_mm).to_mesh()
    places = np.asarray(slim.vert_properties, np.float32)[:, :3]
    rounded = np.round(places * STEPS_PER_MM) / np.float32(STEPS_PER_MM)
    return Mesh(rounded, np.asarray(slim.tri_verts, np.int32)).in_order()


def few_faces(mesh: Mesh, most: int, tolerance_mm: float) -> Mesh:
    """Return a mesh with at most some triangles, if its tolerance need not exceed 4 mm for that.

    Args:
        mesh: Closed mesh in mm.
        most: Greatest number of triangles.
        tolerance_mm: Distance from the mesh to begin with.
    """
    slim = simplified(mesh, tolerance_mm)
    while len(slim.faces) > most and tolerance_mm < COARSEST_MM:
        tolerance_mm *= COARSER
        slim = simplified(mesh, tolerance_mm)
    return slim

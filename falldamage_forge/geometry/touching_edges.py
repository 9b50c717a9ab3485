"""Edges along which a solid touches itself.

Four triangles meet there, and a file cannot say which two belong together. Such edges come about
where rounding moves two edges that nearly touched onto each other. `parted` moves the corners of
one of them into its solid by a hair.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from falldamage_forge.geometry.mesh import Mesh
from falldamage_forge.models.mesh_edges import edges_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

APART_MM = 0.002
"""Distance by which a corner moves: more than coordinates are rounded by, and never seen."""


def parted(mesh: Mesh) -> Mesh:
    """Return a closed mesh that touches itself along no edge; the same mesh if none does.

    Args:
        mesh: Triangles in mm, closed by its indices, `in_order`: corners of one place follow each
            other.
    """
    import numpy as np

    new = (mesh.vertices[1:] != mesh.vertices[:-1]).any(axis=1)
    if new.all():
        return mesh
    place = np.concatenate([[0], np.cumsum(new)])
    edges = edges_of(place[mesh.faces])
    ends = np.unique(edges.corners[edges.uses > 2])
    if not len(ends):
        return mesh
    inwards = -_normals(mesh)
    vertices = mesh.vertices.copy()
    for end in ends.tolist():
        corners = np.flatnonzero(place == end).tolist()
        # The order of corners of one place depends on earlier operations, their normals do not.
        for corner in sorted(corners, key=lambda corner: inwards[corner].tolist())[1:]:
            vertices[corner] += (APART_MM * inwards[corner]).astype(np.float32)
    return Mesh(vertices, mesh.faces)


def _normals(mesh: Mesh) -> NDArray[np.float64]:
    """Return the outward normal at each corner, the mean of its triangles by area."""
    import numpy as np

    a, b, c = (mesh.vertices[mesh.faces[:, corner]].astype(np.float64) for corner in range(3))
    crossed = np.cross(b - a, c - a)
    normals = np.zeros((len(mesh.vertices), 3))
    for corner in range(3):
        np.add.at(normals, mesh.faces[:, corner], crossed)
    normals /= np.maximum(np.linalg.norm(normals, axis=1), 1e-12)[:, None]
    return normals

"""Triangles without area, which boolean operations leave where three corners lie on one line.

Such a triangle closes the gap between an edge and the two shorter edges along it. `without_flat`
flips the long edge: its two triangles become two others of the same four corners, so that the mesh
stays closed and its surface does not move.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from falldamage_forge.geometry.mesh import Mesh

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FLAT_MM = 5e-5
"""A triangle that is no higher than this above its longest edge has no area: single precision
moves a corner on a bed by as much."""


def flat_triangles(corners: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Return which triangles have no area.

    Args:
        corners: Corners in mm, shape (n, 3, 3).
    """
    return _heights_mm(corners) <= FLAT_MM


def without_flat(mesh: Mesh) -> Mesh:
    """Return a closed mesh without triangles of no area; the same mesh if it has none.

    Args:
        mesh: Triangles in mm; no two of its corners are equal.
    """
    import numpy as np

    flat = np.flatnonzero(flat_triangles(mesh.vertices[mesh.faces]))
    flips = _Flips(mesh) if len(flat) else None
    # Of a fan of flat triangles on one line a round may free only one. Each flip raises the lower
    # of two heights, so that the rounds end.
    while flips is not None and any(flips.flip(number) for number in flat.tolist()):
        mesh = Mesh(mesh.vertices, np.array(flips.faces, np.int32))
        flat = np.flatnonzero(flat_triangles(mesh.vertices[mesh.faces]))
    return mesh


def _heights_mm(corners: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return the height of triangles above their longest edge, shape (n,)."""
    import numpy as np

    a, b, c = (corners[:, corner].astype(np.float64) for corner in range(3))
    doubled = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    longest = np.max([np.linalg.norm(one, axis=1) for one in (b - a, c - b, a - c)], axis=0)
    heights: NDArray[np.float64] = doubled / np.maximum(longest, np.finfo(float).tiny)
    return heights


class _Flips:
    """Faces of a mesh and the face to the left of each directed edge, kept while edges flip."""

    def __init__(self, mesh: Mesh) -> None:
        self._vertices = mesh.vertices
        self.faces: list[list[int]] = mesh.faces.tolist()
        self._left = {
            edge: number for number, face in enumerate(self.faces) for edge in _edges(face)
        }

    def flip(self, number: int) -> bool:
        """Flip the longest edge of a flat triangle; True if neither new triangle is worse."""
        a, b, c = self._longest_first(number)
        other = self._left[b, a]
        d = next(corner for corner in self.faces[other] if corner not in (a, b))
        if (c, d) in self._left or (d, c) in self._left:
            return False
        new = ([c, a, d], [b, c, d])
        before = min(self._heights([self.faces[number], self.faces[other]]))
        if min(self._heights(new)) <= before:
            return False
        for edge in ((a, b), (b, a)):
            del self._left[edge]
        for place, face in zip((number, other), new, strict=True):
            self.faces[place] = face
            for edge in _edges(face):
                self._left[edge] = place
        return True

    def _longest_first(self, number: int) -> tuple[int, int, int]:
        """Return the corners of a triangle, its longest edge first."""
        import numpy as np

        face = self.faces[number]
        points = self._vertices[face].astype(np.float64)
        lengths = np.linalg.norm(points - np.roll(points, -1, axis=0), axis=1)
        first = int(lengths.argmax())
        a, b, c = (face[(first + step) % 3] for step in range(3))
        return a, b, c

    def _heights(self, faces: list[list[int]] | tuple[list[int], ...]) -> list[float]:
        import numpy as np

        heights: list[float] = _heights_mm(self._vertices[np.array(faces)]).tolist()
        return heights


def _edges(face: list[int]) -> list[tuple[int, int]]:
    a, b, c = face
    return [(a, b), (b, c), (c, a)]

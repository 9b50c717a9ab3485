"""Triangle mesh: the type that geometry hands to printing, export and render."""

from __future__ import annotations

import hashlib
from dataclasses import field
from typing import TYPE_CHECKING, Any

from falldamage_forge.infra.lazy_dataclass import dataclass

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def extent(points: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the least and the greatest x, y and z of points, shape (n, 3)."""
    import numpy as np

    # One axis after the other: numpy takes several times longer with three numbers a row.
    columns = [points[:, axis] for axis in range(3)]
    low, high = [column.min() for column in columns], [column.max() for column in columns]
    return np.array(low, np.float32), np.array(high, np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Mesh:
    """Triangles in mm: `vertices` float32 of shape (n, 3), `faces` int32 (m, 3), outward."""

    vertices: NDArray[np.float32]
    faces: NDArray[np.int32]
    _digests: list[str] = field(default_factory=list, init=False, repr=False)
    """The digest, once it was asked for: a build asks several times for that of each mesh."""

    def bounds_mm(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Return least and greatest x, y, z."""
        low, high = extent(self.vertices)
        return tuple(map(float, low)), tuple(map(float, high))

    def numbers(self) -> tuple[tuple[float, ...], tuple[int, ...]]:
        """Return the numbers of all vertices and of all faces, one after the other."""
        return tuple(self.vertices.ravel().tolist()), tuple(self.faces.ravel().tolist())

    def digest(self) -> str:
        """Return a digest of the triangles: equal meshes intersect alike."""
        if not self._digests:
            digest = hashlib.sha256(self.vertices.tobytes())
            digest.update(self.faces.tobytes())
            self._digests.append(digest.hexdigest())
        return self._digests[0]

    def in_order(self) -> Mesh:
        """Return the same triangles in canonical order.

        Corners are sorted by x, y, z; each triangle begins at its first corner. The kernel's order
        may depend on earlier operations; the shape does not.
        """
        import numpy as np

        order = np.lexsort(self.vertices.T[::-1])
        rank = np.empty(len(order), np.int32)
        rank[order] = np.arange(len(order), dtype=np.int32)
        faces = rank[self.faces]
        first = faces.argmin(axis=1)[:, None]
        faces = np.take_along_axis(faces, (first + np.arange(3)) % 3, axis=1)
        faces = faces[np.lexsort(faces.T[::-1])]
        return Mesh(self.vertices[order], np.ascontiguousarray(faces, dtype=np.int32))

    def to_trimesh(self) -> Any:
        """Return the same triangles as a `trimesh.Trimesh`."""
        from trimesh import Trimesh

        return Trimesh(self.vertices, self.faces, process=False)

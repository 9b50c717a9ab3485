"""The one mesh value that leaves the geometry room."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Mesh:
    """Triangles in mm: `vertices` float32 of shape (n, 3), `faces` int32 (m, 3), outward."""

    vertices: NDArray[np.float32]
    faces: NDArray[np.int32]

    def bounds_mm(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Least and greatest x, y, z."""
        return tuple(map(float, self.vertices.min(axis=0))), tuple(
            map(float, self.vertices.max(axis=0))
        )

    def in_order(self) -> Mesh:
        """The same triangles in the one order: corners by x, y, z, each triangle from its first.

        A kernel's own order may hang on what it worked out before; the shape does not.
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

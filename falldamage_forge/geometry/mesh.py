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

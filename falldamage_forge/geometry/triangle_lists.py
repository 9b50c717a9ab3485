"""Triangle lists: a mesh as plain Python values, for a page without numpy."""

from __future__ import annotations

from collections.abc import Sequence

from falldamage_forge.infra.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class TriangleLists:
    """Triangles in mm: x, y, z of each vertex, and the three corners of each face, outward."""

    vertices: Sequence[tuple[float, float, float]]
    faces: Sequence[tuple[int, int, int]]
    low_mm: tuple[float, float, float]
    high_mm: tuple[float, float, float]

    def bounds_mm(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Return least and greatest x, y, z."""
        return self.low_mm, self.high_mm

    def numbers(self) -> tuple[tuple[float, ...], tuple[int, ...]]:
        """Return the numbers of all vertices and of all faces, one after the other."""
        return tuple(n for row in self.vertices for n in row), tuple(
            n for row in self.faces for n in row
        )

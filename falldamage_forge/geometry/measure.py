"""Numbers of a mesh: volume, surface and size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from falldamage_forge.geometry.mesh import Mesh

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FLAT_COSINE = 0.9
"""Faces within about 25 degrees of level count as flat: they print as skins, the rest as walls."""
CREASE_COSINE = 0.985
"""Faces that meet at more than about 10 degrees make a crease: a nozzle slows down there."""


@dataclass(frozen=True, slots=True)
class Measure:
    """What lists and estimates need.

    `flat_mm2` is the surface of level faces; `crease_mm` is how far all creases rise together, so
    that divided by a layer it is how often a nozzle has to turn.
    """

    volume_mm3: float
    area_mm2: float
    flat_mm2: float
    size_mm: tuple[float, float, float]
    crease_mm: float = 0.0


def measure(mesh: Mesh) -> Measure:
    """Volume, area and extents of a closed mesh, computed in double precision."""
    import numpy as np

    corners = mesh.vertices.astype(np.float64)[mesh.faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    volume = float(np.einsum("ij,ij->", corners[:, 0], normals) / 6.0)
    doubled = np.linalg.norm(normals, axis=1)
    area = float(doubled.sum() / 2.0)
    flat = float(doubled[np.abs(normals[:, 2]) > FLAT_COSINE * doubled].sum() / 2.0)
    low, high = mesh.bounds_mm()
    return Measure(
        volume,
        area,
        flat,
        (high[0] - low[0], high[1] - low[1], high[2] - low[2]),
        _crease_mm(mesh, normals / np.maximum(doubled, 1e-12)[:, None]),
    )


def _crease_mm(mesh: Mesh, normals: NDArray[np.float64]) -> float:
    """Creases of a mesh whose faces have these normals, by edges that belong to two faces.

    A mesh that is not closed is measured before it is refused: 0 there.
    """
    import numpy as np

    faces = mesh.faces.astype(np.int64)
    starts, ends = faces.ravel(), np.roll(faces, -1, axis=1).ravel()
    edges = np.minimum(starts, ends) * len(mesh.vertices) + np.maximum(starts, ends)
    order = np.argsort(edges)
    one, other = order[::2], order[1::2]
    if len(one) != len(other) or (edges[one] != edges[other]).any():
        return 0.0
    cosines = np.einsum("ij,ij->i", normals[one // 3], normals[other // 3])
    z = mesh.vertices[:, 2].astype(np.float64)
    rises = np.abs(z[starts[one]] - z[ends[one]])
    return float(rises[cosines < CREASE_COSINE].sum())

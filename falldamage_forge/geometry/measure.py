"""Numbers of a mesh: volume, surface and size."""

from __future__ import annotations

from dataclasses import dataclass

from falldamage_forge.geometry.mesh import Mesh

FLAT_COSINE = 0.9
"""Faces within about 25 degrees of level count as flat: they print as skins, the rest as walls."""


@dataclass(frozen=True, slots=True)
class Measure:
    """What lists and estimates need. `flat_mm2` is the surface of level faces."""

    volume_mm3: float
    area_mm2: float
    flat_mm2: float
    size_mm: tuple[float, float, float]


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
    )

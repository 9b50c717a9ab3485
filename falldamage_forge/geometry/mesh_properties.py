"""Properties of a mesh: volume, surface and size."""

from __future__ import annotations

from functools import lru_cache

from falldamage_forge.geometry.mesh import Mesh
from falldamage_forge.infra.lazy_dataclass import dataclass

FLAT_COSINE = 0.9
"""Faces within about 25 degrees of level count as flat: they print as skins, others as walls."""


@dataclass(frozen=True, slots=True)
class MeshProperties:
    """Properties that lists and estimates use.

    `area_mm2` is the whole surface, `flat_mm2` that of level faces, `size_mm` the extents in x, y,
    z.
    """

    volume_mm3: float
    area_mm2: float
    flat_mm2: float
    size_mm: tuple[float, float, float]


def measure(mesh: Mesh) -> MeshProperties:
    """Return volume, area and extents of a closed mesh, computed in double precision."""
    import numpy as np

    corners = mesh.vertices.astype(np.float64)[mesh.faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    volume = float(np.einsum("ij,ij->", corners[:, 0], normals) / 6.0)
    doubled = np.linalg.norm(normals, axis=1)
    area = float(doubled.sum() / 2.0)
    flat = float(doubled[np.abs(normals[:, 2]) > FLAT_COSINE * doubled].sum() / 2.0)
    low, high = mesh.bounds_mm()
    return MeshProperties(
        volume,
        area,
        flat,
        (high[0] - low[0], high[1] - low[1], high[2] - low[2]),
    )


@lru_cache(maxsize=512)
def volume_below_mm3(mesh: Mesh, height_mm: float) -> float:
    """Return the volume of a closed mesh below a height; builds of the same parts share it.

    Args:
        mesh: Closed mesh in print pose, in mm.
        height_mm: Height of the cut above the bed.
    """
    import manifold3d
    import numpy as np

    corners, faces = mesh.vertices.astype(np.float32), mesh.faces.astype(np.uint32)
    whole = manifold3d.Manifold(manifold3d.Mesh(corners, faces))
    return float(whole.trim_by_plane((0, 0, -1), -height_mm).volume())

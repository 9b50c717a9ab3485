"""Meshes of plates: the parts' meshes moved to their slots."""

from __future__ import annotations

from collections.abc import Mapping

from falldamage_forge.geometry.mesh import Mesh
from falldamage_forge.printing.plates import Plate, Slot


def slot_matrix(slot: Slot, mesh: Mesh) -> tuple[tuple[float, ...], ...]:
    """Return the 3x4 matrix of rotation and shift from print pose to a slot.

    Args:
        slot: Place (mm) and quarter turns on the bed.
        mesh: Mesh of the part in print pose, in mm.
    """
    (x0, y0, z0), (x1, y1, _) = mesh.bounds_mm()
    cosine, sine = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[slot.quarter_turns % 4]
    corners = [(cosine * x - sine * y, sine * x + cosine * y) for x in (x0, x1) for y in (y0, y1)]
    return (
        (cosine, -sine, 0.0, slot.x_mm - min(x for x, _ in corners)),
        (sine, cosine, 0.0, slot.y_mm - min(y for _, y in corners)),
        (0.0, 0.0, 1.0, -z0),
    )


def plate_mesh(plate: Plate, meshes: Mapping[str, Mesh]) -> Mesh:
    """Return all parts of a plate as one mesh in the bed's mm, in the order of the slots.

    Args:
        plate: Plate with its slots.
        meshes: Mesh of each part in print pose, by key.
    """
    import numpy as np

    vertices, faces, offset = [], [], 0
    for slot in plate.slots:
        mesh = meshes[slot.key]
        matrix = np.array(slot_matrix(slot, mesh))
        moved = mesh.vertices.astype(np.float64) @ matrix[:, :3].T + matrix[:, 3]
        vertices.append(moved.astype(np.float32))
        faces.append(mesh.faces + offset)
        offset += len(mesh.vertices)
    return Mesh(np.concatenate(vertices), np.concatenate(faces).astype(np.int32))

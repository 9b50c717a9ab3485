"""What the geometry tests share."""

import numpy as np
import pytest

from falldamage_forge import presets
from falldamage_forge.geometry.mesh import Mesh
from falldamage_forge.pieces.catalogue import Catalogue
from falldamage_forge.printing.printer import Printer


@pytest.fixture(scope="session")
def catalogue() -> Catalogue:
    return presets.load_catalogue()


@pytest.fixture(scope="session")
def printer() -> Printer:
    return presets.load_printer("a1-mini")


def stl_bytes(mesh: Mesh) -> bytes:
    """A binary STL written as plainly as can be, so that tests do not lean on the exporter."""
    kind = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("spare", "<u2")])
    rows = np.zeros(len(mesh.faces), kind)
    corners = mesh.vertices[mesh.faces]
    rows["corners"] = corners
    # A file of nothing but round positive numbers would pass for text with some readers.
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    rows["normal"] = normals / np.maximum(np.linalg.norm(normals, axis=1), 1e-9)[:, None]
    return bytes(80) + len(rows).to_bytes(4, "little") + rows.tobytes()


def mesh_of(solid: object) -> Mesh:
    """The mesh of a trimesh object."""
    return Mesh(
        np.asarray(solid.vertices, np.float32),  # type: ignore[attr-defined]
        np.asarray(solid.faces, np.int32),  # type: ignore[attr-defined]
    )

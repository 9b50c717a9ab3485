"""Binary STL, its one writer and its one reader: the same mesh always gives the same bytes.

Format: an 80-byte header, a little-endian uint32 count, then 50 bytes a triangle (normal, three
vertices, two bytes of attributes). STL carries no unit; ours are millimetres.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from falldamage_forge.geometry.mesh import Mesh
from falldamage_forge.issues import ForgeError, Issue

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAX_TRIANGLES = 4_000_000
HEADER_BYTES, TRIANGLE_BYTES = 84, 50
RECORD = [("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")]


def _refuse(name: str, why: str) -> ForgeError:
    return ForgeError([Issue("FDF460", "error", f"`{name}` was not written: {why}")])


def write_stl(mesh: Mesh, name: str) -> bytes:
    """The bytes of a closed mesh. ForgeError (FDF460) for NaN, empty, huge or inverted meshes."""
    import numpy as np

    count = len(mesh.faces)
    if count == 0:
        raise _refuse(name, "the mesh is empty")
    if count > MAX_TRIANGLES:
        raise _refuse(name, f"{count} triangles are more than {MAX_TRIANGLES}")
    if not np.isfinite(mesh.vertices).all():
        raise _refuse(name, "a vertex is not a finite number")
    corners = mesh.vertices.astype("<f4")[mesh.faces]
    normals = _crossed(corners)
    if float((corners[:, 0] * normals).sum()) <= 0:
        raise _refuse(name, "the mesh is inside out")
    lengths = np.sqrt((normals * normals).sum(axis=1, keepdims=True))
    records = np.zeros(count, dtype=RECORD)
    records["normal"] = normals / np.where(lengths > 0, lengths, 1)
    records["corners"] = corners
    title = f"FallDamage Forge; millimetres; {name}".encode("ascii", "replace")[:80]
    body: bytes = records.tobytes()
    return title.ljust(80, b" ") + count.to_bytes(4, "little") + body


def _crossed(corners: NDArray[np.float32]) -> NDArray[np.float64]:
    """Normals of (n, 3, 3) triangles, twice their area long; what np.cross gives, much sooner."""
    import numpy as np

    a, b, c = (corners[:, number].T.astype(np.float64) for number in range(3))
    (ux, uy, uz), (vx, vy, vz) = b - a, c - a
    return np.stack([uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx], axis=1)


def triangles(data: bytes, name: str) -> NDArray[np.float32]:
    """Corners of a binary STL's triangles in mm, float32 of shape (n, 3, 3), as they stand there.

    ForgeError (FDF410) unless the length agrees exactly with the count in the header, so that a
    file cut short is never taken for a smaller part.
    """
    import numpy as np

    count = int.from_bytes(data[80:84], "little") if len(data) >= HEADER_BYTES else -1
    if count < 0 or len(data) != HEADER_BYTES + count * TRIANGLE_BYTES:
        raise _doubt("FDF410", f"{name} is not a whole binary STL: {len(data)} bytes")
    if not 0 < count <= MAX_TRIANGLES:
        raise _doubt("FDF410", f"{name} has {count} triangles; 1 to {MAX_TRIANGLES} are allowed")
    corners: NDArray[np.float32] = np.frombuffer(data, RECORD, count, HEADER_BYTES)["corners"]
    return corners


def read_stl(data: bytes, name: str) -> Mesh:
    """A binary STL as a mesh with shared corners, as a slicer will see it.

    ForgeError for anything doubtful: bytes that are no whole STL (FDF410), corners that are not
    finite numbers (FDF411).
    """
    import numpy as np

    corners = triangles(data, name).reshape(-1, 3)
    if not np.isfinite(corners).all():
        raise _doubt("FDF411", f"{name} has corners that are not finite numbers")
    # Like np.unique of rows, a dozen times sooner: equal corners lie together once sorted.
    order = np.lexsort(corners.T[::-1])
    ranked = corners[order]
    fresh = np.ones(len(ranked), bool)
    fresh[1:] = (ranked[1:] != ranked[:-1]).any(axis=1)
    faces = np.empty(len(ranked), np.int32)
    faces[order] = np.cumsum(fresh) - 1
    vertices = np.ascontiguousarray(ranked[fresh], dtype=np.float32)
    return Mesh(vertices, faces.reshape(-1, 3))


def _doubt(code: str, why: str) -> ForgeError:
    return ForgeError([Issue(code, "error", why)])

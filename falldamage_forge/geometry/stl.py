"""Binary STL: the same mesh always gives the same bytes, with numpy and without.

The format: an 80-byte header, a little-endian uint32 count, then 50 bytes a triangle. STL carries
no unit; these files are in millimetres. numpy-stl writes and reads them; this module adds the
checks that the library leaves to its caller: the mesh is valid, the file is whole and its numbers
are finite. A page has no numpy: there `write_plain_stl` writes the same bytes.
"""

from __future__ import annotations

import io
import math
import struct
from functools import cache
from typing import TYPE_CHECKING, Any

from falldamage_forge.geometry.mesh import Mesh
from falldamage_forge.geometry.triangle_lists import TriangleLists
from falldamage_forge.issues import ForgeError, Issue

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAX_TRIANGLES = 4_000_000
HEADER_BYTES, TRIANGLE_BYTES = 84, 50
_TRIANGLE = struct.Struct("<12fH")


def _header(name: str) -> bytes:
    """Return the title of a file without a date, 80 bytes."""
    return f"FallDamage Forge; millimetres; {name}".encode("ascii", "replace")[:80].ljust(80)


@cache
def _stl_class() -> Any:
    """Return the mesh class of numpy-stl with a header without a date."""
    from stl.mesh import Mesh as StlMesh

    class Dateless(StlMesh):
        def get_header(self, name: bytes | str) -> str:
            return _header(str(name)).decode()

    return Dateless


def write_stl(mesh: Mesh, name: str) -> bytes:
    """Return a closed mesh as binary STL.

    Args:
        mesh: Triangles in mm, outward.
        name: Name in the header.

    Returns:
        The bytes of the file, with normals of length 1.

    Raises:
        ForgeError: (FDF460) If the mesh is empty, too large, not finite or inside out.
    """
    import numpy as np

    count = len(mesh.faces)
    if count == 0:
        raise _refused(name, "the mesh is empty")
    if count > MAX_TRIANGLES:
        raise _refused(name, f"{count} triangles are more than {MAX_TRIANGLES}")
    if not np.isfinite(mesh.vertices).all():
        raise _refused(name, "a vertex is not a finite number")
    stl_class = _stl_class()
    data = np.zeros(count, stl_class.dtype)
    data["vectors"] = mesh.vertices[mesh.faces]
    a, b, c = (data["vectors"][:, corner].astype(np.float64) for corner in range(3))
    # In double precision: of a triangle that is nearly a line, single precision loses the normal.
    normals = np.cross(b - a, c - a)
    if float((a * normals).sum()) <= 0:
        raise _refused(name, "the mesh is inside out")
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    data["normals"] = normals / np.where(lengths > 0, lengths, 1)
    stream = io.BytesIO()
    stl_class(data, calculate_normals=False).save(name, fh=stream, update_normals=False)
    return stream.getvalue()


def write_plain_stl(mesh: TriangleLists, name: str) -> bytes:
    """Return a valid mesh as the bytes of `write_stl`, twenty times slower.

    Args:
        mesh: Triangles in mm, outward; `write_stl` accepted them before.
        name: Name in the header.
    """
    rows = [_header(name), struct.pack("<I", len(mesh.faces))]
    vertices = mesh.vertices
    for first, second, third in mesh.faces:
        ax, ay, az = vertices[first]
        bx, by, bz = vertices[second]
        cx, cy, cz = vertices[third]
        ux, uy, uz = bx - ax, by - ay, bz - az
        vx, vy, vz = cx - ax, cy - ay, cz - az
        x, y, z = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
        length = math.sqrt(x * x + y * y + z * z) or 1.0
        normal = x / length, y / length, z / length
        rows.append(_TRIANGLE.pack(*normal, ax, ay, az, bx, by, bz, cx, cy, cz, 0))
    return b"".join(rows)


def triangles(data: bytes, name: str) -> NDArray[np.float32]:
    """Return the corners of a binary STL's triangles.

    Args:
        data: Bytes of the file. Their length must agree with the count in the header, so that a
            truncated file is not read as a smaller part.
        name: Name for messages.

    Returns:
        Corners in mm, float32 of shape (n, 3, 3), in the file's order.

    Raises:
        ForgeError: (FDF410) If the bytes are not a whole binary STL.
    """
    count = int.from_bytes(data[80:84], "little") if len(data) >= HEADER_BYTES else -1
    if count < 0 or len(data) != HEADER_BYTES + count * TRIANGLE_BYTES:
        raise _doubt("FDF410", f"{name} is not a whole binary STL: {len(data)} bytes")
    if not 0 < count <= MAX_TRIANGLES:
        raise _doubt("FDF410", f"{name} has {count} triangles; 1 to {MAX_TRIANGLES} are allowed")
    from stl import Mode

    read = _stl_class().from_file(
        name, calculate_normals=False, fh=io.BytesIO(data), mode=Mode.BINARY
    )
    corners: NDArray[np.float32] = read.vectors
    return corners


def read_stl(data: bytes, name: str) -> Mesh:
    """Return a binary STL as a mesh with shared corners, as a slicer reads it.

    Args:
        data: Bytes of the file.
        name: Name for messages.

    Returns:
        The mesh, its corners sorted by x, y, z.

    Raises:
        ForgeError: (FDF410) If the bytes are not a whole STL; (FDF411) if a corner is not finite.
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


def _refused(name: str, why: str) -> ForgeError:
    return ForgeError([Issue("FDF460", "error", f"`{name}` was not written: {why}")])


def _doubt(code: str, why: str) -> ForgeError:
    return ForgeError([Issue(code, "error", why)])

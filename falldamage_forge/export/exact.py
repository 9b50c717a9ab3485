"""A mesh as few bytes, exactly: what a page without our geometry makes the same STL files of.

Before deflating: `fdm1`, then uint32 counts of vertices and faces; for x, y and z the count of the
axis's values, these values and each vertex's place among them; then the three corners of the faces,
the second and third as steps from the one before. All uint32, each array as steps from
value to value, its lowest bytes first, then the next ones, because equal bytes side by side deflate
well. Values are the bits of float32 turned so that they sort as whole numbers.
"""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING

from falldamage_forge.geometry.mesh import Mesh

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAGIC = b"fdm1"
_HEAD = struct.Struct("<4sII")


def exact(mesh: Mesh) -> bytes:
    """The bytes of a mesh; the same mesh gives the same bytes."""
    import numpy as np

    vertices = np.ascontiguousarray(mesh.vertices, dtype=np.float32)
    parts = [_HEAD.pack(MAGIC, len(vertices), len(mesh.faces))]
    for axis in range(3):
        bits = vertices[:, axis].copy().view(np.int32)
        sortable = np.where(bits < 0, bits ^ 0x7FFFFFFF, bits).astype(np.int64)
        values, places = np.unique(sortable, return_inverse=True)
        parts += [struct.pack("<I", len(values)), _steps(values), _folded(places)]
    faces = mesh.faces.astype(np.int64)
    parts += [_folded(faces[:, 0]), _folds(faces[:, 1] - faces[:, 0])]
    parts.append(_folds(faces[:, 2] - faces[:, 1]))
    return zlib.compress(b"".join(parts), 9)


def reopened(data: bytes) -> Mesh:
    """The mesh of such bytes. ValueError when they are none."""
    import numpy as np

    try:
        raw = zlib.decompress(data)
        magic, vertices, faces = _HEAD.unpack_from(raw)
    except (zlib.error, struct.error) as error:
        raise ValueError(f"these are not the bytes of a mesh: {error}") from None
    if magic != MAGIC:
        raise ValueError("these are not the bytes of a mesh")
    at = _HEAD.size
    axes = []
    for _ in range(3):
        (count,) = struct.unpack_from("<I", raw, at)
        values = np.cumsum(_words(raw, at + 4, count)).astype(np.uint32).view(np.int32)
        places = np.cumsum(_unfolded(raw, at + 4 + 4 * count, vertices))
        bits = np.where(values < 0, values ^ 0x7FFFFFFF, values).astype(np.int32)
        axes.append(bits.view(np.float32)[places])
        at += 4 + 4 * count + 4 * vertices
    first, second, third = (_unfolded(raw, at + 4 * faces * n, faces) for n in range(3))
    first = np.cumsum(first)
    corners = np.stack([first, first + second, first + second + third], axis=1)
    return Mesh(np.stack(axes, axis=1), corners.astype(np.int32))


def _planes(words: NDArray[np.uint32]) -> bytes:
    import numpy as np

    return np.ascontiguousarray(words.astype("<u4").view(np.uint8).reshape(-1, 4).T).tobytes()


def _words(raw: bytes, at: int, count: int) -> NDArray[np.uint64]:
    import numpy as np

    planes = np.frombuffer(raw, np.uint8, 4 * count, at).reshape(4, count)
    words: NDArray[np.uint32] = np.ascontiguousarray(planes.T).view("<u4").reshape(-1)
    return words.astype(np.uint64)


def _steps(values: NDArray[np.int64]) -> bytes:
    """Steps from value to value, modulo 2**32."""
    import numpy as np

    return _planes(np.diff(values, prepend=0).astype(np.uint64).astype(np.uint32))


def _folds(values: NDArray[np.int64]) -> bytes:
    """Small numbers of either sign as small numbers: 0, -1, 1, -2, …"""
    import numpy as np

    return _planes(((values << 1) ^ (values >> 63)).astype(np.uint32))


def _folded(values: NDArray[np.int64]) -> bytes:
    import numpy as np

    steps = values.astype(np.int64)
    steps[1:] -= steps[:-1].copy()
    return _folds(steps)


def _unfolded(raw: bytes, at: int, count: int) -> NDArray[np.int64]:
    import numpy as np

    words = _words(raw, at, count).astype(np.int64)
    return (words >> 1) ^ -(words & 1)

"""Lossless compact mesh format for the browser, which writes the same STL files from it.

Before deflating: `fdm1`, then uint32 counts of vertices and faces; for x, y and z the number of
distinct values, these values and each vertex's index among them; then the three corners of the
faces, the second and third as differences to the one before. All uint32, each array as differences
in byte planes, low bytes first, because equal bytes side by side deflate well. Values are the bits
of float32, mapped so that they sort as integers.
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


def encode_mesh(mesh: Mesh) -> bytes:
    """Return the bytes of a mesh; the same mesh gives the same bytes."""
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


def _planes(words: NDArray[np.uint32]) -> bytes:
    import numpy as np

    return np.ascontiguousarray(words.astype("<u4").view(np.uint8).reshape(-1, 4).T).tobytes()


def _steps(values: NDArray[np.int64]) -> bytes:
    """Return differences modulo 2**32, as byte planes."""
    import numpy as np

    return _planes(np.diff(values, prepend=0).astype(np.uint64).astype(np.uint32))


def _folds(values: NDArray[np.int64]) -> bytes:
    """Return byte planes of zigzag codes: 0, -1, 1, -2 become 0, 1, 2, 3."""
    import numpy as np

    return _planes(((values << 1) ^ (values >> 63)).astype(np.uint32))


def _folded(values: NDArray[np.int64]) -> bytes:
    import numpy as np

    steps = values.astype(np.int64)
    steps[1:] -= steps[:-1].copy()
    return _folds(steps)

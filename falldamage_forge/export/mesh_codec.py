"""Lossless compact mesh format for pages without a server, which write the same files from it.

Before deflating: `fdm1`, then uint32 counts of vertices and faces; for x, y and z the number of
distinct values, these values and each vertex's index among them; then the three corners of the
faces, the second and third as differences to the one before. All uint32, each array as differences
in byte planes, low bytes first, because equal bytes side by side deflate well. Values are the bits
of float32, mapped so that they sort as integers. Only encoding needs numpy, which a page has not.
"""

from __future__ import annotations

import struct
import zlib
from itertools import accumulate
from typing import TYPE_CHECKING

from falldamage_forge.geometry.mesh import Mesh
from falldamage_forge.geometry.triangle_lists import TriangleLists

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAGIC = b"fdm1"
_HEAD, _COUNT = struct.Struct("<4sII"), struct.Struct("<I")
_SIGN, _WORD = 1 << 31, (1 << 32) - 1


def encode_mesh(mesh: Mesh) -> bytes:
    """Return the bytes of a mesh; the same mesh gives the same bytes."""
    import numpy as np

    vertices = np.ascontiguousarray(mesh.vertices, dtype=np.float32)
    parts = [_HEAD.pack(MAGIC, len(vertices), len(mesh.faces))]
    for axis in range(3):
        bits = vertices[:, axis].copy().view(np.int32)
        sortable = np.where(bits < 0, bits ^ 0x7FFFFFFF, bits).astype(np.int64)
        values, places = np.unique(sortable, return_inverse=True)
        parts += [_COUNT.pack(len(values)), _steps(values), _folded(places)]
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


class _Reader:
    """Reads the arrays of an encoded mesh one after the other."""

    def __init__(self, raw: bytes) -> None:
        self.raw, self.at = raw, _HEAD.size

    def count(self) -> int:
        """Return the next count."""
        (found,) = _COUNT.unpack_from(self.raw, self.at)
        self.at += _COUNT.size
        return int(found)

    def words(self, count: int) -> tuple[int, ...]:
        """Return uint32 from their byte planes."""
        joined = bytearray(4 * count)
        for plane in range(4):
            joined[plane::4] = self.raw[self.at : self.at + count]
            self.at += count
        return struct.unpack(f"<{count}I", joined)

    def unfolded(self, count: int) -> list[int]:
        """Return integers from zigzag codes."""
        return [(word >> 1) ^ -(word & 1) for word in self.words(count)]

    def axis(self, vertices: int) -> tuple[list[float], float, float]:
        """Return a coordinate of all vertices, its least and its greatest value."""
        sums = (total & _WORD for total in accumulate(self.words(self.count())))
        # A float with its sign set was stored with all other bits inverted.
        bits = [word ^ (_WORD >> 1) if word & _SIGN else word for word in sums]
        count = len(bits)
        values: tuple[float, ...] = struct.unpack(f"<{count}f", struct.pack(f"<{count}I", *bits))
        places = accumulate(self.unfolded(vertices))
        return [values[place] for place in places], values[0], values[-1]


def decode_mesh(data: bytes) -> TriangleLists:
    """Return the mesh of `encode_mesh`, to the last bit."""
    raw = zlib.decompress(data)
    magic, vertices, faces = _HEAD.unpack_from(raw)
    if magic != MAGIC:
        raise ValueError("these are not the bytes of a mesh")
    reader = _Reader(raw)
    (xs, *x), (ys, *y), (zs, *z) = (reader.axis(vertices) for _ in range(3))
    first, second, third = (reader.unfolded(faces) for _ in range(3))
    corners = [
        (corner, corner + more, corner + more + last)
        for corner, more, last in zip(accumulate(first), second, third, strict=True)
    ]
    (x0, x1), (y0, y1), (z0, z1) = x, y, z
    return TriangleLists(list(zip(xs, ys, zs, strict=True)), corners, (x0, y0, z0), (x1, y1, z1))

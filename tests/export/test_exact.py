"""Meshes as few bytes: what comes out is what went in, to the last bit."""

import struct
import zlib
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from falldamage_forge.export.mesh_codec import encode_mesh
from falldamage_forge.geometry.mesh import Mesh


def words(raw: bytes, at: int, count: int) -> Any:
    planes = np.frombuffer(raw, np.uint8, 4 * count, at).reshape(4, count)
    return np.ascontiguousarray(planes.T).view("<u4").reshape(-1).astype(np.int64)


def unfolded(raw: bytes, at: int, count: int) -> Any:
    zigzag = words(raw, at, count)
    return (zigzag >> 1) ^ -(zigzag & 1)


def decode_mesh(data: bytes) -> Mesh:
    """The mesh of its bytes, read as the page reads them."""
    raw = zlib.decompress(data)
    magic, vertices, faces = struct.unpack_from("<4sII", raw)
    assert magic == b"fdm1"
    at, axes = 12, []
    for _ in range(3):
        (count,) = struct.unpack_from("<I", raw, at)
        values = np.cumsum(words(raw, at + 4, count)).astype(np.uint32).view(np.int32)
        places = np.cumsum(unfolded(raw, at + 4 + 4 * count, vertices))
        bits = np.where(values < 0, values ^ 0x7FFFFFFF, values).astype(np.int32)
        axes.append(bits.view(np.float32)[places])
        at += 4 + 4 * count + 4 * vertices
    first, second, third = (unfolded(raw, at + 4 * faces * n, faces) for n in range(3))
    first = np.cumsum(first)
    corners = np.stack([first, first + second, first + second + third], axis=1)
    return Mesh(np.stack(axes, axis=1), corners.astype(np.int32))


NUMBERS = st.floats(width=32, allow_nan=False, allow_infinity=False)


@given(
    st.lists(st.tuples(NUMBERS, NUMBERS, NUMBERS), min_size=1, max_size=40),
    st.lists(st.tuples(*[st.integers(0, 1000)] * 3), min_size=1, max_size=40),
)
def test_every_mesh_comes_back_bit_by_bit(
    corners: list[tuple[float, float, float]], faces: list[tuple[int, int, int]]
) -> None:
    mesh = Mesh(np.array(corners, np.float32), np.array(faces, np.int32) % len(corners))
    again = decode_mesh(encode_mesh(mesh))
    assert again.vertices.tobytes() == mesh.vertices.tobytes()
    assert again.faces.tobytes() == mesh.faces.astype(np.int32).tobytes()
    assert encode_mesh(again) == encode_mesh(mesh)

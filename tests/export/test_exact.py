"""Meshes as few bytes: what comes out is what went in, to the last bit."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from falldamage_forge.export.exact import exact, reopened
from falldamage_forge.geometry.mesh import Mesh

NUMBERS = st.floats(width=32, allow_nan=False, allow_infinity=False)


@given(
    st.lists(st.tuples(NUMBERS, NUMBERS, NUMBERS), min_size=1, max_size=40),
    st.lists(st.tuples(*[st.integers(0, 1000)] * 3), min_size=1, max_size=40),
)
def test_every_mesh_comes_back_bit_by_bit(
    corners: list[tuple[float, float, float]], faces: list[tuple[int, int, int]]
) -> None:
    mesh = Mesh(np.array(corners, np.float32), np.array(faces, np.int32) % len(corners))
    again = reopened(exact(mesh))
    assert again.vertices.tobytes() == mesh.vertices.tobytes()
    assert again.faces.tobytes() == mesh.faces.astype(np.int32).tobytes()
    assert exact(again) == exact(mesh)


@pytest.mark.parametrize("data", [b"", b"fdm1", exact(Mesh(np.eye(3, dtype="f4"), np.eye(3)))[:9]])
def test_other_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="not the bytes of a mesh"):
        reopened(data)

"""Meshes as few bytes: what comes out is what went in, to the last bit."""

from random import Random

import numpy as np
import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from falldamage_forge import presets
from falldamage_forge.export.mesh_codec import decode_mesh, encode_mesh
from falldamage_forge.geometry.mesh import Mesh
from falldamage_forge.geometry.piece_mesh import as_printed, build
from falldamage_forge.geometry.stl import write_plain_stl, write_stl
from falldamage_forge.issues import ForgeError

NUMBERS = st.floats(width=32, allow_nan=False, allow_infinity=False)
SMALL = st.floats(-500, 500, width=32)
LONG = "a página that has more than eighty characters in its name " * 2


@given(
    st.lists(st.tuples(NUMBERS, NUMBERS, NUMBERS), min_size=1, max_size=40),
    st.lists(st.tuples(*[st.integers(0, 1000)] * 3), min_size=1, max_size=40),
)
def test_every_mesh_comes_back_bit_by_bit(
    corners: list[tuple[float, float, float]], faces: list[tuple[int, int, int]]
) -> None:
    mesh = Mesh(np.array(corners, np.float32), np.array(faces, np.int32) % len(corners))
    again = decode_mesh(encode_mesh(mesh))
    assert np.array(again.vertices, np.float32).tobytes() == mesh.vertices.tobytes()
    assert np.array(again.faces, np.int32).tobytes() == mesh.faces.astype(np.int32).tobytes()
    assert again.bounds_mm() == mesh.bounds_mm()


@pytest.mark.parametrize("key", ["arch-1", "block-1x1x2", "bomb", "ladder-3", "unit-knight"])
def test_a_page_writes_the_same_stl(key: str) -> None:
    piece = presets.load_catalogue().every[key]
    mesh = as_printed(
        piece, build(piece, presets.load_printer("a1-mini"), presets.load_style("stone"))
    )
    assert write_plain_stl(decode_mesh(encode_mesh(mesh)), key) == write_stl(mesh, key)


@given(st.lists(st.tuples(SMALL, SMALL, SMALL), min_size=3, max_size=30), st.randoms())
def test_a_page_writes_the_same_stl_of_any_mesh(
    corners: list[tuple[float, float, float]], random: Random
) -> None:
    faces = [[random.randrange(len(corners)) for _ in range(3)] for _ in range(9)]
    mesh = Mesh(np.array(corners, np.float32), np.array(faces, np.int32))
    try:
        written = write_stl(mesh, LONG)
    except ForgeError:
        reject()  # inside out
    assert write_plain_stl(decode_mesh(encode_mesh(mesh)), LONG) == written

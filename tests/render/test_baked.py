"""Pieces baked for the page: what goes in comes out, standing and lit as is told."""

import struct
import zlib
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from falldamage_forge import presets
from falldamage_forge.geometry.piece_mesh import build, fit_of, play_transform
from falldamage_forge.render.baked_meshes import (
    _sphere,
    ambient_occlusion,
    bake_piece,
    encode_vertices,
)

PRINTER = presets.load_printer("a1-mini")
PLAIN = presets.load_style("plain")


def decode_vertices(data: bytes) -> tuple[Any, Any, Any]:
    """Vertices, openness and triangles of their bytes, read as the page reads them."""
    raw = zlib.decompress(data)
    n, m = struct.unpack_from("<II", raw)
    at, rows = 8, []
    for count in (n, n, n, n, 3 * m):
        planes = np.frombuffer(raw, np.uint8, 2 * count, at).astype(np.uint16)
        zigzag = planes[:count] | planes[count:] << 8
        steps = (zigzag >> 1) ^ (-(zigzag & 1).astype(np.int32)).astype(np.uint16)
        rows.append(np.cumsum(steps, dtype=np.uint16).astype(np.int32))
        at += 2 * count
    places = np.stack(rows[:3], axis=1).astype(np.uint16).astype(np.int16).astype(np.int32)
    return places, rows[3], rows[4].reshape(-1, 3)


@given(
    arrays.arrays(np.int32, (7, 3), elements=st.integers(-32000, 32000)),
    arrays.arrays(np.int32, 7, elements=st.integers(0, 255)),
    arrays.arrays(np.int32, (5, 3), elements=st.integers(0, 65535)),
)
def test_baked_vertices_round_trip(places: object, open_: object, faces: object) -> None:
    for before, after in zip(
        (places, open_, faces),
        decode_vertices(encode_vertices(places, open_, faces)),  # type: ignore[arg-type]
        strict=True,
    ):
        assert np.array_equal(before, after)  # type: ignore[call-overload]


@pytest.mark.parametrize("key", ["chest", "ladder-2", "block-1x1x1"])
def test_a_baked_piece_stands_as_it_does_on_the_table(key: str) -> None:
    piece = presets.load_catalogue()[key]
    data = bake_piece(piece, PRINTER, PLAIN)
    assert data == bake_piece(piece, PRINTER, PLAIN)
    places, open_, faces = decode_vertices(data)
    stands = play_transform(piece, fit_of(PRINTER))
    whole = build(piece, PRINTER, PLAIN).vertices @ stands[:3, :3].T + stands[:3, 3]
    for edge in ("min", "max"):
        assert np.allclose(getattr(places, edge)(0) / 64, getattr(whole, edge)(0), atol=0.5)
    assert faces.max() < len(places)
    assert 0 <= open_.min() <= open_.max() <= 255


def test_a_corner_gets_less_light_than_an_edge() -> None:
    import manifold3d

    steps = manifold3d.Manifold.cube((20, 20, 10)) + manifold3d.Manifold.cube((10, 20, 20))
    mesh = steps.refine(4).to_mesh()
    vertices = np.asarray(mesh.vert_properties, np.float64)[:, :3]
    light = ambient_occlusion(vertices, np.asarray(mesh.tri_verts, np.int32), floor=False)
    middle = (vertices[:, 1] > 4) & (vertices[:, 1] < 16)
    inner = middle & np.isclose(vertices[:, 0], 10) & np.isclose(vertices[:, 2], 10)
    outer = middle & np.isclose(vertices[:, 2], 20)
    assert light[inner].max() < light[outer].min()
    assert light[outer].min() > 0.9


@pytest.mark.parametrize("count", [24, 100])
def test_directions_of_ambient_light_are_spread_evenly(count: int) -> None:
    ways = _sphere(count)
    assert np.allclose(np.linalg.norm(ways, axis=1), 1)
    assert np.abs(ways.mean(axis=0)).max() < 0.02
    apart = np.linalg.norm(ways[:, None] - ways[None], axis=2) + 9 * np.eye(count)
    assert apart.min() * count**0.5 > 3.0

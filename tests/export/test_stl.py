"""STL: what is written is what is read, and nothing unsound is written or read."""

import struct

import numpy as np
import pytest

from falldamage_forge.geometry.mesh import Mesh
from falldamage_forge.geometry.mesh_validation import validate_stl
from falldamage_forge.geometry.piece_mesh import build
from falldamage_forge.geometry.stl import read_stl, write_stl
from falldamage_forge.issues import ForgeError
from falldamage_forge.presets import load_catalogue, load_printer

PRINTER = load_printer("a1-mini")
CUBE = Mesh(
    np.array([[x, y, z] for x in (0, 9) for y in (0, 9) for z in (0, 9)], dtype=np.float32),
    np.array(
        [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
         [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]],
        dtype=np.int32,
    ),
)  # fmt: skip


@pytest.mark.parametrize("key", load_catalogue().pieces)
def test_every_piece_is_sound_after_a_round_trip(key: str) -> None:
    mesh = build(load_catalogue()[key], PRINTER)
    data = write_stl(mesh, key)
    assert validate_stl(data, PRINTER, key).issues == ()
    again = read_stl(data, key)
    assert len(again.faces) == len(mesh.faces)
    assert again.bounds_mm() == mesh.bounds_mm()
    assert write_stl(again, key) == data


def test_numpy_stl_reads_the_same_triangles(tmp_path: object) -> None:
    import io

    from stl.mesh import Mesh as Peer

    peer = Peer.from_file("x.stl", fh=io.BytesIO(write_stl(CUBE, "cube")))
    assert np.array_equal(peer.vectors, CUBE.vertices[CUBE.faces])
    volume, _, _ = peer.get_mass_properties()
    assert volume == pytest.approx(729)


def broken(**changes: object) -> Mesh:
    return Mesh(changes.get("vertices", CUBE.vertices), changes.get("faces", CUBE.faces))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("mesh", "why"),
    [
        (broken(faces=CUBE.faces[:0]), "empty"),
        (broken(faces=CUBE.faces[:, ::-1]), "inside out"),
        (broken(vertices=np.where(CUBE.vertices > 5, np.nan, CUBE.vertices)), "finite"),
        (broken(vertices=np.where(CUBE.vertices > 5, np.inf, CUBE.vertices)), "finite"),
    ],
)
def test_an_unsound_mesh_is_not_written(mesh: Mesh, why: str) -> None:
    with pytest.raises(ForgeError, match=f"FDF460.*{why}"):
        write_stl(mesh, "bad")


def test_a_damaged_file_is_not_read() -> None:
    data = write_stl(CUBE, "cube")
    huge = data[:80] + struct.pack("<I", 2**32 - 1) + data[84:]
    nan = data[:96] + struct.pack("<f", float("nan")) + data[100:]
    for bad in (b"", data[:-1], data + b"x", data[:200], huge, nan, b"solid ascii" * 20):
        with pytest.raises(ForgeError, match="FDF41[01]"):
            read_stl(bad, "bad")

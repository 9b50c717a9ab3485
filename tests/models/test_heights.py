"""Maps of heights of others: every format gives a legal map, and a bad file is refused."""

from __future__ import annotations

import io
import json
import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from trimesh import Trimesh

import falldamage_forge as ff
from falldamage_forge.issues import ForgeError
from falldamage_forge.library.forge import Forge
from falldamage_forge.models.height_file import READERS, HeightGrid, height_grid
from falldamage_forge.models.height_levels import levels_on, map_text
from tests.cli.running import ROOT, typed

HEIGHTS = [[(row * col) // 12 % 4 for col in range(10)] for row in range(10)]


def picture(form: str, mode: str = "L") -> bytes:
    stream = io.BytesIO()
    Image.fromarray(np.array(HEIGHTS, np.uint8) * 60).convert(mode).save(stream, form)
    return stream.getvalue()


def deep_picture() -> bytes:
    stream = io.BytesIO()
    Image.fromarray(np.array(HEIGHTS, np.uint16) * 20_000).save(stream, "PNG")
    return stream.getvalue()


def vox() -> bytes:
    cells = [
        (col, 9 - row, z, 1)
        for row, line in enumerate(HEIGHTS)
        for col, high in enumerate(line)
        for z in range(high)
    ]
    size = struct.pack("<4sIIIII", b"SIZE", 12, 0, 10, 10, 4)
    body = struct.pack("<I", len(cells)) + bytes(value for cell in cells for value in cell)
    chunks = size + struct.pack("<4sII", b"XYZI", len(body), 0) + body
    return b"VOX " + struct.pack("<I4sII", 150, b"MAIN", 0, len(chunks)) + chunks


def layers() -> list[list[int]]:
    flat = [high for line in HEIGHTS for high in line]
    return [[int(high >= number) for high in flat] for number in range(4)]


def tmx() -> bytes:
    parts = "".join(
        f'<layer><data encoding="csv">{",".join(map(str, layer))}</data></layer>'
        for layer in layers()
    )
    return f'<map width="10" height="10">{parts}</map>'.encode()


def tmj() -> bytes:
    tables = [{"type": "tilelayer", "data": layer} for layer in layers()]
    return json.dumps({"width": 10, "height": 10, "layers": tables}).encode()


def uvtt() -> bytes:
    wall = [{"x": 2.5, "y": 4.5}, {"x": 7.5, "y": 4.5}]
    size = {"map_size": {"x": 10, "y": 10}}
    return json.dumps({"resolution": size, "line_of_sight": [wall]}).encode()


def landscape() -> bytes:
    points = [(x * 10, -y * 10, 5 * HEIGHTS[y][x]) for y in range(10) for x in range(10)]
    faces = [
        triangle
        for y in range(9)
        for x in range(9)
        for a in [10 * y + x]
        for triangle in ((a, a + 10, a + 1), (a + 1, a + 10, a + 11))
    ]
    return bytes(Trimesh(points, faces, process=False).export(file_type="stl"))


TABLE = "\n".join(";".join(map(str, line)) for line in HEIGHTS).encode()
FILES = {
    "a.csv": TABLE,
    "a.png": picture("PNG"),
    "deep.png": deep_picture(),
    "a.jpg": picture("JPEG"),
    "a.jpeg": picture("JPEG", "RGB"),
    "a.vox": vox(),
    "a.tmx": tmx(),
    "a.tmj": tmj(),
    "a.uvtt": uvtt(),
    "a.dd2vtt": uvtt(),
    "a.stl": landscape(),
}


def test_every_format_has_a_file_here() -> None:
    assert {Path(name).suffix for name in FILES} == set(READERS)


@pytest.mark.parametrize("name", FILES)
def test_every_format_makes_a_legal_map(name: str) -> None:
    text = map_text(height_grid(FILES[name], name), "Hill", 10, 10, 3)
    made = ff.loads(text, "hill.forge")
    assert not made.issues
    assert not Forge().legal(made)
    assert made.board.highest >= 2


@pytest.mark.parametrize("name", ["a.csv", "a.vox", "a.tmx", "a.tmj"])
def test_formats_with_levels_keep_them(name: str) -> None:
    levels, _ = levels_on(height_grid(FILES[name], name), 10, 10, 12)
    assert levels.tolist() == HEIGHTS


def test_a_wall_of_a_virtual_table_is_a_row_of_columns() -> None:
    levels, _ = levels_on(height_grid(FILES["a.uvtt"], "a.uvtt"), 10, 10, 12)
    assert {tuple(at) for at in np.argwhere(levels).tolist()} == {(4, col) for col in range(2, 8)}


def test_blue_is_water_and_orange_is_lava() -> None:
    pixels = np.full((10, 10, 3), 120, np.uint8)
    pixels[4, 4], pixels[6, 6] = (40, 100, 210), (230, 80, 20)
    stream = io.BytesIO()
    Image.fromarray(pixels).save(stream, "PNG")
    _, grounds = levels_on(height_grid(stream.getvalue(), "a.png"), 10, 10, 3)
    assert (grounds[4, 4], grounds[6, 6], grounds[5, 5]) == ("~", "!", "")


@settings(deadline=None, max_examples=25)
@given(st.lists(st.lists(st.integers(0, 4), min_size=10, max_size=10), min_size=10, max_size=10))
def test_any_terraces_are_joined_by_ladders_that_stand(heights: list[list[int]]) -> None:
    text = map_text(HeightGrid(np.array(heights, float), levels=True), "Hill", 10, 10, 4)
    made = ff.loads(text, "hill.forge")
    assert not made.issues
    assert not Forge().legal(made)
    assert "FDF300" not in {issue.code for issue in ff.check(made).every}


BAD = {
    **{f"empty{suffix}": b"" for suffix in READERS},
    **{f"noise{suffix}": bytes(range(256)) * 3 for suffix in READERS},
    **{
        f"cut{Path(name).suffix}": data[: len(data) // 2]
        for name, data in FILES.items()
        if not name.endswith(("csv", "stl"))
    },
    "words.csv": b"a,b\nc,d\n",
    "ragged.csv": b"1,2\n3\n",
    "nan.csv": b"1,nan\n3,4\n",
    "none.txt": b"1,2",
    "base64.tmx": tmx().replace(b"csv", b"base64"),
    "types.tmx": b"<!DOCTYPE x>" + tmx(),
    "huge.tmj": tmj().replace(b'"width": 10', b'"width": 1000000000'),
    "deep.tmj": b"[" * 100_000,
    "huge.uvtt": uvtt().replace(b'"x": 10', b'"x": 1e300'),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_refused_with_its_name_and_a_remedy(name: str) -> None:
    with pytest.raises(ForgeError) as refused:
        height_grid(BAD[name], name)
    (issue,) = refused.value.issues
    assert f"`{name}`" in issue.message
    assert issue.hint


def test_new_writes_a_map_from_a_picture_and_nothing_from_a_bad_one(tmp_path: Path) -> None:
    good, bad = tmp_path / "hill.png", tmp_path / "bad.png"
    good.write_bytes(FILES["a.png"])
    bad.write_bytes(b"no picture")
    path = tmp_path / "hill.forge"
    assert typed("new", path, "--from", bad, cwd=ROOT).returncode == 1
    assert not path.exists()
    assert typed("new", path, "--from", good, "--board", "11x10", cwd=ROOT).returncode == 2
    done = typed("new", path, "--from", good, "--board", "15x10", "--levels", "2", cwd=ROOT)
    assert done.returncode == 0, done.stderr
    assert (ff.load(path).board.cols, ff.load(path).board.highest) == (15, 2)

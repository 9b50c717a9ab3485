"""Scene files: other programs find every part, at its place, in its colour and true to size."""

import base64
import io
import json
import os
import re
import shutil
import struct
import zipfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import trimesh
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

import falldamage_forge as ff
from falldamage_forge.board import Tile
from falldamage_forge.board.tones import PALETTES
from falldamage_forge.builds.pipeline import PrintJob, build_map
from falldamage_forge.presets import load_catalogue, load_printer
from falldamage_forge.render.scenes.glb import write_glb
from falldamage_forge.render.scenes.obj import write_mtl, write_obj
from falldamage_forge.render.scenes.table_scene import TableScene, linear, srgb, table_scene
from falldamage_forge.render.scenes.tabletop_simulator import (
    INCH_MM,
    Figure,
    tile_rectangles,
    write_tts,
)
from falldamage_forge.render.scenes.universal_vtt import PIXELS_PER_TILE, write_uvtt
from falldamage_forge.render.scenes.usdz import MOST_TRIANGLES, write_usda, write_usdz
from tests.cli.running import run
from tests.pieces.maps import layout_of
from tests.render.chromium import BINARY, WEBGL, Chromium

PRINTER = load_printer("a1-mini")
NAME = "duel"
VIEWERS = Path(os.environ.get("FORGE_VIEWERS", "none")) / "node_modules"
"""Where `gltf-validator` and `@google/model-viewer` of the npm registry are installed."""


@cache
def built() -> PrintJob:
    return build_map(layout_of(NAME), load_catalogue(), PRINTER)


@cache
def scene(triangles: int | None = None, title: str = "Duel", tops: str = "") -> TableScene:
    job = built()
    placements = job.plan.placements
    return table_scene(title, placements, job.meshes, PRINTER, triangles=triangles, tops=tops)


def glb_parts(data: bytes) -> tuple[dict[str, Any], bytes]:
    """The JSON and the binary chunk, read by the specification's own words."""
    magic, version, size = struct.unpack_from("<4sII", data)
    assert (magic, version, size) == (b"glTF", 2, len(data))
    length, kind = struct.unpack_from("<I4s", data, 12)
    assert kind == b"JSON" and length % 4 == 0
    rest = 20 + length
    size, kind = struct.unpack_from("<I4s", data, rest)
    assert kind == b"BIN\0" and size % 4 == 0 and rest + 8 + size == len(data)
    return json.loads(data[20:rest]), data[rest + 8 :]


def test_a_scene_has_every_part_once_with_a_name_of_its_own() -> None:
    placements = built().plan.placements
    names = [one.name for one in scene().instances]
    assert len(names) == len(set(names)) == len(placements)
    assert [one.key for one in scene().instances] == [p.piece.key for p in placements]


def test_a_limit_of_triangles_is_kept_and_leaves_out_only_ties() -> None:
    limited = scene(MOST_TRIANGLES)
    assert limited.triangles <= MOST_TRIANGLES < 10 * limited.triangles
    seen = [p.piece.key for p in built().plan.placements if p.piece.builder != "tie"]
    assert [one.key for one in limited.instances] == seen
    assert scene(20_000).triangles < limited.triangles


def test_glb_reads_as_the_scene() -> None:
    document, binary = glb_parts(write_glb(scene()))
    assert "extensionsUsed" not in document
    root, *parts = document["nodes"]
    assert root["children"] == [1 + number for number in range(len(parts))]
    assert [part["name"] for part in parts] == [one.name for one in scene().instances]
    assert len(document["meshes"]) == len(scene().models)
    views, accessors = document["bufferViews"], document["accessors"]
    for mesh in document["meshes"]:
        primitive = mesh["primitives"][0]
        points, order = (
            accessors[n] for n in (primitive["attributes"]["POSITION"], primitive["indices"])
        )
        view = views[order["bufferView"]]
        kind = {5123: "<u2", 5125: "<u4"}[order["componentType"]]
        numbers = np.frombuffer(binary, kind, order["count"], view["byteOffset"])
        assert int(numbers.max()) < points["count"]


def test_tops_are_a_body_of_their_own_in_every_format() -> None:
    table, plain = scene(tops="grass"), scene()
    turf, planks = PALETTES["grass"]
    added = {turf.colour, planks.colour} & set(table.colours())
    assert turf.colour in added and not added & set(plain.colours())
    assert np.allclose(table.size_mm(), plain.size_mm(), atol=1e-6)
    for key, tones in table.models.items():
        top = tones[-1].vertices[:, 2]
        if len(tones) == 2:  # printed top down: the top's colour is the lower part
            assert top.max() == pytest.approx(tones[0].vertices[:, 2].min(), abs=1e-4), key
            assert top.max() < 1.0, key
    used = set(re.findall(r"usemtl colour-(\w+)", write_obj(table, "duel.mtl")))
    assert used == {colour[1:] for colour in table.colours()}
    document, _ = glb_parts(write_glb(table))
    assert {one["name"] for one in document["materials"]} == set(table.colours())
    assert sum(len(one["primitives"]) for one in document["meshes"]) > len(document["meshes"])
    assert turf.colour[1:] in write_usda(table) and write_usda(table).count('def Mesh "') == sum(
        map(len, table.models.values())
    )


def test_glb_is_true_to_size_for_another_reader() -> None:
    read = trimesh.load(io.BytesIO(write_glb(scene())), file_type="glb")
    east, north, up = scene().size_mm()
    assert np.allclose(read.extents, np.array([east, up, north]) / 1000, atol=1e-6)
    assert len(read.graph.nodes_geometry) == len(scene().instances)


def test_obj_reads_as_the_scene() -> None:
    files = {"table.obj": write_obj(scene(), "table.mtl"), "table.mtl": write_mtl(scene())}
    assert files["table.obj"].count("\no ") == len(scene().instances)
    resolver = {name: text.encode() for name, text in files.items()}
    read = trimesh.load(
        io.StringIO(files["table.obj"]), file_type="obj", resolver=resolver, force="scene"
    )
    assert np.allclose(read.extents, scene().size_mm(), atol=2e-3)
    assert sum(len(mesh.faces) for mesh in read.geometry.values()) == scene().triangles


def test_usda_numbers_only_points_that_it_has() -> None:
    text = write_usda(scene(MOST_TRIANGLES))
    numbers = re.findall(r"faceVertexIndices = \[(.*?)\]", text)
    points = re.findall(r"point3f\[\] points = \[(.*?)\]", text)
    assert len(numbers) == len(points) == sum(map(len, scene(MOST_TRIANGLES).models.values()))
    for indices, corners in zip(numbers, points, strict=True):
        assert max(map(int, indices.split(", "))) == corners.count("(") - 1
    prims = re.findall(r'def Xform "(.*?)"', text)
    assert len(prims) == len(set(prims)) and all(map(str.isidentifier, prims))
    assert set(re.findall(r"</Parts/(.*?)>", text)) <= set(prims)


def test_usdz_stores_its_layer_at_a_multiple_of_64() -> None:
    data = write_usdz(scene(MOST_TRIANGLES))
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        assert package.testzip() is None
        (layer,) = package.infolist()
        assert layer.compress_type == zipfile.ZIP_STORED
        start = data.index(b"#usda")
        assert start % 64 == 0 and package.read(layer)[:5] == b"#usda"


def test_usd_core_opens_the_usdz_without_a_finding(tmp_path: Path) -> None:
    usd = pytest.importorskip("pxr.Usd")
    from pxr import UsdGeom, UsdValidation

    path = tmp_path / "table.usdz"
    path.write_bytes(write_usdz(scene(MOST_TRIANGLES)))
    stage = usd.Stage.Open(str(path))
    assert sum(prim.IsInstance() for prim in stage.Traverse()) == len(
        scene(MOST_TRIANGLES).instances
    )
    box = UsdGeom.BBoxCache(0, ["default"]).ComputeWorldBound(stage.GetDefaultPrim())
    east, north, up = scene(MOST_TRIANGLES).size_mm()
    size = list(box.ComputeAlignedRange().GetSize())
    assert np.allclose(size, np.array([east, up, north]) / 1000, atol=1e-5)
    validators = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
    findings = UsdValidation.ValidationContext(validators).Validate(stage)
    assert [finding.GetMessage() for finding in findings] == []


needs_viewers = pytest.mark.skipif(
    not VIEWERS.is_dir() or shutil.which("node") is None,
    reason="needs node, and gltf-validator and @google/model-viewer in $FORGE_VIEWERS",
)


@needs_viewers
def test_gltf_validator_has_no_finding(tmp_path: Path) -> None:
    path = tmp_path / "table.glb"
    path.write_bytes(write_glb(scene()))
    script = (
        f"import v from {json.dumps(str(VIEWERS / 'gltf-validator' / 'index.js'))};"
        "import fs from 'fs';"
        f"const data = fs.readFileSync({json.dumps(str(path))});"
        "const r = await v.validateBytes(new Uint8Array(data));"
        "console.log(JSON.stringify(r))"
    )
    report = json.loads(run(["node", "--input-type=module", "-e", script], check=True).stdout)
    assert report["issues"]["messages"] == []
    meshes = sum(len(mesh.faces) for tones in scene().models.values() for mesh in tones)
    assert report["info"]["totalTriangleCount"] == meshes


@needs_viewers
@pytest.mark.browser
@pytest.mark.skipif(BINARY is None, reason="needs Chromium")
def test_model_viewer_shows_the_table_true_to_size(tmp_path: Path) -> None:
    bundle = VIEWERS / "@google" / "model-viewer" / "dist" / "model-viewer.min.js"
    data = base64.b64encode(write_glb(scene())).decode()
    (tmp_path / "page.html").write_text(
        f"<script type='module'>{bundle.read_text('utf-8')}</script>"
        f"<model-viewer src='data:model/gltf-binary;base64,{data}'></model-viewer>",
        "utf-8",
    )
    browser = Chromium(tmp_path / "profile", *WEBGL)
    try:
        url = (tmp_path / "page.html").as_uri()
        browser.open(url, "document.querySelector('model-viewer').loaded")
        size = browser.run(
            "(d => [d.x, d.y, d.z])(document.querySelector('model-viewer').getDimensions())"
        )
    finally:
        browser.close()
    east, north, up = scene().size_mm()
    assert np.allclose(size, np.array([east, up, north]) / 1000, atol=1e-5)


def tts(title: str = "Duel") -> dict[str, Any]:
    map_ = ff.load(NAME)
    figures = [Figure(side, "#a3262c", f"Knight {n}", "Move 3") for side in "ab" for n in range(9)]
    data = write_tts(
        scene(title=title), built().plan.placements, map_.board, map_.grid, figures, "The rules."
    )
    table: dict[str, Any] = json.loads(data)
    return table


def test_tts_objects_are_whole_and_have_names_of_their_own() -> None:
    objects = tts()["ObjectStates"]
    guids = [one["GUID"] for one in objects]
    assert len(guids) == len(set(guids)) and all(re.fullmatch("[0-9a-f]{6}", g) for g in guids)
    for one in objects:
        place = one["Transform"]
        assert set(place) == {f"{what}{axis}" for what in ("pos", "rot", "scale") for axis in "XYZ"}
        assert min(place[f"scale{axis}"] for axis in "XYZ") > 0
        assert one["LuaScript"] == one["LuaScriptState"] == one["XmlUI"] == ""
        assert "URL" not in json.dumps(one)
    assert {one["Name"] for one in objects} == {"BlockSquare", "PlayerPawn", "Die_6_Rounded"}
    assert [one["Locked"] for one in objects] == [one["Name"] == "BlockSquare" for one in objects]


def test_tts_blocks_have_the_size_and_the_handedness_of_the_table() -> None:
    blocks = [one["Transform"] for one in tts()["ObjectStates"] if one["Name"] == "BlockSquare"]
    ends = {
        axis: [
            sign * place[f"scale{axis}"] / 2 + place[f"pos{axis}"]
            for place in blocks
            for sign in (-1, 1)
        ]
        for axis in "XYZ"
    }
    size = [(max(ends[axis]) - min(ends[axis])) * INCH_MM for axis in "XZY"]
    assert np.allclose(size, scene().size_mm(), atol=0.02)
    tree = next(p for p in built().plan.placements if p.piece.builder == "tree")
    own = next(p for p in tts()["ObjectStates"] if p["Description"] == tree.piece.key)
    x, y = tree.piece.grid.centre_mm(*tree.tile)
    east, north, _ = scene().shift_mm
    found = own["Transform"]["posX"] * INCH_MM, own["Transform"]["posZ"] * INCH_MM
    assert np.allclose(found, (x + east, y + north), atol=1.0)


def test_tts_has_a_snap_point_on_every_surface() -> None:
    board = ff.load(NAME).board
    surfaces = sum(len(board.tops(tile)) for tile in board.tiles())
    spots = [tuple(point["Position"].values()) for point in tts()["SnapPoints"]]
    assert len(set(spots)) == len(spots) == surfaces


@given(st.sets(st.builds(Tile, st.integers(0, 4), st.integers(0, 4)), min_size=1))
def test_rectangles_cover_each_tile_once(tiles: set[Tile]) -> None:
    covered = [
        Tile(row, col)
        for first, last in tile_rectangles(tuple(tiles))
        for row in range(first.row, last.row + 1)
        for col in range(first.col, last.col + 1)
    ]
    assert sorted(covered) == sorted(tiles)


def test_uvtt_has_the_plan_in_whole_squares() -> None:
    map_ = ff.load(NAME)
    table = json.loads(write_uvtt(map_.board, map_.grid))
    size = table["resolution"]["map_size"]
    picture = Image.open(io.BytesIO(base64.b64decode(table["image"])))
    assert picture.size == (size["x"] * PIXELS_PER_TILE, size["y"] * PIXELS_PER_TILE)
    assert (size["x"], size["y"]) == (map_.board.cols, map_.board.rows)
    assert table["line_of_sight"] == []


HOSTILE = '</svg>"; rm -rf /\\ {0} %s \u202e\n#usda\x00 💥'


def test_hostile_titles_stay_text_in_every_format() -> None:
    hostile = scene(title=HOSTILE)
    document, _ = glb_parts(write_glb(hostile))
    assert document["scenes"][0]["name"] == HOSTILE
    text = write_usda(hostile)
    assert text.count("\n") == write_usda(scene()).count("\n")
    lines = write_obj(hostile, f"{HOSTILE}.mtl").split("\n")
    assert all(line[:2].strip() in ("#", "mt", "o", "us", "v", "f", "") for line in lines)
    assert tts(HOSTILE)["SaveName"] == HOSTILE


def test_colours_are_linear_where_the_format_wants_light() -> None:
    assert linear("#ffffff") == (1, 1, 1) and linear("#000000") == (0, 0, 0)
    assert all(a < b for a, b in zip(linear("#6080a0"), srgb("#6080a0"), strict=True))

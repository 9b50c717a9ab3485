"""3MF: read by another library in strict mode, one mesh a piece, parts where the plate says."""

import io
import json
import re
import shutil
import xml.etree.ElementTree as ET
import zipfile
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from falldamage_forge.builds.pipeline import PrintJob, build_map
from falldamage_forge.export.bambu_project import write_projects
from falldamage_forge.export.mesh_codec import decode_mesh, encode_mesh
from falldamage_forge.export.plate_meshes import plate_mesh
from falldamage_forge.export.threemf import (
    ModelInfo,
    PlateContents,
    write_plain,
    write_plate,
)
from falldamage_forge.geometry.part_size import size_from, size_of
from falldamage_forge.presets import load_catalogue, load_printer, slicer_files
from falldamage_forge.printing.plates import plate_titles
from tests.amount import EXHAUSTIVE
from tests.cli.running import run
from tests.geometry.slicing import EXECUTABLE, read_gcode
from tests.pieces.maps import MAPS, layout_of

PRINTER = load_printer("a1-mini")
NAMES = MAPS if EXHAUSTIVE else ["duel"]
CORE = "{http://schemas.microsoft.com/3dmanufacturing/core/2015/02}"


@cache
def built(name: str) -> PrintJob:
    return build_map(layout_of(name), load_catalogue(), PRINTER)


def stuff_of(build: PrintJob) -> PlateContents:
    groups = {key: piece.group for key, piece in build.pieces.items()}
    return PlateContents(build.meshes, groups, dict.fromkeys(groups.values(), "#808080"))


def read_strictly(
    data: bytes, names_only: bool = False
) -> tuple[list[tuple[str, np.ndarray]], int]:
    """(name, vertices in the world) of every build item, and how many meshes; no warning."""
    lib3mf = pytest.importorskip("lib3mf", reason="lib3mf is missing: pip install lib3mf")
    model = lib3mf.get_wrapper().CreateModel()
    reader = model.QueryReader("3mf")
    reader.SetStrictModeActive(True)
    reader.ReadFromBuffer(data)
    assert reader.GetWarningCount() == 0
    assert model.GetUnit() == lib3mf.ModelUnit.MilliMeter
    meshes, found = {}, []
    objects = model.GetMeshObjects()
    while objects.MoveNext():
        each = objects.GetCurrentMeshObject()
        assert each.IsManifoldAndOriented()
        corners = np.zeros((1, 3))
        if not names_only:
            vertices = each.GetVertices()
            corners = np.frombuffer((type(vertices[0]) * len(vertices))(*vertices), np.float32)
            corners = corners.reshape(-1, 3).astype(float)
        meshes[each.GetResourceID()] = (each.GetName(), corners)
    items = model.GetBuildItems()
    while items.MoveNext():
        item = items.GetCurrent()
        name, corners = meshes[item.GetObjectResource().GetResourceID()]
        fields = item.GetObjectTransform().Fields
        matrix = np.array([list(column) for column in fields])
        found.append((name, corners @ matrix[:3] + matrix[3]))
    return found, len(meshes)


@pytest.mark.parametrize("name", NAMES)
def test_every_plate_is_read_without_a_warning_and_lies_like_its_stl(name: str) -> None:
    build = built(name)
    stuff = stuff_of(build)
    for plate in build.plates:
        parts, meshes = read_strictly(write_plate(plate, stuff))
        assert Counter(key for key, _ in parts) == Counter(plate.counts())
        assert meshes == len(plate.counts()), "a mesh is written twice"
        world = np.concatenate([corners for _, corners in parts])
        assert np.allclose(world, plate_mesh(plate, build.meshes).vertices, atol=1e-4)


@pytest.mark.parametrize("name", NAMES)
def test_the_project_has_each_part_on_its_named_plate(name: str) -> None:
    build = built(name)
    (data,) = write_projects(ModelInfo(name), build.plates, stuff_of(build), PRINTER)
    parts, meshes = read_strictly(data)
    assert meshes == len(build.meshes)
    package = zipfile.ZipFile(io.BytesIO(data))
    config = ET.fromstring(package.read("Metadata/model_settings.config"))
    model = ET.fromstring(package.read("3D/3dmodel.model"))
    (application,) = (
        m.text for m in model.iter(f"{CORE}metadata") if m.get("name") == "Application"
    )
    assert re.fullmatch(r"BambuStudio-\d\d(\.\d\d){3}", application or "")
    objects = {o.get("id"): entries(o)["name"] for o in config.iter("object")}
    identities = [entries(i)["identify_id"] for i in config.iter("model_instance")]
    assert len(set(identities)) == len(identities) == len(parts)
    columns = int(np.ceil(np.sqrt(len(build.plates))))
    left = iter(parts)
    titles = plate_titles(build.plates)
    assert len(set(titles)) == len(titles)
    for number, (plate, told) in enumerate(zip(build.plates, config.iter("plate"), strict=True)):
        assert entries(told)["plater_name"] == titles[number]
        assert entries(told)["plater_id"] == str(number + 1)
        on = Counter(objects[entries(i)["object_id"]] for i in told.iter("model_instance"))
        assert on == Counter(plate.counts())
        corner = np.array([number % columns * 216.0, -(number // columns) * 216.0])
        for _, (key, corners) in zip(plate.slots, left, strict=False):
            assert key in plate.counts()
            inside = corners[:, :2] - corner
            assert inside.min() >= 0 and inside.max() <= 180
    settings = json.loads(package.read("Metadata/project_settings.config"))
    assert settings["printer_model"] == "Bambu Lab A1 mini"
    assert settings["printable_area"] == ["0x0", "180x0", "180x180", "0x180"]


def entries(node: ET.Element) -> dict[str, str]:
    return {m.get("key", ""): m.get("value", "") for m in node.findall("metadata")}


@pytest.mark.parametrize("name", NAMES)
def test_the_plain_project_has_the_same_parts_at_the_same_places(name: str) -> None:
    build = built(name)
    (project,) = write_projects(ModelInfo(name), build.plates, stuff_of(build), PRINTER)
    plain = write_plain(ModelInfo(name), build.plates, stuff_of(build), PRINTER)
    ours, theirs = read_strictly(project)[0], read_strictly(plain)[0]
    assert [key for key, _ in ours] == [key for key, _ in theirs]
    assert all(np.array_equal(a, b) for (_, a), (_, b) in zip(ours, theirs, strict=True))
    assert set(zipfile.ZipFile(io.BytesIO(plain)).namelist()) == {
        "[Content_Types].xml",
        "_rels/.rels",
        "3D/3dmodel.model",
    }


def test_the_same_plates_give_the_same_bytes_and_no_title_breaks_them() -> None:
    build = built(NAMES[0])
    title = 'A <"&> \x00\x0b\ud7ff "title"'
    one, other = (
        write_projects(ModelInfo(title), build.plates, stuff_of(build), PRINTER) for _ in range(2)
    )
    assert one == other
    read_strictly(one[0])
    dates = {info.date_time for info in zipfile.ZipFile(io.BytesIO(one[0])).infolist()}
    assert dates == {(1980, 1, 1, 0, 0, 0)}
    assert not re.search(
        rb"uuid|UUID", zipfile.ZipFile(io.BytesIO(one[0])).read("3D/3dmodel.model")
    )


@pytest.mark.parametrize("name", NAMES)
def test_a_page_writes_the_same_plates(name: str) -> None:
    build = built(name)
    stuff = stuff_of(build)
    sent: Any = {key: decode_mesh(encode_mesh(mesh)) for key, mesh in stuff.meshes.items()}
    for plate in build.plates:
        assert write_plate(plate, replace(stuff, meshes=sent)) == write_plate(plate, stuff)


def test_sizes_come_back_from_json() -> None:
    for mesh in built(NAMES[0]).meshes.values():
        size = size_of(mesh)
        assert size_from(json.loads(json.dumps(size.row()))) == size


def test_strict_reader_rejects_warning() -> None:
    lib3mf = pytest.importorskip("lib3mf", reason="lib3mf is missing: pip install lib3mf")
    build = built(NAMES[0])
    data = write_plate(build.plates[0], stuff_of(build))
    package = zipfile.ZipFile(io.BytesIO(data))
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as broken:
        for name in package.namelist():
            text = package.read(name).replace(b'objectid="2"', b'objectid="9"')
            broken.writestr(name, text)
    with pytest.raises(lib3mf.ELib3MFException):
        read_strictly(stream.getvalue())


@pytest.mark.slicer
@pytest.mark.skipif(EXECUTABLE is None, reason="PrusaSlicer is not installed")
@pytest.mark.parametrize("name", NAMES)
def test_slicer_keeps_positions_of_plate_parts(name: str, tmp_path: Path) -> None:
    """By default the lightest plate of one map; all plates of every map with FORGE_EXHAUSTIVE."""
    build = built(name)
    lightest = min(range(len(build.plates)), key=lambda n: build.figures[n].minutes)
    for plate in build.plates if EXHAUSTIVE else build.plates[lightest : lightest + 1]:
        source, out = tmp_path / f"{plate.name}.3mf", tmp_path / "out.gcode"
        source.write_bytes(write_plate(plate, stuff_of(build)))
        out.unlink(missing_ok=True)
        loads = [f"--load={path}" for path in slicer_files(PRINTER, plate.group)]
        words = [str(shutil.which(str(EXECUTABLE))), "--export-gcode", "--dont-arrange", *loads]
        sliced_by = run([*words, "-o", out, source])
        assert sliced_by.returncode == 0, sliced_by.stderr[-300:]
        sliced = read_gcode(out.read_text("utf-8"))
        assert sliced.inside(PRINTER)
        low, high = plate_mesh(plate, build.meshes).bounds_mm()
        for axis in range(2):
            assert sliced.low_mm[axis] == pytest.approx(low[axis], abs=1.0)
            assert sliced.high_mm[axis] == pytest.approx(high[axis], abs=1.0)

"""Supports of a model: for its part alone, in every project, and never in its joint."""

from __future__ import annotations

import csv
import io
import json
import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np
import pytest
from trimesh.boolean import union
from trimesh.creation import cylinder

from falldamage_forge.board import Column, Tile, make_board
from falldamage_forge.builds.model_pieces import pieces_of_model
from falldamage_forge.builds.output_files import plate_contents
from falldamage_forge.builds.pipeline import PrintJob, assemble_parts
from falldamage_forge.cli.build_options import build_notes
from falldamage_forge.export.bambu_project import write_projects
from falldamage_forge.export.piece_list import csv_bytes, list_json
from falldamage_forge.export.print_service_order import order_csv
from falldamage_forge.export.shop_page import SUPPORT_FREE, TAGS, ShopFacts, shop_page
from falldamage_forge.export.slicer_profiles import NO_SUPPORTS, slicer_profile_files
from falldamage_forge.export.threemf import PRUSA_OBJECTS, ModelInfo, write_plain, write_plate
from falldamage_forge.geometry.connector_standard import STANDARD
from falldamage_forge.lang.model_block import ModelBlock
from falldamage_forge.pieces.piece import Placement
from falldamage_forge.presets import load_catalogue, load_printer, slicer_files, slicer_settings
from falldamage_forge.printing.gcode import read_layers
from falldamage_forge.printing.plates import Plate
from falldamage_forge.printing.prusaslicer import slice_plate
from falldamage_forge.printing.supports import PRUSA_SUPPORTS, STUDIO_SUPPORTS, supported_keys
from falldamage_forge.render.build_sheets import SUPPORTED, sheets
from falldamage_forge.render.html_pages import HtmlPages
from tests.export.test_threemf import read_strictly
from tests.geometry.slicing import needs_slicer
from tests.printing.test_tones import member

KEY, PLAIN, BLOCK = "model-shade", "model-plain", "block-1x1x1"
PRINTER = load_printer("a1-mini")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> PrintJob:
    """Parts of one plate: two equal mushrooms of a thin stem, one with supports, and a block."""
    folder = tmp_path_factory.mktemp("shade")
    stem, cap = cylinder(4, 30), cylinder(14, 4)
    stem.apply_translation((0, 0, 15))
    cap.apply_translation((0, 0, 30))
    union([stem, cap], engine="manifold").export(folder / "shade.stl")
    models = [
        ModelBlock(name, "shade.stl", str(folder / "map.forge"), scale="none", supports=supports)
        for name, supports in (("shade", True), ("plain", False))
    ]
    pieces = {piece.key: piece for model in models for piece in pieces_of_model(model)}
    own = {key: pieces[key] for key in (KEY, PLAIN)} | {BLOCK: load_catalogue()[BLOCK]}
    return assemble_parts(dict.fromkeys(own, 1), own, PRINTER)


def plate_of(built: PrintJob) -> Plate:
    (plate,) = (each for each in built.plates if KEY in each.counts())
    return plate


def test_only_a_model_that_asks_is_supported(built: PrintJob) -> None:
    assert supported_keys(built.pieces) == {KEY}


def test_plates_and_projects_name_the_part_and_no_other(built: PrintJob) -> None:
    stuff = plate_contents(built)
    (project,) = write_projects(ModelInfo("x"), built.plates, stuff, PRINTER)
    told = ET.fromstring(member(project, "Metadata/model_settings.config"))
    for each in told.iter("object"):
        words = {m.get("key"): m.get("value") for m in each.findall("metadata")}
        assert (words.items() >= STUDIO_SUPPORTS.items()) is (words["name"] == KEY)
        assert ("enable_support" in words) is (words["name"] == KEY)
    plain = write_plain(ModelInfo("x"), built.plates, stuff, PRINTER)
    for data in (write_plate(plate_of(built), stuff), plain):
        model = ET.fromstring(member(data, "3D/3dmodel.model"))
        (found,) = ET.fromstring(member(data, PRUSA_OBJECTS)).iter("object")
        (same,) = (o for o in model.iter() if o.tag.endswith("}object") and o.get("name") == KEY)
        assert found.get("id") == same.get("id")
        words = {m.get("key"): m.get("value") for m in found.findall("metadata")}
        assert words == {"name": KEY, **PRUSA_SUPPORTS}
        (volume,) = found.iter("volume")
        assert volume.get("lastid") == str(len(stuff.meshes[KEY].faces) - 1)
        read_strictly(data, names_only=True)


def test_a_plate_without_such_a_part_has_no_settings_of_objects(built: PrintJob) -> None:
    stuff = replace(plate_contents(built), supported=frozenset())
    with pytest.raises(KeyError):
        member(write_plate(plate_of(built), stuff), PRUSA_OBJECTS)


def test_pages_name_the_part(built: PrintJob) -> None:
    def readme(supported: frozenset[str]) -> str:
        files = slicer_profile_files(PRINTER, built.plates, supported)
        (found,) = (file.data for file in files if file.path == "settings/README.txt")
        return found.decode()

    named = readme(frozenset({KEY}))
    assert f"{KEY} on {plate_of(built).name}" in named
    assert NO_SUPPORTS not in named
    assert NO_SUPPORTS in readme(frozenset())
    facts = ("x", "", "", "x", "10x10", 1, 1, 1.0, "1 min", "x", "", (), False, ())
    assert f"without supports but for {KEY}." in shop_page(ShopFacts(*facts, (KEY,)))
    assert SUPPORT_FREE not in TAGS
    assert SUPPORT_FREE in shop_page(ShopFacts(*facts))
    assert SUPPORT_FREE not in shop_page(ShopFacts(*facts, (KEY,)))


@needs_slicer
@pytest.mark.slicer
def test_prusaslicer_supports_the_part_alone_and_leaves_its_joint_free(built: PrintJob) -> None:
    stuff, plate = plate_contents(built), plate_of(built)
    assert {KEY, PLAIN, BLOCK} == plate.counts().keys()
    loads = slicer_files(PRINTER, plate.group)
    gcode = slice_plate(write_plate(plate, stuff), loads)
    layers = read_layers(gcode, slicer_settings(PRINTER, plate.group))
    (slot,) = (slot for slot in plate.slots if slot.key == KEY)
    (x0, y0, _), (x1, y1, _) = stuff.meshes[KEY].bounds_mm()
    found = 0
    for layer in layers:
        lines = layer.of("Support material", "Support material interface")
        found += len(lines)
        if not len(lines):
            continue
        ends = np.concatenate([lines[:, :2], lines[:, 2:4]]) - (slot.x_mm, slot.y_mm)
        assert ends.min() > 0
        assert (ends < (x1 - x0, y1 - y0)).all()
        assert layer.top_mm > STANDARD.skirt_mm + 10, "the plinth's cavity is not supported"
    assert found > 100


def test_lists_name_the_file_of_a_model_and_its_digest(built: PrintJob) -> None:
    digest = str(built.pieces[KEY]["sha256"])
    for data in (csv_bytes(built.rows), order_csv(built.rows, built.sizes)):
        head, *lines = csv.reader(io.StringIO(data.decode()))
        told = {line[0]: dict(zip(head, line, strict=True)) for line in lines}
        assert (told[KEY]["model"], told[KEY]["sha256"]) == ("shade.stl", digest)
        assert (told[BLOCK]["model"], told[BLOCK]["sha256"]) == ("", "")
    plain = [row for row in built.rows if row.piece == BLOCK]
    assert b"sha256" not in csv_bytes(plain) + order_csv(plain, built.sizes)
    table = {row["piece"]: row for row in json.loads(list_json(built.rows, []))["pieces"]}
    assert table[KEY]["sha256"] == digest
    assert "sha256" not in table[BLOCK]
    assert f"{KEY}: shade.stl, sha256 {digest}" in [*build_notes(built)]


def test_build_sheets_name_file_digest_and_supports(built: PrintJob) -> None:
    placements = [Placement(built.pieces[KEY], Tile(2, 2), 0)]
    board = make_board(10, 10, [Column()] * 100)
    page = sheets("Shade", board, placements, {}, kind=HtmlPages).decode()
    assert str(built.pieces[KEY]["sha256"]) in page
    assert SUPPORTED in page

"""Ten kinds of models: each is adopted, stands on a map, is sliced twice, and is played on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import falldamage_forge as ff
from falldamage_forge.builds.model_pieces import pieces_of_model
from falldamage_forge.geometry.piece_mesh import build
from falldamage_forge.presets import load_printer
from tests.amount import EXHAUSTIVE
from tests.cli.running import typed
from tests.geometry.slicing import WORD, needs_cura, needs_slicer, slice_cura, slice_mesh
from tests.models.gallery import GALLERY, saved

PRINTER = load_printer("a1-mini")
SMALL = [name for name, shown in GALLERY.items() if not shown.large]
STARTS = "start red at B1..I1\nstart blue at B10..I10\n"
JOINT_MM = 14.0
"""Height in print of the joint's cavities, whose ceilings CuraEngine supports if it may."""


def supported_mm(gcode: str) -> float:
    """Return the height up to which a G-code lays supports; 0 without any."""
    high, z, kind = 0.0, 0.0, ""
    for line in gcode.splitlines():
        if line.startswith(";TYPE:"):
            kind = line[6:]
        elif line.startswith(("G0 ", "G1 ")):
            words = dict(WORD.findall(line))
            z = float(words.get("Z", z))
            if kind.startswith("SUPPORT") and "E" in words and "X" in words:
                high = max(high, z)
    return high


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("gallery")


def adopted(name: str, folder: Path) -> Path:
    """Adopt a model into a map, and return the map's path."""
    shown, path = GALLERY[name], folder / f"{name}.forge"
    file = folder / shown.file
    if not file.exists():
        saved(name, folder, coarse=True)
    path.write_text(f"forge 1\n{STARTS}")
    done = typed("adopt", file, *shown.words, "--map", path, "--at", "D5")
    assert done.returncode == 0, done.stderr
    assert shown.said in done.stderr
    return path


@pytest.mark.parametrize("name", SMALL)
def test_a_model_is_adopted_and_stands_on_a_map(name: str, folder: Path) -> None:
    made = ff.check(ff.load(adopted(name, folder)))
    assert made.ok
    (model,) = made.map.board.models
    assert len(model.tiles) in (1, 4)
    table = json.loads(typed("adopt", folder / GALLERY[name].file, "--json").stdout)
    assert table["unit"] == GALLERY[name].unit
    assert table["upside_down"] is (name == "hanging")


@pytest.mark.parametrize("name", SMALL)
def test_its_part_is_one_closed_body_on_its_tiles(name: str, folder: Path) -> None:
    (model,) = ff.load(adopted(name, folder)).layout.models
    mesh = build(next(pieces_of_model(model)), PRINTER).to_trimesh()
    assert mesh.is_watertight
    assert mesh.body_count == 1
    assert mesh.extents[0] <= model.cols * 30
    assert mesh.extents[1] <= model.rows * 30


@needs_slicer
@needs_cura
@pytest.mark.slicer
@pytest.mark.long
@pytest.mark.parametrize("name", GALLERY if EXHAUSTIVE else SMALL)
def test_two_slicers_print_it_with_supports_where_the_block_says_so(
    name: str, folder: Path
) -> None:
    (model,) = ff.load(adopted(name, folder)).layout.models
    mesh = build(next(pieces_of_model(model)), PRINTER)
    sliced = slice_mesh(mesh, folder, "terrain")
    assert sliced.inside(PRINTER)
    assert sliced.grams > 1
    high = supported_mm(slice_cura(mesh, folder))
    assert model.supports or high < JOINT_MM, f"CuraEngine supports it up to {high} mm"


@pytest.mark.long
@pytest.mark.parametrize("name", GALLERY)
def test_bots_play_twenty_games_on_it(name: str, folder: Path) -> None:
    done = typed("playtest", adopted(name, folder), "--games", "20", "--bots", "random,greedy")
    assert done.returncode == 0, done.stderr

"""Two tones: one change of filament on a plate, below all tops and above no wall."""

import io
import json
import re
import zipfile
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

import falldamage_forge as ff
from falldamage_forge.board.tones import PALETTES, TONES, top_colours
from falldamage_forge.builds.output_files import filament_plan, plate_colours, plate_table
from falldamage_forge.builds.pipeline import BuildOptions, PrintJob, build_map, style_of
from falldamage_forge.export.bambu_project import CHANGES, write_projects
from falldamage_forge.export.filament_list import change_note
from falldamage_forge.export.piece_list import csv_bytes, text_table
from falldamage_forge.export.project_template import SETTINGS
from falldamage_forge.export.threemf import (
    PRUSA_CHANGES,
    ModelInfo,
    PlateContents,
    write_plate,
)
from falldamage_forge.geometry.mesh_properties import volume_below_mm3
from falldamage_forge.geometry.piece_mesh import build
from falldamage_forge.geometry.piece_style import PieceStyle
from falldamage_forge.issues import ForgeError
from falldamage_forge.lang import load
from falldamage_forge.lengths import print_grid
from falldamage_forge.pieces.family_roles import ROLES, role_of
from falldamage_forge.presets import (
    load_catalogue,
    load_printer,
    load_process,
    load_style,
    names,
    slicer_files,
)
from falldamage_forge.printing.colour_groups import GROUPS
from falldamage_forge.printing.filament_plan import changes_by_hand, print_steps, purges_of
from falldamage_forge.printing.layer_ranges import layer_ranges, layer_tops
from falldamage_forge.printing.prusaslicer import slice_file
from falldamage_forge.printing.tone_change import (
    COST,
    ChangeBy,
    change_of,
    first_height_mm,
)
from falldamage_forge.render.isometric import isometric
from falldamage_forge.render.raster3d.board_scene import board_photo
from falldamage_forge.render.svg import png, svg
from falldamage_forge.render.topdown import topdown
from falldamage_forge.render.viewer_meshes import models_of, two_tones
from tests.cli.running import small_map, typed
from tests.export.test_project_file import judge
from tests.export.test_threemf import read_strictly
from tests.geometry.slicing import needs_slicer
from tests.pieces.maps import layout_of

PRINTER = load_printer("a1-mini")
PIECES = load_catalogue().pieces


@cache
def toned(
    tops: str = "grass", filaments: int | None = None, change_by: ChangeBy = "ams"
) -> PrintJob:
    options = BuildOptions(
        tops=tops, filaments=filaments, change_by=change_by, style=load_style("stone")
    )
    return build_map(layout_of("duel"), load_catalogue(), PRINTER, options=options)


def contents(job: PrintJob) -> PlateContents:
    return PlateContents(job.printed, *plate_colours(job))


def member(data: bytes, name: str) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        return package.read(name)


def test_words_name_groups_of_pieces() -> None:
    groups = {piece.group for piece in PIECES.values()}
    assert all(groups >= {*tone.groups} for tone in TONES.values())
    assert not {tone.title for tone in TONES.values()} & {*GROUPS}
    for word, tones in PALETTES.items():
        own = [group for tone in tones for group in tone.groups]
        assert len(own) == len(set(own)), f"{word} colours a group twice"
    assert ROLES.keys() <= {piece.family for piece in PIECES.values()}


@pytest.mark.parametrize("process", names("processes"))
def test_a_change_lies_between_two_layers_and_not_above_its_height(process: str) -> None:
    own = load_process(process)
    for piece in PIECES.values():
        for word in PALETTES:
            change = change_of(piece, word, piece.group, own)
            if change is None:
                assert first_height_mm(piece) is None or piece.group not in top_colours(word)
                continue
            height_mm = first_height_mm(piece)
            assert height_mm is not None
            ranges = layer_ranges(piece, piece.grid.height_mm(piece.levels), own)
            layer_mm = own.way(piece.group).layer_mm
            tops = layer_tops(height_mm + 1.0, own.first_layer_mm, layer_mm, ranges)
            assert (change.first_mm, change.print_z_mm) in pairwise(tops)
            assert own.first_layer_mm <= change.first_mm <= height_mm + 1e-6


@pytest.mark.parametrize("style", ["stone", "grass", "brick"])
@pytest.mark.parametrize(
    "key", ["block-1x1x1", "block-l-2", "step", "quadrant", "bridge-2", "lava"]
)
def test_no_wall_has_a_band(key: str, style: str) -> None:
    """What lies below the change is drawn in from the sides of the part above."""
    mesh = build(PIECES[key], PRINTER, load_style(style))
    points, height = mesh.vertices, role_of(PIECES[key].family).first_mm or 0.0
    below = points[points[:, 2] <= height + 1e-4]
    whole = np.ptp(points[:, :2], axis=0)
    drawn_in = whole - np.ptp(below[:, :2], axis=0)
    # A bridge's ends lie on its supports and are hidden between them.
    assert (drawn_in[1:] if key.startswith("bridge") else drawn_in).min() >= 0.8


@given(st.floats(0.1, 5.0), st.floats(0.1, 5.0))
def test_volume_grows_with_height(one: float, other: float) -> None:
    mesh = build(PIECES["block-1x1x1"], PRINTER)
    low, high = (volume_below_mm3(mesh, each) for each in sorted((one, other)))
    assert 0 < low <= high + 1e-6
    assert high <= 30.0**2 * max(one, other)


@pytest.mark.parametrize("tops", ["green", "grass", "forest"])
@pytest.mark.parametrize(
    "more", [{}, {"filaments": 3}, {"group_by": "stage"}, {"share_g": 40.0}], ids=str
)
def test_one_change_serves_all_parts_of_a_plate(tops: str, more: dict[str, Any]) -> None:
    if more.get("filaments", 9) <= len(PALETTES[tops]):
        pytest.skip("too few filaments")
    layout, options = layout_of("duel"), BuildOptions(tops=tops, **more)
    job = build_map(layout, load_catalogue(), PRINTER, options=options, sizes=toned().sizes)
    heads = plate_colours(job)[0]
    for plate in job.plates:
        keys = plate.counts()
        own = {change_of(job.pieces[key], tops, heads[key], PRINTER.process) for key in keys}
        assert own == {plate.change}
        if plate.change:
            assert {heads[key] for key in keys} == {plate.change.body}, "one filament of walls"
    assert any(plate.change for plate in job.plates)
    assert all(job.pieces[key].family != "spire" for key, g in job.tops_g.items() if g)


def test_sizes_alone_give_about_the_grams_of_tops() -> None:
    job, layout, options = toned(), layout_of("duel"), BuildOptions(tops="grass")
    sized = build_map(layout, load_catalogue(), PRINTER, options=options, sizes=job.sizes)
    weights = [sum(row.tops_grams for row in each.rows) for each in (job, sized)]
    assert weights[0] == pytest.approx(weights[1], rel=0.1)


def test_a_change_is_in_the_estimate_and_in_every_list() -> None:
    plain, job = toned(""), toned("green")
    assert COST.grams <= 1.5 and COST.minutes <= 4
    changes = sum(plate.change is not None for plate in job.plates)
    more = sum(f.grams for f in job.figures) - sum(f.grams for f in plain.figures)
    assert more == pytest.approx(changes * COST.grams)
    table = plate_table(job)
    assert sum("change" in row for row in table) == changes
    tops = sum(row.tops_grams for row in job.rows)
    plan = filament_plan(job)
    assert plan and plan.filaments[-1].grams == pytest.approx(tops)
    total = sum(row.grams for row in job.rows)
    assert sum(one.grams for one in plan.filaments) == pytest.approx(total)
    assert b"tops_grams" in csv_bytes(job.rows) and b"tops_grams" not in csv_bytes(plain.rows)
    assert f"{tops:.0f} g" in text_table(job.rows).splitlines()[-1]
    assert "during prints" in change_note(plan)


@pytest.mark.parametrize("filaments", [2, 3, 4, 16])
def test_tops_count_as_filaments(filaments: int) -> None:
    plan = filament_plan(toned("green", filaments))
    assert plan and len(plan.filaments) <= filaments
    assert plan.filaments[-1].groups == ("green tops",)


@pytest.mark.parametrize(("tops", "filaments"), [("green", 1), ("grass", 2), ("", 0), ("", -3)])
def test_too_few_filaments_are_refused(tops: str, filaments: int) -> None:
    with pytest.raises(ForgeError) as error:
        toned(tops, filaments)
    (issue,) = error.value.issues
    assert issue.code == "FDF452" and "--filaments" in (issue.hint or "")


def test_a_change_of_spool_is_counted_where_it_is_made() -> None:
    steps = print_steps([(5, 1), (5, 1), (5, 2), (2,), (1, 2)], in_turn=[1, 2, 3])
    assert [step.in_turn for step in steps] == [True, True, True, False]
    assert changes_by_hand(steps) is None
    assert changes_by_hand(steps[:3]) == 5
    assert purges_of({1: 2.4, 2: 30.0}, 0.24) == 10
    assert purges_of({1: 2.4}, 0.24) == 0


@pytest.mark.parametrize(
    ("change_by", "code"),
    [("ams", ("2", "tool_change", "MultiAsSingle")), ("pause", ("1", "M400 U1", "SingleExtruder"))],
)
def test_the_project_changes_each_plate_once(change_by: ChangeBy, code: tuple[str, ...]) -> None:
    job = toned("grass", 4)
    (data,) = write_projects(
        ModelInfo("Duel"), job.plates, contents(job), PRINTER, change_by=change_by
    )
    root = ET.fromstring(member(data, CHANGES))
    found = {int(own.find("plate_info").get("id")): own for own in root}  # type: ignore[union-attr, arg-type]
    assert found.keys() == {plate.index for plate in job.plates if plate.change}
    settings = member(data, SETTINGS).decode()
    colours = re.findall("#[0-9a-fA-F]{6}", settings[settings.index("filament_colour") :])
    config = ET.fromstring(member(data, "Metadata/model_settings.config"))
    first = {
        own.find("metadata[@key='name']").get("value"):  # type: ignore[union-attr]
        int(own.find("metadata[@key='extruder']").get("value"))  # type: ignore[union-attr, arg-type]
        for own in config.iter("object")
    }
    for plate in job.plates:
        if plate.change is None:
            continue
        (layer,), mode = found[plate.index].findall("layer"), found[plate.index].find("mode")
        assert float(layer.get("top_z", "")) == plate.change.print_z_mm
        assert (layer.get("type"), layer.get("gcode"), mode.get("value")) == code  # type: ignore[union-attr]
        assert layer.get("extra") == "", "the reader needs the key"
        body, tone = int(layer.get("extruder", "")), {first[key] for key in plate.counts()}
        assert colours[body - 1] == layer.get("color")
        assert {colours[number - 1] for number in tone} == {plate.change.tone.colour}
    assert '"enable_prime_tower": "0"' in settings
    assert judge(data, PRINTER) == []


def test_a_project_of_one_colour_has_no_changes() -> None:
    job = toned("")
    (data,) = write_projects(ModelInfo("Duel"), job.plates, contents(job), PRINTER)
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        assert CHANGES not in package.namelist()


def test_a_plate_changes_once_in_prusaslicer_too() -> None:
    job = toned()
    stuff = contents(job)
    for plate in (next(p for p in job.plates if p.change), job.plates[-1]):
        data = write_plate(plate, stuff)
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            assert (PRUSA_CHANGES in package.namelist()) == (plate.change is not None)
        if plate.change is None:
            continue
        text = member(data, PRUSA_CHANGES)
        (code,) = ET.fromstring(text).iter("code")
        assert float(code.get("print_z", "")) == plate.change.print_z_mm
        assert (code.get("type"), code.get("gcode")) == ("0", "M600")
        assert b'Extension="xml"' in member(data, "[Content_Types].xml")
        assert read_strictly(data)[1] == len(plate.counts())


@needs_slicer
@pytest.mark.slicer
def test_the_slicer_changes_filament_once_at_the_planned_layer() -> None:
    job = toned("green")
    plate = min((p for p in job.plates if p.change), key=lambda p: len(p.slots))
    assert plate.change
    data = write_plate(plate, contents(job))
    text = slice_file(data, ".3mf", slicer_files(PRINTER, plate.group), PRINTER)
    before, *after = re.split(r"^M600\b", text, flags=re.M)
    assert len(after) == 1, "one change"
    below, _, layer = before.rpartition(";Z:")
    assert float(layer.split()[0]) == plate.change.print_z_mm
    assert not re.search(r"^G1 X.*E[\d.]", layer, re.M), "nothing of the layer is laid before"
    laid_mm = sum(float(e) for e in re.findall(r"^G1 .*E(-?[\d.]+)", below, re.M))
    first_g = laid_mm * np.pi * 1.75**2 / 4 * 1.24 / 1000
    planned = sum(job.tops_g[key] * count for key, count in plate.counts().items())
    assert planned == pytest.approx(first_g, rel=0.1)


@pytest.mark.parametrize("wrong", [{"tops": "gren"}, {"change_by": "hand"}, {"filaments": 0}])
def test_the_library_refuses_other_words(wrong: dict[str, Any]) -> None:
    with pytest.raises(ForgeError) as error:
        ff.Forge().assemble(ff.check(ff.load("duel")), options=BuildOptions(**wrong))
    (issue,) = error.value.issues
    assert issue.code == "FDF346" and next(iter(wrong)) in issue.message


def test_commands_take_the_colour_of_tops(tmp_path: Path) -> None:
    map_ = small_map(tmp_path / "small.forge")
    words = ("--tops", "green", "--price", "20")
    found = json.loads(typed("pieces", map_, *words, "--format", "json").stdout)
    assert 0 < found["total"]["tops_grams"] < found["total"]["grams"]
    assert {plate["change"]["from"] for plate in found["plates"] if "change" in plate} == {"green"}
    own = found["filaments"][-1]
    assert own["groups"] == ["green tops"]
    assert own["cost"] == pytest.approx(0.02 * own["grams"], abs=0.01)
    assert "of it tops" in typed("pieces", map_, *words).stdout


@pytest.mark.parametrize("word", PALETTES)
def test_maps_name_the_colours_of_their_tops(word: str) -> None:
    loaded = load(f"forge 1\nprint {{ rim  tops {word} }}\nstart red at B1\n", "a.forge")
    assert not [issue for issue in loaded.issues if issue.code in ("FDF210", "FDF211")]
    assert loaded.layout.printing.tops == word and loaded.layout.printing.rim


def test_an_unknown_colour_is_an_error_with_a_suggestion() -> None:
    (issue,) = load("forge 1\nprint { tops gren }\nstart red at B1\n", "a.forge").issues[:1]
    assert issue.code == "FDF211" and "`green`" in (issue.hint or "")
    run = typed("build", "duel", "--tops", "gren")
    assert run.returncode == 2 and "--tops" in run.stderr


def reds_and_greens(data: bytes) -> tuple[int, int]:
    """How many pixels are redder, and how many greener, than anything else in them."""
    pixels = np.asarray(Image.open(io.BytesIO(data)).convert("RGB")).astype(int)
    red, green, blue = pixels[..., 0], pixels[..., 1], pixels[..., 2]
    return int((red > green + 40).sum()), int((green > np.maximum(red, blue) + 15).sum())


def test_the_drawing_shows_the_tops() -> None:
    board = layout_of("duel").board
    for draw in (isometric, topdown):
        greens = [reds_and_greens(png(draw(board, tops=tops)))[1] for tops in ("", "turf")]
        assert greens[1] > 3 * greens[0]
        assert svg(draw(board, tops="")) == svg(draw(board))
        assert len({svg(draw(board, tops=tops)) for tops in PALETTES}) >= len(TONES) - 1


def test_the_photograph_shows_the_tops() -> None:
    job = toned("turf")
    shot = (job.plan.placements, job.meshes, PRINTER)
    plain, turf = (
        reds_and_greens(board_photo(*shot, scale=0.2, quick=True, tops=tops))[1]
        for tops in ("", "turf")
    )
    assert turf > 3 * plain


@pytest.mark.parametrize("kind", ["fir", "oak", "bush"])
@pytest.mark.parametrize("tile", [25.4, 30.0, 40.0])
def test_a_trunk_changes_below_its_crown(kind: str, tile: float) -> None:
    """A crown is wider than the trunk below it: the change lies at the neck between them."""
    finish = replace(load_style("stone").finish("tree"), trees=(kind,))
    style = PieceStyle("trees", "Trees", (("tree", finish),))
    grid = print_grid(tile, tile)
    piece = PIECES["tree"].on(grid)
    change = change_of(piece, "bark", "tree", PRINTER.process)
    assert change
    mesh = build(piece, PRINTER, style)
    centre = (mesh.vertices[:, :2].min(axis=0) + mesh.vertices[:, :2].max(axis=0)) / 2
    reach = np.hypot(*(mesh.vertices[:, :2] - centre).T)
    z = mesh.vertices[:, 2]

    def widest(low: float, high: float) -> float:
        return float(reach[(z >= low * tile) & (z <= high * tile)].max())

    neck = widest(change.first_mm / tile - 0.02, change.first_mm / tile + 0.02)
    assert neck < 0.6 * widest(0.0, 0.1), "the knoll is brown"
    assert neck < 0.8 * widest(0.75, 1.4), "the crown is green"


def test_a_cut_mesh_is_the_whole_mesh_in_two_colours() -> None:
    key = "block-1x1x1"
    mesh = build(PIECES[key], PRINTER, load_style("stone"))
    model = models_of({key: PIECES[key]}, {key: mesh})[key]
    body, top = two_tones(model, PIECES[key], "turf", PRINTER)
    assert top.colour == TONES["turf"].colour and body.colour == model.colour
    assert top.vertices[:, 2].max() == pytest.approx(ROLES["block"].first_mm, abs=1e-3)
    assert body.vertices[:, 2].min() == pytest.approx(ROLES["block"].first_mm, abs=1e-3)
    assert two_tones(model, PIECES[key], "", PRINTER) == (model,)
    spire = models_of({"spire": PIECES["spire"]}, {"spire": mesh})["spire"]
    assert two_tones(spire, PIECES["spire"], "turf", PRINTER) == (spire,)


@pytest.mark.parametrize("style", ["stone", "grass", "hall", "winter", "ruin"])
def test_no_tree_with_a_crown_of_its_own_colour_is_dead(style: str) -> None:
    """A bare trunk would turn green in the middle; without such a colour looks stay as they are."""
    look = load_style(style)
    plain = style_of(BuildOptions(style=look))
    assert plain == style_of(BuildOptions(style=look, tops="grass")) == look
    leafy = style_of(BuildOptions(style=look, tops="forest"))
    assert isinstance(leafy, PieceStyle)
    trees = leafy.finish("tree").trees
    assert trees == tuple(tree for tree in look.finish("tree").trees if tree != "dead")


def test_a_build_with_bark_makes_the_trees_of_that_style() -> None:
    layout, look = ff.load("duel").layout, load_style("stone")
    options = BuildOptions(style=look, variants=4)
    bare, barked = (
        build_map(layout, load_catalogue(), PRINTER, options=replace(options, tops=tops))
        for tops in ("", "forest")
    )
    trees = sorted(key for key in bare.meshes if key.startswith("tree"))
    assert len(trees) == 4
    for key in trees:
        leafy = build(barked.pieces[key], PRINTER, look.in_leaf())
        assert barked.meshes[key].digest() == leafy.digest()
    assert bare.meshes["tree-c"].digest() != barked.meshes["tree-c"].digest()

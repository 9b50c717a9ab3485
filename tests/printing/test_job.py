"""Print jobs as values: rows, plates and figures of one job agree, whichever options it has."""

from __future__ import annotations

import io
import json
import zipfile
from collections import Counter
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

import falldamage_forge as ff
from falldamage_forge.builds.block_costs import block_costs
from falldamage_forge.builds.output_files import (
    COVER_PIXELS,
    PLAIN,
    artifacts,
    figures_note,
    grid_of,
    part_files,
    plan_notes,
    plate_table,
    size_of_table,
)
from falldamage_forge.builds.pipeline import (
    BuildOptions,
    PrintJob,
    assemble_kit,
    build_map,
    plan_extras,
    planned,
    replace_figures,
)
from falldamage_forge.builds.publish import _zipped
from falldamage_forge.builds.result import report_context_of_illegal
from falldamage_forge.export.print_service_order import piece_file
from falldamage_forge.geometry import mesh_validation
from falldamage_forge.geometry.mesh_properties import MeshProperties
from falldamage_forge.geometry.part_size import PartSize
from falldamage_forge.infra.artifacts import Artifact
from falldamage_forge.lengths import print_grid
from falldamage_forge.pieces.family_roles import STAGE_ORDER, role_of
from falldamage_forge.pieces.map_kit import MapKit
from falldamage_forge.presets import load_catalogue, load_printer
from falldamage_forge.printing.colour_groups import FIRST
from falldamage_forge.printing.estimate_model import Band, PrintStatistics
from falldamage_forge.printing.print_price import Price
from falldamage_forge.printing.process import SHARED
from falldamage_forge.render import svg
from falldamage_forge.render.display_list import Drawing
from falldamage_forge.render.isometric import isometric
from falldamage_forge.render.svg import png
from tests.cli.running import SMALL, typed

PRINTER = load_printer("a1-mini")
CATALOGUE = load_catalogue()
LAYOUT = ff.loads(
    SMALL.format(tower="D4").replace("board", 'title "Small"\nauthor "A. Player"\nboard')
    + "stack F3 height 3\nladder F4 -> F3\ntree at G6\nextras {\n  lifter 1\n}\n"
).layout


class Sizes(dict[str, PartSize]):
    """Every piece is a box of 60 x 28 x 30 mm."""

    def __missing__(self, key: str) -> PartSize:
        properties = MeshProperties(9000.0, 6000.0, 1500.0, (60.0, 28.0, 30.0))
        return PartSize(properties, bands=(Band(30.0, 300.0, 176.0, 1, 0.1, 0.1),))


@cache
def job(**options: Any) -> PrintJob:
    wish = BuildOptions(**{"owned": {}, **options})
    return build_map(LAYOUT, CATALOGUE, PRINTER, options=wish, sizes=Sizes())


def on_plates(build: PrintJob) -> Counter[str]:
    return sum((Counter(plate.counts()) for plate in build.plates), Counter())


@pytest.mark.parametrize(
    "options",
    [{}, {"group_by": "stage"}, {"variants": 3}, {"rim": True}, {"share_g": 8.0}, {"printers": 2}],
    ids=str,
)
def test_rows_plates_and_figures_agree(options: dict[str, Any]) -> None:
    build = job(**options)
    rows = {row.piece: row for row in build.rows}
    assert {key: row.required for key, row in rows.items()} == build.counts
    assert on_plates(build) == {key: row.quantity for key, row in rows.items()}
    for key, row in rows.items():
        assert row.owned == 0
        assert row.plates == tuple(p.index for p in build.plates if key in p.counts())
        assert (row.title, row.group) == (build.pieces[key].title, build.pieces[key].group)
        assert row.grams > 0 and row.minutes > 0
    for what in ("grams", "minutes"):
        whole = sum(getattr(figure, what) for figure in build.figures)
        assert sum(getattr(row, what) for row in build.rows) == pytest.approx(whole)
    assert len(build.machines) == len(build.figures) == len(build.plates) > 1
    assert set(build.machines) == set(range(1, build.options.printers + 1))
    assert build.source == "estimated"


@pytest.mark.parametrize("filaments", [2, 3, 5])
def test_plates_of_filaments_keep_figures_apart_and_are_named_by_their_parts(
    filaments: int,
) -> None:
    build, figures = job(filaments=filaments), {*PRINTER.process.figure_groups}
    for plate in build.plates:
        held = {build.pieces[key].group for key in plate.counts()}
        assert {*plate.group.split(SHARED)} == held
        assert held <= figures or not held & figures


def test_plate_of_several_colours_has_room_for_a_tower() -> None:
    build = job(share_g=900.0)
    towers = [plate.tower_mm is not None for plate in build.plates]
    colours = [{build.pieces[key].group for key in plate.counts()} for plate in build.plates]
    assert towers == [len(each) > 1 for each in colours] and any(towers)


def test_progress_of_a_job_names_its_steps() -> None:
    told: list[str] = []
    build_map(LAYOUT, CATALOGUE, PRINTER, lambda what, *_: told.append(what), sizes=Sizes())
    assert told == ["dividing columns into blocks", "packing plates"]


def test_owned_parts_are_not_printed_and_never_count_twice() -> None:
    needed = job().counts
    key = max(needed, key=needed.__getitem__)
    for have in (1, needed[key], needed[key] + 5):
        build = build_map(
            LAYOUT, CATALOGUE, PRINTER, options=BuildOptions(owned={key: have}), sizes=Sizes()
        )
        (row,) = (row for row in build.rows if row.piece == key)
        assert row.owned == min(have, row.required)
        assert on_plates(build)[key] == row.required - row.owned


def test_stock_of_the_map_is_used_unless_options_name_another() -> None:
    key = max(job().counts, key=job().counts.__getitem__)
    text = f"{SMALL.format(tower='D4')}inventory {{\n  {key} 1\n}}\n"
    layout = ff.loads(text).layout

    def owned(options: BuildOptions) -> int:
        build = build_map(layout, CATALOGUE, PRINTER, options=options, sizes=Sizes())
        return build.owned.get(key, 0)

    assert owned(BuildOptions()) == 1
    assert owned(BuildOptions(owned={})) == 0


def test_plates_of_a_stage_hold_its_families_in_printing_order() -> None:
    build = job(group_by="stage")
    groups = [plate.group for plate in build.plates]
    assert set(groups) == set(STAGE_ORDER)
    assert groups == sorted(groups, key=STAGE_ORDER.index)
    for plate in build.plates:
        families = {build.pieces[key].family for key in plate.counts()}
        assert {role_of(family).stage for family in families} == {plate.group}


def test_plates_of_a_colour_begin_with_the_base_and_stone() -> None:
    groups = [plate.group for plate in job().plates]
    known = [group for group in FIRST if group in groups]
    assert len(known) > 1 and set(groups) - set(known)
    rest = sorted(group for group in groups if group not in known)
    assert list(dict.fromkeys(groups)) == [*known, *dict.fromkeys(rest)]


def test_extras_and_a_rim_are_printed_but_stand_on_no_tile() -> None:
    placed = Counter(planned(LAYOUT, CATALOGUE, PRINTER).counts())
    for rim in (False, True):
        more = Counter(plan_extras(LAYOUT, CATALOGUE, rim))
        assert more["lifter"] == 1
        assert any(key.startswith("rim") for key in more) == rim
        assert Counter(job(rim=rim).counts) == placed + more
    assert Counter(job().plan.counts()) == placed


def test_other_figures_replace_the_estimate() -> None:
    build = job(printers=2)
    figures = [PrintStatistics(10.0 * plate.index, 60.0) for plate in build.plates]
    sliced = replace_figures(build, figures, "PrusaSlicer")
    assert sliced.source == plan_notes(sliced)["figures"] == "PrusaSlicer"
    assert sliced.figures == tuple(figures)
    assert sum(row.grams for row in sliced.rows) == pytest.approx(sum(f.grams for f in figures))
    assert figures_note(sliced).startswith("filament and time: PrusaSlicer; starting a plate takes")
    assert f"{len(build.plates)} of them" in figures_note(sliced)


def test_table_of_plates_has_each_plate_with_its_figures() -> None:
    build = job(printers=2)
    table = plate_table(build)
    assert len(table) == len(build.plates)
    for row, plate, figures, machine in zip(
        table, build.plates, build.figures, build.machines, strict=True
    ):
        assert row == {
            "plate": plate.index, "name": plate.name, "group": plate.group,
            "pieces": plate.counts(), "printer": machine,
            "grams": pytest.approx(figures.grams, abs=0.05),
            "minutes": pytest.approx(figures.minutes, abs=0.05),
            "start_minutes": pytest.approx(PRINTER.start_minutes, abs=0.05),
        }  # fmt: skip


@pytest.mark.parametrize("minimise", [None, "pieces"])
def test_notes_on_the_division_name_its_aim_and_its_proof(minimise: Any) -> None:
    build = job(minimise=minimise)
    assert build.cover is not None
    note = plan_notes(build)["division"]
    assert isinstance(note, dict)
    cover = build.cover
    assert note == {
        "minimise": minimise or "filament", "method": cover.method, "cost": round(cover.cost, 1),
        "bound": round(cover.bound, 1), "gap": round(cover.gap, 4),
        "greedy": round(cover.greedy_cost, 1),
    }  # fmt: skip
    assert type(note["bound"]) is type(note["cost"]) is float
    assert note["bound"] <= note["cost"] <= note["greedy"]
    if minimise == "pieces":
        blocks = [p for p in build.plan.placements if p.piece.family == "block"]
        assert note["cost"] == len(blocks)


def test_cost_of_a_block_is_its_filament_its_time_or_one() -> None:
    one, many = CATALOGUE["block-1x1x1"], CATALOGUE["block-2x2x1"]
    assert block_costs([one, many], PRINTER, None, "plain") is None
    assert block_costs([one, many], PRINTER, "pieces", "plain") == {one.key: 1.0, many.key: 1.0}
    grams, hours = (block_costs([one, many], PRINTER, aim, "plain") for aim in ("grams", "hours"))
    assert grams is not None and hours is not None
    for costs in (grams, hours):
        assert 0 < costs[one.key] < costs[many.key]
    modes = PRINTER.estimate.items()
    heavy = {name: replace(rates, density_g_cm3=2 * rates.density_g_cm3) for name, rates in modes}
    doubled = block_costs([one], replace(PRINTER, estimate=heavy), "grams", "plain")
    assert doubled == {one.key: pytest.approx(2 * grams[one.key])}
    assert 1 < grams[one.key] < 60, "in grams"
    assert 3 < hours[one.key] < 120, "in minutes"


def test_fewest_hours_and_grams_are_those_of_the_style_that_is_printed() -> None:
    """Costs were those of plain walls: `hours` chose blocks that take longer in stone.

    Costs are those of parts alone; plates may differ by a minute, as layers of other parts give a
    part time to cool.
    """
    found = {}
    for aim in ("grams", "hours", "pieces"):
        kit = typed("kit", "starter", "--minimise", aim, "--format", "json")
        found[aim] = json.loads(kit.stdout)["total"]
    assert found["hours"]["minutes"] <= min(total["minutes"] for total in found.values()) + 1
    assert found["grams"]["grams"] == min(total["grams"] for total in found.values())


def test_manifest_names_another_size_of_the_table_only() -> None:
    assert size_of_table(job()) == {}
    grid = print_grid(40.0, 24.0)
    layout = ff.loads(SMALL.format(tower="D4") + "print {\n  tile 40mm\n  rise 24mm\n}\n").layout
    build = build_map(layout, CATALOGUE.on(grid), PRINTER, sizes=Sizes())
    assert grid_of(build) == layout.printing.grid == grid
    assert size_of_table(build) == {"tile_mm": 40.0, "rise_mm": 24.0}


def test_lists_beside_the_parts_carry_price_and_title() -> None:
    build = job(price=Price(20.0))
    files = {file.path: file.data.decode() for file in artifacts(build, LAYOUT, PRINTER, parts=())}
    assert set(files) == {"pieces.csv", "pieces.json", "order.csv", "manifest.json"}
    assert "EUR" in files["pieces.csv"] and "EUR" in files["pieces.json"]
    manifest = json.loads(files["manifest.json"])
    assert manifest["title"] == "Small"


@pytest.mark.parametrize("variants", [1, 2])
def test_job_of_a_kit_has_its_parts_and_no_plan(variants: int) -> None:
    piece, cover = CATALOGUE["block-1x1x1"], job().cover
    assert cover is not None
    options = BuildOptions(variants=variants, price=Price(20.0))
    made = assemble_kit(
        MapKit((), {piece.key: 3}, {piece.key: piece}, cover), PRINTER, options=options
    )
    assert (made.plan.placements, made.cover, made.options) == ((), cover, options)
    assert sorted(made.counts.values()) == ([3] if variants == 1 else [1, 2])
    assert set(made.meshes) == set(made.counts) == set(made.pieces)
    assert on_plates(made) == made.counts


def test_page_of_an_illegal_map_shows_its_errors_and_no_parts() -> None:
    text = SMALL.format(tower="D4") + 'bridge D4 -> G4 level 5\ntitle "Broken"\nauthor "A"\n'
    checked = ff.check(ff.loads(text, "folder/broken.forge"))
    data = report_context_of_illegal(checked)
    assert (data.title, data.author, data.source_name) == ("Broken", "A", "broken.forge")
    assert (data.board, data.source, data.issues) == (checked.layout.board, text, checked.issues)
    assert (data.rows, data.plates, data.grid) == ((), (), checked.map.grid)
    errors = {tile for issue in data.issues if issue.severity == "error" for tile in issue.tiles}
    (overlay,) = data.overlays
    assert {mark.tile for mark in overlay.marks} == errors


def test_zip_stores_what_is_packed_already_and_has_no_date() -> None:
    packed = ("a.3mf", "a.jpg", "a.png", "a.gif", "a.webp", "a.mp4", "a.pdf")
    files = [Artifact(path, b"x" * 99) for path in (*packed, "a.stl", "a.txt", "a.json")]
    data = _zipped(files)
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        for entry in package.infolist():
            stored = entry.compress_type == zipfile.ZIP_STORED
            assert stored == (entry.filename in packed), entry.filename
            assert entry.date_time[0] == 1980
            assert entry.external_attr >> 16 == 0o644
            assert package.read(entry) == b"x" * 99
    assert data == _zipped(files)


@pytest.mark.smoke
def test_files_of_parts_are_named_checked_and_carry_the_picture_of_the_table(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each file is checked under its own name; the project's picture is that of the map's grid."""
    grid = print_grid(40.0, 24.0)
    piece = CATALOGUE.on(grid)["chest"]
    cover = job().cover
    assert cover is not None
    made = assemble_kit(MapKit((), {piece.key: 2}, {piece.key: piece}, cover), PRINTER)
    asked: list[object] = []
    checked: list[str] = []
    told: list[str] = []
    valid = mesh_validation.require_valid_stl
    drawing = isometric(LAYOUT.board, title="Small", grid=grid)
    painted = png(Drawing(drawing.width, drawing.height, (), "#123456"))

    def paint(asked_for: Drawing) -> bytes:
        asked.append(asked_for)
        return painted

    def looked(data: bytes, printer: object, name: str) -> None:
        checked.append(name)
        valid(data, PRINTER, name)

    monkeypatch.setattr(svg, "png", paint)
    monkeypatch.setattr(mesh_validation, "require_valid_stl", looked)
    files = {
        file.path: file.data
        for file in part_files(made, LAYOUT, PRINTER, lambda what, *_: told.append(what))
    }
    (plate,) = made.plates
    own = f"pieces/{piece_file(made.rows[0]).rpartition('/')[2]}"
    assert set(files) == {
        own, f"plates/{plate.name}.stl", f"plates/{plate.name}.3mf", "project.3mf", PLAIN,
    }  # fmt: skip
    assert checked == [piece.key]
    assert told == [f"writing {piece.key}", f"writing {plate.name}", "writing the project"]
    assert asked == [drawing], "the picture of the folder, which is painted once"
    with zipfile.ZipFile(io.BytesIO(files["project.3mf"])) as project:
        names = {name for name in project.namelist() if name.endswith(".png")}
        shown = [project.read(name) for name in names]
        assert svg.smaller(painted, 512, foot=drawing.foot) in shown
        sides = {int.from_bytes(data[16:20], "big") for data in shown}  # width in the PNG's head
        assert set(COVER_PIXELS) <= sides
        model = project.read("3D/3dmodel.model").decode()
    for words in ("Small", "A. Player", "A 10x10 table for fall-damage: 2 parts on 1 plates"):
        assert words in model

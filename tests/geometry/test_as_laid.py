"""Lines, feet and joints as laid, on shapes whose numbers are known; no slicer is asked."""

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
import shapely
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st

from falldamage_forge import presets
from falldamage_forge.geometry.bed_adhesion import (
    APART_MM,
    EAR_MM,
    LEAST_SHARE,
    ROOTED_MM,
    TAB_MM,
    TALLEST,
    Foot,
    ears,
    foot_of,
    foot_of_mesh,
    least_modulus_mm3,
)
from falldamage_forge.geometry.connector_standard import LAYER_MM
from falldamage_forge.geometry.csg import from_mesh
from falldamage_forge.geometry.joint_check import Joint, make_joint
from falldamage_forge.geometry.piece_mesh import BUILDERS, as_printed, build
from falldamage_forge.geometry.relief.chests import CHESTS
from falldamage_forge.geometry.sliced_joint import joint_fit
from falldamage_forge.geometry.sliced_part import SlicedPart, SlicedReport, judge_sliced, swept
from falldamage_forge.pieces.catalogue import Catalogue
from falldamage_forge.printing.gcode import LaidLayer, read_layers
from falldamage_forge.printing.printer import Printer
from falldamage_forge.printing.slicer_settings import differing_settings, told_settings
from tests.amount import EXHAUSTIVE

from .conftest import mesh_of

HEIGHT_MM, WIDTH_MM, SIDE_MM = 0.24, 0.42, 12 * 0.42
MEANT = {
    "layer_height": "0.24",
    "first_layer_height": "0.24",
    "external_perimeter_extrusion_width": "0.42",
    "extrusion_multiplier": "0.98",
    "filament_diameter": "1.75",
}


def box(bounds: tuple[tuple[float, float, float], tuple[float, float, float]]) -> object:
    return from_mesh(mesh_of(trimesh.creation.box(bounds=bounds)))


def layer(number: int, x_mm: float = 0.0, width_mm: float = WIDTH_MM) -> LaidLayer:
    """A square of lines about the origin but for `x_mm`: 10 within, that overlap, and a rim."""
    half = SIDE_MM / 2 - WIDTH_MM / 2
    runs = np.linspace(WIDTH_MM - half, half - WIDTH_MM, 10)
    rows = [(-half / 1.05, y, half / 1.05, y, 0.44) for y in runs]
    corners = [(-half, -half), (half, -half), (half, half), (-half, half), (-half, -half)]
    rows += [(*one, *other, width_mm) for one, other in pairwise(corners)]
    lines = np.array([(x0 + x_mm, y0, x1 + x_mm, y1, wide, 1.0) for x0, y0, x1, y1, wide in rows])
    kinds = np.array(["Solid infill"] * 10 + ["External perimeter"] * 4)
    return LaidLayer((number + 1) * HEIGHT_MM, HEIGHT_MM, lines, kinds)


def square(layers: list[LaidLayer]) -> SlicedReport:
    half = SIDE_MM / 2
    top = layers[-1].top_mm
    solid = box(((-half, -half, 0), (half, half, top)))
    return judge_sliced("it", SlicedPart(solid, layers, MEANT))


def test_what_is_laid_as_drawn_is_quiet() -> None:
    report = square([layer(n) for n in range(5)])
    assert not report.faults
    assert report.offset_mm == pytest.approx(0, abs=1e-6)
    assert report.foot.contact_mm2 == pytest.approx(SIDE_MM**2, rel=0.01)


@settings(max_examples=12, deadline=None)
@given(st.floats(-0.08, 0.2))
def test_wider_lines_are_an_outline_so_far_off(more_mm: float) -> None:
    report = square([layer(n, width_mm=WIDTH_MM + 2 * more_mm) for n in range(4)])
    assert report.offset_mm == pytest.approx(more_mm, abs=0.002)
    assert ("outline" in report.faults) == (abs(report.offset_mm) > 0.01)


@settings(max_examples=12, deadline=None)
@given(st.floats(0, 3), st.integers(1, 4))
def test_a_layer_moved_aside_juts_and_loses(by_mm: float, number: int) -> None:
    report = square([layer(n, by_mm if n == number else 0.0) for n in range(5)])
    assert (report.area_mm2("lost") > 0) == (report.area_mm2("added") > 0)
    if by_mm > 0.3:  # thinner strips may be the tips of corners
        assert report.area_mm2("lost") == pytest.approx(by_mm * SIDE_MM, rel=0.05)
    lean = HEIGHT_MM / math.tan(math.radians(50)) + 0.05
    if by_mm - lean > 0.35:
        assert report.widest_mm("jut") == pytest.approx(by_mm - lean, abs=0.03)
        assert "jut" in report.faults


def test_a_body_that_begins_above_another_is_an_island() -> None:
    report = square([layer(0), layer(1, x_mm=2 * SIDE_MM), layer(2, x_mm=2 * SIDE_MM)])
    assert "island" in report.faults


def test_lines_left_out_inside_are_voids() -> None:
    whole = layer(1)
    kept = [0, 1, 2, 7, 8, 9, 10, 11, 12, 13]
    few = LaidLayer(whole.top_mm, HEIGHT_MM, whole.lines[kept], whole.kinds[kept])
    report = square([layer(0), few, layer(2)])
    assert report.area_mm2("lost") == 0
    assert report.area_mm2("void") == pytest.approx(
        (5 * WIDTH_MM - 0.44) * (SIDE_MM - 2 * WIDTH_MM), rel=0.02
    )


@settings(max_examples=50, deadline=None)
@given(st.floats(0.3, 0.8), st.floats(1, 30), st.floats(0.8, 1.2))
def test_filament_gives_back_the_width_it_was_laid_for(
    width_mm: float, run_mm: float, flow: float
) -> None:
    """A line and a thread; a slicer writes five digits."""
    strand = math.pi * 1.75**2 / 4
    flat = HEIGHT_MM * (width_mm - HEIGHT_MM) + math.pi * HEIGHT_MM**2 / 4
    thread = math.pi * width_mm**2 / 4
    gcode = f"""\
;TYPE:Custom
G1 X-9 Y-9 E5
G1 X0 Y0 Z{HEIGHT_MM}
;TYPE:External perimeter
G1 X{run_mm} E{flat * run_mm * flow / strand:.9f}
G1 E-0.8
;TYPE:Bridge infill
G1 X0 E{thread * run_mm * flow / strand:.9f}
"""
    (found,) = read_layers(gcode, {**MEANT, "extrusion_multiplier": f"{flow}"}, (5.0, 3.0))
    assert found.lines[:, 4] == pytest.approx([width_mm, width_mm], rel=1e-4)
    assert found.lines[0, :4] == pytest.approx([-5, -3, run_mm - 5, -3])
    assert found.middle_mm == pytest.approx(HEIGHT_MM / 2)
    assert float(swept(found.lines).area) == pytest.approx(
        width_mm * run_mm + math.pi * width_mm**2 / 4, rel=0.01
    )


def test_settings_are_compared_as_values() -> None:
    meant = {"a": "1.0", "b": "500,200", "c": "15%", "d": "grid"}
    same = "; a = 1\n; b = 500.0,200\n; c = 15%\n; d = grid\n; fuzzy_skin = none\n"
    assert list(differing_settings(meant, told_settings(same))) == []
    for key, other in (("a", "1.1"), ("b", "500"), ("c", "15"), ("d", "line")):
        told = {**told_settings(same), key: other}
        (words,) = differing_settings(meant, told)
        assert words.startswith(f"{key}: ")
    assert list(differing_settings({}, {"spiral_vase": "1"})) == [
        "spiral_vase: meant 0, sliced with 1"
    ]
    assert list(differing_settings({"a": "1"}, {})) == ["a: meant 1, unknown to this slicer"]


@settings(max_examples=50, deadline=None)
@given(st.floats(0.5, 40), st.floats(0.5, 40), st.floats(0, 180), st.floats(-90, 90))
def test_the_modulus_of_a_rectangle_is_known_however_it_lies(
    long: float, wide: float, turn: float, away: float
) -> None:
    """b h2 / 6 over the shorter side, at any turn and place; least over 36 directions."""
    shape = shapely.affinity.rotate(shapely.box(0, 0, long, wide), round(turn / 5) * 5)
    moved = shapely.affinity.translate(shape, away, 2 * away)
    least = long * wide * min(long, wide) / 6
    found = least_modulus_mm3(moved)
    assert found <= least * 1.001
    # Corners lie farther out than edges: askew, a square's modulus is less by the root of two.
    assert found >= least / math.sqrt(2) * 0.95


def test_the_modulus_of_a_ring_and_of_two_strips() -> None:
    disc, hole = (shapely.Point(3, 4).buffer(r, quad_segs=64) for r in (10, 8))
    ring = math.pi * (10**4 - 8**4) / 4 / 10
    assert least_modulus_mm3(disc - hole) == pytest.approx(ring, rel=0.01)
    strips = shapely.union_all([shapely.box(-12, -10, -10, 10), shapely.box(10, -10, 12, 10)])
    second = 2 * 2 * 20**3 / 12
    assert least_modulus_mm3(strips) <= second / 10
    assert least_modulus_mm3(shapely.Polygon()) == 0


def test_a_foot_is_refused_below_half() -> None:
    tallest, small = Foot(600, 1, 2000, 90), Foot(30, 8, 250, 60)
    assert small.share_of(tallest) == pytest.approx(0.1875)
    (issue,) = small.issues("spire", tallest)
    assert issue.code == "FDF427"
    assert "19%" in issue.message
    assert not list(Foot(300, 1, 700, 61).issues("it", tallest))


def test_every_piece_bears_what_is_asked_while_it_is_printed(
    catalogue: Catalogue, printer: Printer
) -> None:
    """With ears trees and spires bear more than the tallest block; styles change few feet."""
    tallest = foot_of_mesh(build(catalogue[TALLEST], printer))
    pieces = catalogue.pieces.values()
    eared = {piece.builder for piece in pieces if BUILDERS[piece.builder].ears(piece)}
    assert eared == {"tree", "spire", "battlement"}
    known = set()
    for piece in pieces:
        if piece.builder in known and piece.builder not in eared and not EXHAUSTIVE:
            continue
        known.add(piece.builder)
        foot = foot_of_mesh(as_printed(piece, build(piece, printer)))
        least = 1.0 if piece.builder in ("tree", "spire") else LEAST_SHARE
        assert foot.share_of(tallest) >= least, piece.key
        assert not list(foot.issues(piece.key, tallest))


@pytest.mark.parametrize("variant", range(len(CHESTS)), ids=list(CHESTS))
def test_every_kind_of_treasure_bears_what_is_asked_while_it_is_printed(
    variant: int, catalogue: Catalogue, printer: Printer
) -> None:
    tallest = foot_of_mesh(build(catalogue[TALLEST], printer))
    piece = replace(catalogue["chest"], variant=variant)
    assert not list(foot_of_mesh(build(piece, printer)).issues(piece.key, tallest))


@settings(max_examples=20, deadline=None)
@given(st.floats(8, 60), st.floats(8, 60), st.floats(0.6, 3.0), st.floats(-50, 50))
def test_ears_hold_a_ring_by_tabs_alone_and_leave_its_inside_free(
    wide: float, deep: float, wall: float, away: float
) -> None:
    outline = shapely.box(away, -away, away + wide, deep - away)
    ring = outline - outline.buffer(-wall, join_style="mitre")
    drawn = ears(ring)
    inside = drawn & outline
    assert inside.area == pytest.approx(16 * TAB_MM * (APART_MM + ROOTED_MM), rel=0.01)
    assert outline.buffer(EAR_MM + 0.01).contains(drawn)
    beside = drawn & (outline.buffer(APART_MM - 0.01, join_style="mitre") - outline)
    assert beside.area == pytest.approx(16 * TAB_MM * (APART_MM - 0.01), rel=0.02)
    assert len(shapely.get_parts(ring | drawn)) == 1
    assert least_modulus_mm3(ring | drawn) > least_modulus_mm3(ring)


def test_ears_are_one_layer_of_the_written_part_and_not_of_the_part_in_play(
    catalogue: Catalogue, printer: Printer
) -> None:
    piece = catalogue["spire"]
    own = build(piece, printer)
    written = as_printed(piece, own)
    assert written.bounds_mm()[1][2] == own.bounds_mm()[1][2]
    beyond = written.vertices[np.abs(written.vertices[:, :2] - (15, -15)).max(axis=1) > 14.95]
    assert beyond[:, 2].max() == pytest.approx(LAYER_MM)
    assert np.abs(own.vertices[:, :2] - (15, -15)).max() < 14.91
    assert as_printed(catalogue[TALLEST], own) is own


def test_blocks_bear_more_the_lower_they_are(catalogue: Catalogue, printer: Printer) -> None:
    feet = [foot_of_mesh(build(catalogue[f"block-1x1x{n}"], printer)) for n in (1, 2, 3)]
    assert [foot.contact_mm2 for foot in feet] == pytest.approx([feet[0].contact_mm2] * 3)
    assert feet[0].tear_n > feet[1].tear_n > feet[2].tear_n
    assert feet[2].share_of(foot_of_mesh(build(catalogue[TALLEST], printer))) == 1
    assert foot_of(shapely.box(0, 0, 2, 2), 5.0).patches == 1


@settings(max_examples=20, deadline=None)
@given(st.lists(st.floats(0.02, 0.6), min_size=4, max_size=4))
def test_play_is_the_gap_to_each_side(gaps: list[float]) -> None:
    """A peg in a square hole, nearer to one wall than to another."""
    north, east, south, west = gaps
    hole = box(((-9, -9, 0), (9, 9, 3))) - box(
        ((-2 - west, -2 - south, -1), (2 + east, 2 + north, 4))
    )
    peg = box(((-2, -2, 0.5), (2, 2, 2.5)))
    assert joint_fit(joint(), hole, peg).play_mm == pytest.approx(gaps, abs=0.005)


def test_play_without_a_stop_is_none() -> None:
    fit = joint_fit(joint(), box(((-9, -9, 0), (9, 9, 1))), box(((-2, -2, 1), (2, 2, 2))))
    assert fit.play_mm == (None,) * 4
    assert fit.click_mm == fit.catch_mm == 0


@pytest.mark.parametrize("click_mm", [0.05, 0.15, 0.25])
def test_a_click_is_what_a_bead_reaches_under_a_lip(click_mm: float) -> None:
    post = box(((-5, -5, 0), (5, 5, 1))) + box(((-6, -6, 1), (6, 6, 2)))
    bead = box(((6 - click_mm, -3, 0.3), (8, 3, 0.7)))
    assert joint_fit(joint(), post, bead).click_mm == pytest.approx(click_mm, abs=0.005)


def joint() -> Joint:
    """Any joint; its parts are given as solids."""
    block = presets.load_catalogue()["block-1x1x1"]
    return make_joint(block, block, ((0, 0), 0), "skirt")

"""Finishes: drawings of walls and tops, and the solids made of them."""

import itertools
import math
from functools import cache

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.geometry.base import BaseGeometry

from falldamage_forge import presets
from falldamage_forge.geometry.connector_standard import (
    BULB,
    LAYER_MM,
    NECK,
    SHALLOW_BULB,
    SHALLOW_NECK,
    STANDARD,
)
from falldamage_forge.geometry.csg import Solid, section
from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.geometry.footprint import outline
from falldamage_forge.geometry.piece_mesh import build, own_solid
from falldamage_forge.geometry.relief.apply_relief import keep_of
from falldamage_forge.geometry.relief.chests import CHESTS, HIGH_MM
from falldamage_forge.geometry.relief.crags import CLOSE, RUN, cavity_depths
from falldamage_forge.geometry.relief.elements import FigureEnvelope, PatternArea
from falldamage_forge.geometry.relief.framed_walls import BRACE_MM, PLASTER_MM
from falldamage_forge.geometry.relief.spires import SPIRES, spire_body
from falldamage_forge.geometry.relief.top_patterns import (
    THINNEST_MM,
    TOPS,
    VARIETY,
    tile_pattern,
    top_pattern,
)
from falldamage_forge.geometry.relief.trees import TREES, tree_body
from falldamage_forge.geometry.relief.wall_patterns import WALLS, run_of, wall_pattern
from falldamage_forge.geometry.relief.wall_solid import wall_column
from falldamage_forge.geometry.relief.wall_zones import MARK_HIGH_MM, MARK_LOW_MM, SHADOW_MM
from falldamage_forge.geometry.sliced_part import JUT_MM, SLACK_MM
from falldamage_forge.geometry.slicing import STEEPEST_DEG
from falldamage_forge.geometry.stud import keyhole
from falldamage_forge.lengths import PrintGrid
from falldamage_forge.pieces.catalogue import Catalogue
from falldamage_forge.pieces.variants import variants_of
from falldamage_forge.printing.printer import Printer
from tests.amount import EXHAUSTIVE, some

from .slicing import ANGLE_DEG

KEEP = keep_of(DesignParameters())
ONE = ((0, 0),)
CORNER = ((0, 0), (1, 0), (1, 1))
LOW_MM, WALL_MM = 2.64, 0.84
RUIN_MM = 2.3
"""Bays of a ruin lie deeper, its openings do not."""


tops = cache(top_pattern)
"""Drawings of tops; several tests look at each."""


def wall_of(name: str, variant: int, cells: tuple[tuple[int, int], ...], levels: int):
    shape = outline(cells, DesignParameters())
    return wall_pattern(name, variant, run_of(shape), LOW_MM, 30.0 * levels - 4.8)


@pytest.mark.parametrize("name", [name for name in TOPS if name != "bare"])
@pytest.mark.parametrize("number", range(VARIETY))
def test_strokes_stay_inside_area_and_are_printable(name: str, number: int) -> None:
    """Every drawing in use; no stroke narrower than 0.56 mm but for a spot where strokes meet."""
    grooves = tops(name, number, KEEP)
    inside = shapely.box(-KEEP.half_mm, -KEEP.half_mm, KEEP.half_mm, KEEP.half_mm).buffer(1e-6)
    assert grooves
    for groove in grooves:
        assert inside.contains(groove.outline)
        assert 0.0 < groove.depth_mm <= 0.5
    upper = grooves[0].outline
    thin = upper.difference(upper.buffer(-0.28).buffer(0.30))
    assert max((part.area for part in shapely.get_parts(thin)), default=0.0) < 0.3, THINNEST_MM
    for above, below in itertools.pairwise(grooves):
        assert above.outline.buffer(0.05).contains(below.outline)


@pytest.mark.parametrize("name", ["slabs", "cobbles", "turf", "gravel", "sand"])
@pytest.mark.parametrize("variant", range(4))
def test_strokes_through_a_thin_skin_are_covered_without_bridges(name: str, variant: int) -> None:
    """The layer over them hangs less than 41 degrees allow from both sides, but at crossings."""
    held_mm = LAYER_MM / math.tan(math.radians(41))
    open_ = tops(name, variant, THIN)[-1].outline.buffer(-held_mm)
    lengths = [
        shapely.minimum_rotated_rectangle(part).length / 2 for part in shapely.get_parts(open_)
    ]
    assert max(lengths, default=0.0) < 2.5, sorted(lengths)[-3:]


SLOPE_MM = LAYER_MM / math.tan(math.radians(STEEPEST_DEG)) + SLACK_MM
"""How far a layer may lie beyond the one below, by the judge of `prove --sliced`; a ceiling that is
wider by JUT_MM starts in the air."""
SIZED = {tile: keep_of(DesignParameters(grid=PrintGrid(tile))) for tile in (25.0, 25.4, 30.0, 40.0)}


def widest_mm(area: BaseGeometry) -> float:
    parts = [part for part in shapely.get_parts(area) if part.area > 1e-4]
    radii = shapely.length(shapely.maximum_inscribed_circle(parts))
    return 2 * float(radii.max(initial=0.0))


@pytest.mark.parametrize("tile", some(list(SIZED), 2))
@pytest.mark.parametrize("name", [name for name in TOPS if name != "bare"])
@pytest.mark.parametrize("number", range(VARIETY))
def test_no_stroke_is_too_wide_to_be_covered(name: str, number: int, tile: float) -> None:
    """Where strokes meet, or end in a keyhole; every drawing that any piece has."""
    keep = SIZED[tile]
    upper, lower = (groove.outline for groove in tops(name, number, keep))
    assert widest_mm(upper.buffer(-SLOPE_MM).difference(lower)) < JUT_MM
    assert widest_mm(lower.buffer(-SLOPE_MM)) < JUT_MM
    for slit in shapely.get_parts(keep.slits()):
        assert upper.intersects(slit) == lower.intersects(slit), "a wall across a keyhole's mouth"


ROOM_MM = 0.8
"""Distance from a keyhole of places that PrusaSlicer supports: farther ones leave no room for a
line of support, nearer ones (0.36 mm) have the keyhole's mouth."""
BASES = {
    tile: keep_of(DesignParameters(grid=PrintGrid(tile)), STANDARD.base_skin_mm) for tile in SIZED
}


@pytest.mark.parametrize("tile", some(list(BASES), 3))
@pytest.mark.parametrize("name", ["slabs", "cobbles", "turf", "gravel", "sand", "snow"])
def test_a_crossing_in_a_base_is_covered_where_corners_are_laid_round(
    name: str, tile: float
) -> None:
    """A slicer lays stones' corners with half a line's radius, and a crossing becomes wider."""
    keep = BASES[tile]
    half, room = keep.tip_mm / 2, keep.area().buffer(3.0)
    for number in range(VARIETY):
        open_ = tops(name, number, keep)[-1].outline
        stone = room.difference(open_.union(keep.slits()))
        laid = stone.buffer(-half, quad_segs=6).buffer(half + SLOPE_MM, quad_segs=6)
        beside = keep.slits().buffer(ROOM_MM)
        assert widest_mm(open_.difference(laid).difference(beside)) < JUT_MM, number


SUPPORTED_MM = LAYER_MM / math.tan(math.radians(ANGLE_DEG + 1))
"""How far a layer may lie beyond the one below before PrusaSlicer supports it."""


@pytest.mark.parametrize("skin_mm", [STANDARD.skin_mm, STANDARD.base_skin_mm])
@pytest.mark.parametrize("name", [name for name in TOPS if name != "bare"])
@pytest.mark.parametrize("number", range(VARIETY))
def test_strokes_beside_a_keyhole_are_covered_by_a_slope(
    name: str, number: int, skin_mm: float
) -> None:
    fit = DesignParameters()
    keep = keep_of(fit, skin_mm)
    steps = (SHALLOW_BULB, SHALLOW_NECK) if keep.thin else (BULB, NECK)
    second, third = (
        keep.at_slits(keyhole(fit, *(step[layer][1] for step in steps))) for layer in (1, 2)
    )
    lower = tops(name, number, keep)[-1].outline
    open_ = shapely.union(lower, second).buffer(-SUPPORTED_MM).difference(third)
    near = [part for part in shapely.get_parts(open_) if part.distance(third) < ROOM_MM]
    assert max((part.area for part in near), default=0.0) < 1e-3, near


SIGNS = ("bare", "sun", "moon")
"""Tops without keyholes to lead into: those of discs, and the bare one."""
THIN = BASES[30.0]
INTO_SLIT_MM = 0.35


@pytest.mark.parametrize("keep", [KEEP, THIN], ids=["block", "base"])
@pytest.mark.parametrize("name", [name for name in TOPS if name not in ("bare", "gravel")])
def test_a_round_line_reaches_the_tips_of_stones(name: str, keep: PatternArea) -> None:
    """What it leaves out of an acute tip is a hole under the next layer's line; every drawing."""
    half = keep.tip_mm / 2
    for number in range(VARIETY):
        stone = keep.area().difference(tops(name, number, keep)[0].outline)
        tips = shapely.get_parts(stone.difference(stone.buffer(-half).buffer(half)))
        inner = [tip.area for tip in tips if tip.distance(keep.area().boundary) > half]
        assert max(inner, default=0.0) < 0.085, number


@pytest.mark.parametrize("keep", [KEEP, THIN], ids=["block", "base"])
@pytest.mark.parametrize("name", ["turf", "gravel"])
@pytest.mark.parametrize("number", range(VARIETY))
def test_pebbles_are_rings_apart_from_other_strokes(
    name: str, keep: PatternArea, number: int
) -> None:
    """Where they meet a blade they look like a lollipop; too small ones, like a spider."""
    for stroke in shapely.get_parts(tops(name, number, keep)[0].outline):
        left, low, right, high = stroke.bounds
        side_mm = max(right - left, high - low)
        if stroke.interiors:
            assert side_mm < 4.5
        elif side_mm < 3.0:
            bays = stroke.convex_hull.difference(stroke.buffer(0.05))
            assert len(shapely.get_parts(bays)) < 4


@pytest.mark.parametrize("keep", [KEEP, THIN], ids=["block", "base"])
@pytest.mark.parametrize("name", [name for name in TOPS if name not in SIGNS])
@pytest.mark.parametrize("number", range(VARIETY))
def test_every_keyhole_is_the_end_of_a_joint(name: str, keep: PatternArea, number: int) -> None:
    """A keyhole that no stroke leads into is a dark tick on the stone; every drawing in use."""
    drawn = shapely.union_all([groove.outline for groove in tops(name, number, keep)])
    for slit in shapely.get_parts(keep.slits()):
        assert drawn.distance(slit.intersection(keep.area().envelope)) < INTO_SLIT_MM


@pytest.mark.parametrize("name", [name for name in TOPS if name not in SIGNS])
def test_variants_differ_and_are_reproducible(name: str) -> None:
    drawn = [tops(name, variant, KEEP)[0].outline.wkt for variant in range(4)]
    assert len(set(drawn)) == 4
    assert drawn[1] == top_pattern(name, 1, PatternArea(**vars_of(KEEP)))[0].outline.wkt


def vars_of(keep: PatternArea) -> dict[str, float]:
    return {name: getattr(keep, name) for name in PatternArea.__dataclass_fields__}


@given(st.integers(0, 3), st.integers(0, 4), st.integers(0, 4))
@settings(max_examples=20, deadline=None)
def test_neighbouring_tiles_have_different_patterns(variant: int, row: int, col: int) -> None:
    here = tile_pattern("flags", variant, row, col, KEEP)
    for near in ((row + 1, col), (row, col + 1)):
        assert tile_pattern("flags", variant, *near, KEEP)[0].outline.wkt != here[0].outline.wkt


@cache
def column(name: str, variant: int, cells: tuple[tuple[int, int], ...], levels: int) -> Solid:
    """The outside of a wall."""
    return wall_column(wall_of(name, variant, cells, levels))


@pytest.mark.parametrize("name", list(WALLS))
@pytest.mark.parametrize("cells", [ONE, CORNER])
def test_walls_are_closed_and_thick_in_every_layer(
    name: str, cells: tuple[tuple[int, int], ...]
) -> None:
    for variant in range(4 if EXHAUSTIVE else 2):
        outer = column(name, variant, cells, 1)
        inner = wall_column(wall_of(name, variant, cells, 1), WALL_MM)
        assert outer.num_tri() + inner.num_tri() <= 20_000
        for z in np.arange(3.0, 25.0, 1.9):
            a, b = section(outer, float(z)), section(inner, float(z))
            assert a.buffer(-0.6).contains(b), (variant, z)


@pytest.mark.parametrize("name", list(WALLS))
def test_wall_relief_stays_inside_outline_without_overhang(name: str) -> None:
    shape = outline(ONE, DesignParameters())
    outer = column(name, 1, ONE, 2)
    below = None
    for z in np.arange(54.0, 3.0, -0.24):
        layer = section(outer, float(z))
        assert shape.buffer(1e-3).contains(layer)
        if below is not None:
            hanging = layer.difference(below.buffer(0.24 * 1.2))
            assert hanging.area < 0.05, z
        below = layer


@pytest.mark.parametrize("name", [name for name in WALLS if name != "plain"])
def test_walls_fall_back_far_enough_to_be_seen_and_keep_their_ends(name: str) -> None:
    """Every style has places 1.5 mm behind the outline; where it meets foot and head, none."""
    shape = outline(ONE, DesignParameters())
    for variant in range(4):
        outer = column(name, variant, ONE, 1)
        layers = [section(outer, float(z)) for z in np.arange(LOW_MM + 0.01, 25.19, 0.96)]
        deepest = min(layer.area for layer in layers)
        assert shape.area - deepest > 30.0, variant
        assert not all(layer.contains(shape.buffer(-1.5)) for layer in layers), variant
        for end in (LOW_MM + 0.001, 25.199):
            assert abs(section(outer, end).area - shape.area) < 0.5


@given(variant=st.integers(0, 40), cells=st.sampled_from([ONE, CORNER]))
@settings(max_examples=6, deadline=None)
def test_beams_of_timber_divide_every_field_into_panels(
    variant: int, cells: tuple[tuple[int, int], ...]
) -> None:
    """Each frame has three panels or more, and none is lost for want of room."""
    wall = wall_of("timber", variant, cells, 1)
    fields = [stone for stone in wall.stones if stone.inset_mm == BRACE_MM]
    assert fields
    for field in fields:
        assert len(field.on) >= 3
        assert {panel.inset_mm for panel in field.on} == {PLASTER_MM}


@given(variant=st.integers(0, 40))
@settings(max_examples=6, deadline=None)
def test_courses_of_a_ruin_break_off_to_one_side(variant: int) -> None:
    """No course of a bay has more stones than the one below it, but for their lengths: one more."""
    for bay in wall_of("ruin", variant, CORNER, 1).stones:
        rows: dict[float, int] = {}
        for stone in bay.on if bay.inset_mm > RUIN_MM else ():
            low = round(min(v for _, v in stone.outline), 3)
            rows[low] = rows.get(low, 0) + 1
        counts = [count for _, count in sorted(rows.items())]
        assert all(above <= below + 1 for below, above in itertools.pairwise(counts))


@given(st.sampled_from(["rock", "bank"]), st.integers(0, 40), st.sampled_from([ONE, CORNER]))
@settings(max_examples=8, deadline=None)
def test_no_facet_of_a_crag_is_steeper_than_it_prints(
    name: str, variant: int, cells: tuple[tuple[int, int], ...]
) -> None:
    wall = wall_of(name, variant, cells, 1)
    for part, depths in cavity_depths(wall.crag, 0.0):
        assert depths.min() >= 0.0
        corners = np.column_stack([part.places, depths])[part.triangles]
        normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        assert (normal[:, 2] > 0).all(), "a facet is folded"
        assert (-normal[:, 1] / normal[:, 2]).max() <= RUN + 2 * CLOSE


@pytest.mark.parametrize("name", list(WALLS))
def test_every_level_is_marked(name: str) -> None:
    """A coping, a joint that throws a shadow and a plinth go all round at every 30 mm."""
    outer = column(name, 0, ONE, 3)
    for level in (1, 2):
        at = 30.0 * level
        joint = section(outer, at - sum(SHADOW_MM) / 2)
        plinth = section(outer, at + MARK_HIGH_MM - 0.6)
        coping = section(outer, at - MARK_LOW_MM + 0.6)
        for band in (plinth, coping):
            assert band.area > joint.area + 40.0
            assert abs(band.area - outline(ONE, DesignParameters()).area) < 1.0


def test_wall_patterns_are_reproducible() -> None:
    assert wall_of("ashlar", 2, CORNER, 2) == wall_of("ashlar", 2, CORNER, 2)
    assert wall_of("ashlar", 2, CORNER, 2) != wall_of("ashlar", 1, CORNER, 2)


@pytest.mark.parametrize("tile", [25.0, 30.0, 40.0])
@pytest.mark.parametrize("kind", [*TREES, *SPIRES])
def test_figures_are_one_body_inside_their_tile(kind: str, tile: float) -> None:
    """Each number of a variant; courses of stones are as high on tiles of every size."""
    make = tree_body if kind in TREES else spire_body
    half = tile / 2 - 0.1
    for number in range(4):
        room = FigureEnvelope(half, 2 * tile, WALL_MM, tile / 30, half - 0.84)
        body, hollow = make(kind, room, number)
        left, front, low, right, back, high = body.bounding_box()
        assert low == 0.0 and 55.0 < high * 30 / tile <= 60.0
        assert max(-left, -front, right, back) <= half + 0.01
        lumps = [part for part in (body - hollow).decompose() if part.volume() > 0]
        assert len(lumps) == 1, number


def test_treasures_print_lid_down_without_overhang() -> None:
    for kind, make in CHESTS.items():
        solid, below = make(10.0), None
        assert solid.bounding_box()[5] == pytest.approx(HIGH_MM), kind
        for z in np.arange(HIGH_MM - 0.12, 0.0, -0.24):
            layer = section(solid, float(z))
            if below is not None:
                assert layer.difference(below.buffer(0.24 * 1.2)).area < 0.05, (kind, z)
            below = layer


@pytest.mark.parametrize("key", ["step", "bridge-2", "arch-2", "chest"])
def test_variants_of_small_pieces_look_different(key: str, catalogue: Catalogue) -> None:
    """Of any two of four, at least 20 mm3 belong to one alone."""
    look = presets.load_style("stone")
    solids = [own_solid(piece, DesignParameters(), look) for piece in variants_of(catalogue[key])]
    assert len(solids) == 4
    for a, b in itertools.combinations(solids, 2):
        assert a.volume() + b.volume() - 2 * (a ^ b).volume() > 20.0


MOST_TRIANGLES = 30_000
"""A viewer of a whole board stays quick with that many on its widest block."""


@pytest.mark.parametrize("style", some(presets.names("styles"), 2))
def test_widest_blocks_have_few_triangles(
    style: str, catalogue: Catalogue, printer: Printer
) -> None:
    look = presets.load_style(style)
    for piece in variants_of(catalogue["block-3x3x1"], 4 if EXHAUSTIVE else 1):
        assert len(build(piece, printer, look).faces) <= MOST_TRIANGLES, piece.key

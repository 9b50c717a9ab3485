"""Finishes: drawings of walls and tops, and the solids made of them."""

import itertools

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from falldamage_forge.geometry.finish.apply import keep_of
from falldamage_forge.geometry.finish.carve import walled
from falldamage_forge.geometry.finish.courses import MARK_HIGH_MM, MARK_LOW_MM, SHADOW_MM
from falldamage_forge.geometry.finish.ground import PORT_MM
from falldamage_forge.geometry.finish.model import Keep, Room
from falldamage_forge.geometry.finish.spires import SPIRES, spire_body
from falldamage_forge.geometry.finish.tops import THINNEST_MM, TOPS, tile_pattern, top_pattern
from falldamage_forge.geometry.finish.trees import TREES, tree_body
from falldamage_forge.geometry.finish.walls import WALLS, run_of, wall_pattern
from falldamage_forge.geometry.fits import Fit
from falldamage_forge.geometry.solids import section
from falldamage_forge.geometry.tiles import outline
from tests.amount import EXHAUSTIVE

KEEP = keep_of(Fit())
ONE = ((0, 0),)
CORNER = ((0, 0), (1, 0), (1, 1))
LOW_MM, WALL_MM = 2.64, 0.84


def wall_of(name: str, variant: int, cells: tuple[tuple[int, int], ...], levels: int):
    shape = outline(cells, Fit())
    return wall_pattern(name, variant, run_of(shape), LOW_MM, 30.0 * levels - 4.8)


@pytest.mark.parametrize("name", [name for name in TOPS if name != "bare"])
@given(variant=st.integers(0, 40))
@settings(max_examples=6, deadline=None)
def test_strokes_stay_within_and_can_be_drawn(name: str, variant: int) -> None:
    grooves = top_pattern(name, variant, KEEP)
    inside = shapely.box(-KEEP.half_mm, -KEEP.half_mm, KEEP.half_mm, KEEP.half_mm).buffer(1e-6)
    assert grooves
    for groove in grooves:
        assert inside.contains(groove.outline)
        assert 0.0 < groove.depth_mm <= 0.5
    upper = grooves[0].outline
    thin = upper.difference(upper.buffer(-0.28).buffer(0.30))
    assert max((part.area for part in shapely.get_parts(thin)), default=0.0) < 0.15, THINNEST_MM
    for above, below in itertools.pairwise(grooves):
        assert above.outline.buffer(0.05).contains(below.outline)


@pytest.mark.parametrize("name", [name for name in TOPS if name not in ("bare", "sun", "moon")])
def test_four_variants_differ_and_each_is_always_itself(name: str) -> None:
    drawn = [top_pattern(name, variant, KEEP)[0].outline.wkt for variant in range(4)]
    assert len(set(drawn)) == (2 if name == "water" and len(set(drawn)) == 2 else 4)
    assert drawn[1] == top_pattern(name, 1, Keep(**vars_of(KEEP)))[0].outline.wkt


def vars_of(keep: Keep) -> dict[str, float]:
    return {name: getattr(keep, name) for name in Keep.__dataclass_fields__}


@given(st.integers(0, 3), st.integers(0, 4), st.integers(0, 4))
@settings(max_examples=20, deadline=None)
def test_tiles_beside_one_another_differ(variant: int, row: int, col: int) -> None:
    here = tile_pattern("flags", variant, row, col, KEEP)
    for near in ((row + 1, col), (row, col + 1)):
        assert tile_pattern("flags", variant, *near, KEEP)[0].outline.wkt != here[0].outline.wkt


@pytest.mark.parametrize("name", ["lava", "water"])
@pytest.mark.parametrize("variant", range(4))
def test_what_goes_on_leaves_a_tile_where_the_next_one_takes_it_up(name: str, variant: int) -> None:
    upper = top_pattern(name, variant, KEEP)[0].outline
    edge = KEEP.half_mm - 0.7
    for turn, at in itertools.product(range(4), (-PORT_MM, 0.0, PORT_MM)):
        if name == "water" and at == 0.0:
            continue
        spot = shapely.affinity.rotate(shapely.Point(at, edge), -90 * turn, origin=(0, 0))
        assert upper.distance(spot) < 0.9, (turn, at)


@pytest.mark.parametrize("name", list(WALLS))
@pytest.mark.parametrize("cells", [ONE, CORNER])
def test_walls_are_closed_and_thick_in_every_layer(
    name: str, cells: tuple[tuple[int, int], ...]
) -> None:
    for variant in range(4 if EXHAUSTIVE else 2):
        wall = wall_of(name, variant, cells, 1)
        outer, inner = walled(wall), walled(wall, WALL_MM)
        assert outer.num_tri() + inner.num_tri() <= 20_000
        for z in np.arange(3.0, 25.0, 1.9):
            a, b = section(outer, float(z)), section(inner, float(z))
            assert a.buffer(-0.6).contains(b), (variant, z)


@pytest.mark.parametrize("name", list(WALLS))
def test_nothing_stands_before_the_outline_or_hangs(name: str) -> None:
    shape = outline(ONE, Fit())
    outer = walled(wall_of(name, 1, ONE, 2))
    below = None
    for z in np.arange(54.0, 3.0, -0.24):
        layer = section(outer, float(z))
        assert shape.buffer(1e-3).contains(layer)
        if below is not None:
            hanging = layer.difference(below.buffer(0.24 * 1.2))
            assert hanging.area < 0.05, z
        below = layer


@pytest.mark.parametrize("name", list(WALLS))
def test_every_level_is_marked(name: str) -> None:
    """A coping, a joint that throws a shadow and a plinth go all round at every 30 mm."""
    outer = walled(wall_of(name, 0, ONE, 3))
    for level in (1, 2):
        at = 30.0 * level
        joint = section(outer, at - sum(SHADOW_MM) / 2)
        plinth = section(outer, at + MARK_HIGH_MM - 0.6)
        coping = section(outer, at - MARK_LOW_MM + 0.6)
        for band in (plinth, coping):
            assert band.area > joint.area + 40.0
            assert abs(band.area - outline(ONE, Fit()).area) < 1.0


def test_walls_are_always_themselves() -> None:
    assert wall_of("ashlar", 2, CORNER, 2) == wall_of("ashlar", 2, CORNER, 2)
    assert wall_of("ashlar", 2, CORNER, 2) != wall_of("ashlar", 1, CORNER, 2)


@pytest.mark.parametrize("kind", [*TREES, *SPIRES])
def test_figures_are_whole_and_stay_on_their_tile(kind: str) -> None:
    make = tree_body if kind in TREES else spire_body
    body, hollow = make(kind, Room(14.9, 60.0, WALL_MM))
    left, front, low, right, back, high = body.bounding_box()
    assert low == 0.0 and 55.0 < high <= 60.0
    assert max(-left, -front, right, back) <= 14.91
    assert len((body - hollow).decompose()) == 1

"""Tops are closed, and a block among walls can be got out."""

import re
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
import shapely

from falldamage_forge import presets
from falldamage_forge.geometry.connector_standard import LAYER_MM, STANDARD, heads
from falldamage_forge.geometry.csg import Solid, section, translate, union
from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.geometry.loft import RELIEF
from falldamage_forge.geometry.piece_mesh import own_solid
from falldamage_forge.geometry.relief.apply_relief import keep_of
from falldamage_forge.geometry.relief.top_patterns import TOPS, VARIETY, top_pattern
from falldamage_forge.lengths import print_grid
from falldamage_forge.pieces.catalogue import Catalogue
from falldamage_forge.pieces.variants import BANKS, open_sides, variants_of
from tests.amount import some
from tests.cli.running import ROOT

FIT = DesignParameters()


def _tops(
    solid: Solid, cells: tuple[tuple[int, int], ...], top: float, half: float = heads(FIT).top_mm
) -> float:
    """The share of each tile's square that lies within 0.6 mm of its plane, seen from above."""
    shape = shapely.union_all([section(solid, top - depth) for depth in (0.01, 0.25, 0.47, 0.59)])
    worst = 1.0
    for cell in cells:
        x, y = FIT.grid.centre_mm(*cell)
        tile = shapely.box(x - half, y - half, x + half, y + half)
        worst = min(worst, float(shapely.intersection(shape, tile).area / tile.area))
    return worst


@pytest.mark.parametrize(
    "key",
    ["quadrant", "block-1x1x1", "block-2x2x1", "block-l-1", "step", "bridge-2", "water", "lava"],
)
def test_tops_are_closed(key: str, catalogue: Catalogue) -> None:
    """96 % of a head near its plane; nothing deeper than the groove; no ray through."""
    piece = catalogue[key]
    solid = own_solid(piece, FIT)
    top = solid.bounding_box()[5]
    cells = piece.footprint
    assert _tops(solid, cells, top) >= 0.96
    # A cap ends at its underside, where its flare is narrower than the tile's.
    flare_mm = STANDARD.flare * (STANDARD.cap_mm - STANDARD.throat_depth_mm)
    reach = 14.85 if key not in ("water", "lava") else heads(FIT).throat_mm + flare_mm
    rng = np.random.default_rng(5)
    for cell in cells[:4]:
        x, y = FIT.grid.centre_mm(*cell)
        for dx, dy in rng.uniform(-reach, reach, (60, 2)):
            hits = solid.ray_cast((x + dx, y + dy, top + 5.0), (x + dx, y + dy, top - 60.0))
            depth = 5.0 - min((hit.distance * 65.0 for hit in hits), default=99.0)
            assert -3.13 <= depth <= 1e-3, (dx, dy, depth)


@pytest.mark.parametrize("style", some(["plain", "stone", "rock"], 1))
def test_page_states_level_share_of_tops(style: str, catalogue: Catalogue) -> None:
    """Of stones, and of whole tiles with their grooves: the least of each, in whole percent."""
    page = (ROOT / "docs" / "pieces.md").read_text("utf-8")
    told = re.findall(r"(\d+) % and more lies|included, (\d+) % and more", page)
    stone, whole = (int(one or other) for one, other in told)
    look = presets.load_style(style)
    worst = {}
    for half in (heads(FIT).top_mm, FIT.grid.pitch_mm / 2):
        worst[half] = 1.0
        for key in ("block-1x1x1", "block-2x2x1", "quadrant", "water", "bridge-2"):
            piece = catalogue[key]
            solid = own_solid(piece, FIT, look)
            share = _tops(solid, piece.footprint, solid.bounding_box()[5], half)
            worst[half] = min(worst[half], share)
    assert [int(100 * share) for share in worst.values()] == [stone, whole]


def test_base_is_open_only_at_its_seams(catalogue: Catalogue) -> None:
    page = (ROOT / "docs" / "pieces.md").read_text("utf-8")
    (told,) = re.findall(r"there is a seam of ([\d.]+) mm", page)
    assert float(told) == FIT.seam_mm
    base = own_solid(catalogue.quadrant, FIT)
    side = base.bounding_box()[3] - base.bounding_box()[0]
    both = base + base.translate((5 * FIT.grid.pitch_mm, 0, 0))
    assert side == pytest.approx(5 * FIT.grid.pitch_mm - FIT.seam_mm)
    for off in (-0.6, -0.15, 0.0, 0.15, 0.6):
        x, y = 5 * FIT.grid.pitch_mm + off, FIT.grid.centre_mm(0, 0)[1]
        hits = both.ray_cast((x, y + 3.0, 5.0), (x, y + 3.0, -9.0))
        assert bool(hits) == (abs(off) > FIT.seam_mm / 2), off


def test_a_block_among_walls_is_got_out_with_the_lifter(catalogue: Catalogue) -> None:
    """Its jaws go down beside the stone although walls stand around, and grip on the way up."""
    block, tongs = (own_solid(catalogue[key], FIT) for key in ("block-1x1x1", "lifter"))
    for wall in (block.translate((30, 0, 30)), block.translate((-30, 0, 30))):
        assert (wall ^ tongs.translate((0, 0, 30))).volume() == pytest.approx(0, abs=1e-6)
    assert (block ^ tongs.translate((0, 0, 30))).volume() == pytest.approx(0, abs=1e-6)
    for lift in (0.2, 0.4):
        assert (block ^ tongs.translate((0, 0, 30 + lift))).volume() > 0.1


@pytest.mark.parametrize("key", ["water", "lava"])
def test_flows_meet_without_a_groove_or_a_pit(key: str, catalogue: Catalogue) -> None:
    """Where four meet, only the seam and the relief of edges are open; strokes are shallower."""
    solid = own_solid(variants_of(catalogue[key])[len(BANKS)], FIT)
    top, pitch = solid.bounding_box()[5], FIT.grid.pitch_mm
    four = union([translate(solid, x, y) for x in (0.0, pitch) for y in (0.0, pitch)])
    rng = np.random.default_rng(5)
    for x, y in [*rng.uniform(-3.0, 3.0, (200, 2)), *rng.uniform(-15.0, 15.0, (200, 2))]:
        if min(abs(x), abs(y)) > FIT.seam_mm / 2 + RELIEF[0]:
            at = (pitch + x, y)
            hits = four.ray_cast((*at, top + 1.0), (*at, top - 9.0))
            assert min(hit.distance * 10.0 for hit in hits) <= 1.0 + 2 * LAYER_MM + 1e-3, at
    assert four.bounding_box()[3] == pytest.approx(2 * pitch - FIT.seam_mm / 2)


@pytest.mark.parametrize("key", ["water", "lava"])
def test_a_flow_weighs_hardly_more_than_a_cap_with_grooves(key: str, catalogue: Catalogue) -> None:
    parts = variants_of(catalogue[key])
    for part in parts[len(BANKS) :]:
        assert open_sides(part)
        whole, grooved = (own_solid(one, FIT).volume() for one in (part, parts[0]))
        assert whole <= 1.12 * grooved, part.key


NAMES = ["turf", "cracks", *(name for name in TOPS if name not in ("bare", "turf", "cracks"))]


@pytest.mark.parametrize("name", some(NAMES, 1))
def test_stone_between_strokes_is_wide_enough_to_lay(name: str) -> None:
    """Blades of a tuft stood half a millimetre apart: the first layer left the stone out.

    What an opening by a little more than the least width takes away are corners and tips.
    """
    keep = keep_of(FIT, 2 * LAYER_MM)
    reach_mm = 1.1 * FIT.tip_mm / 2
    tile = shapely.box(-keep.tile_mm / 2, -keep.tile_mm / 2, keep.tile_mm / 2, keep.tile_mm / 2)
    for number in range(VARIETY):
        upper = top_pattern(name, number, keep)[0]
        stone = tile.difference(shapely.union(upper.outline, keep.slits()))
        laid = stone.buffer(-reach_mm, quad_segs=4).buffer(reach_mm + 0.02, quad_segs=4)
        necks = shapely.area(shapely.get_parts(stone.difference(laid)))
        assert 0 < necks.max() < 0.5 * FIT.tip_mm**2, number


@pytest.mark.parametrize("name", some(NAMES, 1))
@pytest.mark.parametrize("tile_mm", some([40.0, 25.4], 1))
def test_every_top_can_be_drawn_on_tiles_of_other_sizes(name: str, tile_mm: float) -> None:
    """Smoothing made the outline of a rock cross itself, and its tiles could not be built."""
    fit = replace(FIT, grid=print_grid(tile_mm, tile_mm))
    for number, layers in product(range(VARIETY), (2, 3)):
        for groove in top_pattern(name, number, keep_of(fit, layers * LAYER_MM)):
            assert groove.outline.is_valid
            assert groove.outline.area > 0

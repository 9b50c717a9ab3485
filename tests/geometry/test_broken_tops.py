"""Broken tops: only free corners with a drop are lost, and bases and blades keep their ground."""

import itertools

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from falldamage_forge.board import Tile
from falldamage_forge.geometry.csg import section, translate
from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.geometry.footprint import outline
from falldamage_forge.geometry.piece_mesh import build, own_solid, placement_transform
from falldamage_forge.geometry.printability import check_printability
from falldamage_forge.geometry.relief.broken_tops import broken_points, broken_top
from falldamage_forge.geometry.stl import write_stl
from falldamage_forge.pieces.catalogue import Catalogue
from falldamage_forge.pieces.lost_corners import WHOLE, broken_sites, sites
from falldamage_forge.pieces.piece import Piece, Placement
from falldamage_forge.pieces.plan import PiecePlan
from falldamage_forge.pieces.variants import (
    assign_variants,
    design_of,
    distribute_variants,
    variant,
)
from falldamage_forge.presets import load_style
from falldamage_forge.printing.printer import Printer
from tests.amount import some

SHAPES = (
    ((0, 0),),
    ((0, 0), (0, 1)),
    ((0, 0), (0, 1), (1, 0), (1, 1)),
    ((0, 0), (1, 0), (1, 1)),
)
BLOCKS = [
    Piece(f"block-{number}", "block", "Block", "block", (), cells, 1, variants=8)
    for number, cells in enumerate(SHAPES)
]
CHEST = Piece("chest", "chest", "Chest", "chest")
FIT = DesignParameters()
BASE_MM = 12.5
"""Radius of a unit's base."""


@st.composite
def towns(draw: st.DrawFn) -> tuple[Placement, ...]:
    """Blocks of any shape and turn on a field, some on one another, chests on some tops."""
    heights: dict[Tile, int] = {}
    placed = []
    for _ in range(draw(st.integers(1, 14))):
        tile = Tile(draw(st.integers(0, 5)), draw(st.integers(0, 5)))
        block = Placement(draw(st.sampled_from(BLOCKS)), tile, 0, draw(st.integers(0, 3)))
        levels = {heights.get(one, 0) for one in block.tiles()}
        if len(levels) == 1:
            (level,) = levels
            placed.append(Placement(block.piece, tile, level, block.quarter_turns))
            heights |= dict.fromkeys(block.tiles(), level + 1)
    laden = [tile for tile in sorted(heights) if draw(st.booleans())]
    return (*placed, *(Placement(CHEST, tile, heights[tile]) for tile in laden))


def places_lost(placement: Placement) -> list[tuple[int, int]]:
    """(row, col) of the points of the board's grid at which a placed block is broken."""
    lost = broken_sites(placement.piece.footprint, placement.piece.variant)
    points = np.array([(x, y, 0.0, 1.0) for x, y in broken_points(lost, FIT)]).reshape(-1, 4)
    moved = points @ placement_transform(placement).T
    return [(round(-y / FIT.grid.pitch_mm), round(x / FIT.grid.pitch_mm)) for x, y, *_ in moved]


@given(towns())
@settings(max_examples=60, deadline=None)
def test_only_free_corners_with_a_drop_are_broken(town: tuple[Placement, ...]) -> None:
    heights: dict[Tile, int] = {}
    for one in town:
        for tile in one.tiles():
            heights[tile] = max(heights.get(tile, 0), one.level + one.piece.levels)
    laden = {(tile, one.level) for one in town for tile in one.tiles()}
    shown = assign_variants(PiecePlan(town), broken=True).placements
    assert [design_of(one.piece) for one in shown] == [one.piece for one in town]
    assert [one.tiles() for one in shown] == [one.tiles() for one in town]
    for one in shown[: len(shown) - sum(one.piece is CHEST for one in town)]:
        top, own = one.level + one.piece.levels, set(one.tiles())
        for row, col in places_lost(one):
            about = [Tile(row - up, col - left) for up in (0, 1) for left in (0, 1)]
            assert len(own & set(about)) in (1, 2)
            assert not {(tile, top) for tile in own & set(about)} & laden
            for mine, other in itertools.product(own & set(about), set(about) - own):
                if abs(mine.row - other.row) + abs(mine.col - other.col) == 1:
                    assert heights.get(other, 0) < top


def test_towers_alone_are_broken_and_whole_styles_and_kits_are_not() -> None:
    town = tuple(Placement(block, Tile(4 * n, 0), 0) for n, block in enumerate(BLOCKS))
    shown = assign_variants(PiecePlan(town), broken=True).placements
    assert all(one.piece.variant >= WHOLE["block"] for one in shown)
    assert len({one.piece.variant for one in shown}) > 1
    whole = assign_variants(PiecePlan(town)).placements
    counts = {block.key: 20 for block in BLOCKS}
    kit = distribute_variants(counts, {block.key: block for block in BLOCKS})[1]
    pieces = [*(one.piece for one in whole), *kit.values()]
    assert all(piece.variant < WHOLE["block"] for piece in pieces)


@pytest.mark.parametrize("cells", SHAPES)
@pytest.mark.parametrize("pitch_mm", [25.4, 30.0, 40.0])
def test_bases_and_keyholes_keep_their_ground_and_a_wall_stands_behind(
    cells: tuple[tuple[int, int], ...], pitch_mm: float
) -> None:
    from falldamage_forge.lengths import print_grid

    fit = FIT.on(print_grid(pitch_mm, pitch_mm))
    top = fit.grid.height_mm(2)
    for number in range(12):
        lost, behind = broken_top(sites(cells), fit, top, f"{number}")
        for row, col in cells:
            x, y = fit.grid.centre_mm(row, col)
            base = shapely.Point(x, y).buffer(BASE_MM)
            cross = shapely.union(
                shapely.box(x - 5.4, y - pitch_mm / 2, x + 5.4, y + pitch_mm / 2),
                shapely.box(x - pitch_mm / 2, y - 5.4, x + pitch_mm / 2, y + 5.4),
            )
            gone = section(lost, top - 0.1)
            assert not gone.intersects(base)
            assert section(lost, top - 1.0).intersection(cross).area < 1e-6
        for below in np.arange(0.3, 20.0, 0.77):
            z = float(top - below)
            grown = shapely.buffer(section(lost, z), 0.84)
            grown = shapely.intersection(grown, outline(cells, fit))
            assert shapely.difference(grown, section(behind, z)).area < 0.1


@pytest.mark.parametrize("key", some(["block-1x1x1", "block-2x1x1", "block-l-1", "block-2x2x2"], 2))
def test_a_broken_block_loses_corners_and_prints(
    key: str, catalogue: Catalogue, printer: Printer
) -> None:
    ruin, stone = load_style("ruin"), load_style("stone")
    for number in range(WHOLE["block"], catalogue[key].variants):
        piece = variant(catalogue[key], number)
        high = FIT.grid.height_mm(piece.levels)
        corner = section(translate(own_solid(piece, FIT, ruin), z_mm=-high), -1.0)
        whole = section(translate(own_solid(piece, FIT, stone), z_mm=-high), -1.0)
        assert shapely.convex_hull(whole).area - shapely.convex_hull(corner).area > 2.0
        report = check_printability(write_stl(build(piece, printer, ruin), key), printer, key)
        assert not report.issues
        assert report.soundness.triangles < 30_000

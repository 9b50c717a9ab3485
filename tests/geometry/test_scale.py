"""Pieces of other sizes: connectors keep theirs, parts print and fit, what has no room is told."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, product

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from falldamage_forge import presets
from falldamage_forge.builds.output_files import size_of_table
from falldamage_forge.builds.pipeline import BuildOptions
from falldamage_forge.geometry.assembly_check import check_assembly
from falldamage_forge.geometry.baseplate import tie_gap_mm
from falldamage_forge.geometry.blocks import FACED_FROM_MM
from falldamage_forge.geometry.connector_standard import LAYER_MM, STANDARD, heads, places_on
from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.geometry.footprint import outline
from falldamage_forge.geometry.joint_check import Joint, check_joint, joints
from falldamage_forge.geometry.mesh import Mesh
from falldamage_forge.geometry.piece_mesh import build, fit_of
from falldamage_forge.geometry.printability import check_printability
from falldamage_forge.geometry.relief import wall_patterns
from falldamage_forge.geometry.relief.apply_relief import wall_with_relief
from falldamage_forge.geometry.relief.elements import ReliefElement, WallPath
from falldamage_forge.geometry.size_limits import bounds, grid_problems, size_problem
from falldamage_forge.geometry.stl import write_stl
from falldamage_forge.lengths import GAPS_MM, GRID, PrintGrid, print_grid
from falldamage_forge.library.forge import Forge
from falldamage_forge.pieces.catalogue import Catalogue
from falldamage_forge.pieces.piece import Placement
from falldamage_forge.printing.plates import PackItem, fit_faults
from tests.amount import EXHAUSTIVE, some
from tests.cli.running import typed

PRINTER = presets.load_printer("a1-mini")
INCH = print_grid(25.4, 25.4)
LEAST, MOST = (
    print_grid(25.0, 12.7),
    print_grid(40.0, 40.0),
)
SIZES = (INCH, LEAST, MOST)
ASKED = SIZES if EXHAUSTIVE else (LEAST, MOST)
"""The sizes of which parts are made: by default the ends of what there may be."""
START = ("start-red", "start-disc-red")
FEW = ("block-1x1x1", "block-l-1", "bridge-1", "ladder-1", "battlement-1", *START, "chest")

MORE = ("quadrant", "tie", "ladder-lower-5", "ladder-upper-1")


def sized(grid: PrintGrid, *keys: str) -> Catalogue:
    whole = presets.load_catalogue(grid)
    return replace(whole, pieces={key: whole[key] for key in keys})


def test_grid_rounds_levels_to_layers_and_keeps_pitch() -> None:
    for mm in (12.7, 19.05, 25.4, 28.0, 33.3, 40.0):
        grid = print_grid(mm, mm)
        assert grid.pitch_mm == mm
        assert abs(grid.rise_mm - mm) <= LAYER_MM / 2 + 1e-9
        for high in (grid.rise_mm, places_on(grid).step_mm, places_on(grid).arch_mm):
            assert high / LAYER_MM == pytest.approx(round(high / LAYER_MM), abs=1e-6)
    assert print_grid() == GRID


@pytest.mark.parametrize("tile", [25.0, 25.4, 28.0, 30.0, 33.0, 40.0])
def test_connectors_have_one_size_on_all_tiles(tile: float) -> None:
    grid = PrintGrid(tile)
    here, usual = places_on(grid), places_on(GRID)
    assert here.bulb_to_mm - here.bulb_from_mm == pytest.approx(1.33)
    assert here.leg_bead_mm[1] - here.leg_bead_mm[0] == pytest.approx(3.0)
    for name in ("bulb_from_mm", "bulb_to_mm", "leg_from_mm", "parapet_mm"):
        from_edge = tile / 2 - getattr(here, name)
        assert from_edge == pytest.approx(15 - getattr(usual, name)), f"{name} lies from the edge"
    assert here.side_half_mm <= here.leg_from_mm - STANDARD.leg_apart_mm + 1e-9
    assert here.side_half_mm <= usual.side_half_mm
    own = heads(DesignParameters(grid=grid))
    assert own.outline_mm - own.throat_mm == pytest.approx(
        heads(DesignParameters()).outline_mm - heads(DesignParameters()).throat_mm
    )


@given(
    st.sampled_from(sorted(wall_patterns.WALLS)),
    st.integers(0, 7),
    st.integers(2500, 4000),
    st.integers(52, 167),
    st.sampled_from([((0, 0),), ((0, 0), (0, 1)), ((0, 0), (0, 1), (1, 0))]),
    st.integers(1, 3),
)
@example("timber", 0, 2540, 106, ((0, 0), (0, 1)), 1)
@example("rock", 0, 2800, 106, ((0, 0),), 1)
@example("bank", 0, 3330, 106, ((0, 0),), 1)
@example("ashlar", 6, 3000, 121, ((0, 0),), 1)
@example("rock", 0, 3000, 100, ((0, 0),), 3)
@example("brick", 0, 3503, 110, ((0, 0),), 2)
@example("ashlar", 6, 3653, 127, ((0, 0), (0, 1)), 3)
@settings(max_examples=15)
def test_walls_of_all_sizes_are_closed(
    name: str, variant: int, tile: int, layers: int, cells: tuple[tuple[int, int], ...], levels: int
) -> None:
    """Drawings for 30 mm may not fit: what would lie across something else is left out."""
    assert_closed(name, variant, print_grid(tile / 100, layers * LAYER_MM), cells, levels)


@pytest.mark.parametrize("name", wall_patterns.WALLS)
@pytest.mark.parametrize(
    "cells", [((0, 0),), ((0, 0), (0, 1), (1, 0), (1, 1))], ids=["one", "square"]
)
def test_walls_of_usual_sizes_are_closed(name: str, cells: tuple[tuple[int, int], ...]) -> None:
    """By default at cubes, where pieces are asked for most; lower levels with FORGE_EXHAUSTIVE."""
    shares = (1.0, 0.8, 0.6) if EXHAUSTIVE else (1.0,)
    for tile, share in product((25.4, 30.0, 40.0), shares):
        assert_closed(name, 0, print_grid(tile, tile * share), cells, 2)


def assert_closed(
    name: str, variant: int, grid: PrintGrid, cells: tuple[tuple[int, int], ...], levels: int
) -> None:
    fit = fit_of(PRINTER).on(grid)
    top = levels * grid.rise_mm - STANDARD.fin_mm
    shape = outline(cells, fit)
    column, cavity = wall_with_relief(shape, name, variant, grid, FACED_FROM_MM, top, fit.wall_mm)
    assert 0 < cavity.volume() < column.volume()


def test_default_grid_builds_every_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    leave = wall_patterns._apart

    def whole(stones: Sequence[ReliefElement], run: WallPath) -> list[ReliefElement]:
        left = list(leave(stones, run))
        assert left == sorted(stones, key=lambda stone: stone.side)
        return left

    monkeypatch.setattr(wall_patterns, "_apart", whole)
    fit = fit_of(PRINTER)
    for cells in (((0, 0),), ((0, 0), (0, 1))):
        run = wall_patterns.run_of(outline(cells, fit))
        for name, variant in product(wall_patterns.WALLS, range(8)):
            wall = wall_patterns.wall_pattern(name, variant, run, FACED_FROM_MM, 26.0)
            assert wall.stones or wall.crag


def test_default_grid_returns_same_catalogue() -> None:
    catalogue = presets.load_catalogue()
    assert presets.load_catalogue(print_grid(30.0, 30.0)) is catalogue
    assert INCH != GRID
    inch = presets.load_catalogue(INCH)
    assert list(inch.pieces) == list(catalogue.pieces)
    assert not {piece.key for piece in inch.every.values()} & set(catalogue.every)
    assert inch["block-1x1x1"] is inch["block-1x1x1@25.4"]
    assert inch["rim-letters-k"].key == "rim-letters-k@25.4"
    assert "block-1x1x1@25.4" not in catalogue


@pytest.mark.parametrize("key", [*FEW, "tie", "step", "tree", "spire", "water", "arch-2"])
@pytest.mark.parametrize("grid", ASKED, ids=lambda grid: f"{grid.pitch_mm:g}")
def test_pieces_of_other_sizes_print_without_supports(key: str, grid: PrintGrid) -> None:
    piece = presets.load_catalogue(grid)[key]
    if size_problem(piece.builder, piece.levels, grid) is not None:
        assert grid is LEAST
        assert key == "step"
        return
    proof = check_printability(write_stl(build(piece, PRINTER), key), PRINTER, key)
    assert proof.issues == ()
    if key == "block-1x1x1":
        side = grid.pitch_mm - PRINTER.seam_mm
        high = grid.rise_mm + STANDARD.skirt_mm
        assert proof.soundness.size_mm == pytest.approx((side, side, high), abs=2e-3)


def few_joints(grid: PrintGrid) -> Iterator[Joint]:
    seen = set()
    for joint in joints(sized(grid, *FEW, *MORE), DesignParameters(grid=grid)):
        kind = joint.name.split(" turned")[0]
        if kind not in seen:
            seen.add(kind)
            yield joint


@pytest.mark.parametrize("grid", some(ASKED, 1), ids=lambda grid: f"{grid.pitch_mm:g}")
def test_joints_of_other_sizes_hold(grid: PrintGrid) -> None:
    fit, found = fit_of(PRINTER, grid), list(few_joints(grid))
    assert len(found) > 12
    assert [issue for joint in found for issue in check_joint(joint, fit).issues()] == []


TABLE = """forge 1
rules {rules}
{sizes}
stack C3..D4 height 2
stack G3 height 2
bridge D3 -> G3 level 2
ladder C5 -> C4
battlement at D4
start red at B1..I1
start blue at B10..I10
inventory {{ block-1x1x1 1 }}
"""


def map_of(sizes: str, rules: str = "fall-damage") -> str:
    return TABLE.format(sizes=f"print {{ {sizes} }}" if sizes else "", rules=rules)


def meshes_of(placements: Sequence[Placement]) -> dict[str, Mesh]:
    pieces = {placement.piece.key: placement.piece for placement in placements}
    return {key: build(piece, PRINTER) for key, piece in pieces.items()}


@pytest.mark.parametrize("sizes", ["tile 25mm  rise 1/2in", "tile 4cm"])
def test_a_table_of_another_size_stands(sizes: str) -> None:
    forge = Forge()
    map_ = forge.loads(map_of(sizes))
    assert map_.issues == ()
    found = forge.plan(map_).placements
    usual = forge.plan(forge.loads(map_of(""))).placements
    assert len(found) == len(usual)
    proof = check_assembly(found, meshes_of(found), PRINTER)
    assert list(proof.issues()) == []
    wide = {placement.piece.name: placement for placement in found if placement.piece.name == "tie"}
    assert wide, "quadrants are tied"


def test_a_table_that_stands_can_fail() -> None:
    forge = Forge()
    found = forge.plan(forge.loads(map_of("tile 1in  rise 1in"))).placements
    corner = [replace(p, tile=p.tile._replace(col=0)) for p in found if p.piece.name == "tie"]
    both = (*found, *corner)
    assert check_assembly(both, meshes_of(both), PRINTER).clashes


def test_ties_at_one_corner_never_meet() -> None:
    reach = STANDARD.tie_reach_mm + tie_gap_mm(DesignParameters(GAPS_MM["fit_mm"][1])) + 0.1
    for tile in (25.0, 29.6, 29.7, 30.0, 40.0):
        grid = PrintGrid(tile)
        middle = (grid.tie_tile + 0.5) * tile
        assert middle - reach > reach


def test_size_limit_message_states_the_limit() -> None:
    for bound in bounds():
        hair = 0.01 if not bound.most else -0.01
        assert bound.holds(bound.limit_mm)
        assert not bound.holds(bound.limit_mm - hair)
        assert f"{bound.limit_mm:g} mm" in bound.told(bound.limit_mm - hair)
    assert [list(grid_problems(grid)) for grid in (*SIZES, GRID)] == [[], [], [], []]
    assert len(list(grid_problems(PrintGrid(20.0, 8.0)))) == 2
    assert len(list(grid_problems(PrintGrid(41.0, 41.0)))) == 2
    for builder in ("tree", "spire", "step"):
        assert size_problem(builder, 2, print_grid(40.0, 12.7)) is not None
        assert size_problem(builder, 2, INCH) is None


def test_sizes_do_not_share_names() -> None:
    grids = [
        PrintGrid(25.4, 25.44),
        PrintGrid(25.4, 12.72),
        PrintGrid(25.4, 30.0),
        PrintGrid(25.0, 25.0),
        GRID,
    ]
    for a, b in combinations(grids, 2):
        one, other = (presets.load_catalogue(grid)["step"].key for grid in (a, b))
        assert one != other


def test_piece_too_small_for_grid_is_refused_by_every_command() -> None:
    low, wide = ("step", "--rise", "1/2in"), ("tie", "--tile", "5cm")
    for words, code in ((low, "FDF438"), (wide, "FDF437")):
        run = typed("prove", *words)
        assert run.returncode == 1
        assert f"error[{code}]" in run.stderr
        assert "Traceback" not in run.stderr
    run = typed("prove", "tie", "--tile", "1in", "--rise", "1/2in", "--json")
    assert run.returncode == 0
    assert [part["key"] for part in json.loads(run.stdout)["pieces"]] == ["tie@25.4x12.72"]
    (issue,) = fit_faults(PackItem("quadrant@40", 199.8, 199.8, 3.6, 1, "base"), PRINTER)
    assert "smaller tiles" in str(issue.hint)


def test_build_prints_its_grid() -> None:
    forge = Forge()
    starts = "start red at B1..I1\nstart blue at B5..I5\n"
    map_ = forge.loads(f"forge 1\nboard 10x5\nprint {{ tile 1in  rise 1in }}\n{starts}")
    owned = dict.fromkeys(forge.plan(map_).counts(), 99)
    options = BuildOptions(owned=owned, style=presets.load_style("plain"))
    build = forge.build(map_, options=options).build
    assert all(key.endswith("@25.4") for key in build.counts)
    assert size_of_table(build) == {"tile_mm": INCH.pitch_mm, "rise_mm": INCH.rise_mm}
    assert build.plates == ()
    assert {row.title.rpartition(", ")[2] for row in build.rows} == {"25.4 mm"}

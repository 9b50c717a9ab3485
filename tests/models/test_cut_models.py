"""Models that are larger than a bed: cut at borders of tiles, joined by ties from below."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from trimesh.boolean import union
from trimesh.creation import box

import falldamage_forge as ff
from falldamage_forge.builds.adoption import adopt, parts_for
from falldamage_forge.builds.model_pieces import TIE, pieces_of_model
from falldamage_forge.geometry.assembly_check import check_assembly
from falldamage_forge.geometry.csg import Solid, translate
from falldamage_forge.geometry.piece_mesh import build, build_all, fit_of, placed_solid
from falldamage_forge.lang.model_block import ModelBlock, block_lines
from falldamage_forge.lengths import GRID
from falldamage_forge.library.forge import Forge
from falldamage_forge.maps.layout_plan import owned_parts
from falldamage_forge.pieces.building_order import hand_groups
from falldamage_forge.pieces.model_keys import SEAM_TIE, section_ties, sections
from falldamage_forge.pieces.piece import Placement
from falldamage_forge.pieces.plan import seam_of
from falldamage_forge.presets import load_printer
from falldamage_forge.printing.plates import PackItem, fit_faults, usable_mm
from tests.cli.running import typed
from tests.geometry.slicing import needs_cura, needs_slicer, slice_cura, slice_mesh
from tests.models.test_gallery import JOINT_MM, supported_mm

PRINTER = load_printer("a1-mini")
MAP = """forge 1
model keep "keep.stl" {{ tiles 3x2  levels {{ 1 . 1 / 1 1 1 }}  parts {parts} }}
place keep at D5 {turn}
start red at B1..I1
start blue at B10..I10
"""
LOOSE_MM, STOPPED_MM = 0.2, 0.6
"""Two parts can be pulled apart by the gaps round their tie, and no farther."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A keep of 88 x 58 mm: a floor, a wall to the north, and a tower in the middle."""
    made = tmp_path_factory.mktemp("cut")
    floor, wall, tower = box((88, 58, 20)), box((88, 6, 40)), box((20, 20, 50))
    floor.apply_translation((0, 0, 10))
    wall.apply_translation((0, 26, 20))
    tower.apply_translation((0, 18, 25))
    union([floor, wall, tower], engine="manifold").export(made / "keep.stl")
    return made


def planned(folder: Path, parts: str, turn: str) -> tuple[ff.Map, tuple[Placement, ...]]:
    path = folder / "map.forge"
    path.write_text(MAP.format(parts=parts, turn=turn).replace(" / ", "\n"))
    made = ff.load(path)
    assert not made.issues
    return made, ff.plan(made).placements


@given(data=st.data())
def test_parts_cover_each_tile_once_and_are_alike_in_size(data: st.DataObject) -> None:
    cols, rows = (data.draw(st.integers(1, 9)) for _ in range(2))
    parts = (data.draw(st.integers(1, cols)), data.draw(st.integers(1, rows)))
    cut, other = (sections(cols, rows, parts, mirrored=each) for each in (False, True))
    assert len(cut) == parts[0] * parts[1]
    covered = [cell for own in cut for cell in own.cells]
    assert sorted(covered) == [(row, col) for row in range(rows) for col in range(cols)]
    assert max(own.cols for own in cut) - min(own.cols for own in cut) <= 1
    assert max(own.rows for own in cut) - min(own.rows for own in cut) <= 1
    flipped = {(own.row, cols - own.col - own.cols, own.rows, own.cols) for own in cut}
    assert flipped == set(map(tuple, other))


@given(data=st.data())
def test_both_sides_of_every_seam_have_the_same_ties(data: st.DataObject) -> None:
    cols, rows = (data.draw(st.integers(1, 9)) for _ in range(2))
    parts = (data.draw(st.integers(1, cols)), data.draw(st.integers(1, rows)))
    steps = ((-1, 0), (0, 1), (1, 0), (0, -1))
    edges = {edge for own in sections(cols, rows, parts) for edge in section_ties(own, rows, cols)}
    for (row, col), side in edges:
        down, along = steps[side]
        assert ((row + down, col + along), (side + 2) % 4) in edges
    assert bool(edges) is (parts != (1, 1))


@pytest.mark.parametrize("size", [(1, 1), (5, 5), (6, 5), (9, 9), (9, 1), (2, 7)])
def test_a_model_is_cut_into_the_fewest_parts_that_lie_on_the_bed(size: tuple[int, int]) -> None:
    along, down = parts_for(size, PRINTER, GRID)
    most = [int(side // GRID.pitch_mm) for side in usable_mm(PRINTER)]
    for own in sections(*size, (along, down)):
        assert own.cols <= most[0] and own.rows <= most[1]
    needed = -(-size[0] // most[0]) * -(-size[1] // most[1])
    assert along * down == needed


@pytest.mark.parametrize("turn", ["", "rotate 90", "rotate 180", "rotate 270", "mirror x"])
@pytest.mark.parametrize("parts", ["3x1", "2x2"])
def test_parts_and_ties_stand_on_the_models_tiles_and_meet(
    folder: Path, parts: str, turn: str
) -> None:
    made, placements = planned(folder, parts, turn)
    (model,) = made.board.models
    own = [part for part in placements if part.piece.family == "model"]
    ties = [part for part in placements if part.piece.family == SEAM_TIE]
    tiles = [tile for part in own for tile in part.tiles()]
    assert sorted(tiles) == sorted(model.tiles)
    number = {tile: at for at, part in enumerate(own) for tile in part.tiles()}
    joined = [tuple(number[tile] for tile in seam_of(tie)) for tie in ties]
    assert all(one != other for one, other in joined)
    assert {at for pair in joined for at in pair} == set(range(len(own)))
    assert len(set(map(seam_of, ties))) == len(ties)
    group = next(group for group in hand_groups(placements) if len(group) == len(own + ties))
    assert {placements[at] for at in group} == {*own, *ties}


@pytest.mark.parametrize("turn", ["", "rotate 90", "mirror x"])
def test_parts_clash_with_nothing_and_nothing_floats(folder: Path, turn: str) -> None:
    _, placements = planned(folder, "2x1", turn)
    seen = [part for part in placements if part.piece.family in ("model", SEAM_TIE, "quadrant")]
    pieces = {part.piece.key: part.piece for part in seen}
    found = check_assembly(seen, build_all(pieces, PRINTER), PRINTER)
    assert not tuple(found.issues())


def test_a_tie_lets_parts_neither_apart_nor_aside(folder: Path) -> None:
    _, placements = planned(folder, "2x1", "")
    fit = fit_of(PRINTER)

    def solid(part: Placement) -> Solid:
        return placed_solid(part, fit)

    (west, east) = (solid(part) for part in placements if part.piece.family == "model")
    tie = solid(next(part for part in placements if part.piece.family == SEAM_TIE))
    for way in ((1.0, 0.0), (0.0, 1.0), (0.0, -1.0)):

        def clash(mm: float, way: tuple[float, float] = way) -> float:
            held = translate(tie, way[0] * mm, way[1] * mm)
            moved = translate(east, 2 * way[0] * mm, 2 * way[1] * mm)
            return float((west ^ held).volume() + (held ^ moved).volume())

        assert clash(0.0) == 0
        assert clash(STOPPED_MM) > 1.0
    assert (translate(east, LOOSE_MM) ^ tie).volume() == 0


def test_each_part_is_one_closed_body_and_together_they_are_the_model(folder: Path) -> None:
    block = ModelBlock(
        "keep", "keep.stl", str(folder / "m.forge"), 2, 3, tops=(1,) * 6, parts=(3, 1)
    )
    *cut, tie = list(pieces_of_model(block))
    assert tie == TIE
    assert len({piece.key for piece in cut}) == 6
    meshes = [build(piece, PRINTER).to_trimesh() for piece in cut[:3]]
    (whole, _) = pieces_of_model(block, whole=True)
    model = build(whole, PRINTER).to_trimesh()
    assert all(mesh.is_watertight and mesh.body_count == 1 for mesh in meshes)
    assert sum(mesh.volume for mesh in meshes) == pytest.approx(model.volume, rel=1e-6)
    assert max(mesh.extents[2] for mesh in meshes) == pytest.approx(model.extents[2])


def test_adopting_a_large_model_cuts_it_and_says_so(folder: Path) -> None:
    wished = ModelBlock("keep", "keep.stl")
    small = replace(PRINTER, bed_mm=(80.0, 80.0))
    found = adopt(folder / "keep.stl", wished, (3, 2), small, GRID)
    assert found.block.parts == (2, 1)
    assert "  parts 2x1" in block_lines(found.block, "keep.stl")
    assert adopt(folder / "keep.stl", wished, (3, 2), PRINTER, GRID).block.parts == (1, 1)


@pytest.mark.parametrize("parts", ["4x1", "1x3", "0x1", "2"])
def test_more_parts_than_tiles_are_refused_in_their_line(folder: Path, parts: str) -> None:
    text = MAP.format(parts=parts, turn="").replace(" / ", "\n")
    made = ff.loads(text, "map.forge", folder)
    (issue,) = (issue for issue in made.issues if issue.code == "FDF211")
    assert issue.span is not None and issue.span.line == 3


def test_a_part_that_is_too_large_names_the_setting_that_cuts_it() -> None:
    item = PackItem("model-keep", 90.0, 60.0, 50.0, 1)
    (issue,) = fit_faults(item, replace(PRINTER, bed_mm=(80.0, 80.0)))
    assert "`parts 2x1`" in (issue.hint or "")
    assert not list(fit_faults(item, PRINTER))


@needs_slicer
@needs_cura
@pytest.mark.slicer
def test_two_slicers_print_a_cut_part_and_its_tie(folder: Path, tmp_path: Path) -> None:
    block = ModelBlock(
        "keep", "keep.stl", str(folder / "m.forge"), 2, 3, tops=(1,) * 6, parts=(2, 1)
    )
    first, *_, tie = pieces_of_model(block)
    for piece in (first, tie):
        mesh = build(piece, PRINTER)
        assert slice_mesh(mesh, tmp_path, "terrain").inside(PRINTER)
        assert supported_mm(slice_cura(mesh, tmp_path)) < JOINT_MM


@pytest.mark.parametrize("parts", ["1x1", "3x1", "2x2"])
def test_a_model_in_stock_is_all_of_its_parts(folder: Path, parts: str) -> None:
    text = MAP.format(parts=parts, turn="").replace(" / ", "\n")
    made = ff.loads(text + "inventory { keep 2  block-1x1x1 3 }\n", str(folder / "m.forge"), folder)
    assert ff.check(made).buildable
    needed = {
        key: count
        for key, count in Forge().plan(made).counts().items()
        if key.startswith("model-") or key == SEAM_TIE
    }
    owned = owned_parts(made.layout)
    assert owned.pop("block-1x1x1") == 3
    assert owned == {key: 2 * count for key, count in needed.items()}


def test_a_model_in_stock_that_the_map_does_not_know_is_named(folder: Path) -> None:
    text = MAP.format(parts="1x1", turn="").replace(" / ", "\n").replace("place keep at D5", "")
    for name, known in (("keep", True), ("kepe", False)):
        made = ff.loads(f"{text}inventory {{ {name} 1 }}\n", str(folder / "m.forge"), folder)
        found = [issue for issue in ff.check(made).issues if issue.code == "FDF400"]
        assert bool(found) is not known
        assert all("`keep`" in (issue.hint or "") for issue in found)


def test_a_search_from_a_map_with_models_brings_their_files(folder: Path, tmp_path: Path) -> None:
    pytest.importorskip("numba")
    path = folder / "start.forge"
    path.write_text(MAP.format(parts="2x1", turn="").replace(" / ", "\n"))
    archive, picks = tmp_path / "found", tmp_path / "picks"
    words = ("--evaluations", 64, "--archive", archive, "--picks", 1, "-o", picks)
    done = typed("search", "--from", path, *words)
    assert done.returncode == 0, done.stderr
    for each in (archive, picks):
        assert (each / "keep.stl").read_bytes() == (folder / "keep.stl").read_bytes()
        (first, *_) = sorted(each.glob("*.forge"))
        assert not [issue for issue in ff.check(ff.load(first)).issues if issue.code == "FDF208"]

"""Instructions are carried out: each part is moved to its place, with nothing in its way.

A second judge moves the same meshes up in small steps and intersects them as solids, without height
fields.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
from manifold3d import Manifold
from manifold3d import Mesh as Triangles

from falldamage_forge import presets
from falldamage_forge.board import Tile
from falldamage_forge.builds.pipeline import BuildOptions, planned
from falldamage_forge.cli.commands import prove
from falldamage_forge.geometry import ways_in
from falldamage_forge.geometry.height_field import HeightField, cells_per_tile, height_field
from falldamage_forge.geometry.mesh import Mesh
from falldamage_forge.geometry.piece_mesh import build, fit_of, place
from falldamage_forge.geometry.ways_in import WaysReport, find_ways
from falldamage_forge.library.forge import Forge, Map
from falldamage_forge.pieces.building_order import Group, hand_groups
from falldamage_forge.pieces.piece import Placement
from falldamage_forge.render import build_steps
from falldamage_forge.render.build_steps import building_order
from tests.amount import EXHAUSTIVE, some
from tests.buildable import FAMILIES_ONCE, ONE_ORDER, PIT, SHORE, STARTS, YARD
from tests.cli import running
from tests.cli.running import typed
from tests.nasty import nasty

FORGE = Forge()
PRINTER, STYLE = presets.load_printer("a1-mini"), presets.load_style("plain")
TABLES = sorted((Path(presets.__file__).parent.parent / "presets" / "tables").glob("*.forge"))
MAPS = {
    **{name: FORGE.load(name) for name in presets.names("maps")},
    **{path.stem: FORGE.load(str(path)) for path in TABLES},
}
NASTY = some(range(300), 12)
BEAD_MM3 = 0.5
"""More than a bead shares with a stud that it passes, less than anything that is in the way."""
HEIGHTS_MM = (0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 6.0, 10.0, 15.0, 22.0, 30.0,
              *range(40, 400, 10))  # fmt: skip


def parts_of(map_: Map) -> tuple[tuple[Placement, ...], dict[str, Mesh]]:
    plan = planned(map_.layout, FORGE.catalogue(map_), PRINTER, BuildOptions())
    meshes = {key: build(piece, PRINTER, STYLE) for key, piece in plan.pieces().items()}
    return plan.placements, meshes


def swept(map_: Map, order: Sequence[Group] | None = None) -> WaysReport:
    parts, meshes = parts_of(map_)
    return find_ways(parts, order or building_order(map_.board, parts), meshes, PRINTER)


def families_once(map_: Map) -> list[Group]:
    """Return the groups of a map, family by family."""
    parts, _ = parts_of(map_)
    rank = {family: n for n, own in enumerate(FAMILIES_ONCE) for family in own}
    return sorted(hand_groups(parts), key=lambda group: rank[parts[group[0]].piece.family])


def told(report: WaysReport) -> list[str]:
    return [str(issue) for issue in report.issues()]


def test_all_tables_and_nasty_maps_are_swept() -> None:
    assert len(NASTY) == (300 if EXHAUSTIVE else 12)
    assert len(TABLES) >= 10
    assert len(MAPS) == len(TABLES) + len(presets.names("maps"))


@pytest.mark.parametrize("name", MAPS)
def test_each_part_of_a_preset_goes_straight_down(name: str) -> None:
    assert not told(swept(MAPS[name]))


@pytest.mark.parametrize("text", ONE_ORDER.values(), ids=ONE_ORDER)
def test_each_part_of_a_map_with_one_order_goes_straight_down(text: str) -> None:
    assert not told(swept(FORGE.loads(text)))


@pytest.mark.parametrize("seed", NASTY)
def test_each_part_of_a_nasty_map_goes_straight_down(seed: int) -> None:
    assert not told(swept(FORGE.loads(nasty(seed).text)))


# -- the second judge ----------------------------------------------------------------------------


def solids_of(parts: Sequence[Placement], meshes: Mapping[str, Mesh]) -> list[Manifold]:
    placed = [place(meshes[part.piece.key], part, PRINTER) for part in parts]
    return [Manifold(Triangles(mesh.vertices, mesh.faces.astype(np.uint32))) for mesh in placed]


def beside(one: Manifold, other: Manifold) -> bool:
    a, b = one.bounding_box(), other.bounding_box()
    return a[0] >= b[3] or b[0] >= a[3] or a[1] >= b[4] or b[1] >= a[4]


def in_the_way_mm3(moving: Manifold, standing: Manifold) -> float:
    """Return the most that a part shares in one place with another, while it comes down."""
    rise_mm = standing.bounding_box()[5] - moving.bounding_box()[2]
    shared = [moving.translate((0, 0, z)) ^ standing for z in HEIGHTS_MM if z < rise_mm]
    return max((float(bit.volume()) for all_ in shared for bit in all_.decompose()), default=0.0)


def carried_out(map_: Map, order: Sequence[Group]) -> tuple[float, list[Placement]]:
    """Return the greatest volume in the way of any part, and the parts that stand on nothing."""
    parts, meshes = parts_of(map_)
    solids = solids_of(parts, meshes)
    standing: list[int] = []
    worst, loose = 0.0, []
    for group in order:
        near = [(one, n) for one in group for n in standing if not beside(solids[one], solids[n])]
        worst = max(worst, *(in_the_way_mm3(solids[one], solids[n]) for one, n in near), 0.0)
        lowered = (solids[one].translate((0, 0, -0.3)) ^ solids[n] for one, n in near)
        if parts[group[0]].piece.family != "quadrant" and all(v.volume() < 0.05 for v in lowered):
            loose.append(parts[group[0]])
        standing += group
    return worst, loose


JUDGED = [*ONE_ORDER.values(), *(nasty(seed).text for seed in some(range(24), 1))]


@pytest.mark.parametrize("text", JUDGED)
def test_solids_meet_nothing_but_beads_on_their_way(text: str) -> None:
    map_ = FORGE.loads(text)
    worst, loose = carried_out(map_, building_order(map_.board, parts_of(map_)[0]))
    assert worst < BEAD_MM3
    assert not loose, "and each stands on a part that came before it"


@pytest.mark.parametrize(
    ("text", "least_mm3", "in_the_air"), [(PIT, 20.0, 0), (STARTS, 50.0, 2), (SHORE, 2.0, 0)]
)
def test_solids_collide_when_families_are_placed_once(
    text: str, least_mm3: float, in_the_air: int
) -> None:
    map_ = FORGE.loads(text)
    worst, loose = carried_out(map_, families_once(map_))
    assert worst > least_mm3
    assert len(loose) >= in_the_air
    assert swept(map_, families_once(map_)).blocked


# -- what is told --------------------------------------------------------------------------------


def test_tree_in_a_pit_below_a_bridge_has_no_way_in() -> None:
    map_ = FORGE.loads(PIT)
    (issue,) = swept(map_, families_once(map_)).issues()
    assert (issue.code, issue.severity) == ("FDF440", "error")
    assert issue.message == (
        "tree at E5, level 0 has no way in: above it is bridge-1 at E5, level 3"
    )
    assert issue.tiles == ((4, 4), (4, 4))


def test_markers_below_what_stands_on_them_have_no_way_in() -> None:
    map_ = FORGE.loads(STARTS)
    report = swept(map_, families_once(map_))
    found = {str(report.placements[index].tile) for index in report.blocked}
    assert found == {"D1", "D10", "F1", "G1"}
    assert {report.placements[n].piece.family for n in report.blocked} == {"start-marker"}


def test_chest_below_a_bridge_slides_in_from_an_open_side() -> None:
    map_ = FORGE.loads(YARD)
    (issue,) = swept(map_, families_once(map_)).issues()
    assert (issue.code, issue.severity) == ("FDF441", "warning")
    assert issue.message == (
        "chest at C5, level 0 does not go straight down; "
        "its way: from the south, 1.5 mm above its seat, then press it down"
    )


def test_chest_comes_from_the_side_that_is_left_open() -> None:
    walled = YARD.replace("bridge", "stack C6 height 2\nbridge")
    map_ = FORGE.loads(walled)
    (way,) = swept(map_, families_once(map_)).ways.values()
    assert way.side == "north"
    shut = walled.replace("bridge", "stack C4 height 2\nbridge")
    map_ = FORGE.loads(shut)
    assert swept(map_, families_once(map_)).blocked


def test_ways_are_cached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FDFORGE_CACHE_DIR", str(tmp_path))
    map_ = FORGE.loads(YARD)
    once = families_once(map_)
    first = swept(map_, once)
    monkeypatch.setattr(ways_in, "_Table", None)
    assert swept(map_, once) == first
    with pytest.raises(TypeError):
        swept(map_)


def test_build_refuses_a_part_without_a_way_and_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "EXHAUSTIVE", False)  # what is patched is in this process
    (tmp_path / "pit.forge").write_text(PIT)
    words = ("build", "pit.forge", "--no-pictures", "--style", "plain", "-o", "out")
    once = families_once(FORGE.loads(PIT))
    monkeypatch.setattr(build_steps, "building_order", lambda board, parts: once)
    refused = typed(*words, cwd=tmp_path)
    assert refused.returncode == 1
    assert "FDF440" in refused.stderr
    assert not (tmp_path / "out").exists()


def test_prove_counts_parts_without_a_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "EXHAUSTIVE", False)
    for name in ("_printed", "_joined", "_held"):
        monkeypatch.setattr(prove, name, lambda *_: ())
    for name, text, status in (("pit", PIT, 1), ("yard", YARD, 0)):
        (tmp_path / f"{name}.forge").write_text(text)
        once = families_once(FORGE.loads(text))
        monkeypatch.setattr(build_steps, "building_order", lambda board, parts, once=once: once)
        proved = typed("prove", f"{name}.forge", "--style", "plain", "--json", cwd=tmp_path)
        assert proved.returncode == status, proved.stderr
        document = json.loads(proved.stdout)
        counts = document["maps"][f"{name}.forge"]
        assert (counts["blocked"], counts["from_side"]) == (status, 1 - status)
        assert document["ok"] is (status == 0)


# -- height fields -------------------------------------------------------------------------------


@pytest.mark.parametrize("turns", range(4))
@pytest.mark.parametrize("key", ["block-l-1", "block-3x1x1", "ladder-2", "battlement-corner"])
def test_field_of_a_placed_part_is_that_of_its_placed_mesh(key: str, turns: int) -> None:
    piece = presets.load_catalogue()[key]
    mesh = build(piece, PRINTER, STYLE)
    placement = Placement(piece, Tile(2, 3), 2, turns, 1.92)
    (moved,) = ways_in._fields([placement], {key: mesh}, fit_of(PRINTER))
    body = place(mesh, placement, PRINTER)
    cell_mm = piece.grid.pitch_mm / cells_per_tile(piece.grid)
    direct = height_field(body.vertices.astype(np.float64), body.faces, cell_mm)
    both = [_laid(field, moved) for field in (moved, direct)]
    for one, other in zip(*both, strict=True):
        same = np.isclose(one, other, atol=0.02) | (one == other)
        # On a steep wall a cell's middle may fall on either side of the edge.
        assert np.mean(same) > 0.97


def _laid(field: HeightField, frame: HeightField) -> tuple[np.ndarray, np.ndarray]:
    """Return both arrays of a field on the cells around another, empty ones as ∓1000."""
    result = []
    for own, empty in ((field.high, -1000.0), (field.low, 1000.0)):
        rows, cols = frame.high.shape
        canvas = np.full((rows + 8, cols + 8), empty)
        y, x = field.y - frame.y + 4, field.x - frame.x + 4
        canvas[y : y + own.shape[0], x : x + own.shape[1]] = np.clip(own, -1000, 1000)
        result.append(canvas)
    return result[0], result[1]


def test_field_of_a_box_has_its_heights() -> None:
    solid = Manifold.cube((3.0, 2.0, 5.0)).translate((1.0, -4.0, 7.0)).to_mesh()
    field = height_field(
        np.asarray(solid.vert_properties, dtype=np.float64), np.asarray(solid.tri_verts), 0.5
    )
    assert (field.x, field.y, field.high.shape) == (2, -8, (4, 6))
    assert np.allclose(field.high, 12.0)
    assert np.allclose(field.low, 7.0)

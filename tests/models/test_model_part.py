"""Models on the joint: closed parts of the size of their tiles, with studs at their levels."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from trimesh import Trimesh
from trimesh.boolean import union
from trimesh.creation import box, cylinder

import falldamage_forge as ff
from falldamage_forge import presets
from falldamage_forge.builds.model_pieces import (
    file_issues,
    model_facts,
    path_of,
    pieces_of_model,
)
from falldamage_forge.export.shop_page import model_lines
from falldamage_forge.geometry.csg import to_mesh
from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.geometry.model_part import gap_mm, joined_model
from falldamage_forge.geometry.standing_levels import standing_levels
from falldamage_forge.issues import ForgeError
from falldamage_forge.lang.model_block import ModelBlock
from falldamage_forge.library.forge import Forge
from falldamage_forge.models.placed_model import ModelPose
from falldamage_forge.pieces.plan import plan

FIT = DesignParameters()
STARTS = "start red at B1..I1\nstart blue at B10..I10\n"


def block(x: float, wide: float, high: float) -> Trimesh:
    made = box((wide, 28, high))
    made.apply_translation((x, 0, high / 2))
    return made


@pytest.fixture
def ruin(tmp_path: Path) -> Path:
    """Two massive steps of 31 and 61 mm, 60 mm wide."""
    path = tmp_path / "ruin.stl"
    union([block(-15, 30, 31), block(15, 30, 61)], engine="manifold").export(path)
    return path


@pytest.fixture
def statue(tmp_path: Path) -> Path:
    path = tmp_path / "statue.stl"
    cylinder(3, 40).export(path)
    return path


def pose(cols: int = 1, **more: object) -> ModelPose:
    return ModelPose(cols, gap_mm=gap_mm(FIT), **more)  # type: ignore[arg-type]


def test_a_massive_model_stands_on_its_rings_and_a_thin_one_on_a_plinth(
    ruin: Path, statue: Path
) -> None:
    for path, cols, lifted in ((ruin, 2, False), (statue, 1, True)):
        part = joined_model(path, path.name, pose(cols), (), FIT)
        mesh = to_mesh(part.solid).to_trimesh()
        assert mesh.is_watertight
        assert len(part.solid.decompose()) == 1
        assert bool(part.plinth_mm) is lifted
        wide, deep, _ = mesh.extents
        assert wide == pytest.approx(30 * cols - gap_mm(FIT), abs=0.01)
        assert deep == pytest.approx(30 - gap_mm(FIT), abs=0.01)


def test_levels_are_found_with_their_distance(ruin: Path) -> None:
    part = joined_model(ruin, "ruin.stl", pose(2), (), FIT)
    low, high = (standing_levels(part.solid, (0, col), FIT.grid) for col in (0, 1))
    assert [stand.level for stand in (*low, *high)] == [1, 2]
    assert low[0].over_mm == pytest.approx(31 * 59.8 / 60 - 30, abs=0.3)


def test_a_stud_lies_at_its_level(ruin: Path) -> None:
    part = joined_model(ruin, "ruin.stl", pose(2), (1, 2), FIT)
    low, high = (standing_levels(part.solid, (0, col), FIT.grid) for col in (0, 1))
    assert (low[0].over_mm, high[0].over_mm) == (0, 0)


def test_a_model_larger_than_its_tiles_is_refused_with_both_sizes(ruin: Path) -> None:
    with pytest.raises(ForgeError, match=r"FDF514.*60\.0 x 28\.0 x 61\.0 mm.*29\.8"):
        joined_model(ruin, "ruin.stl", pose(1, scale="none"), (), FIT)


def test_the_mirror_image_is_a_mirror_image(ruin: Path) -> None:
    plain, mirrored = (
        joined_model(ruin, "ruin.stl", pose(2, mirrored=each), (), FIT).placed
        for each in (False, True)
    )
    assert np.ptp(plain.points, axis=0) == pytest.approx(np.ptp(mirrored.points, axis=0))
    high = [each.points[each.points[:, 2] > 50][:, 0].mean() for each in (plain, mirrored)]
    assert high[0] > 30 > high[1]


def test_the_plan_has_a_part_for_each_model_and_no_block_or_spire(ruin: Path) -> None:
    path = ruin.parent / "map.forge"
    body = 'model ruin "ruin.stl" { tiles 2x1  levels { 1 . } }\nstack C3..D3 height 1\n'
    path.write_text(f"forge 1\n{body}place ruin at C3\nplace ruin at G6 mirror y\n{STARTS}")
    made = ff.load(path)
    assert not made.issues
    placed = {p.piece.key: p for p in ff.plan(made).placements}
    assert placed["model-ruin"].level == 1
    assert placed["model-ruin"].tiles() == made.board.models[0].tiles
    assert placed["model-ruin-mirrored"].quarter_turns == 2
    assert not any(key.startswith("spire") for key in placed)
    assert plan(made.board, presets.load_catalogue()).counts().get("block-1x1x1", 0) <= 2


@pytest.mark.parametrize("path", ["../x.stl", "/etc/x.stl", "a\\x.stl", "c:x.stl", ""])
def test_a_path_never_leaves_the_folder(path: str, tmp_path: Path) -> None:
    model = ModelBlock("x", path, str(tmp_path / "map.forge"))
    with pytest.raises(ForgeError, match="FDF208"):
        path_of(model)
    assert [issue.code for issue in file_issues([model])] == ["FDF208"]


def test_a_link_out_of_the_folder_is_refused(ruin: Path, tmp_path: Path) -> None:
    inner = tmp_path / "maps"
    inner.mkdir()
    (inner / "x.stl").symlink_to(ruin)
    with pytest.raises(ForgeError, match="FDF208"):
        path_of(ModelBlock("x", "x.stl", str(inner / "map.forge")))


def test_equal_files_give_equal_pieces(ruin: Path) -> None:
    model = ModelBlock("ruin", "ruin.stl", str(ruin.parent / "map.forge"), cols=2, tops=(1, 2))
    one, other = (list(pieces_of_model(model)) for _ in range(2))
    assert one == other
    assert one[0]["sha256"] == other[1]["sha256"]
    assert (one[0]["tops"], one[1]["tops"]) == ("1,2", "2,1")


def test_a_published_build_has_no_model_without_a_licence(ruin: Path) -> None:
    path = ruin.parent / "map.forge"
    body = (
        'model bought "ruin.stl" { tiles 2x1 }\n'
        'model free "ruin.stl" { tiles 2x1  license "CC-BY-4.0" }\n'
        "place bought at C3\nplace free at G6\n"
    )
    path.write_text(f"forge 1\n{body}{STARTS}")
    forge, made = Forge(), ff.load(path)
    assert {"model-bought", "model-free"} <= set(forge.catalogue(made).pieces)
    assert "model-bought" not in forge.catalogue(made, licensed=True)
    facts = model_facts(made.layout.models)
    text = "\n".join(model_lines(facts))
    assert [fact.license for fact in facts] == ["", "CC-BY-4.0"]
    assert text.count("get it from its author") == 1
    assert text.count(facts[0].sha256) == 2


def test_no_hole_leads_into_the_cavity_below_a_low_massive_model(tmp_path: Path) -> None:
    """A spike on a base of 9.6 mm, which is lower than the ceiling over the stud."""
    path = tmp_path / "low.stl"
    base, spike = box((29.8, 29.8, 9.6)), box((10, 10, 60))
    base.apply_translation((0, 0, 4.8))
    spike.apply_translation((0, 0, 30))
    union([base, spike], engine="manifold").export(path)
    part = joined_model(path, "low.stl", pose(), (), FIT)
    assert not part.plinth_mm
    assert part.solid.genus() == 0
    assert len(part.solid.decompose()) == 1

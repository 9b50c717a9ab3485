"""`fdforge adopt`: it measures, draws, and writes a block with which the map loads."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from trimesh.boolean import union
from trimesh.creation import box, cylinder

import falldamage_forge as ff
from falldamage_forge import presets
from falldamage_forge.builds.adoption import adopt
from falldamage_forge.lang import load
from falldamage_forge.lang.formatter import format_text
from falldamage_forge.lang.model_block import ModelBlock
from falldamage_forge.lengths import GRID
from tests.cli.running import ROOT, typed

MAP = 'forge 1\ntitle "Ruins"\nstart red at B1..I1\nstart blue at B10..I10\n'


@pytest.fixture
def tower(tmp_path: Path) -> Path:
    """Two massive steps of 30 and 60 mm on 2x1 tiles."""
    low, high = box((30, 29, 30)), box((29.8, 29, 60))
    low.apply_translation((-15, 0, 15))
    high.apply_translation((14.9, 0, 30))
    path = tmp_path / "Old Tower.stl"
    union([low, high], engine="manifold").export(path)
    return path


def run(*words: object) -> tuple[int, str, str]:
    done = typed("adopt", *words, cwd=ROOT)
    return done.returncode, done.stdout, done.stderr


def test_the_printed_block_is_formatted_and_loads(tower: Path) -> None:
    code, out, err = run(tower)
    assert code == 0, err
    text = f"forge 1\n{out}place old-tower at C3\n"
    assert not load(text, "x.forge").issues
    again = format_text(text, "x.forge")
    assert format_text(again, "x.forge") == again
    (model,) = load(text, "x.forge").layout.models
    assert (model.cols, model.rows, model.tops) == (2, 1, (1, 2))


def test_json_tells_file_digest_and_the_distance_to_levels(tower: Path) -> None:
    code, out, _ = run(tower, "--json")
    table = json.loads(out)
    assert code == 0
    assert len(table["sha256"]) == 64
    assert table["levels"] == [1, 2]
    assert all(abs(stand["over_mm"]) < 1 for (stand, *_) in table["stands"])
    assert [each["scale"] for each in table["proposals"]][-1] == "fit"


def test_a_picture_is_a_png(tower: Path) -> None:
    picture = tower.with_suffix(".png")
    code, _, err = run(tower, "--studs", "-o", picture)
    assert code == 0, err
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_a_solid_is_repaired_once_for_all_scales_and_sizes(
    tower: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from falldamage_forge.models import placed_model as made

    calls, real = list[float](), made.repaired

    def counted(*given: Any) -> Any:
        calls.append(1.0)
        return real(*given)

    monkeypatch.setattr(made, "repaired", counted)
    code, _, err = run(tower, "--studs", "--scale", "fit", "--tiles", "2x2")
    assert code == 0, err
    assert len(calls) == 1


def test_a_map_gets_block_and_place(tower: Path) -> None:
    path = tower.parent / "town.forge"
    path.write_text(MAP)
    code, _, err = run(tower, "--studs", "--map", path, "at", "C3")
    assert code == 0, err
    made = ff.check(ff.load(path))
    assert made.ok
    assert [model.name for model in made.map.board.models] == ["old-tower"]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--scale", "huge"), 2),
        (("--tiles", "10x9"), 2),
        (("--at", "C3"), 2),
        (("at", "C3"), 2),
        (("C3",), 2),
        (("--map", "duel", "at"), 2),
        (("-o", "x.jpg"), 2),
        (("--tiles", "1x1", "--scale", "none"), 1),
        (("--unit", "m"), 0),
    ],
)
def test_wrong_options_are_refused(tower: Path, words: tuple[str, ...], code: int) -> None:
    assert run(tower, *words)[0] == code


def test_a_bad_file_changes_no_map(tower: Path) -> None:
    path = tower.parent / "town.forge"
    path.write_text(MAP)
    tower.write_bytes(b"not a model")
    code, out, err = run(tower, "--map", path, "--at", "C3")
    assert (code, out) == (1, "")
    assert "FDF510" in err
    assert path.read_text() == MAP


def test_a_file_elsewhere_is_refused_with_the_command_that_copies_it(tower: Path) -> None:
    folder = tower.parent / "maps"
    folder.mkdir()
    path = folder / "town.forge"
    path.write_text(MAP)
    code, _, err = run(tower, "--map", path, "at", "C3")
    assert code == 1
    assert "FDF208" in err
    assert "cp " in err


def test_overhangs_are_told_and_the_block_gets_supports(tower: Path) -> None:
    stem, cap = cylinder(4, 30), cylinder(14, 4)
    stem.apply_translation((0, 0, 15))
    cap.apply_translation((0, 0, 30))
    shade = tower.with_name("shade.stl")
    union([stem, cap], engine="manifold").export(shade)
    for path, needs in ((shade, True), (tower, False)):
        code, out, err = run(path)
        assert code == 0, err
        assert ("print upright supports" in out) is needs
        assert ("needs supports" in err) is needs
    table = json.loads(run(shade, "--json", "--scale", "none")[1])["overhang"]
    assert table["layers"] == 1
    # The cap's ring beyond its stem, less what a slope may gain in a layer.
    assert 0.9 < table["area_mm2"] / (np.pi * (14**2 - 4**2)) < 1
    assert table["low_mm"] == pytest.approx(28 + 10.8, abs=0.4)


def test_a_model_wider_than_the_bed_is_cut_and_a_higher_one_is_refused(tower: Path) -> None:
    code, out, err = run(tower, "--tiles", "6x4", "--scale", "200%")
    assert code == 0
    assert "\n  parts 2x1\n" in out
    assert "2 parts, joined by 2 ties" in err
    high = box((28, 28, 600))
    high.export(tower)
    code, out, err = run(tower, "--tiles", "1x1", "--scale", "50%")
    assert (code, out) == (1, "")
    assert "FDF450" in err


def test_proposals_are_of_the_size_that_the_model_has_as_it_is_asked_for(tmp_path: Path) -> None:
    """A slab of 20 x 50 x 30 mm in centimetres, and turned; its tiles follow."""
    path = tmp_path / "slab.obj"
    solid = box((2, 5, 3))
    solid.export(path)
    printer = presets.load_printer("a1-mini")

    def plain(**more: Any) -> tuple[list[float], int, int]:
        found = adopt(path, ModelBlock("slab", str(path), **more), None, printer, GRID)
        first = found.proposals[0]
        assert first.scale == "none"
        return [round(side, 6) for side in first.size_mm], first.cols, first.rows

    assert plain(unit="cm") == ([20, 50, 30], 1, 2)
    assert plain(unit="cm", turn=90) == ([50, 20, 30], 2, 1)
    assert plain(unit="mm", scale="500%") == ([2, 5, 3], 1, 1)
    large = adopt(path, ModelBlock("slab", str(path), unit="m", scale="1%"), None, printer, GRID)
    assert [each.scale for each in large.proposals] == ["fit"], "5 m lie on no tiles"
    assert (large.block.cols, large.block.rows) == (1, 2)
    assert large.part.placed.size_mm == pytest.approx((20, 50, 30))

"""What goes along with a board: every piece reaches a plate, the rim fits every board."""

import json
from collections import Counter
from pathlib import Path

import pytest

import falldamage_forge as ff
from falldamage_forge import presets
from falldamage_forge.board import BOARD_STEP, MAX_BOARD, Column, column_name, make_board
from falldamage_forge.builds.pipeline import plan_extras
from falldamage_forge.lengths import GRID
from falldamage_forge.pieces.extras import rim_of
from tests.cli.running import ROOT, typed

CATALOGUE = presets.load_catalogue()


def test_each_piece_is_on_a_plate_of_the_sampler() -> None:
    page = (ROOT / "docs" / "pieces.md").read_text("utf-8")
    assert "fdforge build docs/sampler.forge" in page
    checked = ff.check(ff.load(ROOT / "docs" / "sampler.forge"))
    assert checked.ok, checked.issues
    parts = {**ff.plan(checked.map).counts(), **plan_extras(checked.layout, CATALOGUE)}
    assert not CATALOGUE.pieces.keys() - parts.keys()


@pytest.mark.parametrize("cols", range(BOARD_STEP, MAX_BOARD + 1, BOARD_STEP))
def test_the_rim_names_every_column_and_row_once(cols: int) -> None:
    rows = MAX_BOARD + BOARD_STEP - cols
    rim = rim_of(make_board(rows, cols, [Column()] * (rows * cols)))
    strips = [CATALOGUE[key] for key in rim if key != "tie"]
    told = [sign for strip in strips for sign in str(strip["text"]).split(" ")]
    assert told == [*map(column_name, range(cols)), *(str(row + 1) for row in range(rows))]
    assert len({strip.title for strip in strips}) == len(strips)
    assert rim["tie"] == 2 * len(strips)
    assert all(strip.key in CATALOGUE for strip in strips)


def test_a_rim_piece_of_no_board_is_unknown() -> None:
    assert "rim-letters-b" not in CATALOGUE
    with pytest.raises(ff.ForgeError, match="rim-letters-b"):
        _ = CATALOGUE["rim-letters-b"]


def test_two_letters_fit_on_a_strip() -> None:
    from falldamage_forge.geometry.piece_mesh import build

    like, widest = (
        build(CATALOGUE[key], presets.load_printer("a1-mini"))
        for key in ("rim-letters-a", "rim-letters-at")
    )
    assert widest.bounds_mm() == like.bounds_mm()
    assert like.bounds_mm()[1][0] < BOARD_STEP * GRID.pitch_mm


def test_extras_and_rim_are_built_and_owned_like_all_parts(tmp_path: Path) -> None:
    text = "forge 1\nboard 15x5\nprint { rim }\nextras { spring-trap 3 }\n"
    text += "start red at A1..H1\nstart blue at A5..H5\n"
    (tmp_path / "long.forge").write_text(text)
    (tmp_path / "mine.csv").write_text("piece,count\nrim-letters-k,1\nspring-trap,1\n")
    (tmp_path / "set.toml").write_text('title = "Two"\nmaps = ["long.forge", "duel"]\n')
    run = typed("pieces", "long.forge", "--own", "mine.csv", "--format", "json", cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    printed = Counter[str]()
    for plate in json.loads(run.stdout)["plates"]:
        printed.update(plate["pieces"])
    assert (printed["spring-trap"], printed["rim-letters-f"], printed["rim-letters-k"]) == (2, 1, 0)
    kit = typed("kit", "set.toml", cwd=tmp_path)
    assert kit.returncode == 0, kit.stderr
    assert "spring-trap" in kit.stdout
    assert "ladder-3" in kit.stdout

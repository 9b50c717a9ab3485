"""Tiles of a model on which nobody stands: they block as a spire does, and nothing moves them."""

from __future__ import annotations

from pathlib import Path

import pytest
from trimesh.creation import box

import falldamage_forge as ff
from falldamage_forge.board import Feature, Tile
from falldamage_forge.games.fall_damage.engine import match_context
from falldamage_forge.games.fall_damage.play.serialization import board_json, read_board
from falldamage_forge.games.fall_damage.play.state_value import terrain_state
from tests.cli.running import typed

MAP = """forge 1
model rock "rock.stl" { tiles 2x1  levels { 1 . } }
place rock at D5
stack G5 height 1
spire at G5
start red at B1..I1
start blue at B10..I10
"""
FIXED = Tile(4, 4)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rock")
    box((59, 29, 30)).export(folder / "rock.stl")
    (folder / "map.forge").write_text(MAP)
    return folder / "map.forge"


def test_a_tile_without_a_top_is_fixed_and_blocks(path: Path) -> None:
    board = ff.load(path).board
    assert board.fixed == {FIXED}
    assert board.column(FIXED).feature is Feature.SPIRE
    done = typed("los", path, "E4", "E7")
    assert "the model at E5 blocks the line" in done.stdout


@pytest.mark.parametrize(("beside", "target"), [("E4", "E5"), ("G4", "G5")])
def test_only_a_spire_can_be_attacked_and_pushed(path: Path, beside: str, target: str) -> None:
    fixed = target == str(FIXED)
    listed = typed("targets", path, "--from", beside, "--unit", "knight").stdout
    assert (f"spire at {target}" in listed) is not fixed
    push = ("--attacker", beside, "--target", target, "--push", "B2")
    done = typed("push", path, *push)
    assert ("no surface" in done.stderr) is fixed
    what_if = ("--what-if", f"topple {target} south 2", "--from", beside, "--unit", "knight")
    done = typed("targets", path, *what_if)
    assert ("there is no spire" in done.stderr) is fixed


def test_games_name_the_spire_alone(path: Path) -> None:
    land = terrain_state(ff.load(path).board)
    assert [word for word, _, _ in match_context.pieces_of(land)] == ["spire G5"]


def test_a_record_keeps_it_fixed(path: Path) -> None:
    board = ff.load(path).board
    again = read_board(board_json(board, terrain_state(board)))
    assert again.fixed == board.fixed
    assert terrain_state(again) == terrain_state(board)


def test_bots_play_round_it(path: Path) -> None:
    done = typed("playtest", path, "--games", "4", "--bots", "random,greedy", "--engine", "plain")
    assert done.returncode == 0, done.stderr

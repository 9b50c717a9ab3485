"""Gang skirmish: every worked example of its sentences."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from falldamage_forge.board.surfaces import Terrain, TerrainOptions
from falldamage_forge.games.gang_skirmish import formulas, knockback_result
from falldamage_forge.games.gang_skirmish.options import Fighter, GangSkirmishOptions
from falldamage_forge.infra.toml_loader import read_table
from falldamage_forge.presets import load_rules
from falldamage_forge.rules.position import Position
from tests.games import cases
from tests.rules.cases import board_of

GAME = "gang-skirmish"
CASES = cases.load("gang_skirmish")


@pytest.mark.parametrize("case", [c for c in CASES if "call" in c], ids=cases.names)
def test_formula(case: dict[str, Any]) -> None:
    assert cases.call(case, cases.setting_of(GAME, case)) == case["expect"]


@pytest.mark.parametrize("case", [c for c in CASES if "reach" in c], ids=cases.names)
def test_reach(case: dict[str, Any]) -> None:
    cases.check_reach(GAME, case)


@pytest.mark.parametrize("case", [c for c in CASES if "direction" in c], ids=cases.names)
def test_shove(case: dict[str, Any]) -> None:
    options = cases.setting_of(GAME, case).options
    terrain = Terrain(board_of(case["board"]), TerrainOptions())
    fighter = read_table(Fighter, case["unit"], case["id"])
    start, direction = cases.surface(case["start"]), tuple(case["direction"])
    if "falls" in case:
        falls = knockback_result.fall_chances(
            terrain, start, direction, case["force"], fighter, options
        )
        assert cases.told(falls) == case["falls"]
    else:
        end = knockback_result.shove(terrain, start, direction, case["inches"], fighter, options)
        assert {name: getattr(end, name) for name in case["shove"]} == case["shove"]


@given(st.integers(0, 12), st.integers(0, 12), st.sampled_from(["fighter", "object"]))
def test_shove_chances_sum_to_one(force: int, strength: int, target: Any) -> None:
    distances = knockback_result.shove_distances(force, strength, target)
    assert sum(distances.values()) == 1
    assert min(distances) >= 0
    mean = sum(inches * chance for inches, chance in distances.items())
    assert mean <= sum(
        n * c for n, c in knockback_result.shove_distances(force + 1, strength, target).items()
    )


@given(st.integers(2, 7), st.integers(-3, 3))
def test_a_bonus_never_hurts(target: int, modifier: int) -> None:
    assert formulas.initiative(target, modifier) <= formulas.initiative(target, modifier + 1)
    assert formulas.initiative(target, modifier) >= formulas.initiative(target + 1, modifier)


@given(st.lists(st.integers(0, 4), min_size=2, max_size=6), st.integers(0, 8), st.data())
def test_fall_chances_sum_to_one(heights: list[int], force: int, data: st.DataObject) -> None:
    col = data.draw(st.integers(0, len(heights) - 1))
    east = falls_on(heights, col, (0, 1), force)
    assert sum(east.values()) == 1
    assert falls_on(heights[::-1], len(heights) - 1 - col, (0, -1), force) == east


def falls_on(heights: list[int], col: int, side: tuple[int, int], force: int) -> dict[int, Any]:
    terrain = Terrain(board_of({"heights": [heights]}), TerrainOptions())
    start = cases.surface([0, col, heights[col]])
    return knockback_result.fall_chances(
        terrain, start, side, force, Fighter(), GangSkirmishOptions()
    )


def test_a_fighter_attacks_what_stands_beside_it_on_its_level() -> None:
    board = board_of({"heights": [[0, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0], [0, 0, 0, 0]]})
    position = Position(board, load_rules(GAME))
    for surface in position.graph.surfaces:
        found = position.targets("ganger", surface).targets
        (row, col), level = surface.tile, surface.level
        assert {target.surface for target in found} == {
            other
            for other in position.graph.surfaces
            if max(abs(other.tile.row - row), abs(other.tile.col - col)) == 1
            and other.level == level
        }

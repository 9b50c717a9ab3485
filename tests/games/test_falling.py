"""Falls that chain: every end has its chance, and all of them make one."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from falldamage_forge.games.gang_skirmish import fall_outcomes
from falldamage_forge.games.gang_skirmish.options import Fighter, GangSkirmishOptions
from falldamage_forge.presets import load_rules
from falldamage_forge.rules.position import Position
from tests.games.cases import surface
from tests.rules.cases import board_of

HALF = Fraction(1, 2)


def table(heights: list[list[int]], **more: Any) -> Position:
    return Position(board_of({"heights": heights, **more}), load_rules("gang-skirmish"))


def test_fall_down_a_staircase_goes_step_by_step() -> None:
    """Initiative 4+: each landing within half an inch of an edge is one more check."""
    position = table([[3, 2, 1, 0]])
    ends = fall_outcomes.fall_over_edge(
        position.graph.terrain, surface([0, 0, 3]), (0, 1), Fighter(), GangSkirmishOptions()
    )
    assert {(str(fate.end), fate.falls): fate.chance for fate in ends} == {
        ("B1@2", (2,)): HALF,
        ("C1@1", (2, 2)): HALF**2,
        ("D1@0", (2, 2, 2)): HALF**2,
    }


def test_pitfall_takes_the_fighter_out_of_action() -> None:
    position = table([[2, 1, 0]], lava=[[0, 2]])
    terrain = position.graph.terrain
    ends = fall_outcomes.fall_over_edge(
        terrain, surface([0, 0, 2]), (0, 1), Fighter(), GangSkirmishOptions()
    )
    assert [(fate.end and str(fate.end), fate.falls) for fate in ends] == [
        ("B1@1", (2,)),
        (None, (2,)),
    ]


@pytest.mark.parametrize(("reading", "share"), [("falls", 1), ("check", HALF)])
def test_a_failed_kip_up_beside_an_edge_falls(reading: str, share: Fraction) -> None:
    position = table([[0, 1, 2]])
    game = position.game.with_options([("kip_fail", reading, None)])
    step = Position(position.board, game).path("ganger", "B1", "C1").steps[0]
    assert step.kind == "kip up"
    assert "falls 2'' to A1@0" in step.risk
    assert ("1/2" in step.risk) == (share != 1)


def test_jump_that_always_fails_has_a_landing() -> None:
    position = table([[3, 0, 0, 0]])
    unit = position.unit("ganger", initiative=7)
    assert not unit.path("A1", "C1").found
    way = unit.path("A1", "C1", any_damage=True)
    assert [step.kind for step in way.steps] == ["jump down", "stand up", "walk"]
    assert (way.harm, way.chance) == (1, 1)


@given(
    st.lists(st.lists(st.integers(0, 4), min_size=3, max_size=3), min_size=3, max_size=3),
    st.integers(2, 7),
    st.sampled_from(["failed_check", "forced"]),
    st.sampled_from(["one_check", "each"]),
)
def test_ends_sum_to_one(heights: list[list[int]], target: int, cause: Any, edges: Any) -> None:
    position = table(heights)
    here = surface([1, 1, heights[1][1]])
    fighter = Fighter(initiative=target)
    ends = fall_outcomes.become_prone(
        position.graph.terrain, here, cause, fighter, GangSkirmishOptions(edges=edges)
    )
    assert sum(fate.chance for fate in ends) == 1
    for fate in ends:
        assert fate.end is not None
        assert fate.end.level <= here.level
        assert bool(fate.falls) == (fate.end != here)

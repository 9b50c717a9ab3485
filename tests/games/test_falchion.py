"""Falchion: every worked example of its sentences."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from falldamage_forge.games.falchion import formulas
from falldamage_forge.games.falchion.options import FalchionOptions
from tests.games import cases

GAME = "falchion"
CASES = cases.load("falchion")


@pytest.mark.parametrize("case", [c for c in CASES if "call" in c], ids=cases.names)
def test_formula(case: dict[str, Any]) -> None:
    assert cases.call(case, cases.setting_of(GAME, case)) == case["expect"]


@pytest.mark.parametrize("case", [c for c in CASES if "reach" in c], ids=cases.names)
def test_reach(case: dict[str, Any]) -> None:
    cases.check_reach(GAME, case)


@given(st.integers(0, 12), st.sampled_from(["side", "creature"]))
def test_surprise_sums_to_one_and_hits_a_third(creatures: int, who: Any) -> None:
    spread = formulas.surprised(creatures, FalchionOptions(surprise=who))
    assert sum(spread.values()) == (1 if creatures or who == "creature" else spread[0])
    if creatures:
        assert sum(n * chance for n, chance in spread.items()) * 3 == creatures


@given(st.integers(-10, 30), st.integers(0, 30))
def test_advantage_is_between(ability: int, dr: int) -> None:
    worse, plain, better = (
        formulas.check_chance(ability, dr, dice) for dice in ("disadvantage", "none", "advantage")
    )
    assert worse <= plain <= better
    assert worse + better == 2 * plain


@given(st.integers(0, 5), st.integers(0, 5))
def test_grapple_is_antisymmetric(one: int, other: int) -> None:
    assert formulas.grapple_modifier(one, other) == -formulas.grapple_modifier(other, one)


def test_one_move_with_an_action_differs_from_two_moves() -> None:
    from falldamage_forge.presets import load_rules
    from falldamage_forge.rules.position import Position
    from tests.rules.cases import board_of

    position = Position(board_of({"heights": [[0] * 11]}), load_rules(GAME))
    assert position.path("drifter", "A1", "F1").acts == 1
    assert position.path("drifter", "A1", "G1").acts == 2
    prone = position.path("prone-drifter", "A1", "C1")
    assert [step.kind for step in prone.steps] == ["stand up", "walk", "walk"]
    assert len(prone.folded) == 2
    assert (prone.acts, position.path("prone-drifter", "A1", "D1").acts) == (1, 2)

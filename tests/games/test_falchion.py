"""Falchion: every worked example of its sentences."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from falldamage_forge.games.falchion import formulas
from falldamage_forge.games.falchion.options import Options
from tests.games import cases

GAME = "falchion"
CASES = cases.load("falchion")


@pytest.mark.parametrize("case", [c for c in CASES if "call" in c], ids=cases.names)
def test_formula(case: dict[str, Any]) -> None:
    assert cases.call("falchion", case, cases.setting_of(GAME, case), set()) == case["expect"]


@pytest.mark.parametrize("case", [c for c in CASES if "reach" in c], ids=cases.names)
def test_reach(case: dict[str, Any]) -> None:
    cases.check_reach(cases.model_of(GAME, case), case)


@given(st.integers(0, 12), st.sampled_from(["side", "creature"]))
def test_surprise_sums_to_one_and_hits_a_third(creatures: int, who: Any) -> None:
    spread = formulas.surprised(creatures, Options(surprise=who))
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

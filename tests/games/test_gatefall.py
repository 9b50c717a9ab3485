"""Gatefall: every worked example of its sentences."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from falldamage_forge.board import Tile
from falldamage_forge.games.gatefall import points, squares
from falldamage_forge.games.gatefall.options import Options
from tests.games import cases

GAME = "gatefall"
CASES = cases.load("gatefall")
decks = st.lists(st.integers(0, 3), min_size=5, max_size=12).map(tuple)


@pytest.mark.parametrize("case", [c for c in CASES if "call" in c], ids=cases.names)
def test_formula(case: dict[str, Any]) -> None:
    assert cases.call(case, cases.setting_of(GAME, case)) == case["expect"]


@pytest.mark.parametrize("case", [c for c in CASES if "reach" in c], ids=cases.names)
def test_reach(case: dict[str, Any]) -> None:
    cases.check_reach(GAME, case)


def test_walls_count_only_when_range_goes_around_them() -> None:
    wall = {Tile(0, 1), Tile(1, 1)}
    ends = ([Tile(0, 0)], [Tile(0, 2)], 2, frozenset())
    free = lambda tile: tile not in wall and 0 <= tile.row < 3 and 0 <= tile.col < 3  # noqa: E731
    assert squares.may_attack(*ends, Options(), free)
    assert not squares.may_attack(*ends, Options(range_walls="around"), free)
    assert squares.count_around([Tile(0, 0)], [Tile(0, 2)], free) == 4


@given(decks)
def test_points_sum_to_one_and_to_their_mean(deck: tuple[int, ...]) -> None:
    spread = points.action_points(deck)
    assert sum(spread.values()) == 1
    assert sum(n * chance for n, chance in spread.items()) == points.mean_points(deck)


@settings(max_examples=20, deadline=None)
@given(decks, st.sampled_from(["lazy", "eager"]))
def test_every_turn_has_the_same_mean(deck: tuple[int, ...], shuffle: str) -> None:
    """A deck that divides by the hand gives all its points every round of the deck."""
    if len(deck) % 5 == 0:
        rounds = len(deck) // 5
        assert points.totals(deck, rounds, shuffle) == {sum(deck): 1}
    assert sum(points.totals(deck, 3, shuffle).values()) == 1


@given(st.integers(1, 20))
def test_turns_sum_to_one(need: int) -> None:
    spread = points.turns_distribution(need, (1,) * 7 + (0,) * 3)
    assert sum(spread.values()) == 1
    assert max(spread) <= -(-need // 2)


def test_a_path_tells_its_points_and_their_chance() -> None:
    from falldamage_forge.presets import load_rules
    from falldamage_forge.rules.position import Position
    from tests.rules.cases import board_of

    position = Position(board_of({"heights": [[0] * 15]}), load_rules(GAME))
    way = position.path("fighter", "A1", "M1")
    assert (way.moves, way.acts) == (4, 2)
    assert cases.told(way.when) == {"1": "1/2", "2": "1/2"}
    assert [step.surface.tile.col for step in way.folded] == [3, 6, 9, 12]
    row = {row.surface.tile.col: row for row in position.reach("fighter", "A1").surfaces}[12]
    assert (row.moves, row.acts, row.when) == (way.moves, way.acts, way.when)

"""Gatefall: every worked example of its sentences."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from falldamage_forge.board import Tile
from falldamage_forge.games.gatefall import action_point_odds, square_distance
from falldamage_forge.games.gatefall.options import GatefallOptions
from falldamage_forge.library.forge import Forge
from tests.games import cases

GAME = "gatefall"
FORGE = Forge()
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
    assert square_distance.may_attack(*ends, GatefallOptions(), free)
    assert not square_distance.may_attack(*ends, GatefallOptions(range_walls="around"), free)
    assert square_distance.count_around([Tile(0, 0)], [Tile(0, 2)], free) == 4


@given(decks)
def test_points_sum_to_one_and_to_their_mean(deck: tuple[int, ...]) -> None:
    spread = action_point_odds.action_points(deck)
    assert sum(spread.values()) == 1
    assert sum(n * chance for n, chance in spread.items()) == action_point_odds.mean_points(deck)


@settings(max_examples=20, deadline=None)
@given(decks, st.sampled_from(["lazy", "eager"]))
def test_every_turn_has_the_same_mean(deck: tuple[int, ...], shuffle: str) -> None:
    """A deck that divides by the hand gives all its points every round of the deck."""
    if len(deck) % 5 == 0:
        rounds = len(deck) // 5
        assert action_point_odds.total_distribution(deck, rounds, shuffle) == {sum(deck): 1}
    assert sum(action_point_odds.total_distribution(deck, 3, shuffle).values()) == 1


@given(st.integers(1, 20))
def test_turns_sum_to_one(need: int) -> None:
    spread = action_point_odds.turns_distribution(need, (1,) * 7 + (0,) * 3)
    assert sum(spread.values()) == 1
    assert max(spread) <= -(-need // 2)


def test_path_gives_action_points_and_their_probability() -> None:
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


def table_of(body: str) -> str:
    """A board of 5x15 with walls of spires in row 8, and the sides at its ends."""
    head = "forge 1\nboard 5x15\nrules gatefall\nstack A8..E8 except C8..D8 height 1\n"
    walls = "spire at A8..E8 except C8..D8\n"
    return f"{head}{walls}{body}start red at B1..D1\nstart blue at B15..D15\n"


def asked(body: str, question: str, **given: str) -> Any:
    return FORGE.position(FORGE.loads(table_of(body))).ask(question, **given).value


@pytest.mark.parametrize(
    ("body", "at", "side"),
    [
        ("gate at C8..D8\n", "C8", "gate"),
        ("gate at C8..D8\n", "C7", "north"),
        ("gate at C8..D8\n", "A9", "south"),
        ("gate at C8..D8\n", "C7, C8", "gate"),
        ("gate at C8\n", "D8", "beside"),
        ("gate at col C\n", "B3", "west"),
        ("gate at col C\n", "D3, E3", "east"),
        ("gate at col C\n", "B3, C3", "gate"),
        ("gate at C2..C4\n", "C9", "beside"),
        ("", "A8", "gate"),
    ],
)
def test_gate_is_at_the_maps_statement(body: str, at: str, side: str) -> None:
    """ "He must be completely out of it on either side": by row, column, or a part of one."""
    assert asked(body, "side-of-gate", tiles=at) == side
    assert asked(body, "in-gate", tiles=at) is (side == "gate")


@pytest.mark.parametrize(
    ("body", "text", "count", "row"),
    [
        ("gate at row 5\n", "row 5", 5, 4),
        ("gate at col C\n", "column C", 15, None),
        ("gate at C8..D8\n", "C8..D8 of row 8", 2, 7),
        ("gate at C2..C4\n", "C2..C4 of column C", 3, None),
        ("gate at C8\n", "C8 of row 8", 1, 7),
        ("", "row 8", 5, 7),
    ],
)
def test_answers_name_the_gate(body: str, text: str, count: int, row: int | None) -> None:
    told, tiles = asked(body, "the-gate")
    assert (told, len(tiles)) == (text, count)
    assert asked(body, "gate-row") == row
    notes = FORGE.position(FORGE.loads(table_of(body))).model("fighter").notes
    assert f"the Gate is {text}" in notes


def test_path_to_the_gate_ends_on_its_squares() -> None:
    """From row 1 the wall's gap in row 8 is 7 squares off, 3 points at Speed 3; column A is 1."""
    for body, points_due in (("gate at C8..D8\n", 3), ("gate at col A\n", 1)):
        position = FORGE.position(FORGE.loads(table_of(body)))
        metrics = {m.name: m for m in position.game.measures(position)["bases"]()}
        assert metrics["red's Base to the Gate"].values == {"action points": points_due}


def test_a_base_of_its_own_protects_its_squares_and_no_start_tile() -> None:
    """ "Characters in either Base may not be Attacked": the Base the map names, or the start."""
    shot = {"attacker": "C4", "target": "C1", "reach": "9"}
    safe = {"attacker": "C4", "target": "C3", "reach": "9"}
    assert not asked("", "may-attack", **shot)
    assert asked("", "may-attack", **safe)
    body = "base red at B3..D3\n"
    assert asked(body, "may-attack", **shot)
    assert not asked(body, "may-attack", **safe)
    assert asked(body, "base", side="red") == (Tile(2, 1), Tile(2, 2), Tile(2, 3))
    assert len(asked(body, "base", side="blue")) == 3


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        (table_of("gate at row 5\ngate at row 6\n"), ["FDF373"]),
        (table_of("gate at row 5, C7\n"), ["FDF373"]),
        (table_of("gate at col C\ngate at row 5\n"), ["FDF373"]),
        (table_of("gate at A8..B8\ngate at D8\n"), []),
        (table_of("gate at row 5\n").replace("gatefall", "gatefall { gate 5 }"), []),
        (table_of("gate at row 5\n").replace("gatefall", "gatefall { gate 6 }"), ["FDF373"]),
        (table_of("gate at row 5\n").replace("gatefall", "gatefall { gate none }"), ["FDF373"]),
        (table_of("").replace("gatefall", "gatefall { gate 20 }"), ["FDF368"]),
        (table_of("").replace("gatefall", "gatefall { gate 3  gate 5 }"), ["FDF107"]),
        (table_of("gate at row 20\n"), ["FDF100"]),
        (table_of("base red at A2\nbase blue at A2\n"), ["FDF373"]),
        (table_of("base red at A2\nbase blue at A3\n"), []),
    ],
)
def test_there_is_one_gate_and_each_square_has_one_base(text: str, codes: list[str]) -> None:
    found = [issue for issue in FORGE.check(FORGE.loads(text)).issues if issue.severity == "error"]
    assert [issue.code for issue in found] == codes
    assert all(issue.span for issue in found)

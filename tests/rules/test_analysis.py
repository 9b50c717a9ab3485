"""Measures at their thresholds, on strips of tiles that one can count."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from falldamage_forge.board import Board, Chest, Column, Ladder, StartZone, Tile, make_board
from falldamage_forge.games.fall_damage.unit_cards import UnitCard
from falldamage_forge.metrics.metric_table import UNFAIR, analyze, check_fairness
from falldamage_forge.presets import load_units
from falldamage_forge.rules.answers import Metric
from falldamage_forge.rules.position import Position
from tests.rules.asking import with_cards


def strip(
    levels: str,
    red: str = "",
    blue: str = "",
    chests: tuple[int, ...] = (),
    ladders: tuple[Ladder, ...] = (),
) -> Board:
    """One row of tiles by their levels; sides start on the columns named by letters."""
    heights = [int(level) for level in levels]
    zones = [
        StartZone(side, tuple((Tile(0, ord(x) - 65), heights[ord(x) - 65]) for x in letters))
        for side, letters in (("red", red), ("blue", blue))
        if letters
    ]
    return make_board(
        1,
        len(heights),
        [Column(height) for height in heights],
        starts=zones,
        treasures=[Chest(Tile(0, col), heights[col]) for col in chests],
        ladders=ladders,
    )


def measured(board: Board, units: Mapping[str, UnitCard] | None = None) -> dict[str, Metric]:
    found = analyze(Position(board, with_cards(units or {})))
    return {metric.name: metric for metric in found.metrics}


def test_a_board_without_sides_or_treasure_is_measured_too() -> None:
    found = measured(strip("00000"))
    shown = {name: (metric.verdict, metric.text) for name, metric in found.items()}
    assert shown == {
        "connection": ("good", "every movement class gets from start to start"),
        "coverage": ("bad", "0% of 5 surfaces are reached by a unit with Jump 1"),
        "contact": ("bad", "the sides never meet"),
        "first strike": ("good", "nobody hits at once"),
        "treasure": ("good", "no treasure on the map"),
        "control": (
            "good",
            "the greatest difference between the sides is 0%, in reach and control",
        ),
        "choke points": ("info", "two sides are needed"),
        "high ground": ("good", "the board is flat"),
        "push exposure": ("warn", "0% of surfaces are a push away from death or 3 damage"),
        "sight": ("warn", "100% of pairs of surfaces see each other"),
        "robustness": ("good", "no start or chest depends on a single bridge, ladder or tree"),
    }
    assert found["control"].values["reached first"] == {}


@pytest.mark.parametrize(
    ("chests", "red", "blue", "verdict", "named"),
    [
        ((9,), 3, 3, "good", []),
        ((7,), 3, 4, "good", ["H1"]),
        ((6,), 2, 4, "warn", ["G1"]),
        ((3,), 1, 5, "bad", ["D1"]),
        ((3, 15), 6, 6, "good", ["D1", "P1"]),
        ((0, 9), 3, 9, "bad", ["A1"]),
    ],
)
def test_treasure_is_counted_in_turns(
    chests: tuple[int, ...], red: int, blue: int, verdict: str, named: list[str]
) -> None:
    metric = measured(strip("0" * 19, "A", "S", chests))["treasure"]
    assert metric.text == f"turns to all chests together: blue {blue} and red {red}"
    assert (metric.verdict, [str(tile) for tile in metric.tiles]) == (verdict, named)


def test_treasure_out_of_reach_counts_as_99() -> None:
    both = measured(strip("000005", "A", "E", (5,)))["treasure"]
    assert both.text.endswith("blue 99 and red 99")
    assert [str(tile) for tile in both.tiles] == ["F1"]
    one = measured(strip("0005000", "A", "G", (5,)))["treasure"]
    assert (one.verdict, one.values) == ("bad", {"F1@0": {"blue": 1, "red": None}})


@pytest.mark.parametrize(
    ("levels", "verdict", "missed"),
    [
        ("0000000000", "good", []),
        ("5000000000", "good", ["A1"]),
        ("5500000055", "bad", ["A1", "B1", "I1", "J1"]),
        ("5550000000", "warn", ["A1", "B1", "C1"]),
        ("5555000000", "bad", ["A1", "B1", "C1", "D1"]),
    ],
)
def test_coverage_is_good_from_nine_tenths(levels: str, verdict: str, missed: list[str]) -> None:
    metric = measured(strip(levels, "E", "G"))["coverage"]
    assert (metric.verdict, [str(tile) for tile in metric.tiles]) == (verdict, missed)


def test_ability_with_sight_is_blocked_by_a_wall() -> None:
    cards = load_units()
    board = strip("00900", "A", "D")
    both = measured(board, {name: cards[name] for name in ("archer", "arbalist")})
    assert both["first strike"].values == {"archer": "blue on D1@0"}
    assert both["first strike"].verdict == "warn"
    for count, verdict in ((0, "good"), (2, "warn"), (3, "bad")):
        names = [f"archer-{n}" for n in range(count)]
        units = {name: replace(cards["archer"], name=name) for name in names}
        assert measured(board, units)["first strike"].verdict == verdict


def test_contact_counts_turns_from_the_start_zone() -> None:
    turns = {2: "bad", 5: "warn", 6: "good"}
    for gap, verdict in turns.items():
        metric = measured(strip("0" * gap, "A", chr(64 + gap)))["contact"]
        assert metric.verdict == verdict, gap
    apart = measured(strip("0500", "A", "D"))["contact"]
    assert (apart.verdict, apart.text) == ("bad", "the sides never meet")
    assert apart.values == {"blue": None, "red": None}


def test_control_compares_what_each_reaches() -> None:
    found = measured(strip("0" * 12 + "5", "A", "L"))["control"]
    assert found.values["reach after 1"] == {"blue": 4, "red": 4}
    assert found.values["reach after 2"] == {"blue": 7, "red": 7}
    assert found.values["reach after 3"] == {"blue": 10, "red": 10}
    assert found.values["reached first"] == {"blue": 5, "red": 5}
    assert (found.values["certificate"], found.values["difference"]) == (None, 0.0)
    fair = measured(strip("0" * 12, "A", "L"))["control"]
    assert fair.text == "exactly fair: rotate-180 exchanges the sides"
    lopsided = measured(strip("0" * 10, "A", "D"))["control"]
    assert lopsided.values["reach after 1"] == {"blue": 7, "red": 4}
    assert lopsided.verdict == "bad"


def test_robustness_names_the_needed_ladder() -> None:
    up, down = Ladder(Tile(0, 1), 0, Tile(0, 2), 2), Ladder(Tile(0, 3), 0, Tile(0, 2), 2)
    found = measured(strip("00200", "A", "E", ladders=(up, down)))["robustness"]
    assert found.values == {"needed": ("ladder B1 -> C1", "ladder D1 -> C1")}
    assert [str(tile) for tile in found.tiles] == ["B1", "D1"]
    assert found.verdict == "warn"
    assert measured(strip("00100", "A", "E"))["robustness"].verdict == "good"


def test_a_push_is_deep_from_three_levels() -> None:
    for height, share in ((2, 0), (3, 1)):
        found = measured(strip(f"0{height}0", "A", "C"))["push exposure"]
        assert found.values["fall 3 or more"] == share
        assert found.values["by direction"] == {
            "north": 0, "east": share, "south": 0, "west": share,
        }  # fmt: skip
    assert [str(tile) for tile in found.tiles] == ["B1"]
    assert found.verdict == "good"


def test_choke_points_are_counted() -> None:
    strip_cut = measured(strip("0" * 8, "A", "H"))["choke points"]
    assert (strip_cut.verdict, strip_cut.values["cut"]) == ("bad", 1)
    assert strip_cut.values["articulation"] == tuple(f"{letter}1@0" for letter in "BCDEFG")


def test_a_bomb_and_a_vanguard_strike_in_the_first_activation() -> None:
    cards = load_units()
    bomb = measured(strip("0" * 8, "A", "H"), {"tinkerer": cards["tinkerer"]})["first strike"]
    assert bomb.values == {"tinkerer": "blue on E1@0"}
    far = measured(strip("0" * 9, "A", "I"), {"tinkerer": cards["tinkerer"]})["first strike"]
    assert far.values == {}
    near = measured(strip("0" * 6, "A", "F"), {"knight": cards["knight"]})["first strike"]
    assert near.values == {"knight": "blue on B1@0"}
    assert (
        measured(strip("0" * 7, "A", "G"), {"knight": cards["knight"]})["first strike"].values == {}
    )


@pytest.mark.parametrize("blue", "SDJ")
def test_what_is_badly_unfair_is_an_issue_that_says_where_to_read_on(blue: str) -> None:
    position = Position(strip("0" * 19, "A", blue, (3,)), with_cards({}))
    bad = {m.name: m for m in analyze(position).metrics if m.name in UNFAIR and m.verdict == "bad"}
    issues = check_fairness(position)
    assert bad and [issue.code for issue in issues] == [UNFAIR[name] for name in bad]
    for issue, metric in zip(issues, bad.values(), strict=True):
        assert metric.text in issue.message and issue.tiles == metric.tiles
        assert "fdforge analyze" in issue.hint

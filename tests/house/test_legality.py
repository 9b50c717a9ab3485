"""Legality: every check catches its fault, and a clean table has none."""

from collections.abc import Iterable
from dataclasses import fields, replace
from itertools import count
from typing import Any

import pytest

import falldamage_forge as ff
from falldamage_forge.board import (
    WAYS,
    Battlement,
    Board,
    Chest,
    Column,
    Deck,
    Feature,
    Fitting,
    Ground,
    HalfStep,
    Ladder,
    StartZone,
    Tile,
    make_board,
)
from falldamage_forge.elements.legality import check_legality
from falldamage_forge.elements.legality_tools import BuildLimits
from falldamage_forge.elements.railing import railings
from falldamage_forge.issues import Issue, SourceSpan
from falldamage_forge.maps.checks import build_limits, built_issues, judge_of
from falldamage_forge.presets import load_catalogue
from falldamage_forge.remedies.tried_hints import with_remedies
from falldamage_forge.rules.position import Position
from falldamage_forge.rules.setup_check import check_setup
from tests.rules.asking import position

RED = StartZone("red", tuple((Tile(0, col), 0) for col in range(1, 9)))
BLUE = StartZone("blue", tuple((Tile(9, col), 0) for col in range(1, 9)))


def table(columns: dict[str, Column] | None = None, **parts: object) -> Board:
    cells = {Tile.parse(name): column for name, column in (columns or {}).items()}
    grid = [cells.get(Tile(row, col), Column()) for row in range(10) for col in range(10)]
    return make_board(10, 10, grid, **{"starts": (RED, BLUE), **parts})  # type: ignore[arg-type]


def written(board: Board) -> Board:
    """The board with a source for each column and element, a line each."""
    lines = count(1)

    def sourced(things: Iterable[Any]) -> tuple[Any, ...]:
        return tuple(replace(x, source=SourceSpan("x", next(lines), 1, 1, 9)) for x in things)

    names = (each.name for each in fields(Board))
    lists = [name for name in names if name not in ("rows", "cols")]
    return replace(board, **{name: sourced(getattr(board, name)) for name in lists})


def codes(board: Board, limits: BuildLimits = BuildLimits()) -> list[str]:
    found = (*check_legality(board, limits), *check_setup(position(board), 2))
    return sorted({issue.code for issue in found})


def hinted(board: Board) -> tuple[Issue, ...]:
    """The issues as `fdforge check` tells them."""
    p, limits = position(board), BuildLimits()
    found = built_issues(p, limits, 2)
    return with_remedies(found, p, limits, judge_of(p, limits, 2))


def t(name: str) -> Tile:
    return Tile.parse(name)


UP2 = {"B4": Column(2), "E4": Column(2)}


def test_a_clean_table_is_legal() -> None:
    board = table(
        {**UP2, "G5": Column(1, feature=Feature.SPIRE), "C8": Column(0, feature=Feature.TREE)},
        decks=[Deck.between(t("B4"), t("E4"), 2)],
        ladders=[Ladder(t("B5"), 0, t("B4"), 2)],
        treasures=[Chest(t("D4"), 2), Chest(t("D4"), 0)],
    )
    assert codes(board) == []


@pytest.mark.parametrize(
    ("code", "columns", "parts"),
    [
        ("FDF130", UP2, {"decks": [Deck(t("B4"), t("E5"), 2)]}),
        ("FDF130", {"B4": Column(2), "C4": Column(2)}, {"decks": [Deck(t("B4"), t("C4"), 2)]}),
        ("FDF131", {"B4": Column(1), "H4": Column(1)}, {"decks": [Deck(t("B4"), t("H4"), 1)]}),
        ("FDF132", {"B4": Column(2), "E4": Column(1)}, {"decks": [Deck(t("B4"), t("E4"), 2)]}),
        ("FDF132", {"B4": Column(2), "E4": Column(3)}, {"decks": [Deck(t("B4"), t("E4"), 2)]}),
        (
            "FDF133",
            {"B4": Column(2), "E4": Column(2, feature=Feature.SPIRE)},
            {"decks": [Deck(t("B4"), t("E4"), 2)]},
        ),
        ("FDF134", {**UP2, "C4": Column(2)}, {"decks": [Deck(t("B4"), t("E4"), 2)]}),
        (
            "FDF134",
            {**UP2, "C4": Column(0, feature=Feature.TREE)},
            {"decks": [Deck(t("B4"), t("E4"), 2)]},
        ),
        (
            "FDF135",
            {**UP2, "C3": Column(2), "C5": Column(2)},
            {"decks": [Deck(t("B4"), t("E4"), 2), Deck(t("C3"), t("C5"), 2)]},
        ),
        ("FDF136", {"B4": Column(2)}, {"ladders": [Ladder(t("B6"), 0, t("B4"), 2)]}),
        ("FDF137", {"B4": Column(2)}, {"ladders": [Ladder(t("B5"), 1, t("B4"), 2)]}),
        ("FDF138", {}, {"ladders": [Ladder(t("B5"), 0, t("B4"), 0)]}),
        ("FDF139", {"B4": Column(6)}, {"ladders": [Ladder(t("B5"), 0, t("B4"), 6)]}),
        (
            "FDF140",
            {"B4": Column(2), "B5": Column(1, feature=Feature.SPIRE)},
            {"ladders": [Ladder(t("B5"), 1, t("B4"), 2)]},
        ),
        (
            "FDF140",
            {"B4": Column(2), "B5": Column(1, feature=Feature.TREE)},
            {"ladders": [Ladder(t("B5"), 1, t("B4"), 2)]},
        ),
        (
            "FDF140",
            {"B4": Column(2, feature=Feature.SPIRE)},
            {"ladders": [Ladder(t("B5"), 0, t("B4"), 2)]},
        ),
        (
            "FDF140",
            {"B2": Column(2), "B1": Column(0, Ground.WATER)},
            {"ladders": [Ladder(t("B1"), 0, t("B2"), 2)]},
        ),
        ("FDF143", {"B4": Column(0, feature=Feature.SPIRE)}, {}),
        ("FDF144", {"B4": Column(1, Ground.WATER, Feature.TREE)}, {}),
        ("FDF150", {}, {"starts": (RED,)}),
        ("FDF151", {}, {"starts": (RED, replace(BLUE, surfaces=BLUE.surfaces[1:]))}),
        ("FDF152", {"C1": Column(0, Ground.LAVA)}, {}),
        ("FDF152", {"C1": Column(1)}, {}),
        ("FDF153", {}, {"starts": (RED, StartZone("blue", RED.surfaces))}),
        (
            "FDF154",
            {"B4": Column(0, feature=Feature.TREE)},
            {"treasures": [Chest(t("B4"), 0)]},
        ),
        (
            "FDF154",
            {"B4": Column(1), "D4": Column(1)},
            {"decks": [Deck(t("B4"), t("D4"), 1)], "treasures": [Chest(t("C4"), 0)]},
        ),
    ],
)
def test_each_illegal_board_gives_one_error(
    code: str, columns: dict[str, Column], parts: dict[str, object]
) -> None:
    board = written(table(columns, **parts))
    assert codes(board) == [code]
    for issue in hinted(board):
        assert issue.severity == "error" and issue.message and issue.hint
        assert all(tile in board for tile in issue.tiles)
        assert (issue.span and issue.tiles) or code == "FDF150"
        assert issue.span not in [note.span for note in issue.notes], "a note is elsewhere"


def test_a_deck_through_a_ladder_and_a_second_ladder() -> None:
    walls = {"D4": Column(4), "C5": Column(2), "E5": Column(2)}
    decks = [Deck(t("C5"), t("E5"), 2)]
    low, high = Ladder(t("D5"), 0, t("D4"), 4), Ladder(t("D5"), 2, t("D4"), 4)
    assert codes(table(walls, decks=decks, ladders=[high])) == []
    assert codes(table(walls, decks=decks, ladders=[low])) == ["FDF141"]
    assert codes(table(walls, decks=decks, ladders=[low, high])) == ["FDF141", "FDF142"]


def test_a_bridge_at_the_head_of_a_ladder_is_in_its_way() -> None:
    """Beside the wall and from it; a level higher nothing meets, and who climbs is for rules."""
    towers = {"C5": Column(2), "E5": Column(2), "D4": Column(2)}
    over = Deck.between(t("C5"), t("E5"), 2)
    for top in ("C5", "D4", "E5"):
        under = Ladder(t("D5"), 0, t(top), 2)
        assert codes(table(towers, decks=[over], ladders=[under])) == ["FDF141"]
        assert codes(table(towers, ladders=[under])) == []
    higher = {"C5": Column(3), "E5": Column(3), "D4": Column(2)}
    low = Ladder(t("D5"), 0, t("D4"), 2)
    assert codes(table(higher, decks=[Deck.between(t("C5"), t("E5"), 3)], ladders=[low])) == []


def test_an_edge_takes_one_end() -> None:
    """A ladder's foot where another hangs, or a bridge: all of them at one edge of one surface."""
    walls = {"D4": Column(2), "C5": Column(4), "E5": Column(4), "D6": Column(2)}
    upper = Deck.between(t("C5"), t("E5"), 4)
    up, on = Ladder(t("D5"), 0, t("D4"), 2), Ladder(t("D4"), 2, t("D5"), 4)
    assert codes(table(walls, decks=[upper], ladders=[on])) == []
    assert codes(table(walls, decks=[upper], ladders=[up, on])) == ["FDF142"]
    lower = Deck.between(t("D4"), t("D6"), 2)
    assert codes(table(walls, decks=[lower, upper], ladders=[on])) == ["FDF141"]


def test_three_ladders_on_one_wall_are_compared_with_the_tallest() -> None:
    walls = {"D4": Column(5), "C5": Column(1), "E5": Column(1), "C4": Column(3), "E4": Column(3)}
    wall = {**walls, "D4": Column(1)}
    decks = [Deck.between(t("C5"), t("E5"), 1), Deck.between(t("C4"), t("E4"), 3)]
    tall, short = Ladder(t("D5"), 1, t("D4"), 3), Ladder(t("D5"), 0, t("D4"), 1)
    assert codes(table(wall, decks=decks, ladders=[tall])) == []
    assert codes(table(wall, decks=decks, ladders=[tall, short])) == ["FDF141"]


def test_no_ladder_stands_where_the_planks_run_on() -> None:
    """On a bridge, between two of its own tiles; beside it and at its end there is an edge."""
    columns = {"B5": Column(1), "E5": Column(1), "C4": Column(3), "C6": Column(3), "D4": Column(3)}
    decks = [Deck.between(t("B5"), t("E5"), 1), Deck.between(t("C4"), t("C6"), 3)]
    inner, side = Ladder(t("D5"), 1, t("C5"), 3), Ladder(t("D5"), 1, t("D4"), 3)
    assert codes(table(columns, decks=decks, ladders=[side])) == []
    assert codes(table(columns, decks=decks, ladders=[inner])) == ["FDF140"]


@pytest.mark.parametrize("feature", list(Feature))
def test_a_feature_is_no_lower_than_its_piece(feature: Feature) -> None:
    """Whatever height the rules give it: a bridge that its piece pierces is refused."""
    board = table(
        {"B4": Column(3), "D4": Column(3), "C4": Column(1, feature=feature)},
        decks=[Deck.between(t("B4"), t("D4"), 3)],
    )
    for high in (1, 2, 3):
        low = position(board, {f"{feature}_height": high})
        found = check_legality(board, build_limits(load_catalogue(), low))
        assert [issue.code for issue in found] == ["FDF134"]


D5 = {"C5": Column(2), "E5": Column(2), "D5": Column(1)}
FOOT = {"ladders": [Ladder(t("B5"), 0, t("B4"), 2)]}
SPAN = {"decks": [Deck(t("B4"), t("E4"), 2)]}
OVER = {"decks": [Deck(t("C5"), t("E5"), 2)]}
VAULT = {"decks": [Deck(t("C5"), t("E5"), 2, arch=True)]}


def crowned(tile: str, *sides: str) -> dict[str, list[Battlement]]:
    return {"battlements": [Battlement(t(tile), tuple(map(WAYS.__getitem__, sides or WAYS)))]}


@pytest.mark.parametrize(
    ("found", "columns", "parts"),
    [
        ([], UP2, crowned("B4")),
        (["FDF145"], {}, crowned("B4")),
        (["FDF145"], {"B4": Column(1, Ground.LAVA)}, crowned("B4")),
        (["FDF145"], {"B4": Column(2, feature=Feature.TREE)}, crowned("B4")),
        (["FDF146"], UP2, crowned("B4") | FOOT),
        ([], UP2, crowned("B4", "north") | FOOT),
        (["FDF146"], UP2, crowned("E4", "west") | SPAN),
        ([], UP2, crowned("E4", "east") | SPAN),
        ([], D5, crowned("D5") | OVER),
        (["FDF145"], D5, crowned("D5") | VAULT),
        ([], UP2, {"steps": [HalfStep(t("B4")), HalfStep(t("C4"))]}),
        (["FDF147"], D5, {"steps": [HalfStep(t("D5"))]} | OVER),
        (["FDF147"], UP2, {"steps": [HalfStep(t("B4"))]} | crowned("B4", "north")),
        (["FDF147"], UP2, {"steps": [HalfStep(t("B4"))], "treasures": [Chest(t("B4"), 2)]}),
        (["FDF147"], UP2, {"steps": [HalfStep(t("B5"))]} | FOOT),
        (["FDF147"], UP2, {"steps": [HalfStep(t("E4"))]} | SPAN),
    ],
)
def test_battlements_and_steps_need_a_free_top(
    found: list[str], columns: dict[str, Column], parts: dict[str, object]
) -> None:
    assert codes(table(columns, **parts)) == found


def test_every_issue_names_its_tiles() -> None:
    board = table({"B4": Column(0, feature=Feature.SPIRE)})
    assert check_legality(board, BuildLimits())[0].tiles == (t("B4"),)


def test_the_games_own_numbers_are_obeyed() -> None:
    """Headroom, a tree's height and the number of start tiles are the game's, not the forge's."""
    low = table(
        {"B4": Column(2), "D4": Column(2), "C4": Column(1)},
        decks=[Deck.between(t("B4"), t("D4"), 2)],
        treasures=[Chest(t("C4"), 1)],
    )
    assert [i.code for i in check_setup(position(low), 2)] == ["FDF154"]
    assert check_setup(position(low, {"headroom": 1}), 2) == ()
    tree = table(
        {"B4": Column(2), "D4": Column(2), "C4": Column(0, feature=Feature.TREE)},
        decks=[Deck.between(t("B4"), t("D4"), 2)],
    )
    assert "FDF134" in codes(tree)
    assert "FDF134" not in codes(tree, BuildLimits(tree_height=1))
    text = "rules fall-damage { tree-height 1 }\nstack B4 height 2\nstack D4 height 2\n"
    text = f"forge 1\n{text}bridge B4 -> D4 level 2\ntree at C4\n"
    said = {
        height: next(i for i in ff.check(ff.loads(text.replace("1 }", f"{height} }}"))).issues)
        for height in (1, 2)
    }
    assert "the printed tree, higher than that of the rules, reaches level 2" in said[1].message
    assert "a tree reaches level 2" in said[2].message
    few = table(starts=(replace(RED, surfaces=RED.surfaces[:5]), BLUE))
    assert [i.code for i in check_setup(position(few), 2)] == ["FDF151"]
    five = replace(position(few).game, start_tiles=None)
    assert check_setup(Position(few, five), 2) == ()


RAIL = Fitting("railing", t("D5"), 1, (WAYS["north"],), length_um=12_700)


@pytest.mark.parametrize(
    ("why", "columns", "parts", "rail"),
    [
        ("the tallest piece is an inch high", {}, {}, replace(RAIL, length_um=25_401)),
        ("a bridge has no rim to hold it", {}, OVER, replace(RAIL, level=2)),
        ("bare board has no rim to hold it", {"D5": Column(0)}, {}, replace(RAIL, level=0)),
        ("it is water", {"D5": Column(1, Ground.WATER)}, {}, RAIL),
        ("a tree stands there", {"D5": Column(1, feature=Feature.TREE)}, {}, RAIL),
        ("a battlement stands there", {}, crowned("D5", "south"), RAIL),
        ("a step stands there", {}, {"steps": [HalfStep(t("D5"))]}, RAIL),
        ("the arch above hangs down on to it", {}, VAULT, RAIL),
        (
            "the ladder D5 -> D4 ends there",
            {"D4": Column(3)},
            {"ladders": [Ladder(t("D5"), 1, t("D4"), 3)]},
            RAIL,
        ),
    ],
)
def test_railing_that_is_not_printed_has_the_reason(
    why: str, columns: dict[str, Column], parts: dict[str, Any], rail: Fitting
) -> None:
    board = table({**D5, **columns}, **parts, fittings=[rail])
    assert [told for _, _, told in railings(board)] == [why]
    (issue,) = (issue for issue in check_legality(board, BuildLimits()) if issue.code == "FDF162")
    assert issue.message == "the railing on the north side of D5 is not printed"
    assert (issue.severity, issue.hint) == (
        "warning",
        f"{why}; the rules and the drawings still use it",
    )


@pytest.mark.parametrize(
    ("why", "columns", "parts"),
    [
        ("a tree stands there", {"D5": Column(1, feature=Feature.TREE)}, {}),
        ("it is lava", {"D5": Column(1, Ground.LAVA)}, {}),
        ("a battlement stands there", {}, crowned("D5", "south")),
        ("treasure lies there", {}, {"treasures": [Chest(t("D5"), 1)]}),
        (
            "a bridge ends there",
            {"F5": Column(1), "E5": Column(0)},
            {"decks": [Deck(t("D5"), t("F5"), 1)]},
        ),
        ("a ladder ends there", {}, {"ladders": [Ladder(t("D6"), 0, t("D5"), 1)]}),
        ("the bridge above leaves no space for it", {}, OVER),
    ],
)
def test_step_that_cannot_stand_has_the_reason(
    why: str, columns: dict[str, Column], parts: dict[str, Any]
) -> None:
    board = table({**D5, **columns}, **parts, steps=[HalfStep(t("D5"))])
    (issue,) = (issue for issue in check_legality(board, BuildLimits()) if issue.code == "FDF147")
    assert issue.message == f"no step can stand on D5: {why}"
    assert issue.tiles == (t("D5"),)


ELSEWHERE = {
    "decks": [Deck(t("C8"), t("E8"), 1), Deck(t("G5"), t("G7"), 2, arch=True)],
    "treasures": [Chest(t("D4"), 0), Chest(t("C8"), 1)],
    "ladders": [Ladder(t("I5"), 0, t("H5"), 1)],
    "battlements": [Battlement(t("H5"), (WAYS["north"],))],
}
FREE = {"D5": 1, "C8": 1, "E8": 1, "G5": 2, "G7": 2, "H5": 1}


def test_steps_and_railings_stand_beside_elements_elsewhere() -> None:
    columns = {name: Column(level) for name, level in FREE.items()}
    step = table(columns, **ELSEWHERE, steps=[HalfStep(t("D5"))])
    assert codes(step) == []
    rail = table(columns, **ELSEWHERE, steps=[HalfStep(t("C8"))], fittings=[RAIL])
    assert [why for _, _, why in railings(rail)] == [""]

"""Legality: every check catches its fault, and a clean table has none."""

from dataclasses import replace

import pytest

from falldamage_forge.board import (
    Board,
    Column,
    Deck,
    Feature,
    Ground,
    Ladder,
    StartZone,
    Tile,
    Treasure,
    make_board,
)
from falldamage_forge.legality import Limits, check_legality

RED = StartZone("red", tuple((Tile(0, col), 0) for col in range(1, 9)))
BLUE = StartZone("blue", tuple((Tile(9, col), 0) for col in range(1, 9)))


def table(columns: dict[str, Column] | None = None, **parts: object) -> Board:
    cells = {Tile.parse(name): column for name, column in (columns or {}).items()}
    grid = [cells.get(Tile(row, col), Column()) for row in range(10) for col in range(10)]
    return make_board(10, 10, grid, **{"starts": (RED, BLUE), **parts})  # type: ignore[arg-type]


def codes(board: Board, limits: Limits = Limits()) -> list[str]:
    return sorted({issue.code for issue in check_legality(board, limits)})


def t(name: str) -> Tile:
    return Tile.parse(name)


UP2 = {"B4": Column(2), "E4": Column(2)}


def test_a_clean_table_is_legal() -> None:
    board = table(
        {**UP2, "G5": Column(1, feature=Feature.SPIRE), "C8": Column(0, feature=Feature.TREE)},
        decks=[Deck.between(t("B4"), t("E4"), 2)],
        ladders=[Ladder(t("B5"), 0, t("B4"), 2)],
        treasures=[Treasure(t("D4"), 2), Treasure(t("D4"), 0)],
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
            {"B4": Column(2), "B5": Column(0, Ground.LAVA)},
            {"ladders": [Ladder(t("B5"), 0, t("B4"), 2)]},
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
            {"treasures": [Treasure(t("B4"), 0)]},
        ),
        (
            "FDF154",
            {"B4": Column(1), "D4": Column(1)},
            {"decks": [Deck(t("B4"), t("D4"), 1)], "treasures": [Treasure(t("C4"), 0)]},
        ),
    ],
)
def test_each_fault_is_caught_alone(
    code: str, columns: dict[str, Column], parts: dict[str, object]
) -> None:
    assert codes(table(columns, **parts)) == [code]


def test_a_deck_through_a_ladder_and_a_second_ladder() -> None:
    walls = {"D4": Column(4), "C5": Column(2), "E5": Column(2)}
    decks = [Deck(t("C5"), t("E5"), 2)]
    low, high = Ladder(t("D5"), 0, t("D4"), 4), Ladder(t("D5"), 2, t("D4"), 4)
    assert codes(table(walls, decks=decks, ladders=[high])) == []
    assert codes(table(walls, decks=decks, ladders=[low])) == ["FDF141"]
    assert codes(table(walls, decks=decks, ladders=[low, high])) == ["FDF141", "FDF142"]


def test_every_issue_names_its_tiles() -> None:
    board = table({"B4": Column(0, feature=Feature.SPIRE)})
    assert check_legality(board, Limits())[0].tiles == (t("B4"),)

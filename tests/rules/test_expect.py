"""Symmetry and expectations."""

import pytest
from hypothesis import given, settings

from falldamage_forge.board import Board
from falldamage_forge.board.symmetry import OPERATORS, asymmetric_tiles, symmetries, transform_board
from falldamage_forge.issues import SourceSpan
from falldamage_forge.lang import load
from falldamage_forge.maps.checks import CheckContext
from falldamage_forge.rules.expectations import evaluate as evaluate_facts
from tests.rules.asking import position
from tests.strategies import boards


def evaluate(words: tuple[str, ...], board: Board, source: SourceSpan | None = None):  # type: ignore[no-untyped-def]
    return evaluate_facts(words, CheckContext(position(board)), source)


INVERSE = {name: name for name in OPERATORS} | {
    "rotate-90": "rotate-270",
    "rotate-270": "rotate-90",
}


@settings(max_examples=30, deadline=None)
@given(boards())
def test_an_image_and_back_is_the_board(board: Board) -> None:
    for name in OPERATORS:
        assert transform_board(transform_board(board, name), INVERSE[name]) == board
        assert (asymmetric_tiles(board, name) == ()) == (name in symmetries(board))


@settings(max_examples=30, deadline=None)
@given(boards())
def test_a_board_joined_with_its_image_is_symmetric(board: Board) -> None:
    half = board.rows // 2 * board.cols
    joined = Board(
        board.rows, board.cols, board.columns[:half] + tuple(reversed(board.columns[:half])),
        starts=board.starts,
    )  # fmt: skip
    assert "rotate-180" in symmetries(joined)
    assert evaluate(("symmetric", "rotate-180"), joined) == ()


def test_unknown_words_are_reported() -> None:
    board = Board(5, 5, image_columns())
    for words in (
        ("symmetric",),
        ("symmetric", "rotate-45"),
        ("reachable",),
        ("peace",),
        ("no", "x"),
    ):
        (issue,) = evaluate(words, board)
        assert issue.code == "FDF330"
        assert issue.hint


def image_columns() -> tuple:  # type: ignore[type-arg]
    from falldamage_forge.board import Column

    return (Column(),) * 25


def told(text: str, words: str) -> list[str]:
    board = load(text, "x.forge").layout.board
    found = evaluate(tuple(words.split()), board)
    return [f"{issue.code} {issue.message}" for issue in found]


STARTS = "start red at B1..I1\nstart blue at B10..I10\n"
OPEN = "forge 1\n" + STARTS
WALLED = "forge 1\nstack row 5 height 3\ntreasure at A1\n" + STARTS
WELL = "forge 1\nstack all except E5 height 3\nwater at E5\n" + STARTS


@pytest.mark.parametrize(
    ("text", "words", "expected"),
    [
        (OPEN, "connected", []),
        (OPEN, "reachable treasure", []),
        (OPEN, "no islands", []),
        (OPEN, "no traps", []),
        (OPEN, "good contact", []),
        (OPEN, "good choke-points", []),
        (
            WALLED,
            "connected",
            [
                "FDF331 expected connected, but row 5 is a wall of 3 levels: a unit with Jump 1 "
                "or 2 cannot get from blue's start B10 to red's start B1 or back without damage"
            ],
        ),
        (
            WALLED,
            "reachable treasure",
            [
                "FDF331 expected reachable treasure, but blue cannot reach the treasure at A1 "
                "without damage as a unit with Jump 1 or 2; "
                "assassin can in 3 turns without damage; "
                "beast-heads can in 4 turns without damage"
            ],
        ),
        (
            WALLED,
            "no islands",
            [
                "FDF331 expected no islands, but a unit with Jump 1 or 2 never "
                "reaches A5@3, B5@3, C5@3, D5@3, E5@3, F5@3 and 4 more without damage"
            ],
        ),
        (WALLED, "no traps", []),
        (
            WELL,
            "no traps",
            [
                "FDF331 expected no traps, but a unit with Jump 1 or 2 gets into "
                "E5@0 but not out without damage"
            ],
        ),
        (
            WALLED,
            "good connection",
            [
                "FDF331 expected good connection, but cut off without damage: "
                "M2 Jany, levels count; M3 J1; M3 J2; M3 J2, no fall damage; M4 J1; M4 J2; M5 J1"
            ],
        ),
        (OPEN, "symmetric mirror-x", []),
    ],
)
def test_expectations_hold_or_say_why(text: str, words: str, expected: list[str]) -> None:
    assert told(text, words) == expected


def test_a_failed_expectation_names_the_tiles() -> None:
    board = load(WALLED, "x.forge").layout.board
    (issue,) = evaluate(("no", "islands"), board)
    assert [str(tile) for tile in issue.tiles] == [f"{letter}5" for letter in "ABCDEFGHIJ"]
    (issue,) = evaluate(("symmetric", "rotate-90"), board)
    assert issue.code == "FDF331"
    assert "differs from its image" in issue.message


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        ("connected twice", "write `expect connected`"),
        ("no peace", "write `expect no islands` or `expect no traps`"),
        ("good", "write `expect good` and one of connection, coverage"),
        ("good peace", "push-exposure, sight"),
        ("symmetric rotate-45", "write `expect symmetric` and one of rotate-90"),
        ("conected", "did you mean `connected`?"),
        ("peace now", "known: reachable, connected, no, symmetric, good"),
    ],
)
def test_unknown_expectation_lists_the_known_ones(words: str, hint: str) -> None:
    board = Board(5, 5, image_columns())
    (issue,) = evaluate(tuple(words.split()), board)
    assert issue.code == "FDF330"
    assert issue.message == f"unknown expectation `{words}`"
    assert hint in str(issue.hint)


def test_the_place_and_weight_of_an_expectation() -> None:
    source = SourceSpan("x.forge", 7, 1, 7, 9)
    flat = Board(5, 5, image_columns())
    walled = load(WALLED, "x.forge").layout.board
    for words, board, code in (
        ((), flat, "FDF330"),
        (("peace",), flat, "FDF330"),
        (("symmetric",), flat, "FDF330"),
        (("no", "islands"), walled, "FDF331"),
        (("good", "connection"), walled, "FDF331"),
    ):
        (issue,) = evaluate(words, board, source)
        assert (issue.code, issue.severity, issue.span) == (code, "error", source)
        assert isinstance(issue.tiles, tuple)
    lopsided = load("forge 1\ntree at A1\n" + STARTS, "x.forge").layout.board
    (issue,) = evaluate(("symmetric", "mirror-x"), lopsided)
    assert issue.message == "expected symmetric mirror-x, but A1 differs from its image"
    assert [str(tile) for tile in issue.tiles] == ["A1", "J1"]
    (issue,) = evaluate(("reachable",), flat)
    assert issue.hint == "write `expect reachable treasure`"


def test_good_needs_the_cards() -> None:
    near = load("forge 1\nboard 10x5\nstart red at B1..I1\nstart blue at B5..I5\n", "x").layout
    (issue,) = evaluate(("good", "first-strike"), near.board)
    assert "can hit in their first activation: arbalist, archer" in issue.message
    (issue,) = evaluate(("good", "contact"), near.board)
    assert issue.message == "expected good contact, but first contact in turn 1"

"""Symmetry and expectations."""

from hypothesis import given, settings

from falldamage_forge.board import Board
from falldamage_forge.presets import load_ruleset
from falldamage_forge.rules.expect import evaluate
from falldamage_forge.rules.symmetry import OPERATORS, differences, image, symmetries
from tests.strategies import boards

INVERSE = {name: name for name in OPERATORS} | {
    "rotate-90": "rotate-270",
    "rotate-270": "rotate-90",
}


@settings(max_examples=30, deadline=None)
@given(boards())
def test_an_image_and_back_is_the_board(board: Board) -> None:
    for name in OPERATORS:
        assert image(image(board, name), INVERSE[name]) == board
        assert (differences(board, name) == ()) == (name in symmetries(board))


@settings(max_examples=30, deadline=None)
@given(boards())
def test_a_board_joined_with_its_image_is_symmetric(board: Board) -> None:
    half = board.rows // 2 * board.cols
    joined = Board(
        board.rows, board.cols, board.columns[:half] + tuple(reversed(board.columns[:half])),
        starts=board.starts,
    )  # fmt: skip
    assert "rotate-180" in symmetries(joined)
    assert evaluate(("symmetric", "rotate-180"), joined, load_ruleset("fall-damage"), None) == ()


def test_unknown_words_are_told() -> None:
    board = Board(5, 5, image_columns())
    ruleset = load_ruleset("fall-damage")
    for words in (
        ("symmetric",),
        ("symmetric", "rotate-45"),
        ("reachable",),
        ("peace",),
        ("no", "x"),
    ):
        (issue,) = evaluate(words, board, ruleset, None)
        assert issue.code == "FDF330"
        assert issue.hint


def image_columns() -> tuple:  # type: ignore[type-arg]
    from falldamage_forge.board import Column

    return (Column(),) * 25

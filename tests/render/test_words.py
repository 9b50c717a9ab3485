"""Words on cards and in legends: whole sentences, said once, each legend as high as its lines."""

from __future__ import annotations

from dataclasses import replace

import pytest

from falldamage_forge.board import Board, Column, make_board
from falldamage_forge.games.fall_damage.unit_cards import Ability
from falldamage_forge.presets import load_units
from falldamage_forge.render.display_list import Pen
from falldamage_forge.render.legend import _wrapped, draw_legend
from falldamage_forge.render.overlay import Overlay
from falldamage_forge.render.palette import LIGHT
from falldamage_forge.render.printed_cards import rules_of, tips_of
from falldamage_forge.render.stroke_font import text_width

PLAIN = replace(
    load_units()["knight"], abilities=(), needs_sight=True, vertical_counts=False, no_fall=False,
    no_push=False, pass_enemies=False, mage=False,
)  # fmt: skip


@pytest.mark.parametrize(
    ("rule", "sentence"),
    [
        ({"needs_sight": False}, "{blind} Its attack needs no line of sight."),
        ({"vertical_counts": True}, "Each level up or down costs one Move."),
        ({"no_fall": True}, "It takes no fall damage."),
        ({"no_push": True}, "It cannot be pushed."),
        ({"pass_enemies": True}, "It may move through enemies."),
        ({"mage": True}, "Units that its spells make fall take 2 more damage."),
    ],
)
def test_rule_of_a_card_is_a_sentence_unless_an_ability_says_it(
    rule: dict[str, bool], sentence: str
) -> None:
    assert rules_of(PLAIN) == []
    unit = replace(PLAIN, **rule)
    assert rules_of(unit) == [sentence]
    told = Ability("Able", f"As the book says: {sentence.upper()}")
    assert rules_of(replace(unit, abilities=(told,))) == [f"**Able** {told.text}"]
    other = Ability("Able", "Something else.", action=True, hidden=True)
    both = rules_of(replace(unit, abilities=(other,)))
    assert both == ["**Able** {action} {hidden} Something else.", sentence]


def test_advice_is_no_rule() -> None:
    tip = Ability("Hint", "Stand high.", tip=True)
    unit = replace(PLAIN, abilities=(tip,))
    assert (rules_of(unit), tips_of(unit)) == ([], ["{tip} Stand high."])


def height(board: Board, overlays: tuple[Overlay, ...], width: float) -> float:
    return draw_legend(Pen(), board, LIGHT, overlays, (5.0, 7.0), width)


def test_legend_is_as_high_as_its_lines() -> None:
    board = make_board(1, 3, [Column(0), Column(1), Column(2)])
    wide, narrow = height(board, (), 2000.0), height(board, (), 10.0)
    assert wide == 26.0 and narrow > wide and narrow % 26.0 == 0
    bare = Overlay("empty", "Nothing to see", ())
    assert height(board, (bare,), 2000.0) == wide + 22.0
    assert height(board, (bare, bare), 2000.0) == wide + 44.0


def test_words_of_a_legend_are_wrapped_and_none_is_lost() -> None:
    words = "the bridge at level 2 runs into B3, which is level 3"
    for width in (40.0, 90.0, 200.0, 1000.0):
        lines = _wrapped(words, width)
        assert " ".join(lines) == words
        assert all(text_width(line, 10.0) <= width or " " not in line for line in lines)
    assert _wrapped(words, 1000.0) == [words]

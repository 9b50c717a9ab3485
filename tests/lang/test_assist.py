"""What editors are offered: words that fit at a place, and what a word means."""

import pytest

from falldamage_forge.diagnostics.code_registry import explain
from falldamage_forge.lang import load
from falldamage_forge.lang.language_service import complete, describe_word
from falldamage_forge.lang.parser import KEYWORDS
from falldamage_forge.lang.quick_fixes import proposals

VOCABULARIES = {
    "rules": ("fall-damage", "gatefall"),
    "options": ("headroom", "gap"),
    "options.gap": ("any-clear", "strictly-lower"),
    "print": ("printer", "fit", "rim", "tops"),
    "tops": ("grass", "snow"),
    "printers": ("a1-mini", "mk4"),
    "pieces": ("block-1x1x1", "spire"),
    "codes": ("FDF310",),
    "units": ("knight",),
    "expects": ("reachable treasure",),
    "units.fall-damage": ("knight", "bard"),
    "properties.fall-damage": ("move", "jump"),
    "lists.fall-damage.abilities": ("bomb", "shove"),
}
TEXT = """\
forge 1
define tower {
  stack A1 height 2
}
stack D4 height 2
start crimson at B1..I1
"""


def words(line: str) -> set[str]:
    text = TEXT + line
    found = complete(text, text.count("\n"), len(text.rsplit("\n", 1)[-1]), VOCABULARIES)
    return {item.word for item in found}


@pytest.mark.parametrize(
    ("line", "offered", "not_offered"),
    [
        ("", set(KEYWORDS), {"tower"}),
        ("st", {"stack", "start", "step"}, {"height"}),
        ("place ", {"tower", "at"}, {"stack"}),
        ("stack D", {"D1", "D4", "D10", "height"}, {"E1", "stack"}),
        ("bridge D4 -> G", {"G4", "level", "arch"}, {"D4"}),
        ("battlement at D4 sides ", {"north", "west"}, set()),
        ("start ", {"crimson", "red", "blue"}, {"tower"}),
        ("symmetry rotate 180 swap ", {"crimson", "blue"}, set()),
        ("rules ", {"fall-damage", "gatefall"}, {"headroom"}),
        ("rules fall-damage { ", {"headroom", "gap"}, {"any-clear"}),
        ("rules fall-damage { gap ", {"any-clear", "strictly-lower"}, {"headroom"}),
        ("print { printer ", {"a1-mini", "mk4"}, {"fit"}),
        ("print { printer a1-mini  ", {"fit", "rim", "tops"}, {"mk4"}),
        ("print { tops ", {"grass", "snow"}, {"rim"}),
        ("units { mine ", {"like"}, {"move"}),
        ("units { mine like ", {"bard"}, {"move"}),
        ("units { mine like knight\nyours like ", {"mine", "bard"}, {"move"}),
        ("units { mine like bard { ", {"move", "jump"}, {"like", "bard"}),
        ("units { mine { move 2  abilities ", {"bomb", "shove"}, {"move"}),
        ("units { mine { abilities bomb, sh", {"bomb", "shove"}, {"move"}),
        ("units { mine { abilities bomb ", {"move", "jump"}, {"shove"}),
        ("rules gatefall\nunits { mine { ", set(), {"move", "stack"}),
        ("extras { ", {"spire"}, {"fit"}),
        ("extras { spire ", set(), {"spire"}),
        ("expect ", {"reachable", "treasure", "rotate-180", "knight"}, {"stack"}),
        ("allow ", {"FDF310"}, {"stack"}),
        ("stack D4 height 2 # as ", set(), {"height", "A1"}),
    ],
)
def test_complete_lists_words_at_a_position(
    line: str, offered: set[str], not_offered: set[str]
) -> None:
    found = words(line)
    assert offered <= found
    assert not found & not_offered


def test_a_tile_is_offered_with_what_stands_there() -> None:
    found = complete(TEXT + "tree at D", 6, 9, VOCABULARIES)
    assert next(item.detail for item in found if item.word == "D4") == "D4: column of level 2"


def test_describe_word_of_tile_keyword_and_code() -> None:
    board = load(TEXT, "x").layout.board
    assert describe_word("D4", board) == "D4: column of level 2"
    assert describe_word("bridge", board) == (
        "bridge A -> B level N [arch]\na deck over the one to four tiles between two supports"
    )
    assert "Help: " in (describe_word("FDF132", board, explain) or "")
    assert describe_word("tower", board) is None


@pytest.mark.parametrize(
    ("line", "mended"),
    [
        ("stack D4 hight 1", "stack D4 height 1"),
        ("  bridge B4 to E4 level 1  # high", "  bridge B4 -> E4 level 1  # high"),
        ("tree C3", "tree at C3"),
        ("battlement at F5 north", "battlement at F5 sides north"),
        ("step D4 -> D5", None),
        ("board 10 x 10", "board 10x10"),
        ("title Duel", 'title "Duel"'),
        ("stak D4 height 1", "stack D4 height 1"),
        ("tree at C3 D4", None),
        ("spire", None),
    ],
)
def test_a_hint_that_says_what_to_write_is_a_quick_fix(line: str, mended: str | None) -> None:
    lines = ["forge 1", line]
    issue = load("\n".join(lines), "x").issues[0]
    fix = next(proposals(issue, lines), None)
    assert (fix and fix.applied(lines).split("\n")[1:]) == (mended and [mended])


@pytest.mark.parametrize("line", range(8))
@pytest.mark.parametrize("col", [0, 3, 50])
def test_language_service_answers_any_position_of_any_text(line: int, col: int) -> None:
    complete('forge 1\nmap {\n 1 "\n}}\nplace\n', line, col, {})

"""Stacks as high as a length: whole levels of the table, and half ones as steps."""

import pytest

from falldamage_forge.board import Board
from falldamage_forge.lang import load
from falldamage_forge.lang.edit import EditResult, edit, parse_gesture
from falldamage_forge.lang.facts import Extent
from falldamage_forge.lang.flatten import flatten
from falldamage_forge.lang.formatter import format_text

STARTS = "start red at B1..I1\nstart blue at B10..I10\n"


def text_of(sizes: str, lines: str) -> str:
    return f"forge 1\n{f'print {{ {sizes} }}' if sizes else ''}\n{lines}\n{STARTS}"


def board(sizes: str, lines: str) -> Board:
    loaded = load(text_of(sizes, lines), "m.forge")
    assert loaded.issues == ()
    return loaded.layout.board


@pytest.mark.parametrize(
    ("sizes", "said", "same"),
    [
        ("rise 1/2in", "stack D4 height 1/2in", "stack D4 height 1"),
        ("rise 1/2in", "stack D4 height 1.5in", "stack D4 height 3"),
        ("rise 1in", "stack D4 height 1/2in", "step at D4"),
        ("rise 1in", "stack D4..E5 height 1.5in", "stack D4..E5 height 1\nstep at D4..E5"),
        ("rise 25.4mm", "stack D4 height 5.08cm", "stack D4 height 2"),
        ("", "stack D4 height 30mm", "stack D4 height 1"),
        ("", "stack D4 height 4.5cm", "stack D4 height 1\nstep at D4"),
    ],
)
def test_a_length_is_levels_and_half_a_level(sizes: str, said: str, same: str) -> None:
    found = board(sizes, said)
    assert found == board(sizes, same)
    again = flatten(load(text_of(sizes, said), "m.forge").layout)
    assert load(again, "m.forge").layout.board == found


def test_a_length_keeps_its_place_in_the_text() -> None:
    text = text_of("rise 1in", "stack D4 height 1/2in")
    tidy = format_text(text, "m.forge")
    assert "stack D4 height 1/2in" in tidy
    assert format_text(tidy, "m.forge") == tidy
    raised = text_of("rise 1in", "define a {\n  stack A1 height 1.5in\n}\nplace a at D4 raise +1")
    assert load(raised, "m.forge").layout.board == board("", "stack D4 height 2\nstep at D4")


@pytest.mark.parametrize(
    ("sizes", "said", "code"),
    [
        ("", "stack D4 height 1/2in", "FDF109"),
        ("rise 1in", "stack D4 height 1cm", "FDF109"),
        ("rise 1in", "stack D4 height 0in", "FDF006"),
        ("rise 1in", "stack D4 height 9000mm", "FDF006"),
        ("rise 1/2in", "stack D4 height 7in", "FDF106"),
        ("rise 1in", "stack D4 height 1/2in\nstack D4 height 1", "FDF101"),
    ],
)
def test_height_between_half_levels_is_reported(sizes: str, said: str, code: str) -> None:
    found = [issue.code for issue in load(text_of(sizes, said), "m.forge").issues]
    assert found == [code]


@pytest.mark.parametrize("words", ["erase D4", "move D4 to G8", "raise E5", "water E8"])
def test_gestures_leave_the_other_halves_alone(words: str) -> None:
    text = text_of("rise 1in", "stack D4..D5 height 1.5in\nstack E4..E5 height 1in")
    found = edit(text, parse_gesture(words, Extent(10, 10)))
    assert isinstance(found, EditResult)
    after = load(found.text, "m.forge").layout.board
    assert str(after.steps[-1 if "D4" not in words else 0].tile) in ("D5", "D4")
    assert "stack" in found.text

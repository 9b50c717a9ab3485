"""Every fitting is drawn in both views, told in their legends, and has a sign in a terminal."""

from collections import Counter

import pytest

from falldamage_forge.board import Board
from falldamage_forge.elements import ELEMENTS, FITTINGS
from falldamage_forge.lang.lower import load
from falldamage_forge.render.display_list import Drawing
from falldamage_forge.render.fitting_symbols import legend, words
from falldamage_forge.render.isometric import isometric
from falldamage_forge.render.palette import LIGHT
from falldamage_forge.render.terminal import terminal
from falldamage_forge.render.topdown import topdown

SAID = {
    "railing": "railing at D4 sides north east height 1in",
    "obstruction": "obstruction at B8",
    "field": "field heavy-g at H8",
    "pitfall": "pitfall at C2",
    "gate": "gate at row 6",
    "base": "base red at A1..B2",
}
VIEWS = {"top": topdown, "iso": isometric}


def board_of(body: str) -> Board:
    return load(f"forge 1\nstack D4 height 2\n{body}\n", "x").layout.board


def test_there_is_a_sign_and_a_painter_for_each_kind() -> None:
    signs = [element.sign for element in FITTINGS.values()]
    assert SAID.keys() == FITTINGS.keys()
    assert all(element.symbol or element.solids for element in FITTINGS.values())
    assert all(signs)
    assert len(set(signs)) == len(signs)


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("word", [word for word, x in ELEMENTS.items() if x.solids or x.symbol])
def test_what_declares_a_drawing_is_drawn_in_every_view(word: str, view: str) -> None:
    """Nothing that stands on a board is left out, and none needs a painter of its own."""
    element = ELEMENTS[word]
    if element.form == "span":
        body = "stack D6 height 2\n" + (
            "bridge D4 -> D6 level 2" if element.level else f"{word} D5 -> D4"
        )
        bare = "stack D6 height 2"
    else:
        body, bare = SAID.get(word, f"{word} at D4"), ""
    bodies = [VIEWS[view](board_of(each), legend=False).shapes for each in (body, bare)]
    ink = [Counter((x.fill, x.stroke, x.width) for x in shapes) for shapes in bodies]
    assert sum((ink[0] - ink[1]).values()) >= 2


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("kind", SAID)
def test_fitting_is_drawn_and_in_legend(kind: str, view: str) -> None:
    def drawn(body: str, legend: bool) -> Drawing:
        return VIEWS[view](board_of(body), legend=legend)

    assert len(drawn(SAID[kind], False).shapes) > len(drawn("", False).shapes)
    added = len(drawn(SAID[kind], True).shapes) - len(drawn(SAID[kind], False).shapes)
    assert added > len(drawn("", True).shapes) - len(drawn("", False).shapes)
    (fitting, *_) = board_of(SAID[kind]).fittings
    assert [text for _, text in legend(board_of(SAID[kind]), LIGHT)] == [words(fitting)]


@pytest.mark.parametrize("kind", SAID)
def test_a_terminal_has_its_sign_on_the_tile_and_in_the_legend(kind: str) -> None:
    board = board_of(SAID[kind])
    lines = terminal(board).splitlines()
    tile = board.fittings[0].tile
    assert FITTINGS[kind].sign in lines[tile.row + 1]
    assert FITTINGS[kind].sign not in terminal(board_of(""))
    assert f"{FITTINGS[kind].sign} {words(board.fittings[0])}" in lines[-1]


def test_a_railing_in_front_is_painted_after_what_stands_on_its_tile() -> None:
    """The last shape of a picture with a rail to the south is the rail, to the north it is not."""
    south, north = (
        isometric(board_of(f"treasure at D4@2\nrailing at D4 sides {side}"), legend=False)
        for side in ("south", "north")
    )
    bare = isometric(board_of("treasure at D4@2"), legend=False)

    def first_change(one: Drawing) -> int:
        pairs = zip(one.shapes, bare.shapes, strict=False)
        return next(number for number, (a, b) in enumerate(pairs) if a != b)

    assert first_change(south) > first_change(north)

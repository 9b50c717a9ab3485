"""Boards for the drawing tests: the presets, and small random ones."""

from hypothesis import strategies as st

from falldamage_forge import presets
from falldamage_forge.board import Board, Column, make_board
from falldamage_forge.lang import load
from falldamage_forge.lang.layout import Layout

MAPS = presets.names("maps")


def preset(name: str) -> Layout:
    text = presets.path("maps", name).read_text(encoding="utf-8")
    layout = load(text, name).layout
    assert layout is not None
    return layout


@st.composite
def rough_boards(draw: st.DrawFn) -> Board:
    rows, cols = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    levels = draw(st.lists(st.integers(0, 4), min_size=rows * cols, max_size=rows * cols))
    return make_board(rows, cols, [Column(level) for level in levels])

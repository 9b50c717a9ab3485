"""Variety of levels and passages: shares that grow with differences and never reach 1."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from falldamage_forge.board import Column, Deck, Ground, Tile, make_board
from falldamage_forge.board.symmetry import transform_board
from falldamage_forge.search.variety import level_variety, passage_variety, variety
from tests.games.play.tables import small_board


@given(st.lists(st.integers(0, 4), min_size=1, max_size=12))
def test_variety_is_the_probability_that_two_values_differ(values: list[int]) -> None:
    pairs = [a != b for a, b in product(values, repeat=2)]
    assert variety(values) == pytest.approx(sum(pairs) / len(pairs))
    assert variety(values) == variety(values[::-1])
    assert variety(values) <= 1 - 1 / len(values) + 1e-12


@pytest.mark.parametrize("way", ["rotate-180", "mirror-x", "mirror-y"])
def test_variety_is_equal_on_images_of_a_board(way: str) -> None:
    board = small_board()
    image = transform_board(board, way)
    assert level_variety(image) == level_variety(board) > 0
    assert passage_variety(image) == passage_variety(board) > 0


def test_flat_board_has_no_variety_and_no_board_has_it_undefined() -> None:
    flat = small_board(hills=False)
    assert level_variety(flat) == passage_variety(flat) == 0
    lava = [Column(0, Ground.LAVA)] * 25
    assert level_variety(replace(flat, columns=tuple(lava))) >= 0


def test_walls_lava_and_bridges_change_the_widths_of_passages() -> None:
    """A line across 5 columns: one wall narrows it, lava too; a bridge over the lava is a step."""
    row, burning = [Column(0)] * 5, [Column(0, Ground.LAVA)] * 5
    wall = [*row, *row, Column(2), *row[1:], *row, *row]
    rivers = [*row, *burning, *row, *burning, *row]
    deck = Deck.between(Tile(0, 2), Tile(2, 2), 0)
    found = [
        passage_variety(make_board(5, 5, columns, decks=decks))
        for columns, decks in ((wall, []), (rivers, []), (rivers, [deck]))
    ]
    wide, narrow = 5, 3
    assert found[0] == pytest.approx(1 - (wide**2 + narrow**2) / 64), "5 lines of 5, 3 of 4"
    assert found[1] == pytest.approx(1 - (4**2 + 4**2) / 64), "4 lines of 0, 4 of 3"
    assert found[2] == pytest.approx(1 - (2**2 + 2**2 + 4**2) / 64), "2 of 0, 2 of 1, 4 of 3"

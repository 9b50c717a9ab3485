"""Scene: every element of a board with its place, in one form, for all painters of the board."""

from __future__ import annotations

from collections.abc import Iterator

from falldamage_forge.board import Board, Chest, Deck, Fitting, Ladder, StandingModel
from falldamage_forge.board.board_model import LISTS, Item
from falldamage_forge.elements import BLOCK, ELEMENTS

_LISTED = {x.field: word for word, x in ELEMENTS.items() if x.build}
WORDS = {field: _LISTED[field] for field in LISTS if field in _LISTED}
"""Word of the elements of each list of a board but fittings, which have their own."""


def fitting_of(board: Board, word: str, x: Item) -> Fitting:
    """Return an element of a board as a fitting: with its tile, level, sides and second end.

    Args:
        board: The board.
        word: Word of the element.
        x: The item of one of the board's lists.
    """
    match x:
        case Fitting():
            return x
        case Deck():
            return Fitting(word, x.a, x.level, (), "arch" * x.arch, 0, x.source, x.b, x.level)
        case Ladder():
            return Fitting(word, x.foot, x.foot_level, (), "", 0, x.source, x.top, x.top_level)
        case Chest():
            return Fitting(word, x.tile, x.level, source=x.source)
        case StandingModel():
            return Fitting(word, x.tiles[0], x.level, (), x.name, source=x.source)
    sides = getattr(x, "sides", ())
    return Fitting(word, x.tile, board.column(x.tile).level, sides, source=x.source)


def scene(board: Board) -> Iterator[Fitting]:
    """Yield every element of a board but its columns and starts: what stands and lies on it.

    A model is seen as the columns that it is for the rules.

    Args:
        board: The board.
    """
    for tile in board.tiles():
        column = board.column(tile)
        for name in filter(None, (column.ground, column.feature)):
            if name in ELEMENTS:
                yield Fitting(str(name), tile, column.level, source=column.source)
    for field in LISTS:
        for x in board.items(field) if WORDS.get(field) != BLOCK else ():
            yield fitting_of(board, WORDS.get(field, ""), x)

"""Treasure: a chest on a surface."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from falldamage_forge.board import Board, Chest
from falldamage_forge.elements.element import Element, Placed, Thing


def things(board: Board) -> Iterator[Thing]:
    """Yield the chests of a board."""
    for chest in board.treasures:
        yield Thing("treasure", (chest.tile,), (chest.level,))


def build(placed: Iterable[Placed]) -> Iterator[Chest]:
    """Yield a board's chests."""
    for x in placed:
        yield Chest(x.tiles[0], x.levels[0], x.span)


ELEMENT = Element(
    word="treasure",
    means="a chest on each tile, on top or at `@LEVEL`",
    field="treasures",
    glyph="$",
    depth=0,
    usage="",
    synonyms=(
        "chest",
        "gold",
        "loot",
        "objective",
    ),
    things=things,
    build=build,
)

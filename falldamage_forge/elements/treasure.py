"""Treasure: a chest on a surface."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from falldamage_forge.board import Board, Chest, Tile
from falldamage_forge.elements.element import Element, Placed, Thing, Tool


def things(board: Board) -> Iterator[Thing]:
    """Yield the chests of a board."""
    return (thing(chest.tile, chest.level) for chest in board.treasures)


def thing(tile: Tile, level: int) -> Thing:
    """Return a chest.

    Args:
        tile: Its tile.
        level: Level of the surface below it.
    """
    return Thing("treasure", (tile,), (level,))


def build(placed: Iterable[Placed]) -> Iterator[Chest]:
    """Yield a board's chests."""
    for x in placed:
        yield Chest(x.tiles[0], x.levels[0], x.span)


ELEMENT = Element(
    word="treasure",
    means="a chest on each tile, on top or at `@LEVEL`",
    field="treasures",
    glyph="$",
    told="treasure at level {level}",
    depth=0,
    usage="",
    synonyms=("chest", "gold", "loot", "objective"),
    things=things,
    build=build,
    families=("chest",),
    tools=(
        Tool(
            "treasure",
            "things",
            "c",
            12,
            "treasure {place}",
            {"en": "treasure", "de": "Schatz"},
            fill="M3.5 11.5h17V20h-17z",
            outlined=False,
            line="M3.5 20v-9.5C3.5 7 5.5 5 8.5 5h7c3 0 5 2 5 5.5V20zM3.5 11.5h6.3M14.2"
            " 11.5h6.3M9.8 10h4.4v4.2H9.8z",
        ),
    ),
)

"""Treasure: a chest on a surface."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from falldamage_forge.board import Board, Chest, Fitting, Tile
from falldamage_forge.elements.element import Element, Placed, Thing, Tool
from falldamage_forge.elements.solids import Box, Ink, Panel, Point


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


def solids(chest: Fitting) -> Iterator[Box | Panel]:
    """Yield a chest with golden bands and its lock."""
    for deep, wide, low, high, paint, shade in (
        (0.17, 0.26, 0.0, 0.24, "chest", 1.0),
        (0.19, 0.28, 0.24, 0.31, "gold", 1.0),
        (0.17, 0.26, 0.31, 0.43, "chest", 1.12),
        (0.175, 0.06, 0.31, 0.435, "gold", 1.0),
    ):
        near, far = (0.5 - deep, 0.5 - wide, low), (0.5 + deep, 0.5 + wide, high)
        yield Box(near, far, paint, shade)
    lock = ((0.45, 0.15), (0.55, 0.15), (0.55, 0.30), (0.45, 0.30))
    yield Panel(tuple((0.695, col, z) for col, z in lock), "gold", outlined=True)


def symbol(chest: Fitting) -> Iterator[Ink]:
    """Yield a chest from above, with two golden bands."""

    def area(left: float, up: float, right: float, down: float) -> tuple[Point, ...]:
        return (up, left), (up, right), (down, right), (down, left)

    body = area(0.25, 1 / 3, 0.75, 0.7)
    yield Ink(tuple((row + 0.05, col + 1 / 30) for row, col in body), "shade", opacity=0.25)
    yield Ink(body, "chest")
    yield Ink(area(0.25, 0.45, 0.75, 0.45 + 1 / 15), "gold")
    yield Ink(area(0.5 - 1 / 15, 1 / 3, 0.5 + 1 / 15, 0.7), "gold")
    yield Ink(body, "edge", 1.6, closed=True)


ELEMENT = Element(
    word="treasure",
    means="a chest on each tile, on top or at `@LEVEL`",
    field="treasures",
    glyph="$",
    described="treasure at level {level}",
    depth=0,
    usage="",
    synonyms=("chest", "gold", "loot", "objective"),
    things=things,
    build=build,
    solids=solids,
    symbol=symbol,
    contact=0.34,
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

"""Board elements: a board as a set of elements, of which edits remove and add some."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from falldamage_forge.board import Deck, Tile
from falldamage_forge.board.board_model import Move
from falldamage_forge.elements import KINDS, SIDED
from falldamage_forge.elements.element import SINGLE, Thing
from falldamage_forge.elements.things import Things
from falldamage_forge.lang.facts import occupied_tiles


class Delta(NamedTuple):
    """A change of a board: elements removed and elements added."""

    gone: Things
    new: Things

    def __bool__(self) -> bool:
        return bool(self.gone or self.new)


def spanned(thing: Thing) -> tuple[Tile, ...]:
    """Return the tiles that a deck passes over."""
    a, b = thing.tiles
    return Deck.between(a, b, thing.levels[0]).tiles


def element_tiles(thing: Thing) -> tuple[Tile, ...]:
    """Return the tiles that an element stands on."""
    return occupied_tiles(thing.kind, thing.tiles)


def move_element(
    thing: Thing, move: Move, swap: tuple[str, str] | None = None, raised: int = 0
) -> Thing:
    """Return an element at another place.

    Args:
        thing: The element.
        move: Function from a tile to its image.
        swap: Two sides that change places; None for none.
        raised: Levels to add.
    """
    name = thing.name
    if thing.kind in SIDED and swap and name in swap:
        name = swap[1] if name == swap[0] else swap[0]
    tiles = KINDS[thing.kind].canonical(tuple(map(move, thing.tiles)))
    levels = tuple(level + raised for level in thing.levels)
    return Thing(thing.kind, tiles, levels, name, thing.length_um)


def is_start(thing: Thing) -> bool:
    """True for a surface of a start zone, which stays when what is around it goes."""
    return KINDS[thing.kind].field == "starts"


def level_of(things: Iterable[Thing], tile: Tile) -> int:
    """Return the level of a tile's column.

    Args:
        things: Elements of the board.
        tile: The tile.
    """
    return next((x.levels[0] for x in things if x.kind == "level" and x.tiles[0] == tile), 0)


def levels_of(things: Iterable[Thing]) -> dict[Tile, int]:
    """Return the levels of all columns above level 0."""
    return {x.tiles[0]: x.levels[0] for x in things if x.kind == "level"}


def apply_delta(things: Things, delta: Delta) -> Things:
    """Return the elements after a change; a new element of a `SINGLE` kind replaces the old one.

    Args:
        things: Elements of the board before the edit.
        delta: Elements that go and elements that come.
    """
    taken = {(x.kind, x.tiles[0]) for x in delta.new if x.kind in SINGLE}
    kept = (x for x in things - delta.gone if (x.kind, x.tiles[0]) not in taken)
    return frozenset((*kept, *delta.new))

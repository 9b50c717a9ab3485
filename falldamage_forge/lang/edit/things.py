"""A board as a set of single things, so that editing it is taking some away and adding others."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple, cast

from falldamage_forge.board import Board, Deck, Ground, Tile
from falldamage_forge.board.fittings import FITTINGS
from falldamage_forge.lang.facts import SIDED, Kind, stood

Move = Callable[[Tile], Tile]

SINGLE = ("level", "ground", "feature")
"""Kinds of which a tile has one at most."""
FOLLOW = ("ladder", "treasure", "start", *FITTINGS)
"""Kinds that go up and down with the column they stand on."""


class Thing(NamedTuple):
    """One thing on a board, said as a `Fact` says it but with every level known.

    A level of 0 and plain ground are no things. A battlement has one for each side: its tile and
    the one beyond; a railing has those beyond all its sides, sorted. Sorted and equal as tuples.
    """

    kind: Kind
    tiles: tuple[Tile, ...]
    levels: tuple[int, ...] = ()
    name: str = ""
    length_um: int = 0


Things = frozenset[Thing]


class Delta(NamedTuple):
    """What an edit takes from a board and what it adds."""

    gone: Things
    new: Things

    def __bool__(self) -> bool:
        return bool(self.gone or self.new)


def things_of(board: Board) -> Things:
    """Everything on a board."""
    found: list[Thing] = []
    for tile in board.tiles():
        column = board.column(tile)
        if column.level:
            found.append(Thing("level", (tile,), (column.level,)))
        if column.ground is not Ground.GROUND:
            found.append(Thing("ground", (tile,), (), str(column.ground)))
        if column.feature is not None:
            found.append(Thing("feature", (tile,), (), str(column.feature)))
    found += (deck(d.a, d.b, d.level, arch=d.arch) for d in board.decks)
    found += (Thing("ladder", (x.foot, x.top), (x.foot_level, x.top_level)) for x in board.ladders)
    found += (Thing("treasure", (chest.tile,), (chest.level,)) for chest in board.treasures)
    for zone in board.starts:
        found += (Thing("start", (tile,), (level,), zone.side) for tile, level in zone.surfaces)
    found += (Thing("step", (step.tile,)) for step in board.steps)
    for crown in board.battlements:
        found += (Thing("battlement", (crown.tile, crown.tile.step(s))) for s in crown.sides)
    for x in board.fittings:
        tiles = (x.tile, *sorted(map(x.tile.step, x.sides)))
        found.append(Thing(kind_of(x.kind), tiles, (x.level,), x.name, x.length_um))
    return frozenset(found)


def kind_of(word: str) -> Kind:
    """A fitting's kind as a fact has it."""
    return cast(Kind, word)


def deck(a: Tile, b: Tile, level: int, *, arch: bool = False) -> Thing:
    """A deck, the same whichever end is named first."""
    return Thing("deck", (min(a, b), max(a, b)), (level,), "arch" if arch else "")


def spanned(thing: Thing) -> tuple[Tile, ...]:
    """The tiles that a deck passes over."""
    a, b = thing.tiles
    return Deck.between(a, b, thing.levels[0]).tiles


def standing(thing: Thing) -> tuple[Tile, ...]:
    """The tiles that a thing stands on."""
    return stood(thing.kind, thing.tiles)


def moved(thing: Thing, move: Move, swap: tuple[str, str] | None = None, raised: int = 0) -> Thing:
    """The thing at another place; `swap` exchanges two sides' starts."""
    name = thing.name
    if thing.kind in SIDED and swap and name in swap:
        name = swap[1] if name == swap[0] else swap[0]
    tiles = tuple(map(move, thing.tiles))
    if thing.kind == "deck":
        tiles = tuple(sorted(tiles))
    if thing.kind == "railing":
        tiles = (tiles[0], *sorted(tiles[1:]))
    levels = tuple(level + raised for level in thing.levels)
    return Thing(thing.kind, tiles, levels, name, thing.length_um)


def level_of(things: Iterable[Thing], tile: Tile) -> int:
    """The level of a tile's column."""
    return next((x.levels[0] for x in things if x.kind == "level" and x.tiles[0] == tile), 0)


def levels_of(things: Iterable[Thing]) -> dict[Tile, int]:
    """The levels of all columns that have one."""
    return {x.tiles[0]: x.levels[0] for x in things if x.kind == "level"}


def changed(things: Things, delta: Delta) -> Things:
    """The things after a change; of kinds that a tile has once, what is new wins."""
    taken = {(x.kind, x.tiles[0]) for x in delta.new if x.kind in SINGLE}
    kept = (x for x in things - delta.gone if (x.kind, x.tiles[0]) not in taken)
    return frozenset((*kept, *delta.new))

"""Board elements: a board as a set of elements, of which edits remove and add some."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple, cast

from falldamage_forge.board import (
    DIRECTIONS,
    Battlement,
    Board,
    Chest,
    Column,
    Deck,
    Feature,
    Fitting,
    Ground,
    HalfStep,
    Ladder,
    StartZone,
    Tile,
    make_board,
)
from falldamage_forge.board.fittings import FITTINGS
from falldamage_forge.lang.facts import SIDED, Kind, occupied_tiles

Move = Callable[[Tile], Tile]

SINGLE = ("level", "ground", "feature")
"""Kinds of which a tile has at most one."""
FOLLOW = ("ladder", "treasure", "start", *FITTINGS)
"""Kinds that move up and down with the column below them."""


class BoardElement(NamedTuple):
    """One element of a board, like a `Fact` with all levels known.

    Level 0 and plain ground are no elements. A battlement has one element for each side: its tile
    and the tile beyond. A railing has the tiles beyond all its sides, sorted.
    """

    kind: Kind
    tiles: tuple[Tile, ...]
    levels: tuple[int, ...] = ()
    name: str = ""
    length_um: int = 0


Things = frozenset[BoardElement]


class Delta(NamedTuple):
    """A change of a board: elements removed and elements added."""

    gone: Things
    new: Things

    def __bool__(self) -> bool:
        return bool(self.gone or self.new)


def things_of(board: Board) -> Things:
    """Return all elements of a board."""
    elements: list[BoardElement] = []
    for tile in board.tiles():
        column = board.column(tile)
        if column.level:
            elements.append(BoardElement("level", (tile,), (column.level,)))
        if column.ground is not Ground.GROUND:
            elements.append(BoardElement("ground", (tile,), (), str(column.ground)))
        if column.feature is not None:
            elements.append(BoardElement("feature", (tile,), (), str(column.feature)))
    elements += (deck(d.a, d.b, d.level, arch=d.arch) for d in board.decks)
    elements += (
        BoardElement("ladder", (x.foot, x.top), (x.foot_level, x.top_level)) for x in board.ladders
    )
    elements += (
        BoardElement("treasure", (chest.tile,), (chest.level,)) for chest in board.treasures
    )
    for zone in board.starts:
        elements += (
            BoardElement("start", (tile,), (level,), zone.side) for tile, level in zone.surfaces
        )
    elements += (BoardElement("step", (step.tile,)) for step in board.steps)
    for crown in board.battlements:
        elements += (
            BoardElement("battlement", (crown.tile, crown.tile.step(s))) for s in crown.sides
        )
    for x in board.fittings:
        tiles = (x.tile, *sorted(map(x.tile.step, x.sides)))
        elements.append(BoardElement(kind_of(x.kind), tiles, (x.level,), x.name, x.length_um))
    return frozenset(elements)


def board_of(things: Things, rows: int, cols: int) -> Board:
    """Return the board of some elements, without sources; the inverse of `things_of`.

    Args:
        things: The elements.
        rows: Number of rows of the board.
        cols: Number of columns.
    """
    by_kind: dict[str, list[BoardElement]] = {}
    for thing in sorted(things):
        by_kind.setdefault(thing.kind, []).append(thing)

    def found(kind: str) -> list[BoardElement]:
        return by_kind.get(kind, [])

    levels = {x.tiles[0]: x.levels[0] for x in found("level")}
    grounds = {x.tiles[0]: Ground(x.name) for x in found("ground")}
    features = {x.tiles[0]: Feature(x.name) for x in found("feature")}
    zones: dict[str, list[tuple[Tile, int]]] = {}
    for x in found("start"):
        zones.setdefault(x.name, []).append((x.tiles[0], x.levels[0]))
    crowned: dict[Tile, set[Tile]] = {}
    for x in found("battlement"):
        crowned.setdefault(x.tiles[0], set()).add(x.tiles[1])
    return make_board(
        rows,
        cols,
        (
            Column(levels.get(at, 0), grounds.get(at, Ground.GROUND), features.get(at))
            for at in (Tile(row, col) for row in range(rows) for col in range(cols))
        ),
        decks=(
            Deck.between(x.tiles[0], x.tiles[1], x.levels[0], arch=bool(x.name))
            for x in found("deck")
        ),
        ladders=(Ladder(x.tiles[0], x.levels[0], x.tiles[1], x.levels[1]) for x in found("ladder")),
        treasures=(Chest(x.tiles[0], x.levels[0]) for x in found("treasure")),
        starts=(StartZone(side, tuple(surfaces)) for side, surfaces in zones.items()),
        battlements=(
            Battlement(at, tuple(d for d in DIRECTIONS if at.step(d) in beyond))
            for at, beyond in crowned.items()
        ),
        steps=(HalfStep(x.tiles[0]) for x in found("step")),
        fittings=(_fitting(x) for kind in FITTINGS for x in found(kind)),
    )


def _fitting(x: BoardElement) -> Fitting:
    """Return the fitting of an element."""
    at, *beyond = x.tiles
    sides = tuple(d for d in DIRECTIONS if at.step(d) in beyond)
    return Fitting(x.kind, at, x.levels[0], sides, x.name, x.length_um)


def kind_of(word: str) -> Kind:
    """Return a fitting's kind as a kind of facts."""
    return cast(Kind, word)


def deck(a: Tile, b: Tile, level: int, *, arch: bool = False) -> BoardElement:
    """Return a deck, the same for either order of its ends."""
    return BoardElement("deck", (min(a, b), max(a, b)), (level,), "arch" if arch else "")


def spanned(thing: BoardElement) -> tuple[Tile, ...]:
    """Return the tiles that a deck passes over."""
    a, b = thing.tiles
    return Deck.between(a, b, thing.levels[0]).tiles


def element_tiles(thing: BoardElement) -> tuple[Tile, ...]:
    """Return the tiles that an element stands on."""
    return occupied_tiles(thing.kind, thing.tiles)


def move_element(
    thing: BoardElement, move: Move, swap: tuple[str, str] | None = None, raised: int = 0
) -> BoardElement:
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
    tiles = tuple(map(move, thing.tiles))
    if thing.kind == "deck":
        tiles = tuple(sorted(tiles))
    if thing.kind == "railing":
        tiles = (tiles[0], *sorted(tiles[1:]))
    levels = tuple(level + raised for level in thing.levels)
    return BoardElement(thing.kind, tiles, levels, name, thing.length_um)


def level_of(things: Iterable[BoardElement], tile: Tile) -> int:
    """Return the level of a tile's column."""
    return next((x.levels[0] for x in things if x.kind == "level" and x.tiles[0] == tile), 0)


def levels_of(things: Iterable[BoardElement]) -> dict[Tile, int]:
    """Return the levels of all columns above level 0."""
    return {x.tiles[0]: x.levels[0] for x in things if x.kind == "level"}


def apply_delta(things: Things, delta: Delta) -> Things:
    """Return the elements after a change; a new element of a `SINGLE` kind replaces the old one."""
    taken = {(x.kind, x.tiles[0]) for x in delta.new if x.kind in SINGLE}
    kept = (x for x in things - delta.gone if (x.kind, x.tiles[0]) not in taken)
    return frozenset((*kept, *delta.new))

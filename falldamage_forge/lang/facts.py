"""Facts: what a layout says of single tiles, before anything is built. And how facts are moved."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field, replace
from typing import Literal

from falldamage_forge.board import Tile, grid
from falldamage_forge.issues import SourceSpan
from falldamage_forge.lang.ast import Transform
from falldamage_forge.values import dataclass

Kind = Literal[
    "level",
    "ground",
    "feature",
    "deck",
    "ladder",
    "treasure",
    "start",
    "battlement",
    "step",
    "railing",
    "obstruction",
    "field",
    "pitfall",
    "gate",
    "base",
    "doubt",
]
SIDED = ("start", "base")
"""Kinds whose name is that of a side."""


@dataclass(frozen=True, slots=True)
class Via:
    """One thing that moved a fact: a `place`, a transform block's image, the board's `symmetry`.

    `text` says it as the source does, and `raised` is how many levels it adds.
    """

    kind: Literal["place", "block", "symmetry"]
    text: str
    span: SourceSpan
    raised: int = 0


@dataclass(frozen=True, slots=True)
class Fact:
    """One saying. `levels` go with `tiles` where the kind has them; a deck has one for both ends.

    A battlement has one for each side: its tile and the one beyond, which may be off the board. A
    railing has one for each tile, with those beyond all its sides; `length_um` is a fitting's.

    A weak fact is a map's background: any other fact of the same tile and kind outweighs it.
    `written` are its tiles where the source names them, and `chain` is what brought the fact from
    there to `tiles`, innermost first: empty for what stands where it is written.
    """

    kind: Kind
    tiles: tuple[Tile, ...]
    levels: tuple[int | None, ...] = ()
    name: str = ""
    span: SourceSpan | None = None
    weak: bool = False
    length_um: int = 0
    written: tuple[Tile, ...] = field(default=(), compare=False)
    chain: tuple[Via, ...] = field(default=(), compare=False)

    @property
    def source(self) -> tuple[Tile, ...]:
        """Its tiles in the coordinates of the statement that says it."""
        return self.written or self.tiles

    @property
    def placed(self) -> SourceSpan | None:
        """The outermost `place` that brought the fact here."""
        return next((via.span for via in reversed(self.chain) if via.kind == "place"), None)

    @property
    def copied(self) -> Via | None:
        """The outermost transform that made the fact as an image, if it is one."""
        return next((via for via in reversed(self.chain) if via.kind != "place"), None)


def stood(kind: str, tiles: tuple[Tile, ...]) -> tuple[Tile, ...]:
    """The tiles that a thing stands on; where it has sides, the others are directions only."""
    return tiles[:1] if kind in ("battlement", "railing") else tiles


@dataclass(frozen=True, slots=True)
class Extent:
    """The extent that coordinates are relative to."""

    rows: int
    cols: int

    def __contains__(self, tile: Tile) -> bool:
        return 0 <= tile.row < self.rows and 0 <= tile.col < self.cols

    def tiles(self) -> Iterator[Tile]:
        """All tiles, row by row."""
        return (Tile(row, col) for row in range(self.rows) for col in range(self.cols))


def turned(box: Extent, transform: Transform) -> Extent:
    """The box after the transform."""
    return Extent(*grid.turned(transform.name, box.rows, box.cols))


def mover(box: Extent, transform: Transform) -> Callable[[Tile], Tile]:
    """Where a tile of the box goes. Rotation is clockwise seen from above; x is west to east."""
    return grid.turn(transform.name, box.rows, box.cols)


def moved(
    fact: Fact,
    move: Callable[[Tile], Tile],
    *,
    raised: int = 0,
    swap: tuple[str, str] | None = None,
    via: Via | None = None,
) -> Fact:
    """The fact at its new place, and what brought it there."""
    name = fact.name
    if fact.kind in SIDED and swap and name in swap:
        name = swap[1] if name == swap[0] else swap[0]
    levels = tuple(None if level is None else level + raised for level in fact.levels)
    return replace(
        fact,
        tiles=tuple(map(move, fact.tiles)),
        levels=levels,
        name=name,
        written=fact.source,
        chain=(*fact.chain, via) if via else fact.chain,
    )


def images(
    facts: tuple[Fact, ...],
    box: Extent,
    transform: Transform,
    swap: tuple[str, str] | None,
    via: Via,
) -> tuple[Fact, ...]:
    """The facts and all their images, so that the result is its own image under the transform.

    Equal facts are kept once: a board has eight images at most, however often one asks for them.
    """
    move = mover(box, transform)
    order = 4 if transform.name in grid.QUARTERS else 2
    result, current = list(facts), facts
    for _ in range(order - 1):
        current = tuple(moved(fact, move, swap=swap, via=via) for fact in current)
        result += current
    return tuple(dict.fromkeys(result))

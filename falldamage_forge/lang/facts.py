"""Facts: what a layout says of single tiles, before anything is built. And how facts are moved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from falldamage_forge.board import Tile
from falldamage_forge.issues import SourceSpan
from falldamage_forge.lang.ast import Transform

Kind = Literal["level", "ground", "feature", "deck", "ladder", "treasure", "start"]


@dataclass(frozen=True, slots=True)
class Fact:
    """One saying. `levels` go with `tiles` where the kind has them; a deck has one for both ends.

    A weak fact is a map's background: any other fact of the same tile and kind outweighs it.
    `via` is the outermost `place` that brought the fact here.
    """

    kind: Kind
    tiles: tuple[Tile, ...]
    levels: tuple[int | None, ...] = ()
    name: str = ""
    span: SourceSpan | None = None
    weak: bool = False
    via: SourceSpan | None = None


@dataclass(frozen=True, slots=True)
class Box:
    """The extent that coordinates are relative to."""

    rows: int
    cols: int

    def __contains__(self, tile: Tile) -> bool:
        return 0 <= tile.row < self.rows and 0 <= tile.col < self.cols


def turned(box: Box, transform: Transform) -> Box:
    """The box after the transform."""
    quarter = transform.kind == "rotate" and transform.amount in (90, 270)
    return Box(box.cols, box.rows) if quarter else box


def mover(box: Box, transform: Transform) -> Callable[[Tile], Tile]:
    """Where a tile of the box goes. Rotation is clockwise seen from above; x is west to east."""
    last_row, last_col = box.rows - 1, box.cols - 1
    if transform.kind == "mirror":
        if transform.axis == "x":
            return lambda tile: Tile(tile.row, last_col - tile.col)
        return lambda tile: Tile(last_row - tile.row, tile.col)
    return {
        90: lambda tile: Tile(tile.col, last_row - tile.row),
        180: lambda tile: Tile(last_row - tile.row, last_col - tile.col),
        270: lambda tile: Tile(last_col - tile.col, tile.row),
    }[transform.amount]


def moved(
    fact: Fact,
    move: Callable[[Tile], Tile],
    *,
    raised: int = 0,
    swap: tuple[str, str] | None = None,
    via: SourceSpan | None = None,
) -> Fact:
    """The fact at its new place."""
    name = fact.name
    if fact.kind == "start" and swap and name in swap:
        name = swap[1] if name == swap[0] else swap[0]
    levels = tuple(None if level is None else level + raised for level in fact.levels)
    return replace(
        fact,
        tiles=tuple(map(move, fact.tiles)),
        levels=levels,
        name=name,
        via=via or fact.via,
    )


def images(
    facts: tuple[Fact, ...], box: Box, transform: Transform, swap: tuple[str, str] | None
) -> tuple[Fact, ...]:
    """The facts and all their images, so that the result is its own image under the transform.

    Equal facts are kept once: a board has eight images at most, however often one asks for them.
    """
    move = mover(box, transform)
    order = 4 if turned(box, transform) != box or transform.amount in (90, 270) else 2
    result, current = list(facts), facts
    for _ in range(order - 1):
        current = tuple(moved(fact, move, swap=swap) for fact in current)
        result += current
    return tuple(dict.fromkeys(result))

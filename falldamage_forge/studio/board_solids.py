"""Solids of all that stands and lies on a board; the page draws them without knowing an element."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from falldamage_forge.board import Board, Deck, Fitting, Ground, Tile
from falldamage_forge.elements import ELEMENTS
from falldamage_forge.elements.railing import printed_um
from falldamage_forge.elements.scene import scene
from falldamage_forge.elements.solids import Bar, Ink, Panel, Point, Ring, Solid, box_of

TILE_PX = 64.0
"""Pixels of an ink's width on a tile."""
LIFT, LAYER = 0.02, 0.002
"""Height of a symbol above its surface in tiles, and of one of its inks above another."""
CLEAR = 0.5
"""Inks of less opacity are left out."""


class PaintedSolid(NamedTuple):
    """A solid of stacked rings; a single ring is a flat area.

    Attributes:
        rings: Corners of each ring, from below.
        paint: Colour, a paint of the page.
        top: Colour of its top.
        shade: Brightness of the colour.
        free: True if each tile turns it in a way of its own.
    """

    rings: tuple[Ring, ...]
    paint: str
    top: str = ""
    shade: float = 1.0
    free: bool = False

    def table(self) -> dict[str, Any]:
        """Return it as JSON values, in steps of a thousandth of a tile."""
        rings = [[[round(at, 3) for at in spot] for spot in ring] for ring in self.rings]
        return {**self._asdict(), "rings": rings, "top": self.top or self.paint}


def solids_table(board: Board) -> dict[str, Any]:
    """Return the shapes of a board's elements, each once, and the places where they stand.

    Args:
        board: The board.
    """
    shapes: dict[tuple[PaintedSolid, ...], int] = {}
    things = [
        {
            "shape": shapes.setdefault(tuple(_painted(x)), len(shapes)),
            "at": (*x.tile, x.level),
            "tiles": _tiles(x),
            "side": x.name,
            "part": _is_part(x),
        }
        for x in scene(board)
        if x.kind not in tuple(Ground)
    ]
    return {"shapes": [[one.table() for one in shape] for shape in shapes], "things": things}


def _tiles(x: Fitting) -> tuple[Tile, ...]:
    """Return the tiles on which a part of an element is seen."""
    if x.to is None or not ELEMENTS[x.kind].level:
        return x.ends
    return Deck.between(x.tile, x.to, x.level).tiles


def _is_part(x: Fitting) -> bool:
    """True if an element is one of the printed parts."""
    element = ELEMENTS[x.kind]
    return bool(element.printed) and not (element.edged and element.length and not printed_um(x))


def _painted(x: Fitting) -> Iterator[PaintedSolid]:
    """Yield an element's solids, or the inks of its symbol."""
    element = ELEMENTS[x.kind]
    if element.solids:
        yield from map(_solid, element.solids(x))
    elif element.symbol:
        for number, ink in enumerate(element.symbol(x)):
            if ink.opacity >= CLEAR:
                up = LIFT + number * LAYER
                areas = _strips(ink) if ink.width else iter((ink.points,))
                for area in areas:
                    yield PaintedSolid((_flat(area, up),), ink.paint, "", ink.shade)


def _solid(solid: Solid) -> PaintedSolid:
    if isinstance(solid, Panel):
        return PaintedSolid((solid.corners,), solid.paint)
    if isinstance(solid, Bar):
        return PaintedSolid(box_of(solid).rings, solid.paint)
    free = getattr(solid, "free", False)
    return PaintedSolid(solid.rings, solid.paint, solid.top, solid.shade, free)


def _flat(points: Sequence[Point], level: float) -> Ring:
    """Return a level area, its corners counter-clockwise seen from above."""
    around = zip(points, (*points[1:], points[0]), strict=True)
    area = sum(r0 * c1 - r1 * c0 for (r0, c0), (r1, c1) in around)
    ordered = points if area < 0 else points[::-1]
    return tuple((row, col, level) for row, col in ordered)


def _strips(ink: Ink) -> Iterator[tuple[Point, ...]]:
    """Yield an area for each straight piece of a line, or for each dash."""
    points = (*ink.points, ink.points[0]) if ink.closed else ink.points
    half = ink.width / TILE_PX / 2
    for (r0, c0), (r1, c1) in pairwise(points):
        length = math.hypot(r1 - r0, c1 - c0)
        if not length:
            continue
        pieces = max(1, round(length * TILE_PX / ink.dash / 2)) if ink.dash else 1
        down, right = (r1 - r0) / length, (c1 - c0) / length
        over, side = (down * half, right * half) if not ink.dash else (0.0, 0.0), (-right, down)
        for number in range(pieces):
            low, high = number / pieces, (number + (0.5 if ink.dash else 1.0)) / pieces
            near = (r0 + (r1 - r0) * low - over[0], c0 + (c1 - c0) * low - over[1])
            far = (r0 + (r1 - r0) * high + over[0], c0 + (c1 - c0) * high + over[1])
            yield tuple(
                (row + sign * side[0] * half, col + sign * side[1] * half)
                for (row, col), sign in ((near, -1), (near, 1), (far, 1), (far, -1))
            )

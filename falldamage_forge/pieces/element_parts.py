"""Parts of elements that the catalogue's tables do not hold: boxes, as the element draws them."""

from __future__ import annotations

import json
from collections.abc import Iterator

from falldamage_forge.board import DIRECTIONS, Board, Fitting, Tile
from falldamage_forge.elements import FITTINGS
from falldamage_forge.elements.solids import Box
from falldamage_forge.lengths import PrintGrid
from falldamage_forge.pieces.piece import Piece

BUILDER = "boxes"
"""Builder of these parts: a part's parameter of that name has its boxes, as JSON."""


def part_of(fitting: Fitting, grid: PrintGrid) -> tuple[Piece, int] | None:
    """Return the part of a fitting with its clockwise quarter turns; None if it has none.

    Args:
        fitting: A fitting that is legal.
        grid: Size of tiles and levels.
    """
    element = FITTINGS[fitting.kind]
    if element.part is None or element.solids is None:
        return None
    drop, turns, to = 0, 0, fitting.to
    if to is not None:
        drop = fitting.level - fitting.to_level
        turns = DIRECTIONS.index((to.row - fitting.tile.row, to.col - fitting.tile.col))
    there = None if to is None else Tile(0, 0)
    length = fitting.length_um
    plain = Fitting(fitting.kind, Tile(1, 0), drop, (), fitting.name, length, None, there)
    solids = (solid for solid in element.solids(plain) if isinstance(solid, Box))
    boxes = json.dumps([[*box.low, *box.high] for box in solids])
    sizes = [str(drop)] * (to is not None)
    sizes += [f"{length / 1000:g}mm".replace(".", "-")] * (length != element.usual_um)
    key = "-".join((element.word, *sizes))
    title = element.part.title + (f", {drop} down" if to is not None else "")
    piece = Piece(
        key,
        element.word,
        title,
        BUILDER,
        ((BUILDER, boxes),),
        ((0, 0),),
        element.part.levels,
        group=element.part.group,
    )
    return piece.on(grid), turns


def parts_of(board: Board, grid: PrintGrid) -> Iterator[tuple[Fitting, Piece, int]]:
    """Yield the fittings of a board that have such a part, with the part and its turns."""
    for fitting in board.fittings:
        if found := part_of(fitting, grid):
            yield fitting, *found

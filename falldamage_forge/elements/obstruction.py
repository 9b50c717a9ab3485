"""Obstruction: crates that fill a tile."""

from __future__ import annotations

from collections.abc import Iterator

from falldamage_forge.board import Board, Fitting
from falldamage_forge.elements.element import INCH_UM, TILE_UM, Element, Tool
from falldamage_forge.elements.legality_tools import fitting_check, off_top
from falldamage_forge.elements.solids import Box, Ink, square


def _unfit(board: Board, crate: Fitting) -> tuple[str, str]:
    why, hint = off_top(board, crate)
    if not why and (crate.tile, crate.level) in board.pits:
        return "it is a pit", "choose plain terrain"
    return why, hint


def solids(crate: Fitting) -> tuple[Box, ...]:
    """Return a crate with a lid."""
    high = crate.length_um / TILE_UM
    return (
        Box((0.12, 0.12, 0.0), (0.88, 0.88, high)),
        Box((0.11, 0.11, high - 0.06), (0.89, 0.89, high), shade=0.86),
    )


def symbol(crate: Fitting) -> Iterator[Ink]:
    """Yield a crate from above."""
    lid = square(0.36)
    yield Ink(lid, "wood", solid=True)
    for start in (0, 1):
        yield Ink((lid[start], lid[start + 2]), "wood_dark", 2.4)
    yield Ink(lid, "edge", 1.8, closed=True)


ELEMENT = Element(
    word="obstruction",
    means="crates that fill a tile (default height: 1in); gang-skirmish",
    length="height",
    usual_um=INCH_UM,
    most_um=4 * INCH_UM,
    standing=True,
    sign="%",
    synonyms=("obstacle", "crate", "barrel", "barricade"),
    solids=solids,
    checks=(fitting_check("obstruction", _unfit),),
    symbol=symbol,
    tools=(
        Tool(
            "obstruction",
            "things",
            "o",
            14,
            "obstruction {tiles}",
            {"en": "obstruction", "de": "Hindernis"},
            fill="M4 13.5l8-4 8 4v4l-8 4-8-4z",
            line="M4 13.5l8 4 8-4M12 17.5v4M8.5 3.5l7 4M15.5 3.5l-7 4",
        ),
    ),
)

"""Obstruction: crates that fill a tile."""

from __future__ import annotations

from falldamage_forge.board import Board, Fitting
from falldamage_forge.elements.element import INCH_UM, Element
from falldamage_forge.elements.legality_tools import fitting_check, off_top


def _unfit(board: Board, crate: Fitting) -> tuple[str, str]:
    why, hint = off_top(board, crate)
    if not why and (crate.tile, crate.level) in board.pits:
        return "it is a pit", "choose plain terrain"
    return why, hint


ELEMENT = Element(
    word="obstruction",
    means="crates that fill a tile (default height: 1in); gang-skirmish",
    length="height",
    usual_um=INCH_UM,
    most_um=4 * INCH_UM,
    standing=True,
    sign="%",
    synonyms=(
        "obstacle",
        "crate",
        "barrel",
        "barricade",
    ),
    checks=(fitting_check("obstruction", _unfit),),
)

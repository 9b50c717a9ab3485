"""Pitfall: a bottomless hole in the bare board."""

from __future__ import annotations

from falldamage_forge.board import Board, Fitting
from falldamage_forge.elements.element import Element
from falldamage_forge.elements.legality_tools import fitting_check, off_top


def _unfit(board: Board, pit: Fitting) -> tuple[str, str]:
    level = board.column(pit.tile).level
    if level and level == pit.level:
        return f"it is a tower of level {level}", "a pit is a hole in the bare board"
    return off_top(board, pit)


ELEMENT = Element(
    word="pitfall",
    means="bottomless holes in the bare board; gang-skirmish",
    sign="o",
    synonyms=(
        "pit",
        "hole",
        "chasm",
    ),
    checks=(fitting_check("pitfall", _unfit),),
)

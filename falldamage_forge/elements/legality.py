"""Legality of a board: can it be built from the catalogue? No rules of play.

Most issues have no hint here: `remedies` finds the changes that correct them on this board.
"""

from __future__ import annotations

from falldamage_forge.board import Board
from falldamage_forge.elements import ELEMENTS
from falldamage_forge.elements.legality_tools import BuildLimits
from falldamage_forge.issues import Issue


def check_legality(board: Board, limits: BuildLimits) -> tuple[Issue, ...]:
    """Return every issue that prevents the board from being built, element by element.

    Args:
        board: The board to check.
        limits: Limits of catalogue and printer.
    """
    checks = (check for element in ELEMENTS.values() for check in element.checks)
    return tuple(issue for check in checks for issue in check(board, limits))

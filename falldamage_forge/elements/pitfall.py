"""Pitfall: a bottomless hole in the bare board."""

from __future__ import annotations

from collections.abc import Iterator

from falldamage_forge.board import Board, Fitting
from falldamage_forge.elements.element import Element, Tool
from falldamage_forge.elements.legality_tools import fitting_check, off_top
from falldamage_forge.elements.solids import Ink, square


def _unfit(board: Board, pit: Fitting) -> tuple[str, str]:
    level = board.column(pit.tile).level
    if level and level == pit.level:
        return f"it is a tower of level {level}", "a pit is a hole in the bare board"
    return off_top(board, pit)


def symbol(pit: Fitting) -> Iterator[Ink]:
    """Yield a hole that darkens inwards."""
    for half, opacity in ((0.46, 0.35), (0.38, 0.6), (0.28, 0.9)):
        yield Ink(square(half), "shade", opacity=opacity)
    yield Ink(square(0.46), "edge", 1.6, closed=True)


ELEMENT = Element(
    word="pitfall",
    means="bottomless holes in the bare board; gang-skirmish",
    sign="o",
    synonyms=("pit", "hole", "chasm"),
    checks=(fitting_check("pitfall", _unfit),),
    symbol=symbol,
    tools=(
        Tool(
            "pitfall",
            "things",
            "u",
            16,
            "pitfall {tiles}",
            {"en": "pit", "de": "Grube"},
            fill="M6 8l6-3 6 3-6 3z",
            outlined=False,
            line="M3 8l9-4.5L21 8M3 8v8l9 4.5 9-4.5V8M7.5 9.5v4.5L12 16.2l4.5-2.2V9.5",
        ),
    ),
)

"""Fairness by symmetry: a transform of the board that exchanges its two sides.

The rules know no compass, so a rotation that exchanges the sides proves a map exactly fair. A
mirror proves it only if no unit has hands: a push to the left becomes a push to the right. Callers:
`check`, `analyze`, `playtest`, the sheets of events, and the search.
"""

from __future__ import annotations

from typing import Any

from falldamage_forge.board import Board
from falldamage_forge.board.symmetry import REFLECTIONS, side_exchange
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.rules.position import Position


@dataclass(frozen=True, slots=True)
class SideExchange:
    """A transform that exchanges the sides.

    Attributes:
        transform: Key of `board.symmetry.OPERATORS`.
        hands: Titles of the units that keep the transform from being exact; empty if it is exact.
    """

    transform: str
    hands: tuple[str, ...] = ()

    @property
    def is_exact(self) -> bool:
        """True if each side has all that the other side has."""
        return not self.hands

    def json(self) -> dict[str, Any]:
        """Return the transform as JSON values."""
        return {"transform": self.transform, "hands": [*self.hands], "exact": self.is_exact}

    @property
    def text(self) -> str:
        """The statement on the map's fairness."""
        if self.is_exact:
            return f"exactly fair: {self.transform} exchanges the sides"
        *others, last = self.hands
        names = f"{', '.join(others)} and {last}" if others else last
        return f"alike but for the hands of {names}: {self.transform} exchanges the sides"


def exchange_of(position: Position) -> SideExchange | None:
    """Return the transform that exchanges the sides of a map under its rules; None if none does."""
    return exchange_on(position.board, position.game.handed)


def exchange_on(board: Board, handed: tuple[str, ...]) -> SideExchange | None:
    """Return the transform that exchanges the sides of a board; None if none does.

    Args:
        board: The board.
        handed: Titles of the units in play that a mirror changes.
    """
    transform = side_exchange(board)
    if not transform:
        return None
    return SideExchange(transform, handed if transform in REFLECTIONS else ())

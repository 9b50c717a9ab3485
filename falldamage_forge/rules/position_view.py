"""Position as a ruleset sees it: board, surfaces, units and what they reach.

`rules/position.py` implements it; a ruleset and its functions need no more.
"""

from __future__ import annotations

from typing import Protocol

from falldamage_forge.board import Board
from falldamage_forge.board.surfaces import Surface, SurfaceGraph
from falldamage_forge.rules.movement_graph import MovementGraph
from falldamage_forge.rules.unit_values import NOBODY, Occupants, Profile, UnitClass

Places = str | Surface
"""`E5`, `E5@2`, or a surface."""


class PositionView(Protocol):
    """A board under a ruleset; `Position` describes each member."""

    @property
    def board(self) -> Board:
        """The board."""

    @property
    def before(self) -> PositionView | None:
        """Position before `changes`."""

    @property
    def changes(self) -> tuple[str, ...]:
        """Changes during play, as texts."""

    @property
    def graph(self) -> SurfaceGraph:
        """Surfaces of the board and the steps between them."""

    @property
    def classes(self) -> tuple[UnitClass, ...]:
        """Units grouped by equal profiles."""

    @property
    def plain(self) -> str:
        """The plain unit."""

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides that start on the board."""

    @property
    def seen(self) -> tuple[int, ...] | None:
        """Per surface index the bit set of visible surfaces."""

    def model(self, unit: Profile, others: Occupants = NOBODY) -> MovementGraph:
        """Return the movement graph of a unit.

        Args:
            unit: Name or profile.
            others: Other units on the board.
        """

    def reached(self, unit: Profile, side: str, turns: int | None = None) -> int:
        """Return the bit set of nodes that a unit of a side reaches without damage.

        Args:
            unit: Name or profile.
            side: Name of the side.
            turns: Most turns; None for no limit.
        """

    def place(self, where: Places) -> Surface:
        """Return the surface that a text names."""

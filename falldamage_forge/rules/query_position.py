"""Position as a unit and a named query see it: with its ruleset and other units."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from falldamage_forge.board import Tile
from falldamage_forge.rules.position_view import Places, PositionView
from falldamage_forge.rules.ruleset import Ruleset
from falldamage_forge.rules.unit_values import Occupants


class QueryPosition(PositionView, Protocol):
    """A board with its ruleset; `Position` describes each member."""

    @property
    def game(self) -> Ruleset:
        """The ruleset."""

    def others(self, enemies: Iterable[Places] = (), friends: Iterable[Places] = ()) -> Occupants:
        """Return the other units on the board.

        Args:
            enemies: Surfaces, their texts, or the ruleset's own form such as `bard=E5`.
            friends: The same for friends.
        """

    def place_tile(self, text: str) -> Tile:
        """Return the tile of `E5`, even if no unit can stand there."""

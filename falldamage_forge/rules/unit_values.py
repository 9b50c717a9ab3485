"""Values about units that rulesets and positions exchange: profile, occupants, unit class."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, NamedTuple

from falldamage_forge.board.surfaces import Surface
from falldamage_forge.infra.lazy_dataclass import dataclass

Profile = Hashable
"""A unit's movement and fighting profile, or its name: a hashable frozen value of the ruleset."""


class UnitClass(NamedTuple):
    """Units that move alike.

    Attributes:
        name: Name of the first unit, which stands for the class.
        profile: Their common profile.
        units: Names of all units of the class.
    """

    name: str
    profile: Profile
    units: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Occupants:
    """Other units on the board, by surface.

    Attributes:
        enemies: Surfaces with an enemy.
        friends: Surfaces with a friend.
        cards: Units with more data than a surface, in the ruleset's own type.
    """

    enemies: frozenset[Surface] = frozenset()
    friends: frozenset[Surface] = frozenset()
    cards: tuple[Any, ...] = ()

    @property
    def taken(self) -> frozenset[Surface]:
        """All surfaces with a unit."""
        return self.enemies | self.friends


NOBODY = Occupants()

"""Modifiers of a unit for one activation, as values.

Source: the unit cards, "Treasure" and "Alternate Win Conditions" of the rulebook.
"""

from __future__ import annotations

from falldamage_forge.board import Tile
from falldamage_forge.infra.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Modifiers:
    """Everything that changes a unit for one activation; an integer counts repetitions.

    Attributes:
        intimidated: Shield Bearers next to the unit.
        poison: Round starts that the unit has spent with a Poison Mist.
        adrenal: Adrenal Depletions taken.
        carry: True if it carries the Royal Icon or the Bomb.
        quicksand: Tiles of quicksand zones, on or off the board.
        rope: Tiles of its own side's rope zones.
        unmoved: True for a turn without a Move.
        attack_plus: Attack from sacrifices and contracts.
    """

    knight_first: bool = False
    bard: bool = False
    intimidated: int = 0
    poison: int = 0
    boots: int = 0
    adrenal: int = 0
    vines: bool = False
    carry: bool = False
    crampons: int = 0
    discorporate: bool = False
    quicksand: frozenset[Tile] = frozenset()
    lead_shoes: bool = False
    rope: frozenset[Tile] = frozenset()
    unmoved: bool = False
    promo: bool = False
    drum: bool = False
    weapon: int = 0
    attack_plus: int = 0
    ethereal: int = 0
    stone: int = 0
    projector: bool = False
    phase: bool = False


NONE = Modifiers()

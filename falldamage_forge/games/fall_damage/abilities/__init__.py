"""What cards and treasure change: numbers, places, terrain. `ABILITIES` has every one by name."""

from falldamage_forge.games.fall_damage.abilities.doing import Skill
from falldamage_forge.games.fall_damage.abilities.scene import (
    Change,
    Outcome,
    Place,
    Scene,
    Standing,
    Use,
    as_table,
    auras,
)
from falldamage_forge.games.fall_damage.abilities.skills import ABILITIES

__all__ = [
    "ABILITIES",
    "Change",
    "Outcome",
    "Place",
    "Scene",
    "Skill",
    "Standing",
    "Use",
    "as_table",
    "auras",
]

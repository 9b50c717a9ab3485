"""What cards and treasure change: numbers, places, terrain. `ABILITIES` has every one by name.

Each function is pure and takes what it needs; `skills.ABILITIES` wraps them for a `Scene`.
"""

from falldamage_forge.games.fall_damage.abilities.aims import Skill
from falldamage_forge.games.fall_damage.abilities.bricks import (
    Laid,
    crumble_damage,
    crumbled,
    partition,
    raised_board,
    scaffold,
)
from falldamage_forge.games.fall_damage.abilities.ghost import Ghostly, ghost_graph
from falldamage_forge.games.fall_damage.abilities.modifiers import (
    EFFECTS,
    Modifiers,
    attack_damage,
    attack_number,
    effective_move,
    profile_under,
    unit_under,
    victim_under,
    with_effects,
)
from falldamage_forge.games.fall_damage.abilities.party import skeleton_places
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
from falldamage_forge.games.fall_damage.abilities.thrown import (
    Dive,
    catch,
    caught,
    fall_levels,
    spring_deaths,
    spring_landings,
    top_ropes,
    wind,
)
from falldamage_forge.games.fall_damage.destroy import without_tree

__all__ = [
    "ABILITIES",
    "EFFECTS",
    "Change",
    "Dive",
    "Ghostly",
    "Laid",
    "Modifiers",
    "Outcome",
    "Place",
    "Scene",
    "Skill",
    "Standing",
    "Use",
    "as_table",
    "attack_damage",
    "attack_number",
    "auras",
    "catch",
    "caught",
    "crumble_damage",
    "crumbled",
    "effective_move",
    "fall_levels",
    "ghost_graph",
    "partition",
    "profile_under",
    "raised_board",
    "scaffold",
    "skeleton_places",
    "spring_deaths",
    "spring_landings",
    "top_ropes",
    "unit_under",
    "victim_under",
    "wind",
    "with_effects",
    "without_tree",
]

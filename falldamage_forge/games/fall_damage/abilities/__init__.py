"""What cards and treasure do, asked of the engine. `ABILITIES` has every ability by name.

Everything is imported when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
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

_ROOMS = {
    "ABILITIES": "skills",
    "Change": "scene",
    "Outcome": "scene",
    "Place": "scene",
    "Scene": "scene",
    "Skill": "doing",
    "Standing": "scene",
    "Use": "scene",
    "as_table": "scene",
    "auras": "scene",
}

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


def __getattr__(name: str) -> Any:
    if name not in _ROOMS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_ROOMS[name]}"), name)

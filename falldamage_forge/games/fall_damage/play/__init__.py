"""The game itself: state, moves, rounds, effects, and `Game`, which plays it.

Everything is imported when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from falldamage_forge.games.fall_damage.play.arena import Arena
    from falldamage_forge.games.fall_damage.play.engine import apply, begin, chooser, legal, perft
    from falldamage_forge.games.fall_damage.play.game import Game, split_options
    from falldamage_forge.games.fall_damage.play.kit import Kit
    from falldamage_forge.games.fall_damage.play.moves import Move
    from falldamage_forge.games.fall_damage.play.options import Readings, readings_of
    from falldamage_forge.games.fall_damage.play.state import SIDES, State

_ROOMS = {
    "Arena": "arena",
    "Game": "game",
    "Kit": "kit",
    "Move": "moves",
    "Readings": "options",
    "SIDES": "state",
    "State": "state",
    "apply": "engine",
    "begin": "engine",
    "chooser": "engine",
    "legal": "engine",
    "perft": "engine",
    "readings_of": "options",
    "split_options": "game",
}

__all__ = [
    "SIDES",
    "Arena",
    "Game",
    "Kit",
    "Move",
    "Readings",
    "State",
    "apply",
    "begin",
    "chooser",
    "legal",
    "perft",
    "readings_of",
    "split_options",
]


def __getattr__(name: str) -> Any:
    if name not in _ROOMS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_ROOMS[name]}"), name)

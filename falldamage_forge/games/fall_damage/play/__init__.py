"""The game as values: state, moves, options, records, and `BoardGame`, which plays it.

Names are imported on first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from falldamage_forge.games.fall_damage.play.board_game import BoardGame, split_options
    from falldamage_forge.games.fall_damage.play.game_data import GameData
    from falldamage_forge.games.fall_damage.play.legal_apply import (
        advance_to_first_node,
        apply_move,
        current_player,
        legal_moves,
        perft,
    )
    from falldamage_forge.games.fall_damage.play.move_value import Move
    from falldamage_forge.games.fall_damage.play.play_options import PlayOptions, parse_play_options
    from falldamage_forge.games.fall_damage.play.state_value import SIDES, MatchContext, State

_NAMES = {
    "board_game": ("BoardGame", "split_options"),
    "game_data": ("GameData",),
    "legal_apply": (
        "advance_to_first_node", "apply_move", "current_player", "legal_moves", "perft",
    ),
    "move_value": ("Move",),
    "play_options": ("PlayOptions", "parse_play_options"),
    "state_value": ("SIDES", "MatchContext", "State"),
}  # fmt: skip
_MODULES = {name: module for module, names in _NAMES.items() for name in names}

__all__ = [
    "SIDES",
    "BoardGame",
    "GameData",
    "MatchContext",
    "Move",
    "PlayOptions",
    "State",
    "advance_to_first_node",
    "apply_move",
    "current_player",
    "legal_moves",
    "parse_play_options",
    "perft",
    "split_options",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)

"""The game itself: state, moves, rounds, effects, and `Game`, which plays it."""

from falldamage_forge.games.fall_damage.play.arena import Arena
from falldamage_forge.games.fall_damage.play.engine import apply, begin, chooser, legal, perft
from falldamage_forge.games.fall_damage.play.game import Game, split_options
from falldamage_forge.games.fall_damage.play.kit import Kit
from falldamage_forge.games.fall_damage.play.moves import Move
from falldamage_forge.games.fall_damage.play.options import Readings, readings_of
from falldamage_forge.games.fall_damage.play.state import SIDES, State

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

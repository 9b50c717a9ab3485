"""A match of play mode as a value: text and moves, or a seat of a game by link."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import refuse
from falldamage_forge.playtest.bot_names import BOT_NAMES

if TYPE_CHECKING:
    from falldamage_forge.games.fall_damage.play.board_game import Undo
    from falldamage_forge.playtest.link_game import Seat

HAND = "hand"
PLAYERS = (HAND, *BOT_NAMES)
"""Players of a side: a person, or a bot."""
FRIEND = "friend"
"""The other player of a game by link."""
MOST_SEED = 2**31
LISTED = {"placement": "listed"}
"""Options of a game with drawn teams: the i-th card stands on the i-th start surface."""


@dataclass(frozen=True, slots=True)
class PlayMatch:
    """A game on a text: the player of each side (`hand`, or a bot's name), and the moves so far.

    With `draw` the teams are drawn and placed in order; else moves draft and place them. A game by
    link has its moves in `seat`. `undos` are the moves taken back.
    """

    text: str
    name: str
    red: str
    blue: str
    seed: int
    draw: bool
    moves: tuple[str, ...] = ()
    seat: Seat | None = None
    undos: tuple[Undo, ...] = ()

    def player(self, side: str) -> str:
        """Return the player of a side."""
        return self.red if side == "red" else self.blue


def checked_match(text: str, name: str, values: dict[str, Any]) -> PlayMatch:
    """Return a new match; ForgeError (FDF383) for an unknown player or a wrong seed.

    Args:
        text: Text of the map.
        name: Name of its file.
        values: Players, seed and options, as the client sent them.
    """
    red, blue = (str(values.get(side, HAND)) for side in ("red", "blue"))
    if not {red, blue} <= {*PLAYERS}:
        raise refuse("FDF383", f"a side is played by `{HAND}`, or by {', '.join(BOT_NAMES)}")
    seed = values.get("seed", 1)
    if type(seed) is not int or not 0 <= seed < MOST_SEED:
        raise refuse("FDF383", f"`seed` is a whole number up to {MOST_SEED - 1}")
    return PlayMatch(text, name, red, blue, seed, bool(values.get("draw", True)))

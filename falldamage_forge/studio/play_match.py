"""A match of play mode as a value: text and moves, or a seat of a game by link.

Its game is computed from it; the last few are cached.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import refuse
from falldamage_forge.playtest.bot_names import BOT_NAMES

if TYPE_CHECKING:
    from falldamage_forge.board import Board
    from falldamage_forge.games.fall_damage.options import FallDamageOptions
    from falldamage_forge.games.fall_damage.play import BoardGame
    from falldamage_forge.games.fall_damage.play.board_game import Undo
    from falldamage_forge.playtest.link_game import Seat
    from falldamage_forge.studio.session import Session

HAND = "hand"
PLAYERS = (HAND, *BOT_NAMES)
"""Players of a side: a person, or a bot."""
FRIEND = "friend"
"""The other player of a game by link."""
MOST_SEED = 2**31
LISTED = {"placement": "listed"}
"""Options of a game with drawn teams: the i-th card stands on the i-th start surface."""
MOST_GAMES = 4
"""Greatest number of cached games: the match now, and those that its pages may go back to."""
_games: OrderedDict[PlayMatch, BoardGame] = OrderedDict()


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


def ground_of(session: Session) -> tuple[Board, FallDamageOptions]:
    """Return board and rules of a session's map; ForgeError (FDF366) if it cannot be played."""
    from falldamage_forge.games.fall_damage.ruleset import FallDamage
    from falldamage_forge.studio.session import forge, map_of

    checked = forge().check(map_of(session))
    if not checked.ok:
        raise refuse("FDF366", "the map cannot be played yet")
    rules, _ = forge().game(checked.map)
    if not isinstance(rules, FallDamage):
        raise refuse("FDF366", f"the map is for `{rules.name}`; only Fall Damage is played here")
    return checked.map.board, rules.options


def started(session: Session, match: PlayMatch) -> BoardGame:
    """Return the game of a new match on a session's map; ForgeError as `ground_of`.

    Args:
        session: Session of the map.
        match: Match without moves.
    """
    from falldamage_forge import presets
    from falldamage_forge.games.fall_damage.play import BoardGame
    from falldamage_forge.games.fall_damage.play.split_mix import SplitMix64
    from falldamage_forge.playtest.game_series import drawn_team

    board, rules = ground_of(session)
    kit = presets.load_kit()
    if not match.draw:
        return BoardGame(board, kit, rules=rules, seed=match.seed, undos=match.undos)
    dice = SplitMix64(match.seed)
    teams = drawn_team(kit, dice), drawn_team(kit, dice)
    return BoardGame(
        board, kit, LISTED, rules=rules, teams=teams, seed=match.seed, undos=match.undos
    )


def game_of(match: PlayMatch) -> BoardGame:
    """Return the game of a match.

    Raises:
        ForgeError: FDF383 if a move is not legal, or a game by link has not begun.
    """
    from falldamage_forge.studio import link_play
    from falldamage_forge.studio.session import Session

    if match.seat is not None:
        return link_play.game_of(match.seat)
    found = _games.get(match)
    if found is None:
        found = started(Session(match.text, match.name), replace(match, moves=()))
        for move in match.moves:
            found.push(move)
    remember(match, found)
    return found


def remember(match: PlayMatch, game: BoardGame) -> None:
    """Cache the game of a match.

    Args:
        match: Match as it stands.
        game: Its game.
    """
    _games[match] = game
    _games.move_to_end(match)
    while len(_games) > MOST_GAMES:
        _games.popitem(last=False)


def moves_of(match: PlayMatch) -> tuple[str, ...]:
    """Return the moves and chance outcomes of a match so far."""
    from falldamage_forge.studio import link_play

    return match.moves if match.seat is None else link_play.moves_of(match.seat)


def record_text(match: PlayMatch | None) -> str:
    """Return the record of a match as JSON, for `fdforge replay`.

    Raises:
        ForgeError: FDF383 if no game is on, or a game by link is not over.
    """
    from falldamage_forge.studio import link_play

    if match is None:
        raise refuse("FDF383", "no game is on")
    seat = match.seat
    table = game_of(match).record() if seat is None else link_play.record_of(seat)
    return json.dumps(table, indent=1) + "\n"

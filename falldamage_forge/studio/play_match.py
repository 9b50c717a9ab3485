"""Game of a match: computed from the match's text and moves; the last few are cached."""

from __future__ import annotations

import json
from collections import OrderedDict
from dataclasses import replace
from typing import TYPE_CHECKING

from falldamage_forge.issues import refuse
from falldamage_forge.studio import link_play
from falldamage_forge.studio.match_value import LISTED, PlayMatch
from falldamage_forge.studio.playable_map import ground_of
from falldamage_forge.studio.session import Session

if TYPE_CHECKING:
    from falldamage_forge.games.fall_damage.play import BoardGame

MOST_GAMES = 4
"""Greatest number of cached games: the match now, and those that its pages may go back to."""
_games: OrderedDict[PlayMatch, BoardGame] = OrderedDict()


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
    return match.moves if match.seat is None else link_play.moves_of(match.seat)


def record_text(match: PlayMatch | None) -> str:
    """Return the record of a match as JSON, for `fdforge replay`.

    Raises:
        ForgeError: FDF383 if no game is on, or a game by link is not over.
    """
    if match is None:
        raise refuse("FDF383", "no game is on")
    seat = match.seat
    table = game_of(match).record() if seat is None else link_play.record_of(seat)
    return json.dumps(table, indent=1) + "\n"

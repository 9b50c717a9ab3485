"""Games by link in play mode, and saved games of any kind: JSON that the page's browser stores."""

from __future__ import annotations

import json
import secrets
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from falldamage_forge import presets
from falldamage_forge.issues import refuse
from falldamage_forge.playtest import link_code, link_game
from falldamage_forge.studio.match_value import (
    FRIEND,
    HAND,
    LISTED,
    PlayMatch,
    checked_match,
)
from falldamage_forge.studio.message_tables import board_table
from falldamage_forge.studio.playable_map import ground_of
from falldamage_forge.studio.session import Session

if TYPE_CHECKING:
    from falldamage_forge.games.fall_damage.play import BoardGame
    from falldamage_forge.games.fall_damage.play.board_game import Undo
    from falldamage_forge.games.fall_damage.play.state_value import Teams
    from falldamage_forge.playtest.link_game import Seat, Table

NAME = "map.forge"


# -- maps ------------------------------------------------------------------------------------------


def _reference(text: str) -> str:
    """Return `@NAME DIGEST` for the text of a preset map, else the text."""
    for name in presets.map_names():
        if presets.map_text(name) == text:
            return f"@{name} {_digest(text)}"
    return text


def _digest(text: str) -> str:
    return link_code.word(link_code.digest("map", text.encode()))[:8]


def _map_text(reference: str) -> str:
    """Return the text of a table's map; ForgeError (FDF384) for a preset that differs here."""
    if not reference.startswith("@"):
        return reference
    name, _, digest = reference[1:].partition(" ")
    if name in presets.map_names():
        text = presets.map_text(name)
        if _digest(text) == digest:
            return text
    hint = "both players need the same version of the studio"
    raise link_code.broken(f"the map `{name}` is unknown, or differs in this studio", hint)


def _begin(table: Table, teams: Teams) -> BoardGame:
    from falldamage_forge.games.fall_damage.play import BoardGame

    board, rules = ground_of(Session(_map_text(table.map), NAME))
    options = {**LISTED, "round_limit": table.rounds, "at_limit": "health"}
    return BoardGame(board, presets.load_kit(), options, rules=rules, teams=teams)


def _check_ground(table: Table) -> None:
    """Refuse a map on which drawn teams cannot be placed; ForgeError (FDF366, FDF381)."""
    from falldamage_forge.games.fall_damage.play.split_mix import SplitMix64
    from falldamage_forge.playtest.game_series import drawn_team

    team = drawn_team(presets.load_kit(), SplitMix64(0))
    _begin(table, (team, team))


# -- games by link ---------------------------------------------------------------------------------


def offered(session: Session, rounds: object) -> PlayMatch:
    """Return red's match of a new game by link on the session's map.

    Args:
        session: Session of the map.
        rounds: Number of rounds, as the client sent it.

    Raises:
        ForgeError: FDF366 or FDF381 if the map cannot be played, FDF383 for a wrong number of
            rounds.
    """
    if type(rounds) is not int or not 1 <= rounds <= link_game.MOST_ROUNDS:
        raise refuse("FDF383", f"`rounds` is a whole number from 1 to {link_game.MOST_ROUNDS}")
    secret = secrets.token_bytes(link_code.SIZE)
    seat = link_game.offer(_reference(session.text), rounds, secret)
    _check_ground(seat.table)
    return _match(seat)


def received(code: str, saved: object) -> PlayMatch:
    """Return the match after a link.

    Args:
        code: The link's code.
        saved: The saved game that it continues; None for an invitation.

    Raises:
        ForgeError: FDF384 if the link is refused, FDF366 or FDF381 if its map cannot be played.
    """
    if saved is not None:
        seat = read_match(saved).seat
        if seat is None:
            raise refuse("FDF384", "the saved game is not a game by link")
        return _match(link_game.receive(seat, code, _begin))
    _check_ground(link_game.read_table(code))
    return _match(link_game.join(code, secrets.token_bytes(link_code.SIZE), _begin))


def moved(seat: Seat, move: str) -> Seat:
    """Return a seat after a decision of its player.

    Args:
        seat: Seat of the player.
        move: Decision in the notation of moves.
    """
    return link_game.make(seat, move, _begin)


def game_of(seat: Seat) -> BoardGame:
    """Return the game as a player sees it; ForgeError (FDF383) before it has begun."""
    game = link_game.game_of(seat, _begin)
    if game is None:
        raise refuse("FDF383", "the game has not begun: send your link")
    return game


def has_begun(seat: Seat) -> bool:
    """True if both players have made the first roll possible."""
    return link_game.game_of(seat, _begin) is not None


def moves_of(seat: Seat) -> tuple[str, ...]:
    """Return the moves so far, without the places of items that the player does not know."""
    return link_game.log_of(seat, _begin)


def record_of(seat: Seat) -> dict[str, Any]:
    """Return the record of a game by link that is over."""
    return link_game.record_of(seat, _begin)


def link_table(seat: Seat | None) -> dict[str, Any] | None:
    """Return the part of a game's message about its link."""
    if seat is None:
        return None
    return {
        "side": ("red", "blue")[seat.side],
        "code": link_game.link_of(seat),
        "begun": has_begun(seat),
        "complete": link_game.is_complete(seat),
        "rounds": seat.table.rounds,
    }


def before_game(match: PlayMatch) -> dict[str, Any]:
    """Return the fields of a game by link that has not begun: its board alone."""
    board, _ = ground_of(Session(match.text, NAME))
    return {
        **dict.fromkeys(("over", "hand"), False),
        **dict.fromkeys(("result", "active", "unit_of_turn"), None),
        **dict.fromkeys(("round", "count", "all"), 0),
        "turn": "chance",
        "node": "",
        "players": (match.red, match.blue),
        "drawn": match.draw,
        "waits": True,
        "board": board_table(board),
        **{name: [] for name in ("units", "moves", "log")},
    }


def _match(seat: Seat) -> PlayMatch:
    players = (HAND, FRIEND) if seat.side == 0 else (FRIEND, HAND)
    return PlayMatch(_map_text(seat.table.map), NAME, *players, 0, True, (), seat)


# -- saved games -----------------------------------------------------------------------------------


def identity(match: PlayMatch) -> str:
    """Return the name under which a page stores a match: the code of its link begins with it."""
    if match.seat is not None:
        return link_code.word(match.seat.table.ends[0])
    return f"{_digest(match.text)}-{match.seed}"


def saved_text(match: PlayMatch) -> str:
    """Return a match as JSON."""
    if match.seat is not None:
        table: dict[str, Any] = {"seat": link_game.seat_json(match.seat)}
    else:
        names = ("text", "red", "blue", "seed", "draw", "moves", "undos")
        table = {name: getattr(match, name) for name in names}
    return json.dumps(table)


def _undo(at: object, moves: object) -> Undo:
    """Return an undo of a saved match; TypeError if its values are not numbers."""
    from falldamage_forge.games.fall_damage.play.board_game import Undo

    if type(at) is not int or type(moves) is not int or at < 0 or moves < 1:
        raise TypeError("it is no undo")
    return Undo(at, moves)


def read_match(saved: object) -> PlayMatch:
    """Return a saved match.

    Raises:
        ForgeError: FDF384 if it is none, FDF383 if a move of it is not legal.
    """
    try:
        table = json.loads(str(saved))
        if "seat" in table:
            return _match(link_game.read_seat(table["seat"]))
        text, moves = table["text"], table["moves"]
        if not isinstance(text, str) or not isinstance(moves, list):
            raise TypeError("it is no match")
        undos = tuple(_undo(*undo) for undo in table.get("undos", []))
        made = tuple(map(str, moves))
        return replace(checked_match(text, NAME, table), moves=made, undos=undos)
    except (ValueError, KeyError, TypeError, RecursionError):
        hint = "start a new game, or open your last link"
        raise refuse("FDF384", "the saved game cannot be read", hint) from None

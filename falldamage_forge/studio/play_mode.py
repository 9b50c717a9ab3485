"""Play mode: the game on the studio's map, by people at one screen, against bots, or by link.

Each command makes a match of the one before.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from falldamage_forge.issues import ForgeError, refuse
from falldamage_forge.studio.match_value import HAND, PlayMatch, checked_match
from falldamage_forge.studio.play_match import (
    game_of,
    moves_of,
    record_text,
    remember,
    started,
)
from falldamage_forge.studio.play_message import match_message
from falldamage_forge.studio.protocol import message

if TYPE_CHECKING:
    from falldamage_forge.games.fall_damage.play import BoardGame
    from falldamage_forge.studio.session import Session

HINT = "hint"
"""The slow request that `hint_message` answers."""
MOST_BOTS = 60
"""Greatest number of bot moves per message; without a human player the page asks for more."""


def play(session: Session, do: str, values: dict[str, Any]) -> tuple[Session, dict[str, Any]]:
    """Run a command of play mode; errors are messages.

    Args:
        session: The session.
        do: One of `begin`, `move`, `back`, `next`, `leave`, `offer`, `link`, `resume`, `show`,
            `record`.
        values: For `begin`: red, blue, seed, draw; for `move`: the move's text; for `offer`:
            rounds; for `link`: code, and the saved game or null; for `resume`: the saved game;
            for `show`: the number of moves.

    Returns:
        The session afterwards, and the message for the page.
    """
    try:
        if do == "record":
            return session, message("record", text=record_text(session.match))
        if do == "show":
            return session, match_message(session.match, values.get("at"))
        after = _after(session, do, values)
        return replace(session, match=after), match_message(after)
    except ForgeError as error:
        return session, message("error", message=error.issues[0].message, of=do)


def _after(session: Session, do: str, values: dict[str, Any]) -> PlayMatch | None:
    from falldamage_forge.studio import link_play

    match = session.match
    if do == "begin":
        return _on(_begun(session, values))
    if do == "offer":
        return link_play.offered(session, values.get("rounds"))
    if do == "link":
        return link_play.received(str(values.get("code")), values.get("saved"))
    if do == "resume":
        return _on(link_play.read_match(values.get("saved")))
    if match is None or do == "leave":
        return None
    if do == "move":
        return _on(_pushed(match, str(values.get("move", ""))))
    if do == "back" and match.seat is None:
        return _taken_back(match)
    return _on(match)


def _begun(session: Session, values: dict[str, Any]) -> PlayMatch:
    match = checked_match(session.text, session.name, values)
    remember(match, started(session, match))
    return match


def _decided(match: PlayMatch) -> BoardGame:
    """Return the game of a match in which a person decides; ForgeError (FDF383) otherwise."""
    game = game_of(match)
    if game.over or match.player(game.turn) != HAND:
        raise refuse("FDF383", "it is not your turn")
    return game


def hint_message(session: Session) -> dict[str, Any]:
    """Return the move of the strongest bot that answers within seconds; slow.

    Raises:
        ForgeError: FDF383 if no person decides.
    """
    from falldamage_forge.playtest.bots import hint

    if session.match is None:
        raise refuse("FDF383", "no game is on")
    count = len(moves_of(session.match))
    bot, move = hint(_decided(session.match).state, session.match.seed + count)
    return message("hint", count=count, bot=bot, move=str(move))


def _pushed(match: PlayMatch, move: str) -> PlayMatch:
    if match.seat is not None:
        from falldamage_forge.studio import link_play

        return replace(match, seat=link_play.moved(match.seat, move))
    game = _decided(match).copy()
    after = replace(match, moves=(*match.moves, str(game.push(move))))
    remember(after, game)
    return after


def _on(match: PlayMatch) -> PlayMatch:
    """Play chance nodes and bots until a human decides, or up to MOST_BOTS moves."""
    if match.seat is not None:
        return match
    from falldamage_forge.playtest.bots import BOTS, choose_move

    game, moves = game_of(match).copy(), list(match.moves)
    for _ in range(MOST_BOTS):
        if game.over:
            break
        if game.turn == "chance":
            moves.append(str(game.roll()))
            continue
        player = match.player(game.turn)
        if player == HAND:
            break
        found = choose_move(BOTS[player], game.state, game.bot_dice)
        moves.append(str(game.push(found)))
    after = replace(match, moves=tuple(moves))
    remember(after, game)
    return after


def _taken_back(match: PlayMatch) -> PlayMatch:
    """Return the match at the last human decision, which no chance outcome follows.

    The match counts the undo. ForgeError (FDF383) if a die or coin was thrown since that decision,
    so that no player learns a roll and decides again; or if there is no such decision.
    """
    game = game_of(match).copy()
    chance = False
    while game.moves:
        game.pop()
        if game.turn != "chance" and match.player(game.turn) == HAND:
            break
        chance |= game.turn == "chance"
    else:
        raise refuse("FDF383", "there is no step of yours to take back")
    if chance:
        raise refuse("FDF383", "a die or coin was thrown since your last step: it stays")
    after = replace(match, moves=match.moves[: len(game.moves)], undos=game.undos)
    remember(after, game)
    return after

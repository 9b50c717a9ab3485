"""Play mode: the game on the studio's map, by people at one screen, against bots, or by link.

A match is a value: text and moves, or a seat of a game by link. Its game is computed from it; the
last few are cached.
"""

from __future__ import annotations

import json
import re
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import ForgeError, refuse
from falldamage_forge.playtest.bot_names import BOT_NAMES
from falldamage_forge.studio.protocol import board_table, message

if TYPE_CHECKING:
    from falldamage_forge.board import Board
    from falldamage_forge.games.fall_damage.options import FallDamageOptions
    from falldamage_forge.games.fall_damage.play import BoardGame
    from falldamage_forge.games.fall_damage.play.move_value import Move
    from falldamage_forge.games.fall_damage.play.state_value import State
    from falldamage_forge.playtest.link_game import Seat
    from falldamage_forge.studio.session import Session

HAND = "hand"
PLAYERS = (HAND, *BOT_NAMES)
"""Players of a side: a person, or a bot."""
HINT = "hint"
"""The slow request that `hint_message` answers."""
FRIEND = "friend"
"""The other player of a game by link."""
MOST_BOTS = 60
"""Greatest number of bot moves per message; without a human player the page asks for more."""
MOST_SEED = 2**31
LOG = 40
NUMBERED = frozenset({"deck", "ladder"})
"""Words whose number is their own in the notation of a move; other numbers are units."""
FORESEEN = frozenset({"move", "act", "take", "drop", "free"})
"""Kinds of moves that can hurt or push."""
LISTED = {"placement": "listed"}
"""Options of a game with drawn teams: the i-th card stands on the i-th start surface."""
NUMBER = re.compile(r"\b(?:red|blue) [\w-]+ (\d+)")
"""A unit in a forecast: side, card, number."""
_games: OrderedDict[PlayMatch, BoardGame] = OrderedDict()


@dataclass(frozen=True, slots=True)
class PlayMatch:
    """A game on a text: the player of each side (`hand`, or a bot's name), and the moves so far.

    With `draw` the teams are drawn and placed in order; else moves draft and place them. A game by
    link has its moves in `seat`.
    """

    text: str
    name: str
    red: str
    blue: str
    seed: int
    draw: bool
    moves: tuple[str, ...] = ()
    seat: Seat | None = None

    def player(self, side: str) -> str:
        """Return the player of a side."""
        return self.red if side == "red" else self.blue


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
        return session, message("error", message=error.issues[0].message)


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


def checked_match(text: str, name: str, values: dict[str, Any]) -> PlayMatch:
    """Return a new match; ForgeError (FDF383) for an unknown player or a wrong seed."""
    red, blue = (str(values.get(side, HAND)) for side in ("red", "blue"))
    if not {red, blue} <= {*PLAYERS}:
        raise refuse("FDF383", f"a side is played by `{HAND}`, or by {', '.join(BOT_NAMES)}")
    seed = values.get("seed", 1)
    if type(seed) is not int or not 0 <= seed < MOST_SEED:
        raise refuse("FDF383", f"`seed` is a whole number up to {MOST_SEED - 1}")
    return PlayMatch(text, name, red, blue, seed, bool(values.get("draw", True)))


def _begun(session: Session, values: dict[str, Any]) -> PlayMatch:
    match = checked_match(session.text, session.name, values)
    _games[match] = _started(session, match)
    return match


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


def _started(session: Session, match: PlayMatch) -> BoardGame:
    from falldamage_forge import presets
    from falldamage_forge.games.fall_damage.play import BoardGame
    from falldamage_forge.games.fall_damage.play.split_mix import SplitMix64
    from falldamage_forge.playtest.game_series import drawn_team

    board, rules = ground_of(session)
    kit = presets.load_kit()
    if not match.draw:
        return BoardGame(board, kit, rules=rules, seed=match.seed)
    dice = SplitMix64(match.seed)
    teams = drawn_team(kit, dice), drawn_team(kit, dice)
    return BoardGame(board, kit, LISTED, rules=rules, teams=teams, seed=match.seed)


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
        found = _started(Session(match.text, match.name), replace(match, moves=()))
        for move in match.moves:
            found.push(move)
        _games[match] = found
    _games.move_to_end(match)
    while len(_games) > 4:  # the match now, and those that its pages may go back to
        _games.popitem(last=False)
    return found


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


def _pushed(match: PlayMatch, move: str) -> PlayMatch:
    if match.seat is not None:
        from falldamage_forge.studio import link_play

        return replace(match, seat=link_play.moved(match.seat, move))
    game = _decided(match).copy()
    after = replace(match, moves=(*match.moves, str(game.push(move))))
    _games[after] = game
    return after


def _on(match: PlayMatch) -> PlayMatch:
    """Play chance nodes and bots until a human decides, or up to MOST_BOTS moves."""
    if match.seat is not None:
        return match
    from falldamage_forge.games.fall_damage.play.split_mix import SplitMix64
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
        found = choose_move(BOTS[player], game.state, SplitMix64(match.seed + len(moves)))
        moves.append(str(game.push(found)))
    after = replace(match, moves=tuple(moves))
    _games[after] = game
    return after


def _taken_back(match: PlayMatch) -> PlayMatch:
    """Return the match at the last human decision."""
    game, moves = game_of(match).copy(), list(match.moves)
    while moves:
        game.pop()
        moves.pop()
        if game.turn != "chance" and match.player(game.turn) == HAND:
            break
    after = replace(match, moves=tuple(moves))
    _games[after] = game
    return after


def match_message(match: PlayMatch | None, at: object = None) -> dict[str, Any]:
    """Return the state of a match: units, legal moves with their tiles, the last events.

    Args:
        match: The match; None if no game is on.
        at: Number of moves after which a game that is over is shown; None: its end.
    """
    from falldamage_forge.studio import link_play

    if match is None:
        return message("game", on=False)
    told = {"saved": link_play.saved_text(match), "id": link_play.identity(match)}
    link = link_play.link_table(match.seat)
    if link and not link["begun"]:
        return message("game", on=True, link=link, **told, **link_play.before_game(match))
    from falldamage_forge import presets
    from falldamage_forge.games.fall_damage.play.surface_number import spot_name

    game, log = game_of(match), moves_of(match)
    most = len(log)
    if type(at) is int and game.over:
        game = game.copy()
        while len(game.moves) > max(at, 0):
            game.pop()
        log = log[: len(game.moves)]
    state = game.state
    cards = presets.load_kit().cards
    titles = [cards[unit.card].title if unit.card else "" for unit in state.units]
    placed = [
        f"{title} {spot_name(unit.spot)}" if unit.spot >= 0 else title
        for title, unit in zip(titles, state.units, strict=True)
    ]
    player = "" if game.over or game.turn == "chance" else match.player(game.turn)
    hand = player == HAND and len(log) == most
    board = board_table(state.land.board())
    board["chests"] = [_place(spot) for spot in state.chests]
    board["starts"] = []
    return message(
        "game",
        on=True,
        over=len(log) < most or game.over,
        result=game_of(match).result,
        round=state.round,
        turn=game.turn,
        node=game.node,
        hand=hand,
        waits=player == FRIEND or (link is not None and game.turn == "chance"),
        active=state.active,
        board=board,
        units=[
            {
                "number": number,
                "side": "red" if unit.side == 0 else "blue",
                "title": titles[number],
                "card": unit.card,
                "place": _place(unit.spot) if unit.spot >= 0 else None,
                "health": unit.health,
                "most": unit.max_health,
                "done": unit.activated,
            }
            for number, unit in enumerate(state.units)
        ],
        moves=[_move(move, state, int(game.turn == "blue"), placed) for move in game.legal_moves]
        if hand
        else [],
        log=[move_words(text, titles) for text in log[-LOG:]],
        count=len(log),
        all=most,
        link=link,
        **told,
    )


def move_words(text: str, names: Sequence[str]) -> str:
    """Return the notation of a move with names in the place of unit numbers.

    Args:
        text: The notation, such as `unit 3` or `attack 11`; `die 4` has no unit.
        names: The name of each unit.
    """
    kind, *parts = text.split()
    if kind == "die":
        return text
    known = dict(zip(map(str, range(len(names))), names, strict=True))
    before = [kind, *parts]
    named = [
        part if before[at] in NUMBERED else known.get(part, part) for at, part in enumerate(parts)
    ]
    return " ".join([kind] * (kind != "unit") + named)


def _effects(state: State, move: Move, side: int, names: Sequence[str]) -> list[str]:
    """Return the effects of a move that its side can foresee, with names of units."""
    from falldamage_forge.playtest.text_board import forecast

    if move.kind not in FORESEEN:
        return []
    found = forecast(state, move, side)
    return [NUMBER.sub(lambda unit: names[int(unit[1])], words) for words in found]


def _move(move: Move, state: State, side: int, names: Sequence[str]) -> dict[str, Any]:
    """Return a move with the tiles that it names, or those of its units."""
    spots = [spot for spot in move.spots if spot >= 0]
    if not spots and move.tile >= 0:
        spots = [move.tile << 4]
    if not spots:
        spots = [state.units[number].spot for number in move.units if number < len(state.units)]
    return {
        "text": str(move),
        "kind": move.name or move.kind,
        "words": move_words(str(move), names),
        "effects": _effects(state, move, side, names),
        "place": _place(spots[-1]) if spots and spots[-1] >= 0 else None,
    }


def _place(spot: int) -> list[int]:
    """Return row, column and level."""
    return [spot >> 10, spot >> 4 & 63, spot & 15]

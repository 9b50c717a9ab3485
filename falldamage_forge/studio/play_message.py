"""Message of a match: units, legal moves with their tiles and effects, the last events."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from falldamage_forge.studio.match_value import FRIEND, HAND, PlayMatch
from falldamage_forge.studio.message_tables import board_table
from falldamage_forge.studio.play_match import game_of, moves_of
from falldamage_forge.studio.protocol import message

if TYPE_CHECKING:
    from falldamage_forge.games.fall_damage.play.game_data import CardForm
    from falldamage_forge.games.fall_damage.play.move_value import Move
    from falldamage_forge.games.fall_damage.play.state_value import State, Unit

LOG = 40
WORDS = {"deck": "bridge", "ladder": "ladder"}
"""Names of terrain that a move's notation numbers: a person names it by its tile."""
FORESEEN = frozenset({"move", "act", "take", "drop", "free"})
"""Kinds of moves that can hurt or push."""
ACTS = {
    "ability": "Choose an Ability", "attack rooted": "Rooted Attack", "card": "Choose a Card",
    "coin": "Name a Coin", "draft": "Draft a Card", "drop": "Put Down", "end": "End Activation",
    "end_turn": "End Turn", "free": "Free Move", "hand on": "Hand On", "heal": "Heal a Unit",
    "keep": "Keep It", "land": "Land Here", "length": "Choose a Length", "no push": "No Push",
    "place": "Place a Unit", "place skeleton": "Place a Skeleton", "push": "Push Them",
    "quicksand": "Quicksand Urn", "side": "Choose a Side", "sink": "Sink a Tile",
    "stats": "Choose Values", "stay": "Stay Here", "take": "Pick Up", "tile": "Choose a Tile",
    "total": "Choose a Total", "unit": "Choose a Unit", "way": "Choose a Direction",
    "wind": "Let It Blow",
}  # fmt: skip
"""Titles of kinds of moves that are not named like an ability or an item."""
NUMBER = re.compile(r"\b(?:red|blue) [\w-]+ (\d+)")
"""A unit in a forecast: side, card, number."""


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
    from falldamage_forge.board import Chest
    from falldamage_forge.games.fall_damage.play.surface_number import spot_name, surface_of

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
    chests = tuple(Chest(at.tile, at.level) for at in map(surface_of, state.chests))
    board = board_table(replace(state.land.board(), treasures=chests, starts=()))
    return message(
        "game",
        on=True,
        over=len(log) < most or game.over,
        result=game_of(match).result,
        round=state.round,
        turn=game.turn,
        node=game.node,
        hand=hand,
        players=(match.red, match.blue),
        drawn=match.draw,
        waits=player == FRIEND or (link is not None and game.turn == "chance"),
        active=state.active,
        unit_of_turn=None if game.over else _unit_of_turn(state),
        board=board,
        units=[_unit(number, unit, cards) for number, unit in enumerate(state.units)],
        moves=[_move(move, state, int(game.turn == "blue"), placed) for move in game.legal_moves]
        if hand
        else [],
        log=[move_words(text, titles) for text in log[-LOG:]],
        count=len(log),
        all=most,
        link=link,
        **told,
    )


def _unit_of_turn(state: State) -> list[int] | None:
    """Return the number of the unit in its turn, and how many the turn has; None before turns."""
    if state.round < 1 or state.left_in_turn < 1 or state.to_act < 0:
        return None
    from falldamage_forge.games.fall_damage.engine.simulator import simulator_of
    from falldamage_forge.games.fall_damage.engine.transition import ready

    sim = simulator_of(state.ctx)
    sim.take(state)
    columns = sim.columns
    begun = columns.turn_units - state.left_in_turn
    left = sum(
        columns.side[i] == state.to_act and ready(columns, i) for i in range(columns.n_units)
    )
    return [begun + 1, begun + min(state.left_in_turn, left)] if left else None


def move_words(text: str, names: Sequence[str]) -> str:
    """Return the notation of a move with names in the place of unit numbers, terrain by its tile.

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
        WORDS.get(part, known.get(part, part))
        for at, part in enumerate(parts)
        if before[at] not in WORDS
    ]
    return " ".join([kind] * (kind != "unit") + named)


def act_title(kind: str) -> str:
    """Return the title of a kind of moves, such as `Throw Potion`."""
    return ACTS.get(kind) or kind.replace("-", " ").title()


def _forecast(state: State, move: Move, side: int, names: Sequence[str]) -> dict[str, Any]:
    """Return the effects of a move that its side can foresee, and the health that they leave."""
    from falldamage_forge.playtest.forecast import Forecast, forecast

    found = forecast(state, move, side) if move.kind in FORESEEN else Forecast()
    return {
        "effects": [
            {
                "kind": effect.kind,
                "words": NUMBER.sub(lambda unit: names[int(unit[1])], effect.words),
                "unit": effect.unit if effect.unit >= 0 else None,
                "figure": effect.figure,
                "place": _place(effect.spot) if effect.spot >= 0 else None,
            }
            for effect in found.effects
        ],
        "health": [*found.health.items()],
    }


def _move(move: Move, state: State, side: int, names: Sequence[str]) -> dict[str, Any]:
    """Return a move with the tiles that it names, or those of its units."""
    spots = [spot for spot in move.spots if spot >= 0]
    if not spots and move.tile >= 0:
        spots = [move.tile << 4]
    if not spots:
        spots = [state.units[number].spot for number in move.units if number < len(state.units)]
    return {
        "text": str(move),
        "kind": (kind := move.name or move.kind),
        "act": act_title(kind),
        "words": move_words(str(move), names),
        **_forecast(state, move, side, names),
        "place": _place(spots[-1]) if spots and spots[-1] >= 0 else None,
    }


def _unit(number: int, unit: Unit, cards: Mapping[str, CardForm]) -> dict[str, Any]:
    """Return a unit with what its card prints."""
    from falldamage_forge import presets
    from falldamage_forge.playtest.text_board import abilities_of

    card = cards.get(unit.card)
    able = abilities_of(presets.load_units(), card.name) if card else []
    return {
        "number": number,
        "side": "red" if unit.side == 0 else "blue",
        "title": card.title if card else "",
        "card": unit.card,
        "role": card.unit_class if card else "",
        "facts": _facts(card) if card else [],
        "abilities": [(one.name, one.text) for one in able],
        "place": _place(unit.spot) if unit.spot >= 0 else None,
        "health": unit.health,
        "most": unit.max_health,
        "done": unit.activated,
    }


def _facts(card: CardForm) -> list[tuple[str, str]]:
    """Return the numbers of a card by name; those that it does not print are left out."""
    from falldamage_forge.games.fall_damage.engine.codes import UNLIMITED

    jump = "∞" if card.jump >= UNLIMITED else str(card.jump)
    return [
        ("move", str(card.move)),
        ("jump", jump),
        ("attack", str(card.attack)),
        *([("reach", str(card.reach))] if card.own_reach else []),
        *([("push", f"{card.letter}{card.push}")] if card.letter else []),
    ]


def _place(spot: int) -> list[int]:
    """Return row, column and level."""
    return [spot >> 10, spot >> 4 & 63, spot & 15]

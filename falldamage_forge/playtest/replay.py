"""One offline page that plays a recorded game: the board drawn in space, a slider, what happened.

The page holds the game as a list of frames; a few dozen lines of script draw them on a canvas, from
any side, without a library and without the network.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from falldamage_forge.board import Ground as Kind
from falldamage_forge.games.fall_damage.play import Game, Kit, legal
from falldamage_forge.games.fall_damage.play.engine import advance
from falldamage_forge.games.fall_damage.play.spots import spot_name
from falldamage_forge.games.fall_damage.play.state import SIDES, State
from falldamage_forge.presets import load_text
from falldamage_forge.visible import escape, visible_in


def frames(record: Mapping[str, Any], kit: Kit) -> list[dict[str, Any]]:
    """What is seen after each move: units, terrain, chests, and what happened, in words."""
    game = Game.start_of(record, kit)
    state = game.state.copy()
    found = [_frame(state, "the game begins", [])]
    for entry in record["moves"]:
        text = entry["move"] if isinstance(entry, Mapping) else str(entry)
        move = next((m for m in legal(state) if str(m) == text), None)
        if move is None:
            game.push(text)
            break
        active = state.active
        state.log = []
        advance(state, move)
        events = [words for event in state.log if (words := tell(state, event))]
        found.append(_frame(state, _said(state, active, move, text), events))
    return found


def _said(state: State, active: int, move: Any, text: str) -> str:
    """A move in words: who did it, then its notation."""
    index = move.units[0] if move.kind == "unit" else active
    if index < 0 or index >= len(state.units):
        return text
    unit = state.units[index]
    return f"{SIDES[unit.side]} {unit.card} {index}: {text}"


def tell(state: State, event: tuple[Any, ...]) -> str:
    """An event in words; empty for those that need none."""
    kind = event[0]
    if kind == "harm":
        return f"{_name(state, event[1])} loses {event[2]} ({event[3]}) at {spot_name(event[5])}"
    if kind == "die":
        return f"{_name(state, event[1])} falls at {spot_name(event[2])}"
    if kind == "chest":
        return f"{_name(state, event[1])} opens the chest at {spot_name(event[2])}"
    if kind == "treasure":
        return f"{_name(state, event[1])} finds {event[2]}"
    if kind == "destroyed":
        return f"{event[1]} is destroyed"
    if kind == "over":
        return f"the game is over: {event[1]}"
    return ""


def _name(state: State, index: int) -> str:
    unit = state.units[index]
    return f"{SIDES[unit.side]} {unit.card} {index}"


def _frame(state: State, move: str, events: list[str]) -> dict[str, Any]:
    land = state.land
    columns = []
    for at, column in enumerate(land.columns):
        tile = at // land.cols << 6 | at % land.cols
        kind = {Kind.WATER: "w", Kind.LAVA: "l"}.get(column.ground, "g")
        bricks = land.bricks_on(tile)
        feature = str(column.feature)[0] if column.feature else ""
        columns.append([column.level, "b" if bricks else kind, feature, bricks])
    return {
        "round": state.round,
        "side": SIDES[state.to_act],
        "move": move,
        "events": events,
        "columns": columns,
        "decks": [[t.row, t.col, d.level] for d in land.decks if d for t in d.tiles],
        "ladders": [
            [x.foot.row, x.foot.col, x.foot_level, x.top.row, x.top.col, x.top_level]
            for x in land.ladders
            if x
        ],
        "chests": [[s >> 10, s >> 4 & 63, s & 15] for s in state.chests],
        "units": [
            [u.spot >> 10, u.spot >> 4 & 63, u.spot & 15, u.side, u.card, u.health, u.max_health, i]
            for i, u in enumerate(state.units)
            if u.alive
        ],
        "bodies": [
            [b.spot >> 10, b.spot >> 4 & 63, b.spot & 15] for b in state.bodies if not b.used
        ],
        "active": state.active,
        "result": state.result,
    }


def _thin(all_frames: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Frames with what did not change since the last one left out."""
    kept: dict[str, Any] = {}
    thin = []
    for frame in all_frames:
        thin.append({key: value for key, value in frame.items() if kept.get(key, ...) != value})
        kept.update(frame)
    return thin


def replay_page(record: Mapping[str, Any], kit: Kit) -> str:
    """The whole page for one record."""
    shown = frames(record, kit)
    columns = record["board"]["columns"]
    data = {"rows": len(columns), "cols": len(columns[0]), "frames": _thin(shown)}
    text = json.dumps(visible_in(data), separators=(",", ":")).replace("</", "<\\/")
    result = str(shown[-1]["result"] or "not over")
    page = load_text("play", "replay.html")
    return page.replace("@RESULT@", escape(result)).replace("@DATA@", text)

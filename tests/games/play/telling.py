"""Played games as lines that can be read: moves by activation, and what each round changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any

from falldamage_forge.games.fall_damage.play import State, legal_moves
from falldamage_forge.games.fall_damage.play.serialization import to_json

PLAIN = ("round", "first", "to_act", "result")
KEPT = ("scars", "chests", "prize", "zones", "hidden", "bodies")


def unit_line(unit: Mapping[str, Any]) -> str:
    """Card, place, health and all that differs from a plain unit."""
    more = {key: item for key, item in unit.items() if key not in _ALWAYS}
    facts = "".join(f", {key} {told(item)}" for key, item in more.items())
    return (
        f"{unit['side']} {unit['card']} on {unit['at']}, "
        f"health {unit['health']} of {unit['max_health']}{facts}"
    )


_ALWAYS = ("side", "card", "at", "health", "max_health", "activated")


def told(value: Any) -> str:
    """A value of a saved state in one line."""
    if isinstance(value, Mapping):
        return " ".join(f"{key} {told(item)}" for key, item in value.items())
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(told, value))}]"
    return str(value).lower() if isinstance(value, bool) else str(value)


def state_lines(state: State) -> dict[str, str]:
    """A state by what each line is about."""
    saved = to_json(state)
    found = {f"unit {n}": unit_line(unit) for n, unit in enumerate(saved["units"])}
    found |= {key: told(saved[key]) for key in (*PLAIN, *KEPT)}
    for number, row in enumerate(saved["land"].get("columns", ()), 1):
        found[f"row {number}"] = told(row)
    for key in ("decks", "ladders", "bricks"):
        found[key] = told(saved["land"].get(key, []))
    return found


def changes(before: State, after: State, but: Iterable[str] = ()) -> Iterator[str]:
    """Lines of a state that differ from those of another."""
    was, now = state_lines(before), state_lines(after)
    for key, line in now.items():
        if was.get(key) != line and key not in but:
            yield f"{key}: {line}"


def game_lines(states: list[State], moves: Iterable[Any]) -> Iterator[str]:
    """A game: a line an activation with the number of legal moves met, and each round's changes."""
    said: list[str] = []
    met = 0
    last = states[0]
    for (state, then), move in zip(pairwise(states), moves, strict=True):
        text = str(move)
        if text.startswith("unit ") and said:
            yield f"  {', '.join(said)} [{met} legal]"
            said, met = [], 0
        said.append(text)
        met += len(legal_moves(state))
        if then.round != state.round or then.over:
            yield f"  {', '.join(said)} [{met} legal]"
            yield f"round {state.round} is over" if not then.over else f"the end: {then.result}"
            yield from (f"  {line}" for line in changes(last, then))
            said, met, last = [], 0, then

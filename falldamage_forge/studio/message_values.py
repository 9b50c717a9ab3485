"""Shapes of values in server messages: issues, boards, parts, games and their like."""

from __future__ import annotations

from typing import NotRequired

from falldamage_forge.board import Board
from falldamage_forge.printing.plates import Slot
from falldamage_forge.studio.protocol import CHOICES


class Offset(int):
    """A place in a text, from 0."""


Tile = tuple[int, int]
Place = tuple[int, int, int]
Edit = tuple[int, int, str]
Word = tuple[str, str, str, str]
Column = tuple[int, str, str | None]
Spot = tuple[float, float, float]
SPOT = {"file": str, "line": int, "column": int}
SPAN = {**SPOT, "end_line": int, "end_column": int}
AN_ISSUE = {
    "code": str,
    "severity": ("error", "warning", "info"),
    "message": str,
    "place": (SPAN, None),
    "tiles": list[str],
    "hint": str | None,
    "notes": [{"place": SPAN, "message": str}],
    "why": str,
    "count": int,
    "follows": int | None,
    "fix": ({"line": int, "first": int, "last": int, "text": str, "more": int, "words": str}, None),
}
A_BOARD = {
    "rows": int,
    "cols": int,
    "columns": list[Column],
    "decks": [{"a": Tile, "b": Tile, "level": int, "arch": bool, "tiles": list[Tile]}],
    "ladders": [{"foot": Tile, "low": int, "top": Tile, "high": int}],
    "chests": list[Place],
    "starts": [{"side": str, "places": list[Place]}],
    "battlements": [{"tile": Tile, "sides": list[Tile]}],
    "steps": list[Tile],
    "fittings": [
        {
            **dict.fromkeys(("kind", "name"), str),
            **dict.fromkeys(("level", "length"), int),
            "tile": Tile,
            "ends": list[Tile],
            "sides": list[Tile],
        }
    ],
    "shapes": [
        [{"paint": str, "top": str, "rings": list[list[Spot]], "shade": float, "free": bool}]
    ],
    "things": [{"shape": int, "at": Place, "tiles": list[Tile], "side": str, "part": bool}],
}
PART = {
    "key": str,
    "group": str,
    **dict.fromkeys(("under", "model"), bool),
    "mesh": str | None,
    "places": list[tuple[float, float, float, int, list[Tile]]],
}
LEAD = {
    **dict.fromkeys(("what", "text", "measure", "told"), str),
    "side": str | None,
    "figure": float,
    "fair": float,
    "unfair": bool,
    "tiles": list[str],
}
REMEDY = {"gestures": list[str], "changes": list[str], "edits": list[Edit], "fair": bool}
PIECE = {
    **dict.fromkeys(("key", "title", "group"), str),
    **dict.fromkeys(("count", "owned", "minutes"), int),
    "grams": float,
}
PLATE = {
    **dict.fromkeys(("name", "group", "colour"), str),
    "grams": float,
    "minutes": int,
    "slots": list[Slot],
}
TOTALS = {
    **dict.fromkeys(("pieces", "owned", "plates", "grams"), int),
    **dict.fromkeys(("money", "price", "printer"), str),
    "hours": float,
    "bed": list[float],
}
SETTINGS = {
    **dict.fromkeys(("style", "printer", "process", "currency", "tops", "stock"), str),
    **dict.fromkeys(("variants", "filaments"), int),
    "price": float,
}
EDITED = {"answer": "edited", "label": str, "edits": list[Edit], "undo": list[Edit]}
OVERLAY = {"kind": CHOICES["kind"], "tile": str, "to": str, "revision": int}
UNIT = {
    **dict.fromkeys(("number", "health", "most"), int),
    **dict.fromkeys(("side", "title", "card", "role"), str),
    **dict.fromkeys(("facts", "abilities"), list[tuple[str, str]]),
    "place": Place | None,
    "done": bool,
}
EFFECT = {
    **dict.fromkeys(("kind", "words", "figure"), str),
    "unit": int | None,
    "place": Place | None,
}
GAME = {
    "on": True,
    "over": bool,
    "result": str | None,
    "round": int,
    "turn": str,
    "node": str,
    "hand": bool,
    "players": tuple[str, str],
    "drawn": bool,
    "waits": bool,
    "active": int | None,
    "unit_of_turn": tuple[int, int] | None,
    "board": Board,
    "units": [UNIT],
    "moves": [
        {
            **dict.fromkeys(("text", "kind", "act", "words"), str),
            "effects": [EFFECT],
            "health": list[tuple[int, int]],
            "place": Place | None,
        }
    ],
    "log": list[str],
    "count": int,
    "all": int,
    "saved": str,
    "id": str,
    "link": (
        {
            **dict.fromkeys(("side", "code"), str),
            **dict.fromkeys(("begun", "complete"), bool),
            "rounds": int,
        },
        None,
    ),
}
STATE = {
    **dict.fromkeys(("name", "text", "life"), str),
    **dict.fromkeys(("undo", "redo", "file", "home"), str | None),
    **dict.fromkeys(("saved", "kept", "blank", "stale"), bool),
    **dict.fromkeys(("revision", "outside", "heard"), int),
    "why": NotRequired[str | None],
}

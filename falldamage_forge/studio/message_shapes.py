"""Shapes of server messages: the fields of each type, and their types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NotRequired

from falldamage_forge.board import Board
from falldamage_forge.issues import Issue
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
    "count": int,
    "follows": int | None,
    "fix": ({"line": int, "first": int, "last": int, "text": str}, None),
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
TOLD: Mapping[str, Any] = {
    "presets": {"names": list[str], "usage": list[str], "players": list[str]},
    "settings": {
        "values": SETTINGS,
        "choices": dict[str, list[str]],
        "whole": dict[str, tuple[int, int]],
        "command": str,
        "owned": int,
    },
    "state": STATE,
    "board": {
        "revision": int,
        "title": str,
        "whole": bool,
        "board": Board,
        "issues": list[Issue],
    },
    "verdict": {"revision": int, "playable": bool, "buildable": bool, "issues": list[Issue]},
    "parts": {"revision": int, "style": str, "parts": [PART], "models": dict[str, str | None]},
    "measures": {
        "revision": int,
        "measures": [{"name": str, "verdict": str, "text": str, "tiles": list[str]}],
        "leads": [LEAD],
    },
    "pieces": {
        "revision": int,
        "pieces": [PIECE],
        "plates": [PLATE],
        "filaments": list[str],
        "totals": (TOTALS, None),
    },
    "advice": {"revision": int, "remedies": [REMEDY]},
    "answer": (
        {"words": str, **EDITED},
        {
            "words": str,
            "answer": "question",
            "message": str,
            "all": (EDITED, None),
            "here": (EDITED, None),
        },
        {
            "words": str,
            "answer": "refused",
            "message": str,
            "place": (SPOT, None),
            "code": str | None,
            "hint": str | None,
            "tiles": list[str],
        },
    ),
    "preview": {
        "words": str,
        **dict.fromkeys(("why", "near"), str | None),
        "tiles": list[tuple[int, int, int, int]],
        "lines": list[tuple[str, str]],
        "removed": list[tuple[str, list[Tile]]],
        "models": list[tuple[str, float, float, float, int]],
    },
    "overlay": (
        {
            **OVERLAY,
            "title": str,
            "marks": list[tuple[int, int, int, str, str]],
            "arrows": list[tuple[Place, Place, str]],
            "legend": list[tuple[str, str]],
        },
        {**OVERLAY, "why": str},
    ),
    "units": {"names": list[str], "rules": str, "fittings": list[str]},
    "stamps": {"stamps": [{"name": str, "book": str, "cells": list[list[Column]], "model": bool}]},
    "stock": {"name": str, "owned": int, "parts": int, "left": int},
    "qr": {"text": str, "side": int, "path": str},
    "written": {"tile": str, "places": [SPAN]},
    "tiles": {"line": int, "tiles": list[str]},
    "completions": {"line": int, "column": int, "typed": int, "words": list[Word]},
    "meaning": {
        **dict.fromkeys(("line", "first", "last"), int),
        **dict.fromkeys(("word", "form", "text"), str),
    },
    "game": ({"on": False}, GAME),
    "record": {"text": str},
    "hint": {"count": int, "bot": str, "move": str},
    "drafts": {"drafts": [{"id": str, "title": str, "when": str, "lines": int}]},
    "foreign": {"text": str | None, "merged": NotRequired[bool]},
    "progress": {"of": str | None, "what": str | None, "share": float},
    "made": {"of": str, "size": int, "name": NotRequired[str]},
    "files": {"of": str, "meshes": list[str]},
    "error": {
        "message": str,
        "of": NotRequired[str],
        "number": NotRequired[int],
        "issues": NotRequired[list[Issue]],
    },
}
"""Server messages by type, each with its fields or a tuple of several forms; `files` goes to the
worker of a page without a server.
"""

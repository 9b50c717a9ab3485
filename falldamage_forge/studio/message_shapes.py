"""Shapes of server messages: the fields of each type, and their types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NotRequired

from falldamage_forge.board import Board
from falldamage_forge.issues import Issue
from falldamage_forge.studio.message_values import (
    EDITED,
    GAME,
    LEAD,
    OVERLAY,
    PART,
    PIECE,
    PLATE,
    REMEDY,
    SETTINGS,
    SPAN,
    SPOT,
    STATE,
    TOTALS,
    Column,
    Place,
    Tile,
    Word,
)

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
        "measures": [
            {**dict.fromkeys(("name", "verdict", "text", "why"), str), "tiles": list[str]}
        ],
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
    "history": {
        "revision": int,
        "states": [{"by": int, "label": str, "cells": list[list[Column]]}],
    },
    "compared": {
        **dict.fromkeys(("by", "lines"), int),
        "tiles": list[tuple[int, int, int, int]],
        "sizes": list[Tile],
    },
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

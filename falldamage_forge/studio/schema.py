"""The messages between the session and a page as a JSON Schema, `docs/studio.schema.json`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from falldamage_forge.studio.protocol import CHOICES, FIELDS, OPTIONAL, VERSION

Schema = dict[str, Any]
SCHEMA = "https://json-schema.org/draft/2020-12/schema"
TEXT: Schema = {"type": "string"}
WHOLE: Schema = {"type": "integer"}
NUMBER: Schema = {"type": "number"}
FLAG: Schema = {"type": "boolean"}


def many(item: Schema) -> Schema:
    """A list of any length."""
    return {"type": "array", "items": item}


def row(*items: Schema) -> Schema:
    """A list of certain things in a certain order."""
    size = len(items)
    return {"type": "array", "prefixItems": list(items), "minItems": size, "maxItems": size}


def maybe(shape: Schema) -> Schema:
    """That, or null."""
    return {"anyOf": [shape, {"type": "null"}]}


def one_of(*values: object) -> Schema:
    """One of some values."""
    return {"enum": list(values)}


def thing(fields: Mapping[str, Schema], more: Mapping[str, Schema] | None = None) -> Schema:
    """An object with all of some fields, any of some more, and no others."""
    return {
        "type": "object",
        "properties": {**fields, **(more or {})},
        "required": list(fields),
        "additionalProperties": False,
    }


def said(
    kind: str, fields: Mapping[str, Schema], more: Mapping[str, Schema] | None = None
) -> Schema:
    """A message of a kind."""
    return thing({"v": {"const": VERSION}, "type": {"const": kind}, **fields}, more)


def texts(*names: str) -> dict[str, Schema]:
    """Fields that are texts."""
    return dict.fromkeys(names, TEXT)


TILE = row(WHOLE, WHOLE)
PLACE = row(WHOLE, WHOLE, WHOLE)
EDIT = row(WHOLE, WHOLE, TEXT)
COLUMN = row(WHOLE, TEXT, maybe(TEXT))
SPAN = thing({"file": TEXT, **dict.fromkeys(("line", "column", "end_line", "end_column"), WHOLE)})
SPOT = thing({"file": TEXT, "line": WHOLE, "column": WHOLE})
ISSUE: Schema = {"$ref": "#/$defs/issue"}
BOARD: Schema = {"$ref": "#/$defs/board"}
AN_ISSUE = thing(
    {
        "code": TEXT,
        "severity": one_of("error", "warning", "info"),
        "message": TEXT,
        "place": maybe(SPAN),
        "tiles": many(TEXT),
        "hint": maybe(TEXT),
        "notes": many(thing({"place": SPAN, "message": TEXT})),
        "count": WHOLE,
        "follows": maybe(WHOLE),
        "fix": maybe(thing({"first": WHOLE, "last": WHOLE, "text": TEXT})),
    }
)
DECK = {"a": TILE, "b": TILE, "level": WHOLE, "arch": FLAG, "tiles": many(TILE)}
FITTING = {
    **texts("kind", "name"),
    "tile": TILE,
    "level": WHOLE,
    "sides": many(TILE),
    "length": WHOLE,
}
A_BOARD = thing(
    {
        "rows": WHOLE,
        "cols": WHOLE,
        "columns": many(COLUMN),
        "decks": many(thing(DECK)),
        "ladders": many(thing({"foot": TILE, "low": WHOLE, "top": TILE, "high": WHOLE})),
        "chests": many(PLACE),
        "starts": many(thing({"side": TEXT, "places": many(PLACE)})),
        "battlements": many(thing({"tile": TILE, "sides": many(TILE)})),
        "steps": many(TILE),
        "fittings": many(thing(FITTING)),
    }
)
PART = {
    **texts("key", "group"),
    "under": FLAG,
    "mesh": maybe(TEXT),
    "places": many(row(NUMBER, NUMBER, NUMBER, WHOLE, many(TILE))),
}
MEASURE = {**texts("name", "verdict", "text"), "tiles": many(TEXT)}
LEAD = {
    **texts("what", "text", "measure", "told"),
    "side": maybe(TEXT),
    "figure": NUMBER,
    "fair": NUMBER,
    "unfair": FLAG,
    "tiles": many(TEXT),
}
REMEDY = {"gestures": many(TEXT), "changes": many(TEXT), "edits": many(EDIT), "fair": FLAG}
PIECE = {
    **texts("key", "title", "group"),
    **dict.fromkeys(("count", "owned", "minutes"), WHOLE),
    "grams": NUMBER,
}
PLATE = {
    **texts("name", "group"),
    "grams": NUMBER,
    "minutes": WHOLE,
    "slots": many({"type": "array", "prefixItems": [TEXT], "items": many(NUMBER)}),
}
TOTALS = {
    **dict.fromkeys(("pieces", "owned", "plates", "grams"), WHOLE),
    **texts("money", "price", "printer"),
    "hours": NUMBER,
    "bed": many(NUMBER),
}
SETTINGS = {**texts("style", "printer", "process", "currency"), "price": NUMBER, "variants": WHOLE}
EDITED = {"label": TEXT, "edits": many(EDIT), "undo": many(EDIT)}
WAY = maybe(thing({"answer": {"const": "edited"}, **EDITED}))
ASKED = {"kind": one_of(*CHOICES["kind"]), **texts("tile", "to"), "revision": WHOLE}
LAID = {
    "title": TEXT,
    "marks": many(row(WHOLE, WHOLE, WHOLE, TEXT, TEXT)),
    "arrows": many(row(PLACE, PLACE, TEXT)),
    "legend": many(row(TEXT, TEXT)),
}
UNIT = {
    **dict.fromkeys(("number", "health", "most"), WHOLE),
    **texts("side", "card"),
    "place": maybe(PLACE),
    "done": FLAG,
}
MATCH = {
    "over": FLAG,
    "result": maybe(TEXT),
    "round": WHOLE,
    **texts("turn", "node"),
    "hand": FLAG,
    "active": maybe(WHOLE),
    "board": BOARD,
    "units": many(thing(UNIT)),
    "moves": many(thing({**texts("text", "kind", "who"), "place": maybe(PLACE)})),
    "log": many(TEXT),
    "count": WHOLE,
}
BED = {
    **texts("name", "application"),
    "groups": many(row(TEXT, TEXT)),
    "objects": many(row(TEXT, WHOLE, WHOLE)),
    "slots": many(row(WHOLE, TEXT, NUMBER, NUMBER, WHOLE)),
}
NOW = {"revision": WHOLE}
DRAFT = {**texts("id", "title", "when"), "lines": WHOLE}
TOLD: Mapping[str, tuple[Schema, ...]] = {
    "presets": (said("presets", {"names": many(TEXT), "usage": many(TEXT)}),),
    "settings": (
        said(
            "settings",
            {
                "values": thing(SETTINGS),
                "choices": {"type": "object", "additionalProperties": many(TEXT)},
                "command": TEXT,
            },
        ),
    ),
    "state": (
        said(
            "state",
            {
                **NOW,
                **texts("name", "text", "life"),
                **dict.fromkeys(("undo", "redo", "file", "home"), maybe(TEXT)),
                **dict.fromkeys(("saved", "kept", "blank", "stale"), FLAG),
                **dict.fromkeys(("outside", "heard"), WHOLE),
            },
            {"why": maybe(TEXT)},
        ),
    ),
    "board": (
        said("board", {**NOW, "title": TEXT, "whole": FLAG, "board": BOARD, "issues": many(ISSUE)}),
    ),
    "verdict": (
        said("verdict", {**NOW, "playable": FLAG, "buildable": FLAG, "issues": many(ISSUE)}),
    ),
    "parts": (said("parts", {**NOW, "style": TEXT, "parts": many(thing(PART))}),),
    "measures": (
        said("measures", {**NOW, "measures": many(thing(MEASURE)), "leads": many(thing(LEAD))}),
    ),
    "pieces": (
        said(
            "pieces",
            {
                **NOW,
                "pieces": many(thing(PIECE)),
                "plates": many(thing(PLATE)),
                "totals": maybe(thing(TOTALS)),
            },
        ),
    ),
    "advice": (said("advice", {**NOW, "remedies": many(thing(REMEDY))}),),
    "answer": (
        said("answer", {"words": TEXT, "answer": {"const": "edited"}, **EDITED}),
        said(
            "answer",
            {
                "answer": {"const": "question"},
                **texts("words", "message"),
                "all": WAY,
                "here": WAY,
            },
        ),
        said(
            "answer",
            {
                "answer": {"const": "refused"},
                **texts("words", "message"),
                "place": maybe(SPOT),
                **dict.fromkeys(("code", "hint"), maybe(TEXT)),
                "tiles": many(TEXT),
            },
        ),
    ),
    "preview": (said("preview", {"words": TEXT, "why": maybe(TEXT), "tiles": many(PLACE)}),),
    "overlay": (said("overlay", {**ASKED, **LAID}), said("overlay", {**ASKED, "why": TEXT})),
    "units": (said("units", {"names": many(TEXT), "rules": TEXT, "fittings": many(TEXT)}),),
    "stamps": (
        said(
            "stamps",
            {"stamps": many(thing({**texts("name", "book"), "cells": many(many(COLUMN))}))},
        ),
    ),
    "written": (said("written", {"tile": TEXT, "places": many(SPAN)}),),
    "tiles": (said("tiles", {"line": WHOLE, "tiles": many(TEXT)}),),
    "completions": (
        said(
            "completions",
            {
                **dict.fromkeys(("line", "column", "typed"), WHOLE),
                "words": many(row(TEXT, TEXT, TEXT)),
            },
        ),
    ),
    "meaning": (
        said(
            "meaning", {**dict.fromkeys(("line", "first", "last"), WHOLE), **texts("word", "text")}
        ),
    ),
    "game": (
        said("game", {"on": {"const": False}}),
        said("game", {"on": {"const": True}, **MATCH}),
    ),
    "drafts": (said("drafts", {"drafts": many(thing(DRAFT))}),),
    "foreign": (said("foreign", {"text": maybe(TEXT)}, {"merged": FLAG}),),
    "progress": (said("progress", {"of": maybe(TEXT), "what": maybe(TEXT), "share": NUMBER}),),
    "made": (said("made", {"of": TEXT, "size": WHOLE}, {"name": TEXT}),),
    "files": (
        said(
            "files",
            {
                "of": TEXT,
                "texts": many(row(TEXT, TEXT)),
                "meshes": many(row(TEXT, TEXT, TEXT)),
                "plates": many(thing(BED)),
            },
        ),
    ),
    "error": (said("error", {"message": TEXT}, {"of": TEXT, "number": WHOLE}),),
}
"""What a session tells, by type; `files` goes to the worker of a page without a server."""

KINDS: Mapping[type, Schema] = {
    str: TEXT,
    int: WHOLE,
    bool: FLAG,
    list: many(row({"type": "integer", "minimum": 0}, {"type": "integer", "minimum": 0}, TEXT)),
    dict: {"type": "object"},
}


def _field(name: str, kind: type) -> Schema:
    return one_of(*CHOICES[name]) if name in CHOICES else KINDS[kind]


def json_schema() -> dict[str, Any]:
    """Definitions `said` (what a page may say) and `told` (what it is told), each one message."""
    heard = []
    for kind, fields in FIELDS.items():
        more = {name: _field(name, of) for name, of in OPTIONAL.items()}
        shape = said(kind, {name: _field(name, of) for name, of in fields.items()}, more)
        heard.append({**shape, "additionalProperties": True})
    return {
        "$schema": SCHEMA,
        "title": f"The messages of the studio, version {VERSION}",
        "description": "JSON objects over one web socket. The first said is `hello`. Tiles are "
        "[row, column] from 0; edits are [start, end, new text] in characters of the text before.",
        "$defs": {
            "board": A_BOARD,
            "issue": AN_ISSUE,
            "said": {"oneOf": heard},
            "told": {"oneOf": [shape for shapes in TOLD.values() for shape in shapes]},
        },
    }

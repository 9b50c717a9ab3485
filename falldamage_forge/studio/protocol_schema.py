"""JSON Schema of the protocol, published as `docs/studio.schema.json`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NotRequired

from falldamage_forge.board import Board
from falldamage_forge.infra.type_schema import DRAFT, Schema, object_schema
from falldamage_forge.issues import Issue
from falldamage_forge.printing.plates import Slot
from falldamage_forge.studio.message_shapes import TOLD
from falldamage_forge.studio.message_values import A_BOARD, AN_ISSUE, Offset
from falldamage_forge.studio.protocol import CHOICES, FIELDS, OPTIONAL, VERSION

KNOWN: Mapping[type, Schema] = {
    Board: {"$ref": "#/$defs/board"},
    Issue: {"$ref": "#/$defs/issue"},
    Offset: {"type": "integer", "minimum": 0},
    Slot: {
        "type": "array",
        "prefixItems": [{"type": "string"}],
        "items": {"type": "array", "items": {"type": "number"}},
    },
}
"""Schemas of what the messages hold as another package's value; a slot is its key and boxes."""


def _message(kind: str, fields: Mapping[str, Any]) -> Schema:
    return object_schema({"v": VERSION, "type": kind, **fields}, KNOWN)


def _field(name: str, kind: type) -> Any:
    """Return the shape of a client message's field."""
    if name in CHOICES:
        return CHOICES[name]
    return list[tuple[Offset, Offset, str]] if kind is list else kind


def json_schema() -> dict[str, Any]:
    """Return the definitions `said` (client messages) and `told` (server messages)."""
    more = {name: NotRequired[kind] for name, kind in OPTIONAL.items()}
    heard = [
        {
            **_message(kind, {**{name: _field(name, of) for name, of in fields.items()}, **more}),
            "additionalProperties": True,
        }
        for kind, fields in FIELDS.items()
    ]
    told = [
        _message(kind, fields)
        for kind, forms in TOLD.items()
        for fields in (forms if isinstance(forms, tuple) else (forms,))
    ]
    return {
        "$schema": DRAFT,
        "title": f"The messages of the studio, version {VERSION}",
        "description": "JSON objects over one web socket. The first said is `hello`. Tiles are "
        "[row, column] from 0; edits are [start, end, new text] in characters of the text before.",
        "$defs": {
            "board": object_schema(A_BOARD, KNOWN),
            "issue": object_schema(AN_ISSUE, KNOWN),
            "said": {"oneOf": heard},
            "told": {"oneOf": told},
        },
    }

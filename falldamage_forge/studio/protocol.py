"""Protocol: the messages between session and client, JSON objects with a version and a `type`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from falldamage_forge.infra.source_loader import MAX_SOURCE_BYTES

VERSION = 1
MAX_MESSAGE = 4 * MAX_SOURCE_BYTES + 10_000
"""Greatest size of a message in bytes: two texts with every character escaped."""

FIELDS: Mapping[str, Mapping[str, type]] = {
    "hello": {"token": str},
    "type": {"text": str, "revision": int},
    "join": {"base": str, "text": str},
    "apply": {"edits": list, "label": str, "revision": int},
    "gesture": {"words": str, "revision": int, "copies": str, "brush": bool},
    "preview": {"words": str, "brush": bool},
    "undo": {},
    "redo": {},
    "go": {"by": int},
    "history": {},
    "compare": {"by": int, "text": str},
    "preset": {"name": str},
    "set": {"values": dict},
    "format": {},
    "complete": {"text": str, "line": int, "column": int},
    "meaning": {"line": int, "column": int},
    "overlay": {"kind": str, "tile": str, "to": str, "unit": str},
    "units": {},
    "stamps": {},
    "stock": {"name": str},
    "qr": {"text": str},
    "play": {"do": str, "values": dict},
    "written": {"tile": str},
    "tiles": {"line": int},
    "foreign": {"keep": str},
    "draft": {"id": str},
    "forget": {"id": str},
    "build": {"what": str},
    "cancel": {},
}
"""Types of client messages, and the required fields of each."""
OPTIONAL: Mapping[str, type] = {"number": int, "page": str, "language": str}
"""Optional fields of any message: `hello` names the client and its language, a change has a number.
A second `hello` changes the language. Each number of a
client is handled once, however often and over however many sockets it is sent.
"""
OVERLAYS = (
    "reach", "farther", "path", "sight", "push", "loss",
    "turns", "control", "hazard", "islands",
)  # fmt: skip
"""Kinds of overlays: the first depend on a tile, the last four cover the whole board."""
CHOICES = {
    "kind": OVERLAYS,
    "copies": ("ask", "all", "here"),
    "keep": ("mine", "theirs"),
    "what": ("zip", "plates", "project", "sheets", "hint"),
    "do": (
        "begin", "move", "back", "next", "leave", "offer", "link", "resume", "show", "record",
    ),
}  # fmt: skip


class BadMessage(ValueError):
    """An invalid message; `number` is that of the change, if it has one."""

    number: int | None = None

    def told(self) -> dict[str, Any]:
        """Return the error message for the client."""
        of = {} if self.number is None else {"number": self.number}
        return message("error", message=str(self), **of)


def read_message(data: str) -> dict[str, Any]:
    """Return a client message with fields of the right types; BadMessage otherwise."""
    if len(data.encode("utf-8", "replace")) > MAX_MESSAGE:
        raise BadMessage("the message is too long")
    try:
        message = json.loads(data)
    except (ValueError, RecursionError):
        raise BadMessage("the message is not JSON") from None
    if not isinstance(message, dict) or message.get("v") != VERSION:
        raise BadMessage(f"the message is not one of version {VERSION}; load the page again")
    try:
        _check(message)
    except BadMessage as error:
        number = message.get("number")
        error.number = number if type(number) is int else None
        raise
    return message


def _check(message: Mapping[str, Any]) -> None:
    kind = message.get("type")
    fields = FIELDS.get(kind) if isinstance(kind, str) else None
    if fields is None:
        raise BadMessage("no such message")
    more = {name: of for name, of in OPTIONAL.items() if name in message}
    for name, kind_of in {**fields, **more}.items():
        value = message.get(name)
        if type(value) is not kind_of or value not in CHOICES.get(name, (value,)):
            raise BadMessage(f"`{name}` is missing, or of another kind")
        if kind_of is str:
            check_text(name, value)
    if not all(map(_is_edit, message.get("edits", ()) if "edits" in fields else ())):
        raise BadMessage("an edit is [start, end, new text]")


def check_text(name: str, value: object) -> str:
    """Return the value of a field that is a text; BadMessage if it is none, or too long.

    Args:
        name: Name of the field.
        value: Value that the client sent.
    """
    if not isinstance(value, str):
        raise BadMessage(f"`{name}` is missing, or of another kind")
    if not _sound(value):
        raise BadMessage(f"`{name}` is longer than {MAX_SOURCE_BYTES // 1000} kB, or no Unicode")
    return value


def _is_edit(edit: Any) -> bool:
    if not isinstance(edit, list) or [type(part) for part in edit] != [int, int, str]:
        return False
    return 0 <= edit[0] <= edit[1] and _sound(edit[2])


def _sound(text: str) -> bool:
    try:
        return len(text.encode()) <= MAX_SOURCE_BYTES
    except UnicodeEncodeError:
        return False


def message(kind: str, /, **fields: Any) -> dict[str, Any]:
    """Return a server message of a type.

    Args:
        kind: Type of the message, such as `edited`.
        **fields: Further fields of the message.
    """
    return {"v": VERSION, "type": kind, **fields}

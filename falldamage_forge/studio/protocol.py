"""Protocol: the messages between session and client, JSON objects with a version and a `type`."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

from falldamage_forge.diagnostics.issue_folding import unfolded
from falldamage_forge.diagnostics.machine_formatters import issue_json
from falldamage_forge.infra.source_loader import MAX_SOURCE_BYTES
from falldamage_forge.infra.visible_text import visible_in

if TYPE_CHECKING:
    from falldamage_forge.board import Board, Tile
    from falldamage_forge.issues import Issue
    from falldamage_forge.rules.answers import Metric

VERSION = 1
MAX_LINES = 6
"""Greatest number of changed lines that a preview shows."""
NAMES = {"level": "column", "deck": "bridge"}
"""Names of removed elements that are not their kind's."""
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
    "preset": {"name": str},
    "set": {"values": dict},
    "format": {},
    "complete": {"text": str, "line": int, "column": int},
    "meaning": {"line": int, "column": int},
    "overlay": {"kind": str, "tile": str, "to": str, "unit": str},
    "units": {},
    "stamps": {},
    "stock": {"name": str},
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
    "what": ("zip", "sheets", "hint"),
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
    """Return the value of a field that is a text; BadMessage if it is none, or too long."""
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
    """Return a server message of a type."""
    return {"v": VERSION, "type": kind, **fields}


def board_table(board: Board) -> dict[str, Any]:
    """Return a board as JSON: tiles are [row, col] from 0, columns [level, ground, feature]."""
    return {
        "rows": board.rows,
        "cols": board.cols,
        "columns": [
            [c.level, c.ground.value, c.feature and c.feature.value] for c in board.columns
        ],
        "decks": [
            {"a": d.a, "b": d.b, "level": d.level, "arch": d.arch, "tiles": d.tiles}
            for d in board.decks
        ],
        "ladders": [
            {"foot": x.foot, "low": x.foot_level, "top": x.top, "high": x.top_level}
            for x in board.ladders
        ],
        "chests": [[*chest.tile, chest.level] for chest in board.treasures],
        "starts": [
            {"side": zone.side, "places": [[*tile, level] for tile, level in zone.surfaces]}
            for zone in board.starts
        ],
        "battlements": [{"tile": x.tile, "sides": x.sides} for x in board.battlements],
        "steps": [step.tile for step in board.steps],
        "fittings": [
            {"kind": x.kind, "tile": x.tile, "level": x.level, "sides": x.sides, "name": x.name}
            | {"length": x.length_um}
            for x in board.fittings
        ],
    }


def changed_tiles(before: Board, after: Board) -> list[list[int]]:
    """Return the tiles where two boards of one size differ: [row, col, level after, before].

    Under a changed bridge both levels are the bridge's: the column stays.
    """
    from falldamage_forge.lang.edit.board_elements import element_tiles, spanned, things_of

    if (before.rows, before.cols) != (after.rows, after.cols):
        return []

    changed = things_of(before) ^ things_of(after)
    tiles = {tile for thing in changed for tile in element_tiles(thing)}
    over = {t: x.levels[0] for x in changed if x.kind == "deck" for t in spanned(x)}
    return [
        [
            *tile,
            *(
                [over[tile]] * 2
                if tile in over
                else [x.column(tile).level for x in (after, before)]
            ),
        ]
        for tile in sorted(tiles | over.keys())
    ]


def removed_things(before: Board, after: Board, *, columns: bool) -> list[tuple[str, list[Tile]]]:
    """Return the elements of a board that another one lacks, as names with sorted tiles.

    Args:
        before: The board.
        after: The other board.
        columns: True to count columns of another level, too.
    """
    from falldamage_forge.lang.edit.board_elements import element_tiles, things_of
    from falldamage_forge.lang.facts import SIDED

    left = things_of(after)
    gone: dict[str, set[Tile]] = defaultdict(set)
    same = {(x.kind, x.tiles) for x in left if x.kind not in ("ground", "feature")}
    for x in things_of(before) - left:
        moved = (x.kind, x.tiles) in same
        if columns if x.kind == "level" else not moved:
            name = x.name if x.kind in ("ground", "feature") else NAMES.get(x.kind, x.kind)
            gone[f"{name}-{x.name}" if x.kind in SIDED else name] |= {*element_tiles(x)}
    return [(name, sorted(tiles)) for name, tiles in sorted(gone.items())]


def changed_lines(before: str, after: str) -> list[list[str]]:
    """Return the first lines in which two texts differ, as [`-` or `+`, line]."""
    from difflib import unified_diff

    rows = unified_diff(before.splitlines(), after.splitlines(), n=0, lineterm="")
    changed = ([row[0], row[1:]] for row in islice(rows, 2, None) if row[0] in "+-")
    return list(islice(changed, MAX_LINES))


def issues_table(issues: tuple[Issue, ...], text: str, name: str) -> list[dict[str, Any]]:
    """Return issues as `check --format json` prints them, each with its quick fix as `fix` or null.

    Args:
        issues: The issues.
        text: The session's text.
        name: Its file name; issues in other files have no quick fix.
    """
    lines = text.splitlines()
    return [
        {**_told(issue, cause), "fix": _fix(issue, lines, name)}
        for issue, cause in unfolded(issues)
    ]


def _told(issue: Issue, cause: int | None) -> dict[str, Any]:
    table = issue_json(issue, cause)
    return {**table, **{key: visible_in(table[key]) for key in ("message", "hint", "notes")}}


def _fix(issue: Issue, lines: list[str], name: str) -> dict[str, Any] | None:
    """Return the columns of the issue's line to replace, from 0, and the new text."""
    from falldamage_forge.lang.language_service import fix_of

    span = issue.span
    if span is None or span.file != name or span.line > len(lines):
        return None
    row = lines[span.line - 1]
    last = span.end_col - 1 if span.end_line == span.line else len(row)
    fix = fix_of(row, span.col - 1, last, f"{issue.message}\n{issue.hint or ''}")
    return fix._asdict() if fix else None


def metric_table(metric: Metric) -> dict[str, Any]:
    """Return a metric with its verdict as JSON values."""
    return {
        "name": metric.name,
        "verdict": metric.verdict,
        "text": metric.text,
        "tiles": [str(tile) for tile in metric.tiles],
    }

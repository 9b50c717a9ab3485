"""From a tile to what says it, and from a place in the text to the tiles it speaks of."""

from __future__ import annotations

from typing import Any

from falldamage_forge.board import Tile
from falldamage_forge.issues import SourceSpan
from falldamage_forge.lang.edit.answers import Answer, Edited, Question
from falldamage_forge.lang.edit.text import TextEdit
from falldamage_forge.lang.facts import stood
from falldamage_forge.lang.layout import Loaded


def spans_of(loaded: Loaded, tile: Tile) -> tuple[SourceSpan, ...]:
    """What says something of a tile: statements and cells first, then what brought them there."""
    facts = [fact for fact in loaded.facts if tile in stood(fact.kind, fact.tiles)]
    written = [fact.span for fact in facts if fact.span]
    brought = [via.span for fact in facts for via in fact.chain]
    return tuple(dict.fromkeys((*written, *brought)))


def tiles_at(loaded: Loaded, line: int, col: int | None = None) -> tuple[Tile, ...]:
    """The tiles that a line of the map's own file speaks of, from 1; of one cell with a column."""
    file = loaded.document.file
    found: dict[Tile, None] = {}
    for fact in loaded.facts:
        spans = [via.span for via in fact.chain] + ([fact.span] if fact.span else [])
        if any(span.file == file and _covers(span, line, col) for span in spans):
            found |= dict.fromkeys(stood(fact.kind, fact.tiles))
    return tuple(sorted(found))


def _covers(span: SourceSpan, line: int, col: int | None) -> bool:
    if not span.line <= line <= span.end_line:
        return False
    return col is None or span.col <= col <= span.end_col


def as_table(answer: Answer) -> dict[str, Any]:
    """An answer as plain values, for machines: `answer` is `edited`, `question` or `refused`.

    Edits are [start, end, new text], in characters of the text before (for undo: after).
    """
    if isinstance(answer, Edited):
        return {
            "answer": "edited",
            "label": answer.label,
            "text": answer.text,
            "edits": _edits(answer.edits),
            "undo": _edits(answer.undo),
        }
    if isinstance(answer, Question):
        return {
            "answer": "question",
            "message": answer.message,
            "all": as_table(answer.all) if answer.all else None,
            "here": as_table(answer.here) if answer.here else None,
        }
    source = answer.source
    place = {"file": source.file, "line": source.line, "column": source.col} if source else None
    first = answer.issues[0] if answer.issues else None
    return {
        "answer": "refused",
        "message": answer.why,
        "place": place,
        "code": first.code if first else None,
        "hint": first.hint if first else None,
        "tiles": [str(Tile(*tile)) for issue in answer.issues for tile in issue.tiles],
    }


def _edits(edits: tuple[TextEdit, ...]) -> list[list[int | str]]:
    return [[edit.start, edit.end, edit.new] for edit in edits]

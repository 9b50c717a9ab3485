"""Source locations: from a tile to its statements, and from a line of the source to its tiles."""

from __future__ import annotations

from typing import Any

from falldamage_forge.board import Tile
from falldamage_forge.issues import SourceSpan
from falldamage_forge.lang.edit.edit_result import AmbiguousEdit, Answer, EditResult
from falldamage_forge.lang.edit.text_edits import TextEdit
from falldamage_forge.lang.facts import occupied_tiles
from falldamage_forge.lang.layout import LoadResult


def spans_of(loaded: LoadResult, tile: Tile) -> tuple[SourceSpan, ...]:
    """Return the source spans of a tile: statements and cells first, then expansion steps.

    Args:
        loaded: The parsed and expanded source.
        tile: The tile.
    """
    facts = [fact for fact in loaded.facts if tile in occupied_tiles(fact.kind, fact.tiles)]
    written = [fact.span for fact in facts if fact.span]
    brought = [via.span for fact in facts for via in fact.chain]
    return tuple(dict.fromkeys((*written, *brought)))


def tiles_at(loaded: LoadResult, line: int, col: int | None = None) -> tuple[Tile, ...]:
    """Return the tiles of a line of the map's own file.

    Args:
        loaded: The loaded map.
        line: Line from 1.
        col: Column from 1, to select one cell; None for the whole line.
    """
    file = loaded.document.file
    tiles: dict[Tile, None] = {}
    for fact in loaded.facts:
        spans = [via.span for via in fact.chain] + ([fact.span] if fact.span else [])
        if any(span.file == file and _covers(span, line, col) for span in spans):
            tiles |= dict.fromkeys(occupied_tiles(fact.kind, fact.tiles))
    return tuple(sorted(tiles))


def _covers(span: SourceSpan, line: int, col: int | None) -> bool:
    if not span.line <= line <= span.end_line:
        return False
    return col is None or span.col <= col <= span.end_col


def as_table(answer: Answer) -> dict[str, Any]:
    """Return an answer as JSON; `answer` is `edited`, `question` or `refused`.

    Edits are [start, end, new text], in characters of the text before (for undo: after).
    """
    if isinstance(answer, EditResult):
        return {
            "answer": "edited",
            "label": answer.label,
            "text": answer.text,
            "edits": _edits(answer.edits),
            "undo": _edits(answer.undo),
        }
    if isinstance(answer, AmbiguousEdit):
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

"""Text edits: replacements in a source text, and the difference between two texts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from typing import NamedTuple

from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import SourceSpan


class TextEdit(NamedTuple):
    """Replace the characters from `start` to before `end`, from 0, by `new`."""

    start: int
    end: int
    new: str


def apply_edits(text: str, edits: Iterable[TextEdit]) -> str:
    """Return the text after edits that do not overlap; positions refer to the text before.

    Args:
        text: The text before the edit.
        edits: Edits in any order.
    """
    for edit in sorted(edits, reverse=True):
        text = text[: edit.start] + edit.new + text[edit.end :]
    return text


def diff_edits(before: str, after: str) -> tuple[TextEdit, ...]:
    """Return the edits that turn one text into the other, one for each group of changed lines.

    Args:
        before: The old text.
        after: The new text.
    """
    import difflib

    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    starts = [0]
    for line in old:
        starts.append(starts[-1] + len(line))
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    return tuple(
        TextEdit(starts[a], starts[b], "".join(new[c:d]))
        for tag, a, b, c, d in matcher.get_opcodes()
        if tag != "equal"
    )


def inverse_edits(before: str, edits: Iterable[TextEdit]) -> tuple[TextEdit, ...]:
    """Return the edits that undo edits of a text.

    Args:
        before: Text before the edits.
        edits: Edits in any order, which do not overlap.
    """
    inverse, shift = [], 0
    for edit in sorted(edits):
        start = edit.start + shift
        inverse.append(TextEdit(start, start + len(edit.new), before[edit.start : edit.end]))
        shift += len(edit.new) - (edit.end - edit.start)
    return tuple(inverse)


def edit_cost(before: str, after: str) -> tuple[int, int]:
    """Return the size of an edit: lines touched, then characters changed.

    Args:
        before: The old text.
        after: The new text.
    """
    lines = characters = 0
    for edit in diff_edits(before, after):
        old = before[edit.start : edit.end]
        lines += max(old.count("\n"), edit.new.count("\n"), 1)
        characters += _changed(old, edit.new)
    return lines, characters


def _changed(old: str, new: str) -> int:
    """Return the number of characters between the common ends of two texts."""
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    return len(old) + len(new) - 2 * (head + tail)


class OverlappingEdits(Exception):
    """Two edits overlap, so the candidate is not valid."""


@dataclass(slots=True)
class Patch:
    """Collected edits of a text by line and column, from 1.

    Attributes:
        text: The text before.
        lines: Its lines.
        spans: Replacements by span.
        padded: Spans after which the rest of the line keeps its column.
        below: Lines to insert after a line; 0 is before the first.
    """

    text: str
    lines: list[str] = field(init=False)
    spans: dict[SourceSpan, str] = field(default_factory=dict)
    padded: set[SourceSpan] = field(default_factory=set)
    below: dict[int, list[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.lines = self.text.split("\n")

    def source(self, span: SourceSpan) -> str:
        """Return the text of a span within one line."""
        return self.lines[span.line - 1][span.col - 1 : span.end_col - 1]

    def replace(self, span: SourceSpan, new: str, *, pad: bool = False) -> None:
        """Replace a span; with `pad` the rest of the line keeps its column.

        Args:
            span: Place in the text.
            new: Text for it.
            pad: True to pad a shorter text with blanks.

        Raises:
            OverlappingEdits: If the span has another replacement.
        """
        if self.spans.get(span, new) != new:
            raise OverlappingEdits
        self.spans[span] = new
        if pad:
            self.padded.add(span)

    def insert(self, line: int, new: str) -> None:
        """Insert a line below another, with the same line end.

        Args:
            line: Line below which the new one goes, from 1; 0 for the top.
            new: The new line, without its end.
        """
        end = "\r" if self.lines[max(line - 1, 0)].endswith("\r") else ""
        self.below.setdefault(line, []).append(new + end)

    def remove(self, whole: SourceSpan) -> None:
        """Remove a statement, and its lines if nothing else is on them."""
        self.replace(whole, "")

    def result(self) -> str:
        """Return the text after all edits.

        Raises:
            OverlappingEdits: If two edits overlap.
        """
        lines: list[str | None] = list(self.lines)
        last: tuple[int, int] | None = None
        for span in sorted(self.spans, reverse=True):
            if last is not None and (span.end_line, span.end_col) > last:
                raise OverlappingEdits
            last = (span.line, span.col)
            self._apply(span, lines)
        joined: list[str] = [*self.below.get(0, ())]
        for number, line in enumerate(lines, start=1):
            if line is not None:
                joined.append(line)
            joined += self.below.get(number, ())
        return "\n".join(joined)

    def _apply(self, span: SourceSpan, lines: list[str | None]) -> None:
        new = self.spans[span]
        first, final = lines[span.line - 1] or "", lines[span.end_line - 1] or ""
        head, tail = first[: span.col - 1], final[span.end_col - 1 :]
        if span in self.padded:
            tail = _kept(tail, len(new) - (span.end_col - span.col))
        joined = head + new + tail
        if not new and not (head + tail).strip():
            for number in range(span.line - 1, span.end_line):
                lines[number] = None
            return
        if not new and tail.lstrip()[:1] == "#":
            joined = head + tail.lstrip()
        lines[span.line - 1] = joined
        for number in range(span.line, span.end_line):
            lines[number] = None


def _kept(tail: str, grown: int) -> str:
    """Return the rest of a line after a cell that grew, moved as little as its blanks allow."""
    bare = tail.lstrip(" ")
    blanks = len(tail) - len(bare)
    return " " * max(1, blanks - grown) + bare if bare.strip() else tail

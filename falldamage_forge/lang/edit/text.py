"""Edits of a text: replacements of stretches of lines, and what turns one text into another."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from falldamage_forge.issues import SourceSpan


class TextEdit(NamedTuple):
    """Replace the characters from `start` to `end` (counted from 0) by `new`."""

    start: int
    end: int
    new: str


def applied(text: str, edits: Iterable[TextEdit]) -> str:
    """The text after edits that do not overlap; positions are those of the text before."""
    for edit in sorted(edits, reverse=True):
        text = text[: edit.start] + edit.new + text[edit.end :]
    return text


def between(before: str, after: str) -> tuple[TextEdit, ...]:
    """Edits that turn one text into the other, one for each group of changed lines."""
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


def inverse(before: str, edits: Iterable[TextEdit]) -> tuple[TextEdit, ...]:
    """The edits that undo edits of a text."""
    found, shift = [], 0
    for edit in sorted(edits):
        start = edit.start + shift
        found.append(TextEdit(start, start + len(edit.new), before[edit.start : edit.end]))
        shift += len(edit.new) - (edit.end - edit.start)
    return tuple(found)


def cost(before: str, after: str) -> tuple[int, int]:
    """How large an edit is: lines touched, then characters more or less."""
    lines = characters = 0
    for edit in between(before, after):
        old = before[edit.start : edit.end]
        lines += max(old.count("\n"), edit.new.count("\n"), 1)
        characters += _changed(old, edit.new)
    return lines, characters


def _changed(old: str, new: str) -> int:
    """Characters of both texts that lie between what they have in common at the ends."""
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    return len(old) + len(new) - 2 * (head + tail)


class Overlap(Exception):
    """Two edits of the same stretch; the candidate is none."""


@dataclass(slots=True)
class Patch:
    """Edits of a text being gathered by line and column, counted from 1."""

    text: str
    lines: list[str] = field(init=False)
    spans: dict[SourceSpan, str] = field(default_factory=dict)
    padded: set[SourceSpan] = field(default_factory=set)
    below: dict[int, list[str]] = field(default_factory=dict)
    """Lines to insert after a line (0: before the first)."""

    def __post_init__(self) -> None:
        self.lines = self.text.split("\n")

    def source(self, span: SourceSpan) -> str:
        """What a span of one line says now."""
        return self.lines[span.line - 1][span.col - 1 : span.end_col - 1]

    def replace(self, span: SourceSpan, new: str, *, pad: bool = False) -> None:
        """Write something else there; with `pad` what stands to the right keeps its column."""
        if self.spans.get(span, new) != new:
            raise Overlap
        self.spans[span] = new
        if pad:
            self.padded.add(span)

    def insert(self, line: int, new: str) -> None:
        """Add a line below another, with the same line end."""
        end = "\r" if self.lines[max(line - 1, 0)].endswith("\r") else ""
        self.below.setdefault(line, []).append(new + end)

    def remove(self, whole: SourceSpan) -> None:
        """Take a statement away, with its lines where nothing else stands on them."""
        self.replace(whole, "")

    def result(self) -> str:
        """The text after all edits; Overlap where two of them meet."""
        lines: list[str | None] = list(self.lines)
        last: tuple[int, int] | None = None
        for span in sorted(self.spans, reverse=True):
            if last is not None and (span.end_line, span.end_col) > last:
                raise Overlap
            last = (span.line, span.col)
            self._apply(span, lines)
        found: list[str] = [*self.below.get(0, ())]
        for number, line in enumerate(lines, start=1):
            if line is not None:
                found.append(line)
            found += self.below.get(number, ())
        return "\n".join(found)

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
    """What stands to the right of a cell that grew, moved as little as its blanks allow."""
    bare = tail.lstrip(" ")
    blanks = len(tail) - len(bare)
    return " " * max(1, blanks - grown) + bare if bare.strip() else tail

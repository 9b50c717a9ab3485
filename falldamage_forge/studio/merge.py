"""Two hands on one text: what each changed, brought together where they changed other lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

MAX_LINES = 3000
"""Changed regions with more lines are not compared: that would take long, and is asked instead."""

Hunk = tuple[int, int, tuple[str, ...]]
"""Lines first to last (excluded) of the base, and what stands there instead."""


def merged(base: str, mine: str, theirs: str) -> str | None:
    """Both changes of a text; None where they touch the same or neighbouring lines differently.

    Line ends count as part of a line, so that nothing else is changed.
    """
    lines = base.splitlines(keepends=True)
    both = [_hunks(lines, other.splitlines(keepends=True)) for other in (mine, theirs)]
    if None in both:
        return None
    hunks = sorted({hunk for own in both if own for hunk in own})
    out: list[str] = []
    at = 0
    for number, (first, last, instead) in enumerate(hunks):
        if number and first <= hunks[number - 1][1]:
            return None
        out += lines[at:first]
        out += instead
        at = last
    return "".join([*out, *lines[at:]])


def _hunks(base: Sequence[str], other: Sequence[str]) -> tuple[Hunk, ...] | None:
    """What was changed of the base; None when that is too much to compare."""
    least = min(len(base), len(other))
    head = next((n for n in range(least) if base[n] != other[n]), least)
    tail = next(
        (n for n in range(least - head) if base[-1 - n] != other[-1 - n]),
        least - head,
    )
    old, new = base[head : len(base) - tail], other[head : len(other) - tail]
    if max(len(old), len(new)) > MAX_LINES:
        return None
    return tuple(_changes(old, new, head))


def _changes(old: Sequence[str], new: Sequence[str], offset: int) -> Iterator[Hunk]:
    codes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    for kind, first, last, begin, end in codes:
        if kind != "equal":
            yield offset + first, offset + last, tuple(new[begin:end])

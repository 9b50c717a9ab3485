"""Three-way merge of texts by lines: changes in different lines are combined."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

MAX_LINES = 3000
"""Greatest number of lines of a changed region to compare; a larger one is a conflict."""

Hunk = tuple[int, int, tuple[str, ...]]
"""Lines first to last (exclusive) of the base, and their replacement."""


def merge_texts(base: str, mine: str, theirs: str) -> str | None:
    """Return the merged text; None if both changed the same or adjacent lines differently.

    Line ends are part of a line, so that the merge changes nothing else.

    Args:
        base: The common ancestor.
        mine: The first changed text.
        theirs: The second changed text.
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
    """Return the changes from the base; None if there are too many to compare."""
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

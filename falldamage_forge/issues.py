"""What is wrong, where, and how to mend it: the one currency of every room.

An `Issue` is a defect with a code, a place in a source file, the tiles it speaks of and a hint.
Rooms return lists of them; only the outermost layer decides what to print and how to exit.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from falldamage_forge.values import dataclass

Severity = Literal["error", "warning", "info"]


@dataclass(frozen=True, slots=True, order=True)
class SourceSpan:
    """A stretch of source text. Lines and columns count from 1; the end is exclusive."""

    file: str
    line: int
    col: int
    end_line: int
    end_col: int


@dataclass(frozen=True, slots=True)
class Note:
    """A second place that an issue speaks of, with what is to be seen there."""

    span: SourceSpan
    message: str


@dataclass(frozen=True, slots=True)
class Issue:
    """One defect. `tiles` are (row, col) pairs counted from 0; `code` is `FDF` and three digits.

    `count` is how many it stands for, and `followers` are those of them, and what follows from it,
    as far as they are kept: see `folding`.
    """

    code: str
    severity: Severity
    message: str
    span: SourceSpan | None = None
    tiles: tuple[tuple[int, int], ...] = ()
    hint: str | None = None
    notes: tuple[Note, ...] = ()
    count: int = 1
    followers: tuple[Issue, ...] = ()

    def __str__(self) -> str:
        """One line, for logs and tests; the pretty form lives in `diagnostics`."""
        place = f"{self.span.file}:{self.span.line}:{self.span.col}: " if self.span else ""
        return f"{place}{self.severity}[{self.code}]: {self.message}"


def tile_name(tile: tuple[int, int]) -> str:
    """`A1` of (0, 0), also for columns beyond Z."""
    row, col = tile
    letters = chr(65 + col) if col < 26 else chr(64 + col // 26) + chr(65 + col % 26)
    return f"{letters}{row + 1}"


class ForgeError(Exception):
    """Bad input, told as issues. The command line prints them and exits 1."""

    def __init__(self, issues: Iterable[Issue]) -> None:
        self.issues = tuple(issues)
        super().__init__("\n".join(map(str, self.issues)))


def refuse(code: str, message: str, hint: str | None = None) -> ForgeError:
    """A single error without a place, ready to raise."""
    return ForgeError([Issue(code, "error", message, hint=hint)])


def has_errors(issues: Iterable[Issue]) -> bool:
    """Whether any of the issues is an error (warnings and infos never stop a build)."""
    return any(issue.severity == "error" for issue in issues)


def did_you_mean(word: str, vocabulary: Iterable[str]) -> str | None:
    """The nearest known word as a question, or None when nothing is near.

    Near is a word of another case or with other joints, one that begins alike, or one that few
    slips of the hand away: one in 3 or 4 letters, two in 8, three in 12.

    >>> did_you_mean("towr", ["tower", "keep"])
    'did you mean `tower`?'
    """
    typed = _plain(word[:LONGEST_WORD])
    found: list[tuple[int, str]] = []
    for known in sorted(set(vocabulary)):
        plain = _plain(known)
        begins = len(typed) >= 3 and (plain.startswith(typed) or typed.startswith(plain))
        slips = _slips(typed, plain)
        # Of three letters one may be missing, doubled or swapped; another letter is another word.
        short = len(typed) == 3 and slips == 1 and len(set(typed) & set(plain)) == 3
        if slips <= len(typed) // 4 or short or (begins and len(plain) >= 3):
            found.append((slips, known))
    return f"did you mean `{min(found)[1]}`?" if found else None


LONGEST_WORD = 60
"""Letters of a word that are compared; no known word is longer."""


def _plain(word: str) -> str:
    return word.lower().replace("_", "-")


def _slips(one: str, other: str) -> int:
    """Letters left out, added, exchanged or swapped with the next: restricted Damerau distance."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, start=1):
        last, row = row, [i]
        for j, b in enumerate(other, start=1):
            least = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                least = min(least, before[j - 2] + 1)
            row.append(least)
        before = last
    return row[-1]

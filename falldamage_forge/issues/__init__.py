"""Issues: defects of the user's input, with code, place and hint. All packages report with them.

Functions return lists of issues or raise `ForgeError`; only the outermost layer (command line,
studio, language server) decides how to print them and how to exit.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from falldamage_forge.infra.lazy_dataclass import dataclass

Severity = Literal["error", "warning", "info"]


@dataclass(frozen=True, slots=True, order=True)
class SourceSpan:
    """A range of source text. Lines and columns count from 1; the end is exclusive."""

    file: str
    line: int
    col: int
    end_line: int
    end_col: int


@dataclass(frozen=True, slots=True)
class Note:
    """A second place of an issue, with a message about it."""

    span: SourceSpan
    message: str


def notes_at(*places: tuple[SourceSpan | None, str]) -> tuple[Note, ...]:
    """Return a note at each place that a source names, with its message."""
    return tuple(Note(span, message) for span, message in places if span)


@dataclass(frozen=True, slots=True)
class Cure:
    """A change of the board that was tried, and corrects an issue.

    Attributes:
        words: The change as the hint names it, an imperative.
        things: Elements of the board after the change.
    """

    words: str
    things: frozenset[Any]


@dataclass(frozen=True, slots=True)
class Issue:
    """One defect.

    Attributes:
        code: `FDF` and three digits.
        severity: Only errors stop a build.
        message: The defect in the user's words, with the value.
        span: The place in a source; None if there is none.
        tiles: (row, col) pairs, counted from 0.
        hint: The text to write instead.
        notes: Further places.
        count: Number of issues that this one stands for, see `issue_folding`.
        followers: Issues that follow from this one, or resemble it, up to a bound.
        cures: The changes of the board that the hint names.
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
    cures: tuple[Cure, ...] = ()

    def __str__(self) -> str:
        """Return one line for logs and tests; `diagnostics` has the printed form."""
        place = f"{self.span.file}:{self.span.line}:{self.span.col}: " if self.span else ""
        return f"{place}{self.severity}[{self.code}]: {self.message}"


def tile_name(tile: tuple[int, int]) -> str:
    """Return the name of a (row, col) tile: `A1` for (0, 0), `AA1` for (0, 26)."""
    row, col = tile
    letters = chr(65 + col) if col < 26 else chr(64 + col // 26) + chr(65 + col % 26)
    return f"{letters}{row + 1}"


class ForgeError(Exception):
    """Invalid input, as a list of issues. The command line prints them and exits 1."""

    def __init__(self, issues: Iterable[Issue]) -> None:
        self.issues = tuple(issues)
        super().__init__("\n".join(map(str, self.issues)))


def refuse(code: str, message: str, hint: str | None = None) -> ForgeError:
    """Return a ForgeError of one error without a place.

    Args:
        code: `FDF` and three digits.
        message: The defect in the user's words, with the value.
        hint: The text to write instead.
    """
    return ForgeError([Issue(code, "error", message, hint=hint)])


def has_errors(issues: Iterable[Issue]) -> bool:
    """True if any issue is an error (warnings and infos never stop a build)."""
    return any(issue.severity == "error" for issue in issues)


def did_you_mean(word: str, vocabulary: Iterable[str]) -> str | None:
    """Return the nearest known word as a question, or None.

    A word is near if it differs only in case or separators, begins alike, or is within a small edit
    distance: 1 for 3 or 4 letters, 2 for 8, 3 for 12.

    Args:
        word: The unknown word.
        vocabulary: The known words.

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
"""Number of letters that are compared; no known word is longer."""


def _plain(word: str) -> str:
    return word.lower().replace("_", "-")


def _slips(one: str, other: str) -> int:
    """Return the restricted Damerau-Levenshtein distance of two words."""
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

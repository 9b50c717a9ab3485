"""What comes of a gesture: an edit, a question, or a refusal, as of an edit that breaks the map."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from falldamage_forge.board import MAX_LEVEL, Board
from falldamage_forge.board.legality import Limits, check_legality
from falldamage_forge.issues import Issue, SourceSpan
from falldamage_forge.lang.edit.text import TextEdit
from falldamage_forge.lang.layout import Loaded

Judge = Callable[[Loaded], Iterable[Issue]]
"""What keeps the board of a text from being built."""
USUAL = Limits(max_rise=MAX_LEVEL)
"""What the usual catalogue and game allow: there is a ladder for every height."""


@dataclass(frozen=True, slots=True)
class Edited:
    """A gesture done: the new text, the edits that lead to it, and those that lead back."""

    text: str
    edits: tuple[TextEdit, ...]
    undo: tuple[TextEdit, ...]
    loaded: Loaded
    label: str = ""

    @property
    def board(self) -> Board:
        """The board that the new text gives."""
        return self.loaded.layout.board


@dataclass(frozen=True, slots=True)
class Question:
    """A gesture on one of several copies: in all of them, or in a variant of its own here?"""

    message: str
    all: Edited | None
    here: Edited | None


@dataclass(frozen=True, slots=True)
class Refused:
    """A gesture that cannot be done by an edit of this text, why, and where its source is.

    `issues` are the errors that it would bring; they have no place, since no text has them.
    """

    why: str
    source: SourceSpan | None = None
    issues: tuple[Issue, ...] = ()


Answer = Edited | Question | Refused


def buildable(loaded: Loaded) -> tuple[Issue, ...]:
    """The judge that needs no game and no catalogue: legality with the usual limits."""
    return check_legality(loaded.layout.board, USUAL)


def judged(answer: Answer, before: Loaded, judge: Judge) -> Answer:
    """An answer without the edits that bring an error; refused where none is left."""
    if isinstance(answer, Refused):
        return answer
    old = tuple(judge(before))
    if isinstance(answer, Edited):
        return _allowed(answer, old, judge)
    ways = {
        name: _allowed(way, old, judge)
        for name, way in (("all", answer.all), ("here", answer.here))
        if way is not None
    }
    kept = {name: way for name, way in ways.items() if isinstance(way, Edited)}
    if not kept:
        return next(iter(ways.values()))
    return replace(answer, all=kept.get("all"), here=kept.get("here"))


def _allowed(done: Edited, old: Iterable[Issue], judge: Judge) -> Edited | Refused:
    found = new_errors(old, judge(done.loaded))
    if not found:
        return done
    more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
    issues = tuple(replace(issue, span=None, notes=()) for issue in found)
    return Refused(found[0].message + more, issues=issues)


def new_errors(before: Iterable[Issue], after: Iterable[Issue]) -> tuple[Issue, ...]:
    """Errors that were not there: each old one stands for one of its code on no other tiles."""
    left = sorted(_errors(before), key=lambda issue: len(issue.tiles))
    found = []
    for issue in _errors(after):
        same = (x for x in left if x.code == issue.code and set(issue.tiles) <= set(x.tiles))
        old = next(same, None)
        if old is None:
            found.append(issue)
        else:
            left.remove(old)
    return tuple(found)


def _errors(issues: Iterable[Issue]) -> Iterable[Issue]:
    return (issue for issue in issues if issue.severity == "error")

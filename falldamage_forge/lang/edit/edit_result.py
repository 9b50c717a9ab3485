"""Edit results: an edit, a question, or a refusal, and the check for new errors."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from falldamage_forge.board import MAX_LEVEL, Board
from falldamage_forge.elements.legality import check_legality
from falldamage_forge.elements.legality_tools import BuildLimits
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import Issue, SourceSpan
from falldamage_forge.lang.edit.text_edits import TextEdit
from falldamage_forge.lang.layout import LoadResult

Judge = Callable[[LoadResult], Iterable[Issue]]
"""Function that returns the issues of a changed map; new errors refuse the edit."""
USUAL = BuildLimits(max_rise=MAX_LEVEL)
"""Default limits: a ladder of every height exists."""


@dataclass(frozen=True, slots=True)
class EditResult:
    """A completed gesture.

    Attributes:
        text: The new text.
        edits: Text edits from the old text to the new one.
        undo: Text edits from the new text to the old one.
        loaded: Layout of the new text.
        label: Label of the gesture.
    """

    text: str
    edits: tuple[TextEdit, ...]
    undo: tuple[TextEdit, ...]
    loaded: LoadResult
    label: str = ""

    @property
    def board(self) -> Board:
        """The board of the new text."""
        return self.loaded.layout.board


@dataclass(frozen=True, slots=True)
class AmbiguousEdit:
    """A gesture on one of several copies of a piece.

    Attributes:
        message: The question.
        all: Edit of all copies; None if it is not possible.
        here: Edit of a variant for this copy; None if it is not possible.
    """

    message: str
    all: EditResult | None
    here: EditResult | None


@dataclass(frozen=True, slots=True)
class EditRefused:
    """A gesture that no edit of the text can do.

    Attributes:
        why: The reason.
        source: Source span of the obstacle; None without one.
        issues: Errors that the edit would cause, without spans.
    """

    why: str
    source: SourceSpan | None = None
    issues: tuple[Issue, ...] = ()


Answer = EditResult | AmbiguousEdit | EditRefused


def buildable(loaded: LoadResult) -> tuple[Issue, ...]:
    """Return the issues of a board under the default limits, without ruleset and catalogue."""
    return check_legality(loaded.layout.board, USUAL)


def judged(answer: Answer, before: LoadResult, judge: Judge) -> Answer:
    """Return an answer without the edits that cause new errors.

    Args:
        answer: The answer to check.
        before: The map before the edit.
        judge: Function that returns the issues of a map.

    Returns:
        A refusal if no edit is left.
    """
    if isinstance(answer, EditRefused):
        return answer
    old = tuple(judge(before))
    if isinstance(answer, EditResult):
        return _allowed(answer, old, judge)
    ways = {
        name: _allowed(way, old, judge)
        for name, way in (("all", answer.all), ("here", answer.here))
        if way is not None
    }
    kept = {name: way for name, way in ways.items() if isinstance(way, EditResult)}
    if not kept:
        return next(iter(ways.values()))
    return replace(answer, all=kept.get("all"), here=kept.get("here"))


def _allowed(done: EditResult, old: Iterable[Issue], judge: Judge) -> EditResult | EditRefused:
    errors = new_errors(old, judge(done.loaded))
    if not errors:
        return done
    others = len(errors) - 1
    more = f" (and {others} more error{'s' * (others > 1)})" if others else ""
    issues = tuple(replace(issue, span=None, notes=()) for issue in errors)
    return EditRefused(errors[0].message + more, issues=issues)


def new_errors(before: Iterable[Issue], after: Iterable[Issue]) -> tuple[Issue, ...]:
    """Return the errors of `after` that `before` has not.

    An old error accounts for one new error of its code on a subset of its tiles.

    Args:
        before: Issues before the edit.
        after: Issues after the edit.
    """
    left = sorted(_errors(before), key=lambda issue: len(issue.tiles))
    errors = []
    for issue in _errors(after):
        same = (x for x in left if x.code == issue.code and set(issue.tiles) <= set(x.tiles))
        old = next(same, None)
        if old is None:
            errors.append(issue)
        else:
            left.remove(old)
    return tuple(errors)


def _errors(issues: Iterable[Issue]) -> Iterable[Issue]:
    return (issue for issue in issues if issue.severity == "error")

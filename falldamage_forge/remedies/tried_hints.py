"""Tried hints: the remedies that correct an issue of this board, in words.

`PROPOSALS` lists by code the changes that may correct an issue. `with_remedies` makes each on the
board, judges the changed board, and words the hint of those after which the issue is gone and no
other error was added. So no hint leads to the next error. Callers: `checks`, the library.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import islice

from falldamage_forge.board import Board
from falldamage_forge.elements.legality_tools import BuildLimits
from falldamage_forge.elements.things import board_of, things_of
from falldamage_forge.issues import Issue
from falldamage_forge.lang.edit.gestures import InvalidGesture
from falldamage_forge.lang.facts import Extent
from falldamage_forge.remedies.piece_remedies import (
    of_bad_support,
    of_bare_spire,
    of_blocked_deck,
    of_crossing_decks,
    of_double_ladder,
    of_hindered_ladder,
    of_long_deck,
    of_long_ladder,
    of_loose_deck,
    of_lying_ladder,
    of_wet_feature,
)
from falldamage_forge.remedies.place_remedies import of_bad_chest, of_bad_start, of_sides_apart
from falldamage_forge.remedies.remedy import (
    Kind,
    Patient,
    Remedy,
)
from falldamage_forge.rules.position import Position

MOST_TOLD = 3
"""Most remedies of a hint."""
MOST_TRIED = 60
"""Most changed boards that are judged for the issues of one board."""
Judge = Callable[[Board], Iterable[Issue]]
"""Returns the issues of a changed board."""


def with_remedies(
    found: Iterable[Issue], position: Position, limits: BuildLimits, judge: Judge
) -> tuple[Issue, ...]:
    """Return the issues of a board with the remedies that correct them as hints.

    Args:
        found: All issues of the board that `judge` finds.
        position: The board under its rules.
        limits: Limits of catalogue and printer.
        judge: Finds the issues of a changed board.
    """
    issues = tuple(found)
    if not any(issue.code in PROPOSALS for issue in issues):
        return issues
    things, box = things_of(position.board), Extent(position.board.rows, position.board.cols)
    tried = iter(range(MOST_TRIED))

    def works(remedy: Remedy, issue: Issue) -> bool:
        with suppress(InvalidGesture):
            if next(tried, None) is not None:
                after = remedy.change(things)
                return _mends(issue, issues, judge(board_of(after, box.rows, box.cols)))
        return False

    return tuple(
        _hinted(issue, position, limits, works) if issue.code in PROPOSALS else issue
        for issue in issues
    )


def _hinted(
    issue: Issue,
    position: Position,
    limits: BuildLimits,
    works: Callable[[Remedy, Issue], bool],
) -> Issue:
    proposed = PROPOSALS[issue.code](Patient(position, limits, issue))
    good: list[str] = []
    for kind in proposed:
        if len(good) < MOST_TOLD and not (good and kind.last):
            tried = (
                each.words
                for each in kind.remedies
                if each.words not in good and works(each, issue)
            )
            good += islice(tried, 1)
    if not good:
        return issue
    cures = f"either {', or '.join(good)}" if len(good) > 1 else good[0]
    return replace(issue, hint=f"{issue.hint}. To correct it, {cures}" if issue.hint else cures)


def _mends(issue: Issue, before: Iterable[Issue], after: Iterable[Issue]) -> bool:
    """True if an issue is gone and no error was added; another may lose some of its tiles."""
    known: dict[str, list[set[tuple[int, int]]]] = {}
    for one in before:
        if one is not issue:
            known.setdefault(one.code, []).append({*one.tiles})
    after = tuple(after)
    gone = (issue.code, issue.tiles) not in {(one.code, one.tiles) for one in after}
    return gone and all(
        any(tiles.issuperset(one.tiles) for tiles in known.get(one.code, ()))
        for one in after
        if one.severity == "error"
    )


Propose = Callable[[Patient], Iterator[Kind]]
PROPOSALS: Mapping[str, Propose] = {
    "FDF131": of_long_deck,
    "FDF132": of_loose_deck,
    "FDF133": of_bad_support,
    "FDF134": of_blocked_deck,
    "FDF135": of_crossing_decks,
    "FDF138": of_lying_ladder,
    "FDF139": of_long_ladder,
    "FDF140": of_hindered_ladder,
    "FDF141": of_hindered_ladder,
    "FDF142": of_double_ladder,
    "FDF143": of_bare_spire,
    "FDF144": of_wet_feature,
    "FDF152": of_bad_start,
    "FDF154": of_bad_chest,
    "FDF300": of_sides_apart,
    "FDF313": of_hindered_ladder,
}
"""Functions that propose remedies, by the code of the issue; the likeliest remedy comes first."""

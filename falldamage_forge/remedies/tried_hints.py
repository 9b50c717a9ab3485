"""Tried hints: the remedies that correct an issue of this board, in words.

`PROPOSALS` lists by code the changes that may correct an issue. `with_remedies` makes each on the
board, judges the changed board, and words the hint of those after which the issue is gone and no
other error was added. So no hint leads to the next error. Callers: `checks`, the library.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import islice

from falldamage_forge.board import Board
from falldamage_forge.elements.legality_tools import BuildLimits
from falldamage_forge.elements.things import Things, board_of, things_of
from falldamage_forge.issues import Cure, Issue
from falldamage_forge.lang.edit.gestures import InvalidGesture
from falldamage_forge.lang.facts import Extent
from falldamage_forge.remedies.piece_remedies import (
    of_bad_support,
    of_bare_spire,
    of_bent_deck,
    of_blocked_deck,
    of_crossing_decks,
    of_double_ladder,
    of_far_ladder,
    of_floating_ladder,
    of_hindered_ladder,
    of_long_deck,
    of_long_ladder,
    of_loose_deck,
    of_lying_ladder,
    of_wet_feature,
)
from falldamage_forge.remedies.place_remedies import of_bad_chest, of_bad_start, of_tight_start
from falldamage_forge.remedies.remedy import (
    Kind,
    Patient,
    Remedy,
)
from falldamage_forge.remedies.top_remedies import (
    of_crowded_step,
    of_hooked_battlement,
    of_loose_battlement,
)
from falldamage_forge.remedies.way_remedies import (
    of_cut_off_units,
    of_place_without_exit,
    of_sides_apart,
    of_unreached_chest,
    of_unreached_place,
)
from falldamage_forge.rules.position import Position

MOST_TOLD = 3
"""Most remedies of a hint."""
MOST_BUILT = 60
"""Most changed boards that are judged for the issues of legality and set-up of one board."""
MOST_PLAYED, LEAST_PLAYED = 20, 3
"""Most changed boards that are judged for the issues of play of one board; each takes longer."""
LARGE_TILES = 200
"""Tiles of a board from which on fewer are: each takes as long as the board is large."""


def most_played(tiles: int) -> int:
    """Return how many changed boards are judged for the issues of play of a board.

    Args:
        tiles: Number of tiles of the board.
    """
    return max(LEAST_PLAYED, min(MOST_PLAYED, MOST_PLAYED * LARGE_TILES // tiles))


Judge = Callable[[Board], Iterable[Issue]]
"""Returns the issues of a changed board."""


def with_remedies(
    found: Iterable[Issue],
    position: Position,
    limits: BuildLimits,
    judge: Judge,
    most_tried: int = MOST_BUILT,
    allowed: Collection[str] = (),
) -> tuple[Issue, ...]:
    """Return the issues of a board with the remedies that correct them as hints.

    Args:
        found: All issues of the board that `judge` finds.
        position: The board under its rules.
        limits: Limits of catalogue and printer.
        judge: Finds the issues of a changed board.
        most_tried: Most changed boards that are judged.
        allowed: Codes of warnings that the map suppresses; they get no hint.
    """
    issues = tuple(found)

    def wanted(issue: Issue) -> bool:
        told = issue.severity == "error" or issue.code not in allowed
        return issue.code in PROPOSALS and told

    if not any(map(wanted, issues)):
        return issues
    things, box = things_of(position.board), Extent(position.board.rows, position.board.cols)
    tried = iter(range(most_tried))

    def works(remedy: Remedy, issue: Issue) -> Things | None:
        with suppress(InvalidGesture):
            if next(tried, None) is not None:
                after = remedy.change(things)
                if _mends(issue, issues, judge(board_of(after, box.rows, box.cols))):
                    return after
        return None

    return tuple(
        _hinted(issue, position, limits, works) if wanted(issue) else issue for issue in issues
    )


def _hinted(
    issue: Issue,
    position: Position,
    limits: BuildLimits,
    works: Callable[[Remedy, Issue], Things | None],
) -> Issue:
    """Return an issue with the remedies that correct it; `works` returns the changed board."""
    proposed = PROPOSALS[issue.code](Patient(position, limits, issue))
    good: dict[str, Things] = {}
    for kind in proposed:
        if len(good) < MOST_TOLD and not (good and kind.last):
            tried = (
                (each.words, after)
                for each in kind.remedies
                if each.words not in good and (after := works(each, issue)) is not None
            )
            good.update(islice(tried, 1))
    if not good:
        return issue
    told = f"either {', or '.join(good)}" if len(good) > 1 else next(iter(good))
    hint = f"{issue.hint}. To correct it, {told}" if issue.hint else told
    return replace(issue, hint=hint, cures=tuple(Cure(*each) for each in good.items()))


def _mends(issue: Issue, before: Iterable[Issue], after: Iterable[Issue]) -> bool:
    """True if an issue is gone from all of its tiles and no error was added.

    Another issue may lose some of its tiles.
    """
    known: dict[str, list[set[tuple[int, int]]]] = {}
    for one in before:
        if one is not issue:
            known.setdefault(one.code, []).append({*one.tiles})

    def new(one: Issue) -> bool:
        return not any(tiles.issuperset(one.tiles) for tiles in known.get(one.code, ()))

    def stays(one: Issue) -> bool:
        same = one.tiles == issue.tiles or (new(one) and not {*one.tiles}.isdisjoint(issue.tiles))
        return one.code == issue.code and same

    return not any(stays(one) or (one.severity == "error" and new(one)) for one in after)


Propose = Callable[[Patient], Iterator[Kind]]
PROPOSALS: Mapping[str, Propose] = {
    "FDF130": of_bent_deck,
    "FDF131": of_long_deck,
    "FDF132": of_loose_deck,
    "FDF133": of_bad_support,
    "FDF134": of_blocked_deck,
    "FDF135": of_crossing_decks,
    "FDF136": of_far_ladder,
    "FDF137": of_floating_ladder,
    "FDF138": of_lying_ladder,
    "FDF139": of_long_ladder,
    "FDF140": of_hindered_ladder,
    "FDF141": of_hindered_ladder,
    "FDF142": of_double_ladder,
    "FDF143": of_bare_spire,
    "FDF144": of_wet_feature,
    "FDF145": of_loose_battlement,
    "FDF146": of_hooked_battlement,
    "FDF147": of_crowded_step,
    "FDF152": of_bad_start,
    "FDF154": of_bad_chest,
    "FDF300": of_sides_apart,
    "FDF301": of_unreached_chest,
    "FDF310": of_place_without_exit,
    "FDF311": of_unreached_place,
    "FDF312": of_cut_off_units,
    "FDF313": of_hindered_ladder,
    "FDF361": of_tight_start,
}
"""Functions that propose remedies, by the code of the issue; the likeliest remedy comes first."""

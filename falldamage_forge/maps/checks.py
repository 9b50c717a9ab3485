"""The checks of `fdforge check`, in order: text, legality, set-up, play, fairness, expectations.

Play is checked only on a board that can be built, and fairness only on a map that can be played, so
that one error is reported once. Callers: `Forge.check`, the studio, the language server.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from falldamage_forge.board import Board, Feature, Tile
from falldamage_forge.elements.legality import check_legality
from falldamage_forge.elements.legality_tools import BuildLimits
from falldamage_forge.elements.scene import scene
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import ForgeError, Issue, SourceSpan, did_you_mean, has_errors
from falldamage_forge.lengths import GRID
from falldamage_forge.rules.expectations import FairnessFinding, evaluate
from falldamage_forge.rules.playability import check_play
from falldamage_forge.rules.position import Position
from falldamage_forge.rules.setup_check import check_setup
from falldamage_forge.rules.side_connection import check_apart

if TYPE_CHECKING:
    from falldamage_forge.lang import Layout, LoadResult
    from falldamage_forge.pieces.catalogue import Catalogue
    from falldamage_forge.rules.answers import Metric


OF_RULES = ("FDF293", "FDF320", "FDF369")
"""Codes of errors that leave the ruleset or its options unknown."""
UNKNOWN = ("FDF330", "FDF400")
"""Codes of expectations that have no meaning on any board."""
Judge = Callable[[Position, int], FairnessFinding]
"""Returns what is known of a position's fairness within some percentage points.

Raises UnknownExpectation if no bot plays the game.
"""


@dataclass(frozen=True)
class CheckContext:
    """The input of expectations: a position, with cached playability and metrics.

    `judge` answers `expect fair`; with None this expectation is skipped.
    """

    position: Position
    judge: Judge | None = None

    def fairness(self, percent: int) -> FairnessFinding | None:
        """Return what the judge knows of the map's fairness; None without a judge.

        Args:
            percent: Greatest distance of a side's score from 50 %, in percentage points.
        """
        return self.judge(self.position, percent) if self.judge else None

    @cached_property
    def proof(self) -> tuple[Issue, ...]:
        """Return the issues of the playability check."""
        return check_play(self.position)

    @cached_property
    def measures(self) -> Mapping[str, Callable[[], tuple[Metric, ...]]]:
        """Return functions that compute the metrics, by name."""
        from falldamage_forge.metrics.metric_table import measures

        return measures(self.position)


class Blind(CheckContext):
    """A board that cannot be judged: only unknown words of expectations are reported."""

    @cached_property
    def proof(self) -> tuple[Issue, ...]:
        """Return no issues."""
        return ()

    @cached_property
    def measures(self) -> Mapping[str, Callable[[], tuple[Metric, ...]]]:
        """Return the names of the metrics with functions that give none."""
        from falldamage_forge.metrics.metric_table import measures

        return dict.fromkeys(measures(self.position), tuple)


def check_loaded(
    loaded: LoadResult,
    catalogue: Catalogue,
    position: Position,
    own_rules: bool = True,
    judge: Judge | None = None,
    beside: tuple[Issue, ...] = (),
) -> tuple[Issue, ...]:
    """Return every issue of a loaded map under a ruleset.

    Play is checked if the board is certain and can be built, even if other lines have errors.

    Args:
        loaded: The parsed map.
        catalogue: All pieces in the default size.
        position: The map's board under the ruleset.
        own_rules: False under another ruleset; the map's `expect` and `allow` are then ignored.
        judge: Answers `expect fair`; None skips this expectation.
        beside: Issues of the map's rules; they come first.
    """
    layout = loaded.layout
    if any(issue.code in OF_RULES for issue in beside):
        loaded = replace(loaded, tainted=replace(loaded.tainted, rules=True))
    limits = build_limits(catalogue, position)
    found = built_issues(position, limits, layout.players)
    sure = not loaded.tainted and not has_errors(found)
    facts = CheckContext(position, judge) if sure else Blind(position)
    found = _hinted(found, position, limits, layout.players)
    issues = (
        *loaded.issues,
        *check_printability(layout, catalogue),
        *map_issues_to_source(loaded, found),
    )
    allowed = {entry.code for entry in layout.allows} if own_rules else set[str]()
    issues += (
        _played(facts, limits, layout.players, allowed) if sure else _apart(loaded, found, position)
    )
    if own_rules:
        asked = _expectations(layout, catalogue, facts)
        issues += tuple(issue for issue in asked if sure or issue.code in UNKNOWN)
        issues = apply_suppressions(layout, issues, whole=sure)
    return (*beside, *issues)


def is_judged(loaded: LoadResult, issues: Iterable[Issue]) -> bool:
    """True if play was checked, derived from all issues of a map.

    Args:
        loaded: The parsed and expanded source.
        issues: All issues of the map.
    """
    built = ("FDF13", "FDF14", "FDF15", "FDF16")
    return not loaded.tainted and not any(
        issue.severity == "error" and (issue.code.startswith(built) or issue.code in OF_RULES)
        for issue in issues
    )


def _apart(loaded: LoadResult, found: Iterable[Issue], position: Position) -> tuple[Issue, ...]:
    """Return the issues of sides that stay apart whichever meaning the erroneous lines have."""
    tainted = loaded.tainted
    if has_errors(found) or tainted.everywhere or tainted.starts or tainted.rules:
        return ()
    return check_apart(position, tainted.tiles)


def _played(
    facts: CheckContext, limits: BuildLimits, players: int, allowed: Collection[str]
) -> tuple[Issue, ...]:
    """Return the issues of playability, and those of fairness if the map can be played."""
    from falldamage_forge.metrics.metric_table import check_fairness

    proof = _hinted(facts.proof, facts.position, limits, players, play=True, allowed=allowed)
    return proof if has_errors(proof) else (*proof, *check_fairness(facts.position))


def _hinted(
    found: tuple[Issue, ...],
    position: Position,
    limits: BuildLimits,
    players: int,
    *,
    play: bool = False,
    allowed: Collection[str] = (),
) -> tuple[Issue, ...]:
    """Return issues with the remedies that correct them; a good board imports none of these."""
    if not found:
        return found
    from falldamage_forge.remedies.tried_hints import MOST_BUILT, most_played, with_remedies

    judge = judge_of(position, limits, players, play=play)
    board = position.board
    most = most_played(board.rows * board.cols) if play else MOST_BUILT
    return with_remedies(found, position, limits, judge, most, allowed)


def built_issues(position: Position, limits: BuildLimits, players: int) -> tuple[Issue, ...]:
    """Return the issues of a board that keep it from being built or set up.

    Args:
        position: The board under its rules.
        limits: Limits of catalogue and printer.
        players: Number of players of the map.
    """
    return (*check_legality(position.board, limits), *check_setup(position, players))


def judge_of(
    position: Position, limits: BuildLimits, players: int, *, play: bool = False
) -> Callable[[Board], tuple[Issue, ...]]:
    """Return the function that finds the issues of a changed board under the same rules.

    Args:
        position: The board before the change, under its rules.
        limits: Limits of catalogue and printer.
        players: Number of players of the map.
        play: True to check play too, on a board that can be built.
    """

    def judge(board: Board) -> tuple[Issue, ...]:
        after = Position(board, position.game)
        found = built_issues(after, limits, players)
        return (*found, *check_play(after)) if play and not has_errors(found) else found

    return judge


def check_printability(layout: Layout, catalogue: Catalogue) -> tuple[Issue, ...]:
    """Return warnings if no piece (FDF437) or not every piece (FDF438) fits the map's size.

    Args:
        layout: The layout.
        catalogue: All pieces in the default size.
    """
    grid = layout.printing.grid
    if grid == GRID:
        return ()
    from falldamage_forge.geometry.size_limits import grid_problems, size_problem

    span = layout.printing.source
    hint = "play and draw it so, or print it in another `tile` and `rise`"
    wrong = [Issue("FDF437", "warning", why, span, hint=hint) for why in grid_problems(grid)]
    if wrong:
        return tuple(wrong)
    found = []
    for key, tiles in _asked(layout, catalogue).items():
        piece = catalogue[key]
        why = size_problem(piece.builder, piece.levels, grid)
        if why is not None:
            message = f"no `{piece.name}` can be printed: {why}"
            found.append(Issue("FDF438", "warning", message, span, tiles, hint))
    return tuple(found)


def _asked(layout: Layout, catalogue: Catalogue) -> dict[str, tuple[Tile, ...]]:
    """Return the pieces that some sizes lack, by name, with the tiles that need them."""
    board = layout.board
    stands: dict[str, list[Tile]] = {}
    for x in scene(board):
        stands.setdefault(x.kind, []).append(x.tile)
    for one in layout.extras:
        stands.setdefault(one.piece, [])
    return {key: tuple(tiles) for key, tiles in stands.items() if key in catalogue}


def require_printable_size(layout: Layout, catalogue: Catalogue) -> None:
    """Raise ForgeError (FDF437, FDF438) if the map cannot be printed in its size.

    Args:
        layout: The map, with its print settings.
        catalogue: Pieces of the map's size.
    """
    if issues := check_printability(layout, catalogue):
        raise ForgeError([replace(issue, severity="error") for issue in issues])


def map_issues_to_source(loaded: LoadResult, found: Iterable[Issue]) -> tuple[Issue, ...]:
    """Return the issues of a board with spans and expansion notes; tainted tiles are dropped.

    Args:
        loaded: The parsed map.
        found: Issues of its board.
    """
    from falldamage_forge.lang.expansion_notes import with_expansion_notes

    return with_expansion_notes(
        (issue for issue in found if not loaded.tainted.covers(issue)), loaded.facts
    )


def build_limits(catalogue: Catalogue, position: Position) -> BuildLimits:
    """Return the limits of the catalogue for a board.

    Features are as high as the ruleset says, but at least as high as their pieces.

    Args:
        catalogue: Pieces that can be printed.
        position: The board under its rules.
    """
    terrain = position.game.terrain
    rules = {Feature.TREE: terrain.tree_height, Feature.SPIRE: terrain.spire_height}
    pieces = {feature: catalogue[feature].levels for feature in rules}
    tree, spire = (max(rules[feature], pieces[feature]) for feature in rules)
    printed = frozenset(feature for feature in rules if pieces[feature] > rules[feature])
    return BuildLimits(catalogue.max_span, catalogue.max_rise, tree, spire, printed)


COMPARE: dict[str, Callable[[int, int], bool]] = {
    "<=": lambda have, want: have <= want,
    ">=": lambda have, want: have >= want,
    "<": lambda have, want: have < want,
    ">": lambda have, want: have > want,
    "=": lambda have, want: have == want,
}


def _counts(words: tuple[str, ...]) -> bool:
    """True for an expectation of a piece's count."""
    number = words[2] if len(words) == 3 else ""
    return number.isascii() and number.isdigit() and words[1] in COMPARE


def _expectations(layout: Layout, catalogue: Catalogue, facts: CheckContext) -> list[Issue]:
    """Return the issues of `expect` statements that fail, of play or of counts of pieces."""
    issues: list[Issue] = []
    for expectation in layout.expects:
        words = expectation.words
        if _counts(words):
            issues += _expect_count(layout, catalogue, words, expectation.source, facts)
        else:
            issues += evaluate(words, facts, expectation.source)
    return issues


def _expect_count(
    layout: Layout,
    catalogue: Catalogue,
    words: tuple[str, ...],
    source: SourceSpan | None,
    facts: CheckContext,
) -> tuple[Issue, ...]:
    """Return the issue of a failed `block-1x1x1 <= 40`, if it fails."""
    from falldamage_forge.maps.layout_plan import plan_layout

    key, sign, number = words
    if key not in catalogue:
        hint = did_you_mean(key, catalogue.pieces)
        return (Issue("FDF400", "error", f"no piece called `{key}`", source, hint=hint),)
    if isinstance(facts, Blind):
        return ()
    sized = catalogue.on(layout.printing.grid).holding(layout.printing.held)
    have = plan_layout(layout, sized).counts().get(sized[key].key, 0)
    if COMPARE[sign](have, int(number[:9])):
        return ()
    message = f"expected {' '.join(words)}, but the map needs {have}"
    return (Issue("FDF331", "error", message, source),)


def apply_suppressions(
    layout: Layout, issues: tuple[Issue, ...], *, whole: bool = True
) -> tuple[Issue, ...]:
    """Return the issues without the warnings that `allow` statements suppress.

    Errors cannot be suppressed. An `allow` without effect is a warning (FDF299).

    Args:
        layout: The layout with its `allow` statements.
        issues: All issues of the map.
        whole: False if play was not checked; an unused `allow` is then no warning.
    """
    if not layout.allows:
        return issues
    codes = {entry.code for entry in layout.allows}
    kept = [issue for issue in issues if issue.severity == "error" or issue.code not in codes]
    used = {issue.code for issue in issues if issue.severity != "error"}
    present = {issue.code for issue in issues}
    for entry in layout.allows:
        if entry.code not in used and (whole or entry.code in present):
            message = (
                f"`allow {entry.code}` cannot take back an error"
                if entry.code in present
                else f"`allow {entry.code}` takes back nothing; no such warning is raised"
            )
            hint = did_you_mean(entry.code, used - codes) or "take the line away"
            kept.append(Issue("FDF299", "warning", message, entry.span, hint=hint))
    return tuple(kept)

"""What `check` asks of a map, in order: text, legality, setting up, play, fairness, promises.

Play is judged only on a table that can be built, so that one fault is told once, and fairness only
where it can be played.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from falldamage_forge.board import Feature, Tile
from falldamage_forge.board.legality import Limits, check_legality
from falldamage_forge.issues import ForgeError, Issue, SourceSpan, did_you_mean, has_errors
from falldamage_forge.lengths import GRID
from falldamage_forge.rules.expect import evaluate
from falldamage_forge.rules.position import Position
from falldamage_forge.rules.proofs import check_play
from falldamage_forge.rules.setup import check_setup
from falldamage_forge.values import dataclass

if TYPE_CHECKING:
    from falldamage_forge.lang import Layout, Loaded
    from falldamage_forge.pieces.catalogue import Catalogue
    from falldamage_forge.rules.answers import Metric


Judge = Callable[[Position, int], "str | None"]
"""Plays a position and tells by how much more than so many percent the sides differ, if they do.

ValueError where the game cannot be played.
"""


@dataclass(frozen=True)
class Facts:
    """What expectations ask, each worked out once."""

    position: Position
    judge: Judge | None = None

    def fairness(self, percent: int) -> str | None:
        """What a playtest found against the map; nothing is said where nobody plays."""
        return self.judge(self.position, percent) if self.judge else None

    @cached_property
    def proof(self) -> tuple[Issue, ...]:
        """What stands against playing the map."""
        return check_play(self.position)

    @cached_property
    def measures(self) -> Mapping[str, Callable[[], tuple[Metric, ...]]]:
        """Measures by name."""
        from falldamage_forge.measures.table import measures

        return measures(self.position)


def check_loaded(
    loaded: Loaded, catalogue: Catalogue, position: Position, *, own_rules: bool = True,
    judge: Judge | None = None,
) -> tuple[Issue, ...]:  # fmt: skip
    """Every issue of a loaded map under a game.

    What a map expects and allows is said of its own rules, and is left out under others. Whether it
    is fair is asked only where there is a judge.
    """
    from falldamage_forge.measures.table import check_fairness

    layout = loaded.layout
    issues = [*loaded.issues, *unprinted(layout, catalogue)]
    found = check_legality(layout.board, limits_of(catalogue, position))
    issues += told(loaded, (*found, *check_setup(position, layout.players)))
    if not has_errors(issues):
        facts = Facts(position, judge)
        issues += facts.proof
        if not has_errors(facts.proof):
            issues += check_fairness(position)
        if own_rules:
            issues += _expectations(layout, catalogue, facts)
    return allow(layout, tuple(issues)) if own_rules else tuple(issues)


def unprinted(layout: Layout, catalogue: Catalogue) -> tuple[Issue, ...]:
    """Warnings of a table whose size no part can have (FDF437), or not each of its parts (FDF438).

    `catalogue` is that of any size.
    """
    grid = layout.printing.grid
    if grid == GRID:
        return ()
    from falldamage_forge.geometry.scale import misfits, unmade

    span = layout.printing.source
    hint = "play and draw it so, or print it in another `tile` and `rise`"
    wrong = [Issue("FDF437", "warning", why, span, hint=hint) for why in misfits(grid)]
    if wrong:
        return tuple(wrong)
    found = []
    for key, tiles in _asked(layout, catalogue).items():
        piece = catalogue[key]
        why = unmade(piece.builder, piece.levels, grid)
        if why is not None:
            message = f"no `{piece.name}` can be printed: {why}"
            found.append(Issue("FDF438", "warning", message, span, tiles, hint))
    return tuple(found)


def _asked(layout: Layout, catalogue: Catalogue) -> dict[str, tuple[Tile, ...]]:
    """Pieces of a map that no size has for sure, by name, and where they stand."""
    board = layout.board
    stands = {"step": tuple(step.tile for step in board.steps)}
    for feature in Feature:
        own = (tile for tile in board.tiles() if board.column(tile).feature is feature)
        stands[feature.value] = tuple(own)
    stands |= {one.piece: () for one in layout.extras if one.piece not in stands}
    wanted = {one.piece for one in layout.extras}
    return {
        key: tiles for key, tiles in stands.items() if key in catalogue and (tiles or key in wanted)
    }


def refuse_size(layout: Layout, catalogue: Catalogue) -> None:
    """ForgeError (FDF437, FDF438) for a table that cannot be printed in its size."""
    if issues := unprinted(layout, catalogue):
        raise ForgeError([replace(issue, severity="error") for issue in issues])


def told(loaded: Loaded, found: Iterable[Issue]) -> tuple[Issue, ...]:
    """Issues of a board as its text has them: copies named, and nothing that the text tells."""
    from falldamage_forge.lang.origins import explained

    return explained((issue for issue in found if not loaded.doubt.covers(issue)), loaded.facts)


def limits_of(catalogue: Catalogue, position: Position) -> Limits:
    """What the catalogue allows a board to be, its features as high as the game says."""
    terrain = position.game.terrain
    return Limits(catalogue.max_span, catalogue.max_rise, terrain.tree_height, terrain.spire_height)


COMPARE: dict[str, Callable[[int, int], bool]] = {
    "<=": lambda have, want: have <= want,
    ">=": lambda have, want: have >= want,
    "<": lambda have, want: have < want,
    ">": lambda have, want: have > want,
    "=": lambda have, want: have == want,
}


def _expectations(layout: Layout, catalogue: Catalogue, facts: Facts) -> list[Issue]:
    """The `expect` statements that do not hold: of play (rules), or counts of pieces (the plan)."""
    issues: list[Issue] = []
    for expectation in layout.expects:
        words = expectation.words
        if len(words) == 3 and words[1] in COMPARE and words[2].isascii() and words[2].isdigit():
            issues += _expect_count(layout, catalogue, words, expectation.source)
        else:
            issues += evaluate(words, facts, expectation.source)
    return issues


def _expect_count(
    layout: Layout, catalogue: Catalogue, words: tuple[str, ...], source: SourceSpan | None
) -> tuple[Issue, ...]:
    """`block-1x1x1 <= 40`: how many parts of a piece the map needs."""
    from falldamage_forge.assemble import plan_of

    key, sign, number = words
    if key not in catalogue:
        hint = did_you_mean(key, catalogue.pieces)
        return (Issue("FDF400", "error", f"no piece called `{key}`", source, hint=hint),)
    sized = catalogue.on(layout.printing.grid)
    have = plan_of(layout, sized).counts().get(sized[key].key, 0)
    if COMPARE[sign](have, int(number[:9])):
        return ()
    message = f"expected {' '.join(words)}, but the map needs {have}"
    return (Issue("FDF331", "error", message, source),)


def allow(layout: Layout, issues: tuple[Issue, ...]) -> tuple[Issue, ...]:
    """The issues without the warnings that an `allow` statement takes back.

    An error cannot be allowed away, and an `allow` that takes back nothing is a warning itself.
    """
    if not layout.allows:
        return issues
    codes = {entry.code for entry in layout.allows}
    kept = [issue for issue in issues if issue.severity == "error" or issue.code not in codes]
    used = {issue.code for issue in issues if issue.severity != "error"}
    present = {issue.code for issue in issues}
    for entry in layout.allows:
        if entry.code not in used:
            message = (
                f"`allow {entry.code}` cannot take back an error"
                if entry.code in present
                else f"`allow {entry.code}` takes back nothing; no such warning is raised"
            )
            hint = did_you_mean(entry.code, used - codes) or "take the line away"
            kept.append(Issue("FDF299", "warning", message, entry.span, hint=hint))
    return tuple(kept)

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
from falldamage_forge.rules.sides import check_apart
from falldamage_forge.values import dataclass

if TYPE_CHECKING:
    from falldamage_forge.lang import Layout, Loaded
    from falldamage_forge.pieces.catalogue import Catalogue
    from falldamage_forge.rules.answers import Metric


OF_RULES = ("FDF293", "FDF320", "FDF369")
"""Faults that leave open which game is meant, or under which readings."""
UNKNOWN = ("FDF330", "FDF400")
"""Expectations that mean nothing on any board."""
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


class Blind(Facts):
    """A board that cannot be judged: nothing stands against any expectation, but for its words."""

    @cached_property
    def proof(self) -> tuple[Issue, ...]:
        """Nothing is known."""
        return ()

    @cached_property
    def measures(self) -> Mapping[str, Callable[[], tuple[Metric, ...]]]:
        """The names, without answers."""
        from falldamage_forge.measures.table import measures

        return dict.fromkeys(measures(self.position), tuple)


def check_loaded(
    loaded: Loaded,
    catalogue: Catalogue,
    position: Position,
    own_rules: bool = True,
    judge: Judge | None = None,
    beside: tuple[Issue, ...] = (),
) -> tuple[Issue, ...]:
    """Every issue of a loaded map under a game; those found `beside` it, of its rules, first.

    Play is judged where the board is the one that is meant and can be built, whatever else is wrong
    with the text. What a map expects and allows is said of its own rules, and is left out under
    others. Whether it is fair is asked only where there is a judge.
    """
    layout = loaded.layout
    if any(issue.code in OF_RULES for issue in beside):
        loaded = replace(loaded, doubt=replace(loaded.doubt, rules=True))
    found = check_legality(layout.board, limits_of(catalogue, position))
    found = (*found, *check_setup(position, layout.players))
    sure = not loaded.doubt and not has_errors(found)
    facts = Facts(position, judge) if sure else Blind(position)
    issues = (*loaded.issues, *unprinted(layout, catalogue), *told(loaded, found))
    issues += _played(facts) if sure else _apart(loaded, found, position)
    if own_rules:
        asked = _expectations(layout, catalogue, facts)
        issues += tuple(issue for issue in asked if sure or issue.code in UNKNOWN)
        issues = allow(layout, issues, whole=sure)
    return (*beside, *issues)


def is_judged(loaded: Loaded, issues: Iterable[Issue]) -> bool:
    """Whether play was judged, of a map of which all issues are given."""
    built = ("FDF13", "FDF14", "FDF15", "FDF16")
    return not loaded.doubt and not any(
        issue.severity == "error" and (issue.code.startswith(built) or issue.code in OF_RULES)
        for issue in issues
    )


def _apart(loaded: Loaded, found: Iterable[Issue], position: Position) -> tuple[Issue, ...]:
    """The sides that stay apart whatever the lines mean that cannot be read."""
    doubt = loaded.doubt
    if has_errors(found) or doubt.everywhere or doubt.starts or doubt.rules:
        return ()
    return check_apart(position, doubt.tiles)


def _played(facts: Facts) -> tuple[Issue, ...]:
    """What stands against playing a map, and against its fairness where it can be played."""
    from falldamage_forge.measures.table import check_fairness

    if has_errors(facts.proof):
        return facts.proof
    return (*facts.proof, *check_fairness(facts.position))


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
    """What the catalogue allows a board to be.

    Its features are as high as the game says, and no lower than what is printed.
    """
    terrain = position.game.terrain
    tree = max(terrain.tree_height, catalogue.tree.levels)
    spire = max(terrain.spire_height, catalogue.spire.levels)
    return Limits(catalogue.max_span, catalogue.max_rise, tree, spire)


COMPARE: dict[str, Callable[[int, int], bool]] = {
    "<=": lambda have, want: have <= want,
    ">=": lambda have, want: have >= want,
    "<": lambda have, want: have < want,
    ">": lambda have, want: have > want,
    "=": lambda have, want: have == want,
}


def _counts(words: tuple[str, ...]) -> bool:
    """Whether an expectation is one of a piece's number."""
    number = words[2] if len(words) == 3 else ""
    return number.isascii() and number.isdigit() and words[1] in COMPARE


def _expectations(layout: Layout, catalogue: Catalogue, facts: Facts) -> list[Issue]:
    """The `expect` statements that do not hold: of play (rules), or counts of pieces (the plan)."""
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
    facts: Facts,
) -> tuple[Issue, ...]:
    """`block-1x1x1 <= 40`: how many parts of a piece the map needs."""
    from falldamage_forge.assemble import plan_of

    key, sign, number = words
    if key not in catalogue:
        hint = did_you_mean(key, catalogue.pieces)
        return (Issue("FDF400", "error", f"no piece called `{key}`", source, hint=hint),)
    if isinstance(facts, Blind):
        return ()
    sized = catalogue.on(layout.printing.grid)
    have = plan_of(layout, sized).counts().get(sized[key].key, 0)
    if COMPARE[sign](have, int(number[:9])):
        return ()
    message = f"expected {' '.join(words)}, but the map needs {have}"
    return (Issue("FDF331", "error", message, source),)


def allow(layout: Layout, issues: tuple[Issue, ...], *, whole: bool = True) -> tuple[Issue, ...]:
    """The issues without the warnings that an `allow` statement takes back.

    An error cannot be allowed away, and an `allow` that takes back nothing is a warning itself,
    where the `whole` map was judged.
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

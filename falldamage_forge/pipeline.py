"""The main road: text to Layout to verdict to files, as pure functions.

`check` stops after the rules; `build` goes on to plan, meshes, plates and artifacts. Neither reads
nor writes a file: sources and data come in as values, artifacts go out as bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from falldamage_forge.issues import Issue, SourceSpan, did_you_mean, has_errors
from falldamage_forge.legality import Limits, check_legality

if TYPE_CHECKING:
    from falldamage_forge.games.setting import Setting
    from falldamage_forge.lang import Layout, Loaded
    from falldamage_forge.pieces.catalogue import Catalogue
    from falldamage_forge.pieces.plan import Plan
    from falldamage_forge.rules.ruleset import Ruleset
    from falldamage_forge.rules.units import Unit

    Units = Callable[[], Mapping[str, Unit]]


@dataclass(frozen=True, slots=True)
class Checked:
    """What `check` found: the layout, as far as it was understood, and every issue."""

    layout: Layout
    issues: tuple[Issue, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing stands against building it."""
        return not has_errors(self.issues)


def limits_for(catalogue: Catalogue, players: int) -> Limits:
    """What the catalogue allows a layout to be."""
    return Limits(max_span=catalogue.max_span, max_rise=catalogue.max_rise, players=players)


def check(
    loaded: Loaded, catalogue: Catalogue, ruleset: Ruleset | Setting, units: Units = dict
) -> Checked:
    """Every issue of a loaded map: text first, then legality, then play.

    Play is judged only on a table that can be built, so that one fault is told once, and fairness
    only where it can be played. `units` brings the cards if an expectation needs them.
    """

    layout = loaded.layout
    issues = list(loaded.issues)
    issues += check_legality(layout.board, limits_for(catalogue, layout.players))
    if not has_errors(issues):
        issues += check_play(layout, ruleset)
        issues += check_expectations(layout, catalogue, ruleset, units)
    return Checked(layout, allow(layout, tuple(issues)))


def check_play(layout: Layout, ruleset: Ruleset | Setting) -> tuple[Issue, ...]:
    """What stands against playing a legal table, judged by the game it is for."""
    from falldamage_forge.games.checks import check_game
    from falldamage_forge.rules.checks import check_board
    from falldamage_forge.rules.fairness import check_fairness
    from falldamage_forge.rules.ruleset import Ruleset

    if not isinstance(ruleset, Ruleset):
        return check_game(layout.board, ruleset)
    issues = check_board(layout.board, ruleset)
    return issues if has_errors(issues) else (*issues, *check_fairness(layout.board, ruleset))


COMPARE: dict[str, Callable[[int, int], bool]] = {
    "<=": lambda have, want: have <= want,
    ">=": lambda have, want: have >= want,
    "<": lambda have, want: have < want,
    ">": lambda have, want: have > want,
    "=": lambda have, want: have == want,
}


def check_expectations(
    layout: Layout, catalogue: Catalogue, ruleset: Ruleset | Setting, units: Units = dict
) -> tuple[Issue, ...]:
    """The `expect` statements that do not hold: of play (rules), or counts of pieces (the plan)."""
    from falldamage_forge.games.checks import expect_game
    from falldamage_forge.rules.expect import evaluate
    from falldamage_forge.rules.ruleset import Ruleset

    issues: list[Issue] = []
    for expectation in layout.expects:
        words = expectation.words
        if len(words) == 3 and words[1] in COMPARE and words[2].isdigit():
            issues += _expect_count(layout, catalogue, words, expectation.source)
        elif not isinstance(ruleset, Ruleset):
            issues += expect_game(words, layout.board, ruleset, expectation.source)
        else:
            issues += evaluate(words, layout.board, ruleset, expectation.source, units)
    return tuple(issues)


def _expect_count(
    layout: Layout, catalogue: Catalogue, words: tuple[str, ...], source: SourceSpan | None
) -> tuple[Issue, ...]:
    """`block-1x1x1 <= 40`: how many parts of a piece the map needs."""
    key, sign, number = words
    if key not in catalogue.pieces:
        hint = did_you_mean(key, catalogue.pieces)
        return (Issue("FDF400", "error", f"no piece called `{key}`", source, hint=hint),)
    have = plan_of(layout, catalogue).counts().get(key, 0)
    if COMPARE[sign](have, int(number[:9])):
        return ()
    message = f"expected {' '.join(words)}, but the map needs {have}"
    return (Issue("FDF331", "error", message, source),)


def plan_of(
    layout: Layout,
    catalogue: Catalogue,
    owned: Mapping[str, int] | None = None,
    costs: Mapping[str, float] | None = None,
    *,
    bond: float = 0.0,
) -> Plan:
    """The plan of a legal layout; `owned` parts are those that the layout says if None."""
    from falldamage_forge.pieces.plan import plan

    if owned is None:
        owned = owned_by(layout)
    return plan(layout.board, catalogue, owned, costs, bond=bond)


def owned_by(layout: Layout) -> dict[str, int]:
    """Parts of the layout's `inventory` block, by key."""
    owned: dict[str, int] = {}
    for entry in layout.inventory:
        owned[entry.piece] = owned.get(entry.piece, 0) + entry.count
    return owned


def allow(layout: Layout, issues: tuple[Issue, ...]) -> tuple[Issue, ...]:
    """The issues without the warnings that an `allow` statement takes back.

    An error cannot be allowed away, and an `allow` that takes back nothing is a warning itself.
    """
    if not layout.allows:
        return issues
    kept = []
    used = set()
    codes = {entry.code for entry in layout.allows}
    for issue in issues:
        if issue.severity != "error" and issue.code in codes:
            used.add(issue.code)
        else:
            kept.append(issue)
    for entry in layout.allows:
        if entry.code not in used:
            present = {issue.code for issue in issues}
            message = (
                f"`allow {entry.code}` cannot take back an error"
                if entry.code in present
                else f"`allow {entry.code}` takes back nothing; no such warning is raised"
            )
            hint = did_you_mean(entry.code, present) or "take the line away"
            kept.append(Issue("FDF299", "warning", message, entry.span, hint=hint))
    return tuple(kept)

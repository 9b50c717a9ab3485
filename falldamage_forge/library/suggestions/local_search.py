"""Local search for suggestions: beam search over gestures, each applied to the text and measured.

A suggestion is accepted only if its text has no new error or warning, no metric becomes worse in
verdict, and the sides are closer than before. `fdforge analyze --suggest` and the studio call it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from falldamage_forge.elements.legality import check_legality
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.infra.progress import ProgressCallback, no_progress
from falldamage_forge.issues import has_errors
from falldamage_forge.lang.edit import EditResult, TextEdit, edit, parse_gesture
from falldamage_forge.lang.edit.gestures import InvalidGesture
from falldamage_forge.lang.edit.text_edits import diff_edits, edit_cost
from falldamage_forge.lang.expansion import Read
from falldamage_forge.lang.facts import Extent
from falldamage_forge.lang.layout import LoadResult
from falldamage_forge.lang.lower import load
from falldamage_forge.library.suggestions.edit_proposals import propose_edits
from falldamage_forge.maps.checks import build_limits, check_loaded
from falldamage_forge.metrics.metric_table import measures
from falldamage_forge.metrics.reachability import contact
from falldamage_forge.metrics.side_leads import leads
from falldamage_forge.pieces.catalogue import Catalogue
from falldamage_forge.rules.lead_margin import Lead
from falldamage_forge.rules.position import Position

STEPS = 3
"""Most gestures of a suggestion."""
BEAM = 2
"""Texts that each step continues."""
TRIES = 90
"""Gestures tried for each text of 100 tiles; fewer on larger boards, but at least `FEWEST`."""
FEWEST = 24
WORTH = 0.1
"""Least share of the excess that a suggestion removes."""
ORDER = {"good": 0, "info": 0, "warn": 1, "bad": 2}


class MetricChange(NamedTuple):
    """A figure before and after a suggestion.

    Attributes:
        what: Name of the figure.
        before: Difference of the sides before, in `measure`.
        after: Difference afterwards.
        fair: Greatest fair difference.
        measure: Unit of the figures; `%` for a share of 1.
    """

    what: str
    before: float
    after: float
    fair: float
    measure: str

    @property
    def told(self) -> str:
        """The change as text, such as `heights 1.33 to 0.2 turns on average`."""
        if self.measure == "%":
            return f"{self.what} {self.before:.0%} to {self.after:.0%}"
        return f"{self.what} {self.before:.3g} to {self.after:.3g} {self.measure}"


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Gestures that make a map fairer, and the text that they lead to.

    Attributes:
        gestures: Gestures as `fdforge edit` takes them.
        text: Source text after the gestures.
        edits: Text edits from the source to `text`.
        changes: Figures that the suggestion changes.
        fair: True if every lead is fair afterwards.
    """

    gestures: tuple[str, ...]
    text: str
    edits: tuple[TextEdit, ...]
    changes: tuple[MetricChange, ...]
    fair: bool

    def lines(self, before: str) -> tuple[tuple[str, str], ...]:
        """Return the removed (`-`) and added (`+`) lines.

        Args:
            before: Source text before the suggestion.
        """
        changed: list[tuple[str, str]] = []
        for change in self.edits:
            changed += (("-", line) for line in before[change.start : change.end].splitlines())
            changed += (("+", line) for line in change.new.splitlines())
        return tuple(changed)

    def json(self) -> dict[str, Any]:
        """Return the suggestion as JSON; an edit is [start, end, new text] in characters."""
        return {
            "gestures": list(self.gestures),
            "fair": self.fair,
            "changes": [each._asdict() for each in self.changes],
            "edits": [list(each) for each in self.edits],
        }


@dataclass(frozen=True)
class _SearchNode:
    """A text of the search: its position, its leads, and the gestures that led to it."""

    text: str
    loaded: LoadResult
    position: Position
    leads: tuple[Lead, ...]
    words: tuple[str, ...] = ()

    @property
    def excess(self) -> float:
        """Sum of the leads beyond their fair margin, in margins."""
        return sum(lead.figure / lead.fair - 1 for lead in self.leads if lead.unfair)

    @property
    def total(self) -> float:
        """Sum of all leads, in fair margins."""
        return sum(lead.figure / lead.fair for lead in self.leads)


@dataclass(frozen=True)
class SuggestionSearch:
    """Applies gestures to texts of one map and evaluates the results.

    Attributes:
        name: File name of the map.
        read: Function that reads imports, as for `load`.
        catalogue: Pieces that limit what can be built.
        origin: Position of the original map.
    """

    name: str
    read: Read | None
    catalogue: Catalogue
    origin: Position

    def evaluate_text(
        self, text: str, loaded: LoadResult, words: tuple[str, ...] = ()
    ) -> _SearchNode | None:
        """Return a text as a node of the search; None if its board cannot be built.

        Args:
            text: Text of a map.
            loaded: The text, read.
            words: Gestures that led to it.
        """
        position = self.origin.on(loaded.layout.board)
        if has_errors(check_legality(position.board, build_limits(self.catalogue, position))):
            return None
        soonest = next(contact(position)).values
        return _SearchNode(text, loaded, position, leads(position, soonest), words)

    def apply_gesture(self, state: _SearchNode, words: str) -> _SearchNode | None:
        """Return a node after one more gesture; None if the text does not allow it.

        Args:
            state: Node to continue.
            words: Gesture in words: `raise C3 by 1`.
        """
        board = state.position.board
        try:
            gesture = parse_gesture(words, Extent(board.rows, board.cols))
        except InvalidGesture:
            return None
        answer = edit(state.text, gesture, self.name, self.read)
        if not isinstance(answer, EditResult) or answer.text == state.text:
            return None
        return self.evaluate_text(answer.text, answer.loaded, (*state.words, words))

    def verdicts(self, state: _SearchNode) -> tuple[dict[str, int], list[str]]:
        """Return the verdict of every metric as a number (0 is good), and all codes, sorted."""
        judged = {
            metric.name: ORDER[metric.verdict]
            for measure in measures(state.position).values()
            for metric in measure()
        }
        issues = check_loaded(state.loaded, self.catalogue, state.position)
        return judged, sorted(issue.code for issue in issues)


def suggest(
    text: str,
    name: str,
    read: Read | None,
    position: Position,
    catalogue: Catalogue,
    most: int = 3,
    progress: ProgressCallback = no_progress,
) -> tuple[Suggestion, ...]:
    """Return the best suggestions for a map; none if nothing is unfair or nothing helps.

    Suggestions after which all is fair come first, of these the smallest edits. Different kinds of
    gestures are preferred to several of one kind.

    Args:
        text: Source text of the map.
        name: File name of the map.
        read: Function that reads imports, as for `load`.
        position: Position of the map.
        catalogue: Pieces that limit what can be built.
        most: Most suggestions.
        progress: Called for each gesture tried.
    """
    advisor = SuggestionSearch(name, read, catalogue, position)
    start = advisor.evaluate_text(text, load(text, name, read))
    if start is None or not start.excess:
        return ()
    candidates: list[_SearchNode] = []
    beam = [start]
    for step in range(STEPS):
        tried = _tries(advisor, beam, step, progress)
        candidates += tried
        if sum(not state.excess for state in candidates) >= most:
            break
        beam = sorted((s for s in tried if s.excess), key=lambda s: s.excess)[:BEAM]
    worth = [state for state in candidates if state.excess <= start.excess * (1 - WORTH)]
    return tuple(_best_suggestions(advisor, start, worth, most))


def _tries(
    advisor: SuggestionSearch, beam: Iterable[_SearchNode], step: int, progress: ProgressCallback
) -> list[_SearchNode]:
    """Return the nodes of all gestures that reduce the excess."""
    improved: dict[str, _SearchNode] = {}
    for state in beam:
        rise = advisor.catalogue.max_rise
        tried = propose_edits(state.position, state.leads, rise, whole=not step)
        board = state.position.board
        tried = tried[: max(TRIES * 100 // (board.rows * board.cols), FEWEST)]
        for number, words in enumerate(tried):
            progress(f"trying changes, step {step + 1}", number, len(tried))
            after = advisor.apply_gesture(state, words)
            if after is not None and after.excess < state.excess:
                improved.setdefault(after.text, after)
    return list(improved.values())


def _best_suggestions(
    advisor: SuggestionSearch, start: _SearchNode, worth: Iterable[_SearchNode], most: int
) -> Iterable[Suggestion]:
    """Return the best suggestions that make no metric worse, different kinds first."""

    def rank(state: _SearchNode) -> tuple[float, tuple[int, int], float]:
        return round(state.excess, 3), edit_cost(start.text, state.text), state.total

    judged, codes = advisor.verdicts(start)
    passed: list[_SearchNode] = []
    kinds: set[tuple[str, ...]] = set()
    left = sorted(worth, key=rank)
    for fresh in (True, False):
        for state in left:
            kind = tuple(sorted({words.split()[0] for words in state.words}))
            known = fresh and kind in kinds
            if len(passed) == most or known or any(_beyond(state, one) for one in passed):
                continue
            verdicts, now_codes = advisor.verdicts(state)
            if not _worse(verdicts, judged) and not _more(now_codes, codes):
                passed.append(state)
                kinds.add(kind)
    return [_suggestion(start, state) for state in sorted(passed, key=rank)]


def _beyond(state: _SearchNode, known: _SearchNode) -> bool:
    """True if a node has all the gestures of a known one."""
    return set(known.words) <= set(state.words)


def _worse(now: dict[str, int], before: dict[str, int]) -> bool:
    """True if the verdicts are worse in sum, or one has become bad."""
    bad = any(now[name] == ORDER["bad"] > before.get(name, 0) for name in now)
    return bad or sum(now.values()) > sum(before.values())


def _more(now: list[str], codes: list[str]) -> bool:
    """True if a code occurs more often than before."""
    return any(now.count(code) > codes.count(code) for code in set(now))


def _suggestion(start: _SearchNode, state: _SearchNode) -> Suggestion:
    before = {lead.what: lead for lead in start.leads}
    after = {lead.what: lead for lead in state.leads}
    changes = tuple(
        MetricChange(
            what,
            round(before[what].figure if what in before else 0.0, 3),
            round(after[what].figure if what in after else 0.0, 3),
            lead.fair,
            lead.measure,
        )
        for what, lead in (before | after).items()
        if lead.unfair or (what in before and before[what].unfair)
    )
    edits = diff_edits(start.text, state.text)
    return Suggestion(state.words, state.text, edits, changes, not state.excess)

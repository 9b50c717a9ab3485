"""The search for remedies: gestures done to the text, the board measured again, the best kept.

A remedy is proved by what it gives: a text without a new error or warning, on whose board no
measure has become bad nor all together worse, and the sides are nearer to each other than before.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from falldamage_forge.advice.ideas import ideas
from falldamage_forge.board.legality import check_legality
from falldamage_forge.checks import check_loaded, limits_of
from falldamage_forge.issues import has_errors
from falldamage_forge.lang.edit import Edited, TextEdit, edit, gesture_of
from falldamage_forge.lang.edit.gestures import Impossible
from falldamage_forge.lang.edit.text import between, cost
from falldamage_forge.lang.facts import Extent
from falldamage_forge.lang.layout import Loaded
from falldamage_forge.lang.lower import load
from falldamage_forge.lang.unroll import Read
from falldamage_forge.measures.arrival import contact
from falldamage_forge.measures.lead import leads
from falldamage_forge.measures.table import measures
from falldamage_forge.pieces.catalogue import Catalogue
from falldamage_forge.rules.lead import Lead
from falldamage_forge.rules.position import Position
from falldamage_forge.waiting import Progress, quiet

STEPS = 3
"""A remedy has so many gestures at most."""
BEAM = 2
"""So many of the best beginnings are gone on with."""
TRIES = 90
"""So many gestures are tried on each beginning of 100 tiles; fewer on larger boards, not below"""
FEWEST = 24
"""this many."""
WORTH = 0.1
"""A remedy takes away at least this share of what is too much."""
ORDER = {"good": 0, "info": 0, "warn": 1, "bad": 2}


class Change(NamedTuple):
    """A figure before and after a remedy; `fair` is up to where it is fair."""

    what: str
    before: float
    after: float
    fair: float
    measure: str

    @property
    def told(self) -> str:
        """Such as `heights 1.33 to 0.2 turns on average`."""
        if self.measure == "%":
            return f"{self.what} {self.before:.0%} to {self.after:.0%}"
        return f"{self.what} {self.before:.3g} to {self.after:.3g} {self.measure}"


@dataclass(frozen=True, slots=True)
class Remedy:
    """Gestures that make a map fairer, as `fdforge edit` takes them, and the text they lead to.

    `fair` tells whether nothing is too much afterwards.
    """

    gestures: tuple[str, ...]
    text: str
    edits: tuple[TextEdit, ...]
    changes: tuple[Change, ...]
    fair: bool

    def lines(self, before: str) -> tuple[tuple[str, str], ...]:
        """The lines that go (`-`) and that come (`+`), to paste."""
        found: list[tuple[str, str]] = []
        for one in self.edits:
            found += (("-", line) for line in before[one.start : one.end].splitlines())
            found += (("+", line) for line in one.new.splitlines())
        return tuple(found)

    def json(self) -> dict[str, Any]:
        """As JSON; edits are [start, end, new text] in characters of the text before."""
        return {
            "gestures": list(self.gestures),
            "fair": self.fair,
            "changes": [one._asdict() for one in self.changes],
            "edits": [list(one) for one in self.edits],
        }


@dataclass(frozen=True)
class _State:
    """A text on the way: its position, the leads on it, and how one got there."""

    text: str
    loaded: Loaded
    position: Position
    leads: tuple[Lead, ...]
    words: tuple[str, ...] = ()

    @property
    def excess(self) -> float:
        """How much is too much, in thresholds."""
        return sum(lead.figure / lead.fair - 1 for lead in self.leads if lead.unfair)

    @property
    def total(self) -> float:
        """How far the sides are apart altogether, in thresholds."""
        return sum(lead.figure / lead.fair for lead in self.leads)


@dataclass(frozen=True)
class Advisor:
    """Tries gestures on texts of one map. `read` reads imports, as for `load`."""

    name: str
    read: Read | None
    catalogue: Catalogue
    origin: Position

    def state(self, text: str, loaded: Loaded, words: tuple[str, ...] = ()) -> _State | None:
        """A text judged; None where its board cannot be built."""
        position = self.origin.on(loaded.layout.board)
        if has_errors(check_legality(position.board, limits_of(self.catalogue, position))):
            return None
        soonest = next(contact(position)).values
        return _State(text, loaded, position, leads(position, soonest), words)

    def after(self, state: _State, words: str) -> _State | None:
        """A state after one gesture more, if it can be done to the text."""
        board = state.position.board
        try:
            gesture = gesture_of(words, Extent(board.rows, board.cols))
        except Impossible:
            return None
        answer = edit(state.text, gesture, self.name, self.read)
        if not isinstance(answer, Edited) or answer.text == state.text:
            return None
        return self.state(answer.text, answer.loaded, (*state.words, words))

    def verdicts(self, state: _State) -> tuple[dict[str, int], list[str]]:
        """How bad every measure is, and the codes of all errors and warnings."""
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
    progress: Progress = quiet,
) -> tuple[Remedy, ...]:
    """The best few remedies of a map, none where nothing is unfair or nothing helps.

    Those after which all is fair come first, of these the smallest edits; no two of a kind where
    there are others.
    """
    advisor = Advisor(name, read, catalogue, position)
    start = advisor.state(text, load(text, name, read))
    if start is None or not start.excess:
        return ()
    found: list[_State] = []
    beam = [start]
    for step in range(STEPS):
        tried = _tries(advisor, beam, step, progress)
        found += tried
        if sum(not state.excess for state in found) >= most:
            break
        beam = sorted((s for s in tried if s.excess), key=lambda s: s.excess)[:BEAM]
    worth = [state for state in found if state.excess <= start.excess * (1 - WORTH)]
    return tuple(_proved(advisor, start, worth, most))


def _tries(advisor: Advisor, beam: Iterable[_State], step: int, progress: Progress) -> list[_State]:
    """Every gesture tried that leaves less too much than there was."""
    found: dict[str, _State] = {}
    for state in beam:
        rise = advisor.catalogue.max_rise
        tried = ideas(state.position, state.leads, rise, whole=not step)
        board = state.position.board
        tried = tried[: max(TRIES * 100 // (board.rows * board.cols), FEWEST)]
        for number, words in enumerate(tried):
            progress(f"trying changes, step {step + 1}", number, len(tried))
            after = advisor.after(state, words)
            if after is not None and after.excess < state.excess:
                found.setdefault(after.text, after)
    return list(found.values())


def _proved(
    advisor: Advisor, start: _State, worth: Iterable[_State], most: int
) -> Iterable[Remedy]:
    """The best ones that make nothing else worse, of different kinds first."""

    def rank(state: _State) -> tuple[float, tuple[int, int], float]:
        return round(state.excess, 3), cost(start.text, state.text), state.total

    judged, codes = advisor.verdicts(start)
    passed: list[_State] = []
    kinds: set[tuple[str, ...]] = set()
    left = sorted(worth, key=rank)
    for fresh in (True, False):
        for state in left:
            kind = tuple(sorted({words.split()[0] for words in state.words}))
            known = fresh and kind in kinds
            if len(passed) == most or known or any(_beyond(state, one) for one in passed):
                continue
            now, told = advisor.verdicts(state)
            if not _worse(now, judged) and not _more(told, codes):
                passed.append(state)
                kinds.add(kind)
    return [_remedy(start, state) for state in sorted(passed, key=rank)]


def _beyond(state: _State, known: _State) -> bool:
    """Whether a remedy is another one, or that with gestures more."""
    return set(known.words) <= set(state.words)


def _worse(now: dict[str, int], before: dict[str, int]) -> bool:
    """Whether the measures are worse altogether, or one has become bad."""
    bad = any(now[name] == ORDER["bad"] > before.get(name, 0) for name in now)
    return bad or sum(now.values()) > sum(before.values())


def _more(told: list[str], codes: list[str]) -> bool:
    """Whether some code is told more often than before."""
    return any(told.count(code) > codes.count(code) for code in set(told))


def _remedy(start: _State, state: _State) -> Remedy:
    before = {lead.what: lead for lead in start.leads}
    after = {lead.what: lead for lead in state.leads}
    changes = tuple(
        Change(
            what,
            round(before[what].figure if what in before else 0.0, 3),
            round(after[what].figure if what in after else 0.0, 3),
            lead.fair,
            lead.measure,
        )
        for what, lead in (before | after).items()
        if lead.unfair or (what in before and before[what].unfair)
    )
    edits = between(start.text, state.text)
    return Remedy(state.words, state.text, edits, changes, not state.excess)

"""Expectations: the `expect` statements of a map, each a function in `EXPECTATIONS`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, Protocol

from falldamage_forge.board.symmetry import OPERATORS, asymmetric_tiles
from falldamage_forge.infra.user_paths import quoted
from falldamage_forge.issues import Issue, SourceSpan, did_you_mean
from falldamage_forge.rules.answers import Metric
from falldamage_forge.rules.position import Position

Words = tuple[str, ...]


class ExpectationFailure(NamedTuple):
    """The reason why an expectation does not hold, and the tiles concerned."""

    why: str
    tiles: tuple[tuple[int, int], ...] = ()


class ExpectationNote(NamedTuple):
    """Present knowledge of an expectation that does not fail.

    Attributes:
        text: The statement.
        decided: False if the expectation is neither met nor failed yet.
    """

    text: str
    decided: bool


class FairnessFinding(NamedTuple):
    """Present knowledge of a map's fairness.

    Attributes:
        holds: True if the map is fair within the asked percentage, False if it surely is not, None
            if that is not decided.
        text: The statement, with the games it rests on.
    """

    holds: bool | None
    text: str


class UnknownExpectation(ValueError):
    """The words are no expectation; the message says what to write."""


class ExpectationContext(Protocol):
    """The results that expectations read."""

    @property
    def position(self) -> Position:
        """The board under its rules."""
        ...

    @property
    def proof(self) -> tuple[Issue, ...]:
        """The issues of the playability check."""
        ...

    @property
    def measures(self) -> Mapping[str, Callable[[], tuple[Metric, ...]]]:
        """Metrics by name, computed when called."""
        ...

    def fairness(self, percent: int) -> FairnessFinding | None:
        """Return what is known of the distance of the sides' scores from one half.

        Args:
            percent: Greatest distance that is fair, in percentage points.

        Returns:
            None without a judge.
        """
        ...


Expectation = Callable[[Words, ExpectationContext], ExpectationFailure | ExpectationNote | None]


def _reachable(words: Words, facts: ExpectationContext) -> ExpectationFailure | None:
    """`reachable treasure`: every side reaches every chest without damage."""
    if words != ("treasure",):
        raise UnknownExpectation("write `expect reachable treasure`")
    return _none_of("FDF301", facts)


def _connected(words: Words, facts: ExpectationContext) -> ExpectationFailure | None:
    """`connected`: all start tiles reach each other both ways without damage."""
    if words:
        raise UnknownExpectation("write `expect connected`")
    return _none_of("FDF300", facts) or _none_of("FDF361", facts)


def _without(words: Words, facts: ExpectationContext) -> ExpectationFailure | None:
    """`no islands`, `no traps`."""
    codes = {"islands": "FDF311", "traps": "FDF310"}
    if len(words) != 1 or words[0] not in codes:
        raise UnknownExpectation("write `expect no islands` or `expect no traps`")
    return _none_of(codes[words[0]], facts)


def _none_of(code: str, facts: ExpectationContext) -> ExpectationFailure | None:
    issues = [issue for issue in facts.proof if issue.code == code]
    if not issues:
        return None
    return ExpectationFailure(
        issues[0].message, tuple(tile for issue in issues for tile in issue.tiles)
    )


def _symmetric(words: Words, facts: ExpectationContext) -> ExpectationFailure | None:
    """`symmetric rotate-180` and others: the board is its own image; sides may change places."""
    if len(words) != 1 or words[0] not in OPERATORS:
        raise UnknownExpectation(f"write `expect symmetric` and one of {', '.join(OPERATORS)}")
    tiles = asymmetric_tiles(facts.position.board, words[0])
    return ExpectationFailure(f"{tiles[0]} differs from its image", tiles) if tiles else None


def _good(words: Words, facts: ExpectationContext) -> ExpectationFailure | None:
    """`good contact` and others: a metric of `analyze` has the verdict good."""
    known = facts.measures
    if len(words) != 1 or words[0] not in known:
        raise UnknownExpectation(f"write `expect good` and one of {', '.join(known)}")
    for metric in known[words[0]]():
        if metric.verdict in ("warn", "bad"):
            return ExpectationFailure(metric.text, metric.tiles)
    return None


def fair_percent(words: Words) -> int:
    """Return the percentage points of `fair within N%`.

    Args:
        words: Words after `fair`.

    Raises:
        UnknownExpectation: If the words are others.
    """
    number = words[1].removesuffix("%") if len(words) == 2 else ""
    if words[:1] != ("within",) or not (number.isascii() and number.isdigit()):
        raise UnknownExpectation("write `expect fair within 3%`")
    if not 1 <= int(number[:4]) <= 50:
        raise UnknownExpectation("write a whole number from 1 to 50 before the percent sign")
    return int(number[:4])


def _fair(words: Words, facts: ExpectationContext) -> ExpectationFailure | ExpectationNote | None:
    """`fair within 3%`: symmetry or each bot's games prove that the sides differ by no more."""
    found = facts.fairness(fair_percent(words))
    if found is None:
        return None
    if found.holds is False:
        return ExpectationFailure(found.text)
    return ExpectationNote(found.text, bool(found.holds))


EXPECTATIONS: Mapping[str, Expectation] = {
    "reachable": _reachable,
    "connected": _connected,
    "no": _without,
    "symmetric": _symmetric,
    "good": _good,
    "fair": _fair,
}


def evaluate(
    words: Words, facts: ExpectationContext, source: SourceSpan | None
) -> tuple[Issue, ...]:
    """Check one expectation.

    Args:
        words: Words after `expect`.
        facts: Results to check.
        source: Source span of the statement.

    Returns:
        FDF331 if the expectation fails, FDF330 if it is unknown, FDF332 or FDF333 for a note.
    """
    known = EXPECTATIONS.get(words[0]) if words else None
    shown = " ".join(words)
    if known is None:
        hint = did_you_mean(words[0] if words else "", EXPECTATIONS)
        hint = hint or f"known: {', '.join(EXPECTATIONS)}, and a piece's name with a count"
        return (Issue("FDF330", "error", f"unknown expectation `{shown}`", source, (), hint),)
    try:
        failure = known(words[1:], facts)
    except UnknownExpectation as error:
        message = f"unknown expectation `{shown}`"
        return (Issue("FDF330", "error", message, source, (), str(error)),)
    if failure is None:
        return ()
    if isinstance(failure, ExpectationNote):
        return (_note(shown, failure, source),)
    message = f"expected {shown}, but {failure.why}"
    return (Issue("FDF331", "error", message, source, failure.tiles),)


def _note(shown: str, note: ExpectationNote, source: SourceSpan | None) -> Issue:
    """Return the issue of an expectation that does not fail."""
    if note.decided:
        return Issue("FDF333", "info", f"`expect {shown}` holds: {note.text}", source)
    is_file = source is not None and not source.file.startswith("<")  # standard input
    file = quoted(source.file) if source and is_file else "MAP"
    hint = f"run `fdforge playtest {file}`, or `fdforge check --play {file}` until it is decided"
    return Issue("FDF332", "info", f"`expect {shown}` is open: {note.text}", source, (), hint)

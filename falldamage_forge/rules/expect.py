"""`expect` statements: properties a map promises to have. Each is a small registered function."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, Protocol

from falldamage_forge.board.symmetry import OPERATORS, differences
from falldamage_forge.issues import Issue, SourceSpan, did_you_mean
from falldamage_forge.rules.answers import Metric
from falldamage_forge.rules.position import Position

Words = tuple[str, ...]


class Failure(NamedTuple):
    """Why an expectation does not hold, and where."""

    why: str
    tiles: tuple[tuple[int, int], ...] = ()


class Unknown(ValueError):
    """The words are no expectation; the text says what would be."""


class Facts(Protocol):
    """What an expectation may ask: a position, the issues of its proof, its measures."""

    @property
    def position(self) -> Position:
        """The board under its rules."""
        ...

    @property
    def proof(self) -> tuple[Issue, ...]:
        """What stands against playing it."""
        ...

    @property
    def measures(self) -> Mapping[str, Callable[[], tuple[Metric, ...]]]:
        """Measures by name, worked out when called."""
        ...

    def fairness(self, percent: int) -> str | None:
        """Why play does not prove that a side's score is within so many percent of one half."""
        ...


Expectation = Callable[[Words, Facts], Failure | None]


def _reachable(words: Words, facts: Facts) -> Failure | None:
    """`reachable treasure`: every side reaches every chest without damage."""
    if words != ("treasure",):
        raise Unknown("write `expect reachable treasure`")
    return _none_of("FDF301", facts)


def _connected(words: Words, facts: Facts) -> Failure | None:
    """`connected`: all start tiles reach each other both ways without damage."""
    if words:
        raise Unknown("write `expect connected`")
    return _none_of("FDF300", facts) or _none_of("FDF361", facts)


def _without(words: Words, facts: Facts) -> Failure | None:
    """`no islands`, `no traps`."""
    codes = {"islands": "FDF311", "traps": "FDF310"}
    if len(words) != 1 or words[0] not in codes:
        raise Unknown("write `expect no islands` or `expect no traps`")
    return _none_of(codes[words[0]], facts)


def _none_of(code: str, facts: Facts) -> Failure | None:
    found = [issue for issue in facts.proof if issue.code == code]
    if not found:
        return None
    return Failure(found[0].message, tuple(tile for issue in found for tile in issue.tiles))


def _symmetric(words: Words, facts: Facts) -> Failure | None:
    """`symmetric rotate-180` and its like: the board is its own image, sides may change places."""
    if len(words) != 1 or words[0] not in OPERATORS:
        raise Unknown(f"write `expect symmetric` and one of {', '.join(OPERATORS)}")
    tiles = differences(facts.position.board, words[0])
    return Failure(f"{tiles[0]} differs from its image", tiles) if tiles else None


def _good(words: Words, facts: Facts) -> Failure | None:
    """`good contact` and its like: a measure of `analyze` has the verdict good."""
    known = facts.measures
    if len(words) != 1 or words[0] not in known:
        raise Unknown(f"write `expect good` and one of {', '.join(known)}")
    for metric in known[words[0]]():
        if metric.verdict in ("warn", "bad"):
            return Failure(metric.text, metric.tiles)
    return None


def _fair(words: Words, facts: Facts) -> Failure | None:
    """`fair within 3%`: each bot's games prove that the sides differ by no more than that."""
    number = words[1].removesuffix("%") if len(words) == 2 else ""
    if words[:1] != ("within",) or not (number.isascii() and number.isdigit()):
        raise Unknown("write `expect fair within 3%`")
    if not 1 <= int(number[:4]) <= 50:
        raise Unknown("write a whole number from 1 to 50 before the percent sign")
    why = facts.fairness(int(number[:4]))
    return Failure(why) if why else None


EXPECTATIONS: Mapping[str, Expectation] = {
    "reachable": _reachable,
    "connected": _connected,
    "no": _without,
    "symmetric": _symmetric,
    "good": _good,
    "fair": _fair,
}


def evaluate(words: Words, facts: Facts, source: SourceSpan | None) -> tuple[Issue, ...]:
    """Nothing where the expectation holds; FDF331 where it fails, FDF330 where it is unknown."""
    known = EXPECTATIONS.get(words[0]) if words else None
    shown = " ".join(words)
    if known is None:
        hint = did_you_mean(words[0] if words else "", EXPECTATIONS)
        hint = hint or f"known: {', '.join(EXPECTATIONS)}, and a piece's name with a count"
        return (
            Issue("FDF330", "error", f"nobody knows how to expect `{shown}`", source, (), hint),
        )
    try:
        failure = known(words[1:], facts)
    except Unknown as error:
        message = f"nobody knows how to expect `{shown}`"
        return (Issue("FDF330", "error", message, source, (), str(error)),)
    if failure is None:
        return ()
    message = f"expected {shown}, but {failure.why}"
    return (Issue("FDF331", "error", message, source, failure.tiles),)

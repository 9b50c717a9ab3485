"""`expect` statements: properties a map promises to have. Each is a small registered function."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

from falldamage_forge.board import Board
from falldamage_forge.issues import Issue, SourceSpan, did_you_mean
from falldamage_forge.rules.checks import check_board
from falldamage_forge.rules.ruleset import Ruleset
from falldamage_forge.rules.symmetry import OPERATORS, differences
from falldamage_forge.rules.units import Unit

Words = tuple[str, ...]


class Failure(NamedTuple):
    """Why an expectation does not hold, and where."""

    why: str
    tiles: tuple[tuple[int, int], ...] = ()


class Unknown(ValueError):
    """The words are no expectation; the text says what would be."""


Expectation = Callable[[Words, Board, Ruleset], Failure | None]
Units = Callable[[], Mapping[str, Unit]]


def _reachable(words: Words, board: Board, ruleset: Ruleset) -> Failure | None:
    """`reachable treasure`: every side reaches every chest without damage."""
    if words != ("treasure",):
        raise Unknown("write `expect reachable treasure`")
    return _none_of(("FDF301",), board, ruleset)


def _connected(words: Words, board: Board, ruleset: Ruleset) -> Failure | None:
    """`connected`: all start tiles reach each other both ways without damage."""
    if words:
        raise Unknown("write `expect connected`")
    return _none_of(("FDF300",), board, ruleset)


def _without(words: Words, board: Board, ruleset: Ruleset) -> Failure | None:
    """`no islands`, `no traps`."""
    codes = {"islands": "FDF311", "traps": "FDF310"}
    if len(words) != 1 or words[0] not in codes:
        raise Unknown("write `expect no islands` or `expect no traps`")
    return _none_of((codes[words[0]],), board, ruleset)


def _none_of(codes: tuple[str, ...], board: Board, ruleset: Ruleset) -> Failure | None:
    found = [issue for issue in check_board(board, ruleset) if issue.code in codes]
    if not found:
        return None
    tiles = tuple(tile for issue in found for tile in issue.tiles)
    return Failure(found[0].message, tiles)


def _symmetric(words: Words, board: Board, ruleset: Ruleset) -> Failure | None:
    """`symmetric rotate-180` and its like: the board is its own image, sides may change places."""
    if len(words) != 1 or words[0] not in OPERATORS:
        raise Unknown(f"write `expect symmetric` and one of {', '.join(OPERATORS)}")
    tiles = differences(board, words[0])
    if not tiles:
        return None
    return Failure(f"{tiles[0]} differs from its image", tiles)


EXPECTATIONS: Mapping[str, Expectation] = {
    "reachable": _reachable,
    "connected": _connected,
    "no": _without,
    "symmetric": _symmetric,
}


def _good(words: Words, board: Board, ruleset: Ruleset, units: Units) -> Failure | None:
    """`good contact` and its like: a measure of `analyze` has the verdict good."""
    from falldamage_forge.rules.analysis import MEASURES
    from falldamage_forge.rules.classes import movement_classes
    from falldamage_forge.rules.study import study

    known = {measure.__name__.replace("_", "-"): measure for measure in MEASURES}
    if len(words) != 1 or words[0] not in known:
        raise Unknown(f"write `expect good` and one of {', '.join(known)}")
    cards = units()
    subject = study(board, ruleset, movement_classes(cards.values()), cards)
    for metric in known[words[0]](subject):
        if metric.verdict in ("warn", "bad"):
            return Failure(metric.text, metric.tiles)
    return None


def evaluate(
    words: Words,
    board: Board,
    ruleset: Ruleset,
    source: SourceSpan | None,
    units: Units = dict,
) -> tuple[Issue, ...]:
    """Nothing where the expectation holds; FDF331 where it fails, FDF330 where it is unknown.

    `units` brings the cards when an expectation needs them.
    """
    known = EXPECTATIONS.get(words[0]) if words else None
    if words[:1] == ("good",):
        known = partial(_good, units=units)
    shown = " ".join(words)
    if known is None:
        hint = did_you_mean(words[0] if words else "", EXPECTATIONS)
        hint = hint or f"known: {', '.join(EXPECTATIONS)}, good, and a piece's name with a count"
        return (
            Issue("FDF330", "error", f"nobody knows how to expect `{shown}`", source, (), hint),
        )
    try:
        failure = known(words[1:], board, ruleset)
    except Unknown as error:
        message = f"nobody knows how to expect `{shown}`"
        return (Issue("FDF330", "error", message, source, (), str(error)),)
    if failure is None:
        return ()
    message = f"expected {shown}, but {failure.why}"
    return (Issue("FDF331", "error", message, source, failure.tiles),)

"""One cause, one message: what follows from an issue, and what is like it, folded into it.

Nothing is lost: an issue keeps those that it stands for as its `followers`, and `unfolded` gives
them back, up to a bound.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from falldamage_forge.issues import Issue, Severity, tile_name
from falldamage_forge.values import dataclass

MOST_KEPT = 100
"""Followers that an issue keeps; more are only counted."""
MOST_NAMED = 6
"""Tiles that a message names of those that are like it."""
MANY_LINES, MANY_PLACES = 20, 3
"""Faults of one kind are told one by one up to here: each line of a text, each place of a table."""
_RANK: Mapping[Severity, int] = {"info": 0, "warning": 1, "error": 2}

Relation = Callable[[Issue, Issue], bool]


def same_statement(cause: Issue, other: Issue) -> bool:
    """Both are said of one statement."""
    return cause.span is not None and cause.span == other.span


def same_thing(cause: Issue, other: Issue) -> bool:
    """Both are said of one statement, and of a tile in common."""
    return same_statement(cause, other) and touching(cause, other)


def within(cause: Issue, other: Issue) -> bool:
    """All tiles of the other are among the cause's."""
    return bool(other.tiles) and set(other.tiles) <= set(cause.tiles)


def touching(cause: Issue, other: Issue) -> bool:
    """They have a tile in common."""
    return bool(set(cause.tiles) & set(other.tiles))


def quoted(cause: Issue, other: Issue) -> bool:
    """The other is an expectation that fails because of the cause, as it says."""
    return cause.message in other.message


def of_one_side(cause: Issue, other: Issue) -> bool:
    """The other is told of one side only: what another side has, this one is cut off from."""
    del cause
    return " and " not in other.message.partition(" cannot ")[0]


@dataclass(frozen=True, slots=True)
class Rule:
    """Issues of some codes follow from one of another code that is `near` them."""

    cause: str
    followers: tuple[str, ...]
    near: Relation


RULES: tuple[Rule, ...] = (
    Rule("FDF131", ("FDF132", "FDF133", "FDF134", "FDF135"), same_statement),
    Rule("FDF137", ("FDF138", "FDF139", "FDF140"), same_thing),
    Rule("FDF145", ("FDF146",), same_thing),
    Rule("FDF361", ("FDF331",), quoted),
    Rule("FDF300", ("FDF331",), quoted),
    Rule("FDF300", ("FDF311",), within),
    Rule("FDF300", ("FDF301",), of_one_side),
    Rule("FDF301", ("FDF331",), quoted),
    Rule("FDF301", ("FDF311",), touching),
    Rule("FDF310", ("FDF331",), quoted),
    Rule("FDF311", ("FDF331",), quoted),
)
"""What follows from what. An issue follows from the first cause that the table finds for it."""


def fold(issues: Iterable[Issue]) -> tuple[Issue, ...]:
    """The causes among some issues, in their order, each with what follows from it.

    A cause is as severe as the worst that follows, so that no error is hidden by a warning.
    """
    found = tuple(dict.fromkeys(issues))
    by_code: dict[str, list[int]] = {}
    for number, issue in enumerate(found):
        by_code.setdefault(issue.code, []).append(number)
    causes = {number: _cause(issue, found, by_code) for number, issue in enumerate(found)}
    led: dict[int, list[Issue]] = {}
    for number, issue in enumerate(found):
        first, seen = number, {number}
        while (up := causes[first]) is not None and up not in seen:
            first = up
            seen.add(up)
        if first != number:
            led.setdefault(first, []).append(issue)
    top = [_leading(found[n], led.get(n, ())) for n in causes if causes[n] is None]
    return tuple(_together(group) for group in _alike(top))


def unfolded(issues: Iterable[Issue]) -> tuple[tuple[Issue, int | None], ...]:
    """Every issue that is kept, each with the number in this list of the one it follows from."""
    found: list[tuple[Issue, int | None]] = []
    for issue in issues:
        found.append((issue, None))
        here = len(found) - 1
        found += ((follower, here) for follower in issue.followers)
    return tuple(found)


def following(issue: Issue) -> int:
    """How many more issues follow from one, those that are no longer kept among them."""
    return max(len(issue.followers), issue.count - 1)


def _cause(issue: Issue, found: Sequence[Issue], by_code: Mapping[str, list[int]]) -> int | None:
    """The number of the issue that one follows from."""
    for rule in RULES:
        if issue.code in rule.followers:
            for number in by_code.get(rule.cause, ()):
                if rule.near(found[number], issue):
                    return number
    return None


def _leading(issue: Issue, followers: Sequence[Issue]) -> Issue:
    """A cause with what follows from it."""
    if not followers:
        return issue
    worst = max((issue, *followers), key=lambda one: _RANK[one.severity]).severity
    kept = (*issue.followers, *followers)[:MOST_KEPT]
    return replace(issue, severity=worst, followers=kept)


def _alike(issues: Sequence[Issue]) -> list[list[Issue]]:
    """Issues in groups that are told as one, in the order of their first."""
    kinds: dict[object, list[int]] = {}
    for number, issue in enumerate(issues):
        kinds.setdefault(_kind(issue), []).append(number)
    group_of = {
        number: kind
        for kind, numbers in kinds.items()
        for number in numbers
        if len(numbers) > (MANY_LINES if _of_text(issues[number]) else MANY_PLACES)
    }
    groups: dict[object, list[Issue]] = {}
    for number, issue in enumerate(issues):
        statement = (issue.code, issue.severity, issue.span) if issue.tiles else number
        groups.setdefault(group_of.get(number, statement), []).append(issue)
    return list(groups.values())


def _kind(issue: Issue) -> object:
    """What issues have in common that one sentence tells: code and words, without the places."""
    plain = re.sub(
        r", as in [0-9]+ more|`[^`]*`|\b[A-Z]{1,2}[0-9]+\b|@?-?[0-9]+", "", issue.message
    )
    words = plain if not "FDF3" <= issue.code < "FDF38" else ""
    return issue.code, issue.severity, re.sub(r"[\s,]+", " ", words)


def _of_text(issue: Issue) -> bool:
    """Whether an issue is mended in its own line of the text."""
    return issue.code < "FDF13" or "FDF2" <= issue.code < "FDF29"


def _together(group: Sequence[Issue]) -> Issue:
    """One issue for several of a kind, with their number and the first few of their tiles."""
    first, *others = group
    if not others:
        return first
    tiles = tuple(dict.fromkeys(tile for issue in group for tile in issue.tiles))
    named = [tile_name(issue.tiles[0]) for issue in others if issue.tiles]
    names = list(dict.fromkeys(named))[:MOST_NAMED]
    where = f" at {', '.join(names)}" + (", …" if len(names) < len(others) else "") if names else ""
    message = f"{first.message} ({len(others)} more like it{where})"
    kept = [*first.followers]
    for other in others[:MOST_KEPT]:
        kept += (replace(other, followers=()), *other.followers)
    count = sum(issue.count for issue in group)
    followers = tuple(kept[:MOST_KEPT])
    return replace(first, message=message, tiles=tiles, count=count, followers=followers)

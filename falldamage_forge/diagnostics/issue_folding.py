"""Issue folding: issues that follow from another one, or resemble it, become its `followers`.

`fold` groups, `unfolded` is its inverse up to a bound. The severity of a group is that of its worst
issue, so folding never hides an error.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import Issue, Severity, tile_name

MOST_KEPT = 100
"""Followers stored in an issue; further ones are only counted."""
MOST_NAMED = 6
"""Tiles that the message of a group names."""
MANY_LINES, MANY_PLACES = 20, 3
"""Largest number of issues of one kind that are not grouped: in lines of text, in tiles."""
_RANK: Mapping[Severity, int] = {"info": 0, "warning": 1, "error": 2}

Relation = Callable[[Issue, Issue], bool]


def same_statement(cause: Issue, other: Issue) -> bool:
    """True if both issues are about one statement.

    Args:
        cause: Issue that may explain the other.
        other: Issue that may follow from it.
    """
    return cause.span is not None and cause.span == other.span


def same_thing(cause: Issue, other: Issue) -> bool:
    """True if both issues are about one statement and share a tile.

    Args:
        cause: Issue that may explain the other.
        other: Issue that may follow from it.
    """
    return same_statement(cause, other) and touching(cause, other)


def within(cause: Issue, other: Issue) -> bool:
    """True if all tiles of the other issue are tiles of the cause.

    Args:
        cause: Issue that may explain the other.
        other: Issue that may follow from it.
    """
    return bool(other.tiles) and set(other.tiles) <= set(cause.tiles)


def touching(cause: Issue, other: Issue) -> bool:
    """True if the issues share a tile.

    Args:
        cause: Issue that may explain the other.
        other: Issue that may follow from it.
    """
    return bool(set(cause.tiles) & set(other.tiles))


def quoted(cause: Issue, other: Issue) -> bool:
    """True if the other issue is an expectation that fails because of the cause.

    Args:
        cause: Issue that may explain the other.
        other: Issue that may follow from it.
    """
    return cause.message in other.message


def of_one_side(cause: Issue, other: Issue) -> bool:
    """True if the other issue is about one side only; it follows from the cut between sides.

    Args:
        cause: Issue that may explain the other.
        other: Issue that may follow from it.
    """
    return " and " not in other.message.partition(" cannot ")[0]


@dataclass(frozen=True, slots=True)
class Rule:
    """Issues of the codes `followers` follow from one of code `cause` if `near` holds for both."""

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
"""The rules in order: an issue follows from the first cause that a rule finds."""


def fold(issues: Iterable[Issue]) -> tuple[Issue, ...]:
    """Return the causes among the issues, in order, each with its followers.

    A cause takes the severity of its worst follower.
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
    """Return every stored issue with the index in this list of its cause, None for a cause."""
    found: list[tuple[Issue, int | None]] = []
    for issue in issues:
        found.append((issue, None))
        here = len(found) - 1
        found += ((follower, here) for follower in issue.followers)
    return tuple(found)


def following(issue: Issue) -> int:
    """Return the number of issues that follow from one, including those no longer stored."""
    return max(len(issue.followers), issue.count - 1)


def _cause(issue: Issue, found: Sequence[Issue], by_code: Mapping[str, list[int]]) -> int | None:
    """Return the index of the issue that one follows from; None if there is none."""
    for rule in RULES:
        if issue.code in rule.followers:
            for number in by_code.get(rule.cause, ()):
                if rule.near(found[number], issue):
                    return number
    return None


def _leading(issue: Issue, followers: Sequence[Issue]) -> Issue:
    """Return a cause with its followers."""
    if not followers:
        return issue
    worst = max((issue, *followers), key=lambda one: _RANK[one.severity]).severity
    kept = (*issue.followers, *followers)[:MOST_KEPT]
    return replace(issue, severity=worst, followers=kept)


def _alike(issues: Sequence[Issue]) -> list[list[Issue]]:
    """Return the issues in groups of one kind, in the order of the first of each."""
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
    """Return the key that issues of one kind share: code and words without places."""
    plain = re.sub(
        r", as in [0-9]+ more|`[^`]*`|\b[A-Z]{1,2}[0-9]+\b|@?-?[0-9]+", "", issue.message
    )
    words = plain if not "FDF3" <= issue.code < "FDF38" else ""
    return issue.code, issue.severity, re.sub(r"[\s,]+", " ", words)


def _of_text(issue: Issue) -> bool:
    """True if the correction of an issue belongs in its own line of the text."""
    return issue.code < "FDF13" or "FDF2" <= issue.code < "FDF29"


def _together(group: Sequence[Issue]) -> Issue:
    """Return one issue for a group, with its size and its first few tiles."""
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

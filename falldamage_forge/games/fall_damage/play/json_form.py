"""Schema checks for JSON: objects with known keys; every problem is reported with its place.

A check is a function of a value and its place that yields problems; a `Form` is a check made of a
table of keys. The module is independent of the game.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import did_you_mean

_LONGEST = 40
MOST = 1 << 31
"""Bound of all numbers in a document."""


class Problem(NamedTuple):
    """A defect of a JSON document: its place such as `expect.units.b`, a message, a hint."""

    place: str
    message: str
    hint: str = ""


Check = Callable[[Any, str], Iterator[Problem]]


def shown(value: Any) -> str:
    """Return a value as JSON, truncated to 40 characters."""
    text = json.dumps(value, ensure_ascii=False, default=repr)
    return f"`{text if len(text) <= _LONGEST else text[: _LONGEST - 1] + '…'}`"


def children(value: Any) -> Iterable[tuple[Any, Any]]:
    """Return the keys and values of an object, the numbers and entries of a list, else nothing."""
    if isinstance(value, Mapping):
        return value.items()
    return enumerate(value) if isinstance(value, list) else ()


def at(place: str, key: object) -> str:
    """Return the place of a key of an object, or of an entry of a list.

    Args:
        place: Place of the object or list; empty for the whole document.
        key: Key of an object, or index in a list.
    """
    if isinstance(key, int):
        return f"{place}[{key}]"
    return f"{place}.{key}" if place else str(key)


def value_of(what: str, is_good: Callable[[Any], bool]) -> Check:
    """Return a check of a plain value.

    Args:
        what: Description of a good value, for messages.
        is_good: Callback that is true for good values.
    """

    def check(value: Any, place: str) -> Iterator[Problem]:
        if not is_good(value):
            yield Problem(place, f"{shown(value)} is not {what}")

    return check


def is_whole(value: Any, least: int = 0) -> bool:
    """True if a value is a whole number of at least `least`, below MOST.

    Args:
        value: Any value of a JSON document.
        least: Least number that is accepted.
    """
    return isinstance(value, int) and not isinstance(value, bool) and least <= value < MOST


def whole(least: int = 0) -> Check:
    """Return a check for whole numbers of at least `least`."""
    return value_of(f"a whole number from {least} on", lambda value: is_whole(value, least))


def one_of(*words: Any) -> Check:
    """Return a check for one of some values."""
    known = ", ".join(shown(word) for word in words)
    return value_of(
        f"one of {known}", lambda value: any(type(value) is type(w) and value == w for w in words)
    )


def numbers(what: str, *counts: int) -> Check:
    """Return a check for a list of integers from 0.

    Args:
        what: Description of the list, for messages.
        counts: Permitted lengths.
    """
    return value_of(
        what,
        lambda value: (
            isinstance(value, list) and len(value) in counts and all(map(is_whole, value))
        ),
    )


def listed(check: Check) -> Check:
    """Return a check for a list of things."""

    def each(value: Any, place: str) -> Iterator[Problem]:
        if not isinstance(value, list):
            yield Problem(place, f"{shown(value)} is not a list")
            return
        for number, item in enumerate(value):
            yield from check(item, at(place, number))

    return each


def by_name(check: Check) -> Check:
    """Return a check for an object with arbitrary keys."""

    def each(value: Any, place: str) -> Iterator[Problem]:
        if not isinstance(value, Mapping):
            yield Problem(place, f"{shown(value)} is not an object")
            return
        for key, item in value.items():
            yield from check(item, at(place, key))

    return each


def either(first: type, one: Check, other: Check) -> Check:
    """Return a check that applies `one` to values of type `first`, and `other` to the rest.

    Args:
        first: Type of the values that `one` checks.
        one: Check of those values.
        other: Check of all other values.
    """
    return lambda value, place: (one if isinstance(value, first) else other)(value, place)


@dataclass(frozen=True, slots=True)
class Form:
    """An object of the format: its required keys and its optional keys."""

    what: str
    must: Mapping[str, Check]
    may: Mapping[str, Check]

    def __call__(self, value: Any, place: str) -> Iterator[Problem]:
        """Yield a problem for each key that is missing, unknown or has a wrong value."""
        if not isinstance(value, Mapping):
            yield Problem(place, f"{shown(value)} is not an object ({self.what})")
            return
        known = {**self.must, **self.may}
        for key in self.must:
            if key not in value:
                yield Problem(place, f"{self.what} needs the key `{key}`")
        for key, item in value.items():
            if key in known:
                yield from known[key](item, at(place, key))
            else:
                yield Problem(place, f"{self.what} has no key `{key}`", known_hint(key, known))


@dataclass(frozen=True, slots=True)
class Choice:
    """An object of one of several forms; the first form whose key is present applies."""

    what: str
    forms: Mapping[str, Form]

    def __call__(self, value: Any, place: str) -> Iterator[Problem]:
        """Yield the problems of the form that applies."""
        kind = next((k for k in self.forms if isinstance(value, Mapping) and k in value), None)
        if kind is not None:
            yield from self.forms[kind](value, place)
            return
        names = [str(key) for key in value] if isinstance(value, Mapping) else []
        keys = f" with {', '.join(f'`{name}`' for name in names)}" if names else f": {shown(value)}"
        yield Problem(place, f"no {self.what}{keys}", known_hint(next(iter(names), ""), self.forms))


def known_hint(word: str, known: Mapping[str, Any]) -> str:
    """Return a hint with the nearest known key and all known keys.

    Args:
        word: The unknown word.
        known: Known words.
    """
    near = did_you_mean(str(word), known)
    return f"{near} " * bool(near) + f"known: {', '.join(known)}"

"""Readers of the library's arguments: a wrong value raises ForgeError (FDF346) with its name.

Each reader takes the argument's name and its value and returns the value in the library's own type.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from os import PathLike
from pathlib import Path
from typing import Any, TypeVar

from falldamage_forge.issues import ForgeError, did_you_mean, refuse

T = TypeVar("T")
_SHOWN = 60


def wrong(name: str, value: object, wanted: str, hint: str | None = None) -> ForgeError:
    """Return the error (FDF346) for an argument.

    Args:
        name: The argument.
        value: The value given; shown in the message.
        wanted: The values it takes, such as `a text`.
        hint: The text to write instead.
    """
    shown = f"`{value}`" if isinstance(value, str) else f"{value!r}"
    shown = shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}…"
    return refuse("FDF346", f"`{name}` is {wanted}, not {shown}", hint)


def text(name: str, value: object) -> str:
    """Return a text.

    Args:
        name: Name of the argument, for the error.
        value: What was given.
    """
    if not isinstance(value, str):
        raise wrong(name, value, "a text")
    return value


def flag(name: str, value: object) -> bool:
    """Return a bool; nothing else is accepted.

    Args:
        name: Name of the argument, for the error.
        value: What was given.
    """
    if not isinstance(value, bool):
        raise wrong(name, value, "True or False")
    return value


def whole(name: str, value: object, least: int = 0, most: int = 1000) -> int:
    """Return a whole number from `least` to `most`.

    Args:
        name: Name of the argument, for the error.
        value: What was given.
        least: Least number that is accepted.
        most: Greatest number that is accepted.
    """
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise wrong(name, value, f"a whole number from {least} to {most}")
    return value


def one_of(name: str, value: object, known: Iterable[str]) -> str:
    """Return one of the `known` words; the error's hint is the nearest one.

    Args:
        name: Name of the argument, for the error.
        value: What was given.
        known: Words that are accepted.
    """
    words = tuple(known)
    if not isinstance(value, str) or value not in words:
        near = did_you_mean(value, words) if isinstance(value, str) else None
        raise wrong(name, value, f"one of {', '.join(words)}", near)
    return value


def chance(name: str, value: object) -> Fraction:
    """Return an exact chance from 0 to 1, given as a number or as text such as `1/2`.

    Args:
        name: Name of the argument, for the error.
        value: What was given.
    """
    try:
        if isinstance(value, bool) or not isinstance(value, int | float | str | Fraction):
            raise ValueError
        found = Fraction(value)
    except (ValueError, ZeroDivisionError, OverflowError):
        raise wrong(name, value, "a chance such as 1/2 or 0.75") from None
    if not 0 <= found <= 1:
        raise wrong(name, value, "a chance from 0 to 1")
    return found


def several(name: str, value: object) -> tuple[Any, ...]:
    """Return the entries of a list; a single text is one entry, not a list of letters.

    Args:
        name: Name of the argument, for the error.
        value: What was given.
    """
    if isinstance(value, str):
        return (value,)
    if isinstance(value, bytes | Mapping) or not isinstance(value, Iterable):
        raise wrong(name, value, "a list")
    return tuple(value)


def texts(name: str, value: object) -> tuple[str, ...]:
    """Return a list of texts; a single text is one entry.

    Args:
        name: Name of the argument, for the error.
        value: What was given.
    """
    return tuple(text(name, one) for one in several(name, value))


def places(name: str, value: object, surface: type[T]) -> tuple[str | T, ...]:
    """Return a list of texts and surfaces; a single one is one entry.

    Args:
        name: The argument.
        value: Texts such as `E5` or `E5@2`, or instances of `surface`.
        surface: The class of surfaces.
    """
    entries = (value,) if isinstance(value, surface) else several(name, value)
    for one in entries:
        if not isinstance(one, str | surface):
            raise wrong(name, one, "a list of places such as E5 or E5@2")
    return entries


def table(name: str, value: object) -> dict[str, Any]:
    """Return a dict with texts as keys; None is an empty one.

    Args:
        name: Name of the argument, for the error.
        value: What was given.
    """
    if value is None:
        return {}
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise wrong(name, value, "a table of names and values")
    return dict(value)


def path(name: str, value: object) -> Path:
    """Return a path, given as text or as a path.

    Args:
        name: Name of the argument, for the error.
        value: What was given.
    """
    if isinstance(value, bytes) or not isinstance(value, str | PathLike):
        raise wrong(name, value, "a path")
    return Path(value)


def instance(name: str, value: object, kind: type[T], made_by: str) -> T:
    """Return a value of a class.

    Args:
        name: The argument.
        value: The value given.
        kind: The class.
        made_by: Code that makes an instance; it becomes the hint.
    """
    if not isinstance(value, kind):
        raise wrong(name, value, f"a `{kind.__name__}`", f"write {made_by}")
    return value


def optional(read: Any, name: str, value: object, *more: Any) -> Any:
    """Return None for None, else the result of the reader.

    Args:
        read: A reader of this module.
        name: The argument.
        value: The value given.
        *more: Further arguments of the reader.
    """
    return None if value is None else read(name, value, *more)

"""TOML tables to frozen dataclasses; an unknown or missing key is an error with a hint.

All presets and user files pass through `read_table`, so no misspelt key is ignored.
"""

from __future__ import annotations

import math
import re
import tomllib
import types
import typing
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from datetime import date, time
from enum import Enum
from functools import cache
from typing import Any, TypeVar

from falldamage_forge.infra.lazy_dataclass import FrozenDict
from falldamage_forge.infra.plain_text import require_plain, require_plain_values
from falldamage_forge.issues import ForgeError, Issue, SourceSpan, did_you_mean

T = TypeVar("T")

MAX_TABLE_BYTES = 1_000_000
HUGE = 10**15


def parse_toml(text: str, file: str, any_escapes: bool = False) -> dict[str, Any]:
    """Return the table of a TOML text.

    Args:
        text: The source, at most 1 MB.
        file: Its name in messages.
        any_escapes: True for a file of the package whose examples write characters that no format
            carries.

    Raises:
        ForgeError: FDF290 with file and line if the text is not valid TOML, FDF007 if it holds or
            writes a character that no format carries.
    """
    if len(text) > MAX_TABLE_BYTES:
        raise ForgeError([Issue("FDF290", "error", f"{file} is larger than a table may be (1 MB)")])
    require_plain(text, file)
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = getattr(error, "lineno", None) or _line_in(str(error))
        span = SourceSpan(file, line, 1, line, 1)
        raise ForgeError(
            [Issue("FDF290", "error", f"{file} is not valid TOML: {error}", span)]
        ) from None
    except (RecursionError, ValueError) as error:
        # Brackets nested a thousand deep, or a number of thousands of digits.
        why = "it nests too deep" if isinstance(error, RecursionError) else "a number is too long"
        raise ForgeError([Issue("FDF290", "error", f"{file} cannot be read: {why}")]) from None
    if not any_escapes:
        require_plain_values(table, text, file)
    return table


def _line_in(message: str) -> int:
    """Return the line number in a message of `tomllib`; 1 if there is none."""
    _, _, tail = message.partition("at line ")
    digits = tail.split(",", 1)[0].split(" ", 1)[0]
    return int(digits) if digits.isdigit() else 1


def read_table(cls: type[T], table: Mapping[str, Any], where: str) -> T:
    """Return an instance of the frozen dataclass `cls` with the values of a table.

    Args:
        cls: A dataclass whose fields are bool, int, float, str, Enum, Literal, optional, tuple,
            Mapping or dataclass. Hyphens in keys read as underscores.
        table: Parsed TOML or JSON.
        where: The table's name in messages.

    Raises:
        ForgeError: FDF291 for every unknown key, missing key and wrong value.
    """
    faults: list[Issue] = []
    value = _build(cls, table, where, faults)
    if faults:
        raise ForgeError(faults)
    return typing.cast(T, value)


def slug(title: str) -> str:
    """Return a title as the name of a preset or file: `arrows-arc` for "Arrow's Arc"."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower().replace("'", "")).strip("-")


def _fault(faults: list[Issue], message: str, hint: str | None = None) -> None:
    faults.append(Issue("FDF291", "error", message, hint=hint))


_hints = cache(typing.get_type_hints)


def _build(cls: Any, table: Mapping[str, Any], where: str, faults: list[Issue]) -> Any:
    if not isinstance(table, Mapping):
        _fault(faults, f"{where}: expected a table, found {table!r}")
        return None
    hints, known = _hints(cls), {item.name: item for item in fields(cls) if item.init}
    given = {key.replace("-", "_"): value for key, value in table.items()}
    for key in given.keys() - known.keys():
        _fault(faults, f"{where}: unknown key `{key}`", did_you_mean(key, known))
    values = {}
    for name, item in known.items():
        if name in given:
            values[name] = _convert(hints[name], given[name], f"{where}: `{name}`", faults)
        elif item.default is MISSING and item.default_factory is MISSING:
            _fault(faults, f"{where}: `{name}` is missing")
    if faults:
        return None
    try:
        return cls(**values)
    except ValueError as error:
        _fault(faults, f"{where}: {error}")
        return None


def _convert(hint: Any, value: Any, where: str, faults: list[Issue]) -> Any:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        inner = [argument for argument in arguments if argument is not type(None)]
        for argument in inner[:-1]:
            attempt: list[Issue] = []
            converted = _convert(argument, value, where, attempt)
            if not attempt:
                return converted
        return _convert(inner[-1], value, where, faults)
    if origin is tuple:
        if not isinstance(value, list):
            _fault(faults, f"{where} should be a list, found {value!r}")
            return ()
        if len(arguments) == 2 and arguments[1] is Ellipsis:
            return tuple(_convert(arguments[0], item, where, faults) for item in value)
        if len(value) != len(arguments):
            _fault(faults, f"{where} should have {len(arguments)} entries, found {len(value)}")
            return ()
        return tuple(
            _convert(a, item, where, faults) for a, item in zip(arguments, value, strict=True)
        )
    if origin is typing.Literal:
        if value not in arguments:
            choices = ", ".join(map(str, arguments))
            _fault(
                faults,
                f"{where} should be one of {choices}, found {value!r}",
                did_you_mean(str(value), map(str, arguments)),
            )
        return value
    if origin is not None and issubclass(origin, Mapping):
        if not isinstance(value, Mapping):
            _fault(faults, f"{where} should be a table, found {value!r}")
            return FrozenDict()
        return FrozenDict(
            (k, _convert(arguments[1], v, f"{where}.{k}", faults)) for k, v in value.items()
        )
    return _scalar(hint, value, where, faults)


def _scalar(hint: Any, value: Any, where: str, faults: list[Issue]) -> Any:
    if isinstance(hint, type) and is_dataclass(hint):
        return value if isinstance(value, hint) else _build(hint, value, where, faults)
    if isinstance(hint, type) and issubclass(hint, Enum):
        names = [str(member.value) for member in hint]
        if value not in names:
            _fault(
                faults,
                f"{where} should be one of {', '.join(names)}, found {value!r}",
                did_you_mean(str(value), names),
            )
            return None
        return hint(value)
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        value = float(value) if abs(value) < HUGE else math.inf
    if isinstance(value, float) and not math.isfinite(value):
        _fault(faults, f"{where} should be a number of the usual size")
        return None
    if hint is Any or (isinstance(value, hint) and not (hint is int and isinstance(value, bool))):
        return value
    _fault(faults, f"{where} should be {_noun(hint)}, found {value!r}")
    return None


def _noun(hint: Any) -> str:
    nouns = {
        int: "a whole number",
        float: "a number",
        str: "a text",
        bool: "true or false",
        date: "a day such as 2026-12-05",
        time: "a time such as 08:00:00",
    }
    return nouns.get(hint, str(hint))

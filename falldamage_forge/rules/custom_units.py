"""Custom units: a map's `units` block, read with the fields of the ruleset's units."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from typing import Any, NamedTuple, TypeVar

from falldamage_forge.infra.toml_loader import read_table, slug
from falldamage_forge.issues import ForgeError, Issue, SourceSpan, did_you_mean
from falldamage_forge.rules.ruleset import YES, Pairs, Ruleset, plain_value

AnyGame = TypeVar("AnyGame", bound=Ruleset)


class CustomUnitSpec(NamedTuple):
    """A custom unit as written.

    Attributes:
        name: Name of the unit.
        like: Name of the unit whose properties it starts with; empty for none.
        pairs: Properties: name, value, source span.
        span: Source span of the unit.
    """

    name: str
    like: str
    pairs: Pairs
    span: SourceSpan | None = None


def with_custom_units(game: AnyGame, specs: Iterable[CustomUnitSpec]) -> AnyGame:
    """Return a ruleset with a map's custom units after its own.

    Args:
        game: The ruleset.
        specs: Units in source order; each may be like an earlier one.

    Raises:
        ForgeError: FDF369 for each taken name, unknown `like`, and unknown, missing or wrong
            property.
    """
    units: dict[str, Any] = dict(game.units)
    issues: list[Issue] = []
    for unit in specs:
        try:
            units[unit.name] = _build_unit(game, unit, units)
        except ForgeError as error:
            issues += error.issues
    if issues:
        raise ForgeError(issues)
    return replace(game, units=units) if len(units) > len(game.units) else game


def with_table_size(game: AnyGame, sizes: Mapping[str, float]) -> AnyGame:
    """Return a ruleset for the tile and level size of a table, if it measures in lengths.

    Args:
        game: The ruleset.
        sizes: Sizes in millimetres by option name; options that the ruleset lacks are ignored.
    """
    known = {item.name for item in fields(game.options)}
    return game.with_options((name, size, None) for name, size in sizes.items() if name in known)


def properties(game: Ruleset) -> tuple[str, ...]:
    """Return the names of a unit's properties, as written in a map."""
    first = next(iter(game.units.values()), None)
    known = fields(first) if first is not None else ()
    return tuple(item.name.replace("_", "-") for item in known if item.name != "name")


def allowed_list_values(game: Ruleset) -> dict[str, dict[str, Any]]:
    """Return the values that a unit's list properties may hold.

    Returns:
        Values by word, by property: all that any unit of the ruleset has. Of several values with
        one word the first is used.
    """
    values: dict[str, dict[str, Any]] = {}
    for unit in game.units.values():
        for item in fields(unit):
            here = getattr(unit, item.name)
            if isinstance(here, tuple):
                known = values.setdefault(item.name, {})
                for value in here:
                    known.setdefault(slug(str(getattr(value, "name", value))), value)
    return values


def _build_unit(game: Ruleset, unit: CustomUnitSpec, units: Mapping[str, Any]) -> Any:
    if unit.name in units:
        hint = f"take another name, and `like {unit.name}`"
        raise _error(f"{game.title} has a unit `{unit.name}` already", unit.span, hint)
    if unit.like and unit.like not in units:
        hint = did_you_mean(unit.like, units) or f"known: {', '.join(units)}"
        raise _error(f"no unit called `{unit.like}` in {game.title}", unit.span, hint)
    kind = type(next(iter(game.units.values())))
    known = {item.name for item in fields(kind)}
    base = units.get(unit.like)
    given = {name: getattr(base, name) for name in known} if base is not None else {}
    words = allowed_list_values(game)
    lists = {key: given.get(key, ()) for key in words}
    table = {key: value for key, value in given.items() if key not in lists}
    title = unit.name.replace("-", " ").replace("_", " ").capitalize()
    table |= {key: text for key, text in (("name", unit.name), ("title", title)) if key in known}
    spans = {}
    for name, value, span in unit.pairs:
        key = name.replace("-", "_")
        if key == "name":
            raise _error(f"`{name}` cannot be set for a unit in a map", span)
        if key in lists:
            lists[key] = _list(name, str(value), words[key], span)
        else:
            table[key], spans[key] = _value(value), span
    try:
        return replace(read_table(kind, table, f"unit `{unit.name}`"), **lists)
    except ForgeError as error:
        raise ForgeError(
            replace(issue, code="FDF369", span=_place(issue, spans, unit.span))
            for issue in error.issues
        ) from None


def _list(
    name: str, text: str, words: Mapping[str, Any], span: SourceSpan | None
) -> tuple[Any, ...]:
    """Return the values of a list's words; `none` is an empty list."""
    values: dict[str, Any] = {}
    for word in () if text == "none" else text.split(","):
        key = slug(word)
        if key not in words:
            hint = did_you_mean(key, words) or f"known: {', '.join(words)}"
            raise _error(f"`{word}` is not one of the {name} of this game", span, hint)
        if key in values:
            raise _error(f"`{word}` is listed twice in `{name}`", span)
        values[key] = words[key]
    return tuple(values.values())


def _value(value: str | int | float) -> Any:
    return YES.get(value, plain_value(value)) if isinstance(value, str) else value


def _place(
    issue: Issue, spans: Mapping[str, SourceSpan | None], whole: SourceSpan | None
) -> SourceSpan | None:
    """Return the span of the property that an issue names, else of the unit."""
    return next((span for key, span in spans.items() if f"`{key}`" in issue.message), whole)


def _error(message: str, span: SourceSpan | None, hint: str | None = None) -> ForgeError:
    return ForgeError([Issue("FDF369", "error", message, span, hint=hint)])

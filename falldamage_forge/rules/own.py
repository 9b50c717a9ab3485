"""A map's own units: what its `units` block says, read as the game's table of units is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from typing import Any, NamedTuple, TypeVar

from falldamage_forge.issues import ForgeError, Issue, SourceSpan, did_you_mean
from falldamage_forge.rules.game import Game, Pairs, plain_value
from falldamage_forge.tables import read_table, slug

AnyGame = TypeVar("AnyGame", bound=Game)
YES = {"yes": True, "true": True, "no": False, "false": False}


class Wished(NamedTuple):
    """A unit as it is written: its name, what it is like, its properties and where."""

    name: str
    like: str
    pairs: Pairs
    span: SourceSpan | None = None


def with_units(game: AnyGame, wished: Iterable[Wished]) -> AnyGame:
    """The game with a map's units behind its own; each may be like one written before it.

    ForgeError (FDF369) names every fault at its place: a name that is taken, an unknown unit to be
    like, an unknown or missing property, a value that none may have.
    """
    units: dict[str, Any] = dict(game.units)
    faults: list[Issue] = []
    for unit in wished:
        try:
            units[unit.name] = _made(game, unit, units)
        except ForgeError as error:
            faults += error.issues
    if faults:
        raise ForgeError(faults)
    return replace(game, units=units) if len(units) > len(game.units) else game


def sized(game: AnyGame, sizes: Mapping[str, float]) -> AnyGame:
    """The game on a table whose tiles and levels are of some size, where it measures in lengths."""
    known = {item.name for item in fields(game.options)}
    return game.under((name, size, None) for name, size in sizes.items() if name in known)


def properties(game: Game) -> tuple[str, ...]:
    """What can be said of a unit of the game, as it is written."""
    first = next(iter(game.units.values()), None)
    known = fields(first) if first is not None else ()
    return tuple(item.name.replace("_", "-") for item in known if item.name != "name")


def listed(game: Game) -> dict[str, dict[str, Any]]:
    """What may stand in a unit's lists, by property and word: all that any unit of the game has.

    Of several with one name it is that of the first unit.
    """
    found: dict[str, dict[str, Any]] = {}
    for unit in game.units.values():
        for item in fields(unit):
            here = getattr(unit, item.name)
            if isinstance(here, tuple):
                known = found.setdefault(item.name, {})
                for one in here:
                    known.setdefault(slug(str(getattr(one, "name", one))), one)
    return found


def _made(game: Game, unit: Wished, units: Mapping[str, Any]) -> Any:
    if unit.name in units:
        hint = f"take another name, and `like {unit.name}`"
        raise _fault(f"{game.title} has a unit `{unit.name}` already", unit.span, hint)
    if unit.like and unit.like not in units:
        hint = did_you_mean(unit.like, units) or f"known: {', '.join(units)}"
        raise _fault(f"no unit called `{unit.like}` in {game.title}", unit.span, hint)
    kind = type(next(iter(game.units.values())))
    known = {item.name for item in fields(kind)}
    base = units.get(unit.like)
    given = {name: getattr(base, name) for name in known} if base is not None else {}
    words = listed(game)
    lists = {key: given.get(key, ()) for key in words}
    table = {key: value for key, value in given.items() if key not in lists}
    title = unit.name.replace("-", " ").replace("_", " ").capitalize()
    table |= {key: text for key, text in (("name", unit.name), ("title", title)) if key in known}
    spans = {}
    for name, value, span in unit.pairs:
        key = name.replace("-", "_")
        if key == "name":
            raise _fault(f"`{name}` cannot be said of a unit in a map", span)
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
    """The values of a list's words; `none` is an empty one."""
    found: dict[str, Any] = {}
    for word in () if text == "none" else text.split(","):
        key = slug(word)
        if key not in words:
            hint = did_you_mean(key, words) or f"known: {', '.join(words)}"
            raise _fault(f"`{word}` is none of the {name} of this game", span, hint)
        if key in found:
            raise _fault(f"`{word}` stands twice in `{name}`", span)
        found[key] = words[key]
    return tuple(found.values())


def _value(value: str | int | float) -> Any:
    return YES.get(value, plain_value(value)) if isinstance(value, str) else value


def _place(
    issue: Issue, spans: Mapping[str, SourceSpan | None], whole: SourceSpan | None
) -> SourceSpan | None:
    """The property that an issue names, else the unit."""
    return next((span for key, span in spans.items() if f"`{key}`" in issue.message), whole)


def _fault(message: str, span: SourceSpan | None, hint: str | None = None) -> ForgeError:
    return ForgeError([Issue("FDF369", "error", message, span, hint=hint)])

"""Query registry: run a ruleset's typed functions by name, with arguments read from text.

A parameter named in `FILLED` takes the board, ruleset or position. Any other parameter that is not
given takes the option of its name, else the ruleset's field of its name, else its default; a place
takes its default alone. Texts are read by the parameter's type, and other values must be of it.
`fdforge ask` and `Position.ask` call this module.
"""

from __future__ import annotations

import inspect
import re
import types
import typing
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import field, fields, is_dataclass
from fractions import Fraction
from functools import cached_property
from numbers import Real
from typing import Any, Literal

from falldamage_forge.board import WAYS, Tile
from falldamage_forge.board.surfaces import Surface
from falldamage_forge.infra.lazy_dataclass import dataclass, frozen
from falldamage_forge.issues import ForgeError, Issue, did_you_mean
from falldamage_forge.rules.answers import Path, PushResult, Reach, Sight, Targets
from falldamage_forge.rules.argument_types import MOST, MOST_UM, UM, WAY, Written
from falldamage_forge.rules.query_position import QueryPosition
from falldamage_forge.rules.ruleset import YES

FILLED = ("position", "game", "options", "graph", "terrain", "board")
PLACES = (Surface, Tile)
UNIT_UM = {"": 1_000, "mm": 1_000, "cm": 10_000, "in": 25_400, '"': 25_400, "''": 25_400}
_LENGTH = re.compile(r"([-+]?[0-9]{1,7}(?:\.[0-9]{1,6}|/[0-9]{1,3})?) ?(mm|cm|in|\"|'')?")


@dataclass(frozen=True)
class QueryArgument:
    """One argument of a query.

    Attributes:
        parameter: Name of the function's parameter.
        name: Name under which users give it.
        hint: Type annotation of the parameter.
        default: Default value; `Parameter.empty` if it has none.
        is_plain_unit: True if the ruleset's plain unit stands for it.
    """

    parameter: str
    name: str
    hint: Any = field(hash=False)
    default: Any = field(hash=False, default=inspect.Parameter.empty)
    is_plain_unit: bool = False

    @property
    def needed(self) -> bool:
        """True if the function has no default for it."""
        return self.default is inspect.Parameter.empty


@dataclass(frozen=True)
class Query:
    """A query function with its name.

    Attributes:
        name: Name with hyphens.
        function: The typed function.
        unit: Type of the ruleset's units; None if the ruleset has no units.
    """

    name: str
    function: Callable[..., Any]
    unit: type | None = None

    @property
    def text(self) -> str:
        """First paragraph of the function's docstring."""
        first = inspect.getdoc(self.function) or ""
        return " ".join(first.partition("\n\n")[0].split())

    @cached_property
    def _hints(self) -> dict[str, Any]:
        return typing.get_type_hints(self.function, include_extras=True)

    @cached_property
    def arguments(self) -> tuple[QueryArgument, ...]:
        """Arguments that a user may give, in order; the first of the unit type is called `unit`."""
        listed, unit = [], self.unit
        for parameter in inspect.signature(self.function).parameters.values():
            if parameter.name in FILLED:
                continue
            hint = self._hints[parameter.name]
            name, is_plain = parameter.name.removesuffix("_um"), False
            if unit is not None and hint is unit:
                name, unit, is_plain = "unit", None, True
            listed.append(QueryArgument(parameter.name, name, hint, parameter.default, is_plain))
        return tuple(listed)

    @property
    def told_in_um(self) -> bool:
        """True if the answer is a length in micrometres."""
        return UM in getattr(self._hints.get("return"), "__metadata__", ())


@dataclass(frozen=True, slots=True)
class QueryResult:
    """A query with its answer.

    Attributes:
        rules: Name of the ruleset.
        question: Name of the query.
        given: All arguments by name, defaults included.
        value: Number, fraction, surface, value object, or a list or table of these.
        length: True if `value` is a length in micrometres.
    """

    rules: str
    question: str
    given: Mapping[str, Any]
    value: Any
    length: bool = False

    def __post_init__(self) -> None:
        for name in ("given", "value"):
            object.__setattr__(self, name, frozen(getattr(self, name)))

    def json(self) -> dict[str, Any]:
        """Return the result as JSON: fractions and surfaces as text, lengths in micrometres."""
        given = {name: to_json_value(value) for name, value in self.given.items()}
        query = {"rules": self.rules, "question": self.question, "given": given}
        return {
            **query,
            "measure": "um" if self.length else None,
            "answer": to_json_value(self.value),
        }


def questions_of(position: QueryPosition) -> dict[str, Query]:
    """Return the queries of a position's ruleset by name."""
    game = position.game
    unit = type(next(iter(game.units.values()))) if game.units else None
    return {name: Query(name, made, unit) for name, made in game.questions.items()}


def run_query(position: QueryPosition, name: str, arguments: Mapping[str, Any]) -> QueryResult:
    """Run a query by name.

    Args:
        position: The board and its ruleset.
        name: Name of the query, with hyphens or underscores.
        arguments: Values, or their texts, by argument name.

    Raises:
        ForgeError: FDF345 for an unknown query or argument, or a value of the wrong kind; FDF366 if
            the ruleset has no queries.
    """
    known = questions_of(position)
    if not known:
        raise position.game.not_in_rules_error("questions by name")
    word = name.replace("_", "-")
    question = known.get(position.game.question_aliases.get(word, word))
    if question is None:
        hint = did_you_mean(name, known) or f"known: {', '.join(known)}"
        raise _refuse(f"no question called `{name}` in {position.game.title}", hint)
    values, shown = _arguments(position, question, arguments)
    try:
        value = question.function(**_filled(position, question), **values)
    except ValueError as error:
        raise _refuse(f"`{question.name}`: {error}") from None
    return QueryResult(position.game.name, question.name, shown, value, question.told_in_um)


def _refuse(message: str, hint: str | None = None) -> ForgeError:
    return ForgeError([Issue("FDF345", "error", message, hint=hint)])


def _filled(position: QueryPosition, question: Query) -> dict[str, Any]:
    """Return the arguments that the position provides."""
    from_table: dict[str, Callable[[], Any]] = {
        "position": lambda: position,
        "game": lambda: position.game,
        "options": lambda: position.game.options,
        "graph": lambda: position.graph,
        "terrain": lambda: position.graph.terrain,
        "board": lambda: position.board,
    }
    wanted = inspect.signature(question.function).parameters
    return {name: make() for name, make in from_table.items() if name in wanted}


def _arguments(
    position: QueryPosition, question: Query, given: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return values by parameter, and the shown values by argument name."""
    names = {argument.name: argument for argument in question.arguments}
    names |= {argument.parameter: argument for argument in question.arguments}
    values_given: dict[str, Any] = {}
    for key, text in given.items():
        argument = names.get(key.replace("-", "_"))
        if argument is None:
            shown = [argument.name for argument in question.arguments]
            hint = did_you_mean(key, shown) or f"it takes {', '.join(shown) or 'nothing'}"
            raise _refuse(f"`{question.name}` takes no `{key}`", hint)
        values_given[argument.parameter] = text
    values: dict[str, Any] = {}
    shown_values: dict[str, Any] = {}
    for argument in question.arguments:
        if argument.parameter in values_given:
            text = values_given[argument.parameter]
            try:
                value = read(position, argument.hint, text)
                if argument.needed and value in ((), frozenset()):
                    raise ValueError(f"a list such as {example(argument.hint)}, not empty")
            except ValueError as error:
                raise _refuse(f"`{argument.name}` of `{question.name}` is {error}") from None
            shown_values[argument.name] = text if isinstance(text, str) else value
        else:
            value = _default(position, question, argument)
            shown_values[argument.name] = (
                position.plain if argument.hint is question.unit else value
            )
        values[argument.parameter] = value
    return values, shown_values


def _default(position: QueryPosition, question: Query, argument: QueryArgument) -> Any:
    """Return the value of an argument that is not given."""
    game = position.game
    for source in (game.options, game) if argument.hint not in PLACES else ():
        if argument.parameter in {item.name for item in fields(source)}:
            return getattr(source, argument.parameter)
    if argument.is_plain_unit or (argument.hint is question.unit and argument.needed):
        return game.profile(position.plain)
    if argument.needed:
        wanted = f"write {argument.name}={example(argument.hint)}"
        raise _refuse(f"`{question.name}` needs `{argument.name}`", wanted)
    return argument.default


# -- reading ---------------------------------------------------------------------------------------


def read(position: QueryPosition, hint: Any, value: Any) -> Any:
    """Return a value of a type, read from text.

    Args:
        position: The board and ruleset that resolve surfaces and units.
        hint: Type annotation, with `UM`, `WAY` or a `range` as metadata.
        value: Text to read, or a value of the type.

    Raises:
        ValueError: If the value is not of the type; the message says what is.
        ForgeError: If a text names no surface (FDF340) or no unit.
    """
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
        if isinstance(inner[1], Written):
            return read(position, inner[0], value)
        return _marked(inner[0], inner[1:], value)
    if origin in (typing.Union, types.UnionType):
        if value in (None, "none") and type(None) in inner:
            return None
        (kind,) = (one for one in inner if one is not type(None))
        return read(position, kind, value)
    if origin is Literal:
        return _choice(value, {str(known).replace("_", "-"): known for known in inner})
    if origin is not None and issubclass(origin, Iterable):
        make = frozenset if issubclass(origin, frozenset) else tuple
        parts = filter(None, value.split(",")) if isinstance(value, str) else _entries(hint, value)
        return make(read(position, inner[0], part) for part in parts)
    return _scalar(position, hint, value)


def _entries(hint: Any, value: Any) -> Iterable[Any]:
    if not isinstance(value, Iterable):
        raise ValueError(f"a list such as {example(hint)}, not {value!r}")
    return value


def _marked(hint: Any, marks: tuple[Any, ...], value: Any) -> Any:
    """Return a direction, or a length or number within a range."""
    if WAY in marks:
        return _choice(value, WAYS)
    bounds = next(mark for mark in marks if isinstance(mark, range))
    if UM not in marks:
        return _number(hint, value, bounds)
    found = length_um(value) if isinstance(value, str) else _number(hint, value, bounds)
    if found not in bounds:
        raise ValueError(f"a length of 0mm or more, not `{value}`")
    return found


def _scalar(position: QueryPosition, hint: Any, value: Any) -> Any:
    if hint is bool:
        return _choice(value, YES)
    if hint is int or hint is Fraction:
        return _number(hint, value, range(MOST + 1))
    if isinstance(value, str):
        readers: dict[Any, Callable[[str], Any]] = {
            Surface: position.place, Tile: position.place_tile, str: str,
        }  # fmt: skip
        return readers.get(hint, position.game.profile)(value)
    known: dict[Any, Container[Any]] = {Surface: position.graph.index, Tile: position.board}
    if not isinstance(value, hint) or (hint in known and value not in known[hint]):
        raise ValueError(f"a value such as {example(hint)}, not {value!r}")
    return value


def _choice(value: Any, values: Mapping[str, Any]) -> Any:
    """Return the value of a word, or a value itself."""
    listed = ", ".join(values)
    if not isinstance(value, str):
        if not any(type(known) is type(value) and known == value for known in values.values()):
            raise ValueError(f"one of {listed}, not {value!r}")
        return value
    word = value.replace("_", "-").lower()
    if word not in values:
        hint = did_you_mean(value, values)
        raise ValueError(f"one of {listed}, not `{value[:40]}`{f'; {hint}' if hint else ''}")
    return values[word]


def _number(kind: type, value: Any, bounds: range) -> Any:
    """Return a whole number or a fraction within bounds, their ends included."""
    noun = "a whole number" if kind is int else "a number such as 1/2,"
    wanted = f"{noun} from {bounds[0]} to {bounds[-1]}"
    try:
        if isinstance(value, str):
            if not value.isascii() or len(value) > 12 or "e" in value.lower() or "_" in value:
                raise ValueError
        elif isinstance(value, bool) or not isinstance(value, int if kind is int else Real):
            raise ValueError
        found = kind(value)
    except (ValueError, ZeroDivisionError, OverflowError):
        raise ValueError(f"{wanted}, not `{str(value)[:40]}`") from None
    if not bounds[0] <= found <= bounds[-1]:
        raise ValueError(f"{wanted}, not {value}")
    return found


def length_um(text: str) -> int:
    """Return the whole micrometres of `30mm`, `1/2in`, `2.5"` or a bare number of millimetres.

    Raises:
        ValueError: If the text is not a length of whole micrometres, at most 10 m.
    """
    match = _LENGTH.fullmatch(text.strip())
    try:
        value = Fraction(match[1]) * UNIT_UM[match[2] or ""] if match else None
    except ZeroDivisionError:
        value = None
    if value is None or value.denominator != 1 or abs(value) > MOST_UM:
        raise ValueError(f"a length such as 30mm or 1/2in, not `{text[:40]}`")
    return int(value)


def example(hint: Any) -> str:
    """Return an example text for a type annotation."""
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
        if isinstance(inner[1], Written):
            return inner[1].text
        marks = {UM: "30mm", WAY: "|".join(WAYS)}
        return next((marks[m] for m in inner[1:] if m in (UM, WAY)), example(inner[0]))
    if origin in (typing.Union, types.UnionType):
        return example(next(one for one in inner if one is not type(None)))
    if origin is Literal:
        return "|".join(str(value).replace("_", "-") for value in inner)
    if origin is not None and issubclass(origin, Iterable):
        return f"{example(inner[0])},…"
    known = {Surface: "E5@2", Tile: "E5", bool: "yes|no", int: "N", Fraction: "1/2", str: "WORD"}
    return known.get(hint, "UNIT")


# -- telling ---------------------------------------------------------------------------------------


def to_json_value(value: Any) -> Any:
    """Return a value as JSON: fractions and surfaces as text, value objects as tables.

    An answer that a command prints too (`rules.answers`) has the command's form.
    """
    if isinstance(value, (bool, int, float, str)) or value is None:
        return value
    if isinstance(value, (Fraction, Tile, Surface)):
        return str(value)
    if isinstance(value, Reach | Path | PushResult | Sight | Targets):
        return to_json_value(value.json())
    if isinstance(value, Mapping):
        return {str(to_json_value(key)): to_json_value(item) for key, item in value.items()}
    if is_dataclass(value):
        return {item.name: to_json_value(getattr(value, item.name)) for item in fields(value)}
    if hasattr(value, "_asdict"):
        return {key: to_json_value(item) for key, item in value._asdict().items()}
    if isinstance(value, (set, frozenset)):
        return [to_json_value(item) for item in sorted(value)]
    return [to_json_value(item) for item in value]


def format_result(answer: QueryResult) -> Iterator[str]:
    """Yield a query's answer as lines of text."""
    yield from _lines(answer.value, answer.length)


def _lines(value: Any, length: bool = False) -> Iterator[str]:
    plain = to_json_value(value)
    if isinstance(plain, dict):
        if not plain:
            yield "nothing"
        width = max((len(key) for key in plain), default=0)
        for key, item in plain.items():
            shown = key.removesuffix("_um").replace("_", " ")
            yield f"{shown:<{width}}  {_word(item, key.endswith('_um'))}"
    elif isinstance(plain, list) and plain and isinstance(plain[0], dict):
        for row in plain:
            yield ", ".join(
                f"{key.removesuffix('_um').replace('_', ' ')} {_word(item, key.endswith('_um'))}"
                for key, item in row.items()
            )
    else:
        yield _word(plain, length)


def _word(value: Any, length: bool = False) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "none"
    if isinstance(value, list):
        return ", ".join(_word(item, length) for item in value) or "none"
    if isinstance(value, dict):
        named = ((key, key.removesuffix("_um"), item) for key, item in value.items())
        return ", ".join(f"{short} {_word(item, key != short)}" for key, short, item in named)
    if length and isinstance(value, int):
        return f"{format_mm(value)} mm ({value / 25_400:.2f}'')"
    return str(value)


def format_mm(um: int) -> str:
    """Return micrometres as exact millimetres."""
    return f"{um / 1000:.3f}".rstrip("0").rstrip(".")

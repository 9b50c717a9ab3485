"""Questions beyond movement, by name: a game lists functions, and this room asks them.

A question is a plain typed function. What it needs of the table (`position`, `options`, `game`,
`terrain`, `graph`, `board`) is filled in; an argument that is not given is the option of its name,
else the game's own entry, else its default. Everything else is read from text by its type.
"""

from __future__ import annotations

import inspect
import re
import types
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from falldamage_forge.board import WAYS, Tile
from falldamage_forge.board.surfaces import Surface
from falldamage_forge.issues import ForgeError, Issue, did_you_mean
from falldamage_forge.values import frozen

if TYPE_CHECKING:
    from falldamage_forge.rules.position import Position

FILLED = ("position", "game", "options", "graph", "terrain", "board")
UM, WAY = "um", "way"
"""What marks a whole number of micrometres, and an offset that is a direction's name."""
MOST, MOST_UM = 1000, 10_000_000
UNIT_UM = {"": 1_000, "mm": 1_000, "cm": 10_000, "in": 25_400, '"': 25_400, "''": 25_400}
_LENGTH = re.compile(r"([-+]?[0-9]{1,7}(?:\.[0-9]{1,6}|/[0-9]{1,3})?) ?(mm|cm|in|\"|'')?")
YES = {"yes": True, "true": True, "no": False, "false": False}


@dataclass(frozen=True)
class Argument:
    """One argument of a question: its parameter, what it is called, its type and its default."""

    parameter: str
    name: str
    hint: Any = field(hash=False)
    default: Any = field(hash=False, default=inspect.Parameter.empty)

    @property
    def needed(self) -> bool:
        """Whether the function cannot do without it."""
        return self.default is inspect.Parameter.empty


@dataclass(frozen=True)
class Question:
    """A function by the name it is asked under."""

    name: str
    function: Callable[..., Any]
    unit: type | None = None

    @property
    def text(self) -> str:
        """What it tells: the first paragraph of its docstring."""
        first = inspect.getdoc(self.function) or ""
        return " ".join(first.partition("\n\n")[0].split())

    @cached_property
    def _hints(self) -> dict[str, Any]:
        return typing.get_type_hints(self.function, include_extras=True)

    @cached_property
    def arguments(self) -> tuple[Argument, ...]:
        """What may be given, in order; the first that is one of the game's units is `unit`."""
        found, unit = [], self.unit
        for parameter in inspect.signature(self.function).parameters.values():
            if parameter.name in FILLED:
                continue
            hint = self._hints[parameter.name]
            name = parameter.name.removesuffix("_um")
            if unit is not None and hint is unit:
                name, unit = "unit", None
            found.append(Argument(parameter.name, name, hint, parameter.default))
        return tuple(found)

    @property
    def told_in_um(self) -> bool:
        """Whether the answer is a length."""
        return UM in getattr(self._hints.get("return"), "__metadata__", ())


@dataclass(frozen=True, slots=True)
class Answer:
    """What was asked and what came out: numbers, fractions, places, tables of these."""

    rules: str
    question: str
    given: Mapping[str, Any]
    value: Any
    length: bool = False

    def __post_init__(self) -> None:
        for name in ("given", "value"):
            object.__setattr__(self, name, frozen(getattr(self, name)))

    def json(self) -> dict[str, Any]:
        """As JSON: fractions and places as text, a length in micrometres."""
        given = {name: plain(value) for name, value in self.given.items()}
        told = {"rules": self.rules, "question": self.question, "given": given}
        return {**told, "measure": "um" if self.length else None, "answer": plain(self.value)}


def questions_of(position: Position) -> dict[str, Question]:
    """The questions of a position's game by name."""
    game = position.game
    unit = type(next(iter(game.units.values()))) if game.units else None
    return {name: Question(name, made, unit) for name, made in game.questions.items()}


def named(functions: Iterable[Callable[..., Any]]) -> dict[str, Callable[..., Any]]:
    """A registry: each function under its own name, hyphens for underscores, units left away."""
    return {f.__name__.removesuffix("_um").replace("_", "-"): f for f in functions}


def ask(position: Position, name: str, given: Mapping[str, Any]) -> Answer:
    """The answer to a question by name. ForgeError (FDF345) for what cannot be asked like that."""
    known = questions_of(position)
    if not known:
        raise position.game.silent("questions by name")
    question = known.get(name.replace("_", "-"))
    if question is None:
        hint = did_you_mean(name, known) or f"known: {', '.join(known)}"
        raise _refuse(f"no question called `{name}` in {position.game.title}", hint)
    values, told = _arguments(position, question, given)
    try:
        value = question.function(**_filled(position, question), **values)
    except ValueError as error:
        raise _refuse(f"`{question.name}`: {error}") from None
    return Answer(position.game.name, question.name, told, value, question.told_in_um)


def _refuse(message: str, hint: str | None = None) -> ForgeError:
    return ForgeError([Issue("FDF345", "error", message, hint=hint)])


def _filled(position: Position, question: Question) -> dict[str, Any]:
    """What a question takes of the table."""
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
    position: Position, question: Question, given: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Values by parameter, and what they are told as by name."""
    names = {argument.name: argument for argument in question.arguments}
    names |= {argument.parameter: argument for argument in question.arguments}
    wishes: dict[str, Any] = {}
    for key, text in given.items():
        argument = names.get(key.replace("-", "_"))
        if argument is None:
            shown = [argument.name for argument in question.arguments]
            hint = did_you_mean(key, shown) or f"it takes {', '.join(shown) or 'nothing'}"
            raise _refuse(f"`{question.name}` takes no `{key}`", hint)
        wishes[argument.parameter] = text
    values: dict[str, Any] = {}
    told: dict[str, Any] = {}
    for argument in question.arguments:
        if argument.parameter in wishes:
            text = wishes[argument.parameter]
            try:
                value = read(position, argument.hint, text)
            except ValueError as error:
                raise _refuse(f"`{argument.name}` of `{question.name}`: {error}") from None
            told[argument.name] = text if isinstance(text, str) else value
        else:
            value = _default(position, question, argument)
            told[argument.name] = position.plain if argument.hint is question.unit else value
        values[argument.parameter] = value
    return values, told


def _default(position: Position, question: Question, argument: Argument) -> Any:
    """What is taken for an argument that is not given."""
    game = position.game
    for source in (game.options, game):
        if argument.parameter in {item.name for item in fields(source)}:
            return getattr(source, argument.parameter)
    if argument.name == "unit" or (argument.hint is question.unit and argument.needed):
        return game.profile(position.plain)
    if argument.needed:
        wanted = f"write {argument.name}={example(argument.hint)}"
        raise _refuse(f"`{question.name}` needs `{argument.name}`", wanted)
    return argument.default


# -- reading ---------------------------------------------------------------------------------------


def read(position: Position, hint: Any, text: Any) -> Any:
    """A value of a type from text; what is no text is taken as it is. ValueError, ForgeError."""
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
        return _marked(position, inner[0], inner[1:], text)
    if not isinstance(text, str):
        return text
    if origin in (typing.Union, types.UnionType):
        if text == "none" and type(None) in inner:
            return None
        (kind,) = (one for one in inner if one is not type(None))
        return read(position, kind, text)
    if origin is Literal:
        return _choice(text, {str(value).replace("_", "-"): value for value in inner})
    if origin is not None and issubclass(origin, Iterable):
        make = frozenset if issubclass(origin, frozenset) else tuple
        return make(read(position, inner[0], part.strip()) for part in text.split(",") if part)
    return _scalar(position, hint, text)


def _marked(position: Position, hint: Any, marks: tuple[Any, ...], text: Any) -> Any:
    """A length, a direction, or a number within a range."""
    if UM in marks:
        return length_um(text) if isinstance(text, str) else text
    if WAY in marks:
        return _choice(text, dict(WAYS)) if isinstance(text, str) else text
    value = read(position, hint, text)
    for mark in marks:
        if isinstance(mark, range) and value not in mark:
            raise ValueError(f"from {mark[0]} to {mark[-1]}, not {text}")
    return value


def _scalar(position: Position, hint: Any, text: str) -> Any:
    if hint is Surface:
        return position.place(text)
    if hint is Tile:
        return position.place_tile(text)
    if hint is bool:
        return _choice(text, YES)
    if hint is int or hint is Fraction:
        return _number(hint, text)
    if hint is str:
        return text.replace("-", "_")
    return position.game.profile(text)


def _choice(text: str, values: Mapping[str, Any]) -> Any:
    word = text.replace("_", "-").lower()
    if word not in values:
        hint = did_you_mean(word, values)
        raise ValueError(f"one of {', '.join(values)}, not `{text}`{f'; {hint}' if hint else ''}")
    return values[word]


def _number(kind: type, text: str) -> Any:
    try:
        if not text.isascii() or len(text) > 12 or "e" in text.lower() or "_" in text:
            raise ValueError
        value = kind(text)
    except (ValueError, ZeroDivisionError):
        noun = "a whole number" if kind is int else "a number such as 1/2"
        raise ValueError(f"{noun}, not `{text[:40]}`") from None
    if abs(value) > MOST:
        raise ValueError(f"at most {MOST}, not {text}")
    return value


def length_um(text: str) -> int:
    """Whole micrometres of `30mm`, `1/2in`, `2.5"` or a bare number of millimetres; ValueError."""
    match = _LENGTH.fullmatch(text.strip())
    try:
        value = Fraction(match[1]) * UNIT_UM[match[2] or ""] if match else None
    except ZeroDivisionError:
        value = None
    if value is None or value.denominator != 1 or abs(value) > MOST_UM:
        raise ValueError(f"a length such as 30mm or 1/2in, not `{text[:40]}`")
    return int(value)


def example(hint: Any) -> str:
    """What is written for a type."""
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
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


def plain(value: Any) -> Any:
    """A value as JSON has it: fractions and places as text, values and tables as tables."""
    if isinstance(value, (bool, int, float, str)) or value is None:
        return value
    if isinstance(value, (Fraction, Tile, Surface)):
        return str(value)
    if isinstance(value, Mapping):
        return {str(plain(key)): plain(item) for key, item in value.items()}
    if is_dataclass(value):
        return {item.name: plain(getattr(value, item.name)) for item in fields(value)}
    if hasattr(value, "_asdict"):
        return {key: plain(item) for key, item in value._asdict().items()}
    if isinstance(value, (set, frozenset)):
        return [plain(item) for item in sorted(value)]
    return [plain(item) for item in value]


def told_lines(answer: Answer) -> Iterator[str]:
    """An answer as lines of text."""
    yield from _lines(answer.value, answer.length)


def _lines(value: Any, length: bool = False) -> Iterator[str]:
    told = plain(value)
    if isinstance(told, dict):
        if not told:
            yield "nothing"
        width = max((len(key) for key in told), default=0)
        for key, item in told.items():
            shown = key.removesuffix("_um").replace("_", " ")
            yield f"{shown:<{width}}  {_word(item, key.endswith('_um'))}"
    elif isinstance(told, list) and told and isinstance(told[0], dict):
        for row in told:
            yield ", ".join(
                f"{key.removesuffix('_um').replace('_', ' ')} {_word(item, key.endswith('_um'))}"
                for key, item in row.items()
            )
    else:
        yield _word(told, length)


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
        return f"{told_mm(value)} mm ({value / 25_400:.2f}'')"
    return str(value)


def told_mm(um: int) -> str:
    """Micrometres as exact millimetres."""
    return f"{um / 1000:.3f}".rstrip("0").rstrip(".")

"""Options and arguments of commands: each is declared once, as the default of its parameter.

The parameters of a function are the options of its `command`, in their order. A `Declared` default
has everything but the name, which is the parameter's: `any_damage` is `--any-damage`. The fields
of a `Group` are several options, which the function gets as one value: a dict, or an instance of
the dataclass whose fields they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields
from functools import partial, wraps
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from falldamage_forge.board.tones import PALETTES
from falldamage_forge.cli import GAP
from falldamage_forge.presets import DEFAULT_STYLE

if TYPE_CHECKING:
    from falldamage_forge.infra.atomic_write import Kind


class Declared:
    """An option or argument without its name.

    Attributes:
        kind: Its class of click.
        words: Words on the command line; none for `--` and the name.
        de: Its help in German; empty if its sentences are those of `languages/de.toml`.
        about: Keywords of the class, such as `help` and `type`.
    """

    def __init__(
        self, kind: type[click.Parameter], words: tuple[str, ...], de: str = "", **about: Any
    ) -> None:
        self.kind, self.words, self.de, self.about = kind, words, de, about

    def but(self, help: str | None = None, de: str = "", **about: Any) -> Any:
        """Return the declaration with another help or other keywords.

        Args:
            help: New help; None keeps it, and its German.
            de: The new help in German.
            **about: Keywords of `click.Option` that replace or join those declared.
        """
        if help is None:
            return Declared(self.kind, self.words, self.de, **self.about | about)
        return Declared(self.kind, self.words, de, **self.about | {"help": help} | about)

    def texts(self) -> Iterator[tuple[str, str]]:
        """Yield the parts of the help, each with its German."""
        if self.de:
            yield from zip(self.about["help"].split(GAP), self.de.split(GAP), strict=True)

    def written(self, writes: Kind = "file") -> Any:
        """Return the declaration as one of a path to write to; see `WriteOption`."""
        return Declared(WriteOption, self.words, self.de, writes=writes, **self.about)

    def params(self, name: str) -> Iterator[click.Parameter]:
        """Yield the parameter of click with a name."""
        words = self.words
        if not words and issubclass(self.kind, click.Option):
            words = (f"--{name.replace('_', '-')}",)
        yield self.kind([*words, name], **self.about)

    def take(self, name: str, values: dict[str, Any]) -> Any:
        """Remove and return the value of the parameter with a name.

        Args:
            name: Name of the parameter.
            values: Values of the call by parameter; the own one is removed.
        """
        return values.pop(name)


class Group:
    """Several declarations by name, and a function that makes one value of theirs."""

    def __init__(self, make: Callable[..., Any], parts: Mapping[str, Any]) -> None:
        self.make, self.parts = make, parts

    def params(self, name: str) -> Iterator[click.Parameter]:
        """Yield the parameters of all parts."""
        for own, part in self.parts.items():
            yield from part.params(own)

    def texts(self) -> Iterator[tuple[str, str]]:
        """Yield the help of all parts."""
        for part in self.parts.values():
            yield from part.texts()

    def take(self, name: str, values: dict[str, Any]) -> Any:
        """Remove the values of all parts, and return the value made of them.

        Args:
            name: Name of the parameter that gets the whole value.
            values: Values of the call by parameter; those of the parts are removed.
        """
        return self.make(**{own: part.take(own, values) for own, part in self.parts.items()})


def group(make: Callable[..., Any], **parts: Any) -> Any:
    """Return a group, whose value `make` returns for the values of the parts.

    Args:
        make: A function; without parts a dataclass with declared fields.
        parts: Declarations by name.
    """
    return Group(make, parts or {field.name: field.default for field in fields(make)})  # type: ignore[arg-type]


table = partial(group, dict)
"""Returns a group that a command gets as a dict: the keywords of a call of the library."""


def command(
    function: Callable[..., object], register: Callable[..., Any] = click.command, **about: Any
) -> Any:
    """Return the command of a function, all parameters of which are declared.

    Args:
        function: Does the work; its docstring is the help.
        register: `click.command`, `click.group`, or the method `command` of a group.
        about: Keywords of `register`.
    """
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    declared = dict(zip(names, function.__defaults__ or (), strict=True))

    @wraps(function)
    def run(**values: Any) -> object:
        return function(**{name: one.take(name, values) for name, one in declared.items()})

    params = [param for name, one in declared.items() for param in one.params(name)]
    made = register(params=params, **about)(run)
    made.texts = {"de": dict(chain.from_iterable(one.texts() for one in declared.values()))}
    return made


group_command = partial(command, register=click.group)
"""Returns a command with commands below it."""


def under(parent: click.Group, name: str | None = None) -> Callable[[Callable[..., object]], Any]:
    """Return a decorator that makes a command below another.

    Args:
        parent: The command above.
        name: Its name; None for that of the function.
    """
    return partial(command, register=partial(parent.command, name))


class Number(click.FloatRange):
    """A number with a decimal point, in a range; a comma is refused with the right form."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return the number; click.BadParameter for another text, or one out of range.

        Args:
            value: Text of the call, or a default.
            param: The option, for an error.
            ctx: Context of the call, for an error.
        """
        if isinstance(value, str) and re.fullmatch(r"[+-]?\d{1,12},\d{1,12}", value, re.ASCII):
            self.fail(f"write {value.replace(',', '.')}, with a point", param, ctx)
        return float(super().convert(value, param, ctx))


class WriteOption(click.Option):
    """An option that names where the command writes: tried before the command works.

    Attributes:
        writes: What is written there.
    """

    def __init__(self, *words: Any, writes: Kind = "file", **more: Any) -> None:
        super().__init__(*words, **more)
        self.writes = writes

    def process_value(self, ctx: click.Context, value: Any) -> Any:
        """Return the path; ForgeError (FDF295) if it cannot be written.

        Args:
            ctx: Context of the call, as click passes it.
            value: Text of the call, or a default.
        """
        path = super().process_value(ctx, value)
        if isinstance(path, Path) and not ctx.resilient_parsing:
            output_path(path, path, self.writes)
        return path


def output_path(path: Path | None, default: Path, writes: Kind = "file") -> Path:
    """Return the path to write to, after trying it.

    Args:
        path: The path of the option, or None.
        default: The path to use without one.
        writes: What is written there.

    Raises:
        ForgeError: FDF295 if it cannot be written.
    """
    from falldamage_forge.infra.atomic_write import check_writable

    check_writable(path or default, writes)
    return path or default


def complete_map_name(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Return the preset maps and the user's files that begin with the typed text.

    Bash completes either files or given words, so files are words here if a preset begins alike.
    A folder ends in `/`; hidden files are left out.

    Args:
        ctx: Context of the call, as click passes it.
        param: The argument that is completed.
        incomplete: Text typed so far.
    """
    from falldamage_forge import presets

    found = [name for name in presets.map_names() if name.startswith(incomplete)]
    if not found:
        return [CompletionItem(incomplete, type="file")]
    return [CompletionItem(word) for word in (*found, *_files_like(incomplete))]


def _files_like(begun: str) -> list[str]:
    """Return the files and folders here whose names begin with a text without `/`."""
    try:
        here = [path for path in Path().iterdir() if path.name.startswith(begun)]
    except OSError:
        return []
    shown = (path for path in here if not path.name.startswith("."))
    return sorted(f"{path.name}/" if path.is_dir() else path.name for path in shown)


# -- kinds of options ------------------------------------------------------------------------------

FILE = click.Path(path_type=Path)
FOLDER = click.Path(path_type=Path, file_okay=False)


def argument(metavar: str | None = None, **about: Any) -> Any:
    """Return an argument.

    Args:
        metavar: Name of the value in the help; default: the parameter's name.
        **about: Further keywords of `click.Argument`.
    """
    return Declared(click.Argument, (), metavar=metavar, **about)


def text(help: str, *words: str, **about: Any) -> Any:
    """Return an option whose value is a text, or of the `type` of the keywords.

    Args:
        help: Help of the option.
        *words: Names of the option; default: `--` and the parameter's name.
        **about: Further keywords of `click.Option`.
    """
    return Declared(click.Option, words, help=help, **about)


def flag(help: str, *words: str, **about: Any) -> Any:
    """Return an option without a value.

    Args:
        help: Help of the option.
        *words: Names of the option; default: `--` and the parameter's name.
        **about: Further keywords of `click.Option`.
    """
    return text(help, *words, is_flag=True, **about)


def many(help: str, *words: str, **about: Any) -> Any:
    """Return an option that may be given several times; its value is a tuple.

    Args:
        help: Help of the option.
        *words: Names of the option; default: `--` and the parameter's name.
        **about: Further keywords of `click.Option`.
    """
    return text(help, *words, multiple=True, **about)


def whole(least: int, most: int | None, help: str, *words: str, **about: Any) -> Any:
    """Return an option whose value is a whole number, at most `most` unless it is None.

    Args:
        least: Least value that is accepted.
        most: Greatest value that is accepted; None for no bound.
        help: Help of the option.
        *words: Names of the option; default: `--` and the parameter's name.
        **about: Further keywords of `click.Option`.
    """
    return text(help, *words, type=click.IntRange(least, most), **about)


def number(least: float | None, most: float | None, help: str, *words: str, **about: Any) -> Any:
    """Return an option whose value is a number between bounds; None for none.

    Args:
        least: Least value that is accepted; None for no bound.
        most: Greatest value that is accepted; None for no bound.
        help: Help of the option.
        *words: Names of the option; default: `--` and the parameter's name.
        **about: Further keywords of `click.Option`.
    """
    return text(help, *words, type=Number(least, most), **about)


def choice(known: Iterable[str], help: str, *words: str, **about: Any) -> Any:
    """Return an option whose value is one of the known words.

    Args:
        known: Words that are accepted.
        help: Help of the option.
        *words: Names of the option; default: `--` and the parameter's name.
        **about: Further keywords of `click.Option`.
    """
    return text(help, *words, type=click.Choice([*known]), **about)


def file(help: str, *words: str, **about: Any) -> Any:
    """Return an option whose value is the path of a file that is read.

    Args:
        help: Help of the option.
        *words: Names of the option; default: `--` and the parameter's name.
        **about: Further keywords of `click.Option`.
    """
    return text(help, *words, type=FILE, **about)


def written(help: str, *words: str, writes: Kind = "file", **about: Any) -> Any:
    """Return an option whose value is a path to write to; see `WriteOption`.

    Args:
        help: Help of the option.
        *words: Names of the option; default: `--` and the parameter's name.
        writes: Kind of the target: a file or a folder.
        **about: Further keywords of `click.Option`.
    """
    return text(help, *words, **{"type": FILE, **about}).written(writes)


def output(help: str, writes: Kind = "file", **about: Any) -> Any:
    """Return the option of the path that a command writes its result to.

    Args:
        help: Help of the option.
        writes: Kind of the target: a file or a folder.
        **about: Further keywords of `click.Option`.
    """
    return written(help, "-o", "--output", writes=writes, **about)


# -- options of several commands -------------------------------------------------------------------

any_map = partial(argument, shell_complete=complete_map_name)
"""Argument that is a map, or may be one."""
maps = partial(any_map, nargs=-1)
MAP = any_map("MAP")
RULES: Any = Declared(click.Option, ("--rules", "--ruleset"), metavar="NAME")
RULE_OPTIONS = many(
    "Option of the rules; repeatable.",
    "--option",
    metavar="NAME=VALUE",
    de="Option der Regeln; wiederholbar.",
)
FROM = file("File to read.", "--from")
JSON = flag("Print one JSON document.", "--json")
OWN = file(
    "Stock file of owned parts, a CSV with piece,count (default: the map's inventory).",
    *("--own", "--stock"),
    de="Bestandsdatei der vorhandenen Teile, ein CSV mit piece,count (Standard: der "
    "Bestand der Karte).",
)
OWN_ONLY = OWN.but(
    "Stock file, a CSV with piece,count; only its parts are used.",
    de="Bestandsdatei, ein CSV mit piece,count; nur deren Teile werden genutzt.",
)
WISHES = many(
    'Requirement, such as "expect good sight"; repeatable.',
    "--wish",
    "--require",
    metavar="TEXT",
    de='Anforderung, wie "expect good sight"; wiederholbar.',
)
CHESTS = whole(0, 8, "Number of chests.", default=2)
TOPS = choice(
    PALETTES,
    "Colour of tops, printed with one change of filament.  [default: the map's]",
    de="Farbe der Oberseiten, gedruckt mit einem Wechsel des Filaments.  [Standard: die der Karte]",
)
PRINTER = text(
    "Printer name, or printer file.  [default: the map's, yours, or a1-mini]",
    "--printer",
    de="Name eines Druckers, oder Druckerdatei.  [Standard: der der Karte, deiner, oder a1-mini]",
)
PROCESS = text(
    "Process: walls and layers; see `fdforge presets`.  [default: yours, or standard]",
    "--process",
    de="Prozess: Wände und Schichten; siehe `fdforge presets`.  [Standard: deiner, oder standard]",
)
PAPER = choice(("a4", "letter"), "Paper size.", default="a4", de="Papierformat.")
SEED = whole(0, None, "Random seed.", default=1)
TOGETHER = flag(
    "Count parts for all maps standing at the same time.",
    de="Zählt Teile für alle Karten, die zugleich stehen.",
)
MAP_OPTION = Declared(click.Option, ("--map",), metavar="MAP", shell_complete=complete_map_name)
"""A map beside the argument; `but` adds its help."""
PRICE = number(
    None,
    None,
    "Price of a kilogram of filament.",
    "--price",
    metavar="MONEY",
    de="Preis eines Kilogramms Filament.",
)
FORCE = flag(
    "Write a file that is read-only, too.", de="Auch eine schreibgeschützte Datei schreiben."
)
STYLE = text(
    "Style of surfaces; see `fdforge presets`.",
    "--style",
    default=DEFAULT_STYLE,
    de="Stil der Oberflächen; siehe `fdforge presets`.",
)


def form(*known: str) -> Any:
    """Return the option of an output format; the first one is the default."""
    return choice(known, "Output format.", "--format", default=known[0], de="Format der Ausgabe.")

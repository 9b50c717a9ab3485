"""Options of the query commands, and their output as JSON or tables.

A command has `QUESTION`, and `UNIT` if it asks for one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from falldamage_forge.board import WAYS
from falldamage_forge.cli import option
from falldamage_forge.cli.map_argument import FORGE, refusal, stop_on_errors
from falldamage_forge.cli.spoken_language import spoken_line, wished_say
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.infra.report_table import text_lines
from falldamage_forge.issues import ForgeError

if TYPE_CHECKING:
    from falldamage_forge.board.surfaces import Surface
    from falldamage_forge.infra.report_table import Table
    from falldamage_forge.library.forge import Map
    from falldamage_forge.rules.position import Position
    from falldamage_forge.rules.unit_on_board import BoardUnit

OCCUPIED = option.many(
    "Tile of another unit; repeatable.",
    metavar="TILE",
    de="Feld einer anderen Einheit; wiederholbar.",
)
_near = partial(option.many, metavar="[UNIT=]TILE")
STANDING = {
    "enemies": _near("Tile of an enemy, with or without its unit; repeatable.", "--enemy"),
    "friends": _near("Tile of a friend, with or without its unit; repeatable.", "--friend"),
}
START = option.text(
    "Start surface: E5 or E5@2.",
    "--from",
    required=True,
    metavar="TILE",
    de="Startfläche: E5 oder E5@2.",
)
EFFECTS = option.many("Effect on the unit.", "--with", metavar="EFFECT")
WAY = option.choice(WAYS, "Direction.")
FEW = (0, 99)


@dataclass(frozen=True, slots=True)
class Question:
    """Options of all query commands."""

    map_name: str = option.MAP
    rules: str | None = option.RULES.but(
        "Ruleset to use instead of the map's own: a name (see `fdforge presets`) or a file.",
        de="Regelwerk, das das der Karte ersetzt: ein Name (siehe `fdforge presets`) oder "
        "eine Datei.",
    )
    options: tuple[str, ...] = option.RULE_OPTIONS
    what_if: tuple[str, ...] = option.many(
        "Change of the board before the query: `scaffold E5`, `without E5`, `hit E5 3` …; see "
        "docs/rules.md. Repeatable.",
        metavar="CHANGE",
        de="Änderung des Bretts vor der Frage: `scaffold E5`, `without E5`, `hit E5 3` …; "
        "siehe docs/rules.md. Wiederholbar.",
    )
    as_json: bool = option.JSON

    def open(self) -> tuple[Map, Position]:
        """Return the map and its analysis; see `open_position`."""
        return open_position(self.map_name, self.rules, self.options, self.what_if)

    def position(self) -> Position:
        """Return the analysis of the map."""
        return self.open()[1]

    def answer(self, found: Any, tell: Callable[..., None], *about: Any) -> None:
        """Print a result as JSON, or by `tell`, which gets it behind what it is `about`.

        Args:
            found: The result; it has a method `json`.
            tell: Prints the result for people.
            *about: Further arguments for `tell`, before the result.
        """
        if self.as_json:
            echo_json(found.json())
        else:
            tell(*about, found)


@dataclass(frozen=True, slots=True)
class UnitWords:
    """Options of a unit, and of those it stands among."""

    unit_name: str | None = option.text(
        "Unit (default: the plain unit).",
        "--unit",
        metavar="NAME",
        de="Einheit (Standard: die schlichte Einheit).",
    )
    move: int | None = option.whole(
        *FEW, "Move, instead of the unit's.", de="Bewegung, statt jener der Einheit."
    )
    jump: int | None = option.whole(
        *FEW, "Jump, instead of the unit's.", de="Sprung, statt jenem der Einheit."
    )
    changes: tuple[str, ...] = option.many(
        "Property of the unit (`move=4`) or effect on it (`song`, `quicksand=E5`); repeatable.",
        "--with",
        metavar="NAME[=VALUE]",
        de="Eigenschaft der Einheit (`move=4`) oder Wirkung auf sie (`song`, "
        "`quicksand=E5`); wiederholbar.",
    )
    enemies: tuple[str, ...] = STANDING["enemies"]
    friends: tuple[str, ...] = STANDING["friends"]
    chance: str | None = option.text(
        "Least chance of a path, such as 1/2 or 0.75.",
        metavar="P",
        de="Kleinste Chance eines Weges, wie 1/2 oder 0.75.",
    )

    def on(self, position: Position) -> BoardUnit:
        """Return the unit."""
        from falldamage_forge.rules.ruleset import plain_value

        given = parse_key_values(self.changes, "--with", bare=True)
        table: dict[str, Any] = {name: plain_value(value) for name, value in given.items()}
        own = (("move", self.move), ("jump", self.jump))
        table |= {name: n for name, n in own if n is not None}
        return position.unit(self.unit_name or position.plain, **table)

    @property
    def among(self) -> dict[str, Any]:
        """Return the keywords of the unit's queries."""
        return {"enemies": self.enemies, "friends": self.friends, "chance": self.chance or 0}


QUESTION, UNIT = option.group(Question), option.group(UnitWords)


class QueryCommand(click.Command):
    """A command for which an option with a wrong value (FDF346) is bad usage."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except ForgeError as error:
            issue = error.issues[0]
            if issue.code != "FDF346":
                raise
            shown = f"{issue.message}; {issue.hint}" if issue.hint else issue.message
            raise click.UsageError(shown, ctx) from None


command = partial(option.command, cls=QueryCommand)


def open_position(
    map_name: str,
    rules: str | None = None,
    options: Iterable[str] = (),
    what_if: Iterable[str] = (),
) -> tuple[Map, Position]:
    """Return a map and its analysis; print the issues of its text and exit 1 on errors.

    Args:
        map_name: File or preset.
        rules: Name or file of another ruleset.
        options: Options of the rules, as `NAME=VALUE`.
        what_if: Changes of the board.
    """
    map_ = FORGE.load(map_name)
    _, faults = FORGE.game(map_, rules)
    stop_on_errors((*map_.issues, *faults), map_.texts)
    refusal(map_, rules)
    return map_, FORGE.position(map_, rules, parse_key_values(options, "--option"), what_if)


def parse_key_values(texts: Iterable[str], option: str, *, bare: bool = False) -> dict[str, str]:
    """Return `NAME=VALUE` texts as a dict.

    Args:
        texts: The texts.
        option: The option's name in the usage error.
        bare: True to accept a name without a value.
    """
    table: dict[str, str] = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign and not bare:
            raise click.UsageError(f"write {option} NAME=VALUE, not `{text}`")
        table[name.strip()] = value.strip()
    return table


def echo_json(value: Any) -> None:
    """Print one JSON document."""
    click.echo(json.dumps(value, indent=2, ensure_ascii=False))


def echo_table(rows: Iterable[tuple[object, ...]]) -> None:
    """Print a plain table in the language of this call.

    Args:
        rows: Titles of the columns, then the cells of each row, as many.
    """
    say = wished_say()
    lines = [tuple(spoken_line(str(cell), say) for cell in row) for row in rows]
    widths = [max(map(len, cells)) for cells in zip(*lines, strict=True)]
    for line in lines:
        click.echo("  ".join(c.ljust(w) for c, w in zip(line, widths, strict=True)).rstrip())


def echo_rows(table: Table, rows: Iterable[object]) -> None:
    """Print the rows of a report as a plain table; see `echo_table`.

    Args:
        table: Columns of the report.
        rows: One value for each row.
    """
    echo_table(text_lines(table, rows))


def format_first(places: Iterable[Surface | object], most: int = 8) -> str:
    """Return the first few items as text, with the number of the others.

    Args:
        places: Items to list.
        most: Greatest number of listed items.
    """
    listed = tuple(map(str, places))
    if not listed:
        return "none"
    more = f" and {len(listed) - most} more" if len(listed) > most else ""
    return ", ".join(listed[:most]) + more

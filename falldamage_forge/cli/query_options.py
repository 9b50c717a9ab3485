"""Options of the query commands, and their output as JSON or tables.

`query_command` gives a command its `position`, `unit_options` below it a `unit`.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from falldamage_forge.cli.map_argument import FORGE, refusal, stop_on_errors
from falldamage_forge.cli.shared_options import (
    json_option,
    map_argument,
    option_group,
    repeated_option,
    rules_option,
)
from falldamage_forge.cli.spoken_language import spoken_line, wished_say
from falldamage_forge.issues import ForgeError

if TYPE_CHECKING:
    from falldamage_forge.board.surfaces import Surface
    from falldamage_forge.forge import Map
    from falldamage_forge.issues import Issue
    from falldamage_forge.rules.position import Position
    from falldamage_forge.rules.unit_on_board import BoardUnit

F = TypeVar("F", bound=Callable[..., Any])


occupied_option = repeated_option(
    "--occupied", metavar="TILE", help="Tile of another unit; repeatable."
)
standing_options = option_group(
    repeated_option(
        "--enemy",
        "enemies",
        metavar="[UNIT=]TILE",
        help="Tile of an enemy, with or without its unit; repeatable.",
    ),
    repeated_option(
        "--friend",
        "friends",
        metavar="[UNIT=]TILE",
        help="Tile of a friend, with or without its unit; repeatable.",
    ),
)
_position_options = option_group(
    map_argument,
    rules_option(
        help="Ruleset to use instead of the map's own: a name (see `fdforge presets`) or a file."
    ),
    repeated_option(
        "--option", "options", metavar="NAME=VALUE", help="Option of the rules; repeatable."
    ),
    repeated_option(
        "--what-if",
        metavar="CHANGE",
        help="Change of the board before the query: `scaffold E5`, `without E5`, `hit E5 "
        "3` …; see docs/rules.md. Repeatable.",
    ),
    json_option,
)
_unit_options = option_group(
    click.option("--unit", "unit_name", metavar="NAME", help="Unit (default: the plain unit)."),
    click.option("--move", type=click.IntRange(0, 99), help="Move, instead of the unit's."),
    click.option("--jump", type=click.IntRange(0, 99), help="Jump, instead of the unit's."),
    repeated_option(
        "--with",
        "changes",
        metavar="NAME[=VALUE]",
        help="Property of the unit (`move=4`) or effect on it (`song`, `quicksand=E5`); "
        "repeatable.",
    ),
    standing_options,
    click.option("--chance", metavar="P", help="Least chance of a path, such as 1/2 or 0.75."),
)


def query_command(function: F) -> F:
    """Add MAP, `--rules`, `--option`, `--what-if` and `--json`; the command gets `position`."""

    @functools.wraps(function)
    def without_map(map_: Map, **words: Any) -> Any:
        return function(**words)

    return asks_map(cast(F, without_map))


def asks_map(function: F) -> F:
    """Add the options of `query_command`; the command gets `map_`, too."""

    @functools.wraps(function)
    def ask(
        map_name: str,
        rules: str | None,
        options: tuple[str, ...],
        what_if: tuple[str, ...],
        **words: Any,
    ) -> Any:
        map_, position = open_position(map_name, rules, options, what_if)
        try:
            return function(map_=map_, position=position, **words)
        except ForgeError as error:
            if error.issues[0].code == "FDF346":  # an option with a wrong value is bad usage
                raise click.UsageError(_shown(error.issues[0])) from None
            raise

    return cast(F, _position_options(ask))


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


def unit_options(function: F) -> F:
    """Add the unit's options; the command gets `unit`, and `among` as keywords of its queries."""

    @functools.wraps(function)
    def ask(
        position: Position,
        unit_name: str | None,
        move: int | None,
        jump: int | None,
        changes: tuple[str, ...],
        enemies: tuple[str, ...],
        friends: tuple[str, ...],
        chance: str | None,
        **words: Any,
    ) -> Any:
        from falldamage_forge.rules.ruleset import plain_value

        table: dict[str, Any] = {
            name: plain_value(value)
            for name, value in parse_key_values(changes, "--with", bare=True).items()
        }
        table |= {name: n for name, n in (("move", move), ("jump", jump)) if n is not None}
        unit: BoardUnit = position.unit(unit_name or position.plain, **table)
        among = {"enemies": enemies, "friends": friends, "chance": chance or 0}
        return function(position=position, unit=unit, among=among, **words)

    return cast(F, _unit_options(ask))


def _shown(issue: Issue) -> str:
    return f"{issue.message}; {issue.hint}" if issue.hint else issue.message


def echo_json(value: Any) -> None:
    """Print one JSON document."""
    click.echo(json.dumps(value, indent=2, ensure_ascii=False))


def echo_table(head: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> None:
    """Print a plain table in the language of this call."""
    say = wished_say()
    lines = [tuple(spoken_line(str(cell), say) for cell in row) for row in (head, *rows)]
    widths = [max(map(len, cells)) for cells in zip(*lines, strict=True)]
    for line in lines:
        click.echo("  ".join(c.ljust(w) for c, w in zip(line, widths, strict=True)).rstrip())


def format_turn_chances(when: Mapping[int, Fraction]) -> str:
    """Return `1 turn 1/2, 2 turns 1/2`, or `1 turn`."""
    rows = ((f"{turns} turn{'' if turns == 1 else 's'}", chance) for turns, chance in when.items())
    return ", ".join(name if chance == 1 else f"{name} {chance}" for name, chance in rows)


def format_first(places: Iterable[Surface | object], most: int = 8) -> str:
    """Return the first few items as text, with the number of the others."""
    listed = tuple(map(str, places))
    if not listed:
        return "none"
    more = f" and {len(listed) - most} more" if len(listed) > most else ""
    return ", ".join(listed[:most]) + more

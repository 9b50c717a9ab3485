"""What the query commands share: a position under options, a unit among others, one way to print.

A command decorated with `asks` gets a `position`, one with `asks_unit` below it a `unit` too.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeVar

import click

from falldamage_forge.cli import complete
from falldamage_forge.cli.common import FORGE, refusal, stop_on_errors
from falldamage_forge.issues import ForgeError

if TYPE_CHECKING:
    from falldamage_forge.board.surfaces import Surface
    from falldamage_forge.forge import Map
    from falldamage_forge.issues import Issue
    from falldamage_forge.rules.position import Position
    from falldamage_forge.rules.unit_on_board import UnitOn

F = TypeVar("F", bound=Callable[..., Any])

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
occupied_option = click.option(
    "--occupied", multiple=True, metavar="TILE", help="A tile with another unit."
)
STANDING = (
    click.option(
        "--enemy", "enemies", multiple=True, metavar="[UNIT=]TILE", help="An enemy, and which."
    ),
    click.option(
        "--friend", "friends", multiple=True, metavar="[UNIT=]TILE", help="A friend, and which."
    ),
)
_POSITION = (
    click.argument("map_name", metavar="MAP", shell_complete=complete.maps),
    click.option(
        "--rules",
        metavar="NAME",
        help="A ruleset instead of the map's own, by name (see `fdforge presets`) or as a file.",
    ),
    click.option(
        "--option", "options", multiple=True, metavar="NAME=VALUE", help="A reading of the rules."
    ),
    click.option(
        "--what-if",
        multiple=True,
        metavar="CHANGE",
        help="Ask after a change: `scaffold E5`, `without E5`, `hit E5 3` …; see docs/rules.md.",
    ),
    json_option,
)
_UNIT = (
    click.option("--unit", "unit_name", metavar="NAME", help="A unit; the plain one if not said."),
    click.option("--move", type=click.IntRange(0, 99), help="Move, instead of the unit's."),
    click.option("--jump", type=click.IntRange(0, 99), help="Jump, instead of the unit's."),
    click.option(
        "--with",
        "changes",
        multiple=True,
        metavar="NAME[=VALUE]",
        help="A property of the unit (`move=4`), or what it is under (`song`, `quicksand=E5`).",
    ),
    *STANDING,
    click.option(
        "--chance", metavar="P", help="Only ways with at least this chance, such as 1/2 or 0.75."
    ),
)


def decorated(function: Callable[..., Any], options: Iterable[Callable[[Any], Any]]) -> Any:
    """A command with several options or arguments, in their order."""
    for option in reversed(tuple(options)):
        function = option(function)
    return function


def asks(function: F) -> F:
    """MAP, `--rules`, `--option`, `--what-if` and `--json`; the command gets `map_`, `position`."""

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

    found: F = decorated(ask, _POSITION)
    return found


def open_position(
    map_name: str,
    rules: str | None = None,
    options: Iterable[str] = (),
    what_if: Iterable[str] = (),
) -> tuple[Map, Position]:
    """A map and its position; prints what is wrong with its text and exits 1 on errors."""
    map_ = FORGE.load(map_name)
    _, faults = FORGE.game(map_, rules)
    stop_on_errors((*map_.issues, *faults), map_.texts)
    refusal(map_, rules)
    return map_, FORGE.position(map_, rules, pairs(options, "--option"), what_if)


def pairs(texts: Iterable[str], option: str, *, bare: bool = False) -> dict[str, str]:
    """`NAME=VALUE`s as a table; bad usage without an equals sign unless a `bare` name will do."""
    table: dict[str, str] = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign and not bare:
            raise click.UsageError(f"write {option} NAME=VALUE, not `{text}`")
        table[name.strip()] = value.strip()
    return table


def asks_unit(function: F) -> F:
    """The unit's options; the command gets `unit` and the keywords of its questions as `among`."""

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
        from falldamage_forge.rules.game import plain_value

        table: dict[str, Any] = {
            name: plain_value(value) for name, value in pairs(changes, "--with", bare=True).items()
        }
        table |= {name: n for name, n in (("move", move), ("jump", jump)) if n is not None}
        unit: UnitOn = position.unit(unit_name or position.plain, **table)
        among = {"enemies": enemies, "friends": friends, "chance": chance or 0}
        return function(position=position, unit=unit, among=among, **words)

    found: F = decorated(ask, _UNIT)
    return found


def _shown(issue: Issue) -> str:
    return f"{issue.message}; {issue.hint}" if issue.hint else issue.message


def echo_json(value: Any) -> None:
    """One JSON document."""
    click.echo(json.dumps(value, indent=2, ensure_ascii=False))


def echo_table(head: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> None:
    """A plain table."""
    body = [tuple(map(str, row)) for row in rows]
    widths = [max(len(row[n]) for row in (head, *body)) for n in range(len(head))]
    for row in (head, *body):
        click.echo("  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip())


def when_text(when: Mapping[int, Fraction]) -> str:
    """`1 turn 1/2, 2 turns 1/2`, or `1 turn`."""
    told = ((f"{turns} turn{'' if turns == 1 else 's'}", chance) for turns, chance in when.items())
    return ", ".join(name if chance == 1 else f"{name} {chance}" for name, chance in told)


def some(places: Iterable[Surface | object], most: int = 8) -> str:
    """The first few of many."""
    listed = tuple(map(str, places))
    if not listed:
        return "none"
    more = f" and {len(listed) - most} more" if len(listed) > most else ""
    return ", ".join(listed[:most]) + more

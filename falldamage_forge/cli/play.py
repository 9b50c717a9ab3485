"""What the query commands share: a map's surfaces under options, places, units and occupants."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

import click

from falldamage_forge.board import Tile
from falldamage_forge.cli.common import (
    Sources,
    load_loaded,
    read_under,
    refuse,
    ruleset_of,
    stop_on_errors,
)
from falldamage_forge.issues import did_you_mean

if TYPE_CHECKING:
    from falldamage_forge.board import Board
    from falldamage_forge.games.setting import Setting
    from falldamage_forge.lang import Layout
    from falldamage_forge.rules.movement import Occupancy, Profile
    from falldamage_forge.rules.ruleset import Ruleset
    from falldamage_forge.rules.units import Unit
    from falldamage_forge.surfaces import Surface, SurfaceGraph

F = TypeVar("F", bound=Callable[..., Any])

WHAT_IF = "falldamage_forge.what_if"


def options_option(function: F) -> F:
    """`--option`, a reading of the rules, and `--what-if`, which `open_rules` looks up itself."""

    def remember(context: click.Context, _: click.Parameter, value: tuple[str, ...]) -> None:
        context.meta[WHAT_IF] = value

    function = click.option(
        "--what-if",
        multiple=True,
        metavar="CHANGE",
        expose_value=False,
        callback=remember,
        help="`scaffold E5`, `partition E5 east` or `without E5`: ask the board after it.",
    )(function)
    return click.option(
        "--option", "options", multiple=True, metavar="NAME=VALUE", help="A reading of the rules."
    )(function)


rules_option = click.option(
    "--rules", metavar="NAME", help="A ruleset instead of the map's own; see `fdforge presets`."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
enemy_option = click.option("--enemy", "enemies", multiple=True, metavar="TILE", help="An enemy.")
friend_option = click.option("--friend", "friends", multiple=True, metavar="TILE", help="A friend.")
occupied_option = click.option(
    "--occupied", multiple=True, metavar="TILE", help="A tile with another unit."
)


def profile_options(function: F) -> F:
    """`--unit`, or a free profile by `--move` and `--jump`."""
    function = click.option("--jump", type=click.IntRange(0, 99), help="Jump of a free profile.")(
        function
    )
    function = click.option("--move", type=click.IntRange(0, 99), help="Move of a free profile.")(
        function
    )
    return click.option("--unit", metavar="NAME", help="A unit's card.")(function)


@dataclass(frozen=True, slots=True)
class Table:
    """A map ready to be asked: its layout, rules and surfaces."""

    layout: Layout
    ruleset: Ruleset
    graph: SurfaceGraph

    def place(self, text: str) -> Surface:
        """The surface of `E5` (its column's top, else the lowest) or `E5@2`; FDF340 if none."""
        number = self.number(text)
        return self.graph.surfaces[number]

    def number(self, text: str) -> int:
        """Number of the surface that `place` finds."""
        from falldamage_forge.surfaces import Surface

        name, _, level = text.partition("@")
        try:
            tile = Tile.parse(name)
            wanted = int(level) if level else None
        except ValueError:
            raise refuse("FDF340", f"`{text}` is no place", "write E5, or E5@2") from None
        if tile not in self.graph.board:
            raise refuse("FDF340", f"{name} is not on the board")
        levels = self.graph.terrain.standable(tile)
        if wanted is None and levels:
            column = self.graph.board.column(tile).level
            wanted = column if column in levels else levels[0]
        if wanted is None or wanted not in levels:
            known = ", ".join(f"{name}@{known}" for known in levels)
            hint = f"surfaces there: {known}" if known else "nobody can stand on that tile"
            raise refuse("FDF340", f"there is no surface {text}", hint)
        return self.graph.index[Surface(tile, wanted)]

    def places(self, texts: Iterable[str]) -> frozenset[Surface]:
        """Several places."""
        return frozenset(map(self.place, texts))

    def chests(self) -> frozenset[int]:
        """Numbers of the surfaces with treasure."""
        from falldamage_forge.surfaces import Surface

        places = (Surface(chest.tile, chest.level) for chest in self.graph.board.treasures)
        return frozenset(self.graph.index[place] for place in places if place in self.graph.index)

    def occupancy(self, enemies: Iterable[str], friends: Iterable[str]) -> Occupancy:
        """Who stands where, for movement."""
        from falldamage_forge.rules.movement import Occupancy

        return Occupancy(frozenset(map(self.number, enemies)), frozenset(map(self.number, friends)))


def open_rules(
    map_name: str, options: Iterable[str], rules: str | None = None
) -> tuple[Layout, Ruleset | Setting]:
    """Load a map and the rules it or `--rules` names, under `--option`s; exits 1 on errors."""
    sources = Sources()
    loaded = load_loaded(map_name, sources)
    ruleset, faults = ruleset_of(loaded.layout, rules)
    stop_on_errors((*loaded.issues, *faults), sources)
    pairs: list[tuple[str, str | int, None]] = []
    for text in options:
        name, sign, value = text.partition("=")
        if not sign:
            raise click.UsageError(f"write --option NAME=VALUE, not `{text}`")
        pairs.append((name.strip(), int(value) if value.isdigit() else value.strip(), None))
    layout = loaded.layout
    for text in click.get_current_context().meta.get(WHAT_IF, ()):
        layout = replace(layout, board=_changed(layout.board, text))
    return layout, read_under(ruleset, pairs)


def _changed(board: Board, text: str) -> Board:
    from falldamage_forge.rules.whatif import changed

    try:
        return changed(board, text)
    except ValueError as error:
        raise refuse("FDF342", f"`--what-if {text}`: {error}") from None


def open_table(map_name: str, options: Iterable[str], rules: str | None = None) -> Table:
    """A map under Fall Damage with its surfaces; FDF366 when it is for another game."""
    return table_of(*open_rules(map_name, options, rules))


def table_of(layout: Layout, rules: Ruleset | Setting) -> Table:
    """The table of a layout; FDF366 when the rules are another game's."""
    from falldamage_forge.rules.ruleset import Ruleset
    from falldamage_forge.surfaces import surface_graph

    if not isinstance(rules, Ruleset):
        message = f"the map is for `{rules.name}`; this speaks of Fall Damage alone"
        raise refuse("FDF366", message, "ask with `reach`, `path`, `analyze` or `compare`")
    return Table(layout, rules, surface_graph(layout.board, rules.options.terrain))


def unit_of(name: str) -> Unit:
    """A unit's card by name; FDF341 with the nearest name when there is none."""
    from falldamage_forge.presets import load_units

    units = load_units()
    if name not in units:
        hint = did_you_mean(name, units) or "`fdforge presets` lists the units"
        raise refuse("FDF341", f"no unit called `{name}`", hint)
    return units[name]


def profile_of(unit: str | None, move: int | None, jump: int | None) -> tuple[str, Profile]:
    """Name and profile of `--unit`, changed by `--move` and `--jump`, or of these two alone."""
    from falldamage_forge.rules.movement import Profile

    if unit is None:
        if move is None or jump is None:
            raise click.UsageError("name a --unit, or give --move and --jump")
        return f"move {move} jump {jump}", Profile(move, jump)
    profile = unit_of(unit).profile
    profile = profile if move is None else replace(profile, move=move)
    return unit, profile if jump is None else replace(profile, jump=jump)


def spot(surface: Surface) -> dict[str, Any]:
    """A surface as JSON."""
    return {"tile": str(surface.tile), "level": surface.level}


def echo_json(value: Any) -> None:
    """One JSON document."""
    click.echo(json.dumps(value, indent=2))


def echo_table(head: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> None:
    """A plain table."""
    body = [tuple(map(str, row)) for row in rows]
    widths = [max(len(row[n]) for row in (head, *body)) for n in range(len(head))]
    for row in (head, *body):
        click.echo("  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip())

"""What a name stands for: a preset, or a file of one's own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from falldamage_forge import presets
from falldamage_forge.files import display_name
from falldamage_forge.issues import ForgeError, Issue, did_you_mean
from falldamage_forge.paths import quoted

if TYPE_CHECKING:
    from falldamage_forge.board import Board, Fitting
    from falldamage_forge.lang import Layout
    from falldamage_forge.printing.printer import Printer
    from falldamage_forge.rules.game import Game, Pairs


def map_path(name_or_path: str) -> Path:
    """The file of a map: a path if it looks like one or is a file, else a preset's name."""
    path = Path(name_or_path)
    if path.suffix or "/" in name_or_path or "\\" in name_or_path or path.is_file():
        return path
    if path.exists() and name_or_path not in presets.names("maps"):
        return path
    return presets.path("maps", name_or_path)


def rules_called(name_or_path: str) -> Game:
    """A ruleset by the name of a preset, or by the path of a file of one's own."""
    if not _is_file(name_or_path):
        return presets.load_rules(name_or_path)
    path = Path(name_or_path)
    return presets.rules_from_table(_own_table(path), display_name(path))


def _is_file(name_or_path: str) -> bool:
    return Path(name_or_path).suffix == ".toml" or "/" in name_or_path or "\\" in name_or_path


def _own_table(path: Path) -> dict[str, Any]:
    from falldamage_forge.files import read_text
    from falldamage_forge.tables import parse_toml

    name = display_name(path)
    return parse_toml(read_text(path, name), name)


def printer_called(name_or_path: str) -> Printer:
    """A printer by the name of a preset, or by the path of a file of one's own."""
    from falldamage_forge.printing.printer import printer_from_table

    if not _is_file(name_or_path):
        return presets.load_printer(name_or_path)
    path = Path(name_or_path)
    table = presets.with_estimate(_own_table(path))
    return printer_from_table(table, path.stem, display_name(path))


def named(map_name: str, issues: Iterable[Issue]) -> tuple[Issue, ...]:
    """The issues with a map's own name in the commands that their hints give."""

    def filled(hint: str) -> str:
        return re.sub(r"(`fdforge [a-z]+) MAP\b", lambda at: f"{at[1]} {quoted(map_name)}", hint)

    return tuple(replace(i, hint=filled(i.hint)) if i.hint else i for i in issues)


def unknown_names(layout: Layout) -> tuple[Issue, ...]:
    """A printer or pieces that the map names and nobody knows."""
    issues: list[Issue] = []
    catalogue = presets.load_catalogue()
    for owned in (*layout.inventory, *layout.extras):
        if owned.piece not in catalogue:
            hint = did_you_mean(owned.piece, catalogue.pieces)
            message = f"no piece called `{owned.piece}`"
            issues.append(Issue("FDF400", "error", message, owned.source, hint=hint))
    if layout.printing.printer is not None:
        try:
            presets.load_printer(layout.printing.printer)
        except ForgeError as error:
            issues += (replace(issue, span=layout.printing.source) for issue in error.issues)
    return tuple(issues)


def unknown_fittings(game: Game, board: Board) -> tuple[Issue, ...]:
    """Fittings of a map that mean nothing to its game (FDF372), each statement once."""
    issues: list[Issue] = []
    strange = [x for x in board.fittings if not game.knows(x)]
    for fitting in {(x.kind, x.source): x for x in strange}.values():
        if fitting.kind in game.fittings:
            what = f"{fitting.kind} `{fitting.name[:20]}`"
            names = game.fittings[fitting.kind]
            hint = did_you_mean(fitting.name, names) or f"known: {', '.join(names)}"
        else:
            what = fitting.kind
            others = [rules for rules in presets.names("rulesets") if _knows(rules, fitting)]
            listed = " and ".join(f"`{name}`" for name in others)
            verb = "knows" if len(others) == 1 else "know"
            hint = f"{listed} {verb} it: write the map's game as `rules`, or take this away"
        message = f"the rules of {game.title} know no {what}"
        issues.append(Issue("FDF372", "error", message, fitting.source, (fitting.tile,), hint))
    return tuple(issues)


def _knows(rules: str, fitting: Fitting) -> bool:
    return presets.load_rules(rules).knows(fitting)


def game_of(
    layout: Layout, rules: str | None, options: Mapping[str, str | int | float]
) -> tuple[Game, tuple[Issue, ...]]:
    """The game of a layout under its own options, or another by name; see `Forge.game`."""
    issues: tuple[Issue, ...] = ()
    asked = rules_called(rules) if rules is not None and rules != layout.rules else None
    another = asked and type(asked) is not type(_game_or_default(layout.rules))
    if asked and another:
        game = _sized(asked, layout)
    else:
        try:
            game = _sized(asked or presets.load_rules(layout.rules), layout)
            game = game.under((o.name, o.value, o.source) for o in layout.options)
            game = _with_own(game, layout) if layout.units else game
        except ForgeError as error:
            issues = tuple(
                issue if issue.span else replace(issue, span=layout.rules_source)
                for issue in error.issues
            )
            game = asked or _game_or_default(layout.rules)
    pairs: Pairs = ((name, value, None) for name, value in options.items())
    game = game.under(pairs)
    strange = () if another or issues else unknown_fittings(game, layout.board)
    misfits = (
        issue if issue.span else replace(issue, span=layout.rules_source)
        for issue in (*game.misfits(layout.board), *strange)
    )
    return game, (*issues, *misfits)


def _sized(game: Game, layout: Layout) -> Game:
    """The game on a table of the map's size."""
    if not layout.printing.sizes:
        return game
    from falldamage_forge.rules.own import sized

    return sized(game, layout.printing.sizes)


def _with_own(game: Game, layout: Layout) -> Game:
    """The game with the map's own units; FDF369 tells what cannot be."""
    from falldamage_forge.rules.own import Wished, with_units

    def wished() -> Iterator[Wished]:
        for unit in layout.units:
            said = tuple((one.name, one.value, one.source) for one in unit.properties)
            yield Wished(unit.name, unit.like, said, unit.source)

    return with_units(game, wished())


def _game_or_default(name: str) -> Game:
    try:
        return presets.load_rules(name)
    except ForgeError:
        return presets.load_rules(presets.DEFAULT_RULES)

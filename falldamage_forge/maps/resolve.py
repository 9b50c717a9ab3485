"""Resolve a name to a preset or a user's file: maps, rulesets, printers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from falldamage_forge import presets
from falldamage_forge.infra.source_loader import display_name
from falldamage_forge.infra.user_paths import quoted
from falldamage_forge.issues import ForgeError, Issue, did_you_mean

if TYPE_CHECKING:
    from falldamage_forge.board import Board, Fitting
    from falldamage_forge.lang import Layout, LoadResult
    from falldamage_forge.printing.printer import Printer
    from falldamage_forge.rules.ruleset import Pairs, Ruleset


def resolve_map_path(name_or_path: str) -> Path:
    """Return the file of a map: a path, else the name of a preset."""
    path = Path(name_or_path)
    if path.suffix or "/" in name_or_path or "\\" in name_or_path or path.is_file():
        return path
    if path.exists() and name_or_path not in presets.map_names():
        return path
    return presets.path("maps", name_or_path)


def maps_beside(file: Path, names: Iterable[str]) -> tuple[str, ...]:
    """Return the maps that a user's file names: presets as they are, paths relative to the file.

    Args:
        file: The user's file.
        names: Names of presets, or paths relative to the file's folder.
    """
    return tuple(
        name if resolve_map_path(name) != Path(name) else str(file.parent / name) for name in names
    )


def resolve_ruleset(name_or_path: str) -> Ruleset:
    """Return a ruleset by the name of a preset or the path of a file."""
    if not _is_file(name_or_path):
        return presets.load_rules(name_or_path)
    path = Path(name_or_path)
    return presets.rules_from_table(_own_table(path), display_name(path))


def _is_file(name_or_path: str) -> bool:
    return Path(name_or_path).suffix == ".toml" or "/" in name_or_path or "\\" in name_or_path


def _own_table(path: Path) -> dict[str, Any]:
    from falldamage_forge.infra.source_loader import read_text
    from falldamage_forge.infra.toml_loader import parse_toml

    name = display_name(path)
    return parse_toml(read_text(path, name), name)


def resolve_printer(name_or_path: str) -> Printer:
    """Return a printer by the name of a preset or the path of a file."""
    from falldamage_forge.printing.printer import printer_from_table

    if not _is_file(name_or_path):
        return presets.load_printer(name_or_path)
    path = Path(name_or_path)
    table = presets.with_estimate(_own_table(path))
    return printer_from_table(table, path.stem, display_name(path))


def named(map_name: str, issues: Iterable[Issue]) -> tuple[Issue, ...]:
    """Return the issues with the map's name filled into the commands of their hints.

    Args:
        map_name: Name or path of the map, as the call writes it.
        issues: Issues of the map.
    """

    def filled(hint: str) -> str:
        return re.sub(r"(`fdforge [a-z]+) MAP\b", lambda at: f"{at[1]} {quoted(map_name)}", hint)

    return tuple(replace(i, hint=filled(i.hint)) if i.hint else i for i in issues)


def unknown_names(loaded: LoadResult) -> tuple[Issue, ...]:
    """Return issues for an unknown printer or unknown pieces that a map names.

    Args:
        loaded: The map; its stock may also name its models.
    """
    from falldamage_forge.lang import ast

    issues: list[Issue] = []
    layout, catalogue = loaded.layout, presets.load_catalogue()
    models = {x.name for x in loaded.document.statements if isinstance(x, ast.ModelBlock)}
    models |= {model.name for model in layout.models}
    named = [one for one in layout.inventory if one.piece not in models]
    for owned in (*named, *layout.extras):
        if owned.piece not in catalogue:
            hint = did_you_mean(owned.piece, {*catalogue.pieces, *models})
            message = f"no piece called `{owned.piece}`"
            issues.append(Issue("FDF400", "error", message, owned.source, hint=hint))
    if layout.printing.printer is not None:
        try:
            presets.load_printer(layout.printing.printer)
        except ForgeError as error:
            issues += (replace(issue, span=layout.printing.source) for issue in error.issues)
    return tuple(issues)


def unknown_fittings(game: Ruleset, board: Board) -> tuple[Issue, ...]:
    """Return issues (FDF372) for fittings that the ruleset does not use, one per statement.

    Args:
        game: Rules of a game.
        board: The board, with its fittings.
    """
    issues: list[Issue] = []
    strange = [x for x in board.fittings if not game.supports_fitting(x)]
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
    return presets.load_rules(rules).supports_fitting(fitting)


def game_of(
    layout: Layout, rules: str | None, options: Mapping[str, str | int | float]
) -> tuple[Ruleset, tuple[Issue, ...]]:
    """Return the ruleset of a layout and the issues of its rules; see `Forge.game`.

    Args:
        layout: The layout.
        rules: Name or file of another ruleset; None uses the layout's.
        options: Options of the ruleset; they override the layout's.
    """
    issues: tuple[Issue, ...] = ()
    asked = resolve_ruleset(rules) if rules is not None and rules != layout.rules else None
    another = asked and type(asked) is not type(_game_or_default(layout.rules))
    if asked and another:
        game = _sized(asked, layout)
    else:
        try:
            game = _sized(asked or presets.load_rules(layout.rules), layout)
            game = game.with_options((o.name, o.value, o.source) for o in layout.options)
            game = _with_own(game, layout) if layout.units else game
        except ForgeError as error:
            issues = tuple(
                issue if issue.span else replace(issue, span=layout.rules_source)
                for issue in error.issues
            )
            game = asked or _game_or_default(layout.rules)
    pairs: Pairs = ((name, value, None) for name, value in options.items())
    game = game.with_options(pairs)
    strange = () if another or issues else unknown_fittings(game, layout.board)
    misfits = (
        issue if issue.span else replace(issue, span=layout.rules_source)
        for issue in (*game.check_options(layout.board), *strange)
    )
    return game, (*issues, *misfits)


def _sized(game: Ruleset, layout: Layout) -> Ruleset:
    """Return the ruleset for the map's size of tiles and levels."""
    if not layout.printing.sizes:
        return game
    from falldamage_forge.rules.custom_units import with_table_size

    return with_table_size(game, layout.printing.sizes)


def _with_own(game: Ruleset, layout: Layout) -> Ruleset:
    """Return the ruleset with the map's own units; FDF369 for units that are not valid."""
    from falldamage_forge.rules.custom_units import CustomUnitSpec, with_custom_units

    def wished() -> Iterator[CustomUnitSpec]:
        for unit in layout.units:
            said = tuple((one.name, one.value, one.source) for one in unit.properties)
            yield CustomUnitSpec(unit.name, unit.like, said, unit.source)

    return with_custom_units(game, wished())


def _game_or_default(name: str) -> Ruleset:
    try:
        return presets.load_rules(name)
    except ForgeError:
        return presets.load_rules(presets.DEFAULT_RULES)

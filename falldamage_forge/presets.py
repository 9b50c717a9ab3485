"""The only reader of the presets folder: maps, rulesets, units, pieces, printers and sets."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from falldamage_forge.issues import ForgeError, Issue, did_you_mean
from falldamage_forge.lengths import GRID, Grid
from falldamage_forge.tables import parse_toml
from falldamage_forge.values import FrozenDict, frozen

if TYPE_CHECKING:
    from falldamage_forge.games.fall_damage.play.kit import Kit
    from falldamage_forge.games.fall_damage.units import Unit
    from falldamage_forge.geometry.sizes import PartSize
    from falldamage_forge.geometry.style import Style
    from falldamage_forge.pieces.catalogue import Catalogue
    from falldamage_forge.pieces.kit import SetTable
    from falldamage_forge.printing.printer import Printer
    from falldamage_forge.printing.process import Process
    from falldamage_forge.rules.game import Game

DEFAULT_RULES = "fall-damage"
DEFAULT_STYLE = "stone"
"""How pieces look where nobody says: in builds, pictures and lists."""
_SUFFIX = dict.fromkeys(("maps", "parts", "tables", "templates"), ".forge")


@cache
def root() -> Path:
    """The presets folder: inside an installed package, or beside it in a checkout.

    Raises ForgeError (FDF292) when neither is there.
    """
    package = Path(__file__).resolve().parent
    for folder in (package / "presets_data", package.parent / "presets"):
        if folder.is_dir():
            return folder
    raise ForgeError(
        [Issue("FDF292", "error", "the presets folder is missing; reinstall the forge")]
    )


def names(kind: str) -> tuple[str, ...]:
    """Names of the presets of a kind (`maps`, `printers`, …), sorted."""
    suffix = _SUFFIX.get(kind, ".toml")
    return tuple(sorted(path.stem for path in (root() / kind).glob(f"*{suffix}")))


def path(kind: str, name: str) -> Path:
    """The file of a preset; ForgeError (FDF293) with the nearest name when there is none.

    Tables of the tournament are maps as well.
    """
    if kind == "maps" and name in names("tables"):
        kind = "tables"
    known = names(kind)
    if name not in known:
        hint = did_you_mean(name, known) or f"known: {', '.join(known) or 'none'}"
        raise ForgeError(
            [Issue("FDF293", "error", f"no preset called `{name}` in {kind}", hint=hint)]
        )
    return root() / kind / f"{name}{_SUFFIX.get(kind, '.toml')}"


@cache
def _table(kind: str, name: str) -> dict[str, Any]:
    file = path(kind, name)
    return parse_toml(file.read_text(encoding="utf-8"), f"presets/{kind}/{file.name}")


@cache
def load_printer(name: str) -> Printer:
    """A printer by name."""
    from falldamage_forge.printing.printer import printer_from_table

    table = {**with_estimate(_table("printers", name))}
    return replace(
        printer_from_table(table, name, f"printer {name}"), process=load_process("standard")
    )


def with_estimate(table: Mapping[str, Any]) -> dict[str, Any]:
    """A printer's table; one without constants of its own is estimated like the A1 mini."""
    return {"estimate": _table("printers", "a1-mini").get("estimate", {}), **table}


@cache
def load_process(name: str) -> Process:
    """A process by name."""
    from falldamage_forge.printing.process import Process
    from falldamage_forge.tables import read_table

    return read_table(Process, {"name": name, **_table("processes", name)}, f"process {name}")


def slicer_files(printer: Printer, group: str = "") -> tuple[Path, ...]:
    """PrusaSlicer's settings for a printer's plates of a group, in the order of loading.

    ForgeError (FDF471) when there are none for the printer.
    """
    folder = root() / "slicer"
    names = (printer.settings or printer.name, *printer.process.way(group).settings)
    files = tuple(folder / f"{name}.ini" for name in names)
    for file in files:
        if not file.is_file():
            message = f"there are no slicer settings called `{file.stem}`"
            raise ForgeError([Issue("FDF471", "error", message)])
    return files


def slicer_settings(printer: Printer, group: str = "") -> dict[str, str]:
    """PrusaSlicer's settings for a printer's plates of a group, all files in one; as it reads."""
    settings: dict[str, str] = {}
    for file in slicer_files(printer, group):
        for line in file.read_text(encoding="utf-8").splitlines():
            key, sign, value = line.partition("=")
            if sign and not line.startswith("#"):
                settings[key.strip()] = value.strip()
    return settings


@cache
def load_style(name: str) -> Style:
    """A style of surfaces by name."""
    from falldamage_forge.geometry.style import style_from_table

    return style_from_table(_table("styles", name), name)


@cache
def baked_sizes(style: str = DEFAULT_STYLE, grid: Grid = GRID) -> Mapping[str, PartSize] | None:
    """Sizes of a style's pieces by key, kept where no meshes can be made; None where they can.

    ForgeError (FDF437) where they are of another size than these.
    """
    from falldamage_forge.geometry.sizes import size_from

    if not (root() / "baked").is_dir():
        return None
    if grid != GRID:
        message = "this page has parts for tiles and levels of 30 mm only"
        hint = "build it with `fdforge build`"
        raise ForgeError([Issue("FDF437", "error", message, hint=hint)])
    table = json.loads(load_text("baked", f"{style}.json"))
    return {key: size_from(row) for key, row in table.items()}


def load_catalogue(grid: Grid = GRID) -> Catalogue:
    """Every piece that can be printed, for tiles and levels of a size."""
    return _sized(grid)


@cache
def _sized(grid: Grid) -> Catalogue:
    from falldamage_forge.pieces.catalogue import catalogue_from_tables

    if grid != GRID:
        return _sized(GRID).on(grid)
    return catalogue_from_tables(
        {name: _table("pieces", name) for name in names("pieces")}, "pieces"
    )


@cache
def load_rules(name: str) -> Game:
    """A ruleset of any game by name; `cards` in its table names the presets its units stand in."""
    return rules_from_table(_table("rulesets", name), f"ruleset {name}")


def rules_from_table(table: Mapping[str, Any], where: str) -> Game:
    """The same of a table; ForgeError (FDF291, FDF365) names what is wrong with it."""
    from falldamage_forge.games.registry import read_rules

    table = dict(table)
    kind = table.pop("cards", None)
    if kind is not None:
        table["units"] = load_units() if kind == "units" else {}
        table["play"] = load_play()
    return read_rules(table, where)


@cache
def load_units() -> dict[str, Unit]:
    """All unit cards by name."""
    from falldamage_forge.games.fall_damage.units import units_from_tables

    return units_from_tables({name: _table("units", name) for name in names("units")}, "units")


@cache
def load_play() -> FrozenDict[str, Any]:
    """What cards and treasure do in numbers: the tables `abilities` and `treasure`."""
    tables: FrozenDict[str, Any] = frozen(
        {name: _table("play", name) for name in ("abilities", "treasure")}
    )
    return tables


@cache
def load_kit() -> Kit:
    """What a game of Fall Damage is played with: cards, abilities, treasure."""
    from falldamage_forge.games.fall_damage.play.kit import kit_of

    return kit_of(load_units(), **load_play())


@cache
def load_text(kind: str, file: str) -> str:
    """A text among the presets, such as a page that data is put into."""
    return (root() / kind / file).read_text(encoding="utf-8")


@cache
def load_set(name: str) -> SetTable:
    """A kit of maps by name."""
    from falldamage_forge.pieces.kit import SetTable
    from falldamage_forge.tables import read_table

    return read_table(SetTable, _table("sets", name), f"set {name}")


def load_grammar(name: str) -> Mapping[str, Any]:
    """The table of a style of maps; ForgeError (FDF293) when there is none."""
    return _table("grammars", name)

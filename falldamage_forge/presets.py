"""Reader of the presets folder: maps, rulesets, units, pieces, printers, styles and sets."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from falldamage_forge.infra.lazy_dataclass import FrozenDict, frozen
from falldamage_forge.infra.presets_folder import root, rows
from falldamage_forge.issues import ForgeError, Issue, did_you_mean
from falldamage_forge.lengths import GRID, PrintGrid

if TYPE_CHECKING:
    from falldamage_forge.games.fall_damage.play.game_data import GameData
    from falldamage_forge.games.fall_damage.unit_cards import UnitCard
    from falldamage_forge.games.fall_damage.whole_game import Things
    from falldamage_forge.geometry.part_size import PartSize
    from falldamage_forge.geometry.piece_style import PieceStyle
    from falldamage_forge.pieces.catalogue import Catalogue
    from falldamage_forge.pieces.map_kit import KitTable
    from falldamage_forge.printing.printer import Printer
    from falldamage_forge.printing.process import Process
    from falldamage_forge.rules.ruleset import Ruleset

DEFAULT_RULES = "fall-damage"
DEFAULT_STYLE = "stone"
"""Default piece style of builds, pictures and lists."""
_SUFFIX = dict.fromkeys(("maps", "parts", "tables", "templates"), ".forge")


def names(kind: str) -> tuple[str, ...]:
    """Return the sorted names of the presets of a kind (`maps`, `printers`, …)."""
    suffix = _SUFFIX.get(kind, ".toml")
    return tuple(sorted(path.stem for path in (root() / kind).glob(f"*{suffix}")))


def map_names() -> tuple[str, ...]:
    """Return the sorted names of all preset maps, those of the tournament's tables included."""
    return tuple(sorted((*names("maps"), *names("tables"))))


def map_text(name: str) -> str:
    """Return the text of a preset map or table; ForgeError (FDF293) if there is none."""
    return path("maps", name).read_text(encoding="utf-8")


def path(kind: str, name: str) -> Path:
    """Return the file of a preset. Maps include the tables of the tournament.

    Args:
        kind: Folder of `presets/`, such as `maps`.
        name: Name without suffix.

    Raises:
        ForgeError: FDF293 with the nearest name if there is none.
    """
    known = map_names() if kind == "maps" else names(kind)
    if name not in known:
        hint = did_you_mean(name, known) or f"known: {', '.join(known) or 'none'}"
        raise ForgeError(
            [Issue("FDF293", "error", f"no preset called `{name}` in {kind}", hint=hint)]
        )
    folder = "tables" if kind == "maps" and name in names("tables") else kind
    return root() / folder / f"{name}{_SUFFIX.get(kind, '.toml')}"


@cache
def _table(kind: str, name: str) -> dict[str, Any]:
    file = path(kind, name)
    return rows(file.read_text(encoding="utf-8"), f"presets/{kind}/{file.name}")


@cache
def load_printer(name: str) -> Printer:
    """Return a printer by name."""
    from falldamage_forge.printing.printer import printer_from_table

    table = {**with_estimate(_table("printers", name))}
    return set_up(printer_from_table(table, name, f"printer {name}"), "standard")


def set_up(printer: Printer, process: str) -> Printer:
    """Return a printer with a process, and with a nozzle that it is for.

    Args:
        printer: The printer.
        process: Name of the process.

    Raises:
        ForgeError: FDF293 if there is no such process; FDF291 if the printer has no nozzle for it.
    """
    from falldamage_forge.printing.printer import TOO_WIDE

    chosen = load_process(process)
    if (found := printer.set_up(chosen)) is not None:
        return found
    low, high = chosen.nozzles_mm
    message = (
        f"process `{process}` is for nozzles of {low:g} to {high:g} mm; {printer.title} has"
        f" {' and '.join(f'{width:g}' for width in printer.widths_mm())} mm"
    )
    fitting = processes_for(printer.nozzle_mm)
    hint = f"choose `--process {fitting[0]}`" if fitting else TOO_WIDE["nozzle_mm"]
    raise ForgeError([Issue("FDF291", "error", message, hint=hint)])


def processes_for(nozzle_mm: float) -> tuple[str, ...]:
    """Return the names of the processes for a nozzle, `standard` first; empty if there is none."""
    sizes = {name: load_process(name).nozzles_mm for name in names("processes")}
    found = [name for name, (low, high) in sizes.items() if low <= nozzle_mm <= high]
    return tuple(sorted(found, key=lambda name: name != "standard"))


def with_estimate(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return a printer's table; without its own estimate constants it gets those of the A1 mini."""
    return {"estimate": _table("printers", "a1-mini").get("estimate", {}), **table}


@cache
def load_process(name: str) -> Process:
    """Return a process by name."""
    from falldamage_forge.infra.toml_loader import read_table
    from falldamage_forge.printing.process import Process

    return read_table(Process, {"name": name, **_table("processes", name)}, f"process {name}")


def slicer_files(printer: Printer, group: str = "") -> tuple[Path, ...]:
    """Return PrusaSlicer's settings files for plates of a material group, in loading order.

    The machine's file comes first, then the one of its nozzle, which `NAME-0.6.ini` holds.

    Args:
        printer: The printer.
        group: The material group; empty for the default.

    Raises:
        ForgeError: FDF471 if the printer has no settings.
    """
    folder, machine = root() / "slicer", printer.settings or printer.name
    nozzle = f"{machine}-{printer.nozzle_mm:g}"
    own = (machine, nozzle) if (folder / f"{nozzle}.ini").is_file() else (machine,)
    names = (*own, *printer.process.way(group).settings)
    files = tuple(folder / f"{name}.ini" for name in names)
    for file in files:
        if not file.is_file():
            message = f"there are no slicer settings called `{file.stem}`"
            raise ForgeError([Issue("FDF471", "error", message)])
    return files


def slicer_settings(printer: Printer, group: str = "") -> dict[str, str]:
    """Return PrusaSlicer's settings for plates of a material group, later files overriding earlier.

    Args:
        printer: The printer.
        group: The material group; empty for the default.
    """
    settings: dict[str, str] = {}
    for file in slicer_files(printer, group):
        for line in file.read_text(encoding="utf-8").splitlines():
            key, sign, value = line.partition("=")
            if sign and not line.startswith("#"):
                settings[key.strip()] = value.strip()
    return settings


@cache
def load_style(name: str) -> PieceStyle:
    """Return a piece style by name."""
    from falldamage_forge.geometry.piece_style import style_from_table

    return style_from_table(_table("styles", name), name)


@cache
def baked_sizes(
    style: str = DEFAULT_STYLE, grid: PrintGrid = GRID, magnets: str = ""
) -> Mapping[str, PartSize] | None:
    """Return precomputed sizes of a style's pieces by key; None where meshes can be built.

    Args:
        style: Name of the style.
        grid: Size of tiles and levels.
        magnets: Size of the magnets that join the base; empty for ties.

    Raises:
        ForgeError: FDF437 if only sizes of another grid are stored, FDF212 of a base with ties.
    """
    from falldamage_forge.geometry.part_size import size_from

    if not (root() / "baked").is_dir():
        return None
    if grid != GRID:
        message = "this page has parts for tiles and levels of 30 mm only"
        hint = "build it with `fdforge build`"
        raise ForgeError([Issue("FDF437", "error", message, hint=hint)])
    if magnets:
        message = "this page has parts of a base with ties only"
        hint = "build it with `fdforge build`"
        raise ForgeError([Issue("FDF212", "error", message, hint=hint)])
    table = json.loads(load_text("baked", f"{style}.json"))
    return {key: size_from(row) for key, row in table.items()}


def load_catalogue(grid: PrintGrid = GRID, magnets: str = "") -> Catalogue:
    """Return all pieces for a size of tiles and levels, and for the magnets that join the base.

    Args:
        grid: Size of tiles and levels.
        magnets: Name of the magnets' size, such as `6x2`; empty for a base with ties.
    """
    return _magnetic(grid, magnets)


@cache
def _magnetic(grid: PrintGrid, magnets: str) -> Catalogue:
    return _sized(grid).holding(magnets)


@cache
def _sized(grid: PrintGrid) -> Catalogue:
    from falldamage_forge.pieces.catalogue import catalogue_from_tables

    if grid != GRID:
        return _sized(GRID).on(grid)
    return catalogue_from_tables(
        {name: _table("pieces", name) for name in names("pieces")}, "pieces"
    )


@cache
def load_rules(name: str) -> Ruleset:
    """Return a ruleset by name; its key `cards` names the presets of its units."""
    return rules_from_table(_table("rulesets", name), f"ruleset {name}")


def rules_from_table(table: Mapping[str, Any], where: str) -> Ruleset:
    """Return the ruleset of a TOML table.

    Args:
        table: The table.
        where: Its name in messages.

    Raises:
        ForgeError: FDF291 for a wrong key or value, FDF365 for an unknown game.
    """
    from falldamage_forge.games.registry import read_rules

    table = dict(table)
    kind = table.pop("cards", None)
    if kind is not None:
        table["units"] = load_units() if kind == "units" else {}
        table["play"] = load_play()
    return read_rules(table, where)


@cache
def load_units() -> dict[str, UnitCard]:
    """Return all unit cards by name."""
    from falldamage_forge.games.fall_damage.unit_cards import units_from_tables

    return units_from_tables({name: _table("units", name) for name in names("units")}, "units")


@cache
def load_play() -> FrozenDict[str, Any]:
    """Return the effects of cards and treasure: tables `abilities`, `treasure` and `numbers`."""
    tables: FrozenDict[str, Any] = frozen(
        {name: _table("play", name) for name in ("abilities", "treasure", "numbers")}
    )
    return tables


@cache
def load_kit() -> GameData:
    """Return the game data of Fall Damage: cards, abilities, treasure."""
    from falldamage_forge.games.fall_damage.play.game_data import game_data

    return game_data(load_units(), **load_play())


@cache
def load_things() -> Things:
    """Return the pieces that a game of Fall Damage needs beside its table."""
    from falldamage_forge.games.fall_damage.whole_game import Things
    from falldamage_forge.infra.toml_loader import read_table

    return read_table(Things, _table("play", "things"), "play/things.toml")


@cache
def load_text(kind: str, file: str) -> str:
    """Return a text file among the presets, such as a page template.

    Args:
        kind: Folder of `presets/`.
        file: Name of the file, with suffix.
    """
    return (root() / kind / file).read_text(encoding="utf-8")


@cache
def load_set(name: str) -> KitTable:
    """Return a kit of maps by name."""
    from falldamage_forge.infra.toml_loader import read_table
    from falldamage_forge.pieces.map_kit import KitTable

    return read_table(KitTable, _table("sets", name), f"set {name}")


def load_grammar(name: str) -> Mapping[str, Any]:
    """Return the table of a map style; ForgeError (FDF293) if there is none."""
    return _table("grammars", name)

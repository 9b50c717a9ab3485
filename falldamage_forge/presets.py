"""The only reader of the presets folder: maps, rulesets, units, pieces, printers and sets."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from falldamage_forge.issues import ForgeError, Issue, did_you_mean
from falldamage_forge.tables import parse_toml

if TYPE_CHECKING:
    from falldamage_forge.games.setting import Setting
    from falldamage_forge.geometry.style import Style
    from falldamage_forge.pieces.catalogue import Catalogue
    from falldamage_forge.pieces.kit import SetTable
    from falldamage_forge.printing.printer import Printer
    from falldamage_forge.rules.ruleset import Ruleset
    from falldamage_forge.rules.units import Unit

_SUFFIX = {"maps": ".forge"}


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
    """The file of a preset; ForgeError (FDF293) with the nearest name when there is none."""
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

    return printer_from_table(with_estimate(_table("printers", name)), name, f"printer {name}")


def with_estimate(table: Mapping[str, Any]) -> dict[str, Any]:
    """A printer's table; one without constants of its own is estimated like the A1 mini."""
    return {"estimate": _table("printers", "a1-mini").get("estimate", {}), **table}


@cache
def load_style(name: str) -> Style:
    """A style of surfaces by name."""
    from falldamage_forge.geometry.style import style_from_table

    return style_from_table(_table("styles", name), name)


@cache
def load_catalogue() -> Catalogue:
    """Every piece that can be printed."""
    from falldamage_forge.pieces.catalogue import catalogue_from_tables

    return catalogue_from_tables(
        {name: _table("pieces", name) for name in names("pieces")}, "pieces"
    )


@cache
def load_rules(name: str) -> Ruleset | Setting:
    """A ruleset of any game by name: a `Ruleset` for Fall Damage, else the game's `Setting`."""
    from falldamage_forge.games.registry import read_rules

    return read_rules(_table("rulesets", name), f"ruleset {name}")


@cache
def load_ruleset(name: str = "fall-damage") -> Ruleset:
    """A ruleset of Fall Damage by name; ForgeError (FDF366) when it is another game's."""
    from falldamage_forge.rules.ruleset import Ruleset

    rules = load_rules(name)
    if not isinstance(rules, Ruleset):
        message = f"`{name}` is another game; this speaks of Fall Damage alone"
        raise ForgeError([Issue("FDF366", "error", message)])
    return rules


@cache
def load_units() -> dict[str, Unit]:
    """All unit cards by name."""
    from falldamage_forge.rules.units import units_from_tables

    return units_from_tables({name: _table("units", name) for name in names("units")}, "units")


@cache
def load_set(name: str) -> SetTable:
    """A kit of maps by name."""
    from falldamage_forge.pieces.kit import SetTable
    from falldamage_forge.tables import read_table

    return read_table(SetTable, _table("sets", name), f"set {name}")

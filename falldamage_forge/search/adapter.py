"""Adapter from search to the rest of the forge: presets, checks, plans and estimates of a text."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

from falldamage_forge.search.style_grammar import Grammar, MapStyle, read_parts

if TYPE_CHECKING:
    from falldamage_forge.board import Board
    from falldamage_forge.games.fall_damage.ruleset import FallDamage
    from falldamage_forge.library.forge import Checked, Forge
    from falldamage_forge.pieces.catalogue import Catalogue
    from falldamage_forge.pieces.piece import Piece


def catalogue() -> Catalogue:
    """Return the catalogue of all pieces."""
    from falldamage_forge import presets

    return presets.load_catalogue()


def styles() -> tuple[str, ...]:
    """Return the names of the preset styles."""
    from falldamage_forge import presets

    return presets.names("grammars")


@cache
def style(name: str) -> MapStyle:
    """Return a style with its parts.

    Args:
        name: Name of a preset style.
    """
    from falldamage_forge import presets
    from falldamage_forge.infra.toml_loader import read_table

    table = {"name": name, **presets.load_grammar(name)}
    text = presets.path("parts", name).read_text(encoding="utf-8")
    grammar = read_table(Grammar, table, f"presets/grammars/{name}.toml")
    return MapStyle(grammar, read_parts(text, f"presets/parts/{name}.forge"))


@cache
def _forge() -> Forge:
    from falldamage_forge.library.forge import Forge

    return Forge(remember=2)


def check(text: str, name: str = "map.forge") -> Checked:
    """Return the result of `fdforge check` for a text.

    Args:
        text: Source of a map.
        name: Name of its file, for issues.
    """
    forge = _forge()
    return forge.check(forge.loads(text, name))


def board_of(text: str) -> Board:
    """Return the board of a text."""
    return _forge().loads(text).board


def game() -> FallDamage:
    """Return the ruleset for which maps are made: Fall Damage with default options."""
    from falldamage_forge import presets
    from falldamage_forge.games.fall_damage.ruleset import FallDamage

    rules = presets.load_rules(presets.DEFAULT_RULES)
    assert isinstance(rules, FallDamage)
    return rules


def tables() -> dict[str, str]:
    """Return the texts of the tournament tables, by name."""
    from falldamage_forge import presets

    names = presets.names("tables")
    return {name: presets.path("tables", name).read_text(encoding="utf-8") for name in names}


def missing_parts(text: str, owned: Mapping[str, int]) -> dict[str, int]:
    """Return the number of parts that a stock lacks to build a map, by key.

    The exact integer program decides. Discs of starts do not count: earlier starts have none.

    Args:
        text: Source of a map.
        owned: Number of owned parts by key.
    """
    from falldamage_forge.pieces.map_kit import missing_from_stock

    pieces = catalogue()
    lacks = missing_from_stock(board_of(text), pieces, owned)
    return {key: n for key, n in lacks.items() if pieces[key].family != "start-disc"}


def print_estimate(text: str, owned: Mapping[str, int] | None = None) -> tuple[float, float]:
    """Return grams and hours of the parts that are still to be printed for a map.

    Args:
        text: The map's text.
        owned: Owned parts by key; None: nothing is owned.
    """
    forge = _forge()
    map = forge.loads(text)
    printer = map.layout.printing.printer or "a1-mini"
    weights = seconds = 0.0
    plan = forge.plan(map, owned or {})
    pieces = plan.pieces()
    for key, count in plan.counts().items():
        part_grams, part_s = _part(pieces[key], printer)
        parts = max(count - (owned or {}).get(key, 0), 0)
        weights += parts * part_grams
        seconds += parts * part_s
    return weights, seconds / 3600


@cache
def _part(piece: Piece, printer_name: str) -> tuple[float, float]:
    """Return grams and seconds of one part of a piece in the style of builds."""
    from falldamage_forge import presets
    from falldamage_forge.builds.part_features import features_by_key
    from falldamage_forge.geometry.piece_mesh import printed_sizes
    from falldamage_forge.printing.estimate import grams, part_seconds, rates_of

    printer, own = _forge().printer(name=printer_name), {piece.key: piece}
    sizes = printed_sizes(own, printer, presets.load_style(presets.DEFAULT_STYLE))
    shape = features_by_key(own, sizes, printer)[piece.key]
    rates = rates_of(printer, piece.group)
    return grams(shape, rates), part_seconds(shape, rates) * printer.time_factor

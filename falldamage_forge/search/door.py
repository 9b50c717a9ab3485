"""The one way from search to the rest of the forge: presets, checks and plans of a text."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

from falldamage_forge.search.parts import Grammar, Style, read_parts

if TYPE_CHECKING:
    from falldamage_forge.board import Board
    from falldamage_forge.forge import Checked, Forge
    from falldamage_forge.games.fall_damage.game import FallDamage
    from falldamage_forge.pieces.catalogue import Catalogue
    from falldamage_forge.pieces.model import Piece


def catalogue() -> Catalogue:
    """Every piece there is."""
    from falldamage_forge import presets

    return presets.load_catalogue()


def styles() -> tuple[str, ...]:
    """Names of the styles that come with the forge."""
    from falldamage_forge import presets

    return presets.names("grammars")


@cache
def style(name: str) -> Style:
    """A style by name, with its parts."""
    from falldamage_forge import presets
    from falldamage_forge.tables import read_table

    table = {"name": name, **presets.load_grammar(name)}
    text = presets.path("parts", name).read_text(encoding="utf-8")
    grammar = read_table(Grammar, table, f"presets/grammars/{name}.toml")
    return Style(grammar, read_parts(text, f"presets/parts/{name}.forge"))


@cache
def _forge() -> Forge:
    from falldamage_forge.forge import Forge

    return Forge(remember=2)


def check(text: str, name: str = "map.forge") -> Checked:
    """What `fdforge check` says of a text."""
    forge = _forge()
    return forge.check(forge.loads(text, name))


def board_of(text: str) -> Board:
    """The board of a text."""
    return _forge().loads(text).board


def game() -> FallDamage:
    """Fall Damage by its own book, for which maps are made."""
    from falldamage_forge import presets
    from falldamage_forge.games.fall_damage.game import FallDamage

    rules = presets.load_rules(presets.DEFAULT_RULES)
    assert isinstance(rules, FallDamage)
    return rules


def stock_of_set(name: str) -> dict[str, int]:
    """The parts of a preset set, by key."""
    from falldamage_forge import presets
    from falldamage_forge.pieces.kit import kit_for

    wanted = presets.load_set(name)
    boards = [_forge().load(each).board for each in wanted.maps]
    kit = kit_for(boards, presets.load_catalogue(), together=wanted.together, extras=wanted.extras)
    return dict(kit.parts)


def tables() -> dict[str, str]:
    """The texts of the tournament tables by name."""
    from falldamage_forge import presets

    names = presets.names("tables")
    return {name: presets.path("tables", name).read_text(encoding="utf-8") for name in names}


def tables_stock() -> dict[str, int]:
    """The parts out of which the tournament tables were found, by key."""
    from falldamage_forge import presets
    from falldamage_forge.pieces.stock import read_stock

    path = presets.root() / "tables" / "stock.csv"
    text = path.read_text(encoding="utf-8")
    return read_stock(text, "presets/tables/stock.csv", catalogue().pieces)


def missing(text: str, owned: Mapping[str, int]) -> dict[str, int]:
    """Parts that a stock lacks to build a map, by key; the exact program, a moment's work."""
    from falldamage_forge.pieces.kit import lacking

    return lacking(board_of(text), catalogue(), owned)


def printing(text: str, owned: Mapping[str, int] | None = None) -> tuple[float, float]:
    """Grams and hours of what has still to be printed for a map, about, on its printer."""
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
    """Grams and seconds of one part of a piece."""
    from falldamage_forge.assemble import shape_of
    from falldamage_forge.geometry.build import build
    from falldamage_forge.printing.estimate import grams, part_seconds, rates_of

    printer = _forge().printer(name=printer_name)
    shape = shape_of(piece, build(piece, printer))
    rates = rates_of(printer, piece.group)
    return grams(shape, rates), part_seconds(shape, rates) * printer.time_factor

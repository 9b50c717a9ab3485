"""Flattening: a layout as source text without anything to expand, for `fdforge expand`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePath

from falldamage_forge.board import (
    DIRECTION_NAMES,
    DIRECTIONS,
    Board,
    StandingModel,
    Tile,
    column_name,
)
from falldamage_forge.elements.glyphs import BARE, tile_glyphs
from falldamage_forge.lang.fitting_syntax import words_of
from falldamage_forge.lang.layout import DEFAULT_RULES, Layout
from falldamage_forge.lang.model_block import ModelBlock, block_lines
from falldamage_forge.lang.unparse import value_text

MAX_SPOTS = 200
"""Most tiles of a statement, so that its line stays below the scanner's limit."""


def flatten(layout: Layout) -> str:
    """Return a source without definitions, imports or symmetry that has the same board."""
    return "\n".join(_lines(layout)) + "\n"


def _lines(layout: Layout) -> Iterator[str]:
    board = layout.board

    def spot(tile: Tile, level: int) -> str:
        return str(tile) if level == board.column(tile).level else f"{tile}@{level}"

    yield "forge 1"
    if layout.title:
        yield f'title "{layout.title}"'
    if layout.author:
        yield f'author "{layout.author}"'
    if layout.license:
        yield f'license "{layout.license}"'
    if layout.players != 2:
        yield f"players {layout.players}"
    yield f"board {board.cols}x{board.rows}"
    yield from _settings(layout)
    for model in layout.models:
        yield from block_lines(replace(model, name=_plain(model.name)), _path(layout, model))
    yield "map {"
    letters = " ".join(f"{column_name(col):2}" for col in range(board.cols)).rstrip()
    yield f"     | {letters}"
    for row in range(board.rows):
        cells = (_cell(board, Tile(row, col)) for col in range(board.cols))
        yield f"  {row + 1:>2} | {' '.join(f'{cell:2}' for cell in cells)}".rstrip()
    yield "}"
    for x in board.models:
        yield f"place {_plain(x.name)} at {min(x.tiles)}{_turned(x)}"
    for deck in board.decks:
        yield f"bridge {deck.a} -> {deck.b} level {deck.level}{' arch' if deck.arch else ''}"
    if board.steps:
        yield f"step at {', '.join(str(step.tile) for step in board.steps)}"
    for crown in board.battlements:
        sides = " ".join(DIRECTION_NAMES[side] for side in crown.sides)
        yield f"battlement at {crown.tile}" + ("" if len(crown.sides) == 4 else f" sides {sides}")
    for ladder in board.ladders:
        foot, top = spot(ladder.foot, ladder.foot_level), spot(ladder.top, ladder.top_level)
        yield f"ladder {foot} -> {top}"
    for chest in board.treasures:
        yield f"treasure at {spot(chest.tile, chest.level)}"
    alike: dict[tuple[str, str], list[str]] = {}
    for one in board.fittings:
        if one.to is not None:
            yield f"{one.kind} {spot(one.tile, one.level)} -> {spot(one.to, one.to_level)}"
            continue
        words = words_of(one.kind, one.name, one.sides, one.length_um)
        alike.setdefault(words, []).append(spot(one.tile, one.level))
    for (head, tail), spots in alike.items():
        for first in range(0, len(spots), MAX_SPOTS):
            yield f"{head} at {', '.join(spots[first : first + MAX_SPOTS])}{tail}"
    for zone in board.starts:
        yield f"start {zone.side} at {', '.join(spot(*place) for place in zone.surfaces)}"
    for expectation in layout.expects:
        yield f"expect {' '.join(expectation.words)}"
    for allowance in layout.allows:
        yield f'allow {allowance.code} "{allowance.reason}"'


def _plain(name: str) -> str:
    """Return the name of a model without that of its source."""
    return name.replace(".", "-")


def _path(layout: Layout, model: ModelBlock) -> str:
    """Return the path of a model's file beside the map; an import's model has it beside its own."""
    main = next((x.beside for x in layout.models if "." not in x.name), model.beside)
    folder = PurePath(main).parent
    beside = PurePath(model.beside).parent / model.path
    return beside.relative_to(folder).as_posix() if folder in beside.parents else model.path


def _turned(model: StandingModel) -> str:
    """Return the modifiers of a model's `place`."""
    turn = 90 * DIRECTIONS.index(model.facing)
    return " mirror x" * model.mirrored + (f" rotate {turn}" if turn else "")


def _settings(layout: Layout) -> Iterator[str]:
    """Yield the blocks of rules, units, print and stock that are not empty."""
    options = [f"{option.name.replace('_', '-')} {option.value}" for option in layout.options]
    if options or layout.rules != DEFAULT_RULES:
        yield _block(f"rules {layout.rules}", options)
    if layout.units:
        yield "units {"
        for unit in layout.units:
            properties = [
                f"{option.name.replace('_', '-')} {value_text(str(option.value))}"
                for option in unit.properties
            ]
            head = f"{unit.name} like {unit.like}" if unit.like else unit.name
            yield f"  {_block(head, properties)}"
        yield "}"
    printing = layout.printing
    words = [f"printer {printing.printer}"] if printing.printer else []
    words += [f"fit {printing.fit_mm:g}mm"] if printing.fit_mm is not None else []
    words += [f"seam {printing.seam_mm:g}mm"] if printing.seam_mm is not None else []
    words += ["rim"] if printing.rim else []
    words += [f"{name.removesuffix('_mm')} {size:g}mm" for name, size in printing.sizes.items()]
    words += [f"tops {printing.tops}"] if printing.tops else []
    words += [f"magnets {printing.magnets}"] if printing.magnets else []
    words += ["blocks"] if printing.blocks else []
    for head, entries in (
        ("print", words),
        ("inventory", [f"{owned.piece} {owned.count}" for owned in layout.inventory]),
        ("extras", [f"{extra.piece} {extra.count}" for extra in layout.extras]),
    ):
        if entries:
            yield _block(head, entries)


def _block(head: str, entries: list[str]) -> str:
    return f"{head} {{ {'  '.join(entries)} }}" if entries else head


def _cell(board: Board, tile: Tile) -> str:
    column = board.column(tile)
    if tile in board.grounds:
        return str(board.grounds[tile] or BARE)
    glyphs = tile_glyphs(column)
    if not glyphs:
        return str(column.level) if column.level else BARE
    return f"{column.level or ''}{glyphs}"

"""A layout written out flat: a plain map and one statement for each thing, nothing to expand."""

from __future__ import annotations

from collections.abc import Iterator

from falldamage_forge.board import Board, Feature, Ground, Tile, column_name
from falldamage_forge.lang.layout import DEFAULT_RULES, Layout

_GLYPHS = {Feature.TREE: "T", Feature.SPIRE: "^", Ground.LAVA: "!", Ground.WATER: "~"}


def expand_text(layout: Layout) -> str:
    """A source without definitions, imports or symmetry whose board is the same board."""
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
    if layout.players != 2:
        yield f"players {layout.players}"
    yield f"board {board.cols}x{board.rows}"
    options = "  ".join(f"{o.name} {o.value}".replace("_", "-") for o in layout.options)
    if options or layout.rules != DEFAULT_RULES:
        yield f"rules {layout.rules}" + (f" {{ {options} }}" if options else "")
    yield "map {"
    letters = " ".join(f"{column_name(col):2}" for col in range(board.cols)).rstrip()
    yield f"     | {letters}"
    for row in range(board.rows):
        cells = (_cell(board, Tile(row, col)) for col in range(board.cols))
        yield f"  {row + 1:>2} | {' '.join(f'{cell:2}' for cell in cells)}".rstrip()
    yield "}"
    for deck in board.decks:
        yield f"bridge {deck.a} -> {deck.b} level {deck.level}"
    for ladder in board.ladders:
        foot, top = spot(ladder.foot, ladder.foot_level), spot(ladder.top, ladder.top_level)
        yield f"ladder {foot} -> {top}"
    for chest in board.treasures:
        yield f"treasure at {spot(chest.tile, chest.level)}"
    for zone in board.starts:
        yield f"start {zone.side} at {', '.join(spot(*place) for place in zone.surfaces)}"
    for expectation in layout.expects:
        yield f"expect {' '.join(expectation.words)}"


def _cell(board: Board, tile: Tile) -> str:
    column = board.column(tile)
    glyphs = _GLYPHS.get(column.ground, "") + (_GLYPHS[column.feature] if column.feature else "")
    if not glyphs:
        return str(column.level) if column.level else "."
    return f"{column.level or ''}{glyphs}"

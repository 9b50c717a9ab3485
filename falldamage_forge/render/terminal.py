"""Board as terminal text: one cell for each tile, optionally coloured by level."""

from __future__ import annotations

from collections.abc import Sequence

from falldamage_forge.board import Board, Ground, Tile, column_name
from falldamage_forge.elements import ELEMENTS
from falldamage_forge.elements.glyphs import BARE, SIGNS, tile_glyphs
from falldamage_forge.languages.translator import Say
from falldamage_forge.render.fitting_symbols import sign, words
from falldamage_forge.render.overlay import Overlay
from falldamage_forge.render.palette import LIGHT, channels, mix, side_colour

_DARK = "#1f1a14"
_LISTED = tuple(
    (x.field, x.sign or x.glyph, x.shown or x.word)
    for x in ELEMENTS.values()
    if x.build and (x.sign or x.glyph)
)
"""List of the board, glyph and words of the elements that have a list and a glyph."""


def terminal(
    board: Board, *, colour: bool = False, overlays: Sequence[Overlay] = (), say: Say = str
) -> str:
    """Return lines of a board with coordinates and a legend, ending in a newline.

    Each tile shows its level (`.` for 0) and its glyphs, then `=4` for a bridge at level 4, `$` for
    treasure, `#` for a ladder's foot, glyphs of fittings, and the letter of the side that starts
    there. A mark of the first overlay that has one on a tile replaces the glyphs by `>` and the
    mark's text.

    Args:
        board: Board to show.
        colour: True for ANSI colours.
        overlays: Overlays in order of precedence.
        say: Translates the legend.
    """
    cells = [
        [_cell(board, Tile(row, col), overlays) for col in range(board.cols)]
        for row in range(board.rows)
    ]
    wide = max(3, *(len(cell) for line in cells for cell in line)) + 1
    head = "     " + "".join(column_name(col).ljust(wide) for col in range(board.cols))
    lines = [head.rstrip()]
    for row in range(board.rows):
        parts = []
        for col in range(board.cols):
            text = (" " + cells[row][col]).ljust(wide)
            parts.append(_paint(board, Tile(row, col), text, overlays) if colour else text)
        lines.append(f"{row + 1:>3} " + "".join(parts).rstrip())
    lines += ["", "   ".join(map(say, _legend(board)))]
    for overlay in overlays:
        if overlay.pins:
            lines += [f"> {say(overlay.title)}:"]
            lines += [f"  {say(words)}" for _, words in overlay.legend]
            continue
        words = ", ".join(say(words) for _, words in overlay.legend)
        lines.append(f"> {say(overlay.title)}" + (f": {words}" if words else ""))
    return "\n".join(lines) + "\n"


def _cell(board: Board, tile: Tile, overlays: Sequence[Overlay]) -> str:
    column = board.column(tile)
    text = str(column.level) if column.level else BARE
    for overlay in overlays:
        marks = [mark for mark in overlay.marks if mark.tile == tile]
        if marks:
            return text + ">" + "/".join(mark.text or "*" for mark in marks)
    text += tile_glyphs(column)
    text += "".join(f"={level}" for level in board.deck_levels.get(tile, ()))
    for name, mark, _ in reversed(_LISTED):
        text += mark * any(x.ends[0] == tile for x in board.items(name))
    text += sign(board, tile)
    for zone in board.starts:
        if any(tile == at for at, _ in zone.surfaces):
            text += zone.side[:1].lower()
    return text


def _paint(board: Board, tile: Tile, text: str, overlays: Sequence[Overlay]) -> str:
    """Return the cell on the colour of the uppermost thing on its tile."""
    column = board.column(tile)
    back = LIGHT.grounds[min(column.level, len(LIGHT.grounds) - 1)]
    if column.ground is not Ground.GROUND:
        back = getattr(LIGHT, ELEMENTS[column.ground].paint)
    if tile in board.deck_levels:
        back = LIGHT.wood
    if column.feature is not None:
        back = getattr(LIGHT, ELEMENTS[column.feature].paint)
    for number, zone in enumerate(board.starts):
        if any(tile == at for at, _ in zone.surfaces):
            back = mix(back, side_colour(LIGHT, zone.side, number), 0.4)
    for overlay in overlays:
        for mark in overlay.marks:
            if mark.tile == tile:
                back = overlay.colour(LIGHT, mark.tint)
    red, green, blue = channels(back)
    ink = ";".join(map(str, channels(_DARK)))
    return f"\x1b[48;2;{red};{green};{blue}m\x1b[38;2;{ink}m{text}\x1b[0m"


def _legend(board: Board) -> list[str]:
    used = [". level 0, digits are levels"]
    kinds = {column.ground for column in board.columns} | {
        column.feature for column in board.columns
    }
    used += [f"{sign} {kind}" for kind, sign in SIGNS.items() if kind in kinds]
    if board.decks:
        used.append("=2 bridge at level 2")
    used += [f"{mark} {text}" for name, mark, text in _LISTED if board.items(name)]
    symbols = dict.fromkeys((ELEMENTS[x.kind].sign, words(x)) for x in board.fittings)
    used += [f"{mark} {text}" for mark, text in symbols]
    used += [f"{zone.side[:1].lower()} {zone.side} starts" for zone in board.starts]
    return used

"""Flat symbols of elements, for the view from above, surfaces of the picture and legends."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from falldamage_forge.board import Board, Fitting, Tile
from falldamage_forge.elements import ELEMENTS, FITTINGS
from falldamage_forge.elements.element import TILE_UM
from falldamage_forge.elements.solids import Box, Drum, Ink, corners_of
from falldamage_forge.lengths import GRID, PrintGrid
from falldamage_forge.render.display_list import Pen, Point, rectangle
from falldamage_forge.render.paint_context import PaintContext
from falldamage_forge.render.palette import Palette, mix, side_colour, tone

To = Callable[[float, float], Point]
"""Function from (row, col) in a tile, from its north-west corner in tiles, to pixels."""
_SWATCH = 20.0


def sign(board: Board, tile: Tile) -> str:
    """Return the glyphs of a tile's fittings in a terminal."""
    return "".join(dict.fromkeys(FITTINGS[x.kind].sign for x in board.fittings if x.tile == tile))


def words(fitting: Fitting) -> str:
    """Return the name of a kind in a legend."""
    return FITTINGS[fitting.kind].shown.format(name=fitting.name) or fitting.kind


def legend(board: Board, palette: Palette) -> Iterator[tuple[Callable[[Pen, Point], None], str]]:
    """Yield one legend entry for each kind on a board, and for each side's Base."""
    shown = {words(x): x for x in reversed(board.fittings)}
    for text, fitting in sorted(shown.items(), key=lambda one: [*FITTINGS].index(one[1].kind)):
        yield partial(_swatch, palette, fitting), text


def _swatch(palette: Palette, fitting: Fitting, pen: Pen, at: Point) -> None:
    pen.line(rectangle(*at, _SWATCH, _SWATCH), palette.edge, 0.7, 0.4, closed=True)

    def to(row: float, col: float) -> Point:
        return at[0] + col * _SWATCH, at[1] + row * _SWATCH

    element = FITTINGS[fitting.kind]
    if element.symbol is None and element.solids:
        spots = [spot for solid in element.solids(fitting) for spot in corners_of(solid)]
        rows, cols, _ = zip(*spots, strict=True)
        row, col = (min(rows) + max(rows)) / 2, (min(cols) + max(cols)) / 2
        flat(pen, palette, fitting, lambda r, c: to(0.5 + r - row, 0.5 + c - col))
        return
    flat(pen, palette, replace(fitting, sides=fitting.sides[:1], length_um=TILE_UM * 2 // 5), to)


def flat(pen: Pen, palette: Palette, x: Fitting, to: To) -> None:
    """Draw an element as its flat symbol, or its solids as they are seen from above.

    Args:
        pen: Collects the shapes.
        palette: Colours.
        x: The element.
        to: Function from a spot of its tile to pixels.
    """
    element = ELEMENTS[x.kind]
    for ink in element.symbol(x) if element.symbol else _tops(x):
        path = [to(*point) for point in ink.points]
        colour = tone(_colour(palette, ink.paint, x.name), ink.shade)
        if ink.width:
            pen.line(path, colour, ink.width, ink.opacity, closed=ink.closed, dash=ink.dash)
        elif ink.solid:
            pen.face(path, colour)
        else:
            pen.fill(path, colour, ink.opacity)


def _colour(palette: Palette, paint: str, name: str) -> str:
    """Return the colour of an ink; `name` is that of its element."""
    if paint == "side":
        return side_colour(palette, name, 0)
    if paint == "field":
        return mix(palette.marks[3], palette.ink, 0.15)
    found: str = getattr(palette, paint)
    return found


def _tops(x: Fitting) -> Iterator[Ink]:
    """Yield the tops of an element's solids."""
    solids = ELEMENTS[x.kind].solids
    for solid in solids(x) if solids else ():
        if isinstance(solid, Box | Drum):
            paint = STONES.get(solid.top or solid.paint, solid.paint)
            top = tuple((row, col) for row, col, _ in solid.rings[-1])
            yield Ink(top, paint, shade=solid.shade, solid=True)
            yield Ink(top, "edge", 1.4, 0.85, closed=True)


STONES = {"ground": "rock", "cliff": "rock"}
"""Paints of solids that follow their level, and those of their tops in flat views."""


def drawn_on(board: Board, grid: PrintGrid) -> Board:
    """Return a board whose fittings are scaled to tiles and levels of a grid."""
    if grid == GRID or not board.fittings:
        return board

    def sized(fitting: Fitting) -> Fitting:
        unit_mm = grid.pitch_mm if FITTINGS[fitting.kind].around else grid.rise_mm
        return replace(fitting, length_um=round(fitting.length_um * GRID.pitch_mm / unit_mm))

    return replace(board, fittings=tuple(map(sized, board.fittings)))


def on_top(sketch: PaintContext, fitting: Fitting) -> None:
    """Draw a flat symbol on its surface in the picture."""
    tile, level = fitting.tile, fitting.level

    def to(row: float, col: float) -> Point:
        return sketch.at(tile.row + row, tile.col + col, level)

    flat(sketch.pen, sketch.palette, fitting, to)

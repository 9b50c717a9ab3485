"""Symbols of fittings (elements of some rulesets): flat for both views, solid for the picture."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial

from falldamage_forge.board import EAST, NORTH, SOUTH, WEST, Board, Fitting, Tile
from falldamage_forge.elements import FITTINGS
from falldamage_forge.elements.element import TILE_UM, Box
from falldamage_forge.lengths import GRID, PrintGrid
from falldamage_forge.render.display_list import Pen, Point, rectangle
from falldamage_forge.render.isometric_objects import box
from falldamage_forge.render.paint_context import PaintContext
from falldamage_forge.render.palette import Palette, mix, side_colour, tone

To = Callable[[float, float], Point]
"""Function from (row, col) in a tile, from its north-west corner in tiles, to pixels."""
Paint = Callable[[Pen, Palette, To, Fitting], None]
_SWATCH = 20.0
FRONT = (SOUTH, EAST)
"""Sides of a tile towards the viewer of a picture."""


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

    if fitting.kind not in FLAT:
        corners = [corner for box in boxes_of(fitting) for corner in (box.low, box.high)]
        middle = [(min(ends) + max(ends)) / 2 for ends in list(zip(*corners, strict=True))[:2]]

        def about(row: float, col: float) -> Point:
            return to(0.5 + row - middle[0], 0.5 + col - middle[1])

        _from_above(pen, palette, about, fitting)
        return
    shown = Fitting(fitting.kind, Tile(0, 0), 0, fitting.sides[:1], fitting.name, TILE_UM * 2 // 5)

    FLAT[fitting.kind](pen, palette, to, shown)


# -- flat ------------------------------------------------------------------------------------------


def flat(pen: Pen, palette: Palette, fitting: Fitting, to: To) -> None:
    """Draw a fitting as a flat symbol on its tile, or its boxes as they are seen from above."""
    FLAT.get(fitting.kind, _from_above)(pen, palette, to, fitting)


def boxes_of(fitting: Fitting) -> tuple[Box, ...]:
    """Return the boxes that draw a fitting, the lowest first; none for a flat one."""
    solids = FITTINGS[fitting.kind].solids
    return tuple(sorted(solids(fitting), key=lambda box: box.high[2])) if solids else ()


def _from_above(pen: Pen, palette: Palette, to: To, fitting: Fitting) -> None:
    """Draw the tops of a fitting's boxes."""
    for solid in boxes_of(fitting):
        (r0, c0, _), (r1, c1, _) = solid.low, solid.high
        path = [to(r0, c0), to(r0, c1), to(r1, c1), to(r1, c0)]
        pen.face(path, tone(getattr(palette, solid.paint), solid.shade))
        pen.line(path, palette.edge, 1.4, 0.85, closed=True)


def _ends(side: tuple[int, int], inset: float = 0.06) -> tuple[Point, Point]:
    """Return the two ends of a tile's side, inset."""
    row, col = 0.5 + side[0] * (0.5 - inset), 0.5 + side[1] * (0.5 - inset)
    along = 0.5 - inset
    return (
        (row - abs(side[1]) * along, col - abs(side[0]) * along),
        (row + abs(side[1]) * along, col + abs(side[0]) * along),
    )


def _railing(pen: Pen, palette: Palette, to: To, fitting: Fitting) -> None:
    """Draw a rail with three posts; a taller railing is broader."""
    width = 2.2 + min(3.0, 1.2 * fitting.length_um / 12_700)
    for side in fitting.sides:
        one, two = _ends(side)
        line = [to(*one), to(*two)]
        pen.line(line, palette.gleam, width + 2.4)
        pen.line(line, palette.edge, width)
        for share in (0.0, 0.5, 1.0):
            row, col = (a + (b - a) * share for a, b in zip(one, two, strict=True))
            pen.fill(_square(to, row, col, 0.055), palette.edge)


def _square(to: To, row: float, col: float, half: float) -> list[Point]:
    corners = ((-half, -half), (-half, half), (half, half), (half, -half))
    return [to(row + r, col + c) for r, c in corners]


def _obstruction(pen: Pen, palette: Palette, to: To, fitting: Fitting) -> None:
    """Draw a crate from above."""
    crate = _square(to, 0.5, 0.5, 0.36)
    pen.face(crate, palette.wood)
    for start in (0, 1):
        pen.line([crate[start], crate[start + 2]], palette.wood_dark, 2.4)
    pen.line(crate, palette.edge, 1.8, closed=True)


def _pitfall(pen: Pen, palette: Palette, to: To, fitting: Fitting) -> None:
    """Draw a hole that darkens inwards."""
    for half, shade in ((0.46, 0.35), (0.38, 0.6), (0.28, 0.9)):
        pen.fill(_square(to, 0.5, 0.5, half), palette.shade, shade)
    pen.line(_square(to, 0.5, 0.5, 0.46), palette.edge, 1.6, closed=True)


def _gate(pen: Pen, palette: Palette, to: To, fitting: Fitting) -> None:
    """Draw bars across the tile."""
    pen.fill(_square(to, 0.5, 0.5, 0.44), palette.gold, 0.35)
    for number in range(5):
        col = 0.14 + 0.18 * number
        pen.line([to(0.12, col), to(0.88, col)], palette.edge, 1.8, 0.85)
    pen.line(_square(to, 0.5, 0.5, 0.44), palette.edge, 1.6, closed=True)


def _base(pen: Pen, palette: Palette, to: To, fitting: Fitting) -> None:
    """Draw a dashed border in the side's colour."""
    colour = side_colour(palette, fitting.name, 0)
    pen.fill(_square(to, 0.5, 0.5, 0.47), colour, 0.10)
    pen.line(_square(to, 0.5, 0.5, 0.46), colour, 2.2, closed=True, dash=5)


def _field(pen: Pen, palette: Palette, to: To, fitting: Fitting) -> None:
    """Draw a counter, and the reach of its field."""
    colour = mix(palette.marks[3], palette.ink, 0.15)
    rim = _circle(to, fitting.length_um / TILE_UM, 72)
    pen.fill(rim, colour, 0.10)
    pen.line(rim, colour, 1.8, 0.9, closed=True, dash=6)
    for reach in (0.2, 0.12):
        pen.line(_circle(to, reach, 20), colour, 2.2, closed=True)
    pen.fill(_circle(to, 0.05, 12), colour)


def _circle(to: To, reach: float, corners: int) -> list[Point]:
    angles = (2 * math.pi * number / corners for number in range(corners))
    return [to(0.5 + reach * math.sin(a), 0.5 + reach * math.cos(a)) for a in angles]


FLAT: Mapping[str, Paint] = {
    "railing": _railing,
    "obstruction": _obstruction,
    "field": _field,
    "pitfall": _pitfall,
    "gate": _gate,
    "base": _base,
}


def drawn_on(board: Board, grid: PrintGrid) -> Board:
    """Return a board whose fittings are scaled to tiles and levels of a grid."""
    if grid == GRID or not board.fittings:
        return board

    def sized(fitting: Fitting) -> Fitting:
        unit_mm = grid.pitch_mm if FITTINGS[fitting.kind].around else grid.rise_mm
        return replace(fitting, length_um=round(fitting.length_um * GRID.pitch_mm / unit_mm))

    return replace(board, fittings=tuple(map(sized, board.fittings)))


# -- in the picture --------------------------------------------------------------------------------


def on_top(sketch: PaintContext, fitting: Fitting) -> None:
    """Draw a flat symbol on its surface in the picture."""
    tile, level = fitting.tile, fitting.level

    def to(row: float, col: float) -> Point:
        return sketch.at(tile.row + row, tile.col + col, level)

    flat(sketch.pen, sketch.palette, fitting, to)


def upright(sketch: PaintContext, fitting: Fitting, side: tuple[int, int]) -> None:
    """Draw one side of a railing in the picture: posts, and a bar at the top and in the middle."""
    pen, at, palette = sketch.pen, sketch.at, sketch.palette
    one, two = _ends(side, 0.04)
    tile, low, high = fitting.tile, float(fitting.level), fitting.length_um / TILE_UM

    def spot(share: float, height: float) -> Point:
        row, col = (a + (b - a) * share for a, b in zip(one, two, strict=True))
        return at(tile.row + row, tile.col + col, low + height)

    shares = (0.0, 0.25, 0.5, 0.75, 1.0)
    for colour, width in ((palette.edge, 4.2), (palette.wood, 2.2)):
        for share in shares:
            pen.line([spot(share, 0.0), spot(share, high)], colour, width)
        for height in (high / 2, high):
            pen.line([spot(0.0, height), spot(1.0, height)], colour, width)


def blocks(sketch: PaintContext, fitting: Fitting, solids: Iterable[Box]) -> None:
    """Draw boxes of a fitting in the picture."""
    for solid in solids:
        (r0, c0, z0), (r1, c1, z1) = solid.low, solid.high
        middle = (fitting.tile.row + (r0 + r1) / 2, fitting.tile.col + (c0 + c1) / 2)
        colour = tone(getattr(sketch.palette, solid.paint), solid.shade)
        levels = (fitting.level + z0, fitting.level + z1)
        box(sketch, middle, ((r1 - r0) / 2, (c1 - c0) / 2), levels, colour)


def raised_sides(fitting: Fitting) -> Iterator[tuple[tuple[int, int], bool]]:
    """Yield the sides of a railing, and true for each in front of objects on the tile."""
    for side in (NORTH, WEST, SOUTH, EAST):
        if side in fitting.sides:
            yield side, side in FRONT

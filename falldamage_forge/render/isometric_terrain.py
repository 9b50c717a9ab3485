"""Columns of an isometric picture: cliff faces, tops, water, lava, edges and shadows."""

from __future__ import annotations

from collections.abc import Sequence

from falldamage_forge.board import Ground, Tile
from falldamage_forge.board.coordinates import DIRECTIONS
from falldamage_forge.render import isometric_textures
from falldamage_forge.render.display_list import Point
from falldamage_forge.render.isometric_projection import Spot
from falldamage_forge.render.isometric_shadows import clip_west, feature_shadow, shadow_intervals
from falldamage_forge.render.paint_context import PaintContext, noise
from falldamage_forge.render.palette import Palette, tone

Outline = tuple[Spot, ...]
CAP = 0.064
"""Height of the caps of water and lava in levels."""
SHADOW = 0.30
_WAVES = ((0.26, 0.30, 0.34), (0.52, 0.52, 0.40), (0.78, 0.24, 0.36))
"""Row, first column and length of the waves on a water tile."""


def top_colour(palette: Palette, level: int) -> str:
    """Return the colour of bare ground at a level."""
    return palette.grounds[min(level, len(palette.grounds) - 1)]


def cube(sketch: PaintContext, tile: Tile, level: int) -> None:
    """Draw the two visible faces of a column between `level` and `level + 1`."""
    looks = ("cube", tile, level, sketch.beside(tile))
    sketch.once(looks, lambda: _cube(sketch, tile, level))


def _cube(sketch: PaintContext, tile: Tile, level: int) -> None:
    row, col = tile
    at, pen, palette = sketch.at, sketch.pen, sketch.palette
    stone = palette.cliffs[min(level, len(palette.cliffs) - 1)]
    south, east = sketch.level(row + 1, col) <= level, sketch.level(row, col + 1) <= level
    low, high = level, level + 1
    if south:
        quad = [(row + 1, col, low), (row + 1, col + 1, low)]
        quad += [(row + 1, col + 1, high), (row + 1, col, high)]
        pen.face(at.path(quad), tone(stone, palette.left))
        _wall(sketch, tile, level, south=True)
        _foot(sketch, [(row + 1, col), (row + 1, col + 1)], level, sketch.level(row + 1, col))
        if sketch.level(row, col - 1) <= level:
            _upright(sketch, row + 1, col, level)
    if east:
        quad = [(row + 1, col + 1, low), (row, col + 1, low)]
        quad += [(row, col + 1, high), (row + 1, col + 1, high)]
        pen.face(at.path(quad), tone(stone, palette.right))
        _wall(sketch, tile, level, south=False)
        _foot(sketch, [(row + 1, col + 1), (row, col + 1)], level, sketch.level(row, col + 1))
        if sketch.level(row - 1, col) <= level:
            _upright(sketch, row, col + 1, level)
    if south and east:
        corner = [(row + 1, col + 1, low), (row + 1, col + 1, high)]
        pen.line(at.path(corner), palette.gleam, 1.1, 0.45)


def _upright(sketch: PaintContext, row: int, col: int, level: int) -> None:
    """Draw the dark vertical edge where a face ends."""
    spots = [(row, col, level), (row, col, level + 1)]
    sketch.pen.line(sketch.at.path(spots), sketch.palette.edge, 1.2, 0.75)


def _wall(sketch: PaintContext, tile: Tile, level: int, *, south: bool) -> None:
    """Draw a face of a cube: its courses, and the level marks at its ends."""
    isometric_textures.courses(sketch, tile, level, south=south)
    beside = sketch.level(tile.row + south, tile.col + (not south))
    if level > max(beside, 0):
        isometric_textures.level_mark(sketch, tile, level, south=south)


def _foot(sketch: PaintContext, ends: list[Point], level: int, ground: int) -> None:
    """Draw a contact shadow where a face meets the ground."""
    if level > max(ground, 0):
        return
    (row1, col1), (row2, col2) = ends
    for height, opacity in ((0.34, 0.07), (0.2, 0.09), (0.08, 0.12)):
        quad: list[Spot] = [(row1, col1, level), (row2, col2, level)]
        quad += [(row2, col2, level + height), (row1, col1, level + height)]
        sketch.pen.fill(sketch.at.path(quad), sketch.palette.shade, opacity)


def top(sketch: PaintContext, tile: Tile) -> None:
    """Draw the top of a column with its ground, shadows and edges."""
    column, level = sketch.board.column(tile), float(sketch.board.column(tile).level)
    dark = _shadows(sketch, tile, level)
    looks = ("top", tile, column.level, column.ground, sketch.beside(tile), dark)
    sketch.once(looks, lambda: _top(sketch, tile, dark))


def _top(sketch: PaintContext, tile: Tile, dark: Sequence[Outline]) -> None:
    column = sketch.board.column(tile)
    level = float(column.level)
    if column.ground is Ground.GROUND:
        colour = top_colour(sketch.palette, column.level)
        colour = tone(colour, 0.985 + 0.03 * noise(*tile, 5))
        sketch.pen.face(sketch.at.top(*tile, level), tone(colour, 0.80))
        isometric_textures.stone(sketch, tile, colour)
        isometric_textures.joints(sketch, tile)
        if column.level:
            isometric_textures.flags(sketch, tile)
        else:
            isometric_textures.turf(sketch, tile, colour)
    else:
        _cap(sketch, tile, column.ground)
    _darken(sketch, dark)
    _creases(sketch, tile, column.level)
    _edges(sketch, tile, column.level)


def _cap(sketch: PaintContext, tile: Tile, ground: Ground) -> None:
    """Draw water or lava: a low cap on its tile, joined to neighbours of the same pool."""
    row, col = tile
    pen, at, palette = sketch.pen, sketch.at, sketch.palette
    level = sketch.board.column(tile).level
    water = ground is Ground.WATER
    colour, glow = (palette.water, palette.wave) if water else (palette.lava, palette.glow)
    pen.face(at.top(row, col, level), colour)
    top = at.top(row, col, level + CAP)
    pen.fill(top, colour)
    _waves(sketch, tile) if water else _crust(sketch, tile)
    for number, (d_row, d_col) in enumerate(DIRECTIONS):
        near = Tile(row + d_row, col + d_col)
        if near in sketch.board:
            other = sketch.board.column(near)
            if (other.level, other.ground) == (level, ground):
                continue
        one, two = top[number], top[(number + 1) % 4]
        if number in (1, 2):
            low = at.top(row, col, level)
            side = [low[number], low[(number + 1) % 4], two, one]
            pen.fill(side, tone(colour, 0.62 if number == 1 else 0.74))
        pen.line([one, two], glow, 1.3, 0.75)


def _waves(sketch: PaintContext, tile: Tile) -> None:
    level = sketch.board.column(tile).level
    for number, (r, c, length) in enumerate(_WAVES):
        start = c + 0.2 * (noise(*tile, number) - 0.5)
        spots = []
        for step in range(9):
            lift = (0.0, 0.018, 0.025, 0.018, 0.0, -0.018, -0.025, -0.018, 0.0)[step]
            spots.append((tile.row + r + lift, tile.col + start + length * step / 8, level + CAP))
        sketch.pen.line(sketch.at.path(spots), sketch.palette.wave, 1.5, 0.85)


def _crust(sketch: PaintContext, tile: Tile) -> None:
    """Draw dark plates on the glowing lava."""
    row, col = tile
    level = sketch.board.column(tile).level
    pen, at, palette = sketch.pen, sketch.at, sketch.palette
    for number, (r, c) in enumerate(((0.3, 0.28), (0.34, 0.72), (0.72, 0.36), (0.74, 0.78))):
        r += 0.1 * (noise(row, col, number, 7) - 0.5)  # noqa: PLW2901
        c += 0.1 * (noise(row, col, number, 8) - 0.5)  # noqa: PLW2901
        size = 0.10 + 0.07 * noise(row, col, number, 9)
        corners = ((-1, -0.3), (-0.5, 0.8), (0.4, 1.0), (1.0, 0.1), (0.3, -0.9))
        spots = [(row + r + size * y, col + c + size * x * 1.2, level + CAP) for y, x in corners]
        pen.line(at.path(spots), palette.glow, 2.2, 0.8, closed=True)
        pen.fill(at.path(spots), palette.crust, 0.9)


def shadow(sketch: PaintContext, tile: Tile, level: float) -> None:
    """Draw the shadows on a surface of a tile."""
    _darken(sketch, _shadows(sketch, tile, level))


def _darken(sketch: PaintContext, outlines: Sequence[Outline]) -> None:
    for outline in outlines:
        sketch.pen.fill(sketch.at.path(outline), sketch.palette.shade, SHADOW)


def _shadows(sketch: PaintContext, tile: Tile, level: float) -> tuple[Outline, ...]:
    """Return the outlines of the shadows on a surface of a tile."""
    row, col = tile
    found: list[Outline] = []
    stretches = shadow_intervals(sketch.board, tile, level)
    for low, high in stretches:
        spots = ((row, col + low, level), (row, col + high, level))
        found.append((*spots, (row + 1, col + high, level), (row + 1, col + low, level)))
    tongue = feature_shadow(sketch.board, tile, level)
    if tongue and stretches:
        tongue = clip_west(tongue, col + stretches[0][1])
    if tongue:
        found.append(tuple((r, c, level) for r, c in tongue))
    for outline in sketch.cast(tile, level):
        free = clip_west(tuple(outline), col + stretches[0][1]) if stretches else outline
        found.append(tuple((r, c, level) for r, c in free))
    return tuple(found)


def _creases(sketch: PaintContext, tile: Tile, level: int) -> None:
    """Draw soft shade along the foot of higher columns behind a tile."""
    row, col = tile
    quad: list[Point]
    for wide, opacity in ((0.30, 0.06), (0.18, 0.07), (0.08, 0.10)):
        if sketch.level(row - 1, col) > level:
            quad = [(row, col), (row, col + 1), (row + wide, col + 1), (row + wide, col)]
            path = sketch.at.path([(r, c, level) for r, c in quad])
            sketch.pen.fill(path, sketch.palette.shade, opacity)
        if sketch.level(row, col - 1) > level:
            quad = [(row, col), (row, col + wide), (row + 1, col + wide), (row + 1, col)]
            path = sketch.at.path([(r, c, level) for r, c in quad])
            sketch.pen.fill(path, sketch.palette.shade, opacity)


def _edges(sketch: PaintContext, tile: Tile, level: int) -> None:
    """Draw dark outlines at drops behind a tile, light ones at drops towards the viewer."""
    row, col = tile
    palette = sketch.palette
    rims = (
        ((row, col), (row, col + 1), sketch.level(row - 1, col), False),
        ((row + 1, col), (row, col), sketch.level(row, col - 1), False),
        ((row + 1, col), (row + 1, col + 1), sketch.level(row + 1, col), True),
        ((row + 1, col + 1), (row, col + 1), sketch.level(row, col + 1), True),
    )
    for one, two, other, front in rims:
        path = sketch.at.path([(*one, level), (*two, level)])
        if other == level:
            sketch.pen.line(path, palette.edge, 0.8, 0.12)
        elif other < level and front:
            sketch.pen.line(path, palette.edge, 1.3, 0.35)
            sketch.pen.line(path, palette.gleam, 1.2, 0.75)
        elif other < level:
            sketch.pen.line(path, palette.edge, 1.4, 0.80)

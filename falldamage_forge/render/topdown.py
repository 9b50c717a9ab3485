"""Map from above: levels as numbers, shades and contour lines; readable in greyscale."""

from __future__ import annotations

from collections.abc import Sequence

from falldamage_forge.board import (
    Board,
    Feature,
    Fitting,
    Ground,
    StartZone,
    Tile,
    column_name,
)
from falldamage_forge.elements import ELEMENTS, KINDS
from falldamage_forge.elements.scene import scene
from falldamage_forge.languages.translator import Say
from falldamage_forge.lengths import GRID, PrintGrid
from falldamage_forge.render import fitting_symbols
from falldamage_forge.render.display_list import Drawing, Path, Pen, Point, rectangle
from falldamage_forge.render.isometric_models import SeenModel, without_models
from falldamage_forge.render.legend import draw_legend
from falldamage_forge.render.overlay import Overlay, badge
from falldamage_forge.render.palette import PALETTES, Palette, mix, side_colour, tone, with_tops
from falldamage_forge.render.side_marks import SIDE_OPACITY, mark_of

MARGIN = 24.0
RIM = 26.0
STEEP, WALL = 0.2, 0.12
"""Triangles of models that look up less are walls; lower walls, in levels, are not drawn."""


class _MapTransform:
    """Transform from rows and columns to pixels, with board, palette and pen."""

    def __init__(self, board: Board, palette: Palette, origin: Point, tile_px: float) -> None:
        self.board, self.palette, self.origin, self.px = board, palette, origin, tile_px
        self.pen = Pen()

    def at(self, row: float, col: float) -> Point:
        """Return the pixel of a spot; whole numbers are corners."""
        return self.origin[0] + col * self.px, self.origin[1] + row * self.px

    def box(self, tile: Tile, inset: float = 0.0) -> Path:
        """Return the corners of a tile, inset by `inset` tiles."""
        side = (1 - 2 * inset) * self.px
        return rectangle(*self.at(tile.row + inset, tile.col + inset), side, side)

    def path(self, spots: Sequence[Point]) -> Path:
        """Return pixels of (row, col) spots."""
        return tuple(self.at(row, col) for row, col in spots)


def topdown(
    board: Board,
    *,
    title: str = "",
    theme: str = "light",
    overlays: Sequence[Overlay] = (),
    legend: bool = True,
    rim: bool = True,
    tile_px: float = 60.0,
    grid: PrintGrid = GRID,
    tops: str = "",
    say: Say = str,
    models: Sequence[SeenModel] = (),
) -> Drawing:
    """Return the map of a board; every overlay is drawn in a group `overlay-<key>`.

    Args:
        board: Board to draw.
        title: Heading; empty for none.
        theme: Key of `PALETTES`.
        overlays: Marks to draw, in order.
        legend: True to draw the legend.
        rim: True to draw the rim with coordinates; False ends the drawing with the last tiles.
        tile_px: Edge of a tile in pixels.
        grid: Pitch and rise, for the reach of fields over tiles.
        tops: Key of `tones.PALETTES` for the colours of tops; empty for none.
        say: Translates the legend.
        models: Models of others, drawn as they are; one that is left out is drawn as columns.
    """
    tall = fitting_symbols.drawn_on(board, grid)
    board = without_models(tall, models)
    palette = with_tops(PALETTES[theme], tops)
    head = 56.0 if title else 0.0
    edge = MARGIN + RIM if rim else 0.0
    there = _MapTransform(board, palette, (edge, edge + head), tile_px)
    width = 2 * edge + board.cols * tile_px
    height = 2 * edge + head + board.rows * tile_px
    pen = there.pen
    if title:
        pen.text(title, (MARGIN, MARGIN + 22), 20, palette.ink, weight=0.12)
        words = f"{board.cols} × {board.rows} tiles; numbers are levels"
        pen.text(say(words), (MARGIN, MARGIN + 43), 10, palette.faint, weight=0.125)
    if rim:
        _rim(there)
    for tile in board.tiles():
        _ground(there, tile)
    for tile in board.tiles():
        _contours(there, tile)
    for model in models:
        _model(there, model)
    for overlay in overlays:
        _tints(there, overlay, decks=False)
    for number, zone in enumerate(board.starts):
        _start(there, zone, number)
    things = sorted(scene(board), key=_layer)
    for tile in board.tiles():
        _level(there, tile, tall.column(tile).level)
    for x in things:
        if x.kind in tuple(Feature) or ELEMENTS[x.kind].level:
            _symbol(there, x)
    for overlay in overlays:
        _tints(there, overlay, decks=True)
    for tile, levels in board.deck_levels.items():
        for number, level in enumerate(reversed(levels)):
            _tag(there, str(level), (tile.row + 0.66, tile.col + 0.66 - 0.31 * number))
    for x in things:
        if not (KINDS[ELEMENTS[x.kind].fact].single or ELEMENTS[x.kind].level):
            _symbol(there, x)
    for chest in board.treasures:
        if len(board.tops(chest.tile)) > 1:
            _tag(there, str(chest.level), (chest.tile.row + 0.18, chest.tile.col + 0.1))
    for overlay in overlays:
        _texts(there, overlay)
    if legend:
        at = (MARGIN, height - MARGIN + 8)
        height += draw_legend(pen, board, palette, overlays, at, width - 2 * MARGIN, say) + 8
    return Drawing(round(width), round(height), tuple(pen.shapes), palette.paper, title)


def _layer(x: Fitting) -> tuple[bool, int, int]:
    """Return the order of a symbol: ways lie over things, and upper decks over lower ones."""
    element = ELEMENTS[x.kind]
    return x.to is not None, -(element.depth or 0), x.level * element.level


def _symbol(there: _MapTransform, x: Fitting) -> None:
    """Draw an element's symbol on its tile."""

    def to(row: float, col: float) -> Point:
        return there.at(x.tile.row + row, x.tile.col + col)

    fitting_symbols.flat(there.pen, there.palette, x, to)


def _rim(there: _MapTransform) -> None:
    board, pen, palette = there.board, there.pen, there.palette
    x, y = there.at(0, 0)
    wide, high = board.cols * there.px, board.rows * there.px
    for grow, opacity in ((6, 0.06), (4, 0.08), (2, 0.1)):
        shadow = rectangle(x - RIM + 1, y - RIM + 2, wide + 2 * RIM + grow, high + 2 * RIM + grow)
        pen.fill(shadow, palette.shade, opacity)
    rim = rectangle(x - RIM, y - RIM, wide + 2 * RIM, high + 2 * RIM)
    pen.fill(rim, palette.frame_top)
    pen.line(rim, palette.edge, 1.3, 0.8, closed=True)
    for col in range(board.cols):
        for row, shift in ((0.0, -RIM / 2 + 5), (float(board.rows), RIM / 2 + 5)):
            x, y = there.at(row, col + 0.5)
            pen.text(column_name(col), (x, y + shift), 10, palette.ink, anchor=0.5)
    for row_number in range(board.rows):
        for column, shift in ((0.0, -RIM / 2), (float(board.cols), RIM / 2)):
            x, y = there.at(row_number + 0.5, column)
            pen.text(str(row_number + 1), (x + shift, y + 5), 10, palette.ink, anchor=0.5)


def _ground(there: _MapTransform, tile: Tile) -> None:
    column, palette, pen = there.board.column(tile), there.palette, there.pen
    if column.ground is Ground.GROUND:
        pen.face(there.box(tile), palette.grounds[min(column.level, len(palette.grounds) - 1)])
        return
    pen.face(there.box(tile), getattr(palette, ELEMENTS[column.ground].paint))
    _symbol(there, Fitting(column.ground, tile, column.level))


def _contours(there: _MapTransform, tile: Tile) -> None:
    """Draw thin grid lines between equal levels, else a bold line with a shade below it."""
    board, pen, palette = there.board, there.pen, there.palette
    row, col = tile
    level = board.column(tile).level
    for near, one, two, sign in (
        (Tile(row + 1, col), (row + 1, col), (row + 1, col + 1), (1, 0)),
        (Tile(row, col + 1), (row, col + 1), (row + 1, col + 1), (0, 1)),
    ):
        if near not in board:
            continue
        drop = level - board.column(near).level
        line = there.path([one, two])
        if drop == 0:
            pen.line(line, palette.edge, 0.8, 0.22)
            continue
        side = 1 if drop > 0 else -1
        for number in range(min(abs(drop), 4)):
            reach = side * 0.055 * (number + 1)
            spots: list[Point] = [one, two]
            spots += [(two[0] + sign[0] * reach, two[1] + sign[1] * reach)]
            spots += [(one[0] + sign[0] * reach, one[1] + sign[1] * reach)]
            pen.fill(there.path(spots), palette.shade, 0.13)
        pen.line(line, palette.edge, 1.2 + 0.6 * min(abs(drop), 4), 0.9)


def _start(there: _MapTransform, zone: StartZone, number: int) -> None:
    colour = side_colour(there.palette, zone.side, number)
    mark, ink = mark_of(zone.side, number), mix(colour, there.palette.ink, 0.5)
    for tile, _ in zone.surfaces:

        def path(points: Sequence[Point], tile: Tile = tile) -> Path:
            return there.path([(tile.row + row, tile.col + col) for row, col in points])

        there.pen.fill(path(mark.ring), colour, SIDE_OPACITY)
        there.pen.line(path(mark.ring), colour, 2.4, closed=True)
        for line in mark.sign:
            there.pen.line(path(line), ink, 1.6)
        at = there.at(tile.row + 0.72, tile.col + 0.5)
        there.pen.text(mark.letter, at, 0.3 * there.px, ink, anchor=0.5)


def _model(there: _MapTransform, model: SeenModel) -> None:
    """Draw the triangles of a model that are seen from above, the lowest first, walls as lines."""
    pen, palette = there.pen, there.palette
    faces = [face for own in model.faces.values() for face in own]
    for face in sorted(faces, key=lambda face: (face.top, face.up < STEEP)):
        path = there.path([(row, col) for row, col, _ in face.corners])
        if abs(face.up) < STEEP and face.high > WALL:
            pen.line(path, palette.edge, 1.0, 0.6)
        elif face.up >= STEEP:
            colour = palette.grounds[min(max(round(face.top), 0), len(palette.grounds) - 1)]
            pen.face(path, tone(colour, 0.55 + 0.45 * face.up))


def _level(there: _MapTransform, tile: Tile, level: int) -> None:
    """Draw the level of a tile for the rules."""
    if level == 0:
        return
    x, y = there.at(tile.row + 0.08, tile.col + 0.08)
    _number(there, str(level), (x, y), there.palette.edge)


def _number(there: _MapTransform, text: str, at: Point, colour: str) -> None:
    size = 0.19 * there.px
    there.pen.text(text, (at[0], at[1] + size), size, "#ffffff", weight=0.42, opacity=0.55)
    there.pen.text(text, (at[0], at[1] + size), size, colour, weight=0.16)


def _tag(there: _MapTransform, text: str, at: Point) -> None:
    """Draw a small plate with a level, for surfaces above the column."""
    pen, size = there.pen, 0.3 * there.px
    x, y = there.at(*at)
    pen.fill(rectangle(x, y, size, size), there.palette.gleam)
    pen.line(rectangle(x, y, size, size), there.palette.edge, 1.2, closed=True)
    pen.text(text, (x + size / 2, y + 0.82 * size), 0.63 * size, "#2a2118", anchor=0.5, weight=0.16)


def _tints(there: _MapTransform, overlay: Overlay, *, decks: bool) -> None:
    """Draw marks of the ground on their tile, those of decks as a smaller square above."""
    pen = there.pen
    pen.group = f"overlay-{overlay.key}"
    for mark in overlay.marks:
        deck = mark.level > there.board.column(mark.tile).level
        if deck is decks:
            box = there.box(mark.tile, 0.2 if deck else 0.05)
            colour = overlay.colour(there.palette, mark.tint)
            pen.fill(box, colour, 0.85 if deck else 0.66)
            pen.line(box, tone(colour, 0.65), 1.8, closed=True)
    pen.group = ""


def _texts(there: _MapTransform, overlay: Overlay) -> None:
    """Draw the marks' texts over everything; of two surfaces on a tile only the upper one's.

    A chest or an arrow stays visible below, because texts have no ground.
    """
    pen = there.pen
    pen.group = f"overlay-{overlay.key}"
    highest = {mark.tile: mark for mark in sorted(overlay.marks, key=lambda m: (m.tile, m.level))}
    for mark in highest.values():
        if mark.text and overlay.pins:
            middle = there.at(mark.tile.row + 0.5, mark.tile.col + 0.5)
            colour = overlay.colour(there.palette, mark.tint)
            badge(pen, middle, 0.24 * there.px, mark.text, colour)
        elif mark.text:
            size = (0.26 if len(mark.text) < 3 else 0.17) * there.px
            x, y = there.at(mark.tile.row + 0.5, mark.tile.col + 0.5)
            at = (x, y + size / 2)
            pen.text(mark.text, at, size, "#ffffff", anchor=0.5, weight=0.42)
            pen.text(mark.text, at, size, "#20180f", anchor=0.5, weight=0.17)
    pen.group = ""

"""Isometric picture of a board, painted strictly from back to front (painter's algorithm).

Every object fits into cells (row, column, level) of the grid. A cell can only hide cells whose row,
column and level are all at most its own, so painting by row + column, then by level, is exact.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import field, replace
from functools import partial

from falldamage_forge.board import (
    EAST,
    MAX_LEVEL,
    NORTH,
    SOUTH,
    WEST,
    Board,
    Fitting,
    Ground,
    Tile,
)
from falldamage_forge.elements import ELEMENTS, FITTINGS
from falldamage_forge.elements.scene import scene
from falldamage_forge.elements.solids import Bar, Solid, corners_of
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.languages.translator import Say
from falldamage_forge.lengths import GRID, PrintGrid
from falldamage_forge.render import fitting_symbols, isometric_objects, isometric_terrain
from falldamage_forge.render.display_list import Drawing, PaintedPath, Path, Pen, Point
from falldamage_forge.render.isometric_models import (
    SeenModel,
    model_shadows,
    model_tile,
    without_models,
)
from falldamage_forge.render.isometric_projection import Projection, Spot, rise_of
from falldamage_forge.render.legend import draw_legend, size_words
from falldamage_forge.render.overlay import Overlay, OverlayMark, badge
from falldamage_forge.render.paint_context import PaintContext, no_shadows
from falldamage_forge.render.palette import PALETTES, mix, side_colour, tone, with_tops
from falldamage_forge.render.rim_labels import rim_labels
from falldamage_forge.render.side_marks import SIDE_OPACITY, SideMark, mark_of

BASE = 0.34
"""Height of the drawn base in levels."""
RIM = 0.62
"""Width of the rim with the coordinates in tiles."""
TILE_PX = 64.0
"""Edge of a tile in a picture of the usual size."""
MARGIN = 26.0
_LEAST_MARGIN = 8.0
"""Pixels that are left round the board when heading and legend are cut off."""
Paint = Callable[[], None]
Job = tuple[int, float, int, Paint]


@dataclass(frozen=True, eq=False)
class PictureSeries:
    """Pictures of a board that grows: all in the frame of the whole board with its models.

    What has not changed since an earlier picture is drawn once: `drawn` has the shapes of each
    part of a column by all that they depend on.
    """

    whole: Board
    models: Sequence[SeenModel] = ()
    drawn: dict[Hashable, tuple[PaintedPath, ...]] = field(default_factory=dict)


def isometric(
    board: Board,
    *,
    title: str = "",
    theme: str = "light",
    overlays: Sequence[Overlay] = (),
    legend: bool = True,
    tile_px: float = TILE_PX,
    grid: PrintGrid = GRID,
    tops: str = "",
    say: Say = str,
    models: Sequence[SeenModel] = (),
    series: PictureSeries | None = None,
) -> Drawing:
    """Return the picture of a board; every overlay is drawn in a group `overlay-<key>`.

    Args:
        board: Board to draw.
        title: Heading; empty for none.
        theme: Key of `PALETTES`.
        overlays: Marks to draw, in order.
        legend: True to draw the legend.
        tile_px: Edge of a tile in pixels.
        grid: Pitch and rise, for the proportions of levels.
        tops: Key of `tones.PALETTES` for the colours of tops; empty for none.
        say: Translates the legend.
        models: Models of others, drawn as they are; one that is left out is drawn as columns.
        series: The series that the picture belongs to, all with the same colours and sizes.
    """
    tall, rise = fitting_symbols.drawn_on(board, grid), rise_of(grid)
    board = without_models(tall, models)
    palette = with_tops(PALETTES[theme], tops)
    head = 58.0 if title else 14.0
    flat = Projection(tile_px, rise=rise)
    left = flat(board.rows + RIM, -RIM, 0)[0]
    right = flat(-RIM, board.cols + RIM, 0)[0]
    framed = (fitting_symbols.drawn_on(series.whole, grid), series.models) if series else None
    top = min(flat(*spot)[1] for spot in _peaks(*(framed or (tall, models))))
    top = min(top, flat(-RIM, -RIM, 0)[1])
    bottom = flat(board.rows + RIM, board.cols + RIM, -BASE)[1]
    at = Projection(tile_px, MARGIN - left, head + MARGIN - top, rise)
    pen = Pen()
    cast = partial(model_shadows, tuple(models)) if models else no_shadows
    drawn = {} if series is None else series.drawn
    sketch = PaintContext(board, pen, at, palette, cast, drawn)
    _base(sketch)
    under = len(pen.shapes)
    for _, _, _, paint in sorted(_jobs(sketch, overlays, tall, models), key=lambda job: job[:3]):
        paint()
    for ladder in board.ladders:
        if isometric_objects.is_behind(ladder.foot, ladder.top):
            isometric_objects.ladder_behind(sketch, ladder)
    for fitting in board.fittings:
        if FITTINGS[fitting.kind].around:
            fitting_symbols.on_top(sketch, fitting)
    rim_labels(sketch, pen.shapes[under:])
    for overlay in overlays:
        if overlay.pins:
            _pins(sketch, overlay)
    width = right - left + 2 * MARGIN
    height = head + bottom - top + 2 * MARGIN
    if title:
        pen.text(title, (MARGIN, MARGIN + 24), 22, palette.ink, weight=0.12)
        pen.text(say(size_words(board)), (MARGIN, MARGIN + 46), 10.5, palette.faint, weight=0.125)
    whole = height
    if legend:
        corner = (MARGIN, height - 8)
        whole += draw_legend(pen, board, palette, overlays, corner, width - 2 * MARGIN, say)
    return Drawing(
        round(width),
        round(whole),
        tuple(pen.shapes),
        palette.paper,
        title,
        head=int(head + MARGIN - _LEAST_MARGIN) if title else 0,
        foot=round(whole) - int(height - MARGIN + _LEAST_MARGIN) if legend else 0,
    )


def _peaks(board: Board, models: Sequence[SeenModel]) -> Iterator[Spot]:
    for model in models:
        yield from ((tile.row, tile.col, model.top) for tile in model.faces)
    for tile in board.tiles():
        column = board.column(tile)
        yield tile.row, tile.col, column.level + (2.1 if column.feature else 0.5)


def _jobs(
    sketch: PaintContext, overlays: Sequence[Overlay], tall: Board, models: Sequence[SeenModel]
) -> Iterator[Job]:
    """Yield every object with its sort key: diagonal, level, rank within the cell.

    `tall` is the board with the columns that drawn models are for the rules.
    """
    board = sketch.board
    starts = _starts(sketch)
    marks = [(overlay, overlay.at()) for overlay in overlays]

    def on_top(tile: Tile, level: int) -> Iterator[Job]:
        place = tile.row + tile.col
        if (tile, level) in starts:
            yield place, level - 0.5, 4, partial(starts[tile, level], level)
        for overlay, at in marks:
            if (tile, level) in at:
                yield place, level - 0.5, 5, partial(_mark, sketch, overlay, at[tile, level])

    for tile in board.tiles():
        column, place = board.column(tile), tile.row + tile.col
        for level in range(column.level):
            yield place, level, 0, partial(isometric_terrain.cube, sketch, tile, level)
        yield place, column.level - 0.5, 0, partial(isometric_terrain.top, sketch, tile)
        yield from on_top(tile, column.level)
    for model in models:
        for tile, faces in model.faces.items():
            level = board.column(tile).level
            yield tile.row + tile.col, level, 6, partial(model_tile, sketch, faces)
            if tall.column(tile).level > level:
                yield from on_top(tile, tall.column(tile).level)
    for slab in board.decks:
        for tile in slab.tiles:
            place = tile.row + tile.col
            yield place, slab.level - 1, 7, partial(isometric_objects.deck, sketch, slab, tile)
            yield from on_top(tile, slab.level)
    yield from _things(sketch)


def _things(sketch: PaintContext) -> Iterator[Job]:
    """Yield every other element: what stands on a tile, at its sides, or flat on it."""
    for x in scene(sketch.board):
        place, level, element = x.tile.row + x.tile.col, x.level, ELEMENTS[x.kind]
        solids = tuple(element.solids(x)) if element.solids else ()
        if element.level or x.kind in tuple(Ground):
            continue
        if element.edged:
            yield from _sides(sketch, x)
        elif x.to is not None and any(isinstance(solid, Bar) for solid in solids):
            if not isometric_objects.is_behind(x.tile, x.to):
                yield place, level, 8, partial(isometric_objects.thing, sketch, x, solids)
        elif not (solids or element.around):
            yield place, level - 0.5, 2, partial(fitting_symbols.on_top, sketch, x)
        else:
            for (near, low), own in _cells(solids).items():
                paint = partial(isometric_objects.thing, sketch, x, own)
                yield place + near, level + low, 6, paint


def _sides(sketch: PaintContext, x: Fitting) -> Iterator[Job]:
    """Yield what stands at each side of a tile, behind or in front of objects on it."""
    solids = ELEMENTS[x.kind].solids
    for side in (NORTH, WEST, SOUTH, EAST):
        if solids and side in x.sides:
            own = tuple(solids(replace(x, sides=(side,))))
            front = side in (SOUTH, EAST)
            place, rank = x.tile.row + x.tile.col, (x.level, 9) if front else (x.level - 0.5, 3)
            yield place, *rank, partial(isometric_objects.thing, sketch, x, own)


def _cells(solids: Iterable[Solid]) -> dict[tuple[int, int], list[Solid]]:
    """Return solids by diagonal and level of the cell they stand in, from that of their element."""
    cells: dict[int, list[Solid]] = {}
    lows: dict[int, int] = {}
    for solid in solids:
        rows, cols, levels = zip(*corners_of(solid), strict=True)
        near = math.floor(min(rows)) + math.floor(min(cols))
        cells.setdefault(near, []).append(solid)
        lows[near] = min(lows.get(near, MAX_LEVEL), math.floor(min(levels)))
    return {(near, lows[near]): own for near, own in cells.items()}


def _starts(sketch: PaintContext) -> dict[tuple[Tile, int], Callable[[int], None]]:
    """Return a painter for each start surface."""
    painters: dict[tuple[Tile, int], Callable[[int], None]] = {}
    for number, zone in enumerate(sketch.board.starts):
        colour = side_colour(sketch.palette, zone.side, number)
        mark = mark_of(zone.side, number)
        for tile, level in zone.surfaces:
            painters[tile, level] = partial(_start, sketch, tile, mark, colour)
    return painters


def _start(sketch: PaintContext, tile: Tile, mark: SideMark, colour: str, level: int) -> None:
    """Draw a side's mark on a tile: outline, colour, sign or letter."""
    pen, at = sketch.pen, sketch.at

    def path(points: Sequence[Point]) -> Path:
        return at.path([(tile.row + row, tile.col + col, level) for row, col in points])

    ink = mix(colour, sketch.palette.ink, 0.5)
    pen.fill(path(mark.ring), colour, SIDE_OPACITY)
    pen.line(path(mark.ring), colour, 2.0, 0.95, closed=True)
    for line in mark.sign:
        pen.line(path(line), ink, 1.5)
    plane = _plane(at, tile, level)
    pen.text(mark.letter, (0.5, 0.66), 0.32, ink, anchor=0.5, weight=2.6, plane=plane)


def _mark(sketch: PaintContext, overlay: Overlay, mark: OverlayMark) -> None:
    pen, at = sketch.pen, sketch.at
    colour = overlay.colour(sketch.palette, mark.tint)
    pen.group = f"overlay-{overlay.key}"
    pen.fill(at.top(*mark.tile, mark.level, 0.05), colour, 0.66)
    pen.line(at.top(*mark.tile, mark.level, 0.05), tone(colour, 0.7), 1.6, closed=True)
    if mark.text and not overlay.pins:
        plane = _plane(at, mark.tile, mark.level)
        size = 0.34 if len(mark.text) < 3 else 0.22
        where = (0.5, 0.5 + size / 2)
        pen.text(mark.text, where, size, "#ffffff", anchor=0.5, weight=5.4, plane=plane)
        pen.text(mark.text, where, size, "#20180f", anchor=0.5, weight=2.4, plane=plane)
    pen.group = ""


def _pins(sketch: PaintContext, overlay: Overlay) -> None:
    """Draw a badge with each mark's text on a stem over its tile, in front of everything else."""
    pen, at = sketch.pen, sketch.at
    pen.group = f"overlay-{overlay.key}"
    for mark in overlay.marks:
        foot = at(mark.tile.row + 0.5, mark.tile.col + 0.5, mark.level)
        head = at(mark.tile.row + 0.5, mark.tile.col + 0.5, mark.level + 0.62)
        colour = overlay.colour(sketch.palette, mark.tint)
        for ink, width in (("#ffffff", 5.0), (colour, 2.6)):
            pen.line([foot, head], ink, width)
        badge(pen, head, 0.21 * at.tile, mark.text, colour)
    pen.group = ""


def _plane(at: Projection, tile: Tile, level: float) -> Callable[[Point], Point]:
    """Return the function from points of a tile's top, x east and y south, to pixels."""
    return lambda point: at(tile.row + point[1], tile.col + point[0], level)


def _base(sketch: PaintContext) -> None:
    """Draw the slab under the board with its rim, coordinates and soft shadow."""
    board, pen, at, palette = sketch.board, sketch.pen, sketch.at, sketch.palette
    rows, cols = board.rows + RIM, board.cols + RIM
    for grow, opacity in ((0.55, 0.05), (0.38, 0.06), (0.22, 0.08), (0.1, 0.10)):
        corners = [(-RIM + 0.3, -RIM), (-RIM + 0.3, cols + grow), (rows + grow, cols + grow)]
        corners += [(rows + grow, -RIM + 0.3)]
        pen.fill(at.path([(r, c, -BASE) for r, c in corners]), palette.shade, opacity)
    south = [(rows, -RIM, -BASE), (rows, cols, -BASE), (rows, cols, 0.0), (rows, -RIM, 0.0)]
    east = [(rows, cols, -BASE), (-RIM, cols, -BASE), (-RIM, cols, 0.0), (rows, cols, 0.0)]
    pen.face(at.path(south), palette.frame_left)
    pen.face(at.path(east), palette.frame_right)
    whole = [(-RIM, -RIM), (-RIM, cols), (rows, cols), (rows, -RIM)]
    path = at.path([(r, c, 0.0) for r, c in whole])
    pen.face(path, palette.frame_top)
    pen.line(path, palette.edge, 1.4, 0.7, closed=True)
    pen.line(at.path([south[3], south[2], east[1], east[3]][:2]), palette.gleam, 1.2, 0.7)
    pen.line(at.path([east[3], east[2]]), palette.gleam, 1.2, 0.7)
    outline = [(rows, -RIM, 0.0), south[0], south[1], east[1], (-RIM, cols, 0.0)]
    pen.line(at.path(outline), palette.edge, 1.4, 0.8)

"""Objects of an isometric picture: decks, ladders, trees, spires, chests."""

from __future__ import annotations

import math
from itertools import pairwise

from falldamage_forge.board import Deck, Ladder, Tile
from falldamage_forge.render.isometric_projection import Spot, brightness, faces_viewer
from falldamage_forge.render.isometric_shadows import DECK
from falldamage_forge.render.isometric_terrain import shadow, top_colour
from falldamage_forge.render.paint_context import PaintContext, noise
from falldamage_forge.render.palette import tone

Ring = list[Spot]


ARCH = 0.74
"""Depth of an arch at its feet in levels."""
_BENDS = 6
"""Straight parts of an arch over one tile."""
_PLANKS, _SLABS = 5, 3
"""Planks of a bridge, and slabs of an arch, along one tile."""


def deck(sketch: PaintContext, slab: Deck, tile: Tile) -> None:
    """Draw one tile of a bridge with its two visible sides: planks, or the stone of an arch."""
    row, col = tile
    along_row = slab.a.row == slab.b.row
    pen, at, palette = sketch.pen, sketch.at, sketch.palette
    inset = 0.0 if slab.arch else 0.06
    deep = (inset, 1 - inset) if along_row else (0.0, 1.0)
    wide = (0.0, 1.0) if along_row else (inset, 1 - inset)
    (r1, r2), (c1, c2) = [row + share for share in deep], [col + share for share in wide]
    side, top = (
        (palette.cliffs[min(slab.level, len(palette.cliffs)) - 1], top_colour(palette, slab.level))
        if slab.arch
        else (palette.wood_dark, palette.deck)
    )
    last = tile == slab.tiles[-1]
    if along_row or last:
        _deck_side(sketch, slab, tile, [(r2, c1), (r2, c2)], tone(side, 1.06), curved=along_row)
    if not along_row or last:
        _deck_side(sketch, slab, tile, [(r2, c2), (r1, c2)], tone(side, 0.86), curved=not along_row)
    parts = _SLABS if slab.arch else _PLANKS
    for number in range(parts):
        a, b = number / parts, (number + 1) / parts
        if along_row:
            corners = [(r1, col + a), (r1, col + b), (r2, col + b), (r2, col + a)]
        else:
            corners = [(row + a, c1), (row + a, c2), (row + b, c2), (row + b, c1)]
        path = at.path([(r, c, slab.level) for r, c in corners])
        pen.face(path, tone(top, 0.93 + 0.16 * noise(row, col, number, 3)))
        pen.line(path, side if slab.arch else palette.wood_dark, 0.9, 0.55, closed=True)
    shadow(sketch, tile, slab.level)
    if along_row:
        back, front = [(r1, c1), (r1, c2)], [(r2, c1), (r2, c2)]
    else:
        back, front = [(r1, c1), (r2, c1)], [(r1, c2), (r2, c2)]
    pen.line(at.path([(r, c, slab.level) for r, c in back]), palette.edge, 1.3, 0.8)
    pen.line(at.path([(r, c, slab.level) for r, c in front]), palette.gleam, 1.3, 0.7)


def _deck_side(
    sketch: PaintContext,
    slab: Deck,
    tile: Tile,
    ends: list[tuple[float, float]],
    colour: str,
    *,
    curved: bool,
) -> None:
    """Draw a side of a bridge's tile between two spots; a curved one of an arch is open below."""
    (r1, c1), (r2, c2) = ends
    if slab.arch and curved:
        span, number = len(slab.tiles), slab.tiles.index(tile)
        if slab.a.row != slab.b.row:
            number = span - 1 - number  # a side to the east is drawn from south to north
        shares = [bend / _BENDS for bend in range(_BENDS + 1)]
        low = [_arch_edge(slab.level, (number + share) / span) for share in shares]
    else:
        shares, low = [0.0, 1.0], [slab.level - DECK] * 2
    spots: list[Spot] = [
        (r1 + (r2 - r1) * share, c1 + (c2 - c1) * share, level)
        for share, level in zip(shares, low, strict=True)
    ]
    path = sketch.at.path([*spots, (r2, c2, slab.level), (r1, c1, slab.level)])
    sketch.pen.face(path, colour)
    sketch.pen.line(path[: len(spots)], sketch.palette.edge, 1.1, 0.8)


def _arch_edge(level: int, share: float) -> float:
    """Return the lower edge of an arch, in levels, at a share of its span: half an ellipse."""
    return level - ARCH + (ARCH - DECK) * math.sqrt(max(0.0, 1 - (2 * share - 1) ** 2))


def ladder(sketch: PaintContext, steps: Ladder, *, ghost: bool = False) -> None:
    """Draw rails and rungs against the wall; a ghost is a dashed outline in front of its wall."""
    row, col = steps.foot
    d_row, d_col = steps.top.row - row, steps.top.col - col
    near = 0.07
    r = row + 0.5 + d_row * (0.5 - near)
    c = col + 0.5 + d_col * (0.5 - near)

    def spot(side: float, level: float) -> Spot:
        return (r + side * abs(d_col), c + side * abs(d_row), level)

    low, high = float(steps.foot_level), steps.top_level + (0.0 if ghost else 0.10)
    pen, at, palette = sketch.pen, sketch.at, sketch.palette
    if ghost:
        corners = [spot(-0.2, low), spot(0.2, low), spot(0.2, high), spot(-0.2, high)]
        pen.line(at.path(corners), palette.edge, 3.2, 0.25, closed=True, dash=5)
        pen.line(at.path(corners), palette.gleam, 1.7, 0.95, closed=True, dash=5)
        for number in range(1, int(4 * (high - low))):
            rung = at.path([spot(-0.2, low + number / 4), spot(0.2, low + number / 4)])
            pen.line(rung, palette.gleam, 1.3, 0.8)
        return
    for dark, width in ((True, 5.0), (False, 2.8)):
        colour = palette.edge if dark else palette.wood
        rungs = max(1, round(4 * (high - low)))
        for number in range(rungs):
            level = low + (number + 0.6) * (high - low) / rungs
            pen.line(at.path([spot(-0.2, level), spot(0.2, level)]), colour, width * 0.8)
        for side in (-0.2, 0.2):
            pen.line(at.path([spot(side, low), spot(side, high)]), colour, width)


def is_hidden_ladder(steps: Ladder) -> bool:
    """True if a ladder stands behind the wall it leans on."""
    return steps.top > steps.foot


def tree(sketch: PaintContext, tile: Tile) -> None:
    """Draw a fir of two levels."""
    row, col = tile.row + 0.5, tile.col + 0.5
    level = sketch.board.column(tile).level
    palette = sketch.palette
    turn = noise(*tile, 11)
    _contact(sketch, row, col, level, 0.30)
    trunk = [_ring(row, col, level + z, size, 8, turn) for z, size in ((0, 0.10), (0.5, 0.08))]
    _solid(sketch, trunk, palette.wood_dark)
    for number, (low, wide, high) in enumerate(
        ((0.36, 0.42, 1.15), (0.85, 0.34, 1.6), (1.3, 0.25, 2.0))
    ):
        colour = palette.leaf_dark if number == 0 else palette.leaf
        cone = [
            _ring(row, col, level + low, wide, 9, turn + number * 0.4, ragged=0.05),
            _ring(row, col, level + high, 0.012, 9, turn + number * 0.4),
        ]
        _solid(sketch, cone, tone(colour, 0.94 + 0.06 * number))


def spire(sketch: PaintContext, tile: Tile) -> None:
    """Draw a castle turret of two levels: a drum, a neck and a pointed roof."""
    row, col = tile.row + 0.5, tile.col + 0.5
    level = sketch.board.column(tile).level
    palette = sketch.palette
    _contact(sketch, row, col, level, 0.42)

    def rings(*sizes: tuple[float, float]) -> list[Ring]:
        return [_ring(row, col, level + z, size, 16, 0.1) for z, size in sizes]

    _solid(sketch, rings((0, 0.38), (0.12, 0.38)), palette.rock)
    _solid(sketch, rings((0.12, 0.30), (0.72, 0.27)), tone(palette.rock, 1.04))
    _slit(sketch, row, col, level + 0.32)
    _solid(sketch, rings((0.72, 0.37), (0.84, 0.37)), palette.rock)
    _solid(sketch, rings((0.84, 0.34), (1.12, 0.27), (1.9, 0.03)), palette.roof)
    _solid(sketch, rings((1.88, 0.035), (2.0, 0.03)), palette.gold)


def _slit(sketch: PaintContext, row: float, col: float, level: float) -> None:
    """Draw an arrow slit on the sides towards the viewer."""
    south = [
        (row + 0.285, col + x, level + z) for x, z in ((0, 0), (0.05, 0), (0.05, 0.25), (0, 0.25))
    ]
    east = [
        (row + y, col + 0.285, level + z) for y, z in ((0.05, 0), (0, 0), (0, 0.25), (0.05, 0.25))
    ]
    for spots in (south, east):
        sketch.pen.fill(sketch.at.path(spots), sketch.palette.edge, 0.75)


def chest(sketch: PaintContext, tile: Tile, level: int) -> None:
    """Draw a treasure chest with a golden band."""
    row, col = tile.row + 0.5, tile.col + 0.5
    palette = sketch.palette
    _contact(sketch, row, col, level, 0.34)
    box(sketch, (row, col), (0.17, 0.26), (level, level + 0.24), palette.chest)
    box(sketch, (row, col), (0.19, 0.28), (level + 0.24, level + 0.31), palette.gold)
    box(sketch, (row, col), (0.17, 0.26), (level + 0.31, level + 0.43), tone(palette.chest, 1.12))
    box(sketch, (row, col), (0.175, 0.06), (level + 0.31, level + 0.435), palette.gold)
    front = row + 0.195
    lock = [(front, col - 0.05, level + 0.15), (front, col + 0.05, level + 0.15)]
    lock += [(front, col + 0.05, level + 0.30), (front, col - 0.05, level + 0.30)]
    sketch.pen.face(sketch.at.path(lock), palette.gold)
    sketch.pen.line(sketch.at.path(lock), palette.edge, 0.9, 0.7, closed=True)


def step(sketch: PaintContext, tile: Tile, level: int) -> None:
    """Draw half a level on a column's top."""
    cliffs = sketch.palette.cliffs
    middle, colour = (tile.row + 0.5, tile.col + 0.5), cliffs[min(level, len(cliffs) - 1)]
    top = top_colour(sketch.palette, level + 1)
    box(sketch, middle, (0.49, 0.49), (float(level), level + 0.5), tone(colour, 1.08), top)


def _contact(sketch: PaintContext, row: float, col: float, level: float, size: float) -> None:
    """Draw a soft round shadow under an object."""
    for grow, opacity in ((1.25, 0.08), (1.05, 0.10), (0.85, 0.14)):
        ring = _ring(row + 0.02, col + 0.03, level, size * grow, 16, 0)
        sketch.pen.fill(sketch.at.path(ring), sketch.palette.shade, opacity)


def _ring(
    row: float, col: float, level: float, size: float, sides: int, turn: float, ragged: float = 0.0
) -> Ring:
    """Return the corners of a polygon about a spot, counter-clockwise seen from above."""
    ring = []
    for number in range(sides):
        angle = turn + 2 * math.pi * number / sides
        reach = size + (ragged if number % 2 else -ragged)
        ring.append((row - reach * math.sin(angle), col + reach * math.cos(angle), level))
    return ring


def box(
    sketch: PaintContext,
    middle: tuple[float, float],
    half: tuple[float, float],
    levels: tuple[float, float],
    colour: str,
    top: str = "",
) -> None:
    """Draw an upright box about a spot.

    Args:
        sketch: Where and with what to draw.
        middle: (row, col) of the middle.
        half: Half depth and half width in tiles.
        levels: Lower and upper level.
        colour: Colour of its sides.
        top: Colour of its top; empty for that of the sides.
    """
    (row, col), (deep, wide) = middle, half
    rings = [
        [
            (row + deep, col - wide, level),
            (row + deep, col + wide, level),
            (row - deep, col + wide, level),
            (row - deep, col - wide, level),
        ]
        for level in levels
    ]
    _solid(sketch, rings, colour, top)


def _solid(sketch: PaintContext, rings: list[Ring], colour: str, top: str = "") -> None:
    """Draw a convex solid of stacked rings, each face lit by its normal."""
    pen, at, palette = sketch.pen, sketch.at, sketch.palette
    for low, high in pairwise(rings):
        count = len(low)
        for number in range(count):
            after = (number + 1) % count
            quad = [low[number], low[after], high[after], high[number]]
            path = at.path(quad)
            if faces_viewer(path):
                pen.face(path, tone(colour, _light(quad)))
    cap = at.path(rings[-1])
    pen.face(cap, tone(top or colour, brightness(0, 0, 1)))
    outline = _hull([point for ring in rings for point in at.path(ring)])
    pen.line(outline, palette.edge, 1.2, 0.75, closed=True)


def _light(quad: list[Spot]) -> float:
    """Return the brightness of a face from the cross product of its diagonals (east, south, up)."""
    (r0, c0, z0), (r1, c1, z1), (r2, c2, z2), (r3, c3, z3) = quad
    ax, ay, az = c2 - c0, r2 - r0, z2 - z0
    bx, by, bz = c3 - c1, r3 - r1, z3 - z1
    east, south, up = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
    # Rows grow south, so this frame is left-handed and the outward normal is the negative.
    return brightness(-east, -south, -up)


def _hull(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the convex hull of some pixels."""

    def half(ordered: list[tuple[float, float]]) -> list[tuple[float, float]]:
        chain: list[tuple[float, float]] = []
        for x, y in ordered:
            while len(chain) > 1:
                (x1, y1), (x2, y2) = chain[-2:]
                if (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1) > 0:
                    break
                chain.pop()
            chain.append((x, y))
        return chain[:-1]

    ordered = sorted(set(points))
    return half(ordered) + half(ordered[::-1])

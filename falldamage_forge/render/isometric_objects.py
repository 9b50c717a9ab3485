"""Objects of an isometric picture: decks, and the solids of all other elements."""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import pairwise

from falldamage_forge.board import Deck, Fitting, Ladder, Tile
from falldamage_forge.elements import ELEMENTS
from falldamage_forge.elements.solids import Bar, Drum, Panel, Solid, circle
from falldamage_forge.render.isometric_projection import Spot, brightness, faces_viewer
from falldamage_forge.render.isometric_shadows import DECK
from falldamage_forge.render.isometric_terrain import shadow, top_colour
from falldamage_forge.render.paint_context import PaintContext, noise
from falldamage_forge.render.palette import Palette, tone

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


def ladder_behind(sketch: PaintContext, steps: Ladder) -> None:
    """Draw a ladder behind the wall it leans on, as a dashed outline in front of the wall."""
    row, col = steps.foot
    d_row, d_col = steps.top.row - row, steps.top.col - col
    r, c = row + 0.5 + 0.43 * d_row, col + 0.5 + 0.43 * d_col
    low, high = steps.foot_level, steps.top_level

    def spot(side: float, level: float) -> Spot:
        return (r + side * abs(d_col), c + side * abs(d_row), level)

    pen, at, palette = sketch.pen, sketch.at, sketch.palette
    corners = [spot(-0.2, low), spot(0.2, low), spot(0.2, high), spot(-0.2, high)]
    pen.line(at.path(corners), palette.edge, 3.2, 0.25, closed=True, dash=5)
    pen.line(at.path(corners), palette.gleam, 1.7, 0.95, closed=True, dash=5)
    for number in range(1, 4 * (high - low)):
        rung = at.path([spot(-0.2, low + number / 4), spot(0.2, low + number / 4)])
        pen.line(rung, palette.gleam, 1.3, 0.8)


def is_behind(foot: Tile, top: Tile) -> bool:
    """True if what stands at a foot is behind the wall it leans on."""
    return top > foot


RAIL_PX, EDGE_PX = 40.0, 5.0 / 2.8
"""Pixels of a line for a tile of a bar's width, and the width of its dark edge for each of them."""


def thing(sketch: PaintContext, x: Fitting, solids: Iterable[Solid]) -> None:
    """Draw solids of an element, with its soft shadow.

    Args:
        sketch: Where and with what to draw.
        x: The element.
        solids: Solids to draw, those behind and below first.
    """
    row, col = x.tile
    if size := ELEMENTS[x.kind].contact:
        _contact(sketch, row + 0.5, col + 0.5, x.level, size)
    bars = []
    for solid in solids:
        if isinstance(solid, Bar):
            bars.append(solid)
        elif isinstance(solid, Panel):
            _patch(sketch, x, solid)
        else:
            rings = solid.rings
            if isinstance(solid, Drum) and solid.free:
                rings = solid.turned(noise(row, col, 11))
            colour = tone(paint_at(sketch.palette, solid.paint, x.level), solid.shade)
            top = solid.top and paint_at(sketch.palette, solid.top, x.level)
            _solid(sketch, [_moved(x, ring) for ring in rings], colour, top)
    for dark in (True, False):
        for bar in bars:
            colour = sketch.palette.edge if dark else paint_at(sketch.palette, bar.paint, x.level)
            path = sketch.at.path(_moved(x, (bar.one, bar.two)))
            sketch.pen.line(path, colour, bar.wide * RAIL_PX * (EDGE_PX if dark else 1.0))


def paint_at(palette: Palette, paint: str, level: int) -> str:
    """Return the colour of a solid that stands on a level.

    Args:
        palette: Colours of the picture.
        paint: Its paint, see `Box`.
        level: Level of the surface below it.
    """
    if paint == "ground":
        return top_colour(palette, level + 1)
    if paint == "cliff":
        return palette.cliffs[min(level, len(palette.cliffs) - 1)]
    found: str = getattr(palette, paint)
    return found


def _moved(x: Fitting, spots: Iterable[Spot]) -> Ring:
    """Return spots of an element on the board."""
    return [(x.tile.row + row, x.tile.col + col, x.level + level) for row, col, level in spots]


def _patch(sketch: PaintContext, x: Fitting, patch: Panel) -> None:
    path = sketch.at.path(_moved(x, patch.corners))
    colour = paint_at(sketch.palette, patch.paint, x.level)
    if not patch.outlined:
        sketch.pen.fill(path, colour, patch.opacity)
        return
    sketch.pen.face(path, colour)
    sketch.pen.line(path, sketch.palette.edge, 0.9, 0.7, closed=True)


def _contact(sketch: PaintContext, row: float, col: float, level: float, size: float) -> None:
    """Draw a soft round shadow under an object."""
    for grow, opacity in ((1.25, 0.08), (1.05, 0.10), (0.85, 0.14)):
        ring = ((r - 0.5, c - 0.5) for r, c in circle(-size * grow, 16))
        spots = [(row + 0.02 + r, col + 0.03 - c, level) for r, c in ring]
        sketch.pen.fill(sketch.at.path(spots), sketch.palette.shade, opacity)


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

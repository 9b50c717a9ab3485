"""Builder of flat loose pieces: tokens of every form."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from falldamage_forge.geometry.csg import Solid, subtract
from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.geometry.engraved_text import sign_outline, text
from falldamage_forge.geometry.loft import RELIEF, extrude, prism
from falldamage_forge.geometry.piece_style import SurfaceFinish
from falldamage_forge.geometry.terrain_features import on_tile
from falldamage_forge.pieces.piece import Piece

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

SIGN_DEPTH_MM = 0.48
TOKEN_MM, TOKEN_RADIUS_MM = 1.92, 10.4
TOKEN_STROKE_MM = 0.9
COUNTER_RADIUS_MM, COUNTS = 12.0, 5
"""A counter has as many edges as it has numbers; the number at the upper edge counts."""
CORNER_MM, ARM_MM, ARM_LONG_MM = 14.7, 3.0, 10.0
"""Outer edge of a zone's corner mark from the tile's middle, and the width and length of its arms.

It lies outside a unit's stand.
"""
GAUGE_LEVELS, GAUGE_MM, GAUGE_END_MM = 6, 12.0, 9.0
"""Highest whole level that a gauge shows, its width, and its length above the highest mark."""
ROUNDS, FIELDS, FIELD_MM, HOLE_RADIUS_MM = 20, 5, (12.0, 14.0), 2.4
"""Fields of the round track in all and in a row, their size, and the hole for a pawn."""

Drawing = tuple["BaseGeometry", "BaseGeometry | None", "BaseGeometry | None"]
"""A token from above: its outline with holes, and what is engraved above and below."""


def _disc(radius_mm: float, x_mm: float = 0.0, y_mm: float = 0.0) -> BaseGeometry:
    import shapely

    return shapely.Point(x_mm, y_mm).buffer(radius_mm, quad_segs=16)


def _at(shape: BaseGeometry, x_mm: float, y_mm: float) -> BaseGeometry:
    from shapely import affinity

    return affinity.translate(shape, x_mm, y_mm)


def _round(piece: Piece, fit: DesignParameters) -> Drawing:
    """Draw a disc with a sign, and another below if the piece has a `back`."""
    sides = dict(piece.params)
    above, below = (
        sign_outline(str(sides[side]), 6.0, TOKEN_STROKE_MM) if side in sides else None
        for side in ("sign", "back")
    )
    return _disc(TOKEN_RADIUS_MM), above, below


def _counter(piece: Piece, fit: DesignParameters) -> Drawing:
    """Draw a polygon with a sign, and a number upright along each edge."""
    import shapely
    from shapely import affinity

    turns = [-360 / COUNTS * number for number in range(COUNTS)]
    corners = [math.radians(90 + turn + 180 / COUNTS) for turn in turns[::-1]]
    outline = shapely.Polygon([(math.cos(a), math.sin(a)) for a in corners])
    numbers = [
        affinity.rotate(_at(text(str(number), 4.0), 0.0, 6.5), turn, origin=(0, 0))
        for number, turn in enumerate(turns, start=1)
    ]
    drawn = shapely.union_all([sign_outline(str(piece["sign"]), 3.0), *numbers])
    return affinity.scale(outline, COUNTER_RADIUS_MM, COUNTER_RADIUS_MM, origin=(0, 0)), drawn, None


def _corner(piece: Piece, fit: DesignParameters) -> Drawing:
    """Draw the corner of a zone as an L at the edges of its tile."""
    import shapely

    end, inner = CORNER_MM - ARM_LONG_MM, CORNER_MM - ARM_MM
    rows = [(end, inner), (inner, inner), (inner, end), (CORNER_MM, end), (CORNER_MM, CORNER_MM)]
    return shapely.Polygon([*rows, (end, CORNER_MM)]), None, None


def _gauge(piece: Piece, fit: DesignParameters) -> Drawing:
    """Draw a ruler of levels that reads the whole level; it lies askew to fit on small beds."""
    import shapely
    from shapely import affinity

    rise = fit.grid.rise_mm
    length = GAUGE_LEVELS * rise + GAUGE_END_MM
    half = GAUGE_MM / 2
    mark = shapely.LineString([(1.5 - half, 0.0), (half - 1.5, 0.0)]).buffer(TOKEN_STROKE_MM / 2)
    marks = [_at(mark, 0.0, level * rise) for level in range(1, GAUGE_LEVELS + 1)]
    middles = [(level + 0.5) * rise for level in range(GAUGE_LEVELS)]
    middles.append(GAUGE_LEVELS * rise + GAUGE_END_MM / 2)
    numbers = [_at(text(str(n), 5.0, TOKEN_STROKE_MM), 0.0, y) for n, y in enumerate(middles)]
    ruler = shapely.box(-half, 0.0, half, length), shapely.union_all([*marks, *numbers])
    outline, drawn = (
        affinity.rotate(_at(own, 0.0, -length / 2), 45, origin=(0, 0)) for own in ruler
    )
    return outline, drawn, None


def _track(piece: Piece, fit: DesignParameters) -> Drawing:
    """Draw a field with a hole for each round, and one for each side below."""
    import shapely

    wide, deep = FIELD_MM
    rows = ROUNDS // FIELDS
    middles = [
        ((n % FIELDS - (FIELDS - 1) / 2) * wide, (rows / 2 - n // FIELDS) * deep)
        for n in range(ROUNDS)
    ]
    signs = [text(str(n), 3.6) for n in range(1, ROUNDS + 1)]
    middles += [(side * wide, -rows / 2 * deep) for side in (-1, 1)]
    signs += [sign_outline(name, 2.4) for name in ("sun", "moon")]
    half = FIELDS / 2 * wide, (rows + 1) / 2 * deep
    sheet = shapely.box(-half[0], -half[1], *half)
    holes = [_disc(HOLE_RADIUS_MM, x, y + 2.6) for x, y in middles]
    # Two lines fit between the rays of the sun and the edge.
    drawn = [_at(sign, x, y - 3.3) for sign, (x, y) in zip(signs, middles, strict=True)]
    return shapely.difference(sheet, shapely.union_all(holes)), shapely.union_all(drawn), None


FORMS: Mapping[str, Callable[[Piece, DesignParameters], Drawing]] = {
    "round": _round,
    "counter": _counter,
    "corner": _corner,
    "gauge": _gauge,
    "track": _track,
}
"""Drawings of tokens by their form."""


def token(piece: Piece, fit: DesignParameters, finish: SurfaceFinish) -> Solid:
    """Return a flat token of any form with engraved signs; its upper side lies on the bed.

    Args:
        piece: Piece to draw, with its grid and parameters.
        fit: Design parameters of the printer and grid, in mm.
        finish: Looks of its sides and top.
    """
    outline, above, below = FORMS[str(piece["form"])](piece, fit)
    tools = [extrude(above, TOKEN_MM - SIGN_DEPTH_MM, TOKEN_MM + 1.0)] if above else []
    tools += [extrude(below, -1.0, SIGN_DEPTH_MM)] if below else []
    return on_tile(subtract(prism(outline, 0.0, TOKEN_MM, high=RELIEF), tools), fit)

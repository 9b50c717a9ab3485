"""Battlements and railings: parapets on one to four sides of a tile, that leave it to stand on.

A side that is left open takes a bridge's end or a ladder's head. Printed merlons down, or
the bar of a railing.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from falldamage_forge.geometry.decks import blades
from falldamage_forge.geometry.fits import Fit
from falldamage_forge.geometry.legs import CORNERS, Corner, corner_squares, skirts
from falldamage_forge.geometry.loft import extrude, prism
from falldamage_forge.geometry.solids import Solid, cut, hull, made, moved, swept, union
from falldamage_forge.geometry.standard import STANDARD, heads, places
from falldamage_forge.geometry.style import Finish
from falldamage_forge.geometry.tiles import square, turned
from falldamage_forge.pieces.model import Piece

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

PARAPET_MM, MERLON_MM = 5.04, 10.08
"""Heights of a battlement's wall and of its merlons."""
BAR_MM = 1.92
"""How thick the bar of a railing is, which is printed first."""
MERLON_HALF_MM, CRENEL_MM, CRENEL_END_MM = 2.9, 2.6, 0.1
"""Half of the middle merlon at least, half of a gap at most; it ends so far before the legs."""
CORBEL_MM = 0.9
RISE = 1.24
TONGUE_MM, BEND_TOP_MM = 3.3, 3.60
"""Width of the tongue that carries a bead, and where it begins to bend above the tile."""
BEND_MM = 0.40
"""The room behind a flange that bends."""


def battlement(piece: Piece, fit: Fit, finish: Finish) -> Solid:
    """The parapet on the sides named (`nesw` are letters of compass directions)."""
    x, y = fit.grid.centre_mm(0, 0)
    return moved(_battlement(str(piece["sides"]), fit, rail_mm(piece)), x, y)


def rail_mm(piece: Piece) -> float:
    """How high a railing is; 0 for merlons."""
    return float(dict(piece.params).get("rail", 0.0))


def height_mm(piece: Piece) -> float:
    """How high a battlement or a railing stands above its tile."""
    return rail_mm(piece) or MERLON_MM


def sides_of(letters: str) -> tuple[int, ...]:
    """Sides by their letters, as indices of `SIDES`."""
    return tuple("nesw".index(letter) for letter in letters)


@cache
def _battlement(letters: str, fit: Fit, rail: float) -> Solid:
    import shapely

    sides = sides_of(letters)
    corners = tuple(CORNERS[k] for k in range(4) if {k, (k + 1) % 4} & set(sides))
    sizes, at = heads(fit), places(fit)
    half, inner = at.half_mm, at.parapet_mm
    ring = shapely.difference(square(sizes.outline_mm), square(inner))
    walls = [turned(shapely.box(-half, inner, half, half), side) for side in sides]
    returns = corner_squares(fit, at.leg_from_mm, corners)
    shape = shapely.intersection(ring, shapely.union_all([*walls, returns]))
    gaps = _gaps(at.leg_from_mm - CRENEL_END_MM)
    merlons = shapely.difference(shape, _crenels(gaps))
    high = rail or MERLON_MM
    parts = [
        _parapet(shape, gaps),
        prism(merlons, PARAPET_MM - 0.2, high, high=(0.3, 0.48)),
        skirts(fit, STANDARD.parapet_click * fit.click_mm, corners),
    ]
    if rail:
        parts.append(prism(shape, rail - BAR_MM, rail, high=(0.3, 0.48)))
    if len(sides) == 1:
        parts += [hook.rotate((0, 0, -90 * sides[0])) for hook in _corbels(fit)]
    return made(cut(union(parts), [_bends(fit, corners)]))


def _corbels(fit: Fit) -> list[Solid]:
    """Blades in the keyholes of a single side, which nothing else holds, and what carries them.

    To the north, round (0, 0). Printed merlons down, a blade's bulb would begin in the air.
    """
    at = places(fit)
    inner, wall = at.bulb_from_mm + fit.fit_mm, at.parapet_mm
    rise = (wall - inner + 0.02) * RISE
    found = [blades(fit, to_mm=heads(fit).outline_mm)]
    for x in (-at.key_at_mm, at.key_at_mm):
        ends = (x - CORBEL_MM, x + CORBEL_MM)
        points = [(inner, 0.0), (wall + 0.02, 0.0), (wall + 0.02, rise)]
        found.append(hull([(end, y, z) for end in ends for y, z in points]))
    return found


def _gaps(to_mm: float) -> tuple[tuple[float, float], ...]:
    """(from, to) of the two gaps of a side, so far from its middle: no wall hangs over the legs."""
    half = min(CRENEL_MM, (to_mm - MERLON_HALF_MM) / 2)
    low, high = round(to_mm - 2 * half, 4), round(to_mm, 4)
    return ((-high, -low), (low, high))


def _crenels(gaps: tuple[tuple[float, float], ...]) -> BaseGeometry:
    """The gaps of all sides, seen from above."""
    import shapely

    boxes = [shapely.box(low, -30, high, 30) for low, high in gaps]
    return shapely.union_all([*boxes, *(turned(box, 1) for box in boxes)])


def _parapet(shape: BaseGeometry, gaps: tuple[tuple[float, float], ...]) -> Solid:
    """The wall below merlons or bar: in each gap it falls from both sides to a sill.

    Printed top down a level one would hang in the air.
    """
    import shapely

    deep = (gaps[0][1] - gaps[0][0]) / 2 * RISE
    notches = []
    for low, high in gaps:
        points = [((low + high) / 2, 0.0), (high, deep), (high, deep + 1), (low, deep + 1)]
        notch = extrude(shapely.Polygon([*points, (low, deep)]), -30.0, 30.0)
        notches += [moved(swept(notch, axis), z_mm=PARAPET_MM) for axis in "xy"]
    return cut(extrude(shape, 0.0, PARAPET_MM + deep), notches)


def _bends(fit: Fit, corners: tuple[Corner, ...]) -> Solid:
    """Room behind the flanges with beads, and a slot at their ends: they bend by themselves."""
    import shapely

    sizes, slot = heads(fit), STANDARD.leg_slot_mm
    start = places(fit).leg_from_mm
    end = start + TONGUE_MM
    behind, ends = [], []
    for x, y in corners:
        inner = x * (sizes.skirt_mm - BEND_MM)
        skirt, outside = x * sizes.skirt_mm, x * (sizes.outline_mm + 1.0)
        behind.append(_box(inner, y * (start - slot), skirt, y * (end + slot)))
        ends.append(_box(inner, y * (start - slot), outside, y * start))
        ends.append(_box(inner, y * end, outside, y * (end + slot)))
    top = BEND_TOP_MM
    room = extrude(shapely.union_all([*behind, *ends]), 0.0, top)
    return union([room, extrude(shapely.union_all(ends), -STANDARD.skirt_mm - 1.0, 0.0)])


def _box(x0: float, y0: float, x1: float, y1: float) -> BaseGeometry:
    import shapely

    return shapely.box(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))

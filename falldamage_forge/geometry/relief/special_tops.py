"""Special tops: lava and water with their banks, start markers and the signs on their discs.

Strokes leave a tile through its slits, square to the edge, so that any two tiles meet at any
quarter turn and a slit is part of a stream.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from falldamage_forge.geometry.relief.elements import Point
from falldamage_forge.geometry.relief.natural_tops import MOUTH_MM, plates, scattered
from falldamage_forge.geometry.relief.paved_tops import bent_joint
from falldamage_forge.geometry.relief.top_drawing import Line, TopDrawing, rotate_point
from falldamage_forge.pieces import start_signs
from falldamage_forge.pieces.start_signs import DISC_MM, arc, polar
from falldamage_forge.pieces.variants import BANKS

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry


SHORE_MM, BULGE_MM, FAR_MM = 2.0, (0.8, 2.2), 20.0
"""Distance of points on a shore, how far it lies behind its slits, and beyond any tile's edge."""
STRAIGHT_MM = 2.5
"""Nearer to a tile's edge a shore runs straight on."""
ROUND_MM = 2.5
WAVES_MM, WAVE_MM, APART_MM = (2.4, 4.6), 4.2, 1.7
"""Distances of waves from their shore, their length, and their distance from other strokes."""
SHORTEST_MM = 1.8
"""Shorter strokes between shores are omitted."""
OUT_MM = 0.5
"""Gaps that end so near to the end of a shore would make it too wide there."""
BESIDE_MM, ALONG_MM = 1.6, 2.0
"""Strokes so near to a shore, and for longer than this, would merge with it."""
WRINKLE_MM = 1.0
"""Distance of a plate's wrinkles from its edges."""


def _banks(sketch: TopDrawing) -> tuple[int, ...]:
    """Return the sides with a bank; drawings of single tiles are 0, 2, 4, 6, 1, 3 by variant.

    A tile with open sides has banks on the others.
    """
    if opened := sketch.keep.open_sides:
        return tuple(side for side in range(4) if side not in opened)
    return BANKS[(sketch.variant // 2 + sketch.variant % 2 * 4) % len(BANKS)]


def _bank(sketch: TopDrawing, banks: Sequence[int], room: BaseGeometry) -> None:
    """Draw the shore of a flow, which ends in the slits of the sides where the flow goes on.

    Joints of the bank's stones lead from the other slits to the shore.
    """
    import shapely

    shore = room.boundary.intersection(_inside(sketch))
    sketch.deep += _lines(shapely.line_merge(shore))
    for side in banks:
        for door in sketch.doors[2 * side : 2 * side + 2]:
            end = shore.interpolate(shore.project(shapely.Point(door)))
            sketch.deep.append(sketch.jag(door, (end.x, end.y), 0.3, 1))


def _inside(sketch: TopDrawing) -> BaseGeometry:
    """Return the square between the slits' inner ends."""
    import shapely

    return shapely.box(*(-sketch.door_mm,) * 2, *(sketch.door_mm,) * 2)


def _lines(drawn: BaseGeometry | None, least_mm: float = 0.0) -> list[Line]:
    """Return the lines of a drawing that are longer than `least_mm`."""
    import shapely

    return [list(part.coords) for part in shapely.get_parts(drawn) if part.length > least_mm]


def _shore(sketch: TopDrawing, banks: Sequence[int]) -> BaseGeometry:
    """Return the area of a flow: beyond the tile's edges, but for its banks."""
    import shapely

    at = sketch.keep.slit_at_mm
    north, east, south, west = (at if side in banks else FAR_MM for side in range(4))
    ring = shapely.box(-west, -south, east, north).exterior
    points = []
    for x, y in shapely.segmentize(ring, SHORE_MM).coords[:-1]:
        inside = max(abs(x), abs(y)) < sketch.door_mm - STRAIGHT_MM
        more = 1 + sketch.chance.uniform(*BULGE_MM) / max(abs(x), abs(y)) * inside
        points.append((x * more, y * more))
    shore = shapely.buffer(shapely.Polygon(points), -ROUND_MM)
    return shapely.buffer(shore, ROUND_MM, quad_segs=3)


def lava(sketch: TopDrawing) -> None:
    """Draw plates of crust with glowing gaps between, and banks; a few plates are wrinkled."""
    import shapely

    seeds = scattered(sketch, 7, 6.0)
    for line in plates(sketch, seeds):
        for start, end in pairwise(line):
            if math.dist(start, end) > 0.5:
                sketch.deep.append(_wavy(sketch, start, end))
    for x, y in seeds[8::2]:
        lean = sketch.near(3.0)
        for reach in (1.0, 2.3):
            sketch.fine.append(arc((x, y - 0.8), reach, lean - 0.9, lean + 0.9))
    room = _inside(sketch)
    if banks := _banks(sketch):
        room = _shore(sketch, banks)
        lines = [line for line in sketch.deep if not _out_with_shore(sketch, line, room)]
        sketch.deep[:] = [part for line in lines for part in _off_shore(line, room)]
        _bank(sketch, banks, room)
    free = shapely.difference(room, _taken(sketch, WRINKLE_MM))
    sketch.fine[:] = [
        part
        for line in map(shapely.LineString, sketch.fine)
        for part in _rest(line, shapely.intersection(line, free))
    ]


def _rest(line: BaseGeometry, kept: BaseGeometry) -> list[Line]:
    """Return what is kept of a line, without short ends."""
    return _lines(kept, 0.0 if kept.length == line.length else SHORTEST_MM)


def _out_with_shore(sketch: TopDrawing, line: Line, room: BaseGeometry) -> bool:
    """True for a gap that leaves a tile over an open edge where its shore does."""
    import shapely

    near = sketch.door_mm - MOUTH_MM - OUT_MM if sketch.keep.open_sides else FAR_MM
    return any(
        max(abs(x), abs(y)) > near and room.boundary.distance(shapely.Point(x, y)) < OUT_MM
        for x, y in (line[0], line[-1])
    )


def _off_shore(line: Line, room: BaseGeometry) -> list[Line]:
    """Return the parts of a gap in a flow that do not run along its shore.

    Two strokes side by side become a pit whose ceiling needs supports.
    """
    import shapely

    whole = shapely.LineString(line)
    inside = shapely.intersection(whole, room)
    near = shapely.get_parts(shapely.intersection(inside, room.boundary.buffer(BESIDE_MM)))
    along = shapely.union_all(near[shapely.length(near) > ALONG_MM])
    return _rest(whole, shapely.difference(inside, along))


def _taken(sketch: TopDrawing, apart_mm: float) -> BaseGeometry:
    """Return the deep strokes and the stone beside them."""
    import shapely

    drawn = shapely.MultiLineString([list(line) for line in sketch.deep])
    return shapely.buffer(drawn, apart_mm)


def _wavy(sketch: TopDrawing, start: Point, end: Point) -> Line:
    """Return a gap between plates; near a tile's edge it is straight, so that it meets the next."""
    if math.dist(start, end) < 3.0:
        return [start, end]
    middles = []
    for share in (0.33, 0.67):
        x = start[0] + (end[0] - start[0]) * share
        y = start[1] + (end[1] - start[1]) * share
        if max(abs(x), abs(y)) < 11.5:
            x, y = x + sketch.near(0.35), y + sketch.near(0.35)
        middles.append((x, y))
    return [start, *middles, end]


def water(sketch: TopDrawing) -> None:
    """Draw streams over a whole tile, or banks with waves along them."""
    import shapely
    from shapely.ops import substring

    banks = _banks(sketch)
    if not banks:
        _streams(sketch)
        return
    room = _shore(sketch, banks)
    _bank(sketch, banks, room)
    if sketch.keep.open_sides and banks == (0,):
        _along_shore(sketch)
    else:
        for quarter in range(4):
            if not {quarter, (quarter + 1) % 4} & set(banks):
                near = sketch.door_mm - sketch.keep.slit_at_mm
                sketch.deep.append(_ripple(sketch, quarter, near, (0.0, 1.0)))
    taken = _taken(sketch, APART_MM)
    for back in WAVES_MM:
        wave = room.buffer(-back).boundary.intersection(_inside(sketch))
        for line in _lines(shapely.line_merge(shapely.difference(wave, taken)), SHORTEST_MM):
            whole = shapely.LineString(line)
            at = sketch.chance.uniform(0.0, 2.0)
            while at < whole.length:
                sketch.fine += _lines(substring(whole, at, at + WAVE_MM), SHORTEST_MM)
                at += 2 * WAVE_MM


def _along_shore(sketch: TopDrawing) -> None:
    """Draw a stream that runs beside a northern bank, and the ends of two from the south."""
    at, door = sketch.keep.slit_at_mm, sketch.door_mm
    sketch.deep.append([(door - 2 * door * s, _sway(sketch, s) - at) for s in _SHARES])
    for x in (-at, at):
        sketch.deep.append([(x + 4.2 * s**2, 5.4 * s - door) for s in _SHARES[::4]])


def _streams(sketch: TopDrawing) -> None:
    """Draw streams from slit to slit: about two opposite corners, or straight on, and ripples."""
    form, turn = sketch.variant // 2 % 2, sketch.variant // 4 + sketch.variant % 2
    at, door = sketch.keep.slit_at_mm, sketch.door_mm
    near, far = door - at, door + at
    if form:
        for x in (-at, at):
            line = [(x + _sway(sketch, share), door - 2 * door * share) for share in _SHARES]
            sketch.deep.append([rotate_point(point, turn) for point in line])
        ripples = [(quarter, near, ((0.58, 1.0), (0.0, 0.42))[quarter % 2]) for quarter in range(4)]
        for x, low, high in ((0.0, 0.1, 0.42), (0.0, 0.55, 0.9), (2.6, 0.4, 0.62)):
            shares = [low + (high - low) * step for step in _SHARES]
            part = [(x + _sway(sketch, share), door - 2 * door * share) for share in shares]
            sketch.fine.append([rotate_point(point, turn) for point in part])
    else:
        whole = (0.0, 1.0)
        ripples = [(0, near, whole), (0, far, whole), (2, near, whole)]
        ripples += [(2, far, (0.0, 0.3)), (2, far, (0.7, 1.0))]
        for radius, low in ((near + 2.4, 0.2), ((near + far) / 2, 0.45), (far - 2.6, 0.15)):
            sketch.fine.append(_ripple(sketch, turn, radius, (low, low + 0.36)))
    for quarter, radius, part_of in ripples:
        sketch.deep.append(_ripple(sketch, turn + quarter, radius, part_of))


_SHARES = tuple(step / 24 for step in range(25))


def _sway(sketch: TopDrawing, share: float) -> float:
    return 0.9 * math.sin(share * math.pi * 4 + sketch.variant) * math.sin(share * math.pi)


def _ripple(sketch: TopDrawing, quarter: int, radius: float, shares: tuple[float, float]) -> Line:
    """Return a part of a quarter of a ring about a corner; it sways, except at a tile's edge."""
    door = sketch.door_mm
    line = []
    for step in _SHARES:
        share = shares[0] + (shares[1] - shares[0]) * step
        reach = radius + 0.45 * math.sin(share * math.pi * radius / 2) * math.sin(share * math.pi)
        angle = math.pi + share * math.pi / 2
        line.append((door + reach * math.cos(angle), door + reach * math.sin(angle)))
    return [rotate_point(point, quarter) for point in line]


def sun(sketch: TopDrawing) -> None:
    """Draw the sign of the red side."""
    sketch.deep += start_signs.sun()


def moon(sketch: TopDrawing) -> None:
    """Draw the sign of the blue side."""
    sketch.deep += start_signs.moon()


def roundel(sketch: TopDrawing) -> None:
    """Draw the joints of eight stones about the disc of a start marker."""
    for door in sketch.doors:
        end = polar(DISC_MM, math.atan2(door[1], door[0]))
        sketch.deep.append(bent_joint(sketch, door, end))

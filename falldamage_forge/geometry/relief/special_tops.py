"""Special tops: lava and water that continue over tiles, and the signs of start tiles.

Strokes leave a tile through its slits, square to the edge, so that any two tiles meet at any
quarter turn and a slit is part of a stream.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from falldamage_forge.geometry.relief.elements import Point
from falldamage_forge.geometry.relief.natural_tops import plates, scattered
from falldamage_forge.geometry.relief.paved_tops import corner_stones
from falldamage_forge.geometry.relief.top_drawing import Line, TopDrawing, rotate_point


def lava(sketch: TopDrawing) -> None:
    """Draw plates of crust with glowing gaps between; a few are wrinkled."""
    seeds = scattered(sketch, 7, 6.0)
    for line in plates(sketch, seeds):
        for start, end in pairwise(line):
            if math.dist(start, end) > 0.5:
                sketch.deep.append(_wavy(sketch, start, end))
    for x, y in seeds[8::2]:
        lean = sketch.near(3.0)
        for reach in (1.0, 2.3):
            sketch.fine.append(_arc((x, y - 0.8), reach, lean - 0.9, lean + 0.9))


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


def _arc(centre: Point, radius: float, start: float, end: float, steps: int = 8) -> Line:
    angles = [start + (end - start) * step / steps for step in range(steps + 1)]
    return [(centre[0] + radius * math.cos(a), centre[1] + radius * math.sin(a)) for a in angles]


def water(sketch: TopDrawing) -> None:
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
    """Draw the sign of the red side's start tiles: a sun of eight rays on a broad stone."""
    corner_stones(sketch)
    sketch.deep.append(_arc((0.0, 0.0), 3.1, 0.0, 2 * math.pi, 20))
    for index in range(8):
        angle = math.pi * index / 4 + math.pi / 8
        ray = [
            (reach * math.cos(angle + turn), reach * math.sin(angle + turn))
            for reach, turn in ((4.6, -0.26), (7.5, 0.0), (4.6, 0.26))
        ]
        sketch.deep.append([*ray, ray[0]])


def moon(sketch: TopDrawing) -> None:
    """Draw the sign of the blue side's start tiles: a crescent and two stars on a broad stone."""
    corner_stones(sketch)
    sketch.deep.append(_arc((-0.8, 0.0), 6.4, 0.75, 2 * math.pi - 0.75, 22))
    sketch.deep.append(_arc((1.6, 0.0), 5.0, 2 * math.pi - 1.7, 1.7, 14))
    for x, y, size in ((3.2, 2.0, 1.6), (4.0, -2.6, 1.2)):
        _star(sketch, (x, y), size)


def _star(sketch: TopDrawing, at: Point, size: float) -> None:
    """Draw a star of four points."""
    ends: Sequence[Point] = ((0.0, size), (size, 0.0))
    for x, y in ends:
        sketch.deep.append([(at[0] - x, at[1] - y), (at[0] + x, at[1] + y)])

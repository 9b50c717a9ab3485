"""Tops that go on over tiles, lava and water, and the signs of the two sides' starts.

What goes on leaves a tile at its edges' middles and at ±9.5, square to the edge, so that any two
tiles meet at any quarter turn.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from falldamage_forge.geometry.finish.model import Point
from falldamage_forge.geometry.finish.sketch import Line, Sketch, turned

PORT_MM = 9.5
"""How far from an edge's middle its two outer strokes leave."""
EDGE_MM = 15.0


def lava(sketch: Sketch) -> None:
    """Plates of crust with glowing gaps between; a few are wrinkled."""
    import shapely

    half = EDGE_MM
    rim = [turned((x, 13.6), turn) for turn in range(4) for x in (-PORT_MM / 2, PORT_MM / 2)]
    rim += [turned((1.5 * PORT_MM, 1.5 * PORT_MM), turn) for turn in range(4)]
    inner: list[Point] = []
    for _ in range(300):
        point = (sketch.near(9.4), sketch.near(9.4))
        if all(math.dist(point, other) > 6.0 for other in inner) and len(inner) < 7:
            inner.append(point)
    edges = shapely.voronoi_polygons(
        shapely.MultiPoint([*rim, *inner]),
        extend_to=shapely.box(-half, -half, half, half),
        only_edges=True,
    )
    within = shapely.intersection(edges, shapely.box(-half, -half, half, half))
    for line in shapely.get_parts(shapely.line_merge(within)):
        points = [(x, y) for x, y in line.coords]
        for start, end in pairwise(points):
            if math.dist(start, end) > 1.0:
                sketch.deep.append(_wavy(sketch, start, end))
    for x, y in inner[::2]:
        lean = sketch.near(3.0)
        for reach in (1.0, 2.3):
            sketch.fine.append(_arc((x, y - 0.8), reach, lean - 0.9, lean + 0.9))


def _wavy(sketch: Sketch, start: Point, end: Point) -> Line:
    """A gap between plates; within a tile's edge it is straight, so that it meets the next."""
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


def water(sketch: Sketch) -> None:
    """Ripples about two opposite corners: whole rings where four tiles meet, streams between."""
    turn = sketch.variant % 2
    for quarter in range(4):
        corner = turned((EDGE_MM, EDGE_MM), quarter)
        start = math.atan2(corner[1], corner[0]) + math.pi - math.pi / 4
        sketch.deep.append(_ripple(sketch, corner, EDGE_MM - PORT_MM, start, (0.0, 1.0)))
        if quarter % 2 == turn:
            sketch.deep.append(_ripple(sketch, corner, EDGE_MM, start, (0.0, 1.0)))
            for reach, shares in ((10.2, (0.34, 0.66)), (18.6, (0.3, 0.7))):
                shift = sketch.near(0.1)
                ends = (shares[0] + shift, shares[1] + shift)
                sketch.deep.append(_ripple(sketch, corner, reach, start, ends))


def _ripple(
    sketch: Sketch, centre: Point, radius: float, start: float, shares: tuple[float, float]
) -> Line:
    """A quarter of a ring that sways, but not at a tile's edge."""
    points = []
    waves = max(2, round(radius / 4))
    for step in range(25):
        share = shares[0] + (shares[1] - shares[0]) * step / 24
        sway = 0.55 * math.sin(share * math.pi * 2 * waves) * math.sin(share * math.pi)
        angle = start + share * math.pi / 2
        points.append(
            (
                centre[0] + (radius + sway) * math.cos(angle),
                centre[1] + (radius + sway) * math.sin(angle),
            )
        )
    return points


def sun(sketch: Sketch) -> None:
    """Where the red side starts: a sun of eight rays."""
    sketch.deep.append(_arc((0.0, 0.0), 4.3, 0.0, 2 * math.pi, 20))
    for index in range(8):
        angle = math.pi * index / 4 + math.pi / 8
        ray = [
            (reach * math.cos(angle + turn), reach * math.sin(angle + turn))
            for reach, turn in ((5.9, -0.24), (9.6, 0.0), (5.9, 0.24))
        ]
        sketch.deep.append([*ray, ray[0]])


def moon(sketch: Sketch) -> None:
    """Where the blue side starts: a crescent, open at its tips, in a square, and two stars."""
    sketch.deep.append(_arc((-1.0, 0.0), 7.6, 0.75, 2 * math.pi - 0.75, 22))
    sketch.deep.append(_arc((1.9, 0.0), 6.1, 2 * math.pi - 1.7, 1.7, 14))
    for x, y, size in ((3.4, 2.3, 1.7), (4.6, -2.8, 1.3)):
        _star(sketch, (x, y), size)
    square = [turned((9.2, 9.2), turn) for turn in range(4)]
    for corner in square:
        inward = [(corner[0] * 0.74, corner[1]), corner, (corner[0], corner[1] * 0.74)]
        sketch.deep.append(inward)


def _star(sketch: Sketch, at: Point, size: float) -> None:
    """A star of four points."""
    ends: Sequence[Point] = ((0.0, size), (size, 0.0))
    for x, y in ends:
        sketch.deep.append([(at[0] - x, at[1] - y), (at[0] + x, at[1] + y)])

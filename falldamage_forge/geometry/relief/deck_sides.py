"""Sides of decks: lower edges by variant, and joints of arches by the pattern of walls."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING

from falldamage_forge.geometry.relief.elements import Point

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

Edge = tuple[Point, ...]
"""(share of the way from an end to the middle, share of the rise from the foot)."""
Line = list[Point]


def _round(share: float) -> float:
    return math.sqrt(1 - (1 - share) ** 2)


_SHARES = tuple(step / 12 for step in range(13))
ARCHES: tuple[Edge, ...] = (
    tuple((at, 0.7 * (2 * at - at * at) + 0.3 * at) for at in _SHARES),
    tuple((at, _round(at)) for at in _SHARES),
    (
        (0.0, 0.0),
        (0.0, 0.3),
        (0.2, 0.3),
        (0.2, 0.55),
        (0.45, 0.55),
        (0.45, 0.8),
        (0.7, 0.8),
        (0.7, 1),
        (1, 1),
    ),
    (
        *((0.45 * at, 0.7 * _round(at)) for at in _SHARES),
        (0.45, 0.6),
        *((0.54 + 0.46 * at, 0.6 + 0.4 * _round(at)) for at in _SHARES),
    ),
)
"""A pointed arch, a round one, corbels, and a trefoil."""
BEAMS: tuple[Edge, ...] = (
    (),
    ((0.0, 0.0), (0.12, 0.0), (0.3, 1.0), (1.0, 1.0)),
    tuple((at / 6 + side * 0.05, float((at + side) % 2)) for at in range(6) for side in (0, 1)),
    tuple((at, _round(1 - at)) for at in _SHARES),
)
"""Lower edges of plank bridges: straight, brackets, heads of joists, a deck that sags."""
RINGS: Mapping[str, tuple[float, float]] = {
    "ashlar": (4.2, 4.8),
    "ruin": (4.2, 3.8),
    "brick": (3.0, 2.6),
    "hall": (4.8, 7.0),
}
"""Height of an arch's ring and width of its stones, by wall pattern."""
SPACE_MM, UNEVEN_MM = 4.4, 1.2
"""Distance of courses over a ring and of upright joints, and how far fractures lean."""


def span(edge: Edge, first_mm: float, last_mm: float, foot_mm: float, rise_mm: float) -> Line:
    """Return a lower edge over a whole span, from west to east.

    Args:
        edge: Its western half.
        first_mm: x at which the edge begins.
        last_mm: x at which it ends.
        foot_mm: z of its foot.
        rise_mm: Height of its middle over its foot.
    """
    run = (last_mm - first_mm) / 2
    west = [(at * run, foot_mm + up * rise_mm) for at, up in edge]
    east = [(last_mm - u, v) for u, v in reversed(west[:-1])]
    return [*((first_mm + u, v) for u, v in west), *east]


def arch_joints(wall: str, edge: Line, top_mm: float) -> Iterator[tuple[Point, Point]]:
    """Yield the joints on a side of an arch as segments; none for a plain wall.

    They run on beyond the side, where there is nothing to cut.

    Args:
        wall: Wall pattern of the style.
        edge: Lower edge of the side.
        top_mm: z of its upper edge.
    """
    import shapely

    if wall == "plain":
        return
    curve = shapely.LineString(edge)
    left, low, right, _ = curve.bounds
    if wall in RINGS:
        tall, wide = RINGS[wall]
        ring = shapely.buffer(curve, tall, quad_segs=4)
        levels = [low + SPACE_MM * k for k in range(1, round((top_mm - low) / SPACE_MM))]
        courses = [shapely.LineString([(left, v), (right, v)]) for v in levels]
        joints = [*shapely.difference(courses, ring), ring.exterior, *_radial(curve, tall, wide)]
    else:
        chance, lean = random.Random(wall), 0.0 if wall == "timber" else UNEVEN_MM
        places = [left + SPACE_MM * k for k in range(1, round((right - left) / SPACE_MM))]
        heights = (low, (low + top_mm) / 2, top_mm)
        joints = [
            shapely.LineString([(u + chance.uniform(-lean, lean), v) for v in heights])
            for u in places
        ]
    for joint in shapely.clip_by_rect(joints, left, low - 1.0, right, top_mm):
        for part in shapely.get_parts(joint):
            yield from pairwise(part.coords)


def _radial(curve: BaseGeometry, tall: float, wide: float) -> Iterator[BaseGeometry]:
    """Yield the joints between the stones of a ring, an odd number of them."""
    import shapely

    count = 2 * round(curve.length / wide / 2) + 1
    for index in range(1, count):
        at = curve.length * index / count
        (x0, y0), (x1, y1) = (curve.interpolate(at + by).coords[0] for by in (-0.4, 0.4))
        x, y = curve.interpolate(at).coords[0]
        share = tall / math.dist((x0, y0), (x1, y1))
        yield shapely.LineString([(x, y), (x + (y0 - y1) * share, y + (x1 - x0) * share)])

"""Broken parapets of ruins: merlons that have lost a shoulder, towers that have lost a corner.

A parapet is printed on its merlons. Breaks leave a part of every merlon and every tower at full
height, and fall from there without a level ledge, so that nothing begins in the air.
"""

from __future__ import annotations

import math
import random
from typing import TYPE_CHECKING

from falldamage_forge.geometry.csg import Solid, stand_upright, translate
from falldamage_forge.geometry.loft import RELIEF, extrude
from falldamage_forge.geometry.relief.elements import RISE, Point

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

BROKEN = frozenset({"ruin"})
"""Wall patterns whose parapets are broken."""
MERLON_LEFT_MM = (2.8, 3.6)
"""Width of a broken merlon's top."""
DROPS_MM = (0.4, 0.9)
"""Height of the upright fracture of a break."""
LEAN_DEG = (0.0, 14.0)
"""Turn of a tower's break from the diagonal towards the sides without beads. Of an acuter corner
slicers lay the tip a layer late, as a loose drop."""
BEHIND_MM = 1.3
"""Level thickness of the wall between a break and a tower's hollow."""
WHOLE = 0.2
"""Share of towers that are whole."""
VALLEY_MM = 2.9
"""Minimum height of a wall where a break meets a sill: a wide merlon keeps more of its top."""
FAR_MM = 60.0


def broken_merlon(
    chance: random.Random, gaps: tuple[tuple[float, float], ...], high_mm: float, sill_mm: float
) -> Solid:
    """Return the volume that a side's middle merlon has lost, about x = 0.

    Args:
        chance: Source of random numbers.
        gaps: (from, to) of the two gaps beside the merlon, in mm.
        high_mm: Height of the merlon.
        sill_mm: Height of the sills of gaps, in their middles.
    """
    side = chance.choice((-1, 1))
    half, end = gaps[1]
    drop, start = chance.uniform(*DROPS_MM), chance.uniform(*MERLON_LEFT_MM) - half
    # The break meets the sill's far slope, which protects the slot of a flange.
    edge = sill_mm + (end - half) / 2 * RISE
    low = (high_mm - RELIEF[1] - drop - edge + (start + RELIEF[0] + end) * RISE) / (2 * RISE)
    least = max(low, end - (edge - VALLEY_MM) / RISE)
    start, low = start + 2 * (least - low), least
    points = [
        *_fracture(start, high_mm, drop),
        (low, edge - (end - low) * RISE),
        (end, edge),
        (end, high_mm + 1.0),
    ]
    return _upright([(side * u, v) for u, v in points], 0.0)


def broken_tower(
    chance: random.Random, tower: BaseGeometry, high_mm: float, kept: Point, kept_mm: float
) -> tuple[Solid, Solid] | None:
    """Return (the volume that a tower has lost, the same a wall further in); None if it is whole.

    Args:
        chance: Source of random numbers.
        tower: Tower seen from above, with the tile's middle at (0, 0).
        high_mm: Height of the tower.
        kept: Point of the quadrant of positive x and y at which `kept_mm` remain.
        kept_mm: Least height of the tower from there inwards.
    """
    drop, lean = chance.uniform(*DROPS_MM), chance.uniform(*LEAN_DEG)
    if chance.random() < WHOLE:
        return None
    turn = math.radians(45.0 + lean)
    along = kept[0] * math.cos(turn) + kept[1] * math.sin(turn)
    first = along - RELIEF[0] - (high_mm - RELIEF[1] - drop - kept_mm) / RISE
    points = [
        *_fracture(first, high_mm, drop),
        (along, kept_mm),
        (along, kept_mm - drop),
        (FAR_MM, kept_mm - drop - (FAR_MM - along) * RISE),
        (FAR_MM, high_mm + 1.0),
    ]
    x, y = tower.centroid.x, tower.centroid.y
    angle = math.degrees(
        math.atan2(math.copysign(math.sin(turn), y), math.copysign(math.cos(turn), x))
    )
    wedge = _upright(points, FAR_MM)
    lost, near = (translate(wedge, x_mm).rotate((0.0, 0.0, angle)) for x_mm in (0.0, -BEHIND_MM))
    return lost, near


def _fracture(start: float, high_mm: float, drop: float) -> list[Point]:
    """Return the profile of a break from over the top down its upright fracture."""
    edge = start + RELIEF[0]
    return [
        (start, high_mm + 1.0),
        (start, high_mm),
        (edge, high_mm - RELIEF[1]),
        (edge, high_mm - RELIEF[1] - drop),
    ]


def _upright(profile: list[Point], to_mm: float) -> Solid:
    """Return the solid of an upright profile along y, from far away to a place."""
    import shapely

    outline = shapely.orient_polygons(shapely.Polygon(profile))
    return stand_upright(extrude(outline, -FAR_MM, to_mm), "y")

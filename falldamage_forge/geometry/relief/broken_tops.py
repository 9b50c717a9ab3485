"""Broken tops of ruins: corners of a block that have fallen away, course by course.

Blocks lie on their tops in print. What is lost narrows from there by slopes that need no supports;
undersides of stones over a deeper course are flat. A wall stands behind every break.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from itertools import pairwise

from falldamage_forge.geometry.csg import Solid, hull, union
from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.geometry.loft import RELIEF
from falldamage_forge.geometry.relief.elements import Outline
from falldamage_forge.lengths import GRID, round_to_layers_mm
from falldamage_forge.pieces.lost_corners import CORNERS, Corner, Site

FREE_MM = 12.6
"""Radius about a tile's middle that stays whole, for a round base of 25 mm."""
TURN_DEG = (40.0, 50.0)
"""Direction of the point of a break that is nearest to the middle."""
FIRST_MM, COURSE_MM, SHADE_MM = (3.6, 4.56), (3.6, 4.56), 0.36
"""Heights of the course at the top, of the others, and of the deepest part of these."""
STEP_MM, UNDER_MM = 1.3, (0.45, 0.8)
"""How much farther out each course stands than the one above it, and how far its foot lies back."""
SIZES, UNEVEN = (1.0, 1.0, 0.7), (0.7, 1.3)
"""Sizes of breaks as shares of the largest; how much more a course gains on one side."""
SLOPE = 0.66
"""How far a break narrows for each mm down, at most."""
SKEW_MM = 0.25
"""How far askew a course is broken."""
LEAST_MM, LEAST_COURSES = 6.0, 2
"""Height above a block's foot at which breaks end at least, and their least number of courses."""
BEHIND_MM, OVER_MM, FAR_MM = 0.9, 0.3, 1.0
"""Level thickness of the wall behind a break; how far breaks end and tools reach outside."""

Quad = list[tuple[float, float, float]]
Stage = tuple[float, float, float, float, float]
"""z, and how far a break reaches in from a tile's two edges: at the edges, and how much less there
than in the break's corner."""


def broken_top(
    sites: Sequence[Site], fit: DesignParameters, top_mm: float, seed: str
) -> tuple[Solid, Solid]:
    """Return (the volume that a top has lost, that volume with the walls behind it).

    Args:
        sites: Sites of the breaks.
        fit: Gaps of the printer.
        top_mm: Height of the top.
        seed: Equal seeds give equal breaks.
    """
    lost, behind = [], []
    for number, site in enumerate(sites):
        chance = random.Random(f"broken {seed} {number}")
        for corner in site:
            stages = _stages(fit, top_mm, chance)
            quads = [_quad(corner, stage, fit) for stage in stages]
            lost += [hull(a + b) for a, b in pairwise(quads) if a[0][2] > b[0][2]]
            if stages:
                walls = [_quad(corner, stage, fit, BEHIND_MM) for stage in stages]
                behind.append(hull([point for quad in walls for point in quad]))
    return union(lost), union(behind)


def broken_points(sites: Sequence[Site], fit: DesignParameters) -> Outline:
    """Return the points (x, y) of the grid at which a top is broken.

    Args:
        sites: Places of the tops that are broken.
        fit: Design parameters of the printer and grid, in mm.
    """
    half = fit.grid.pitch_mm / 2
    points = []
    for (cell, corner), *_ in sites:
        x, y = fit.grid.centre_mm(*cell)
        east, north = _outward(corner)
        points.append((x + east * half, y + north * half))
    return tuple(points)


def _outward(corner: int) -> tuple[int, int]:
    """Return the signs of x and y of a tile's corner."""
    return 1 if 1 in CORNERS[corner] else -1, 1 if 0 in CORNERS[corner] else -1


def _stages(fit: DesignParameters, top_mm: float, chance: random.Random) -> list[Stage]:
    """Return the stages of a break from above; none for a block that is too low."""
    half = fit.grid.pitch_mm / 2
    free = FREE_MM * max(1.0, fit.grid.pitch_mm / GRID.pitch_mm) + RELIEF[0]
    turn = math.radians(chance.uniform(*TURN_DEG))
    size = chance.choice(SIZES)
    x, y = (size * (half - free * share) for share in (math.cos(turn), math.sin(turn)))
    low = round_to_layers_mm(LEAST_MM)
    room = int((top_mm - low - FIRST_MM[1]) / COURSE_MM[0])
    count = min(math.ceil(max(x, y) / STEP_MM), room)
    if count < LEAST_COURSES:
        return []
    x, y = min(x, STEP_MM * count), min(y, STEP_MM * count)
    z = top_mm - round_to_layers_mm(chance.uniform(*FIRST_MM))
    stages = [
        (top_mm + FAR_MM, x + RELIEF[0], y + RELIEF[0], 0.0, 0.0),
        (top_mm, x + RELIEF[0], y + RELIEF[0], 0.0, 0.0),
        (top_mm - RELIEF[1], x, y, 0.0, 0.0),
        (z, x, y, 0.0, 0.0),
    ]
    for left in range(count, 0, -1):
        back = (x + chance.uniform(*UNDER_MM), y + chance.uniform(*UNDER_MM))
        share = chance.uniform(0.8, 1.0) / left if left > 1 else 1.0
        more = chance.uniform(*UNEVEN) if left > 1 else 1.0
        x, y = x - (x + OVER_MM) * share * more, y - (y + OVER_MM) * share * (2.0 - more)
        skew = (chance.uniform(-SKEW_MM, SKEW_MM), chance.uniform(-SKEW_MM, SKEW_MM))
        tall = round_to_layers_mm(min(chance.uniform(*COURSE_MM), (z - low) / left))
        slope = max(back[0] - x, back[1] - y) / SLOPE
        stages += [
            (z, *back, *skew),
            (z - SHADE_MM, *back, *skew),
            (z - SHADE_MM - slope, x, y, *skew),
        ]
        z = min(z - tall, z - SHADE_MM - slope)
        stages.append((z, x, y, *skew))
    return stages


def _quad(corner: Corner, stage: Stage, fit: DesignParameters, more_mm: float = 0.0) -> Quad:
    """Return the section of a break at a stage, grown inwards by `more_mm`."""
    cell, number = corner
    z, x, y, skew_x, skew_y = stage
    half = fit.grid.pitch_mm / 2
    east, north = _outward(number)
    across, along = half - x - more_mm, half - y - more_mm
    far = half + FAR_MM + more_mm
    points = [(across, along), (across + skew_x, far), (far, far), (far, along + skew_y)]
    at_x, at_y = fit.grid.centre_mm(*cell)
    return [(at_x + east * u, at_y + north * v, z) for u, v in points]

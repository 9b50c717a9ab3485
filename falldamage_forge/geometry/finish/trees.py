"""Trees on four roots: a fir, an oak and a dead one. Each prints upright without supports."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from falldamage_forge.geometry.finish import star
from falldamage_forge.geometry.finish.model import FOOT_MM, Room
from falldamage_forge.geometry.finish.star import Star
from falldamage_forge.geometry.solids import Solid, hull, union

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

COLUMNS, STEP_MM = 72, 0.48
BARK_FROM_MM = 2.4
"""Up to here roots are square feet, between which arches leave room for a ladder anyway."""


def tree_body(kind: str, room: Room) -> tuple[Solid, Solid]:
    """A tree about the axis from z = 0, filled, and its cavity.

    At its foot it is a square, of which arches leave the roots. Raises KeyError for a kind that is
    not in TREES.
    """
    return TREES[kind](room)


def _table(room: Room, trunk_mm: float) -> tuple[Floats, Floats, Floats]:
    """Heights, angles and radii of roots that wind up into a trunk.

    Roots spread so far that the cavity is open to their feet: what filled it would hang inside.
    """
    import numpy as np

    top_mm, half_mm, wide = room.top_mm, room.half_mm, room.wide
    heights = np.round(np.arange(0.0, top_mm + STEP_MM / 2, STEP_MM), 3)
    heights[-1] = top_mm
    angles = star.turn(COLUMNS)
    off = angles % (math.pi / 2) - math.pi / 4
    ridge = np.exp(-((off / 0.24) ** 2))
    rows = [(0.0, star.square(angles, half_mm, 0.6)), (1.92, star.square(angles, half_mm, 0.6))]
    for height, reach, sharp in (
        (4.2, 11.5, 0.72),
        (7.2, 8.9, 0.68),
        (11.0, 5.4 + 0.54 * trunk_mm, 0.4),
        (FOOT_MM, 1.08 * trunk_mm + 1.1, 0.1),
    ):
        rows.append((room.z(height), reach * wide * (1.0 + sharp * ridge)))
    trunk = np.full(COLUMNS, trunk_mm * wide)
    rows += [(room.z(FOOT_MM) + 3.0 * wide, trunk), (top_mm, trunk)]
    radii = star.between(heights, rows)
    radii = np.minimum(radii, star.square(angles, half_mm, 0.6))
    bark = heights > BARK_FROM_MM
    radii[bark] = np.minimum(radii[bark], _spread(angles, 30.0 * wide, room))
    return heights, angles, radii


def _bark(heights: Floats, angles: Floats, depth_mm: float, low: float, high: float) -> Floats:
    """Ridges that wander up a trunk."""
    import numpy as np

    z, t = heights[:, None], angles[None, :]
    ridges = np.cos(9 * t + 0.8 * np.sin(z * 0.42)) + 0.6 * np.cos(5 * t - 0.25 * z)
    shown = np.clip((z - low) / 2.0, 0.0, 1.0) * np.clip((high - z) / 1.5, 0.0, 1.0)
    bark: Floats = depth_mm * ridges * shown
    return bark


def _made(body: Star, wall_mm: float, top_mm: float) -> tuple[Solid, Solid]:
    return body.solid(), body.hollow(wall_mm, 0.0, top_mm).solid()


def _fir(room: Room) -> tuple[Solid, Solid]:
    """Six tiers of boughs; each bough ends lower than the gap beside it."""
    import numpy as np

    top_mm, wide, up = room.top_mm, room.crown, room.up
    heights, angles, radii = _table(room, 2.9)
    radii = radii + _bark(heights, angles, 0.16, room.z(16.0), room.z(21.0))
    z, t = heights[:, None], angles[None, :]
    stem = [0, room.z(18), room.z(22), top_mm]
    crown = np.interp(heights, stem, [0, 0, 2.6 * wide, 0.4])[:, None] * np.ones_like(t)
    for tier in range(6):
        share = tier / 5
        reach = (10.9 * (1 - share) + 3.2 * share) * wide
        low = room.z(21.6) + 29.0 * up * share**0.94
        high = low + (12.6 * (1 - share) + 9.4 * share) * up
        boughs = 10 - tier
        wave = np.cos(boughs * t + tier * 1.9 + 0.35 * np.sin(2 * t + tier))
        edge = low + (3.4 - 1.0 * wave) * up
        reach_at = reach * (1 + 0.11 * wave + 0.04 * np.sin(3 * t + 2 * tier))
        fall = np.clip((high - z) / (high - edge), 0.0, 1.0)
        above = reach_at * (fall**1.12) * (1 + 0.03 * np.cos(2 * boughs * t + z))
        crown = np.maximum(crown, np.where(z >= edge, above, 0.0))
    body = Star(heights, angles, np.maximum(np.maximum(radii * (z < room.z(24)), crown), 0.45))
    steady = body.steady(np.where(heights < room.z(26.0), 0.88, 0.7))
    return _made(steady, room.thick_mm, room.z(45.0))


def _oak(room: Room) -> tuple[Solid, Solid]:
    """A short stout trunk and a crown of great clumps of leaves."""
    import numpy as np

    chance = random.Random("oak")
    top_mm, wide, up = room.top_mm, room.crown, room.up
    heights, angles, radii = _table(room, 3.9)
    radii = radii + _bark(heights, angles, 0.24, room.z(13.0), room.z(26.0))
    clumps = []
    for count, out, middle, size in ((5, 6.6, 30.5, 6.4), (6, 7.4, 38.5, 6.2), (4, 5.0, 46.5, 6.6)):
        phase = chance.uniform(0, 6)
        for index in range(count):
            angle = phase + 2 * math.pi * (index + chance.uniform(-0.12, 0.12)) / count
            at = room.z(middle + chance.uniform(-1.6, 1.6))
            clumps.append((out * wide, angle, at, size * chance.uniform(0.92, 1.08) * wide))
    clumps.append((1.0, 0.7, top_mm - 6.6 * wide, 6.6 * wide))
    z, t = heights[:, None], angles[None, :]
    crown = np.zeros((len(heights), COLUMNS))
    leaves = 0.3 * np.sin(11 * t + 2.1 * np.sin(z * 0.9)) * np.sin(z * 1.7 + 3 * np.sin(5 * t))
    for out, angle, middle, size in clumps:
        across = (z - middle) / size
        ring = size * np.sqrt(np.clip(1.0 - across**2, 0.0, None))
        aside = out * np.sin(t - angle)
        hit = ring**2 - aside**2
        far = out * np.cos(t - angle) + np.sqrt(np.clip(hit, 0.0, None))
        crown = np.maximum(crown, np.where((hit > 0) & (np.abs(across) < 1), far, 0.0))
    crown = np.where(crown > 2.0, crown + leaves, crown)
    crown = np.minimum(crown, _spread(angles, room.half_mm - 0.3, room))
    stem = [0, room.z(26), room.z(30), top_mm - 8 * up, top_mm]
    core = np.interp(heights, stem, [0, 3.9 * wide, 6 * wide, 6 * wide, 1.2])[:, None]
    body = Star(heights, angles, np.maximum(np.maximum(radii * (z < room.z(30)), crown), core))
    return _made(body.steady(), room.thick_mm, top_mm - 3.0)


def _spread(angles: Floats, most_mm: float, room: Room) -> Floats:
    """How far a tree may reach: to the tile's corners, and less where a ladder may lean."""
    import numpy as np

    off = np.abs((angles + math.pi / 4) % (math.pi / 2) - math.pi / 4)
    edge = math.atan(room.ladder_half_mm / room.ladder_mm)
    share = np.clip((off - edge) / 0.09, 0.0, 1.0)
    least = room.ladder_mm / np.cos(np.minimum(off, edge))
    spread: Floats = least + share * np.maximum(most_mm - least, 0.0)
    return spread


def _dead(room: Room) -> tuple[Solid, Solid]:
    """A bare tree: a trunk that twists and forks, branches that all rise steeply, a torn tip."""
    import numpy as np

    chance = random.Random("dead")
    top_mm, wide = room.top_mm, room.wide
    heights, angles, radii = _table(room, 3.7)
    z, t = heights[:, None], angles[None, :]
    thin = np.interp(heights, [0, room.z(16), room.z(44), top_mm], [1.0, 1.0, 0.62, 0.34])[:, None]
    twist = 1 + 0.16 * np.cos(3 * t + 0.16 * z) + 0.08 * np.cos(5 * t - 0.21 * z)
    shaped = radii * thin * (1 + (twist - 1) * np.clip((z - room.z(15)) / 7, 0, 1))
    shaped = np.maximum(shaped + _bark(heights, angles, 0.2, room.z(16.0), top_mm), 0.8)
    body = Star(heights, angles, shaped).steady()
    filled, cavity = body.solid(), body.hollow(room.thick_mm, 0.0, room.z(30.0)).solid()
    branches = []
    for index in range(7):
        height = room.z(19.0 + index * 4.6 + chance.uniform(-0.8, 0.8))
        angle = 2.4 * index + chance.uniform(-0.4, 0.4)
        branches += _branch(chance, height, angle, (2.5 - 0.2 * index) * wide, room)
    return union([filled, *branches]), cavity


def _branch(
    chance: random.Random, height: float, angle: float, thick: float, room: Room
) -> list[Solid]:
    """A branch of three lengths, each steeper than 47 degrees, and a twig."""
    x, y, z = 0.0, 0.0, height - 2.0
    parts, radius = [], thick
    for drawn in (7.5, 6.0, 5.0):
        length = drawn * room.wide
        lean = chance.uniform(0.66, 0.86)
        end_radius = radius * 0.72
        run = min(length * lean, room.ladder_mm - 0.2 - end_radius - math.hypot(x, y))
        if run <= 0.8 or z + length > room.top_mm:
            break
        end = (x + run * math.cos(angle), y + run * math.sin(angle), z + length)
        parts.append(_limb((x, y, z), end, radius, end_radius))
        if len(parts) == 2:
            side = angle + chance.choice((-0.9, 0.9))
            tip = (x + 2.4 * math.cos(side), y + 2.4 * math.sin(side), z + 4.2)
            if max(abs(tip[0]), abs(tip[1])) < room.ladder_mm - 0.6:
                parts.append(_limb((x, y, z), tip, radius * 0.8, 0.5))
        (x, y, z), radius = end, end_radius
        angle += chance.uniform(-0.5, 0.5)
    return parts


def _limb(
    start: tuple[float, float, float], end: tuple[float, float, float], low: float, high: float
) -> Solid:
    """A tapering limb with level ends, so that nothing of it hangs."""
    points = []
    for (x, y, z), radius in ((start, low), (end, max(high, 0.5))):
        for index in range(10):
            turned = 2 * math.pi * index / 10
            points.append((x + radius * math.cos(turned), y + radius * math.sin(turned), z))
    return hull(points)


TREES: Mapping[str, Callable[[Room], tuple[Solid, Solid]]] = {
    "fir": _fir,
    "oak": _oak,
    "dead": _dead,
}
"""Trees by kind."""

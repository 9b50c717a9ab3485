"""Trees on a knoll of turf and roots: fir, oak, dead tree, bush. Each prints without supports.

Below, a tree is a roof over the tile's stud, drawn as a knoll; a trunk or a crown grows out of it.
Several trees of a kind differ by the seed of what is drawn by chance.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from falldamage_forge.geometry.csg import Solid, hull, union
from falldamage_forge.geometry.relief import radial_solid
from falldamage_forge.geometry.relief.elements import RISE, FigureEnvelope
from falldamage_forge.geometry.relief.radial_solid import RadialSolid
from falldamage_forge.infra.lazy_dataclass import dataclass

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

COLUMNS, STEP_MM = 80, 0.48
CORNER_MM = 0.4
"""Chamfer of a knoll's corners."""
RIM_MM, TUFT_MM, BANK_MM = 0.72, 0.9, 3.6
"""Least height of a knoll's upright edge, and how much higher tufts and banks of turf are."""
ROOTS, ROOT_MM = 12, 2.1
"""Number of roots, every third of them in a corner, and their height above the knoll."""
STONES = 26
TONGUE_MM, TONGUE_HALF_MM = 6.6, 8.0
"""The walls to the east and west bend: up to this height they stay bare so far to either side."""
LEAF_MM, CLEFT_MM = 2.0, 1.1
"""Radius of clumps of leaves, and greatest difference of the radii at neighbouring angles."""
GOLDEN = math.pi * (3.0 - math.sqrt(5.0))


@dataclass(frozen=True, slots=True)
class Clump:
    """A ball of leaves: distance from the axis, angle, height and radius."""

    out_mm: float
    angle: float
    z_mm: float
    radius_mm: float


def tree_body(kind: str, room: FigureEnvelope, number: int = 0) -> tuple[Solid, Solid]:
    """Return a tree about the axis from z = 0, filled, and its cavity above the knoll's roof.

    Args:
        kind: Key of `TREES`.
        room: Volume that it may fill.
        number: Number of the shape, among those of its kind.

    Raises:
        KeyError: If the kind is unknown.
    """
    return TREES[kind](room, random.Random(f"{kind} {number}"))


def _heights(room: FigureEnvelope) -> Floats:
    import numpy as np

    heights: Floats = np.round(np.arange(0.0, room.top_mm + STEP_MM / 2, STEP_MM), 3)
    heights[-1] = room.top_mm
    return heights


def _knoll(room: FigureEnvelope, trunk_mm: float, chance: random.Random) -> Floats:
    """Return the radii of a knoll with roots that wind up into a trunk, shape (heights, angles).

    The knoll is as thick as a wall over a roof of `RISE`.
    """
    import numpy as np

    z, t = _heights(room)[:, None], radial_solid.turn(COLUMNS)[None, :]
    unit, edge = radial_solid.square(t, 1.0), radial_solid.square(t, room.half_mm, CORNER_MM)
    wall = room.thick_mm * math.hypot(1.0, RISE) / RISE + 0.05
    ground = unit * (np.maximum(room.skirt_mm - z / RISE, 0.0) + wall)
    start = (room.skirt_mm - trunk_mm * room.wide) * RISE
    flare = trunk_mm * room.wide * (1.0 + 0.55 * np.exp(-np.maximum(z - start + 1.0, 0) / 2.6))
    body = np.maximum(ground, flare * (1.0 + 0.06 * np.cos(5 * t + 0.25 * z)))
    aside = np.abs(ground * np.sin(t))
    bends = (aside < TONGUE_HALF_MM) & (aside < np.abs(ground * np.cos(t))) & (z < TONGUE_MM)
    for root in range(ROOTS):
        corner = root % 3 == 0
        place = 2 * math.pi * root / ROOTS + math.pi / 4
        bend = place + (chance.uniform(-0.1, 0.1) + 0.1 * np.sin(0.45 * z + 2 * root)) * (
            0.3 if corner else 1.0
        )
        off = np.abs((t - bend + math.pi) % (2 * math.pi) - math.pi) * ground
        high = ROOT_MM * chance.uniform(0.8, 1.2) * room.wide * (1.0 if corner else 0.7)
        shown = np.clip(z / 4.0, 0.3, 1.0) * np.clip((start + 6.0 - z) / 6.0, 0.0, 1.0)
        thick = (2.2 if corner else 1.1 + 0.08 * z) * room.wide
        ridge = high * shown * np.exp(-((off / thick) ** 2))
        body = np.maximum(body, ground + np.where(bends, 0.0, ridge))
    stones = _leaves(room, _stones(room, ground, chance))
    body = np.maximum(body, np.where(bends, 0.0, stones))
    body = np.maximum(body, edge - np.maximum(z - _turf(bends, chance), 0.0) * 1.7)
    return np.minimum(body, edge)


def _turf(bends: NDArray[np.bool_], chance: random.Random) -> Floats:
    """Return the height of turf round a knoll's edge, by angle: banks, and tufts on them."""
    import numpy as np

    t = radial_solid.turn(COLUMNS)
    waves = [np.cos(count * t + chance.uniform(0, 6)) for count in (3, 5, 8)]
    bank = BANK_MM * np.clip(0.45 + 0.3 * np.sum(waves, axis=0), 0.0, 1.0)
    tufts = np.repeat([TUFT_MM * chance.random() ** 2 for _ in range(COLUMNS // 2)], 2)
    turf: Floats = RIM_MM + tufts + np.where(bends[0], 0.0, bank)
    return turf


def _stones(room: FigureEnvelope, ground: Floats, chance: random.Random) -> Iterable[Clump]:
    """Yield stones that look out of a knoll."""
    for _ in range(STONES):
        row = round(chance.uniform(1.2, 9.0) * room.wide / STEP_MM)
        column = chance.randrange(COLUMNS)
        radius = chance.uniform(0.7, 1.5) * room.wide
        out = float(ground[row, column]) - 0.35 * radius
        yield Clump(out, 2 * math.pi * column / COLUMNS, row * STEP_MM, radius)


def _bark(room: FigureEnvelope, depth_mm: float, low: float, high: float) -> Floats:
    """Return the depth of ridges that wander up a trunk."""
    import numpy as np

    z, t = _heights(room)[:, None], radial_solid.turn(COLUMNS)[None, :]
    ridges = np.cos(9 * t + 0.8 * np.sin(z * 0.42)) + 0.6 * np.cos(5 * t - 0.25 * z)
    shown = np.clip((z - low) / 2.0, 0.0, 1.0) * np.clip((high - z) / 1.5, 0.0, 1.0)
    bark: Floats = depth_mm * ridges * shown
    return bark


def _leaves(room: FigureEnvelope, clumps: Iterable[Clump]) -> Floats:
    """Return the reach of clumps from the axis, shape (heights, angles); 0 where there is none."""
    import numpy as np

    z, t = _heights(room)[:, None], radial_solid.turn(COLUMNS)[None, :]
    crown = np.zeros((z.size, t.size))
    for one in clumps:
        across = np.clip((z - one.z_mm) / one.radius_mm, -1.0, 1.0)
        hit = one.radius_mm**2 * (1.0 - across**2) - (one.out_mm * np.sin(t - one.angle)) ** 2
        far = one.out_mm * np.cos(t - one.angle) + np.sqrt(np.maximum(hit, 0.0))
        crown = np.maximum(crown, np.where(hit > 0, far, 0.0))
    return np.minimum(crown, room.half_mm - 0.3)


def _leafed(
    room: FigureEnvelope, masses: Iterable[Clump], count: int, chance: random.Random
) -> Floats:
    """Return the reach of a crown: large masses with clumps of leaves all over them."""
    import numpy as np

    masses = tuple(masses)
    crown = _leaves(room, masses)
    low = min(one.z_mm - 0.6 * one.radius_mm for one in masses)
    leaves = []
    for index in range(count):
        high = low + (room.top_mm - low) * (index + 0.5) / count
        row = min(round(high / STEP_MM), len(crown) - 1)
        column = round(GOLDEN * index / (2 * math.pi) * COLUMNS) % COLUMNS
        radius = LEAF_MM * chance.uniform(0.7, 1.2) * room.crown
        out = float(crown[row, column]) - 0.45 * radius
        if out > radius:
            leaves.append(Clump(out, 2 * math.pi * column / COLUMNS, high, radius))
    return np.maximum(crown, _leaves(room, leaves))


def _mass(
    room: FigureEnvelope,
    chance: random.Random,
    out: float,
    angle: float,
    middle: float,
    size: float,
) -> Clump:
    """Return a mass of leaves, as drawn, slightly uneven; it ends below the top."""
    radius = size * chance.uniform(0.93, 1.07) * room.crown
    high = min(room.z(middle + chance.uniform(-1.4, 1.4)), room.top_mm - radius)
    return Clump(out * room.crown, angle + chance.uniform(-0.14, 0.14), high, radius)


def _made(
    room: FigureEnvelope, radii: Floats, lean: float | Floats, top_mm: float
) -> tuple[Solid, Solid]:
    """Return a body of radii, without overhangs, and its cavity from the knoll's roof up."""
    import numpy as np

    angles = radial_solid.turn(COLUMNS)
    whole = RadialSolid(_heights(room), angles, np.maximum(radii, 0.45))
    edge = radial_solid.square(angles, room.half_mm, CORNER_MM)
    body = whole.without_clefts(CLEFT_MM, edge).steady(lean)
    low = (room.skirt_mm - 4.0 * room.wide) * RISE
    return body.solid(), body.hollow(room.thick_mm, low, top_mm).solid()


def _fir(room: FigureEnvelope, chance: random.Random) -> tuple[Solid, Solid]:
    """Return tiers of boughs; each bough ends lower than the gap beside it."""
    import numpy as np

    top_mm, wide, up = room.top_mm, room.crown, room.up
    heights = _heights(room)
    radii = _knoll(room, 2.9, chance) + _bark(room, 0.16, room.z(14.0), room.z(21.0))
    z, t = heights[:, None], radial_solid.turn(COLUMNS)[None, :]
    stem = [0, room.z(15), room.z(20), top_mm]
    crown = np.interp(heights, stem, [0, 0, 2.6 * wide, 0.4])[:, None] * np.ones_like(t)
    tiers = chance.choice((6, 7))
    for tier in range(tiers):
        share = tier / (tiers - 1)
        reach = (12.4 * (1 - share) + 3.0 * share) * wide * chance.uniform(0.93, 1.05)
        low = room.z(19.0) + 31.5 * up * share**0.92
        high = low + (12.6 * (1 - share) + 9.4 * share) * up
        boughs = 11 - tier
        phase = chance.uniform(0, 6)
        wave = np.cos(boughs * t + phase + 0.35 * np.sin(2 * t + tier))
        edge = low + (3.2 - 1.1 * wave + 0.5 * np.sin(t + 2 * phase)) * up
        reach_at = reach * (1 + 0.12 * wave + 0.05 * np.sin(3 * t + phase))
        fall = np.clip((high - z) / (high - edge), 0.0, 1.0)
        needles = 1 + 0.035 * np.cos(3 * boughs * t + 2.0 * z)
        crown = np.maximum(crown, np.where(z >= edge, reach_at * fall**1.12 * needles, 0.0))
    crown = np.minimum(crown, room.half_mm - 0.3)
    radii = np.maximum(radii * (z < room.z(22)), crown)
    lean = np.where(heights < room.z(26.0), 0.88, 0.72)
    return _made(room, radii, lean, room.z(45.0))


def _oak(room: FigureEnvelope, chance: random.Random) -> tuple[Solid, Solid]:
    """Return a short stout trunk and a broad crown."""
    radii = _knoll(room, 3.9, chance) + _bark(room, 0.26, room.z(11.0), room.z(25.0))
    masses = []
    for count, out, middle, size in ((5, 8.0, 32.5, 5.6), (5, 7.6, 41.0, 5.9), (3, 4.6, 49.5, 5.8)):
        turn = chance.uniform(0, 6)
        masses += [
            _mass(room, chance, out, turn + 2 * math.pi * index / count, middle, size)
            for index in range(count)
        ]
    masses.append(_mass(room, chance, 0.8, turn, 56.0, 5.0))
    return _crowned(room, radii, _leafed(room, masses, 190, chance), (27.0, 54.0), 7.4)


def _bush(room: FigureEnvelope, chance: random.Random) -> tuple[Solid, Solid]:
    """Return a thicket of four stems of different heights that grow into one another."""
    radii = _knoll(room, 5.6, chance)
    turn = chance.uniform(0, 6)
    masses = []
    for index, top in enumerate((60.0, 46.0, 52.0, 37.0)):
        out = 1.8 if not index else 6.6
        for place, middle in enumerate((top - 5.0, top - 13.0, top - 21.0, top - 29.0)):
            if middle > 18.0:
                size = (4.6, 5.9, 6.4, 6.0)[place]
                masses.append(_mass(room, chance, out, turn + 2.1 * index, middle, size))
    return _crowned(room, radii, _leafed(room, masses, 190, chance), (12.0, 50.0), 5.0)


def _crowned(
    room: FigureEnvelope, radii: Floats, leaves: Floats, crown: tuple[float, float], core_mm: float
) -> tuple[Solid, Solid]:
    """Return a trunk of radii with leaves about a core between two heights, as drawn."""
    import numpy as np

    heights = _heights(room)
    low, high = crown
    stem = [0.0, room.z(low), room.z(0.7 * low + 0.3 * high), room.z(high - 8.0), room.top_mm]
    core = np.interp(heights, stem, [0.0, 2.0, core_mm, 0.6 * core_mm, 0.8])[:, None] * room.crown
    trunk = radii * (heights < room.z(low + 3.0))[:, None]
    whole = np.maximum(trunk, np.maximum(leaves, core))
    return _made(room, whole, radial_solid.OUT, room.top_mm - 3.0)


def _dead(room: FigureEnvelope, chance: random.Random) -> tuple[Solid, Solid]:
    """Return a bare tree: a twisted forked trunk, steep branches, a torn tip."""
    import numpy as np

    top_mm, wide = room.top_mm, room.wide
    heights = _heights(room)
    radii = _knoll(room, 3.6, chance)
    z, t = heights[:, None], radial_solid.turn(COLUMNS)[None, :]
    thin = np.interp(heights, [0, room.z(15), room.z(44), top_mm], [1.0, 1.0, 0.62, 0.34])[:, None]
    phase = chance.uniform(0, 6)
    twist = 1 + 0.16 * np.cos(3 * t + 0.16 * z + phase) + 0.08 * np.cos(5 * t - 0.21 * z)
    shaped = radii * thin * (1 + (twist - 1) * np.clip((z - room.z(14)) / 6, 0, 1))
    shaped = np.maximum(shaped + _bark(room, 0.2, room.z(13.0), top_mm), 0.8)
    filled, cavity = _made(room, shaped, radial_solid.OUT, room.z(30.0))
    branches = []
    turn = chance.uniform(0, 6)
    for index in range(9):
        height = room.z(17.0 + index * 3.9 + chance.uniform(-0.8, 0.8))
        angle = turn + 2.4 * index + chance.uniform(-0.4, 0.4)
        branches += _branch(chance, height, angle, (2.6 - 0.17 * index) * wide, room)
    return union([filled, *branches]), cavity


def _branch(
    chance: random.Random, height: float, angle: float, thick: float, room: FigureEnvelope
) -> list[Solid]:
    """Return a branch of three lengths, each steeper than 47 degrees, and twigs."""
    x, y, z = 0.0, 0.0, height - 2.0
    parts, radius = [], thick
    for drawn in (7.5, 6.0, 5.0):
        length = drawn * room.wide
        lean = chance.uniform(0.6, 0.84)
        end_radius = radius * 0.72
        run = min(length * lean, room.half_mm - 0.6 - end_radius - math.hypot(x, y))
        if run <= 0.8 or z + length > room.top_mm:
            break
        end = (x + run * math.cos(angle), y + run * math.sin(angle), z + length)
        parts.append(_limb((x, y, z), end, radius, end_radius))
        side = angle + chance.choice((-0.9, 0.9))
        tip = (x + 2.6 * math.cos(side), y + 2.6 * math.sin(side), z + 4.4)
        if len(parts) > 1 and math.hypot(*tip[:2]) < room.half_mm - 1.2 and tip[2] < room.top_mm:
            parts.append(_limb((x, y, z), tip, radius * 0.8, 0.55))
        (x, y, z), radius = end, end_radius
        angle += chance.uniform(-0.5, 0.5)
    return parts


def _limb(
    start: tuple[float, float, float], end: tuple[float, float, float], low: float, high: float
) -> Solid:
    """Return a tapering limb with level ends, which have no overhang."""
    points = []
    for (x, y, z), radius in ((start, low), (end, max(high, 0.5))):
        for index in range(10):
            turned = 2 * math.pi * index / 10
            points.append((x + radius * math.cos(turned), y + radius * math.sin(turned), z))
    return hull(points)


TREES: Mapping[str, Callable[[FigureEnvelope, random.Random], tuple[Solid, Solid]]] = {
    "fir": _fir,
    "oak": _oak,
    "dead": _dead,
    "bush": _bush,
}
"""Functions of trees by kind."""
BARE_TREES = frozenset({"dead"})
"""Kinds without leaves."""

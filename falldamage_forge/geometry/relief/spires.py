"""Spires: slated, round, broken, crowned, and needles of rock. Each prints without supports.

Masonry is a groove in the radius: its upper flank, an overhang in print, is a slope. It is that of
the walls that a spire stands among.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from falldamage_forge.geometry.csg import Solid, stand_upright, subtract, union
from falldamage_forge.geometry.loft import extrude
from falldamage_forge.geometry.relief import radial_solid
from falldamage_forge.geometry.relief.elements import FigureEnvelope
from falldamage_forge.geometry.relief.radial_solid import RadialSolid
from falldamage_forge.infra.lazy_dataclass import dataclass

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

LAYER_MM = 0.24
FOOT_MM, SHAFT_MM = 2.4, 13.2
"""Height of the square foot, and height at which the shaft begins."""
JOINT_MM, DEEP_MM = 0.24, 0.36
ROUGH_MM, THICKER_MM = 0.72, 0.06
"""Distance of a cavity from cuts above and below, and extra thickness of a wall with joints."""

BETWEEN_MM = 0.01
"""Middles of layers are multiples of 0.02 mm: a level rim in one would be laid or not by chance."""
NEEDLE_COLUMNS, TONGUE_MM = 120, 6.6
"""Angles of a needle of rock; up to this height its walls are even, because they bend."""
MONOLITHS, BEDS, SLANT, TIP_MM = 7, 11, 1.6, 1.6
"""Stones of a needle, strata of its height, slope of a stone's top, least radius."""
STONE_TAPER, NEEDLE_TAPER = (0.3, 0.45), (0.55, 0.7)
"""How much narrower a stone, and the needle itself, is at its top, as shares."""
FALLEN, FALLEN_MM = 64, (1.3, 3.0)
"""Stones on the mound, and their half sizes."""
MONOLITH = ((0.0, 1.0), (1.1, 0.75), (-1.1, 0.75), (2.2, 0.5), (-2.2, 0.5))
"""Directions of a stone's faces, and their distances from the axis as shares of the farthest."""


@dataclass(frozen=True, slots=True)
class Masonry:
    """Courses of a shaft: their height, joints in each of them, and how uneven their stones are.

    Courses of height 0 are boards: joints run on from the foot to the eaves.
    """

    course_mm: float = 3.36
    joints: int = 10
    rough_mm: float = 0.1


STONES = Masonry()
MASONRY: Mapping[str, Masonry] = {
    "brick": Masonry(1.92, 16, 0.03),
    "hall": Masonry(5.28, 8, 0.0),
    "timber": Masonry(0.0, 20, 0.06),
    "ruin": Masonry(3.36, 10, 0.2),
}
"""Masonry by the pattern of the walls; others have `STONES`."""


@dataclass(frozen=True, slots=True)
class _Form:
    """A spire's plan: sides (0: round), the shaft's inradius and the height of its eaves."""

    sides: int
    shaft_mm: float
    eaves_mm: float

    def ring(self, angles: Floats, inradius_mm: float) -> Floats:
        import numpy as np

        if not self.sides:
            return np.full(len(angles), inradius_mm)
        return radial_solid.polygon(angles, inradius_mm, self.sides)


def spire_body(
    kind: str, room: FigureEnvelope, number: int = 0, wall: str = ""
) -> tuple[Solid, Solid]:
    """Return a spire about the axis from z = 0, filled, and its cavity with its windows.

    Args:
        kind: Key of `SPIRES`.
        room: Volume that it may fill.
        number: Number of the shape, among those of its kind.
        wall: Pattern of the walls that it goes with.

    Raises:
        KeyError: If the kind is unknown.
    """
    return SPIRES[kind](room, MASONRY.get(wall, STONES), number)


def _heights(top_mm: float, fine: tuple[float, float], step_mm: float) -> Floats:
    """Return whole layers from the foot to the top, close together where there is relief."""
    import numpy as np

    coarse = np.arange(0.0, fine[0], 4 * LAYER_MM)
    relief = np.arange(fine[0], fine[1], step_mm)
    tip = np.arange(fine[1], top_mm, 4 * LAYER_MM)
    return np.unique(np.round(np.concatenate([coarse, relief, tip, [top_mm]]), 4))


def _columns(sides: int, joints: int) -> Floats:
    """Return angles at corners, at both flanks of every joint, and between."""
    import numpy as np

    step = 2 * math.pi / joints
    places = [np.arange(96) * (2 * math.pi / 96)]
    for shift in (0.0, 0.5):
        middle = (np.arange(joints) + shift) * step
        places += [middle + flank for flank in (-0.034, -0.014, 0.014, 0.034)]
    if sides:
        places.append((np.arange(sides) + 0.5) * (2 * math.pi / sides))
    angles = np.unique(np.round(np.concatenate(places) % (2 * math.pi), 5))
    apart: Floats = angles[np.concatenate([[True], np.diff(angles) > 0.004])]
    return apart


def _masonry(heights: Floats, angles: Floats, low: float, high: float, look: Masonry) -> Floats:
    """Return the depth of courses and joints in a shaft, shape (heights, angles)."""
    import numpy as np

    z = heights[:, None] - low
    course = look.course_mm or high - low
    row = np.floor(z / course)
    over = z - row * course
    bed = np.clip(1.0 - (over - JOINT_MM) / 0.48, 0.0, 1.0)
    bed = np.where(over > course - 0.02, 1.0, bed)
    step = 2 * math.pi / look.joints
    place = (angles[None, :] / step - 0.5 * (row % 2)) % 1.0
    off = np.minimum(place, 1.0 - place) * step
    head = np.clip((0.034 - off) / 0.02, 0.0, 1.0)
    inside = (heights[:, None] >= low - 0.01) & (heights[:, None] <= high)
    stone = np.floor(angles / step - 0.5 * (row % 2))
    rough = 0.06 + look.rough_mm * np.sin(7.3 * row + 3.1 * stone)
    depth: Floats = np.where(inside, np.maximum(DEEP_MM * np.maximum(bed, head), rough), 0.0)
    return np.maximum(depth, 0.0)


def _slates(heights: Floats, angles: Floats, low: float, high: float, joints: int) -> Floats:
    """Return the height of slates on a roof: each row's foot overhangs the row below it."""
    import numpy as np

    tall = 2.88
    z = heights[:, None] - low
    row = np.floor(z / tall)
    over = z / tall - row
    place = (angles[None, :] * joints / (2 * math.pi) - 0.5 * (row % 2)) % 1.0
    scallop = np.abs(place - 0.5) * 2.0
    out = 0.5 * np.clip(1.0 - over, 0.0, 1.0) - 0.2 * (scallop > 0.86) * (over < 0.75)
    inside = (heights[:, None] >= low) & (heights[:, None] <= high)
    slates: Floats = np.where(inside, out, 0.0)
    return slates


def _foot(form: _Form, room: FigureEnvelope, angles: Floats) -> list[tuple[float, Floats]]:
    """Return (height, radii) of a plinth: a square that is drawn in to the shaft."""
    square = radial_solid.square(angles, room.half_mm, 0.6)
    shaft = room.z(SHAFT_MM)
    return [
        (0.0, square),
        (FOOT_MM, square),
        (FOOT_MM + 0.48, square - 0.5),
        (shaft, form.ring(angles, (form.shaft_mm + 0.4) * room.wide)),
        (shaft + 0.96, form.ring(angles, (form.shaft_mm + 0.4) * room.wide)),
        (shaft + 1.44, form.ring(angles, form.shaft_mm * room.wide)),
    ]


def _roofed(
    form: _Form, room: FigureEnvelope, look: Masonry, phase_deg: float = 0.0
) -> tuple[Solid, Solid]:
    """Return a shaft of masonry, a corbelled cornice and a roof of slates with a ball."""
    import numpy as np

    angles = _columns(form.sides, look.joints)
    top_mm, wide = room.top_mm, room.wide
    shaft, eaves = room.z(SHAFT_MM), room.z(form.eaves_mm)
    roof = eaves + 4.8
    heights = _heights(top_mm, (FOOT_MM, top_mm - 1.0), LAYER_MM)

    def ring(inradius: float) -> Floats:
        return form.ring(angles, inradius * wide)

    rows = [
        *_foot(form, room, angles),
        (eaves, ring(form.shaft_mm)),
        (eaves + 2.88, ring(form.shaft_mm + 2.3)),
        (eaves + 4.32, ring(form.shaft_mm + 2.3)),
        (roof, ring(form.shaft_mm + 1.6)),
        (top_mm - 4.8, ring(1.5)),
        (top_mm - 3.36, ring(1.5)),
        (top_mm - 2.4, np.full(len(angles), 2.1)),
        (top_mm - 1.2, np.full(len(angles), 2.1)),
        (top_mm, np.full(len(angles), 0.7)),
    ]
    radii = radial_solid.interpolate_radii(heights, rows)
    radii = radii - _masonry(heights, angles, FOOT_MM + 0.48, shaft - 0.48, look)
    radii = radii - _masonry(heights, angles, shaft + 1.68, eaves - 0.48, look)
    radii = radii + _slates(heights, angles, roof, top_mm - 5.2, 12)
    body = RadialSolid(heights, angles, np.maximum(radii, 0.6)).steady(0.95)
    cavity = body.hollow(room.wall_mm + THICKER_MM, 0.0, top_mm - 5.0, ROUGH_MM).solid()
    windows = _windows(shaft + 4.2 * wide, eaves - 1.6, 1.7, 4, phase_deg)
    return body.solid(), union([cavity, windows])


def _windows(low: float, high: float, half: float, count: int, phase_deg: float = 0.0) -> Solid:
    """Return pointed openings through a wall all round, with steep heads; none if it is low."""
    import shapely

    spring = high - 1.5 * half
    if spring <= low:
        return union([])
    arch = shapely.Polygon(
        [(-half, low), (half, low), (half, spring), (0.0, high), (-half, spring)]
    )
    slot = stand_upright(extrude(arch, 0.0, 20.0), "y")
    return union([slot.rotate((0, 0, phase_deg + 360.0 * k / count)) for k in range(count)])


def _slate(room: FigureEnvelope, look: Masonry, number: int) -> tuple[Solid, Solid]:
    return _roofed(_Form(8, 10.8, 27.6 + 4.8 * (number % 2)), room, look, 45.0 * (number % 2))


def _round(room: FigureEnvelope, look: Masonry, number: int) -> tuple[Solid, Solid]:
    return _roofed(_Form(0, 10.9, 31.2 + 3.6 * (number % 2)), room, look, 45.0 * (number % 2))


def _broken(room: FigureEnvelope, look: Masonry, number: int) -> tuple[Solid, Solid]:
    """Return a ruined tower: two storeys of windows, a torn crown, open to the sky."""
    return _open(room, look, 11.2, _torn(room.top_mm, room.up, number))


def _crown(room: FigureEnvelope, look: Masonry, number: int) -> tuple[Solid, Solid]:
    """Return a tower with battlements, open to the sky."""
    return _open(room, look, 10.4, _gaps(room, 8 if number % 2 else 6), 2.6)


def _open(
    room: FigureEnvelope, look: Masonry, shaft_mm: float, sky: Solid, corbel_mm: float = 0.0
) -> tuple[Solid, Solid]:
    """Return a tower of two storeys of windows, without a roof.

    Args:
        room: Volume that it may fill.
        look: Masonry of the shaft.
        shaft_mm: Inradius of the shaft as drawn.
        sky: What its upper rim leaves free.
        corbel_mm: How far the upper rim overhangs the shaft, as drawn.
    """
    import numpy as np

    form = _Form(8, shaft_mm, 0.0)
    # Joints of all sides lie alike, so that none comes close to a window's jamb.
    look = replace(look, joints=8 * max(1, look.joints // 8))
    angles = _columns(8, look.joints)
    top_mm, wide = room.top_mm, room.wide
    shaft, storey = room.z(SHAFT_MM), room.z(34.08)
    heights = _heights(top_mm, (FOOT_MM, top_mm - 0.5), LAYER_MM)

    def ring(out: float) -> Floats:
        return form.ring(angles, (shaft_mm + out) * wide)

    eaves = top_mm - (9.6 * room.up if corbel_mm else 0.0)
    rows = [
        *_foot(form, room, angles),
        (storey - 1.2, ring(0.0)),
        (storey - 0.48, ring(0.6)),
        (storey + 0.96, ring(0.6)),
        (storey + 1.44, ring(0.0)),
    ]
    if corbel_mm:
        rows += [(eaves - 1.3 * corbel_mm, ring(0.0)), (eaves, ring(corbel_mm))]
    rows.append((top_mm, ring(corbel_mm)))
    radii = radial_solid.interpolate_radii(heights, rows)
    radii = radii - _masonry(heights, angles, FOOT_MM + 0.48, shaft - 0.48, look)
    radii = radii - _masonry(heights, angles, shaft + 1.68, storey - 1.44, look)
    radii = radii - _masonry(heights, angles, storey + 1.68, eaves - 1.3 * corbel_mm, look)
    if corbel_mm:
        radii = radii - _masonry(heights, angles, eaves + 0.48, top_mm, look)
    body = RadialSolid(heights, angles, np.maximum(radii, 0.6)).steady(0.95)
    cavity = body.hollow(room.wall_mm + 0.3, 0.0, top_mm + 16.0, ROUGH_MM).solid()
    windows = _windows(shaft + 5.0 * wide, storey - 4.0, 1.8, 4)
    if not corbel_mm:
        windows += _windows(storey + 3.4, storey + 11.6 * room.up, 1.8, 4, 45.0)
    return subtract(body.solid(), [sky]), union([cavity, windows])


def _gaps(room: FigureEnvelope, count: int) -> Solid:
    """Return the gaps between merlons all round."""
    import shapely

    half, low = 2.0 * room.wide, room.top_mm - 4.8
    gap = shapely.box(-half, low, half, room.top_mm + 1.0)
    slot = stand_upright(extrude(gap, 0.0, 20.0), "y")
    return union([slot.rotate((0, 0, 360.0 * (k + 0.5) / count)) for k in range(count)])


def _torn(top_mm: float, up: float, number: int) -> Solid:
    """Return the volume that is broken off: wedges that end at uneven courses."""
    import shapely

    chance = random.Random(f"broken {number}" if number else "broken")
    wedges, count = [], 16
    for index in range(count):
        angle = 2 * math.pi * (index + 0.5) / count
        wave = 0.5 + 0.5 * math.sin(angle + 0.8 + 2.2 * number)
        courses = max(round((4.6 * wave + chance.uniform(-0.6, 0.9)) * up), 0)
        low = max(top_mm - 1.0 - STONES.course_mm * courses, top_mm - 19.0 * up)
        ends = [(30 * math.cos(a), 30 * math.sin(a)) for a in (angle - 0.2, angle + 0.2)]
        wedge = shapely.Polygon([(0.0, 0.0), *ends])
        wedges.append(extrude(wedge, low + BETWEEN_MM, top_mm + 1.0))
    return union(wedges)


def _needle(room: FigureEnvelope, look: Masonry, number: int) -> tuple[Solid, Solid]:
    """Return a needle of rock: a tall monolith among lower ones on a mound, all in strata.

    Masonry does not show on it.
    """
    import numpy as np

    chance = random.Random(f"needle {number}")
    angles = radial_solid.turn(NEEDLE_COLUMNS)
    top_mm, wide = room.top_mm, room.wide
    heights = np.unique(np.round(np.append(np.arange(0.0, top_mm, 2 * LAYER_MM), top_mm), 4))
    square = radial_solid.square(angles, room.half_mm, 0.6)
    at = [0.0, room.z(TONGUE_MM), room.z(SHAFT_MM), top_mm]
    mound = square * np.interp(heights, at, [1.0, 1.0, 0.56, 0.1])[:, None]
    turn = chance.uniform(0, 6)
    mound = _talus(heights, angles, mound, (room.z(TONGUE_MM), room.z(SHAFT_MM)), wide, chance)
    radii = np.maximum(mound, TIP_MM * wide)
    for index in range(MONOLITHS):
        low = chance.uniform(0.24, 0.34) + 0.08 * (MONOLITHS - index)
        high, reach = (top_mm, 10.0) if not index else (top_mm * low, chance.uniform(12.0, 16.0))
        taper = chance.uniform(*(STONE_TAPER if index else NEEDLE_TAPER))
        way = turn + 2.399 * index
        stone = _monolith(heights, angles, high, reach * wide, way, taper, chance)
        radii = np.maximum(radii, stone)
    body = RadialSolid(heights, angles, np.minimum(radii, square))
    body = body.without_clefts(1.2, square).steady(0.6)
    cavity = body.hollow(room.thick_mm + 0.12, 0.0, top_mm - 6.0, ROUGH_MM).solid()
    return body.solid(), cavity


def _talus(
    heights: Floats,
    angles: Floats,
    mound: Floats,
    zone: tuple[float, float],
    wide: float,
    chance: random.Random,
) -> Floats:
    """Return a mound with fallen stones on it: flat lumps, each askew."""
    import numpy as np

    low, high = zone
    radii = mound.copy()
    for _ in range(FALLEN):
        way, at = (
            chance.uniform(0, 2 * math.pi),
            low + (high - low) * chance.uniform(0.1, 1.2) ** 1.4,
        )
        size, turn = chance.uniform(*FALLEN_MM) * wide, chance.uniform(0, math.pi)
        base = mound[np.searchsorted(heights, at), np.searchsorted(angles, way) - 1]
        across = ((angles - way + math.pi) % (2 * math.pi) - math.pi)[None, :] * base
        up = heights[:, None] - at
        u = across * math.cos(turn) + up * math.sin(turn)
        v = (up * math.cos(turn) - across * math.sin(turn)) * chance.uniform(1.0, 1.6)
        off = np.maximum(np.maximum(abs(u), abs(v)), 0.72 * (abs(u) + abs(v))) / size
        lump = size * chance.uniform(0.9, 1.4) * np.clip(2.8 * (1.0 - off), 0.0, 1.0)
        radii = np.maximum(radii, np.where(lump > 0.0, mound + lump, 0.0))
    return radii


def _monolith(
    heights: Floats,
    angles: Floats,
    high_mm: float,
    reach_mm: float,
    way: float,
    taper: float,
    chance: random.Random,
) -> Floats:
    """Return the radii of a tapered stone with a slanting top, which reaches farthest one way."""
    import numpy as np

    z, t = heights[:, None], angles[None, :]
    bed = np.array([chance.uniform(-0.45, 0.45) for _ in range(BEDS)])
    strata = bed[np.minimum(heights * BEDS / heights[-1], BEDS - 1).astype(int)][:, None]
    radii = np.full((len(heights), len(angles)), np.inf)
    for turn, share in MONOLITH:
        toward = np.maximum(np.cos(t - way - turn - chance.uniform(-0.25, 0.25)), 0.05)
        away = reach_mm * share * (1.0 - taper * chance.uniform(0.85, 1.15) * z / high_mm) + strata
        radii = np.minimum(radii, away / toward)
    slant = np.maximum(np.cos(t - way - chance.uniform(-0.5, 0.5)), 0.15)
    stone: Floats = np.maximum(np.minimum(radii, (high_mm - z) / SLANT / slant), 0.0)
    return stone


SPIRES: Mapping[str, Callable[[FigureEnvelope, Masonry, int], tuple[Solid, Solid]]] = {
    "slate": _slate,
    "round": _round,
    "broken": _broken,
    "crown": _crown,
    "needle": _needle,
}
"""Functions of spires by kind."""

"""Spires on four legs: slated, round and broken. Each prints upright without supports.

Masonry is a groove in the radius: its upper flank, which hangs while it prints, is a slope.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from falldamage_forge.geometry.finish import star
from falldamage_forge.geometry.finish.model import Room
from falldamage_forge.geometry.finish.star import Star
from falldamage_forge.geometry.loft import extrude
from falldamage_forge.geometry.solids import Solid, cut, swept, union

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

LAYER_MM = 0.24
FOOT_MM, SHAFT_MM = 1.92, 13.2
"""Up to where a spire is square, and where its shaft begins."""
COURSE_MM, JOINT_MM, DEEP_MM = 3.36, 0.24, 0.36
ROUGH_MM, THICKER_MM = 0.72, 0.06
"""A spire's cavity keeps clear of what is cut so far above and below, arches and windows, and its
wall, which joints thin, is so much thicker."""


@dataclass(frozen=True, slots=True)
class _Form:
    """A spire's plan: sides (0: round), the shaft's inradius and where it ends."""

    sides: int
    shaft_mm: float
    eaves_mm: float

    def ring(self, angles: Floats, inradius_mm: float) -> Floats:
        import numpy as np

        if not self.sides:
            return np.full(len(angles), inradius_mm)
        return star.polygon(angles, inradius_mm, self.sides)


def spire_body(kind: str, room: Room) -> tuple[Solid, Solid]:
    """A spire about the axis from z = 0, filled, and its cavity with its windows.

    At its foot it is a square, of which arches leave the legs. Raises KeyError for a kind that is
    not in SPIRES.
    """
    return SPIRES[kind](room)


def _heights(top_mm: float, fine: tuple[float, float], step_mm: float) -> Floats:
    """Whole layers from the foot to the top, close together where there is relief."""
    import numpy as np

    coarse = np.arange(0.0, fine[0], 4 * LAYER_MM)
    relief = np.arange(fine[0], fine[1], step_mm)
    tip = np.arange(fine[1], top_mm, 4 * LAYER_MM)
    return np.unique(np.round(np.concatenate([coarse, relief, tip, [top_mm]]), 4))


def _columns(sides: int, joints: int) -> Floats:
    """Angles at corners and at both flanks of every joint, and between."""
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


def _masonry(heights: Floats, angles: Floats, low: float, high: float, joints: int) -> Floats:
    """How deep courses and their joints are cut into a shaft."""
    import numpy as np

    z = heights[:, None] - low
    row = np.floor(z / COURSE_MM)
    over = z - row * COURSE_MM
    bed = np.clip(1.0 - (over - JOINT_MM) / 0.48, 0.0, 1.0)
    bed = np.where(over > COURSE_MM - 0.02, 1.0, bed)
    step = 2 * math.pi / joints
    place = (angles[None, :] / step - 0.5 * (row % 2)) % 1.0
    off = np.minimum(place, 1.0 - place) * step
    head = np.clip((0.034 - off) / 0.02, 0.0, 1.0)
    inside = (heights[:, None] >= low - 0.01) & (heights[:, None] <= high)
    rough = 0.1 * np.sin(7.3 * row + 3.1 * np.floor(angles / step - 0.5 * (row % 2)))
    depth: Floats = np.where(inside, np.maximum(DEEP_MM * np.maximum(bed, head), 0.06 + rough), 0.0)
    return np.maximum(depth, 0.0)


def _slates(heights: Floats, angles: Floats, low: float, high: float, joints: int) -> Floats:
    """How far slates stand out of a roof: each row's foot hangs over the one below it."""
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


def _roofed(form: _Form, room: Room) -> tuple[Solid, Solid]:
    """A shaft of masonry, a corbelled cornice and a roof of slates with a ball."""
    import numpy as np

    joints = 10
    angles = _columns(form.sides, joints)
    top_mm, wide = room.top_mm, room.wide
    shaft, eaves = room.z(SHAFT_MM), room.z(form.eaves_mm)
    roof = eaves + 4.8
    heights = _heights(top_mm, (shaft - 1.0, top_mm - 1.0), LAYER_MM)

    def ring(inradius: float) -> Floats:
        return form.ring(angles, inradius * wide)

    square = star.square(angles, room.half_mm, 0.6)
    rows = [
        (0.0, square),
        (FOOT_MM, square),
        (shaft, ring(form.shaft_mm + 0.4)),
        (shaft + 0.96, ring(form.shaft_mm + 0.4)),
        (shaft + 1.44, ring(form.shaft_mm)),
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
    radii = star.between(heights, rows)
    radii = radii - _masonry(heights, angles, shaft + 1.68, eaves - 0.48, joints)
    radii = radii + _slates(heights, angles, roof, top_mm - 5.2, 12)
    body = Star(heights, angles, np.maximum(radii, 0.6)).steady(0.95)
    cavity = body.hollow(room.wall_mm + THICKER_MM, 0.0, top_mm - 5.0, ROUGH_MM).solid()
    windows = _windows(shaft + 4.2 * wide, eaves - 1.6, 1.7, 4)
    return body.solid(), union([cavity, windows])


def _windows(low: float, high: float, half: float, count: int, phase_deg: float = 0.0) -> Solid:
    """Pointed openings through a wall all round; their heads are steep. None where it is low."""
    import shapely

    spring = high - 1.5 * half
    if spring <= low:
        return union([])
    arch = shapely.Polygon(
        [(-half, low), (half, low), (half, spring), (0.0, high), (-half, spring)]
    )
    slot = swept(extrude(arch, 0.0, 20.0), "y")
    return union([slot.rotate((0, 0, phase_deg + 360.0 * k / count)) for k in range(count)])


def _slate(room: Room) -> tuple[Solid, Solid]:
    return _roofed(_Form(8, 10.8, 27.6), room)


def _round(room: Room) -> tuple[Solid, Solid]:
    return _roofed(_Form(0, 10.9, 31.2), room)


def _broken(room: Room) -> tuple[Solid, Solid]:
    """What is left of a tower: two storeys of windows, a torn crown, open to the sky."""

    form, joints = _Form(8, 11.2, 0.0), 8
    angles = _columns(8, joints)
    top_mm, wide = room.top_mm, room.wide
    shaft, storey = room.z(SHAFT_MM), room.z(34.08)
    heights = _heights(top_mm, (shaft - 1.0, top_mm - 0.5), LAYER_MM)
    square = star.square(angles, room.half_mm, 0.6)
    rows = [
        (0.0, square),
        (FOOT_MM, square),
        (shaft, form.ring(angles, 11.6 * wide)),
        (shaft + 0.96, form.ring(angles, 11.6 * wide)),
        (shaft + 1.44, form.ring(angles, 11.2 * wide)),
        (storey - 1.2, form.ring(angles, 11.2 * wide)),
        (storey - 0.48, form.ring(angles, 11.8 * wide)),
        (storey + 0.96, form.ring(angles, 11.8 * wide)),
        (storey + 1.44, form.ring(angles, 11.2 * wide)),
        (top_mm, form.ring(angles, 11.2 * wide)),
    ]
    radii = star.between(heights, rows)
    radii = radii - _masonry(heights, angles, shaft + 1.68, storey - 1.44, joints)
    radii = radii - _masonry(heights, angles, storey + 1.68, top_mm, joints)
    body = Star(heights, angles, radii).steady(0.95)
    cavity = body.hollow(room.wall_mm + 0.3, 0.0, top_mm + 16.0, ROUGH_MM).solid()
    windows = _windows(shaft + 5.0 * wide, storey - 4.0, 1.8, 4)
    upper = _windows(storey + 3.4, storey + 11.6 * room.up, 1.8, 4, 45.0)
    return cut(body.solid(), [_sky(top_mm, room.up)]), union([cavity, windows, upper])


def _sky(top_mm: float, up: float) -> Solid:
    """What is broken off: wedges that end at uneven courses."""
    import shapely

    chance = random.Random("broken")
    wedges, count = [], 16
    for index in range(count):
        angle = 2 * math.pi * (index + 0.5) / count
        wave = 0.5 + 0.5 * math.sin(angle + 0.8)
        courses = round((4.6 * wave + chance.uniform(-0.6, 0.9)) * up)
        low = max(top_mm - 1.0 - COURSE_MM * courses, top_mm - 19.0 * up)
        ends = [(30 * math.cos(a), 30 * math.sin(a)) for a in (angle - 0.2, angle + 0.2)]
        wedges.append(extrude(shapely.Polygon([(0.0, 0.0), *ends]), low, top_mm + 1.0))
    return union(wedges)


SPIRES: Mapping[str, Callable[[Room], tuple[Solid, Solid]]] = {
    "slate": _slate,
    "round": _round,
    "broken": _broken,
}
"""Spires by kind."""

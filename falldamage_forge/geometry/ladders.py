"""Ladders: blades at foot and head that enter keyholes, and sections for tall walls.

A ladder leans north at the edge of its foot's tile and is lowered from above. Two blades at its
foot enter that tile's keyholes, two at its head those of the supporting tile's top. It is printed
lying on its front.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING

from falldamage_forge.geometry.bridges import FOOT_BLADE, LIP_LOW_MM, blades, hook_blade
from falldamage_forge.geometry.connector_standard import LAYER_MM, STANDARD, places
from falldamage_forge.geometry.csg import (
    Solid,
    force_evaluation,
    hull,
    stand_upright,
    subtract,
    translate,
    union,
)
from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.geometry.loft import RELIEF, extrude, prism
from falldamage_forge.geometry.piece_style import SurfaceFinish
from falldamage_forge.pieces.piece import Piece

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

RAIL_MM = 2.1
"""Width of a rail; rails stand over the keyholes."""
RUNG_MM, RUNG_STEP_MM = 1.7, 6.0
FREE_MM = 1.6
"""Least height between a rung and a bar."""
SLIT_MM = 0.3
"""Half the width of the slits that are closed."""
HEWN_MM, HEWN_STEP_MM, STRAIGHT_MM = 0.4, 5, 2.5
"""Greatest waviness of a rail's outside, the height between its bends, and its straight ends."""
PEG_MM = 0.7
"""Greatest length by which rungs stand out beside their rails: parts at the corners begin there."""
BAR_MM = 2.0
JOIN_BAR_MM = 5.6
"""Height of a section's bar with the slot, which begins at the joint."""
BACK_MM = 0.05
"""Distance of a ladder's back from its tile's edge; the wall behind is a side gap farther."""
HOOK_LAYERS = 16
TONGUE_HALF_MM = 3.3
"""Half width of a tongue."""
WEDGE_MM = 0.6
"""Difference in width between a tongue's front and back, so that it wedges in its slot."""


def ladder(piece: Piece, fit: DesignParameters, finish: SurfaceFinish) -> Solid:
    """Return a ladder or a section of one.

    The piece's `part` is whole, lower, middle or upper: lower ends have a tongue, upper ones a
    slot. A `low` ladder stands on a cap and is shorter by the cap's height.

    Args:
        piece: Piece to draw, with its grid and parameters.
        fit: Design parameters of the printer and grid, in mm.
        finish: Looks of its sides and top.
    """
    bottom = STANDARD.cap_mm if piece["low"] else 0.0
    make = "sawn" if finish.top == "bare" else MAKES[piece.variant]
    return _ladder(fit.grid.height_mm(piece.levels), bottom, str(piece["part"]), make, fit)


@cache
def _ladder(top: float, bottom: float, part: str, make: str, fit: DesignParameters) -> Solid:
    """Return a ladder with its foot or joint at z = `bottom`, leaning on the tile's north edge."""
    import shapely

    footed, headed = part in ("whole", "lower"), part in ("whole", "upper")
    x = fit.grid.pitch_mm / 2
    back = x - BACK_MM
    face = _face(top, bottom, places(fit).key_at_mm, footed, make)
    thick = STANDARD.ladder_mm
    body = translate(stand_upright(prism(face, 0.0, thick, high=RELIEF), "y"), y_mm=back)
    parts = [body]
    if footed:
        # Its front lies on the bed: blades begin there and not before.
        room = extrude(shapely.box(-x, back - thick, x, back), -1.0, 0.0)
        foot = blades(fit, FOOT_BLADE, to_mm=back, bed_mm=foot_bed_mm(fit))
        parts.append(translate(foot ^ room, z_mm=bottom))
    if headed:
        parts.append(translate(_hook(fit), z_mm=top))
    whole = union(parts)
    if not headed:
        whole = union([whole, translate(tongue(0.0), y_mm=back, z_mm=top)])
    if not footed:
        whole = subtract(whole, [translate(tongue(0.06), y_mm=back, z_mm=bottom)])
    return force_evaluation(translate(whole, x, -x))


def _face(top: float, bottom: float, at: float, footed: bool, make: str) -> BaseGeometry:
    """Return the ladder seen from the front: (x, z) about its middle line."""
    import shapely

    wide, chance = at + RAIL_MM / 2, random.Random(f"{make} {top} {bottom}")
    low = BAR_MM if footed else JOIN_BAR_MM
    bars = [
        shapely.box(-wide, bottom, wide, bottom + low),
        shapely.box(-wide, top - BAR_MM, wide, top),
    ]
    rungs = [
        z
        for z in (4.8 + index * RUNG_STEP_MM for index in range(math.ceil(top / RUNG_STEP_MM)))
        if bottom + low + FREE_MM < z - RUNG_MM / 2 and z + RUNG_MM / 2 < top - BAR_MM - FREE_MM
    ]
    rails = [_rail(side, bottom, top, at, make, chance) for side in (-1, 1)]
    whole = shapely.union_all([*rails, *bars, *RUNGS[make](rungs, at, chance)])
    if make != "mended":
        return whole
    # Slits between a slat and a stub are too narrow to print.
    return whole.buffer(SLIT_MM, join_style="mitre").buffer(-SLIT_MM, join_style="mitre")


def _rail(
    side: int, bottom: float, top: float, at: float, make: str, chance: random.Random
) -> BaseGeometry:
    """Return a rail; its outside is wavy between its ends unless it is sawn."""
    import shapely

    inside, outside = at - RAIL_MM / 2, at + RAIL_MM / 2
    # Corners are square, so that a slicer draws the ends straight.
    low, high = bottom + STRAIGHT_MM, top - STRAIGHT_MM
    bends = range(math.ceil(low + 2), math.floor(high - 1), HEWN_STEP_MM)
    wavy = [
        (outside, low),
        *((outside + chance.uniform(0, HEWN_MM), z) for z in bends),
        (outside, high),
    ]
    edge = [(outside, bottom), *(() if make == "sawn" else wavy), (outside, top)]
    return shapely.Polygon([(side * x, z) for x, z in [(inside, bottom), *edge, (inside, top)]])


def _bar(left: float, right: float, z: float, tilt: float = 0.0) -> BaseGeometry:
    """Return a rung from `left` to `right`, whose right end is `tilt` mm higher than its left."""
    import shapely

    half = RUNG_MM / 2
    low, high = z - tilt / 2, z + tilt / 2
    return shapely.Polygon(
        [(left, low - half), (right, high - half), (right, high + half), (left, low + half)]
    )


def _sawn(rungs: list[float], at: float, chance: random.Random) -> Iterator[BaseGeometry]:
    """Yield rungs between two straight rails."""
    wide = at + RAIL_MM / 2 - 0.4
    yield from (_bar(-wide, wide, z) for z in rungs)


def _pegged(rungs: list[float], at: float, chance: random.Random) -> Iterator[BaseGeometry]:
    """Yield rungs that go through their rails."""
    wide = at + RAIL_MM / 2 + PEG_MM
    yield from (_bar(-wide, wide, z) for z in rungs)


def _lashed(rungs: list[float], at: float, chance: random.Random) -> Iterator[BaseGeometry]:
    """Yield crooked rungs with ropes round their ends."""
    import shapely

    wide = at + RAIL_MM / 2 + PEG_MM
    for z in rungs:
        tilt = chance.uniform(-1.2, 1.2)
        yield _bar(-wide, wide, z, tilt)
        for side in (-1, 1):
            knot = shapely.Point(side * at, z + side * tilt / 2 * at / wide)
            yield knot.buffer(RAIL_MM / 2 + PEG_MM, quad_segs=2)


def _mended(rungs: list[float], at: float, chance: random.Random) -> Iterator[BaseGeometry]:
    """Yield pegged rungs, of which some are broken; a slat crosses each gap aslant."""
    wide = at + RAIL_MM / 2 + PEG_MM
    first = chance.randrange(1, 3)
    for number, z in enumerate(rungs):
        if number % 4 != first:
            yield _bar(-wide, wide, z)
            continue
        stub = at - RAIL_MM / 2 - 1.4
        yield from (_bar(-wide, -stub, z, -0.4), _bar(stub, wide, z, 0.4))
        yield _bar(0.6 - wide, wide - 0.6, z, chance.choice((-0.9, 0.9)) * RUNG_STEP_MM)


def _slats(rungs: list[float], at: float, chance: random.Random) -> Iterator[BaseGeometry]:
    """Yield short boards of uneven length and height."""
    wide = at + RAIL_MM / 2
    for z in rungs:
        left, right = (wide + chance.uniform(0.0, PEG_MM) for _ in range(2))
        thick, tilt = chance.uniform(0.4, 1.2), chance.uniform(-0.7, 0.7)
        yield _bar(-left, right, z + thick / 2, tilt)
        yield _bar(-left, right, z - thick / 2, tilt)


RUNGS: dict[str, Callable[[list[float], float, random.Random], Iterator[BaseGeometry]]] = {
    "sawn": _sawn,
    "pegged": _pegged,
    "lashed": _lashed,
    "mended": _mended,
    "slats": _slats,
}
"""Rungs by the make of a ladder, from their heights and the distance of rails from the middle."""
MAKES = ("pegged", "lashed", "mended", "slats")
"""Makes by variant; plain ladders are sawn."""


def foot_bed_mm(fit: DesignParameters) -> float:
    """Return the position of the bed in mm from the middle of the tile below the foot."""
    return round(fit.grid.pitch_mm / 2 - BACK_MM - STANDARD.ladder_mm, 4)


def hook_bed_mm(fit: DesignParameters) -> float:
    """Return the position of the bed in mm from the middle of the tile that the hook hangs in."""
    return round(fit.grid.pitch_mm / 2 + BACK_MM + STANDARD.ladder_mm, 4)


def _hook(fit: DesignParameters) -> Solid:
    """Return the head's blades for the tile behind, and the lip in its groove."""
    import shapely

    pitch = fit.grid.pitch_mm
    wide = places(fit).key_at_mm + RAIL_MM / 2
    own = pitch / 2 + BACK_MM + 0.3
    bed = hook_bed_mm(fit)
    there = blades(fit, hook_blade(fit), to_mm=own, bed_mm=bed)
    # In whole layers above the bed, and clear of the skirt behind.
    bar = shapely.box(-wide, bed - HOOK_LAYERS * LAYER_MM, wide, own)
    hand = union([there, extrude(bar, LIP_LOW_MM, 0.0)])
    return hand.rotate((0, 0, 180)).translate((0.0, pitch, 0.0))


def tongue(grow_mm: float) -> Solid:
    """Return the wedge that joins two sections: a T that narrows from a ladder's front to its back.

    It lies about x = 0, its root at z = 0, its back at y = 0, its front at y = -thickness. The
    upper section cannot swing away from the wall, because its slot would have to narrow.

    Args:
        grow_mm: Offset of the outline; above 0 for the slot.
    """
    thick = STANDARD.ladder_mm
    over = 1.0 if grow_mm else 0.0
    stem, head = 1.9 + grow_mm, TONGUE_HALF_MM + grow_mm
    low, high = 1.6 - grow_mm, 3.4 + grow_mm
    # Drawn in on the bed, as the slot is flared there, against elephant's foot.
    relief = -RELIEF[0] if grow_mm else RELIEF[0]
    bend = WEDGE_MM * RELIEF[1] / thick
    levels = [(0.0, WEDGE_MM, 0.0), (RELIEF[1] - thick, bend, 0.0), (-thick, relief, relief)]
    parts = []
    for wide, z0, z1, low_too in ((stem, -0.3 - over, low + 0.5, 0.0), (head, low, high, 1.0)):
        for two in (levels[:2], levels[1:]):
            points = []
            for y, slim, end in two:
                ends = (z0 + low_too * end, z1 - low_too * end)
                points += [(x * (wide - slim), y, z) for x in (-1, 1) for z in ends]
            parts.append(hull(points))
    return union(parts)

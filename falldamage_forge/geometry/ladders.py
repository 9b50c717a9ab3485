"""Ladders: blades at foot and head that enter keyholes, and sections for tall walls.

A ladder leans north at the edge of its foot's tile and is lowered from above. Two blades at its
foot enter that tile's keyholes, two at its head those of the supporting tile's top. It is printed
lying on its front.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from falldamage_forge.geometry.bridges import FOOT_BLADE, HOOK_BLADE, LIP_LOW_MM, blades
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
    """
    bottom = STANDARD.cap_mm if piece["low"] else 0.0
    return _ladder(fit.grid.height_mm(piece.levels), bottom, str(piece["part"]), fit)


@cache
def _ladder(top: float, bottom: float, part: str, fit: DesignParameters) -> Solid:
    """Return a ladder with its foot or joint at z = `bottom`, leaning on the tile's north edge."""
    import shapely

    footed, headed = part in ("whole", "lower"), part in ("whole", "upper")
    x = fit.grid.pitch_mm / 2
    back = x - BACK_MM
    face = _face(top, bottom, places(fit).key_at_mm, footed, headed)
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


def _face(top: float, bottom: float, at: float, footed: bool, headed: bool) -> BaseGeometry:
    """Return the ladder seen from the front: (x, z) about its middle line."""
    import shapely

    half, wide = RAIL_MM / 2, at + RAIL_MM / 2
    rails = [shapely.box(x - half, bottom, x + half, top) for x in (-at, at)]
    low = BAR_MM if footed else JOIN_BAR_MM
    bars = [
        shapely.box(-wide, bottom, wide, bottom + low),
        shapely.box(-wide, top - BAR_MM, wide, top),
    ]
    count = int((top - 1e-6) // RUNG_STEP_MM) + 1
    for index in range(count):
        z = 4.8 + index * RUNG_STEP_MM
        if bottom + low + 1.6 < z - RUNG_MM / 2 and z + RUNG_MM / 2 < top - BAR_MM - 1.6:
            bars.append(shapely.box(-wide + 0.4, z - RUNG_MM / 2, wide - 0.4, z + RUNG_MM / 2))
    return shapely.union_all([*rails, *bars])


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
    there = blades(fit, HOOK_BLADE, to_mm=own, bed_mm=bed)
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

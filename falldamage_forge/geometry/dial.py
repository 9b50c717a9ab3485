"""Stand and wheel of a unit: a dial of its Health under a figure's feet.

The stand lies on the wheel, its hub in the wheel's bore; the figure's two legs go through the hub
and click under the wheel's ledge. The wheel has ten places, 1 to 9 and `+`. Two spring arcs of it
carry a bump each, which falls into the hub's grooves. Both parts are printed face down. Solids are
drawn as in play: z = 0 is the table, the front looks to the south, the number shows at the back.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from falldamage_forge.geometry.csg import Solid, subtract, union
from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.geometry.engraved_text import sign_outline, stroke_outline, text
from falldamage_forge.geometry.loft import RELIEF, Chamfer, extrude, prism
from falldamage_forge.geometry.piece_style import SurfaceFinish
from falldamage_forge.geometry.terrain_features import on_tile
from falldamage_forge.pieces.piece import Piece

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

PLACES = "123456789+"
"""Numbers of the wheel, in its ten places."""
STEP_DEG = 360 / len(PLACES)
WHEEL_MM, WASHER_MM, STAND_MM = 2.40, 0.24, 2.16
"""Heights of the wheel, of the stand's washer on it, and of the stand."""
TOP_MM = WHEEL_MM + WASHER_MM + STAND_MM
LEDGE_MM, HUB_FOOT_MM = 1.44, 0.48
"""Undersides of the wheel's ledge and of the hub, over the table."""
RADIUS_MM, FACE_MM, HUB_MM = 12.5, 12.1, 5.6
"""Radii of the wheel, of the stand and of the hub."""
LEG_MM, LEG_FOOT_MM, SLIT_MM = 1.4, 0.24, 4.08
"""Width of a figure's leg, its end over the table, and the top of its slit over the stand."""
THICK_MM = 2.40
"""Thickness of a figure and of its legs."""
HALF_MM = HUB_MM - 0.1
"""Half of the distance across both legs."""
CATCH_MM = 0.42
"""Overlap of a leg's barb with the ledge."""
ARC_MM, ARC_DEG, BEHIND_MM = 0.84, 126.0, 0.60
"""Thickness of a spring arc, its span, and the slot behind it."""
GROOVE_MM, GROOVE_RADIUS_MM, BUMP_RADIUS_MM = 0.40, 1.1, 0.8
CLICK = 0.75
"""Share of the printer's click by which a bump overlaps the hub between two places."""
SIGN_DEPTH_MM, DIGIT_MM, DIGIT_STROKE_MM, DIGIT_AT_MM = 0.48, 3.2, 0.6, 9.85
WINDOW_DEG, WINDOW_FROM_MM = 17.0, 7.8
GRIP_MM = 2.0
"""Radius of the scallops in the wheel's rim."""
MOUTH: Chamfer = (-0.2, 0.48)
"""Chamfer of the wheel's bore and slots; a wider one would leave no arc in its first layer."""


def bore_mm(fit: DesignParameters) -> float:
    """Return the radius of the wheel's bore."""
    return HUB_MM + fit.fit_mm


def barb_mm(fit: DesignParameters) -> float:
    """Return the distance of a barb's tip from the middle of the figure, along it."""
    return math.sqrt((bore_mm(fit) + CATCH_MM) ** 2 - (THICK_MM / 2) ** 2)


def arc_length_mm(fit: DesignParameters) -> float:
    """Return the length of a spring arc along its middle."""
    return math.radians(ARC_DEG) * (bore_mm(fit) + ARC_MM / 2)


def leg_length_mm() -> float:
    """Return the length of a leg from the middle of its barb to the end of its slit."""
    return TOP_MM + SLIT_MM - (LEG_FOOT_MM + LEDGE_MM) / 2


def _disc(radius_mm: float, x: float = 0.0, y: float = 0.0) -> BaseGeometry:
    import shapely

    return shapely.Point(x, y).buffer(radius_mm, quad_segs=24)


def _at(radius_mm: float, angle_deg: float) -> tuple[float, float]:
    angle = math.radians(angle_deg)
    return radius_mm * math.cos(angle), radius_mm * math.sin(angle)


def _sector(low_mm: float, high_mm: float, span_deg: float, at_deg: float) -> BaseGeometry:
    """Return a part of a ring."""
    import shapely

    angles = [at_deg + span_deg * (step / 32 - 0.5) for step in range(33)]
    outer = [_at(high_mm, angle) for angle in angles]
    return shapely.Polygon([*outer, *(_at(low_mm, angle) for angle in reversed(angles))])


def _rounded(area: BaseGeometry, radius_mm: float) -> BaseGeometry:
    """Return the area with round corners: a chamfer of sharp ones overhangs too far."""
    return area.buffer(-radius_mm, quad_segs=8).buffer(radius_mm, quad_segs=8).simplify(0.01)


def _slot(half_mm: float, fit: DesignParameters) -> BaseGeometry:
    """Return the slot of a figure's legs."""
    import shapely

    deep = THICK_MM / 2 + fit.fit_mm
    return shapely.box(-half_mm, -deep, half_mm, deep)


def _hub() -> BaseGeometry:
    import shapely

    at = HUB_MM - GROOVE_MM + GROOVE_RADIUS_MM
    places = range(len(PLACES))
    grooves = [_disc(GROOVE_RADIUS_MM, *_at(at, 90 + STEP_DEG * k)) for k in places]
    return shapely.difference(_disc(HUB_MM), shapely.union_all(grooves))


def _side_mark(side: str) -> BaseGeometry:
    """Return a sun or a crescent of the size of a class sign."""
    import shapely

    if side == "moon":
        return shapely.difference(_disc(3.0), _disc(2.6, 0.6))
    rays = [[_at(1.9, 45.0 * k), _at(3.1, 45.0 * k)] for k in range(8)]
    return shapely.union(_disc(0.6), stroke_outline(rays))


def _face(side: str) -> BaseGeometry:
    """Return the stand from above: the sun's rim has notches; the window shows the number."""
    import shapely

    tools = [_sector(WINDOW_FROM_MM, FACE_MM + 1, 2 * WINDOW_DEG, 90.0)]
    if side == "sun":
        tools += [
            stroke_outline([[_at(FACE_MM - 0.5, 30.0 * k), _at(FACE_MM + 2, 30.0 * k)]], 0.9)
            for k in range(12)
            if k != 3
        ]
    return shapely.difference(_disc(FACE_MM), shapely.union_all(tools))


def stand(piece: Piece, fit: DesignParameters, finish: SurfaceFinish) -> Solid:
    """Return a unit's stand: marks of its side and class, and the hub of its wheel.

    Args:
        piece: Piece to draw, with its grid and parameters.
        fit: Design parameters of the printer and grid, in mm.
        finish: Looks of its sides and top.
    """
    import shapely
    from shapely import affinity

    low = WHEEL_MM + WASHER_MM
    marks = [
        affinity.translate(sign_outline(str(piece["sign"]), 3.9), -4.2, -6.2),
        affinity.translate(_side_mark(str(piece["side"])), 4.4, -6.2),
    ]
    body = union(
        [
            prism(_face(str(piece["side"])), low, TOP_MM, high=RELIEF),
            extrude(_disc(HUB_MM + 1.2), WHEEL_MM, low + 0.1),
            extrude(_hub(), HUB_FOOT_MM, low + 0.1),
        ]
    )
    slot = extrude(_slot(HALF_MM + fit.fit_mm, fit), -1.0, TOP_MM + 1.0)
    signs = extrude(shapely.union_all(marks), TOP_MM - SIGN_DEPTH_MM, TOP_MM + 1.0)
    return on_tile(subtract(body, [slot, signs]), fit)


def _void(fit: DesignParameters) -> BaseGeometry:
    """Return the bore round two bumps, and the slots that make their arcs spring."""
    import shapely

    bore, crest = bore_mm(fit), HUB_MM - CLICK * fit.click_mm
    at = (90.0, 270.0)
    bumps = [_disc(BUMP_RADIUS_MM, *_at(crest + BUMP_RADIUS_MM, angle)) for angle in at]
    sides = bore + ARC_MM, bore + ARC_MM + BEHIND_MM
    slots = [_rounded(_sector(*sides, ARC_DEG, angle), BEHIND_MM / 2 - 0.02) for angle in at]
    return shapely.union_all([shapely.difference(_disc(bore), shapely.union_all(bumps)), *slots])


def wheel(piece: Piece, fit: DesignParameters, finish: SurfaceFinish) -> Solid:
    """Return the wheel of a dial in its first place; turned clockwise it shows the next.

    Args:
        piece: Piece to draw, with its grid and parameters.
        fit: Design parameters of the printer and grid, in mm.
        finish: Looks of its sides and top.
    """
    import shapely
    from shapely import affinity

    numbers = [
        affinity.rotate(
            affinity.translate(
                affinity.rotate(text(number, DIGIT_MM, DIGIT_STROKE_MM), 180, origin=(0, 0)),
                0.0,
                DIGIT_AT_MM,
            ),
            STEP_DEG * place,
            origin=(0, 0),
        )
        for place, number in enumerate(PLACES)
    ]
    signs = extrude(shapely.union_all(numbers), WHEEL_MM - SIGN_DEPTH_MM, WHEEL_MM + 1.0)
    room = extrude(_disc(bore_mm(fit) + ARC_MM + 0.2), -1.0, LEDGE_MM)
    grip = [
        _disc(GRIP_MM, *_at(RADIUS_MM + GRIP_MM - 0.5, 90 + STEP_DEG * (k + 0.5)))
        for k in range(len(PLACES))
    ]
    rim = _rounded(shapely.difference(_disc(RADIUS_MM), shapely.union_all(grip)), 1.0)
    body = prism(rim, 0.0, WHEEL_MM, high=RELIEF)
    void = prism(_void(fit), -1.0, WHEEL_MM, high=MOUTH, beyond_mm=1.0)
    return on_tile(subtract(body, [void, room, signs]), fit)

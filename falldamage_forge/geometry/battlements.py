"""Battlements and railings: parapets on one to four sides of a tile.

The tile remains usable as a surface, and an open side takes a bridge's end or a ladder's head. They
are printed upside down, on the merlons or on the bar of a railing.
"""

from __future__ import annotations

import random
from functools import cache
from typing import TYPE_CHECKING

from falldamage_forge.geometry.bridges import blades, bulb_ends_mm
from falldamage_forge.geometry.connector_standard import LAYER_MM, STANDARD, heads, places
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
from falldamage_forge.geometry.footprint import offset_polygon, rotate_polygon, square
from falldamage_forge.geometry.legs import CORNERS, Corner, corner_squares, leg_solids
from falldamage_forge.geometry.loft import RELIEF, extrude, loft_profile, prism
from falldamage_forge.geometry.piece_style import SurfaceFinish
from falldamage_forge.geometry.relief.broken_parapets import BROKEN, broken_merlon, broken_tower
from falldamage_forge.geometry.relief.elements import RISE, Point, between
from falldamage_forge.geometry.relief.groove_solids import CORNER_RISE, JOINT_MM, v_joint
from falldamage_forge.geometry.relief.parapet_joints import parapet_joints
from falldamage_forge.geometry.stud import LINES_MM
from falldamage_forge.pieces.piece import Piece

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

PARAPET_MM, MERLON_MM = 3.84, 10.08
"""Heights of a battlement's wall and of its merlons."""
COPING_MM, SET_BACK_MM = 1.44, 0.4
"""Height of the coping, and how far merlons stand back between it and the wall's string course."""
BAR_MM = 1.92
"""Thickness of a railing's bar, which is printed first."""
MERLON_HALF_MM, CRENEL_MM = 2.0, 2.6
"""Minimum half width of the middle merlon, maximum half width of a gap."""
BASE_SEGMENTS = 12
"""Edges in a quarter of the round room for a base."""
SILL_MM = 0.7
"""Distance of joints from the sills of gaps."""
SKIN_MM = 0.96
"""Thickness of a hollow corner's top."""
CORBEL_MM = 0.9
OVER_BEND_MM = 1.2
"""Least height of a broken tower over the slot of a flange."""
TONGUE_MM, BEND_TOP_MM = 3.3, 5.52
"""Width of the tongue that carries a bead, and the height above the tile at which it bends."""
BEND_MM = 0.40
"""Free space behind a flange that bends."""


def battlement(piece: Piece, fit: DesignParameters, finish: SurfaceFinish) -> Solid:
    """Return the parapet on the sides that the piece's `sides` lists (letters `nesw`).

    Args:
        piece: Piece to draw, with its grid and parameters.
        fit: Design parameters of the printer and grid, in mm.
        finish: Looks of its sides and top.
    """
    x, y = fit.grid.centre_mm(0, 0)
    solid = _battlement(str(piece["sides"]), fit, rail_mm(piece), finish.wall, piece.variant)
    return translate(solid, x, y)


def rail_mm(piece: Piece) -> float:
    """Return the height of a railing in mm; 0 for merlons."""
    return float(dict(piece.params).get("rail", 0.0))


def height_mm(piece: Piece) -> float:
    """Return the height in mm of a battlement or a railing above its tile."""
    return rail_mm(piece) or MERLON_MM


def sides_of(letters: str) -> tuple[int, ...]:
    """Return indices of `SIDES` from letters `nesw`."""
    return tuple("nesw".index(letter) for letter in letters)


@cache
def _battlement(letters: str, fit: DesignParameters, rail: float, wall: str, variant: int) -> Solid:
    import shapely

    sides = sides_of(letters)
    corners = tuple(CORNERS[k] for k in range(4) if {k, (k + 1) % 4} & set(sides))
    shape, towers = _plan(sides, corners, fit)
    gaps = _gaps(fit)
    merlons = shapely.difference(shape, _crenels(gaps))
    high = rail or MERLON_MM
    parts = [
        _parapet(shape, gaps),
        prism(merlons, PARAPET_MM - 0.2, high, high=RELIEF),
    ]
    if rail:
        parts.append(prism(shape, rail - BAR_MM, rail, high=RELIEF))
    broken = wall in BROKEN and not rail
    lost, near = _lost(sides, towers, fit, f"{letters} {variant}") if broken else ([], [])
    inside = [subtract(room, near) for room in _hollows(towers, fit, high)]
    body = subtract(
        union(parts) ^ _faces(fit, high, corners),
        [*_joints(sides, fit, high, wall, variant, broken), *inside, *lost],
    )
    below = [leg_solids(fit, STANDARD.parapet_click * fit.click_mm, corners)]
    if len(sides) == 1:
        below += [hook.rotate((0, 0, -90 * sides[0])) for hook in _corbels(fit)]
    return force_evaluation(subtract(union([body, *below]), [_bends(fit, corners)]))


def _plan(
    sides: tuple[int, ...], corners: tuple[Corner, ...], fit: DesignParameters
) -> tuple[BaseGeometry, BaseGeometry]:
    """Return the parapet seen from above, and its corners: they fill what a round base leaves."""
    import shapely

    at, outline = places(fit), square(heads(fit).outline_mm)
    half, inner = at.half_mm, at.parapet_mm
    walls = [rotate_polygon(shapely.box(-half, inner, half, half), side) for side in sides]
    base = shapely.Point(0, 0).buffer(inner, quad_segs=BASE_SEGMENTS)
    towers = shapely.difference(corner_squares(fit, at.leg_from_mm, corners), base)
    return shapely.intersection(outline, shapely.union_all([*walls, towers])), towers


def _faces(fit: DesignParameters, high: float, corners: tuple[Corner, ...]) -> Solid:
    """Return the volume inside the outer faces: string course, merlons set back, coping.

    Over flanges, which keep their thickness, faces stand back higher up.
    """
    outline, back, top = square(heads(fit).outline_mm), SET_BACK_MM, high - COPING_MM

    def faces(foot: float) -> Solid:
        profile = [(-1.0, 0.0), (foot, 0.0), (foot + back * CORNER_RISE, back), (top + 0.1, back)]
        return loft_profile(outline, profile)

    flanges = extrude(_flanges(fit, corners, STANDARD.leg_slot_mm), -1.0, high)
    return union([faces(PARAPET_MM), faces(BEND_TOP_MM) ^ flanges, extrude(outline, top, high + 1)])


def _hollows(towers: BaseGeometry, fit: DesignParameters, high: float) -> list[Solid]:
    """Return the cavities of the corners, open below: a wall behind joints, no infill."""
    import shapely

    wall = fit.wall_mm + JOINT_MM
    sizes = heads(fit)
    inside = square(sizes.outline_mm - SET_BACK_MM - wall)
    # Behind the free space of a flange there is a wall too.
    flanges = shapely.difference(
        _flanges(fit, CORNERS, STANDARD.leg_slot_mm),
        square(sizes.skirt_mm - BEND_MM - fit.wall_mm),
    )
    room = shapely.difference(shapely.intersection(offset_polygon(towers, -wall), inside), flanges)
    return [] if room.is_empty else [extrude(room, -0.1, high - SKIN_MM)]


def _lost(
    sides: tuple[int, ...], towers: BaseGeometry, fit: DesignParameters, seed: str
) -> tuple[list[Solid], list[Solid]]:
    """Return the volumes that a ruin has lost, and those without room for hollows."""
    import shapely

    chance = random.Random(f"broken {seed}")
    beside = places(fit).leg_from_mm + TONGUE_MM + STANDARD.leg_slot_mm
    kept, least = (heads(fit).outline_mm, beside), BEND_TOP_MM + OVER_BEND_MM
    merlons = [(side, broken_merlon(chance, _gaps(fit), MERLON_MM, PARAPET_MM)) for side in sides]
    corners = [
        both
        for tower in (shapely.get_parts(towers) if len(sides) > 1 else ())
        if (both := broken_tower(chance, tower, MERLON_MM, kept, least))
    ]
    lost = [tool.rotate((0, 0, -90 * side)) for side, tool in merlons]
    return [*lost, *(tool for tool, _ in corners)], [tool for _, tool in corners]


def _joints(
    sides: tuple[int, ...],
    fit: DesignParameters,
    high: float,
    wall: str,
    variant: int,
    broken: bool,
) -> list[Solid]:
    """Return the joints of all sides as tools, cut as deep into each of the three faces.

    A broken parapet has joints below its breaks alone: one that meets a break leaves a tip there.
    """
    far = heads(fit).outline_mm
    _, (gap_from, gap_to) = _gaps(fit)
    # Below, joints end before the flanges, which bend and keep their thickness.
    bands = (
        (JOINT_MM * CORNER_RISE, PARAPET_MM, far, gap_to),
        (PARAPET_MM, high - COPING_MM, far - SET_BACK_MM, far),
        (high - COPING_MM + LAYER_MM, high, far, far),
    )
    over = (BEND_TOP_MM + (SET_BACK_MM + JOINT_MM) * CORNER_RISE, *bands[1][1:])
    flanged = (bands[0], (*bands[1][:3], gap_to), over, bands[2])
    tools = []
    for side in sides:
        for a, b in parapet_joints(wall, f"{variant} {side}", far, high):
            # A joint that splits the tip of a sill would leave two tips in the air.
            at_gap = any(gap_from - SILL_MM < abs(u) < gap_to + SILL_MM for u, _ in (a, b))
            whole = flanged if side % 2 else bands
            for low, top, face, reach in bands[:1] if at_gap or broken else whole:
                if ends := _within(a, b, low, top - SILL_MM * (at_gap + broken)):
                    inner = [(max(-reach, min(reach, u)), v) for u, v in ends]
                    tools.append(v_joint(inner[0], inner[1], face).rotate((0, 0, -90 * side)))
    return tools


def _within(a: Point, b: Point, low: float, high: float) -> tuple[Point, Point] | None:
    """Return the part of a joint between two heights, or None."""
    if a[1] > b[1]:
        a, b = b, a
    if b[1] <= low or a[1] >= high:
        return None
    if a[1] == b[1]:
        return a, b
    first, last = ((min(max(v, low), high) - a[1]) / (b[1] - a[1]) for v in (a[1], b[1]))
    return between(a, b, first), between(a, b, last)


def _corbels(fit: DesignParameters) -> list[Solid]:
    """Return the blades that hold a single side in its keyholes, and their corbels.

    They point north about (0, 0). Without corbels a blade's bulb would be printed in the air.
    """
    at = places(fit)
    (inner, _), wall = bulb_ends_mm(fit), at.parapet_mm
    rise = (wall - inner + 0.02) * RISE
    solids = [blades(fit, to_mm=heads(fit).outline_mm)]
    for x in (-at.key_at_mm, at.key_at_mm):
        ends = (x - CORBEL_MM, x + CORBEL_MM)
        points = [(inner, 0.0), (wall + 0.02, 0.0), (wall + 0.02, rise)]
        solids.append(hull([(end, y, z) for end in ends for y, z in points]))
    return solids


def _gaps(fit: DesignParameters) -> tuple[tuple[float, float], ...]:
    """Return (from, to) of the two gaps of a side.

    The wall between a gap's sloping sill and the slot of a flange is nowhere thinner than others.
    """
    clear = STANDARD.leg_slot_mm + LINES_MM + (BEND_TOP_MM - PARAPET_MM) / RISE
    middle = places(fit).leg_from_mm - clear
    half = min(CRENEL_MM, middle - MERLON_HALF_MM)
    low, high = round(middle - half, 4), round(middle + half, 4)
    return ((-high, -low), (low, high))


def _crenels(gaps: tuple[tuple[float, float], ...]) -> BaseGeometry:
    """Return the gaps of all sides, seen from above."""
    import shapely

    boxes = [shapely.box(low, -30, high, 30) for low, high in gaps]
    return shapely.union_all([*boxes, *(rotate_polygon(box, 1) for box in boxes)])


def _parapet(shape: BaseGeometry, gaps: tuple[tuple[float, float], ...]) -> Solid:
    """Return the wall below merlons or bar; in each gap it slopes from both sides to a sill.

    A level sill would be an overhang, because the piece is printed upside down.
    """
    import shapely

    deep = (gaps[0][1] - gaps[0][0]) / 2 * RISE
    notches = []
    for low, high in gaps:
        points = [((low + high) / 2, 0.0), (high, deep), (high, deep + 1), (low, deep + 1)]
        notch = extrude(shapely.Polygon([*points, (low, deep)]), -30.0, 30.0)
        notches += [translate(stand_upright(notch, axis), z_mm=PARAPET_MM) for axis in "xy"]
    return subtract(extrude(shape, 0.0, PARAPET_MM + deep), notches)


def _bends(fit: DesignParameters, corners: tuple[Corner, ...]) -> Solid:
    """Return the free space behind flanges with beads, and the slots at their ends."""
    import shapely

    skirt, low = heads(fit).skirt_mm, -STANDARD.skirt_mm - 1.0
    around = shapely.difference(
        _flanges(fit, corners, STANDARD.leg_slot_mm), square(skirt - BEND_MM)
    )
    ends = shapely.difference(around, _flanges(fit, corners))
    behind = shapely.intersection(around, square(skirt))
    return extrude(shapely.union(ends, behind), 0.0, BEND_TOP_MM) + extrude(ends, low, 0.0)


def _flanges(
    fit: DesignParameters, corners: tuple[Corner, ...], grow_mm: float = 0.0
) -> BaseGeometry:
    """Return the flanges with beads seen from above, from the tile's middle out past its edge."""
    import shapely

    far, start = heads(fit).outline_mm + 1.0, places(fit).leg_from_mm
    low, high = start - grow_mm, start + TONGUE_MM + grow_mm
    return shapely.union_all([_box(0.0, y * low, x * far, y * high) for x, y in corners])


def _box(x0: float, y0: float, x1: float, y1: float) -> BaseGeometry:
    import shapely

    return shapely.box(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))

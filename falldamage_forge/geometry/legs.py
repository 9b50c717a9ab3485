"""Legs and rings: what pieces on a tile other than blocks stand on in the groove.

Caps and battlements stand on four legs at the corners. Between two legs an edge stays free for
pieces that enter from the side. A leg is two flanges along the tile's sides; those to the west and
east carry a bead each. Trees and spires, which print upright, stand on a ring: a block's skirt. Its
walls to the west and east are slit so that they bend.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

from falldamage_forge.geometry.blocks import bead_profile
from falldamage_forge.geometry.connector_standard import BULB, STANDARD, heads, places
from falldamage_forge.geometry.csg import (
    Solid,
    force_evaluation,
    hull,
    stand_upright,
    subtract,
    union,
)
from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.geometry.footprint import rotate_polygon, square, wall_ring
from falldamage_forge.geometry.loft import extrude, loft_profile, prism
from falldamage_forge.geometry.stud import INSIDE_MM, LINES_MM

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

FOOT_RELIEF = (0.1, 0.24)
"""Relief of a ring that a part stands on: one layer, because the ring is two lines wide."""
FREE_MM = 0.02
"""Distance of a seat from the stud."""
LEGS_FREE_MM = 0.04
"""The same of a cap's legs: a cap sits on its stud's top, and the bevel only guides it."""
KEY_HALF_MM = BULB[0][1] + LINES_MM + FREE_MM
"""Half the width beside a keyhole, with its walls, that has no bevel."""
TONGUE_FROM_MM = 7.0
"""Distance from the middle at which slits begin; up to their height walls lean in less far."""

Corner = tuple[int, int]
"""Signs of x and y."""
CORNERS: tuple[Corner, ...] = ((1, 1), (1, -1), (-1, -1), (-1, 1))
"""Corners clockwise from north-east."""


def leg_outline(fit: DesignParameters, corners: Iterable[Corner] = CORNERS) -> BaseGeometry:
    """Return legs seen from above, about (0, 0): the skirt's ring near the corners.

    Args:
        fit: Design parameters of the printer and grid, in mm.
        corners: Corners at which a leg stands.
    """
    import shapely

    sizes = heads(fit)
    ring = wall_ring(square(sizes.outline_mm), sizes.outline_mm - sizes.skirt_mm)
    return shapely.intersection(ring, corner_squares(fit, places(fit).leg_from_mm, corners))


def corner_squares(
    fit: DesignParameters, from_mm: float, corners: Iterable[Corner] = CORNERS
) -> BaseGeometry:
    """Return squares from a distance to the middle out to the outline's corners.

    Args:
        fit: Design parameters of the printer and grid, in mm.
        from_mm: Distance from the middle at which the squares begin.
        corners: Corners with a square.
    """
    import shapely

    far = heads(fit).outline_mm
    spans = {1: (from_mm, far), -1: (-far, -from_mm)}
    boxes = [shapely.box(spans[x][0], spans[y][0], spans[x][1], spans[y][1]) for x, y in corners]
    return shapely.union_all(boxes)


def leg_solids(
    fit: DesignParameters, click_mm: float, corners: Iterable[Corner] = CORNERS
) -> Solid:
    """Return the legs below z = 0, about (0, 0), with beads that overlap the stud by `click_mm`.

    Args:
        fit: Design parameters of the printer and grid, in mm.
        click_mm: Overlap of the beads with the stud.
        corners: Corners at which a leg stands.
    """
    corners = tuple(corners)
    legs = extrude(leg_outline(fit, corners), -STANDARD.skirt_mm, INSIDE_MM)
    return union([legs, *leg_beads(fit, click_mm, corners)])


def tapered_legs(fit: DesignParameters, click_mm: float) -> Solid:
    """Return legs below z = 0 whose inside follows the stud's bevel, so their root is thick.

    Args:
        fit: Design parameters of the printer and grid, in mm.
        click_mm: Overlap of the beads with the stud.
    """
    import shapely

    inner = heads(fit).top_mm
    ring = shapely.difference(square(heads(fit).outline_mm), square(inner))
    shape = shapely.intersection(ring, corner_squares(fit, places(fit).leg_from_mm))
    legs = subtract(extrude(shape, -STANDARD.skirt_mm, INSIDE_MM), [seat_room(fit, LEGS_FREE_MM)])
    # Two beads across, for such legs hardly bend.
    return union([legs, *leg_beads(fit, click_mm, CORNERS[::2])])


def leg_beads(
    fit: DesignParameters, click_mm: float, corners: Iterable[Corner] = CORNERS
) -> list[Solid]:
    """Return a bead on each leg's flange to the west or east.

    Args:
        fit: Design parameters of the printer and grid, in mm.
        click_mm: Overlap of the beads with the stud.
        corners: Corners at which a leg stands.
    """
    profile = bead_profile(fit, heads(fit).face_mm - click_mm)
    low, high = places(fit).leg_bead_mm
    return [
        hull([(x * half, y * run, z) for half, z in profile for run in (low, high)])
        for x, y in corners
    ]


BEADED = (-1, 1)
"""Sides of a ring with beads: west and east."""


@cache
def ring_foot(
    fit: DesignParameters, top_mm: float = 1.2, beaded: tuple[int, ...] = BEADED
) -> Solid:
    """Return the foot of a body that prints upright, from a skirt's foot up to `top_mm`.

    It lies about (0, 0): a block's skirt with its two beads, and a pad all round that rests on the
    stud's bevel, since a flat seat would be an overhang.

    Args:
        fit: Design parameters of the printer and grid, in mm.
        top_mm: Height of the foot above the stud.
        beaded: Sides with a bead: -1 for the west, 1 for the east.
    """
    sizes, low = heads(fit), -STANDARD.skirt_mm
    outline = square(sizes.outline_mm)
    pad = extrude(wall_ring(outline, sizes.outline_mm - sizes.seat_mm), low, top_mm)
    ring = union([subtract(pad, [seat_room(fit), keyhole_room(fit)]), *skirt_beads(fit, beaded)])
    return force_evaluation(ring ^ prism(outline, low, top_mm + 1.0, low=FOOT_RELIEF))


def keyhole_room(fit: DesignParameters) -> Solid:
    """Return the volume beside keyholes, where a stud reaches its throat and has no bevel."""
    import shapely

    near, far = heads(fit).seat_mm, heads(fit).throat_mm + FREE_MM
    at = places(fit).key_at_mm
    boxes = [shapely.box(x - KEY_HALF_MM, near, x + KEY_HALF_MM, far) for x in (-at, at)]
    shape = shapely.union_all([rotate_polygon(box, side) for box in boxes for side in range(4)])
    return extrude(shape, -STANDARD.skirt_mm, FREE_MM)


def skirt_beads(fit: DesignParameters, sides: Iterable[int] = BEADED) -> list[Solid]:
    """Return a ring's beads about (0, 0).

    Args:
        fit: Design parameters of the printer and grid, in mm.
        sides: Sides with a bead: -1 for the west, 1 for the east.
    """
    half = STANDARD.bead_half_mm
    profile = bead_profile(fit, ring_bead_mm(fit))
    return [
        hull([(way * reach, run, z) for reach, z in profile for run in (-half, half)])
        for way in sides
    ]


def ring_bead_mm(fit: DesignParameters) -> float:
    """Return the half size at the crests of a ring's beads."""
    return heads(fit).face_mm - STANDARD.ring_click * fit.click_mm


@cache
def seat_room(fit: DesignParameters, free_mm: float = FREE_MM) -> Solid:
    """Return the volume of the stud in a piece on it: straight below, bevelled above.

    Args:
        fit: Design parameters of the printer and grid, in mm.
        free_mm: Clearance round the stud.
    """
    standard, sizes = STANDARD, heads(fit)
    steep = standard.bevel_depth_mm / standard.bevel_mm

    def on_bevel(half: float) -> float:
        return (sizes.face_mm - half) * steep - standard.bevel_depth_mm + free_mm

    inset = sizes.skirt_mm - sizes.seat_mm
    profile = [
        (-standard.skirt_mm - 1.0, 0.0),
        (on_bevel(sizes.skirt_mm), 0.0),
        (on_bevel(sizes.seat_mm), inset),
    ]
    return force_evaluation(loft_profile(square(sizes.skirt_mm), profile))


@cache
def tongue_slits(fit: DesignParameters, sides: tuple[int, ...] = BEADED) -> Solid:
    """Return the slits that free the walls with beads, as tongues that bend.

    They are pointed above, because slicers would support a flat end.

    Args:
        fit: Design parameters of the printer and grid, in mm.
        sides: Sides with slits: -1 for the west, 1 for the east.
    """
    import shapely

    low, top = -STANDARD.skirt_mm - 1.0, STANDARD.leg_free_mm
    near, far = TONGUE_FROM_MM, heads(fit).outline_mm + 1.0
    left = tongue_half_mm(fit)
    right = left + STANDARD.leg_slot_mm
    middle = (left + right) / 2
    end = top - 4 * (right - left)
    points = [(left, low), (right, low), (right, end), (middle, top), (left, end)]
    slit = stand_upright(extrude(shapely.Polygon(points), near, far), "x")
    pair = union([slit, slit.mirror((0, 1, 0))])
    ways = {1: pair, -1: pair.mirror((1, 0, 0))}
    return force_evaluation(union([ways[side] for side in sides]))


def tongue_half_mm(fit: DesignParameters) -> float:
    """Return half the width of a tongue, which is in mid-edge."""
    return places(fit).side_half_mm - STANDARD.leg_slot_mm - 0.1

"""Legs: what stands on a tile but is no block stands on four, at the corners of the groove.

Between two legs an edge stays free for what comes from the side. A leg is two flanges along the
tile's sides; those to the west and east carry a bead each and are cut free so far that they bend.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

from falldamage_forge.geometry.blocks import bead_profile
from falldamage_forge.geometry.fits import Fit
from falldamage_forge.geometry.head import INSIDE_MM
from falldamage_forge.geometry.loft import RELIEF, extrude, prism, profiled
from falldamage_forge.geometry.solids import Solid, cut, hull, made, union
from falldamage_forge.geometry.standard import STANDARD, heads, places
from falldamage_forge.geometry.tiles import square, turned, wall_ring

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

Corner = tuple[int, int]
"""Signs of x and y."""
CORNERS: tuple[Corner, ...] = ((1, 1), (1, -1), (-1, -1), (-1, 1))
"""North-east first, clockwise."""


def leg_outline(fit: Fit, corners: Iterable[Corner] = CORNERS) -> BaseGeometry:
    """Legs seen from above, round (0, 0): the skirt's ring near the corners."""
    import shapely

    sizes = heads(fit)
    ring = wall_ring(square(sizes.outline_mm), sizes.outline_mm - sizes.skirt_mm)
    return shapely.intersection(ring, corner_squares(fit, places(fit).leg_from_mm, corners))


def corner_squares(fit: Fit, from_mm: float, corners: Iterable[Corner] = CORNERS) -> BaseGeometry:
    """Squares from so far out of the middle to the outline's corners."""
    import shapely

    far = heads(fit).outline_mm
    spans = {1: (from_mm, far), -1: (-far, -from_mm)}
    boxes = [shapely.box(spans[x][0], spans[y][0], spans[x][1], spans[y][1]) for x, y in corners]
    return shapely.union_all(boxes)


def skirts(fit: Fit, click_mm: float, corners: Iterable[Corner] = CORNERS) -> Solid:
    """The legs below z = 0, round (0, 0), with their beads."""
    corners = tuple(corners)
    legs = extrude(leg_outline(fit, corners), -STANDARD.skirt_mm, INSIDE_MM)
    return union([legs, *leg_beads(fit, click_mm, corners)])


def haunched(fit: Fit, click_mm: float) -> Solid:
    """Legs below z = 0 whose inside leans in along the head's bevel, so their root is thick."""
    import shapely

    inner = heads(fit).top_mm
    ring = shapely.difference(square(heads(fit).outline_mm), square(inner))
    shape = shapely.intersection(ring, corner_squares(fit, places(fit).leg_from_mm))
    legs = cut(extrude(shape, -STANDARD.skirt_mm, INSIDE_MM), [seat_room(fit, 0.12)])
    # Two beads across, for such legs hardly bend.
    return union([legs, *leg_beads(fit, click_mm, CORNERS[::2])])


def leg_beads(fit: Fit, click_mm: float, corners: Iterable[Corner] = CORNERS) -> list[Solid]:
    """A bead on each leg's flange to the west or east."""
    profile = bead_profile(fit, heads(fit).face_mm - click_mm)
    low, high = places(fit).leg_bead_mm
    return [
        hull([(x * half, y * run, z) for half, z in profile for run in (low, high)])
        for x, y in corners
    ]


@cache
def corner_legs(fit: Fit, top_mm: float = 1.2) -> Solid:
    """The four legs of a body that prints upright: skirts, and pads that carry it on the head.

    Round (0, 0), from the skirt's foot to `top_mm`; the body begins at z = 0 on the squares of
    `STANDARD.leg_mm` at the corners and may do what it likes above. The pads lie on the head's
    bevel, since a flat seat would begin in the air.
    """
    import shapely

    sizes = heads(fit)
    ring = wall_ring(square(sizes.outline_mm), sizes.outline_mm - sizes.seat_mm)
    pads = shapely.intersection(ring, corner_squares(fit, sizes.outline_mm - STANDARD.leg_mm))
    solid = extrude(pads, -STANDARD.skirt_mm, top_mm)
    legs = union([cut(solid, [seat_room(fit)]), skirts(fit, STANDARD.leg_click * fit.click_mm)])
    low = -STANDARD.skirt_mm
    return made(legs ^ prism(square(sizes.outline_mm), low, top_mm + 1.0, low=RELIEF))


@cache
def seat_room(fit: Fit, free_mm: float = 0.02) -> Solid:
    """The room of the head in what stands on it: straight below, along the bevel above."""
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
    return made(profiled(square(sizes.skirt_mm), profile))


@cache
def leg_slots(fit: Fit) -> Solid:
    """What is cut out of such a body at last: slots at its corners, so that the flanges bend."""
    import shapely
    from shapely import affinity

    far = heads(fit).outline_mm
    half = STANDARD.leg_slot_mm / 2
    slot = affinity.rotate(shapely.box(-2.4, -half, 1.0, half), 45, origin=(0, 0))
    corner = affinity.translate(slot, far, far)
    shape = shapely.union_all([turned(corner, quarters) for quarters in range(4)])
    return made(extrude(shape, -STANDARD.skirt_mm - 1.0, STANDARD.leg_free_mm))

"""Pockets for round magnets: one under a socket's floor, one in the tip of a peg.

Both are closed towards the bed while printing, so they need no support, and take the magnet from
the open side; three ribs are crushed as it is pressed in and hold it without glue.
"""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING

from falldamage_forge.geometry.connectors import STANDARD
from falldamage_forge.geometry.fits import Fit
from falldamage_forge.geometry.loft import extrude
from falldamage_forge.geometry.solids import Solid
from falldamage_forge.geometry.style import Magnets
from falldamage_forge.geometry.tiles import plug, square

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

ROOM_MM = 0.1
"""A pocket's play round the magnet and above it; its ribs take more than that away again."""


@cache
def pocket_outline(magnets: Magnets) -> BaseGeometry:
    """A pocket seen from above: a disc with three crush ribs, round (0, 0)."""
    import shapely

    radius = magnets.diameter_mm / 2 + ROOM_MM
    disc = shapely.Point(0, 0).buffer(radius, quad_segs=8)
    if magnets.crush_mm == 0:
        return disc
    ribs = []
    for turn in range(3):
        angle = 2 * math.pi * turn / 3
        reach = radius + 0.5 - magnets.crush_mm - ROOM_MM
        middle = shapely.Point(reach * math.cos(angle), reach * math.sin(angle))
        ribs.append(middle.buffer(0.5, quad_segs=4))
    return shapely.difference(disc, shapely.union_all(ribs))


def magnet_pocket(magnets: Magnets) -> Solid:
    """What a pocket takes away below z = 0, and beyond."""
    return extrude(pocket_outline(magnets), -magnets.height_mm - 2.0, 0.0)


def magnet_cup(magnets: Magnets) -> Solid:
    """The wall round a pocket below a socket's floor at z = 0."""
    import shapely

    outside = shapely.Point(0, 0).buffer(
        magnets.diameter_mm / 2 + ROOM_MM + STANDARD.wall_mm, quad_segs=8
    )
    return extrude(outside, -magnets.height_mm - ROOM_MM, 0.2)


def magnet_tip(magnets: Magnets, fit: Fit) -> Solid:
    """A peg's tip, filled as far as a pocket and its floor need it."""
    top = magnets.height_mm + ROOM_MM + STANDARD.skin_mm - STANDARD.peg_length_mm
    full = plug(fit, STANDARD.peg_length_mm, max(top, 0.0) + 0.1)
    half = STANDARD.socket_mm / 2
    return full ^ extrude(square(half), -STANDARD.peg_length_mm, top)

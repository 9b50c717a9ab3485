"""Openings as relief: arrow slits, windows and doors with frames."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from falldamage_forge.geometry.relief.bays import holding
from falldamage_forge.geometry.relief.elements import Outline, ReliefElement
from falldamage_forge.geometry.relief.wall_zones import box

LIGHT_MM, FLOOR_MM = 4.0, 0.5
"""Least height of a light over a transom; inset of the wall round a frame."""
SUNK_MM = 2.0
"""Depth of an opening's ground behind the wall's plane."""


def arch(u: tuple[float, float], v: tuple[float, float], steps: int = 3) -> Outline:
    """Return a pointed arch: upright sides, and a head as high as 0.7 of its width.

    Args:
        u: Left and right end along the wall, in mm.
        v: Lower and upper end, in mm.
        steps: Number of points on each half of the head.
    """
    low, high = v
    middle, half = (u[0] + u[1]) / 2, (u[1] - u[0]) / 2
    spring = high - 1.4 * half
    curve = []
    for index in range(1, steps):
        angle = index / steps
        curve.append((half * math.cos(angle * math.pi / 2.6), 1.4 * half * math.sin(angle * 1.35)))
    right = [(middle + x, spring + y) for x, y in curve]
    left = [(middle - x, spring + y) for x, y in reversed(curve)]
    return ((u[0], low), (u[1], low), (u[1], spring), *right, (middle, high), *left, (u[0], spring))


def slit(side: int, middle: float, low: float, high: float) -> ReliefElement:
    """Return an arrow slit in one dressed stone.

    Args:
        side: Number of the wall's side.
        middle: Place of its middle along the side, in mm.
        low: Height of its lower end, in mm.
        high: Height of its upper end, in mm.
    """
    loop = ReliefElement(
        side, arch((middle - 1.25, middle + 1.25), (low + 1.3, high - 3.6)), SUNK_MM
    )
    return ReliefElement(side, box((middle - 3.6, middle + 3.6), (low, high)), 0.0, on=(loop,))


def window(side: int, middle: float, low: float, high: float) -> ReliefElement:
    """Return two pointed lights in one frame.

    Args:
        side: Number of the wall's side.
        middle: Place of its middle along the side, in mm.
        low: Height of its lower end, in mm.
        high: Height of its upper end, in mm.
    """
    lights = tuple(
        ReliefElement(
            side, arch((middle + x - 1.55, middle + x + 1.55), (low + 1.6, high - 3.4)), SUNK_MM
        )
        for x in (-2.1, 2.1)
    )
    frame = box((middle - 6.0, middle + 6.0), (low, high))
    return ReliefElement(side, frame, 0.0, on=lights)


def casement(side: int, middle: float, low: float, high: float) -> ReliefElement:
    """Return a window of four lights between a mullion and a transom of wood.

    Args:
        side: Number of the wall's side.
        middle: Place of its middle along the side, in mm.
        low: Height of its lower end, in mm.
        high: Height of its upper end, in mm.
    """
    half, bar = 4.9, 0.6
    sill, head = low + 1.0, high - 1.0
    transom = sill + 0.62 * (head - sill)
    rows = ((sill, transom - bar), (transom + bar, head))
    lights = [
        ReliefElement(side, box(u, v), SUNK_MM)
        for u in ((middle - half, middle - bar), (middle + bar, middle + half))
        for v in (rows if head - transom > LIGHT_MM else ((sill, head),))
    ]
    frame = ReliefElement(side, box((middle - 6.0, middle + 6.0), (low, high)), 0.0)
    return holding(frame, FLOOR_MM, lights, soft=True)


def door(side: int, middle: float, low: float, high: float) -> ReliefElement:
    """Return a boarded door under a pointed head, with two straps and a ring.

    Args:
        side: Number of the wall's side.
        middle: Place of its middle along the side, in mm.
        low: Height of its lower end, in mm.
        high: Height of its upper end, in mm.
    """
    half = 4.6
    leaf_u, leaf_v = (middle - half + 0.75, middle + half - 0.75), (low + 3.7, high - 4.7)
    straps = [low + 7.2, low + 12.0]
    fittings = [
        ReliefElement(side, box((leaf_u[0] + 0.7, leaf_u[1] - 1.4), (at - 0.75, at + 0.75)), 1.2)
        for at in straps
    ]
    bounds = [leaf_v[0] + 1.1, straps[0] - 1.15, straps[0] + 1.15, straps[1] - 1.15]
    for x in (-1.3, 1.3):
        for a, b in ((bounds[0], bounds[1]), (bounds[2], bounds[3])):
            seam = box((middle + x - 0.35, middle + x + 0.35), (a, b))
            fittings.append(ReliefElement(side, seam, 1.7))
        top = leaf_v[1] - 4.4
        if top - straps[1] > 2.6:
            seam = box((middle + x - 0.35, middle + x + 0.35), (straps[1] + 1.15, top))
            fittings.append(ReliefElement(side, seam, 1.7))
    leaf = holding(ReliefElement(side, arch(leaf_u, leaf_v), 1.5), SUNK_MM, fittings)
    opening = ReliefElement(
        side, arch((middle - half, middle + half), (low + 0.9, high - 3.2)), SUNK_MM, on=(leaf,)
    )
    frame = box((middle - half - 2.0, middle + half + 2.0), (low, high))
    return ReliefElement(side, frame, 0.0, on=(opening,))


OPENINGS: Mapping[
    str, tuple[Callable[[int, float, float, float], ReliefElement], float, float, float]
] = {
    "slit": (slit, 7.2, 0.62, 14.0),
    "window": (window, 12.0, 0.76, 15.0),
    "casement": (casement, 12.0, 0.62, 13.0),
    "door": (door, 13.2, 1.0, 19.0),
}
"""(draw function, width in mm, share of a zone's height, least height of the zone in mm)."""

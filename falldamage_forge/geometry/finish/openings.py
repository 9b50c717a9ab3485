"""Arrow slits, windows and doors as relief: a frame, what is sunk into it, and what closes it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from falldamage_forge.geometry.finish.courses import box
from falldamage_forge.geometry.finish.model import Outline, Stone

SUNK_MM = 0.84
"""How far an opening's ground lies behind the wall's plane."""


def arch(u: tuple[float, float], v: tuple[float, float], steps: int = 3) -> Outline:
    """A pointed arch: upright sides, and a head as high as three quarters of its width."""
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


def slit(side: int, middle: float, low: float, high: float) -> Stone:
    """A cross-shaped arrow slit in one dressed stone."""
    half, arm = 0.85, 2.5
    a, b = low + 1.5, high - 1.5
    c = a + (b - a) * 0.56
    cross = (
        (-half, a),
        (half, a),
        (half, c - 1.15),
        (arm, c - 1.15),
        (arm, c + 1.0),
        (half, c + 1.0),
        (half, b),
        (-half, b),
        (-half, c + 1.0),
        (-arm, c + 1.0),
        (-arm, c - 1.15),
        (-half, c - 1.15),
    )
    opening = Stone(side, tuple((middle + x, y) for x, y in cross), SUNK_MM)
    return Stone(side, box((middle - 4.2, middle + 4.2), (low, high)), 0.0, on=(opening,))


def window(side: int, middle: float, low: float, high: float) -> Stone:
    """Two lights under a pointed head, with a sill."""
    lights = tuple(
        Stone(side, arch((middle + x - 1.55, middle + x + 1.55), (low + 2.4, high - 3.6)), SUNK_MM)
        for x in (-2.1, 2.1)
    )
    frame = arch((middle - 6.2, middle + 6.2), (low, high))
    return Stone(side, frame, 0.0, on=lights)


def door(side: int, middle: float, low: float, high: float) -> Stone:
    """A boarded door under a pointed head, with two straps and a ring."""
    half = 4.6
    leaf_u, leaf_v = (middle - half + 0.75, middle + half - 0.75), (low + 2.8, high - 4.4)
    straps = [low + 6.3, low + 11.4]
    fittings = [
        Stone(side, box((leaf_u[0] + 0.7, leaf_u[1] - 1.4), (at - 0.75, at + 0.75)), 0.2)
        for at in straps
    ]
    bounds = [leaf_v[0] + 1.1, straps[0] - 1.15, straps[0] + 1.15, straps[1] - 1.15]
    for x in (-1.3, 1.3):
        for a, b in ((bounds[0], bounds[1]), (bounds[2], bounds[3])):
            seam = box((middle + x - 0.35, middle + x + 0.35), (a, b))
            fittings.append(Stone(side, seam, 0.66))
        top = leaf_v[1] - 4.4
        if top - straps[1] > 2.6:
            seam = box((middle + x - 0.35, middle + x + 0.35), (straps[1] + 1.15, top))
            fittings.append(Stone(side, seam, 0.66))
    leaf = Stone(side, arch(leaf_u, leaf_v), 0.45, on=tuple(fittings))
    opening = Stone(
        side, arch((middle - half, middle + half), (low + 1.3, high - 2.7)), SUNK_MM, on=(leaf,)
    )
    frame = arch((middle - half - 2.0, middle + half + 2.0), (low, high))
    return Stone(side, frame, 0.0, on=(opening,))


OPENINGS: Mapping[str, tuple[Callable[[int, float, float, float], Stone], float, float, float]] = {
    "slit": (slit, 8.4, 0.62, 14.0),
    "window": (window, 12.4, 0.76, 15.0),
    "door": (door, 13.2, 1.0, 19.0),
}
"""Who draws an opening, how wide it is, its share of a zone's height, and the least height."""

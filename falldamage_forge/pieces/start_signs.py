"""Signs on the discs of start markers, as they are printed and drawn: lines about (0, 0) in mm."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

DISC_MM = 7.4
"""Radius of the disc in a start marker; a larger one would meet keyholes on the smallest tiles."""
Line = list[tuple[float, float]]


def sun() -> list[Line]:
    """Return the sign of the red side: a sun of eight rays."""
    lines = [arc((0.0, 0.0), 2.6, 0.0, 2 * math.pi, 20)]
    for index in range(8):
        angle = math.pi * index / 4 + math.pi / 8
        ends = ((4.2, -0.3), (6.2, 0.0), (4.2, 0.3))  # a tip that is sharper is not laid
        lines.append([polar(reach, angle + turn) for reach, turn in ends])
    return lines


def moon() -> list[Line]:
    """Return the sign of the blue side: a crescent and a star of four points.

    Horns that are sharper leave too little between the stones that they part.
    """
    outer = arc((-0.4, 0.0), 5.4, 0.773, 2 * math.pi - 0.773, 22)
    inner = arc((1.4, 0.0), 4.3, 2 * math.pi - 1.07, 1.07, 14)
    (x, y), size = (2.6, 0.0), 1.7
    star = [[(x, y - size), (x, y + size)], [(x - size, y), (x + size, y)]]
    return [[*outer, *inner, outer[0]], *star]


SIGNS: Mapping[str, Callable[[], list[Line]]] = {"red": sun, "blue": moon}
"""Sign of each side that has printed start markers."""


def arc(
    centre: tuple[float, float], radius: float, start: float, end: float, steps: int = 8
) -> Line:
    """Return an arc from angle to angle, in radians.

    Args:
        centre: Middle (x, y).
        radius: Radius in the same unit.
        start: First angle.
        end: Last angle.
        steps: Number of straight pieces.
    """
    angles = [start + (end - start) * step / steps for step in range(steps + 1)]
    return [(centre[0] + radius * math.cos(a), centre[1] + radius * math.sin(a)) for a in angles]


def polar(reach: float, angle: float) -> tuple[float, float]:
    """Return the point at a distance from the middle and an angle in radians.

    Args:
        reach: Distance from the middle.
        angle: Angle from the x axis.
    """
    return (reach * math.cos(angle), reach * math.sin(angle))

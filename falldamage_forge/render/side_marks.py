"""Marks of the sides' start tiles: each side has its shape and colour."""

from __future__ import annotations

import math

from falldamage_forge.render.display_list import Point

CORNERS = {"red": 4, "blue": 32}
"""Corners of a side's mark: red is square and blue is round."""
_OTHERS = (6, 3, 8)


def outline(side: str, number: int, inset: float = 0.07) -> list[Point]:
    """Return the mark of a side on a tile from 0 to 1, as (row, col).

    Args:
        side: Name of the side.
        number: Index of the side, from 0, for sides without their own shape.
        inset: Distance from the tile's edge.
    """
    corners = CORNERS.get(side) or _OTHERS[number % len(_OTHERS)]
    reach = 0.5 - inset
    if corners == 4:
        low, high = inset, 1 - inset
        return [(low, low), (low, high), (high, high), (high, low)]
    angles = (2 * math.pi * corner / corners for corner in range(corners))
    return [(0.5 - reach * math.cos(angle), 0.5 + reach * math.sin(angle)) for angle in angles]

"""Marks of the sides' start tiles: the printed disc with its sign, or a shape with a letter."""

from __future__ import annotations

import math

from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.pieces.start_signs import DISC_MM, SIGNS
from falldamage_forge.render.display_list import Point

SIDE_OPACITY = 0.45
"""Opacity of a mark, through which the tile shows."""
_ROUND = 32
_OTHERS = (6, 3, 8)
"""Corners of the marks of sides that have no printed disc."""


@dataclass(frozen=True, slots=True)
class SideMark:
    """Mark of a side on a tile from 0 to 1, its points as (row, col).

    Attributes:
        ring: Corners of its outline.
        sign: Lines of the sign on the printed disc; empty if the side has none.
        letter: Letter in place of a sign; empty if there is one.
    """

    ring: tuple[Point, ...]
    sign: tuple[tuple[Point, ...], ...]
    letter: str


def mark_of(side: str, number: int, inset: float = 0.1) -> SideMark:
    """Return the mark of a side.

    Args:
        side: Name of the side.
        number: Index of the side, from 0, for sides without a printed disc.
        inset: Distance from the tile's edge.
    """
    reach = 0.5 - inset
    corners = _ROUND if side in SIGNS else _OTHERS[number % len(_OTHERS)]
    angles = (2 * math.pi * corner / corners for corner in range(corners))
    ring = tuple((0.5 - reach * math.cos(one), 0.5 + reach * math.sin(one)) for one in angles)
    if side not in SIGNS:
        return SideMark(ring, (), side[:1].upper())
    scale = reach / DISC_MM
    sign = tuple(
        tuple((0.5 - y * scale, 0.5 + x * scale) for x, y in line) for line in SIGNS[side]()
    )
    return SideMark(ring, sign, "")

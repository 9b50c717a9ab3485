"""Stones of a bond: sizes of courses, one stone, and a course of stones."""

from __future__ import annotations

import random
from collections.abc import Iterator

from falldamage_forge.geometry.relief import wall_zones as lay
from falldamage_forge.geometry.relief.elements import ReliefElement
from falldamage_forge.geometry.relief.wall_zones import Span
from falldamage_forge.infra.lazy_dataclass import dataclass

SIDE_GAP_MM = 0.45
"""Joint between two stones of a course."""


@dataclass(frozen=True, slots=True)
class Bond:
    """A masonry bond; lengths in mm.

    `heights` are the proportions of the courses of a level, `widths_mm` the bounds of a stone's
    length, `quoins_mm` the long and the short side of a corner stone. Corners wear by `wear_mm`;
    faces lie up to `back_mm` behind the plane and lean by up to `lean_mm`. `tall` is the chance of
    a stone through two courses on a side, `lost` that of a missing stone, `through` that of a quoin
    that reaches across a side of one tile to the next quoin, `whole` that of one stone across such
    a side. In a bay, stones stand `stands_mm` out of its ground. Each upright joint stops the
    nozzle in every layer, outside and in the cavity: long stones print fast.
    """

    heights: tuple[float, ...]
    widths_mm: Span
    quoins_mm: Span
    wear_mm: Span
    back_mm: float
    lean_mm: float
    tall: float
    lost: float = 0.0
    through: float = 0.0
    whole: float = 0.0
    stands_mm: float = 0.45


def course(
    side: int, u: Span, v: Span, bond: Bond, chance: random.Random
) -> Iterator[ReliefElement]:
    """Yield stones between two places of a course.

    Args:
        side: Number of the wall's side.
        u: Left and right end along the side, in mm.
        v: Lower and upper end, in mm.
        bond: Sizes of stones and joints, in mm.
        chance: Random numbers.
    """
    at = u[0]
    low, high = (width + SIDE_GAP_MM for width in bond.widths_mm)
    for width in lay.split(u[1] - u[0] + SIDE_GAP_MM, low, high, chance):
        if chance.random() >= bond.lost:
            yield stone(side, (at, at + width - SIDE_GAP_MM), v, bond, chance)
        at += width


def stone(side: int, u: Span, v: Span, bond: Bond, chance: random.Random) -> ReliefElement:
    """Return one stone of a bond, worn and leaning a little.

    Args:
        side: Number of the wall's side.
        u: Left and right end along the side, in mm.
        v: Lower and upper end, in mm.
        bond: Wear, depth and lean of stones, in mm.
        chance: Random numbers.
    """
    outline = lay.chipped_rectangle(u, v, chance, bond.wear_mm)
    back = chance.uniform(0.0, bond.back_mm)
    return ReliefElement(
        side, outline, back, chance.uniform(-1.0, 1.0) * min(bond.lean_mm, 2 * back)
    )

"""Lower bounds on beds: what no packing can do without, by area and by shape.

A dual feasible function f maps sizes (as shares of the bed's side) to weights so that whatever fits
side by side weighs at most 1. For any two of them, parts on one bed have products of weights that
add up to at most 1; turned parts may take whichever turn is cheaper.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from fractions import Fraction

from falldamage_forge.printing.packing import Part, slabs

Weight = Callable[[Fraction], Fraction]


def _plain(share: Fraction) -> Fraction:
    return share


def _step(parts: int) -> Weight:
    """Counts how many of `parts` + 1 equal shares a size nearly needs."""

    def weight(share: Fraction) -> Fraction:
        whole = share * (parts + 1)
        return share if whole.denominator == 1 else Fraction(math.floor(whole), parts)

    return weight


def _without_small(least: Fraction) -> Weight:
    """Ignores sizes below `least` and gives their room to sizes above 1 - `least`."""

    def weight(share: Fraction) -> Fraction:
        if share > 1 - least:
            return Fraction(1)
        return Fraction(0) if share < least else share

    return weight


WEIGHTS: tuple[Weight, ...] = (
    _plain,
    *(_step(parts) for parts in range(1, 8)),
    *(_without_small(Fraction(1, parts)) for parts in (2, 3, 4, 5)),
)


def least_beds(parts: Iterable[tuple[Part, int]], bed: tuple[int, int]) -> int:
    """A number of beds that no packing of so many copies of each part can go below.

    A part of several rectangles is taken apart for the bound. On a bed that is not square both
    turns are measured against its longer side.
    """
    side = max(bed)
    rects = [
        (Fraction(rect.w, side), Fraction(rect.h, side), count)
        for part, count in parts
        for rect in slabs(part.rects)
    ]
    # By plain area the true bed counts, not the square round it.
    area = sum(part_w * part_h * count for part_w, part_h, count in rects)
    best = math.ceil(area * side * side / (bed[0] * bed[1]))
    for number, one in enumerate(WEIGHTS):
        for other in WEIGHTS[number:]:
            total = sum(min(one(w) * other(h), one(h) * other(w)) * count for w, h, count in rects)
            best = max(best, math.ceil(total))
    return best

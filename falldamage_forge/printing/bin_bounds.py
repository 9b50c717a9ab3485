"""Lower bounds on the number of beds, by area and by dual feasible functions.

A dual feasible function f maps sizes (as shares of the bed's side) to weights so that sizes that
fit side by side weigh at most 1 together. For any two of them, products of weights of parts on one
bed add up to at most 1. A turned part counts with its cheaper turn. `plates` calls it to stop the
packing search.

Source: S. Fekete and J. Schepers, "New classes of lower bounds for bin packing problems".
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from fractions import Fraction

from falldamage_forge.printing.packing import PackPart, disjoint_rectangles

Weight = Callable[[Fraction], Fraction]


def _plain(share: Fraction) -> Fraction:
    return share


def _step(parts: int) -> Weight:
    """Return the function that counts how many of `parts` + 1 equal shares a size nearly needs."""

    def weight(share: Fraction) -> Fraction:
        whole = share * (parts + 1)
        return share if whole.denominator == 1 else Fraction(math.floor(whole), parts)

    return weight


def _without_small(least: Fraction) -> Weight:
    """Return the function that drops sizes below `least` and rounds those above 1 - `least` up."""

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


def least_beds(parts: Iterable[tuple[PackPart, int]], bed: tuple[int, int]) -> int:
    """Return a number of beds that no packing can go below.

    A part of several rectangles is divided for the bound. On a bed that is not square both turns
    are measured against its longer side.

    Args:
        parts: Parts with their number of copies.
        bed: Width and depth in packing units.
    """
    side = max(bed)
    rects = [
        (Fraction(rect.w, side), Fraction(rect.h, side), count)
        for part, count in parts
        for rect in disjoint_rectangles(part.rects)
    ]
    # By plain area the true bed counts, not the square round it.
    area = sum(part_w * part_h * count for part_w, part_h, count in rects)
    best = math.ceil(area * side * side / (bed[0] * bed[1]))
    for number, f in enumerate(WEIGHTS):
        for g in WEIGHTS[number:]:
            total = sum(min(f(w) * g(h), f(h) * g(w)) * count for w, h, count in rects)
            best = max(best, math.ceil(total))
    return best

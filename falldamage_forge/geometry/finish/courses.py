"""Masonry on paper: courses, stones with worn corners, and the mark of every level."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from falldamage_forge.geometry.finish.carve import margin_mm
from falldamage_forge.geometry.finish.model import Outline, Run, Stone

MARK_LOW_MM, SHADOW_MM, MARK_HIGH_MM = 4.62, (2.3, 1.4), 1.8
"""About a level's height: the coping begins so far below; between these two depths lies its shadow
joint; the plinth above ends so far above. Two stacked pieces meet in the same mark."""
GAP_MM = 0.3
"""Least flat ground between two stones."""

Span = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Zone:
    """A part of a wall between two level marks that a pattern fills."""

    low_mm: float
    high_mm: float
    level: int


def zones(low_mm: float, high_mm: float, floor_mm: float, rise: float = 30.0) -> tuple[Zone, ...]:
    """The zones of a wall from below, without the slopes at their ends."""
    margin = margin_mm(floor_mm)
    marks = [k * rise for k in range(1, int(high_mm // rise) + 1)]
    lows = [low_mm, *(mark + MARK_HIGH_MM for mark in marks)]
    highs = [*(mark - MARK_LOW_MM for mark in marks), high_mm]
    return tuple(
        Zone(low + margin + GAP_MM, high - margin - GAP_MM, int(low // rise))
        for low, high in zip(lows, highs, strict=True)
    )


def marks(run: Run, high_mm: float, floor_mm: float) -> Iterator[Stone]:
    """Coping and plinth at every level that a wall passes, with a shadow joint between them."""
    margin = margin_mm(floor_mm)
    rise = run.grid.rise_mm
    for k in range(1, int(high_mm // rise) + 1):
        at = k * rise
        for low, high in (
            (at - MARK_LOW_MM - margin * SHARP_FOOT, at - SHADOW_MM[0]),
            (at - SHADOW_MM[1], at + MARK_HIGH_MM + margin),
        ):
            for side, length in enumerate(run.lengths_mm):
                yield Stone(side, box((0.0, length), (low, high)), 0.0)


SHARP_FOOT = 0.55
"""A coping's underside is sharper than the slope of a wall's end, which has to be gentle."""


def box(u: Span, v: Span) -> Outline:
    """A rectangle."""
    return ((u[0], v[0]), (u[1], v[0]), (u[1], v[1]), (u[0], v[1]))


def worn(u: Span, v: Span, chance: random.Random, wear_mm: Span, at: str = "abcd") -> Outline:
    """A rectangle that lost its corners: `at` names those, from the lower left one, ccw.

    It keeps straight edges long enough for the flanks that it gets outside and in a cavity.
    """
    most_u = max(0.5 * (u[1] - u[0] - 2.3), 0.12)
    most_v = max(0.5 * (v[1] - v[0] - 2.5), 0.12)
    points: list[tuple[float, float]] = []
    corners = box(u, v)
    for index, (name, (x, y)) in enumerate(zip("abcd", corners, strict=True)):
        lost = min(chance.uniform(*wear_mm), most_v)
        other = min(lost * chance.uniform(0.7, 1.6), most_u)
        if name not in at:
            points.append((x, y))
            continue
        sx, sy = (1 if index in (0, 3) else -1), (1 if index < 2 else -1)
        along, up = (x + sx * other, y), (x, y + sy * lost)
        points += [up, along] if index in (0, 2) else [along, up]
    return tuple(points)


def split(total: float, least: float, most: float, chance: random.Random) -> list[float]:
    """Lengths between two bounds that add up to a total, as even as chance wants."""
    count = max(1, round(total / ((least + most) / 2)))
    while count > 1 and total / count < least:
        count -= 1
    if total / count > most:
        count += 1
    uneven = min((most - least) / (most + least), 0.28)
    parts = [1.0 + chance.uniform(-uneven, uneven) for _ in range(count)]
    scale = total / sum(parts)
    return [part * scale for part in parts]


def stacked(zone: Zone, heights: Sequence[float], gap: float = GAP_MM) -> list[Span]:
    """Courses of these proportions that fill a zone, a gap between each two."""
    room = zone.high_mm - zone.low_mm - gap * (len(heights) - 1)
    scale = room / sum(heights)
    spans, at = [], zone.low_mm
    for height in heights:
        spans.append((at, at + height * scale))
        at += height * scale + gap
    return spans

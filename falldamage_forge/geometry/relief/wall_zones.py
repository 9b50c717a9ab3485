"""Zones of a wall: courses, stones with worn corners, and the mark at every level."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from falldamage_forge.geometry.relief.elements import Outline, ReliefElement, WallPath
from falldamage_forge.geometry.relief.stone_profiles import margin_mm
from falldamage_forge.infra.lazy_dataclass import dataclass

MARK_LOW_MM, SHADOW_MM, MARK_HIGH_MM = 4.62, (2.3, 1.4), 1.8
"""Heights of a level mark relative to the level.

The coping begins `MARK_LOW_MM` below; its shadow joint lies between the two depths `SHADOW_MM`; the
plinth above ends at `MARK_HIGH_MM`. Two stacked pieces meet in the same mark.
"""
GAP_MM = 0.3
"""Minimum joint between two stones."""

Span = tuple[float, float]


@dataclass(frozen=True, slots=True)
class WallZone:
    """A part of a wall between two level marks that a pattern fills."""

    low_mm: float
    high_mm: float
    level: int


def zones(
    low_mm: float, high_mm: float, floor_mm: float, rise: float = 30.0
) -> tuple[WallZone, ...]:
    """Return the zones of a wall from below, without the slopes at their ends.

    Args:
        low_mm: Height of the wall's lower end.
        high_mm: Height of its upper end.
        floor_mm: Height of the ground on which levels are counted.
        rise: Height of a level, in mm.
    """
    margin = margin_mm(floor_mm)
    marks = [k * rise for k in range(1, int(high_mm // rise) + 1)]
    lows = [low_mm, *(mark + MARK_HIGH_MM for mark in marks)]
    highs = [*(mark - MARK_LOW_MM for mark in marks), high_mm]
    return tuple(
        WallZone(low + margin + GAP_MM, high - margin - GAP_MM, int(low // rise))
        for low, high in zip(lows, highs, strict=True)
    )


def marks(run: WallPath, high_mm: float, floor_mm: float) -> Iterator[ReliefElement]:
    """Yield coping and plinth at every level that a wall passes, with a shadow joint between.

    Args:
        run: Path of the wall, side by side.
        high_mm: Height of the wall's upper end.
        floor_mm: Height of the ground on which levels are counted.
    """
    margin = margin_mm(floor_mm)
    rise = run.grid.rise_mm
    for k in range(1, int(high_mm // rise) + 1):
        at = k * rise
        for low, high in (
            (at - MARK_LOW_MM - margin * SHARP_FOOT, at - SHADOW_MM[0]),
            (at - SHADOW_MM[1], at + MARK_HIGH_MM + margin),
        ):
            for side, length in enumerate(run.lengths_mm):
                yield ReliefElement(side, box((0.0, length), (low, high)), 0.0)


SHARP_FOOT = 0.55
"""Slope of a coping's underside relative to that of a wall's end, which must print inside."""


def box(u: Span, v: Span) -> Outline:
    """Return a rectangle as an outline.

    Args:
        u: Left and right end along the wall, in mm.
        v: Lower and upper end, in mm.
    """
    return ((u[0], v[0]), (u[1], v[0]), (u[1], v[1]), (u[0], v[1]))


def chipped_rectangle(
    u: Span, v: Span, chance: random.Random, wear_mm: Span, at: str = "abcd"
) -> Outline:
    """Return a rectangle with worn corners.

    Its straight edges stay long enough for the flanks outside and in the cavity.

    Args:
        u: Extent along the wall.
        v: Extent upwards.
        chance: Source of random numbers.
        wear_mm: Bounds of the wear of a corner.
        at: Letters of the corners to wear, counter-clockwise from the lower left one.
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
    """Return random lengths between two bounds that add up to a total.

    Args:
        total: Sum of the lengths, in mm.
        least: Least length, in mm.
        most: Greatest length, in mm.
        chance: Random numbers.
    """
    count = max(1, round(total / ((least + most) / 2)))
    while count > 1 and total / count < least:
        count -= 1
    if total / count > most:
        count += 1
    uneven = min((most - least) / (most + least), 0.28)
    parts = [1.0 + chance.uniform(-uneven, uneven) for _ in range(count)]
    scale = total / sum(parts)
    return [part * scale for part in parts]


def stack_courses(zone: WallZone, heights: Sequence[float], gap: float = GAP_MM) -> list[Span]:
    """Return courses of given proportions that fill a zone, with a gap between each two.

    Args:
        zone: Heights between which the wall is drawn, in mm.
        heights: Proportions of the courses, from below.
        gap: Height of a joint, in mm.
    """
    room = zone.high_mm - zone.low_mm - gap * (len(heights) - 1)
    scale = room / sum(heights)
    spans, at = [], zone.low_mm
    for height in heights:
        spans.append((at, at + height * scale))
        at += height * scale + gap
    return spans

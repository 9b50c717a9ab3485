"""Rubble walls: a Voronoi diagram of the unrolled wall, continued round its corners."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

from falldamage_forge.geometry.relief.elements import Outline, Point, WallPath
from falldamage_forge.geometry.relief.stone_profiles import has_profile_room
from falldamage_forge.geometry.relief.wall_zones import WallZone

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

CLEAR_MM = 2.6
"""Least distance of cell corners from a wall's corner; nearer ones would fold in the cavity."""


def cells(
    run: WallPath,
    zone: WallZone,
    chance: random.Random,
    size_mm: tuple[float, float],
    gap_mm: float,
    rise_mm: float,
) -> Iterator[tuple[tuple[int, Outline], ...]]:
    """Yield each cell: its outline on a side, or on both sides of the corner that it covers.

    Args:
        run: Foot of the wall.
        zone: Heights of the zone.
        chance: Source of random numbers.
        size_mm: Approximate width and height of cells.
        gap_mm: Distance between cells.
        rise_mm: Height of the stones; every cell has room for their flanks.
    """
    import shapely

    starts = [0.0, *accumulate(run.lengths_mm)]
    total = starts.pop()
    seeds = _seeds(starts, total, zone, chance, size_mm)
    round_about = [(u + turn * total, v) for turn in (-1, 0, 1) for u, v in seeds]
    strip = shapely.box(-total / 4, zone.low_mm, total * 1.25, zone.high_mm)
    drawn = shapely.get_parts(shapely.voronoi_polygons(shapely.MultiPoint(round_about)))
    for cell in drawn:
        kept = shapely.intersection(cell, strip)
        middle = kept.centroid
        if kept.is_empty or not -_reach(size_mm) <= middle.x < total - _reach(size_mm):
            continue
        for least_mm in (1.0, 1.8, 2.8):
            outline = _shrunk(kept, gap_mm / 2, least_mm)
            parts = tuple(_sided(outline, starts, run.lengths_mm)) if outline else ()
            if parts and all(
                has_profile_room(part, rise_mm, run.lengths_mm[side]) for side, part in parts
            ):
                yield parts
                break


def _reach(size_mm: tuple[float, float]) -> float:
    """Return the largest distance before the first corner of the middle of a cell about it."""
    return size_mm[0] / 3


def _seeds(
    starts: Sequence[float],
    total: float,
    zone: WallZone,
    chance: random.Random,
    size_mm: tuple[float, float],
) -> list[Point]:
    wide, tall = size_mm
    seeds = []
    ends = [*starts[1:], total]
    for start, end in zip(starts, ends, strict=True):
        columns = max(2, round((end - start) / wide))
        step = (end - start) / columns
        phase = chance.uniform(0.2, 0.8)
        for column in range(columns):
            phase += 0.5
            rows = max(2, round((zone.high_mm - zone.low_mm) / tall))
            rise = (zone.high_mm - zone.low_mm) / rows
            for row in range(-1, rows + 1):
                v = zone.low_mm + (row + phase % 1.0 + chance.uniform(-0.22, 0.22)) * rise
                sway = 0.0 if column == 0 else chance.uniform(-0.2, 0.2) * step
                seeds.append((start + column * step + sway, v))
    return seeds


def _shrunk(cell: BaseGeometry, by_mm: float, least_mm: float) -> Outline | None:
    """Return a cell inset, without short edges; None for slivers."""
    import shapely

    drawn = shapely.simplify(shapely.buffer(cell, -by_mm, join_style="mitre"), 0.12)
    if drawn.geom_type != "Polygon" or drawn.area < 9.0:
        return None
    low, high = drawn.bounds[1], drawn.bounds[3]
    if high - low < 3.0 or drawn.bounds[2] - drawn.bounds[0] < 3.6:
        return None
    points = [(x, y) for x, y in shapely.orient_polygons(drawn).exterior.coords[:-1]]
    return tuple(_without_short(points, least_mm))


def _without_short(points: list[Point], least_mm: float) -> list[Point]:
    """Replace short edges by a point in their middle."""
    while len(points) > 4:
        lengths = [math.dist(a, b) for a, b in zip(points, points[1:] + points[:1], strict=True)]
        shortest = min(range(len(points)), key=lengths.__getitem__)
        if lengths[shortest] >= least_mm:
            break
        ahead = (shortest + 1) % len(points)
        middle = (
            (points[shortest][0] + points[ahead][0]) / 2,
            (points[shortest][1] + points[ahead][1]) / 2,
        )
        points[shortest] = middle
        del points[ahead]
    return points


def _sided(
    outline: Outline, starts: Sequence[float], lengths: Sequence[float]
) -> Iterator[tuple[int, Outline]]:
    """Yield an unrolled outline on the one or two sides where it lies."""
    total = sum(lengths)
    lines = [*starts, total, total + starts[1]]
    left = min(u for u, _ in outline)
    right = max(u for u, _ in outline)
    corner = next((line for line in lines if left < line < right), None)
    if corner is None:
        side = max(index for index, start in enumerate(starts) if start <= left)
        yield side, tuple((u - starts[side], v) for u, v in outline)
        return
    here = lines.index(corner) % len(starts)
    before = (here - 1) % len(starts)
    length = lengths[before]
    cleared = _cleared(outline, corner)
    for keep, side, offset in ((-1, before, corner - length), (1, here, corner)):
        half = _half(cleared, corner, keep)
        moved = tuple((_end(u - offset, length if keep < 0 else 0.0), v) for u, v in half)
        yield side, moved


def _end(u: float, end: float) -> float:
    """Return u, snapped to a corner's line if it lies within 1e-9 mm."""
    return end if abs(u - end) < 1e-9 else u


def _cleared(outline: Outline, corner: float) -> Outline:
    """Move points too near to a corner's line away from it, sideways."""
    return tuple(
        (corner + math.copysign(max(abs(u - corner), CLEAR_MM), u - corner), v) for u, v in outline
    )


def _half(outline: Outline, corner: float, keep: int) -> Outline:
    """Return the part on one side of a corner's line; cut points lie on the line."""
    points: list[Point] = []
    for (u0, v0), (u1, v1) in zip(outline, (*outline[1:], outline[0]), strict=True):
        inside, ahead = (u0 - corner) * keep > 0, (u1 - corner) * keep > 0
        if inside:
            points.append((u0, v0))
        if inside != ahead:
            # The same end first on either side, so that both sides find the very same point.
            (a0, b0), (a1, b1) = sorted(((u0, v0), (u1, v1)))
            points.append((corner, b0 + (b1 - b0) * (corner - a0) / (a1 - a0)))
    return tuple(points)

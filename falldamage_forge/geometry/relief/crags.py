"""Crags: walls of earth and rock as facets between points of uneven depth.

A crag is a grid of points on every side of a wall; sides share the points at their corner. Points
are drawn as deep as a pattern wants and then lifted until every facet prints: outside the wall may
fall back by `RUN` a mm on its way up, in the cavity by as much on its way down.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from falldamage_forge.geometry.relief.elements import Crag, WallPath
from falldamage_forge.geometry.relief.wall_zones import MARK_HIGH_MM, MARK_LOW_MM, SHADOW_MM
from falldamage_forge.infra.lazy_dataclass import dataclass

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

RUN, CORNER_RUN = 0.78, 0.5
"""Steepest facets up a side and up a corner, in mm of depth a mm."""
ALONG_RUN, FIXED_ALONG_RUN, CORNER_ALONG_RUN = 0.9, 0.3, 0.2
"""The same along a side, at rows of fixed depth and at corners, where more would thin the wall."""
CORNER_STEEP, STEEP = 1.6, 1.1
"""Facets at a corner are so much steeper than drawn, whose line moves along both sides; others too,
because points are as far inside as the mean of their facets asks."""
CORNER_MM = 4.4
"""No point but the corner's own is nearer to a corner: it would fold in the cavity."""
CELL_MM, ROUND_MM = (2.3, 2.2), 240.0
"""Approximate width and height of a cell of the grid, on walls of up to this length all round."""
LEAST_MM = 6.6
"""Least height between two fixed rows that has cells: three of them."""
LOOSE = 0.26
"""Points move by up to this share of a cell."""
HEAD_RUN = 0.42
"""Depth a mm below a mark or a head, whose wall the cavity must reach."""
SWEEPS, CLOSE = 200, 1e-3
"""Sweeps over all facets at most, and the slope by which one may still be too steep."""

Row = tuple[float, float | None]
"""A height and its depth if that is fixed."""
Depth = Callable[[float, float], float]
"""Depth of a place along the unrolled wall and above the foot of its zone."""


@dataclass(frozen=True, slots=True)
class Facets:
    """Triangles of a crag: `places` (n, 2) of one side, `points` the numbers of shared points."""

    places: Floats
    points: Ints
    triangles: Ints


def _cell_mm(run: WallPath) -> tuple[float, float]:
    """Return the width and height of a cell: larger on long walls, whose triangles they limit."""
    scale = math.sqrt(max(1.0, sum(run.lengths_mm) / ROUND_MM))
    return CELL_MM[0] * scale, CELL_MM[1] * scale


def rows_of(run: WallPath, low_mm: float, high_mm: float) -> tuple[Row, ...]:
    """Return the rows of a crag: marks at every level are fixed, between them lie cells.

    Args:
        run: Path of the wall, side by side.
        low_mm: Height of the lower end.
        high_mm: Height of the upper end.
    """
    _, cell_mm = _cell_mm(run)
    v_groove = (SHADOW_MM[0] + SHADOW_MM[1]) / 2
    fixed: list[Row] = [(low_mm, 0.0)]
    for level in range(1, int(high_mm // run.grid.rise_mm) + 1):
        at = level * run.grid.rise_mm
        fixed += [
            (at - MARK_LOW_MM, 0.0),
            (at - v_groove - 1.3, 0.0),
            (at - v_groove - 0.2, 0.5),
            (at - v_groove + 0.2, 0.5),
            (at - v_groove + 1.3, 0.0),
            (at + MARK_HIGH_MM, 0.0),
        ]
    fixed.append((high_mm, 0.0))
    rows: list[Row] = []
    for (low, depth), (high, _) in pairwise(fixed):
        rows.append((low, depth))
        count = round((high - low) / cell_mm) if high - low > LEAST_MM else 1
        rows += [(low + (high - low) * step / count, None) for step in range(1, count)]
    return (*rows, fixed[-1])


def crag(run: WallPath, rows: Sequence[Row], depth: Depth, chance: random.Random) -> Crag:
    """Return a crag as deep as it prints.

    Args:
        run: Foot of the wall.
        rows: Heights of its points.
        depth: Depth that a pattern wants.
        chance: Source of random numbers.
    """
    sides: list[list[list[tuple[float, float, float]]]] = []
    start = 0.0
    wide_mm, _ = _cell_mm(run)
    for length in run.lengths_mm:
        columns = _columns(length, wide_mm)
        grid = []
        for row, (v, fixed) in enumerate(rows):
            points = []
            for column, u in enumerate(columns):
                inner = 1 < column < len(columns) - 2 and fixed is None
                at = u + inner * chance.uniform(-LOOSE, LOOSE) * CELL_MM[0]
                free = 0 < column < len(columns) - 1 and fixed is None
                up = v + free * chance.uniform(-LOOSE, LOOSE) * CELL_MM[1]
                wanted = _wanted(rows, row, up, depth, start + at) if fixed is None else fixed
                points.append((at, up, wanted))
            grid.append(points)
        sides.append(grid)
        start += length
    return _printable(sides, rows)


def _columns(length: float, wide_mm: float) -> list[float]:
    room = length - 2 * CORNER_MM
    if room <= 0.0:
        return [0.0, length / 2, length]
    count = max(1, round(room / wide_mm))
    return [0.0, *(CORNER_MM + room * step / count for step in range(count + 1)), length]


def _wanted(rows: Sequence[Row], row: int, v: float, depth: Depth, u: float) -> float:
    """Return the depth at a free point: none that the wall over it could not follow."""
    low = max(at for at, fixed in rows[:row] if fixed is not None)
    high = min(at for at, fixed in rows[row:] if fixed is not None)
    return max(0.0, min(depth(u, (v - low) / (high - low)), HEAD_RUN * (high - v)))


def facets(crag_: Crag) -> tuple[Facets, ...]:
    """Return the facets of each side of a crag."""
    import numpy as np

    height = len(crag_[0])
    count = len(crag_)
    corners = np.arange(count * height).reshape(count, height)
    at = count * height
    found = []
    for side, grid in enumerate(crag_):
        width = len(grid[0])
        points = np.empty((height, width), dtype=np.int64)
        points[:, 0], points[:, -1] = corners[side], corners[(side + 1) % count]
        inner = height * (width - 2)
        points[:, 1:-1] = (at + np.arange(inner)).reshape(height, width - 2)
        at += inner
        local = np.arange(height * width).reshape(height, width)
        a, b, c, d = local[:-1, :-1], local[:-1, 1:], local[1:, 1:], local[1:, :-1]
        turned = (np.add.outer(np.arange(height - 1), np.arange(width - 1)) % 2).astype(bool)
        first = np.where(turned, np.stack([a, b, d]), np.stack([a, b, c]))
        second = np.where(turned, np.stack([b, c, d]), np.stack([a, c, d]))
        triangles = np.concatenate([part.reshape(3, -1).T for part in (first, second)])
        places = np.array(grid).reshape(-1, 3)[:, :2]
        found.append(Facets(places, points.reshape(-1), triangles))
    return tuple(found)


def depths_of(crag_: Crag, parts: Sequence[Facets]) -> Floats:
    """Return the depth of each shared point.

    Args:
        crag_: Points and cells of the crag.
        parts: Triangles of each side.
    """
    import numpy as np

    depths = np.zeros(max(int(part.points.max()) for part in parts) + 1)
    for part, grid in zip(parts, crag_, strict=True):
        depths[part.points] = np.array(grid).reshape(-1, 3)[:, 2]
    return depths


def _printable(
    sides: Sequence[Sequence[Sequence[tuple[float, float, float]]]], rows: Sequence[Row]
) -> Crag:
    """Return the points, those lifted whose facets would hang or turn too sharply."""
    import numpy as np

    drawn: Crag = tuple(tuple(tuple(row) for row in grid) for grid in sides)
    parts = facets(drawn)
    up, along, ends = _slopes(parts)
    points = np.concatenate([part.points[part.triangles] for part in parts])
    free = _free(parts, rows)
    beside = np.where(free[points].all(axis=1), ALONG_RUN, FIXED_ALONG_RUN)
    depths = _relaxed(
        depths_of(drawn, parts),
        free,
        np.concatenate([points] * 3),
        np.concatenate([up, along, -along]),
        np.concatenate(
            [
                np.where(ends, CORNER_RUN, RUN),
                *[np.where(ends, CORNER_ALONG_RUN, beside)] * 2,
            ]
        ),
    )
    return tuple(
        tuple(
            tuple((u, v, float(depth)) for (u, v, _), depth in zip(row, found, strict=True))
            for row, found in zip(grid, depths[part.points].reshape(len(grid), -1), strict=True)
        )
        for grid, part in zip(drawn, parts, strict=True)
    )


def _free(parts: Sequence[Facets], rows: Sequence[Row]) -> NDArray[np.bool_]:
    import numpy as np

    free = np.zeros(max(int(part.points.max()) for part in parts) + 1, dtype=bool)
    loose = np.array([fixed is None for _, fixed in rows])
    for part in parts:
        free[part.points] = np.repeat(loose, len(part.points) // len(rows))
    return free


def cavity_depths(crag_: Crag, wall_mm: float) -> tuple[tuple[Facets, Floats], ...]:
    """Return the facets of each side, and the depths of their places in the cavity.

    Args:
        crag_: Points outside.
        wall_mm: Thickness of the wall in every layer.
    """
    import numpy as np

    parts = facets(crag_)
    outer = depths_of(crag_, parts)
    if not wall_mm:
        return tuple((part, outer[part.points]) for part in parts)
    up, along, ends = _slopes(parts)
    points = np.concatenate([part.points[part.triangles] for part in parts])
    steep = np.abs((along * outer[points]).sum(axis=1)) * np.where(ends, CORNER_STEEP, STEEP)
    lean = np.hypot(1.0, steep) / np.where(ends, 1.0 - steep, 1.0)
    thick = np.ones(len(outer))
    np.maximum.at(thick, points.reshape(-1), np.repeat(lean, 3))
    free = np.ones(len(outer), dtype=bool)
    flat = _flat_rows(crag_)
    for part, grid in zip(parts, crag_, strict=True):
        fixed = np.repeat(flat, len(grid[0]))
        free[part.points[fixed]] = False
    deep = outer + wall_mm * np.where(free, thick, 1.0)
    deepest = deep.max()
    deep = deepest - _relaxed(deepest - deep, free, points, up, np.where(ends, CORNER_RUN, RUN))
    return tuple((part, deep[part.points]) for part in parts)


def _flat_rows(crag_: Crag) -> NDArray[np.bool_]:
    """True for rows of equal height all round, which are those of fixed depth."""
    import numpy as np

    return np.array(
        [len({v for grid in crag_ for _, v, _ in grid[row]}) == 1 for row in range(len(crag_[0]))]
    )


def _slopes(parts: Sequence[Facets]) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """Return the shares of a facet's points in its slope up and along, and if it is at a corner."""
    import numpy as np

    ups, alongs, ends = [], [], []
    for part in parts:
        u, v = part.places[part.triangles].transpose(2, 0, 1)
        after, last = np.roll(u, -1, axis=1), np.roll(u, -2, axis=1)
        next_v, last_v = np.roll(v, -1, axis=1), np.roll(v, -2, axis=1)
        twice = ((after - u) * (last_v - v) - (last - u) * (next_v - v))[:, :1]
        ups.append((last - after) / twice)
        alongs.append((next_v - last_v) / twice)
        ends.append(((u == 0.0) | (u == part.places[:, 0].max())).any(axis=1))
    return np.concatenate(ups), np.concatenate(alongs), np.concatenate(ends)


def _relaxed(
    depths: Floats, free: NDArray[np.bool_], points: Ints, shares: Floats, limits: Floats
) -> Floats:
    """Lower free points, down to 0, until no facet is steeper than its limit.

    Args:
        depths: Depth of each point, at least 0.
        free: True for points that may move.
        points: (n, 3) numbers of each facet's points.
        shares: (n, 3) of their depths in its slope.
        limits: Steepest slope of each facet.
    """
    import numpy as np

    depths = depths.copy()
    able = np.where(free[points], np.maximum(shares, 0.0), 0.0)
    for _ in range(SWEEPS):
        over = (shares * depths[points]).sum(axis=1) - limits
        wrong = np.flatnonzero(over > CLOSE)
        # What weighs most is lowered first, never below 0, so that no two facets chase each other.
        pick = (able[wrong] * depths[points[wrong]]).argmax(axis=1)
        weight, target = able[wrong, pick], points[wrong, pick]
        movable = (weight > CLOSE) & (depths[target] > 0.0)
        if not movable.any():
            break
        wrong, weight, target = wrong[movable], weight[movable], target[movable]
        np.minimum.at(depths, target, np.maximum(depths[target] - over[wrong] / weight, 0.0))
    return depths


def cliff(run: WallPath, chance: random.Random) -> Depth:
    """Return the depth of a cliff: tilted faces in uneven strata.

    Args:
        run: Path of the wall, side by side.
        chance: Random numbers.
    """
    seeds = list(_faces(sum(run.lengths_mm), chance))

    def depth(u: float, share: float) -> float:
        v = share * 22.0
        near = min(seeds, key=lambda s: math.hypot((u - s[0]) * 0.8, (v - s[1]) * 1.15))
        return near[2] + near[3] * (u - near[0]) + near[4] * (v - near[1])

    return depth


def _faces(
    total: float, chance: random.Random
) -> Iterator[tuple[float, float, float, float, float]]:
    v = -2.0
    while v < 24.0:
        high = chance.uniform(4.5, 7.5)
        u = -chance.uniform(0.0, 6.0)
        while u < total + 5.0:
            wide = chance.uniform(5.0, 9.5)
            yield (
                u + wide / 2,
                v + high / 2 + chance.uniform(-1.4, 1.4),
                chance.choice((0.0, 0.5, 1.2, 1.9, 2.5)),
                chance.uniform(-0.2, 0.2),
                chance.uniform(-0.1, 0.25),
            )
            u += wide
        v += high


def bank(run: WallPath, chance: random.Random) -> Depth:
    """Return the depth of a bank of earth: it leans back, and boulders look out of it.

    Args:
        run: Path of the wall, side by side.
        chance: Random numbers.
    """
    total = sum(run.lengths_mm)
    stones = [
        (chance.uniform(0, total), chance.uniform(0.1, 0.8), chance.uniform(2.2, 4.0))
        for _ in range(round(total / 9.0))
    ]
    waves = [(chance.uniform(0, 7), chance.uniform(0.25, 0.6)) for _ in range(3)]

    def depth(u: float, share: float) -> float:
        sway = sum(math.sin(u * rate + phase) for phase, rate in waves) / 3
        earth = 0.5 + 2.2 * share + 0.5 * sway + chance.uniform(-0.25, 0.25)
        for at, up, half in stones:
            away = math.hypot((u - at) / half, (share - up) * 22.0 / (half * 0.8))
            if away < 1.0:
                earth = min(earth, 0.1 + 1.5 * away**2)
        return earth

    return depth

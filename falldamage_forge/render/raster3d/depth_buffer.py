"""Depth buffer in numpy: the nearest triangle at each sample."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_CHUNK = 400_000
"""Approximate number of samples processed at once."""


def rasterize_depth(
    spots: NDArray[np.float32], wide: int, high: int
) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """Return the nearest triangle of each sample (-1 for none) and its depth.

    A sample belongs to a triangle that contains its middle; of equally near ones the last wins.

    Args:
        spots: Corners of shape (n, 3, 3), x right and y down in samples, greater z nearer.
        wide: Width in samples.
        high: Height in samples.

    Returns:
        Two arrays of shape (high, wide).
    """
    import numpy as np

    faces = np.full(wide * high, -1, np.int32)
    depth = np.full(wide * high, -np.inf, np.float32)
    for own, which, rows in _row_chunks(spots, wide, high):
        at, z, owner = _samples(spots[own], which, rows, wide)
        np.maximum.at(depth, at, z)
        there = z == depth[at]
        faces[at[there]] = own[owner[there]]
    return faces.reshape(high, wide), depth.reshape(high, wide)


def _row_chunks(
    spots: NDArray[np.float32], wide: int, high: int
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]]:
    """Yield triangles in chunks, and the picture rows whose middle line each of them crosses.

    The second array holds the triangle of each row, as an index into the first.
    """
    import numpy as np

    left, upper = (_across(np.minimum, spots, axis) for axis in (0, 1))
    right, lower = (_across(np.maximum, spots, axis) for axis in (0, 1))
    first = np.clip(np.ceil(upper - 0.5), 0, high).astype(np.int64)
    last = np.clip(np.ceil(lower - 0.5), 0, high).astype(np.int64)
    across = (np.ceil(right - 0.5) > np.ceil(left - 0.5)) & (right > 0) & (left < wide)
    seen = np.flatnonzero((last > first) & across)
    counts = last[seen] - first[seen]
    area = np.cumsum(counts * (1 + np.minimum(right - left, wide)[seen].astype(np.int64) // 2))
    starts = np.searchsorted(area, np.arange(0, area[-1] if len(area) else 1, _CHUNK))
    for low, top in zip(starts, [*starts[1:], len(seen)], strict=True):
        own, many = seen[low:top], counts[low:top]
        which = np.repeat(np.arange(len(own)), many)
        steps = np.arange(len(which)) - np.repeat(np.cumsum(many) - many, many)
        yield own, which, first[own][which] + steps


def _across(
    choose: Callable[..., NDArray[np.float32]], spots: NDArray[np.float32], axis: int
) -> NDArray[np.float32]:
    """Return the least or greatest x or y of each triangle; faster than an axis of three."""
    return choose(choose(spots[:, 0, axis], spots[:, 1, axis]), spots[:, 2, axis])


def _samples(
    spots: NDArray[np.float32], which: NDArray[np.int64], rows: NDArray[np.int64], wide: int
) -> tuple[NDArray[np.int64], NDArray[np.float32], NDArray[np.int64]]:
    """Return each sample in some rows of triangles: its index, its depth, its triangle."""
    import numpy as np

    line = (rows + 0.5).astype(np.float32)
    low, top = np.full(len(rows), np.inf, np.float32), np.full(len(rows), -np.inf, np.float32)
    for one, two in ((0, 1), (1, 2), (2, 0)):
        x1, y1, x2, y2 = (spots[which, c, a] for c in (one, two) for a in (0, 1))
        crosses = (y1 <= line) != (y2 <= line)
        share = (line - y1) / np.where(crosses, y2 - y1, 1)
        x = x1 + share * (x2 - x1)
        low = np.where(crosses, np.minimum(low, x), low)
        top = np.where(crosses, np.maximum(top, x), top)
    start = np.clip(np.ceil(low - 0.5), 0, wide).astype(np.int64)
    count = np.maximum(np.clip(np.ceil(top - 0.5), 0, wide).astype(np.int64) - start, 0)
    # Numbers of rows and columns have 32 bits, and what is the same along a row is computed once.
    row = np.repeat(np.arange(len(rows), dtype=np.int32), count)
    before = np.cumsum(count) - count
    col = np.arange(len(row), dtype=np.int32) + (start - before).astype(np.int32)[row]
    z0, east, south = _slopes(spots)
    rise = east[which]
    z = (z0[which] + south[which] * line + rise * 0.5)[row] + rise[row] * col
    return (rows * wide).astype(np.int32)[row] + col, z.astype(np.float32), which[row]


def _slopes(
    spots: NDArray[np.float32],
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return z at the picture's corner and its rise per sample to the right and down."""
    import numpy as np

    a, b, c = (spots[:, corner].astype(np.float64) for corner in range(3))
    one, two = b - a, c - a
    area = one[:, 0] * two[:, 1] - one[:, 1] * two[:, 0]
    area = np.where(np.abs(area) > 1e-9, area, np.inf)
    east = (one[:, 2] * two[:, 1] - two[:, 2] * one[:, 1]) / area
    south = (two[:, 2] * one[:, 0] - one[:, 2] * two[:, 0]) / area
    return a[:, 2] - east * a[:, 0] - south * a[:, 1], east, south

"""Which tiles a line from one tile's middle to another's crosses, and where, in whole numbers."""

from __future__ import annotations

from functools import lru_cache
from math import lcm

Crossing = tuple[int, int, int, int]
"""Row and column offset of a tile, where the line enters and leaves it in parts of the way."""


@lru_cache(maxsize=20_000)
def crossings(rows: int, cols: int, closed: bool) -> tuple[int, tuple[Crossing, ...]]:
    """Tiles crossed by the line between two tiles' middles that lie `rows` and `cols` apart.

    Gives the number of parts the way is counted in, and the tiles row by row. A tile whose inside
    is not met is left out, also one that is only touched at a corner, unless `closed`.
    """
    parts = 2 * lcm(abs(rows) or 1, abs(cols) or 1)
    spans_of_cols = [(col, _inside(cols, col, parts)) for col in _between(cols)]
    found = []
    for row in _between(rows):
        first, last = _inside(rows, row, parts)
        for col, (begin, end) in spans_of_cols:
            enter, leave = max(first, begin), min(last, end)
            if enter < leave or (closed and enter == leave):
                found.append((row, col, enter, leave))
    return parts, tuple(found)


def _between(delta: int) -> range:
    return range(min(delta, 0), max(delta, 0) + 1)


def _inside(delta: int, cell: int, parts: int) -> tuple[int, int]:
    """The parts of the way, out of `parts`, on which 1/2 + way * delta lies in [cell, cell + 1]."""
    if delta == 0:
        return 0, parts
    ends = ((2 * cell - 1) * parts // (2 * delta), (2 * cell + 1) * parts // (2 * delta))
    return max(min(ends), 0), min(max(ends), parts)

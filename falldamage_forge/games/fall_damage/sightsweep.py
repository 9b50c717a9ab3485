"""Sight on large boards: all lines of one offset at once, as arrays over the board.

The same comparisons of whole numbers as `sightmap.one_by_one`, one crossed tile after another for
every pair of tiles that lie so far apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from falldamage_forge.games.fall_damage.engine.crossings import crossings
from falldamage_forge.games.fall_damage.sightmap import Scaled

Ints = NDArray[np.int64]
NONE = -1
"""The number of a surface that is not there."""
LOWEST, HIGHEST = -(10**9), 10**9
"""Top and bottom of a solid that is not there: no line meets it."""


class Field(NamedTuple):
    """A board as arrays by place, row by row: numbers and levels of each layer, and solids."""

    cols: int
    numbers: list[Ints]
    levels: list[Ints]
    bottoms: list[Ints]
    tops: list[Ints]


def swept(scaled: Scaled, rows: int, cols: int) -> tuple[int, ...]:
    """For each surface the bit mask of those seen from it."""
    field = _field(scaled, rows, cols)
    count = len(scaled.ends)
    seen = np.zeros((count, count), dtype=bool)
    places = np.arange(rows * cols, dtype=np.int64).reshape(rows, cols)
    for d_row in range(rows):
        for d_col in range(-cols + 1 if d_row else 0, cols):
            left = max(-d_col, 0)
            near = places[: rows - d_row, left : left + cols - abs(d_col)].ravel()
            for one, other in _open(field, scaled, near, d_row, d_col):
                seen[one, other] = seen[other, one] = True
    np.fill_diagonal(seen, False)
    packed = np.packbits(seen, axis=1, bitorder="little")
    return tuple(int.from_bytes(row.tobytes(), "little") for row in packed)


def _field(scaled: Scaled, rows: int, cols: int) -> Field:
    at: dict[tuple[int, int], list[int]] = {}
    for number, (tile, _) in enumerate(scaled.ends):
        at.setdefault((tile.row, tile.col), []).append(number)
    surfaces = max(map(len, at.values()), default=0)
    solids = max(map(len, scaled.solids.values()), default=0)

    def layers(count: int, empty: int) -> list[Ints]:
        return [np.full(rows * cols, empty, dtype=np.int64) for _ in range(count)]

    numbers, levels = layers(surfaces, NONE), layers(surfaces, 0)
    bottoms, tops = layers(solids, HIGHEST), layers(solids, LOWEST)
    for (row, col), own in at.items():
        for layer, number in enumerate(own):
            numbers[layer][row * cols + col] = number
            levels[layer][row * cols + col] = scaled.ends[number][1]
    for (row, col), solid in scaled.solids.items():
        for layer, (bottom, top) in enumerate(solid):
            bottoms[layer][row * cols + col] = bottom
            tops[layer][row * cols + col] = top
    return Field(cols, numbers, levels, bottoms, tops)


def _open(
    field: Field, scaled: Scaled, near: Ints, d_row: int, d_col: int
) -> Iterator[tuple[Ints, Ints]]:
    """Numbers of surfaces an offset apart that see each other, for each pair of layers."""
    far = near + d_row * field.cols + d_col
    parts, tiles = crossings(d_row, d_col, scaled.closed)
    for numbers, levels in zip(field.numbers, field.levels, strict=True):
        for others, other_levels in zip(field.numbers, field.levels, strict=True):
            there = (numbers[near] != NONE) & (others[far] != NONE)
            one, other = near[there], far[there]
            a, b = levels[one], other_levels[other]
            for row, col, enter, leave in tiles:
                if not one.size:
                    break
                ends = [
                    level
                    for place, level in (((0, 0), a), ((d_row, d_col), b))
                    if scaled.spare and place == (row, col)
                ]
                clear = ~_met(
                    field,
                    one + row * field.cols + col,
                    ends,
                    (a + scaled.eye) * parts,
                    b - a,
                    (enter, leave, parts),
                )
                if not clear.all():
                    one, other, a, b = one[clear], other[clear], a[clear], b[clear]
            yield numbers[one], others[other]


def _met(
    field: Field,
    at: Ints,
    ends: list[Ints],
    start: Ints,
    rise: Ints,
    way: tuple[int, int, int],
) -> NDArray[np.bool_]:
    """Which lines meet a solid over the places they cross; not what their own ends stand on."""
    enter, leave, parts = way
    first, last = start + rise * enter, start + rise * leave
    low, high = np.minimum(first, last), np.maximum(first, last)
    met = np.zeros(len(at), dtype=bool)
    for bottoms, tops in zip(field.bottoms, field.tops, strict=True):
        top = tops[at]
        hit = (low < top * parts) & (high > bottoms[at] * parts)
        if ends:
            hit &= ~np.logical_and.reduce([top == level for level in ends])
        met |= hit
    return met

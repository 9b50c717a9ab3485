"""Lines of sight on large boards: all lines of one offset at once, as numpy arrays.

The comparisons are those of `engine.line_of_sight.closed_by`, so the results are equal.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from falldamage_forge.games.fall_damage.engine.columns import StateColumns
from falldamage_forge.games.fall_damage.engine.line_of_sight import crossed_offsets

Ints = NDArray[np.int64]
NONE = -1
"""Number of a missing surface."""
LOWEST, HIGHEST = -(10**9), 10**9
"""Top and bottom of a missing solid, which no line meets."""


class LevelArrays(NamedTuple):
    """A board as arrays by tile: surface numbers and levels of each layer, and its solids."""

    cols: int
    numbers: list[Ints]
    levels: list[Ints]
    bottoms: list[Ints]
    tops: list[Ints]


def visibility_matrix(s: StateColumns) -> tuple[int, ...]:
    """Return, for each surface of a board without units, the visible ones as a bit mask."""
    field, rows, cols = _field(s), s.rows, s.cols
    count = s.n_surfaces
    seen = np.zeros((count, count), dtype=bool)
    places = np.arange(rows * cols, dtype=np.int64).reshape(rows, cols)
    for d_row in range(rows):
        for d_col in range(-cols + 1 if d_row else 0, cols):
            left = max(-d_col, 0)
            near = places[: rows - d_row, left : left + cols - abs(d_col)].ravel()
            for one, other in _open(field, s, near, d_row, d_col):
                seen[one, other] = seen[other, one] = True
    np.fill_diagonal(seen, False)
    packed = np.packbits(seen, axis=1, bitorder="little")
    return tuple(int.from_bytes(row.tobytes(), "little") for row in packed)


def _field(s: StateColumns) -> LevelArrays:
    """Return a board's surfaces and solids, in parts of a level in which all values are whole."""
    tiles = [row << 6 | col for row in range(s.rows) for col in range(s.cols)]
    own: dict[int, list[tuple[int, int]]] = {tile: [] for tile in tiles}
    for number, spot in enumerate(s.surfaces[: s.n_surfaces]):
        own[spot >> 4].append((number, (spot & 15) * s.sight_level))
    solids = [[(LOWEST, s.top[tile] * s.sight_level), *_decks(s, tile)] for tile in tiles]
    numbers, levels = _layers(list(own.values()), (NONE, 0))
    bottoms, tops = _layers(solids, (HIGHEST, LOWEST))
    return LevelArrays(s.cols, numbers, levels, bottoms, tops)


def _decks(s: StateColumns, tile: int) -> list[tuple[int, int]]:
    """Return bottom and top of every deck over a tile."""
    tops = [z * s.sight_level for z in range(16) if s.decks[tile] >> z & 1]
    return [(top - s.sight_deck, top) for top in tops]


def _layers(
    rows: list[list[tuple[int, int]]], empty: tuple[int, int]
) -> tuple[list[Ints], list[Ints]]:
    """Return pairs by tile as arrays: the first pair of each tile, then the second, and so on."""
    deep = max(map(len, rows))
    full = np.array([row + [empty] * (deep - len(row)) for row in rows], dtype=np.int64)
    full = full.reshape(len(rows), deep, len(empty))  # a board of lava has no surface
    return list(full[:, :, 0].T), list(full[:, :, 1].T)


def _open(
    field: LevelArrays, s: StateColumns, near: Ints, d_row: int, d_col: int
) -> Iterator[tuple[Ints, Ints]]:
    """Yield the surface numbers of all open lines of an offset, for each pair of layers."""
    far = near + d_row * field.cols + d_col
    parts, tiles = crossed_offsets(d_row, d_col, s.los_corner == 1)
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
                    if not s.los_own and place == (row, col)
                ]
                clear = ~_met(
                    field,
                    one + row * field.cols + col,
                    ends,
                    (a + s.sight_eye) * parts,
                    b - a,
                    (enter, leave, parts),
                )
                if not clear.all():
                    one, other, a, b = one[clear], other[clear], a[clear], b[clear]
            yield numbers[one], others[other]


def _met(
    field: LevelArrays,
    at: Ints,
    ends: list[Ints],
    start: Ints,
    rise: Ints,
    way: tuple[int, int, int],
) -> NDArray[np.bool_]:
    """True for each line that meets a solid over a crossed tile, except those under its ends."""
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

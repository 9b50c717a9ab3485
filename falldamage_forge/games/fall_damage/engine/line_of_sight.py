"""Lines of sight between surfaces, by the tiles that a line crosses, in exact integers."""

from __future__ import annotations

from functools import lru_cache
from math import lcm

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import StateColumns
from falldamage_forge.games.fall_damage.engine.surface_index import cols_between, rows_between
from falldamage_forge.games.fall_damage.engine.terrain_state import decks_without, lowest

Crossing = tuple[int, int, int, int]
"""Row and column offset of a tile, and the parts of the line at which it enters and leaves it."""


@lru_cache(maxsize=20_000)
def crossed_offsets(rows: int, cols: int, closed: bool) -> tuple[int, tuple[Crossing, ...]]:
    """Return the tiles that the line between two tile centres crosses.

    Args:
        rows: Rows from the first tile to the second.
        cols: Columns from the first tile to the second.
        closed: True if touching a tile at a corner or along its border counts as crossing.

    Returns:
        The number of parts into which the line is divided, and the crossed tiles, row by row.
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
    """Return the parts of the line, out of `parts`, on which it is inside row or column `cell`."""
    if delta == 0:
        return 0, parts
    ends = ((2 * cell - 1) * parts // (2 * delta), (2 * cell + 1) * parts // (2 * delta))
    return max(min(ends), 0), min(max(ends), parts)


def way_row(s: StateColumns, one: int, other: int) -> int:
    """Return the index of the line between two surfaces, the first in reading order first.

    Args:
        s: State of the game; read only.
        one: Surface index of the end that comes first in reading order.
        other: Surface index of the other end.
    """
    rows, cols = rows_between(one, other), cols_between(one, other)
    return rows * s.lines_apart + cols + s.lines_middle


def open_line(
    s: StateColumns, one: int, other: int, own: int, spared: int, leave_tile: int, leave_deck: int
) -> bool:
    """True if no terrain and no unit blocks a line; the parameters are those of `closed_by`.

    Args:
        s: State of the game; read only.
        one: First surface index.
        other: Second surface index.
        own: Index of a unit that does not block; -1 for none.
        spared: Tile number whose units do not block; -1 for none.
        leave_tile: Tile number whose feature does not block; -1 for none.
        leave_deck: Number of the bridge that does not block; -1 for none.
    """
    return closed_by(s, one, other, own, spared, leave_tile, leave_deck) < 0


def closed_by(
    s: StateColumns, one: int, other: int, own: int, spared: int, leave_tile: int, leave_deck: int
) -> int:
    """Return the blocker of a line of sight: `tile * 4 + kind` (`codes.BY_GROUND` ...), or -1.

    Args:
        s: State of the game; read only.
        one: First surface.
        other: Second surface.
        own: Unit that does not block (an attacker that would stand elsewhere); -1 for none.
        spared: Tile whose units do not block; -1 for none.
        leave_tile: Tile whose feature does not block; -1 for none.
        leave_deck: Number of the bridge that does not block; -1 for none.

    A unit on the level of both ends is in the way at every height of the eyes: with eyes at its
    feet or its top (`los_eye` 0 or 1) the line only touches it.

    Source: "straight line through space from attacker to target. If no other unit or terrain blocks
        this line".
    """
    if one > other:
        one, other = other, one
    row = way_row(s, one, other)
    first, count, parts = s.way_first[row], s.way_count[row], s.way_parts[row]
    a, b = one & 15, other & 15
    level_parts = s.sight_level
    unit = level_parts * parts
    start, rise = a * unit + s.sight_eye * parts, (b - a) * level_parts
    deck_parts = s.sight_deck * parts
    for n in range(first, first + count):
        tile = (one >> 4) + s.way_tile[n]
        low, high = start + rise * s.way_low[n], start + rise * s.way_high[n]
        if low > high:
            low, high = high, low
        support = -1
        if not s.los_own and (tile == one >> 4 or tile == other >> 4):
            if one >> 4 == other >> 4 and a != b:
                support = -1
            else:
                support = a if tile == one >> 4 else b
        peak = s.top[tile]
        if tile == leave_tile:
            peak = s.level[tile] + s.bricks[tile]
        if low < peak * unit and peak != support:
            return tile << 2 | C.BY_GROUND
        decks = s.decks[tile]
        if decks and leave_deck >= 0:
            decks = decks_without(s, tile, leave_deck)
        while decks:
            deck = lowest(decks)
            decks &= decks - 1
            if deck != support and low < deck * unit and high > deck * unit - deck_parts:
                return tile << 2 | C.BY_DECK
        for level in range(a if a == b else low // unit, min(high // unit, 15) + 1):
            if level == a == b or (low < (level + 1) * unit and high > level * unit):
                spot = tile << 4 | level
                who = s.occupant[spot]
                if who >= 0 and spot != one and spot != other and spot != own and tile != spared:
                    return tile << 2 | C.BY_UNIT
    return -1


def fogged(s: StateColumns, one: int, other: int) -> bool:
    """True if the line between two surfaces crosses fog.

    Args:
        s: State of the game; read only.
        one: First surface index.
        other: Second surface index.

    Source: "Fog block LOS Attacks except melee".
    """
    if s.n_zones == 0:
        return False
    if one > other:
        one, other = other, one
    row = way_row(s, one, other)
    for n in range(s.way_first[row], s.way_first[row] + s.way_count[row]):
        tile = (one >> 4) + s.way_tile[n]
        if s.fog[tile] and s.way_low[n] != s.way_high[n]:
            return True
    return False


def in_sight(s: StateColumns, one: int, other: int) -> bool:
    """True if the line between two surfaces is open: terrain, other units, fog.

    Args:
        s: State of the game; read only.
        one: First surface index.
        other: Second surface index.
    """
    return open_line(s, one, other, C.NONE, C.NONE, C.NONE, C.NONE) and not fogged(s, one, other)

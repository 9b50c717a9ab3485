"""Distances between surface indices; a surface index is `row << 10 | col << 4 | level`."""

from falldamage_forge.games.fall_damage.engine.columns import StateColumns


def rows_between(one: int, other: int) -> int:
    """Return the rows from one surface to another, negative to the north.

    Args:
        one: First surface index.
        other: Second surface index.
    """
    return (other >> 10) - (one >> 10)


def cols_between(one: int, other: int) -> int:
    """Return the columns from one surface to another, negative to the west.

    Args:
        one: First surface index.
        other: Second surface index.
    """
    return (other >> 4 & 63) - (one >> 4 & 63)


def apart(one: int, other: int) -> int:
    """Return the Manhattan distance in tiles between two surfaces.

    Args:
        one: First surface index.
        other: Second surface index.
    """
    return abs(rows_between(one, other)) + abs(cols_between(one, other))


def around(one: int, other: int) -> int:
    """Return the Chebyshev distance in tiles between two surfaces.

    Args:
        one: First surface index.
        other: Second surface index.
    """
    return max(abs(rows_between(one, other)), abs(cols_between(one, other)))


def within(s: StateColumns, rows: int, cols: int, radius: int) -> bool:
    """True if an offset lies within a reach, ignoring height (options `reach2`, `reach_shape`).

    Args:
        s: State of the game; read only.
        rows: Rows from the middle to the tile.
        cols: Columns from the middle to the tile.
        radius: Radius in tiles.

    Source: "Reach beyond 2 uses a radius (rough circle); AOE 1 is a + shape".
    """
    if radius == 2 and s.reach2:
        return (rows == 0 or cols == 0) and abs(rows) + abs(cols) <= 2
    if radius <= 1 or s.reach_shape:
        return abs(rows) + abs(cols) <= radius
    return rows * rows + cols * cols <= radius * radius


def is_adjacent(one: int, other: int) -> bool:
    """True if two surfaces are at most one tile and one level apart.

    Args:
        one: First surface index.
        other: Second surface index.
    """
    return apart(one, other) <= 1 and abs((one & 15) - (other & 15)) <= 1


def half_turned(s: StateColumns, spot: int) -> int:
    """Return a surface's image under half a turn of the board.

    Args:
        s: State of the game; read only.
        spot: Surface index.
    """
    row, col = s.rows - 1 - (spot >> 10), s.cols - 1 - (spot >> 4 & 63)
    return row << 10 | col << 4 | (spot & 15)


def earlier(side: int, spot: int, old: int) -> bool:
    """True if a surface comes first for a side: red counts from the first row, blue from the last.

    Surfaces of one tile are in the order of their levels.

    Args:
        side: 0 red, 1 blue.
        spot: Surface index that may come first.
        old: Surface index to compare it with.
    """
    if spot >> 4 == old >> 4:
        return spot < old
    return (spot < old) != (side == 1)


def before(spot: int, to: int, old: int, side: int) -> bool:
    """True if `spot` is nearer to `to` than `old`; ties by level, then tile as a side counts.

    Args:
        spot: Surface index that may be nearer.
        to: Surface index from which the distance counts.
        old: Surface index to compare it with.
        side: 0 red, 1 blue; the order of tiles in a tie.
    """
    a, b = apart(spot, to), apart(old, to)
    if a != b:
        return a < b
    a, b = abs((spot & 15) - (to & 15)), abs((old & 15) - (to & 15))
    if a != b:
        return a < b
    if spot & 15 != old & 15:
        return spot & 15 < old & 15
    return earlier(side, spot, old)


def nearer(spot: int, old: int, own: int) -> bool:
    """True if `spot` is nearer to `own` than `old`: by tiles, then levels.

    Args:
        spot: Surface index that may be nearer.
        old: Surface index to compare it with.
        own: Surface index from which the distance counts.
    """
    a, b = apart(spot, own), apart(old, own)
    if a != b:
        return a < b
    return abs((spot & 15) - (own & 15)) < abs((old & 15) - (own & 15))


def nearer_piece(spot: int, one: int, other: int) -> bool:
    """True if the surface `one` is a nearer aim from `spot` than `other`.

    Args:
        spot: Surface index from which the distance counts.
        one: Surface index that may be nearer.
        other: Surface index to compare it with.
    """
    a, b = apart(spot, one), apart(spot, other)
    return a < b or (a == b and one < other)


def too_high(rise: int) -> bool:
    """True if a rise is too high for any Attack and any area.

    Source: "Upward Attack has maximum reach of 2".
    """
    return rise > 2


def in_reach(s: StateColumns, one: int, other: int, reach: int) -> bool:
    """True if a surface is within reach and height of another.

    Args:
        s: State of the game; read only.
        one: Surface of the attacker.
        other: Surface of the target.
        reach: Reach in tiles; 1 and less is melee.

    Source: "Reach of 1 ... adjacent, non diagonal tiles, ... level or +1/-1 vertical", "Downward
        Attack has no vertical restriction. Upward Attack has maximum reach of 2."
    """
    rows, cols = rows_between(one, other), cols_between(one, other)
    rise = (other & 15) - (one & 15)
    if reach <= 1:
        low = s.melee_down == 1 or rise >= -1
        return reach == 1 and abs(rows) + abs(cols) == 1 and rise <= 1 and low
    if rows == 0 and cols == 0 and (s.own_column == 0 or rise == 0):
        return False
    if not within(s, rows, cols, reach):
        return False
    if s.upward and rise > 0:
        return within(s, rows, cols, 2)
    return not too_high(rise)


def melee_near(s: StateColumns, one: int, other: int, diagonal: int) -> bool:
    """True if a surface is in melee reach; with `diagonal` (Phase Sword) also diagonally.

    Args:
        s: State of the game; read only.
        one: Surface index of the attacker.
        other: Surface index of the target.
        diagonal: 1 if diagonal neighbours count.
    """
    if in_reach(s, one, other, 1):
        return True
    if not diagonal or around(one, other) != 1 or apart(one, other) != 2:
        return False
    rise = (other & 15) - (one & 15)
    return rise <= 1 and (rise >= -1 or s.melee_down == 1)

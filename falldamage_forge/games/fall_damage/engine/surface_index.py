"""Distances between surfaces; a spot is `row << 10 | col << 4 | level`."""

from falldamage_forge.games.fall_damage.engine.columns import State


def rows_between(one: int, other: int) -> int:
    """Rows from one spot to another."""
    return (other >> 10) - (one >> 10)


def cols_between(one: int, other: int) -> int:
    """Columns from one spot to another."""
    return (other >> 4 & 63) - (one >> 4 & 63)


def apart(one: int, other: int) -> int:
    """Tiles between two spots along rows and columns."""
    return abs(rows_between(one, other)) + abs(cols_between(one, other))


def around(one: int, other: int) -> int:
    """Tiles between two spots, diagonals counted as one."""
    return max(abs(rows_between(one, other)), abs(cols_between(one, other)))


def within(s: State, rows: int, cols: int, radius: int) -> bool:
    """Whether an offset lies within a reach horizontally."""
    if radius == 2 and s.reach2:
        return (rows == 0 or cols == 0) and abs(rows) + abs(cols) <= 2
    if radius <= 1 or s.reach_shape:
        return abs(rows) + abs(cols) <= radius
    return rows * rows + cols * cols <= radius * radius


def beside(one: int, other: int) -> bool:
    """Next to each other and within a level."""
    return apart(one, other) <= 1 and abs((one & 15) - (other & 15)) <= 1


def before(spot: int, to: int, old: int) -> bool:
    """Whether a spot is nearer to another than an old one, with every tie broken."""
    a, b = apart(spot, to), apart(old, to)
    if a != b:
        return a < b
    a, b = abs((spot & 15) - (to & 15)), abs((old & 15) - (to & 15))
    if a != b:
        return a < b
    if spot & 15 != old & 15:
        return spot & 15 < old & 15
    return spot >> 4 < old >> 4


def nearer(spot: int, old: int, own: int) -> bool:
    """Whether a spot is nearer than another: tiles, then levels."""
    a, b = apart(spot, own), apart(old, own)
    if a != b:
        return a < b
    return abs((spot & 15) - (own & 15)) < abs((old & 15) - (own & 15))


def nearer_piece(spot: int, one: int, other: int) -> bool:
    """Whether one surface is a nearer aim than another."""
    a, b = apart(spot, one), apart(spot, other)
    return a < b or (a == b and one < other)


def in_reach(s: State, one: int, other: int, reach: int) -> bool:
    """Whether a surface is within reach and height of another."""
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
    return rise <= 2


def melee_near(s: State, one: int, other: int, diagonal: int) -> bool:
    """Melee reach, diagonally too with the Phase Sword."""
    if in_reach(s, one, other, 1):
        return True
    if not diagonal or around(one, other) != 1 or apart(one, other) != 2:
        return False
    rise = (other & 15) - (one & 15)
    return rise <= 1 and (rise >= -1 or s.melee_down == 1)

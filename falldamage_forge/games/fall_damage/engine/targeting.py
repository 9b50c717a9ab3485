"""Reach, height and sight: who and what can be aimed at."""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import State
from falldamage_forge.games.fall_damage.engine.line_of_sight import fogged, in_sight, open_line
from falldamage_forge.games.fall_damage.engine.surface_index import (
    cols_between,
    in_reach,
    melee_near,
    rows_between,
    within,
)
from falldamage_forge.games.fall_damage.engine.unit_stats import has, reach_of, reach_with


def strikes(s: State, i: int, spot: int) -> bool:
    """Whether its plain Attack reaches and sees a surface."""
    reach = reach_of(s, i)
    if reach <= 1:
        return melee_near(s.spot[i], spot, s.diagonal[i])
    if not in_reach(s.spot[i], spot, reach):
        return False
    if s.no_sight_needed[i] or has(s, i, C.ARC):
        return True
    return in_sight(s, s.spot[i], spot)


def reaches(s: State, i: int, spot: int, reach: int) -> bool:
    """Whether an ability reaches and sees a surface; at Reach 1 like melee."""
    if reach <= 1:
        return melee_near(s.spot[i], spot, 0)
    if not in_reach(s.spot[i], spot, reach):
        return False
    return s.no_sight_needed[i] == 1 or in_sight(s, s.spot[i], spot)


def hits_piece(
    s: State, i: int, reach: int, spot: int, spared: int, leave_tile: int, leave_deck: int
) -> bool:
    """Whether a unit's Attack reaches and sees a piece of terrain at a surface."""
    own = s.spot[i]
    if reach <= 1:
        return melee_near(own, spot, s.diagonal[i])
    if not in_reach(own, spot, reach):
        return False
    if s.no_sight_needed[i] or has(s, i, C.ARC):
        return True
    return open_line(s, own, spot, C.NONE, spared, leave_tile, leave_deck) and not fogged(
        s, own, spot
    )


def between(level: int, low: int, high: int) -> int:
    """A level brought between two others."""
    return max(low, min(level, high))


def in_area(s: State, i: int, aim: int, radius: int) -> bool:
    """Whether a unit is in an area of effect around an aim."""
    spot = s.spot[i]
    if spot < 0 or (spot & 15) - (aim & 15) > 2:
        return False
    return within(rows_between(aim, spot), cols_between(aim, spot), radius)


def cone_holds(s: State, spot: int, way: int, other: int) -> bool:
    """Whether a spot lies in the cone in front of another: one tile, then three."""
    rows, cols = rows_between(spot, other), cols_between(spot, other)
    ahead, aside = -rows, cols
    if way == 1:
        ahead, aside = cols, rows
    elif way == 2:
        ahead = rows
    elif way == 3:
        ahead, aside = -cols, rows
    return 1 <= ahead <= 2 and abs(aside) < ahead and (other & 15) - (spot & 15) <= 2


def holds_somebody(s: State, aim: int, radius: int, side: int) -> bool:
    """Whether anybody (of a side, -1: any) is in an area."""
    for i in range(s.n_units):
        if (side < 0 or s.side[i] == side) and in_area(s, i, aim, radius):
            return True
    return False


def promoted(s: State, i: int, other: int) -> bool:
    """Whether a Wrestler's Promo reaches an enemy."""
    if s.spot[other] < 0 or s.side[other] == s.side[i]:
        return False
    return in_reach(s.spot[i], s.spot[other], max(reach_with(s, i, C.PROMOTE), 1))


def behind(s: State, i: int, foe: int) -> int:
    """Where a caught enemy lands: the highest free surface as far off on the other side."""
    own, spot = s.spot[i], s.spot[foe]
    row = 2 * (own >> 10) - (spot >> 10)
    col = 2 * (own >> 4 & 63) - (spot >> 4 & 63)
    if not (0 <= row < s.rows and 0 <= col < s.cols):
        return -1
    stand = s.stand[row << 6 | col]
    for level in range(15, -1, -1):
        if stand >> level & 1 and s.occupant[row << 10 | col << 4 | level] < 0:
            return row << 10 | col << 4 | level
    return -1

"""Reach, height and sight: who and what can be aimed at."""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import State
from falldamage_forge.games.fall_damage.engine.line_of_sight import fogged, in_sight, open_line
from falldamage_forge.games.fall_damage.engine.surface_index import (
    cols_between,
    in_reach,
    melee_near,
    nearer_piece,
    rows_between,
    within,
)
from falldamage_forge.games.fall_damage.engine.terrain_state import free
from falldamage_forge.games.fall_damage.engine.unit_stats import (
    has,
    letter_of,
    reach_of,
    reach_with,
    tiles_of,
)


def strikes(s: State, i: int, spot: int) -> bool:
    """Whether its plain Attack reaches and sees a surface."""
    reach = reach_of(s, i)
    if reach <= 1:
        return melee_near(s, s.spot[i], spot, s.diagonal[i])
    if not in_reach(s, s.spot[i], spot, reach):
        return False
    return not attack_needs_sight(s, i) or in_sight(s, s.spot[i], spot)


def attack_needs_sight(s: State, i: int) -> bool:
    """Whether a plain Attack needs a line of sight (option `los_free`)."""
    if s.no_sight_needed[i] or s.free_sight >> C.FREE_ATTACK & 1:
        return False
    return not (s.free_sight >> C.FREE_ARCHER & 1 and has(s, i, C.ARC))


def needs_sight(s: State, i: int, what: int) -> bool:
    """Whether an ability, or an item behind the abilities, needs a line of sight."""
    return not s.no_sight_needed[i] and s.free_sight >> what & 1 == 0


def reaches(s: State, i: int, spot: int, reach: int, ability: int) -> bool:
    """Whether an ability reaches and sees a surface; at Reach 1 like melee."""
    if reach <= 1:
        return melee_near(s, s.spot[i], spot, 0)
    if not in_reach(s, s.spot[i], spot, reach):
        return False
    return not needs_sight(s, i, ability) or in_sight(s, s.spot[i], spot)


def hits_piece(
    s: State, i: int, reach: int, spot: int, spared: int, leave_tile: int, leave_deck: int
) -> bool:
    """Whether a unit's Attack reaches and sees a piece of terrain at a surface."""
    own = s.spot[i]
    if reach <= 1:
        return melee_near(s, own, spot, s.diagonal[i])
    if not in_reach(s, own, spot, reach):
        return False
    if not attack_needs_sight(s, i):
        return True
    return open_line(s, own, spot, C.NONE, spared, leave_tile, leave_deck) and not fogged(
        s, own, spot
    )


def aim_at_feature(s: State, i: int, tile: int) -> int:
    """Where a tree or spire is aimed at: the part nearest the unit's level; -1: it cannot be.

    A spire can only be pushed.
    """
    letter = letter_of(s, i)
    pushes = letter != C.NO_LETTER and letter != C.FRONT and tiles_of(s, i) >= 1
    if s.feature[tile] == 0 or (s.feature[tile] == C.SPIRE and not pushes):
        return -1
    spot = tile << 4 | between(s.spot[i] & 15, s.level[tile], s.top[tile] - 1)
    return spot if hits_piece(s, i, reach_of(s, i), spot, C.NONE, tile, C.NONE) else -1


def aim_at_deck(s: State, i: int, n: int) -> int:
    """The nearest tile of a bridge that is hit; -1: none."""
    best = -1
    for k in range(s.deck_count[n] if s.deck_alive[n] else 0):
        spot = s.deck_tiles[n * C.DECK_LENGTH + k] << 4 | s.deck_level[n]
        if best < 0 or nearer_piece(s.spot[i], spot, best):
            if hits_piece(s, i, reach_of(s, i), spot, C.NONE, C.NONE, n):
                best = spot
    return best


def aim_at_ladder(s: State, i: int, n: int) -> int:
    """Where a ladder is aimed at: the part nearest the unit's level; -1: not in reach."""
    if s.ladder_alive[n] == 0:
        return -1
    near = between(s.spot[i] & 15, s.foot_level[n], s.head_level[n] - 1)
    spot = s.foot_tile[n] << 4 | near
    hit = hits_piece(s, i, reach_of(s, i), spot, s.foot_tile[n], C.NONE, C.NONE)
    return spot if hit else -1


def between(level: int, low: int, high: int) -> int:
    """A level brought between two others."""
    return max(low, min(level, high))


def in_area(s: State, i: int, aim: int, radius: int) -> bool:
    """Whether a unit is in an area of effect around an aim."""
    spot = s.spot[i]
    rise = (spot & 15) - (aim & 15)
    if spot < 0 or rise > 2 or (s.area_levels == 1 and abs(rise) > 1):
        return False
    return within(s, rows_between(aim, spot), cols_between(aim, spot), radius)


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
    rise = (other & 15) - (spot & 15)
    if rise > 2 or (s.area_levels == 1 and abs(rise) > 1):
        return False
    return 1 <= ahead <= C.CONE_DEPTH[s.cone] and abs(aside) < ahead


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
    if not in_reach(s, s.spot[i], s.spot[other], max(reach_with(s, i, C.PROMOTE), 1)):
        return False
    return not s.aura_los or in_sight(s, s.spot[i], s.spot[other])


def behind(s: State, i: int, foe: int) -> int:
    """Where a caught enemy lands: the highest free surface as far off on the other side."""
    own, spot = s.spot[i], s.spot[foe]
    row = 2 * (own >> 10) - (spot >> 10)
    col = 2 * (own >> 4 & 63) - (spot >> 4 & 63)
    if not (0 <= row < s.rows and 0 <= col < s.cols):
        return -1
    tile, level = row << 6 | col, spot & 15
    if s.catch_level == C.CATCH_FALL:
        air = tile << 4 | level
        open_air = free(s, C.GROUND, tile, level, level + 1)
        return air if open_air and s.occupant[air] < 0 else -1
    found, stand = -1, s.stand[tile]
    for high in range(15, -1, -1):
        end = tile << 4 | high
        if not stand >> high & 1 or s.occupant[end] >= 0:
            continue
        if s.catch_level == C.CATCH_HIGHEST:
            return end
        if found < 0 or abs(high - level) < abs((found & 15) - level):
            found = end
    return found

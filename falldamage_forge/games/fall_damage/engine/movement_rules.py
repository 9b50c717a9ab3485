"""Steps, leaps and ladders out of a surface, and what they cost a unit."""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import State
from falldamage_forge.games.fall_damage.engine.terrain_state import free, lava, stands, top, wet


def links(s: State, o: int, spot: int) -> int:
    """Where the steps out of a surface begin in memory; the first number says how many."""
    at = ((o << 4) + spot) * C.LINKS
    if s.link[at] < 0:
        find_links(s, o, spot, at)
    return at


def find_links(s: State, o: int, spot: int, at: int) -> None:
    """Steps, leaps and ladders: to, for a leap the tile leapt (+1) above it, then whether it is a
    ladder, and for the others whether one comes into water.
    """
    tile, level, count = spot >> 4, spot & 15, 0
    for way in range(4):
        near = s.near[(o + tile) * 4 + way]
        if near < 0:
            continue
        stand = s.stand[o + near]
        for goal in range(16):
            if stand >> goal & 1:
                high = max(level, goal) + 1
                if free(s, o, tile, level, high) and free(s, o, near, goal, high):
                    count += 1
                    s.link[at + count] = moist(s, o, near << 4 | goal)
        away = s.away[(o + tile) * 4 + way]
        if away < 0 or top(s, o, near) >= level or s.decks[o + near] >> level & 1:
            continue
        stand = s.stand[o + away]
        for goal in range(16):
            if stand >> goal & 1:
                high = max(level, goal) + 1
                if (
                    free(s, o, near, level, high)
                    and free(s, o, tile, level, high)
                    and free(s, o, away, goal, high)
                ):
                    count += 1
                    s.link[at + count] = moist(s, o, away << 4 | goal) | (near + 1) << 16
    for n in range(s.n_ladders):
        if o == C.GROUND and s.ladder_alive[n] == 0:
            continue
        foot = s.foot_tile[n] << 4 | s.foot_level[n]
        up = s.head_tile[n] << 4 | s.head_level[n]
        if (spot != foot and spot != up) or not stands(s, o, foot) or not stands(s, o, up):
            continue
        low, high = s.foot_level[n], s.head_level[n]
        if free(s, o, s.foot_tile[n], low, max(low, high) + 1):
            count += 1
            s.link[at + count] = (up if spot == foot else foot) | 1 << 30
    s.link[at] = count


def moist(s: State, o: int, spot: int) -> int:
    """Where a link leads, marked where that is water."""
    return spot | 1 << 31 if wet(s, o, spot) else spot


def leapt(link: int) -> int:
    """The tile a link leaps over; -1: it is no leap."""
    return (link >> 16 & 0x3FFF) - 1


def take_step(
    s: State, o: int, spot: int, link: int, jump: int, counts: int, no_fall: int
) -> tuple[int, int, int, int]:
    """What a link costs a gait: (to, cost, damage, drop); a cost of -1: not for it."""
    to = link & 0xFFFF
    rise = (to & 15) - (spot & 15)
    if link >> 30 & 1:
        tile = 2 if wet(s, o, to) else 1
        cost = max(tile, tile + abs(rise)) if counts else tile
        return to, cost, 0, 0
    if rise > jump:
        return to, -1, 0, 0
    is_wet = link >> 31 == 1
    cost = (2 if is_wet else 1) + (1 if leapt(link) >= 0 else 0) + (abs(rise) if counts else 0)
    drop = max(-rise, 0)
    fall = 0 if no_fall or is_wet else drop
    return to, cost, fall - jump if fall > jump else 0, drop


def under_leap_empty(s: State, spot: int, link: int, own: int) -> bool:
    """Whether nobody is below a leap or where it comes down, the leaper's own place aside."""
    to, over = link & 0xFFFF, leapt(link)
    if s.occupant[to] >= 0 and to != own:
        return False
    for level in range(min(max(spot & 15, to & 15) + 1, 16)):
        there = over << 4 | level
        if s.occupant[there] >= 0 and there != own:
            return False
    return True


def ghost_goal(s: State, o: int, spot: int, near: int, goal: int) -> bool:
    """Whether who walks through walls may step onto a spot of a neighbouring tile."""
    to = near << 4 | goal
    if stands(s, o, to) or lava(s, o, to):
        return True
    level = spot & 15
    return goal == level and not free(s, o, near, level, level + 1)


def ghost_step(
    s: State, o: int, spot: int, to: int, jump: int, counts: int, no_fall: int
) -> tuple[int, int]:
    """Cost and damage of such a step; a cost of -1: too high."""
    rise = (to & 15) - (spot & 15)
    if rise > jump:
        return -1, 0
    fall = 0 if no_fall or wet(s, o, to) else max(-rise, 0)
    return 1 + (abs(rise) if counts else 0), fall - jump if fall > jump else 0


def closed(s: State, i: int, to: int, through: int) -> bool:
    """Whether an enemy is in the way."""
    who = s.occupant[to]
    return who >= 0 and not through and s.side[who] != s.side[i]

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
    """Steps, leaps and ladders out of a surface that the readings allow.

    Each is where it leads, for a leap the tile leapt (+1) above it, whether it is a ladder, whether
    it costs as water does, and whether one comes down into water.
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
                    s.link[at + count] = moist(s, o, spot, near << 4 | goal)
        away = s.away[(o + tile) * 4 + way]
        if away < 0 or not may_leap_over(s, o, near, level):
            continue
        stand = s.stand[o + away]
        for goal in range(16):
            if stand >> goal & 1 and may_leap_up(s, goal - level):
                high = max(level, goal) + 1
                if (
                    free(s, o, near, level, high)
                    and free(s, o, tile, level, high)
                    and free(s, o, away, goal, high)
                ):
                    count += 1
                    s.link[at + count] = moist(s, o, spot, away << 4 | goal) | (near + 1) << 16
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
            s.link[at + count] = moist(s, o, spot, up if spot == foot else foot) | 1 << 30
    s.link[at] = count


def may_leap_over(s: State, o: int, near: int, level: int) -> bool:
    """Whether a tile may be leapt from a level: lower, or level with it (option `gap`)."""
    if top(s, o, near) > level or (s.leap_over == C.OVER_EMPTY and s.feature[o + near]):
        return False
    flush = top(s, o, near) == level or s.decks[o + near] >> level & 1 == 1
    return s.gap == 1 or not flush


def may_leap_up(s: State, rise: int) -> bool:
    """Whether a leap may rise so far (option `leap_vertical`)."""
    if s.leap_vertical == C.LEAP_LEVEL:
        return rise == 0
    return s.leap_vertical == C.LEAP_JUMP or rise <= 0


def moist(s: State, o: int, spot: int, to: int) -> int:
    """Where a link leads, marked where it costs as water does and where it ends in water."""
    costs = as_water(s, o, spot if s.water_cost else to)
    return to | (1 << 31 if costs else 0) | (1 << 32 if wet(s, o, to) else 0)


def as_water(s: State, o: int, spot: int) -> bool:
    """Whether a surface costs as water does: bridges over it may, too (option `bridge_cost`)."""
    if wet(s, o, spot):
        return True
    at = o + (spot >> 4)
    bare = s.kind[at] == C.WATER and s.bricks[at] == 0
    return s.bridge_cost == 1 and bare and (spot & 15) > s.level[at]


def is_dry(link: int) -> bool:
    """Whether quicksand makes a link dearer: not where it costs as water does."""
    return link >> 31 & 1 == 0


def leapt(link: int) -> int:
    """The tile a link leaps over; -1: it is no leap."""
    return (link >> 16 & 0x3FFF) - 1


def take_step(
    s: State, spot: int, link: int, jump: int, counts: int, no_fall: int
) -> tuple[int, int, int, int]:
    """What a link costs a gait: (to, cost, fall, drop); a cost of -1: not for it.

    `fall` is what counts for damage of the drop.
    """
    to = link & 0xFFFF
    rise = (to & 15) - (spot & 15)
    cost = 2 if link >> 31 & 1 else 1
    if link >> 30 & 1:
        return to, ladder_cost(s, rise, cost, counts), 0, 0
    if rise > jump:
        return to, -1, 0, 0
    if leapt(link) >= 0:
        cost += 1
    if counts and not (s.beast_down and rise < 0):
        cost += abs(rise)
    if rise >= 0:
        return to, cost, 0, 0
    return to, cost, 0 if no_fall or link >> 32 & 1 else -rise, -rise


def ladder_cost(s: State, rise: int, tile: int, counts: int) -> int:
    """What a ladder costs: a tile, or its height (option `ladder_cost`)."""
    cost = max(1, abs(rise)) + tile - 1 if s.ladder_cost else tile
    if not counts:
        return cost
    return max(cost, tile + (max(rise, 0) if s.beast_down else abs(rise)))


def step_damage(s: State, fall: int, allowed: int) -> int:
    """Damage of a voluntary fall: what goes beyond the Jump (option `voluntary_fall`)."""
    if fall <= allowed:
        return 0
    return fall if s.voluntary_fall else fall - allowed


def under_leap_empty(s: State, spot: int, link: int, own: int) -> bool:
    """Whether nobody is below a leap or where it comes down, the leaper's own place aside."""
    to, over = link & 0xFFFF, leapt(link)
    if not s.leap_pass and taken(s, to, own):
        return False
    low = spot & 15 if s.leap_over == C.OVER_CLEAR else 0
    for level in range(low, min(max(spot & 15, to & 15) + 1, 16)):
        if taken(s, over << 4 | level, own):
            return False
    return True


def taken(s: State, spot: int, own: int) -> bool:
    """Whether another unit is on a surface, or on its tile at all (option `occupancy`)."""
    if s.occupant[spot] >= 0 and spot != own:
        return True
    if not s.occupancy or not stands(s, C.GROUND, spot):
        return False
    for level in range(16):
        there = spot >> 4 << 4 | level
        if s.occupant[there] >= 0 and there != own:
            return True
    return False


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
    """Cost of such a step and the fall that counts for damage; a cost of -1: too high."""
    rise = (to & 15) - (spot & 15)
    if rise > jump:
        return -1, 0
    vertical = max(rise, 0) if s.beast_down else abs(rise)
    fall = 0 if no_fall or wet(s, o, to) else max(-rise, 0)
    return 1 + (vertical if counts else 0), fall


def closed(s: State, i: int, to: int, through: int) -> bool:
    """Whether an enemy is in the way."""
    if through:
        return False
    who = s.occupant[to]
    if who >= 0 and s.side[who] != s.side[i]:
        return True
    if not s.occupancy or not stands(s, C.GROUND, to):
        return False
    for level in range(16):
        other = s.occupant[to >> 4 << 4 | level]
        if other >= 0 and s.side[other] != s.side[i]:
            return True
    return False


def list_exits(s: State, spot: int, jump: int, counts: int, no_fall: int, ghost: int) -> int:
    """Write every step out of a surface into the exits; gives how many there are."""
    o, count = C.GROUND, 0
    if not ghost:
        at = links(s, o, spot)
        for k in range(1, s.link[at] + 1):
            link = s.link[at + k]
            to, cost, fall, drop = take_step(s, spot, link, jump, counts, no_fall)
            if cost >= 0:
                climb = 0 if link >> 30 & 1 else max((to & 15) - (spot & 15), 0)
                count = add_exit(s, count, to, cost, fall, drop, climb, link)
        return count
    for way in range(4):
        near = s.near[(spot >> 4) * 4 + way]
        for goal in range(16 if near >= 0 else 0):
            to = near << 4 | goal
            if ghost_goal(s, o, spot, near, goal):
                cost, fall = ghost_step(s, o, spot, to, jump, counts, no_fall)
                rise = goal - (spot & 15)
                if cost >= 0:
                    # Quicksand does not slow who walks through walls: bit 31.
                    count = add_exit(
                        s, count, to, cost, fall, max(-rise, 0), max(rise, 0), 1 << 31 | to
                    )
    return count


def add_exit(
    s: State, count: int, to: int, cost: int, fall: int, drop: int, climb: int, link: int
) -> int:
    """One exit more; gives how many there are."""
    s.exit_to[count], s.exit_cost[count], s.exit_fall[count] = to, cost, fall
    s.exit_drop[count], s.exit_climb[count], s.exit_link[count] = drop, climb, link
    return count + 1


def slowed(s: State, link: int) -> int:
    """What quicksand adds to the cost of a link."""
    sandy = s.n_zones > 0 and s.sand[(link & 0xFFFF) >> 4] == 1
    return 1 if sandy and is_dry(link) else 0

"""What bots know of the map's own ground: ways on foot, falls, surfaces that are threatened."""

from falldamage_forge.playtest.core.loops import layout as L
from falldamage_forge.playtest.core.loops.effects import slide
from falldamage_forge.playtest.core.loops.ground import in_reach, links, take_step
from falldamage_forge.playtest.core.loops.inner import loop
from falldamage_forge.playtest.core.loops.units import (
    card,
    fixed,
    has,
    jump_of,
    may_attack,
    printed,
    reach_of,
    unit,
)
from falldamage_forge.playtest.core.loops.walk import ghost_goal, ghost_step

BITS = 60


@loop
def usual_move(m, i):
    """How far a unit usually walks."""
    at = unit(i)
    move = printed(m, i, L.OWN_M)
    if move > 20:
        move = 4
    return max(move + m[at + L.MOVE_PLUS] - m[at + L.MIST_ROUNDS], 0)


@loop
def gait_of(m, i):
    """How a unit walks, as one number."""
    counts, light = (1 if has(m, i, L.CRAWL) else 0), (1 if has(m, i, L.NO_FALL) else 0)
    return jump_of(m, i) << 3 | counts << 2 | light << 1 | m[unit(i) + L.DISCORPORATE]


@loop
def gait_number(m, gait):
    """The place of a gait among those remembered."""
    for n in range(m[L.N_GAITS]):
        if m[L.GAITS + n] == gait:
            return n
    if m[L.N_GAITS] == L.MOST_GAITS:
        forget(m)
    m[L.GAITS + m[L.N_GAITS]] = gait
    m[L.N_GAITS] += 1
    return m[L.N_GAITS] - 1


@loop
def forget(m):
    """Forget every way worked out so far."""
    m[L.N_GAITS] = 0
    for n in range(L.MOST_GAITS * L.MOST_SURFACES):
        m[L.ROW_DONE + n] = 0


@loop
def reach_out(m, to, further):
    """A way of some cost to a spot was found."""
    if further >= L.FAR:
        return
    if m[L.FLOOD_SEEN + to] != m[L.FLOOD_STAMP]:
        m[L.FLOOD_SEEN + to], m[L.FLOOD_WAITS + to] = m[L.FLOOD_STAMP], 0
        m[L.FLOOD_LIST + m[L.N_FLOODED]] = to
        m[L.N_FLOODED] += 1
    elif m[L.FLOOD_BEST + to] <= further:
        return
    m[L.FLOOD_BEST + to] = further
    if not m[L.FLOOD_WAITS + to]:
        m[L.FLOOD_WAITS + to] = 1
        m[L.FLOOD_QUEUE + m[L.FLOOD_TAIL] % L.SPOTS] = to
        m[L.FLOOD_TAIL] += 1


@loop
def flood(m, gait, start):
    """Move it costs from a surface to each other on the map's own ground, nobody in the way."""
    o, jump = L.BASE, gait >> 3
    counts, light, ghost = gait >> 2 & 1 == 1, gait >> 1 & 1 == 1, gait & 1 == 1
    m[L.FLOOD_STAMP] += 1
    m[L.N_FLOODED], m[L.FLOOD_TAIL] = 0, 0
    reach_out(m, start, 0)
    head = 0
    while head < m[L.FLOOD_TAIL]:
        spot = m[L.FLOOD_QUEUE + head % L.SPOTS]
        head += 1
        m[L.FLOOD_WAITS + spot] = 0
        cost = m[L.FLOOD_BEST + spot]
        if ghost:
            for way in range(4):
                near = m[o + (spot >> 4) * L.TILE + L.NEAR + way]
                for goal in range(16 if near >= 0 else 0):
                    if ghost_goal(m, o, spot, near, goal):
                        to = near << 4 | goal
                        price, harm = ghost_step(m, o, spot, to, jump, counts, light)
                        if price >= 0:
                            reach_out(m, to, cost + price + harm)
            continue
        at = links(m, o, spot)
        for k in range(1, m[at] + 1):
            to, price, harm, _ = take_step(m, o, spot, m[at + k], jump, counts, light)
            if price >= 0:
                reach_out(m, to, cost + price + harm)


@loop
def ways_from(m, gait, spot):
    """Where a surface's distances are in memory; -1: they are in the last flood instead."""
    start = m[L.SURFACE_OF + spot]
    if start < 0 or gait & 1:
        flood(m, gait, spot)
        return -1
    number = gait_number(m, gait)
    row = L.DISTANCE + (number * L.MOST_SURFACES + start) * L.MOST_SURFACES
    if not m[L.ROW_DONE + number * L.MOST_SURFACES + start]:
        m[L.ROW_DONE + number * L.MOST_SURFACES + start] = 1
        flood(m, gait, spot)
        for n in range(m[L.N_SURFACES]):
            other = m[L.SURFACES + n]
            seen = m[L.FLOOD_SEEN + other] == m[L.FLOOD_STAMP]
            m[row + n] = m[L.FLOOD_BEST + other] if seen else L.FAR
    return row


@loop
def nearest_foe(m, gait, side, spot):
    """Move it costs to walk from a spot to the nearest enemy of a side."""
    row = ways_from(m, gait, spot)
    best = -1
    for i in range(m[L.N_UNITS]):
        at = unit(i)
        there = m[at + L.SPOT]
        if there < 0 or m[at + L.SIDE] == side:
            continue
        found = L.FAR
        if row < 0:
            if m[L.FLOOD_SEEN + there] == m[L.FLOOD_STAMP]:
                found = m[L.FLOOD_BEST + there]
        elif m[L.SURFACE_OF + there] >= 0:
            found = m[row + m[L.SURFACE_OF + there]]
        if best < 0 or found < best:
            best = found
    return max(best, 0)


@loop
def pushed(m, i, way, tiles, level, mage):
    """What a push does to a unit where it stands, others left aside: (damage, dead)."""
    if way < 0 or tiles <= 0 or fixed(m, i):
        return 0, False
    light = has(m, i, L.NO_FALL)
    _, damage, dead = slide(
        m, L.BASE, m[unit(i) + L.SPOT], way, tiles, level, mage, light, L.NO, L.NO
    )
    return damage, dead


# -- threats ---------------------------------------------------------------------------------------


@loop
def make_room(m):
    """Forget threats where there may not be room for those of every unit: none may go
    while some are in use."""
    if m[L.N_THREATS] < L.MOST_THREATS // 2:
        return
    m[L.N_THREATS] = 0
    for n in range(L.MOST_THREATS):
        m[L.THREATS + n * L.THREAT] = 0


@loop
def threat_row(m, i):
    """Where the surfaces an enemy can strike next time are in memory; -1: none."""
    at = unit(i)
    if not may_attack(m, i) or m[at + L.VINES]:
        return -1
    gait, move, reach = gait_of(m, i), usual_move(m, i), max(reach_of(m, i), 1)
    spot = m[at + L.SPOT]
    key = 1 + ((gait * 64 + min(move, 63)) * 32 + min(reach, 31)) * L.SPOTS + spot
    place = (key * 40_503 >> 7) % L.MOST_THREATS
    while m[L.THREATS + place * L.THREAT] != 0 and m[L.THREATS + place * L.THREAT] != key:
        place = (place + 1) % L.MOST_THREATS
    row = L.THREATS + place * L.THREAT
    if m[row] == 0:
        m[row] = key
        m[L.N_THREATS] += 1
        find_threat(m, row, gait, move, reach, spot)
    return row


@loop
def find_threat(m, row, gait, move, reach, spot):
    """Surfaces within reach of where a unit can walk, nobody in the way."""
    flood(m, gait, spot)
    for k in range(1, L.THREAT):
        m[row + k] = 0
    for n in range(m[L.N_SURFACES]):
        goal = m[L.SURFACES + n]
        for k in range(m[L.N_FLOODED]):
            there = m[L.FLOOD_LIST + k]
            if m[L.FLOOD_BEST + there] <= move and in_reach(there, goal, reach):
                m[row + 1 + n // BITS] |= 1 << n % BITS
                break


@loop
def danger_at(m, side, spot):
    """What enemies of a side may do to who stands on a surface, by their rows of threats."""
    surface = m[L.SURFACE_OF + spot]
    if surface < 0:
        return 0.0
    danger = 0.0
    for i in range(m[L.N_UNITS]):
        at = unit(i)
        row = m[L.THREAT_OF + i]
        if m[at + L.SPOT] < 0 or m[at + L.SIDE] == side or row < 0:
            continue
        if m[row + 1 + surface // BITS] >> surface % BITS & 1:
            danger += max(m[card(m, i) + L.C_ATTACK] + m[at + L.ATTACK_PLUS], 1)
    return danger

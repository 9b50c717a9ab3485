"""What bots know of the map's own ground: ways on foot, falls, surfaces that are threatened."""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import State
from falldamage_forge.games.fall_damage.engine.movement_rules import (
    ghost_goal,
    ghost_step,
    links,
    step_damage,
    take_step,
)
from falldamage_forge.games.fall_damage.engine.push import slide
from falldamage_forge.games.fall_damage.engine.surface_index import in_reach
from falldamage_forge.games.fall_damage.engine.unit_stats import (
    fixed,
    has,
    jump_of,
    may_attack,
    printed,
    reach_of,
)
from falldamage_forge.playtest.core.columns import Bots

BITS = 60
"""Surfaces in one number of a threat."""


def usual_move(s: State, bots: Bots, i: int) -> int:
    """How far a unit usually walks."""
    move = printed(s, i, C.M)
    if move > 20:
        move = 4
    return max(move + s.move_plus[i] - s.mist_rounds[i], 0)


def gait_of(s: State, bots: Bots, i: int) -> int:
    """How a unit walks, as one number."""
    counts, light = (1 if has(s, i, C.CRAWL) else 0), (1 if has(s, i, C.NO_FALL) else 0)
    return jump_of(s, i) << 3 | counts << 2 | light << 1 | s.discorporate[i]


def gait_number(s: State, bots: Bots, gait: int) -> int:
    """The place of a gait among those remembered."""
    for n in range(bots.n_gaits):
        if bots.gaits[n] == gait:
            return n
    if bots.n_gaits == C.MOST_GAITS:
        forget(s, bots)
    bots.gaits[bots.n_gaits] = gait
    bots.n_gaits += 1
    return bots.n_gaits - 1


def forget(s: State, bots: Bots) -> None:
    """Forget every way worked out so far."""
    bots.n_gaits = 0
    for n in range(C.MOST_GAITS * C.KNOWN_SURFACES):
        bots.row_done[n] = 0


def reach_out(s: State, bots: Bots, to: int, further: int) -> None:
    """A way of some cost to a spot was found."""
    if further >= C.FAR:
        return
    if bots.flood_seen[to] != bots.flood_stamp:
        bots.flood_seen[to], bots.flood_waits[to] = bots.flood_stamp, 0
        bots.flood_list[bots.n_flooded] = to
        bots.n_flooded += 1
    elif bots.flood_best[to] <= further:
        return
    bots.flood_best[to] = further
    if not bots.flood_waits[to]:
        bots.flood_waits[to] = 1
        bots.flood_queue[bots.flood_tail % C.SPOTS] = to
        bots.flood_tail += 1


def flood(s: State, bots: Bots, gait: int, start: int) -> None:
    """Move it costs from a surface to each other on the map's own ground, nobody in the way."""
    o, jump = C.BASE, gait >> 3
    counts, light, ghost = gait >> 2 & 1 == 1, gait >> 1 & 1 == 1, gait & 1 == 1
    bots.flood_stamp += 1
    bots.n_flooded, bots.flood_tail = 0, 0
    reach_out(s, bots, start, 0)
    head = 0
    while head < bots.flood_tail:
        spot = bots.flood_queue[head % C.SPOTS]
        head += 1
        bots.flood_waits[spot] = 0
        cost = bots.flood_best[spot]
        if ghost:
            for way in range(4):
                near = s.near[(o + (spot >> 4)) * 4 + way]
                for goal in range(16 if near >= 0 else 0):
                    if ghost_goal(s, o, spot, near, goal):
                        to = near << 4 | goal
                        price, fall = ghost_step(s, o, spot, to, jump, counts, light)
                        if price >= 0:
                            reach_out(s, bots, to, cost + price + step_damage(s, fall, jump))
            continue
        at = links(s, o, spot)
        for k in range(1, s.link[at] + 1):
            to, price, fall, _ = take_step(s, spot, s.link[at + k], jump, counts, light)
            if price >= 0:
                reach_out(s, bots, to, cost + price + step_damage(s, fall, jump))


def ways_from(s: State, bots: Bots, gait: int, spot: int) -> int:
    """Where a surface's distances are in memory; -1: they are in the last flood instead."""
    start = s.surface_of[spot]
    if start < 0 or gait & 1:
        flood(s, bots, gait, spot)
        return -1
    number = gait_number(s, bots, gait)
    row = (number * C.KNOWN_SURFACES + start) * C.KNOWN_SURFACES
    if not bots.row_done[number * C.KNOWN_SURFACES + start]:
        bots.row_done[number * C.KNOWN_SURFACES + start] = 1
        flood(s, bots, gait, spot)
        for n in range(min(s.n_surfaces, C.KNOWN_SURFACES)):
            other = s.surfaces[n]
            seen = bots.flood_seen[other] == bots.flood_stamp
            bots.distance[row + n] = bots.flood_best[other] if seen else C.FAR
    return row


def nearest_foe(s: State, bots: Bots, gait: int, side: int, spot: int) -> int:
    """Move it costs to walk from a spot to the nearest enemy of a side."""
    row = ways_from(s, bots, gait, spot)
    best = -1
    for i in range(s.n_units):
        there = s.spot[i]
        if there < 0 or s.side[i] == side:
            continue
        found = C.FAR
        if row < 0:
            if bots.flood_seen[there] == bots.flood_stamp:
                found = bots.flood_best[there]
        elif s.surface_of[there] >= 0:
            found = bots.distance[row + s.surface_of[there]]
        if best < 0 or found < best:
            best = found
    return max(best, 0)


def pushed(
    s: State, bots: Bots, i: int, way: int, tiles: int, level: int, mage: int
) -> tuple[int, bool]:
    """What a push does to a unit where it stands, others left aside: (damage, dead)."""
    if way < 0 or tiles <= 0 or fixed(s, i):
        return 0, False
    light = has(s, i, C.NO_FALL)
    _, damage, dead = slide(s, C.BASE, s.spot[i], way, tiles, level, mage, light, C.NO, C.NO)
    return damage, dead != C.SURVIVES


def make_room(s: State, bots: Bots) -> None:
    """Forget threats where there may not be room for those of every unit: none may go
    while some are in use."""
    if bots.n_threats < C.MOST_THREATS // 2:
        return
    bots.n_threats = 0
    for n in range(C.MOST_THREATS):
        bots.threat_key[n] = 0


def threat_row(s: State, bots: Bots, i: int) -> int:
    """Where the surfaces an enemy can strike next time are in memory; -1: none."""
    if not may_attack(s, i) or s.vines[i]:
        return -1
    gait, move, reach = gait_of(s, bots, i), usual_move(s, bots, i), max(reach_of(s, i), 1)
    spot = s.spot[i]
    key = 1 + ((gait * 64 + min(move, 63)) * 32 + min(reach, 31)) * C.SPOTS + spot
    place = (key * 40_503 >> 7) % C.MOST_THREATS
    while bots.threat_key[place] != 0 and bots.threat_key[place] != key:
        place = (place + 1) % C.MOST_THREATS
    if bots.threat_key[place] == 0:
        bots.threat_key[place] = key
        bots.n_threats += 1
        find_threat(s, bots, place, gait, move, reach, spot)
    return place


def find_threat(
    s: State, bots: Bots, place: int, gait: int, move: int, reach: int, spot: int
) -> None:
    """Surfaces within reach of where a unit can walk, nobody in the way."""
    flood(s, bots, gait, spot)
    row = place * C.THREAT
    for k in range(C.THREAT):
        bots.threats[row + k] = 0
    for n in range(min(s.n_surfaces, C.KNOWN_SURFACES)):
        goal = s.surfaces[n]
        for k in range(bots.n_flooded):
            there = bots.flood_list[k]
            if bots.flood_best[there] <= move and in_reach(s, there, goal, reach):
                bots.threats[row + n // BITS] |= 1 << n % BITS
                break


def danger_at(s: State, bots: Bots, side: int, spot: int) -> float:
    """What enemies of a side may do to who stands on a surface, by their rows of threats."""
    surface = s.surface_of[spot]
    if surface < 0:
        return 0.0
    danger = 0.0
    for i in range(s.n_units):
        row = bots.threat_of[i]
        if s.spot[i] < 0 or s.side[i] == side or row < 0:
            continue
        if bots.threats[row * C.THREAT + surface // BITS] >> surface % BITS & 1:
            danger += max(s.printed[s.card[i] * C.STATS + C.A] + s.attack_plus[i], 1)
    return danger

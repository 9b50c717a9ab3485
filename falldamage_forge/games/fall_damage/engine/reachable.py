"""Where one Move can end, and the Wrestler's dives."""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import State
from falldamage_forge.games.fall_damage.engine.movement_rules import (
    closed,
    ghost_goal,
    ghost_step,
    leapt,
    links,
    take_step,
    under_leap_empty,
)
from falldamage_forge.games.fall_damage.engine.surface_index import apart, before
from falldamage_forge.games.fall_damage.engine.terrain_state import lava, stands, wet
from falldamage_forge.games.fall_damage.engine.unit_stats import has, jump_of


def offer(s: State, to: int, hurt: int, cost: int) -> None:
    """Put a label where it is looked at later, unless something better was there."""
    if s.seen[to] == s.stamp and s.best[to] <= hurt:
        return
    at = cost * C.BUCKET
    if s.buckets[at] + 1 >= C.BUCKET:
        s.lost = C.LOST
        return
    s.buckets[at] += 1
    s.buckets[at + s.buckets[at]] = hurt << 16 | to


def search(s: State, i: int, budget: int) -> None:
    """Fill `BEST` and `COST` for the Move of a unit, stamped with `STAMP`."""
    start = s.spot[i]
    health = s.health[i] - (1 if s.thorns[i] else 0)
    jump, counts = jump_of(s, i), has(s, i, C.CRAWL)
    no_fall, ghost = has(s, i, C.NO_FALL), s.discorporate[i] == 1
    through = ghost or has(s, i, C.AGILE)
    s.stamp += 1
    if budget > C.MOST_COSTS:
        s.lost = C.LOST
        return
    for cost in range(budget + 1):
        s.buckets[cost * C.BUCKET] = 0
    offer(s, start, 0, 0)
    s.n_ends = 0
    for cost in range(budget + 1):
        row = cost * C.BUCKET
        for k in range(1, s.buckets[row] + 1):
            spot, damage = s.buckets[row + k] & 0xFFFF, s.buckets[row + k] >> 16
            if s.seen[spot] == s.stamp:
                if s.best[spot] <= damage:
                    continue
            else:
                s.seen[spot] = s.stamp
                s.ends[s.n_ends] = spot
                s.n_ends += 1
            s.best[spot], s.cost[spot] = damage, cost
            if cost == budget:
                continue
            if ghost:
                glide(s, i, spot, cost, damage, budget, jump, counts, no_fall, health)
            else:
                stride_on(s, i, spot, cost, damage, budget, jump, counts, no_fall, health, through)


def stride_on(
    s: State,
    i: int,
    spot: int,
    cost: int,
    damage: int,
    budget: int,
    jump: int,
    counts: int,
    no_fall: int,
    health: int,
    through: int,
) -> None:
    """Every step on from a spot."""
    o, own = C.GROUND, s.spot[i]
    at = links(s, o, spot)
    sands = s.n_zones > 0
    for k in range(1, s.link[at] + 1):
        link = s.link[at + k]
        to, price, harm, _ = take_step(s, o, spot, link, jump, counts, no_fall)
        if price < 0 or (s.seen[to] == s.stamp and s.best[to] <= damage + harm):
            continue
        if sands and s.sand[o + (to >> 4)] and not wet(s, o, to):
            price += 1
        if cost + price > budget or damage + harm >= health or closed(s, i, to, through):
            continue
        if leapt(link) >= 0 and not under_leap_empty(s, spot, link, own):
            continue
        offer(s, to, damage + harm, cost + price)


def glide(
    s: State,
    i: int,
    spot: int,
    cost: int,
    damage: int,
    budget: int,
    jump: int,
    counts: int,
    no_fall: int,
    health: int,
) -> None:
    """Every step of who walks through walls and enemies."""
    o = C.GROUND
    for way in range(4):
        near = s.near[(o + (spot >> 4)) * 4 + way]
        if near < 0:
            continue
        for goal in range(16):
            if not ghost_goal(s, o, spot, near, goal):
                continue
            to = near << 4 | goal
            price, harm = ghost_step(s, o, spot, to, jump, counts, no_fall)
            if price >= 0 and cost + price <= budget and damage + harm < health:
                offer(s, to, damage + harm, cost + price)


def ends(s: State, i: int, budget: int) -> None:
    """List where a Move may end in `ENDS`; damage and cost are in `BEST` and `COST`."""
    if s.ends_of == i << 8 | budget:
        return
    s.ends_of = i << 8 | budget
    s.n_ends = 0
    if budget < 1 or (s.thorns[i] and s.health[i] <= 1):
        return
    search(s, i, budget)
    start, ghost = s.spot[i], s.discorporate[i] == 1
    reached, kept = s.n_ends, 0
    diver = has(s, i, C.ROPES)
    if diver and (s.extra[i] == C.ROPES or s.extra[i] == C.AGILE):
        s.lost = C.LOST
    if diver:
        # The dives ask where one gets on the way: keep all spots reached for them.
        for k in range(reached):
            s.reached[k] = s.ends[k]
    for k in range(reached):
        spot = s.ends[k]
        if spot == start or s.occupant[spot] >= 0:
            continue
        if not ghost or stands(s, C.GROUND, spot) or lava(s, C.GROUND, spot):
            s.ends[kept] = spot
            kept += 1
    s.n_ends = kept
    if diver:
        s.n_reached = reached
        add_dives(s, i, budget, reached)


def ranks_first(spot: int, drop: int, cost: int, found: int, best: int, least: int) -> bool:
    """Whether a drop comes before the best one found: the deepest, the cheapest, the first spot."""
    if found < 0 or drop != best:
        return found < 0 or drop > best
    return cost < least or (cost == least and spot < found)


def best_dive(s: State, i: int, budget: int, goal: int, reached: int) -> tuple[int, int, int]:
    """The greatest last drop onto a spot: (from, drop, cost); from -1: there is none."""
    o, own = C.GROUND, s.spot[i]
    jump, counts, no_fall = jump_of(s, i), has(s, i, C.CRAWL), has(s, i, C.NO_FALL)
    who = s.occupant[goal]
    foe = who >= 0 and s.side[who] != s.side[i]
    found, best, least = -1, 0, 0
    if goal == own or (who >= 0 and not foe):
        return found, best, least
    if s.discorporate[i]:
        return best_glide(s, i, budget, goal, reached)
    for k in range(reached):
        spot = s.reached[k]
        row = links(s, o, spot)
        for n in range(1, s.link[row] + 1):
            link = s.link[row + n]
            if link & 0xFFFF != goal:
                continue
            _, price, _, drop = take_step(s, o, spot, link, jump, counts, no_fall)
            if price < 0 or drop < 1:
                continue
            if s.n_zones and s.sand[o + (goal >> 4)] and not wet(s, o, goal):
                price += 1
            further = s.cost[spot] + price
            leap = leapt(link) >= 0
            if further > budget or (foe and leap):
                continue
            if leap and not under_leap_empty(s, spot, link, own):
                continue
            if ranks_first(spot, drop, further, found, best, least):
                found, best, least = spot, drop, further
    return found, best, least


def best_glide(s: State, i: int, budget: int, goal: int, reached: int) -> tuple[int, int, int]:
    """The same for who walks through walls: straight down from a neighbouring tile."""
    o, jump, counts = C.GROUND, jump_of(s, i), has(s, i, C.CRAWL)
    found, best, least = -1, 0, 0
    for k in range(reached):
        spot = s.reached[k]
        drop = (spot & 15) - (goal & 15)
        if drop < 1 or apart(spot, goal) != 1 or not ghost_goal(s, o, spot, goal >> 4, goal & 15):
            continue
        price, _ = ghost_step(s, o, spot, goal, jump, counts, C.YES)
        further = s.cost[spot] + price
        if further > budget:
            continue
        if ranks_first(spot, drop, further, found, best, least):
            found, best, least = spot, drop, further
    return found, best, least


def add_dives(s: State, i: int, budget: int, reached: int) -> None:
    """Enemies one may come down on, where there is room beside them."""
    for foe in range(s.n_units):
        if s.spot[foe] < 0 or s.side[foe] == s.side[i]:
            continue
        spot = s.spot[foe]
        start, _, cost = best_dive(s, i, budget, spot, reached)
        if start >= 0 and room_beside(s, spot, start) >= 0:
            s.seen[spot], s.best[spot], s.cost[spot] = s.stamp, 0, cost
            s.ends[s.n_ends] = spot
            s.n_ends += 1


def room_beside(s: State, spot: int, take_off: int) -> int:
    """The free surface nearest to a spot; -1: none."""
    found = -1
    for row in range(s.rows):
        for col in range(s.cols):
            stand = s.stand[row << 6 | col]
            for level in range(16):
                if not stand >> level & 1:
                    continue
                other = row << 10 | col << 4 | level
                if s.occupant[other] >= 0 or other == take_off:
                    continue
                if found < 0 or before(other, spot, found):
                    found = other
    return found

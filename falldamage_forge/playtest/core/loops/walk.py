"""Where one Move can end, and the Wrestler's dives."""

from falldamage_forge.playtest.core.loops import layout as L
from falldamage_forge.playtest.core.loops.ground import (
    apart,
    before,
    free,
    lava,
    leapt,
    links,
    stands,
    take_step,
    under_leap_empty,
    wet,
)
from falldamage_forge.playtest.core.loops.inner import loop
from falldamage_forge.playtest.core.loops.units import has, jump_of, unit


@loop
def ghost_goal(m, o, spot, near, goal):
    """Whether who walks through walls may step onto a spot of a neighbouring tile."""
    to = near << 4 | goal
    if stands(m, o, to) or lava(m, o, to):
        return True
    level = spot & 15
    return goal == level and not free(m, o, near, level, level + 1)


@loop
def ghost_step(m, o, spot, to, jump, counts, no_fall):
    """Cost and damage of such a step; a cost of -1: too high."""
    rise = (to & 15) - (spot & 15)
    if rise > jump:
        return -1, 0
    fall = 0 if no_fall or wet(m, o, to) else max(-rise, 0)
    return 1 + (abs(rise) if counts else 0), fall - jump if fall > jump else 0


@loop
def offer(m, to, hurt, cost):
    """Put a label where it is looked at later, unless something better was there."""
    if m[L.SEEN + to] == m[L.STAMP] and m[L.BEST + to] <= hurt:
        return
    at = L.BUCKETS + cost * L.BUCKET
    if m[at] + 1 >= L.BUCKET:
        m[L.HAND] = L.LOST
        return
    m[at] += 1
    m[at + m[at]] = hurt << 16 | to


@loop
def closed(m, i, to, through):
    """Whether an enemy is in the way."""
    who = m[L.OCC + to]
    return who >= 0 and not through and m[unit(who) + L.SIDE] != m[unit(i) + L.SIDE]


@loop
def search(m, i, budget):
    """Fill `BEST` and `COST` for the Move of a unit, stamped with `STAMP`."""
    at = unit(i)
    start = m[at + L.SPOT]
    health = m[at + L.HEALTH] - (1 if m[at + L.THORNS] else 0)
    jump, counts = jump_of(m, i), has(m, i, L.CRAWL)
    no_fall, ghost = has(m, i, L.NO_FALL), m[at + L.DISCORPORATE] == 1
    through = ghost or has(m, i, L.AGILE)
    m[L.STAMP] += 1
    if budget > L.MOST_COSTS:
        m[L.HAND] = L.LOST
        return
    for cost in range(budget + 1):
        m[L.BUCKETS + cost * L.BUCKET] = 0
    offer(m, start, 0, 0)
    m[L.N_ENDS] = 0
    for cost in range(budget + 1):
        row = L.BUCKETS + cost * L.BUCKET
        for k in range(1, m[row] + 1):
            spot, damage = m[row + k] & 0xFFFF, m[row + k] >> 16
            if m[L.SEEN + spot] == m[L.STAMP]:
                if m[L.BEST + spot] <= damage:
                    continue
            else:
                m[L.SEEN + spot] = m[L.STAMP]
                m[L.ENDS + m[L.N_ENDS]] = spot
                m[L.N_ENDS] += 1
            m[L.BEST + spot], m[L.COST + spot] = damage, cost
            if cost == budget:
                continue
            if ghost:
                glide(m, i, spot, cost, damage, budget, jump, counts, no_fall, health)
            else:
                stride_on(m, i, spot, cost, damage, budget, jump, counts, no_fall, health, through)


@loop
def stride_on(m, i, spot, cost, damage, budget, jump, counts, no_fall, health, through):
    """Every step on from a spot."""
    o, own = L.GROUND, m[unit(i) + L.SPOT]
    at = links(m, o, spot)
    sands = m[L.N_ZONES] > 0
    for k in range(1, m[at] + 1):
        link = m[at + k]
        to, price, harm, _ = take_step(m, o, spot, link, jump, counts, no_fall)
        if price < 0 or (m[L.SEEN + to] == m[L.STAMP] and m[L.BEST + to] <= damage + harm):
            continue
        if sands and m[o + (to >> 4) * L.TILE + L.SAND] and not wet(m, o, to):
            price += 1
        if cost + price > budget or damage + harm >= health or closed(m, i, to, through):
            continue
        if leapt(link) >= 0 and not under_leap_empty(m, spot, link, own):
            continue
        offer(m, to, damage + harm, cost + price)


@loop
def glide(m, i, spot, cost, damage, budget, jump, counts, no_fall, health):
    """Every step of who walks through walls and enemies."""
    o = L.GROUND
    for way in range(4):
        near = m[o + (spot >> 4) * L.TILE + L.NEAR + way]
        if near < 0:
            continue
        for goal in range(16):
            if not ghost_goal(m, o, spot, near, goal):
                continue
            to = near << 4 | goal
            price, harm = ghost_step(m, o, spot, to, jump, counts, no_fall)
            if price >= 0 and cost + price <= budget and damage + harm < health:
                offer(m, to, damage + harm, cost + price)


@loop
def ends(m, i, budget):
    """List where a Move may end in `ENDS`; damage and cost are in `BEST` and `COST`."""
    if m[L.ENDS_OF] == i << 8 | budget:
        return
    m[L.ENDS_OF] = i << 8 | budget
    at = unit(i)
    m[L.N_ENDS] = 0
    if budget < 1 or (m[at + L.THORNS] and m[at + L.HEALTH] <= 1):
        return
    search(m, i, budget)
    start, ghost = m[at + L.SPOT], m[at + L.DISCORPORATE] == 1
    reached, kept = m[L.N_ENDS], 0
    diver = has(m, i, L.ROPES)
    if diver and (m[at + L.EXTRA] == L.ROPES or m[at + L.EXTRA] == L.AGILE):
        m[L.HAND] = L.LOST
    if diver:
        # The dives ask where one gets on the way: keep all spots reached for them.
        for k in range(reached):
            m[L.REACHED + k] = m[L.ENDS + k]
    for k in range(reached):
        spot = m[L.ENDS + k]
        if spot == start or m[L.OCC + spot] >= 0:
            continue
        if not ghost or stands(m, L.GROUND, spot) or lava(m, L.GROUND, spot):
            m[L.ENDS + kept] = spot
            kept += 1
    m[L.N_ENDS] = kept
    if diver:
        m[L.N_REACHED] = reached
        add_dives(m, i, budget, reached)


@loop
def ranks_first(spot, drop, cost, found, best, least):
    """Whether a drop comes before the best one found: the deepest, the cheapest, the first spot."""
    if found < 0 or drop != best:
        return found < 0 or drop > best
    return cost < least or (cost == least and spot < found)


@loop
def best_dive(m, i, budget, goal, reached):
    """The greatest last drop onto a spot: (from, drop, cost); from -1: there is none."""
    at = unit(i)
    o, own = L.GROUND, m[at + L.SPOT]
    jump, counts, no_fall = jump_of(m, i), has(m, i, L.CRAWL), has(m, i, L.NO_FALL)
    who = m[L.OCC + goal]
    foe = who >= 0 and m[unit(who) + L.SIDE] != m[at + L.SIDE]
    found, best, least = -1, 0, 0
    if goal == own or (who >= 0 and not foe):
        return found, best, least
    if m[at + L.DISCORPORATE]:
        return best_glide(m, i, budget, goal, reached)
    for k in range(reached):
        spot = m[L.REACHED + k]
        row = links(m, o, spot)
        for n in range(1, m[row] + 1):
            link = m[row + n]
            if link & 0xFFFF != goal:
                continue
            _, price, _, drop = take_step(m, o, spot, link, jump, counts, no_fall)
            if price < 0 or drop < 1:
                continue
            if m[L.N_ZONES] and m[o + (goal >> 4) * L.TILE + L.SAND] and not wet(m, o, goal):
                price += 1
            further = m[L.COST + spot] + price
            leap = leapt(link) >= 0
            if further > budget or (foe and leap):
                continue
            if leap and not under_leap_empty(m, spot, link, own):
                continue
            if ranks_first(spot, drop, further, found, best, least):
                found, best, least = spot, drop, further
    return found, best, least


@loop
def best_glide(m, i, budget, goal, reached):
    """The same for who walks through walls: straight down from a neighbouring tile."""
    o, jump, counts = L.GROUND, jump_of(m, i), has(m, i, L.CRAWL)
    found, best, least = -1, 0, 0
    for k in range(reached):
        spot = m[L.REACHED + k]
        drop = (spot & 15) - (goal & 15)
        if drop < 1 or apart(spot, goal) != 1 or not ghost_goal(m, o, spot, goal >> 4, goal & 15):
            continue
        price, _ = ghost_step(m, o, spot, goal, jump, counts, L.YES)
        further = m[L.COST + spot] + price
        if further > budget:
            continue
        if ranks_first(spot, drop, further, found, best, least):
            found, best, least = spot, drop, further
    return found, best, least


@loop
def add_dives(m, i, budget, reached):
    """Enemies one may come down on, where there is room beside them."""
    at = unit(i)
    for foe in range(m[L.N_UNITS]):
        other = unit(foe)
        if m[other + L.SPOT] < 0 or m[other + L.SIDE] == m[at + L.SIDE]:
            continue
        spot = m[other + L.SPOT]
        start, _, cost = best_dive(m, i, budget, spot, reached)
        if start >= 0 and room_beside(m, spot, start) >= 0:
            m[L.SEEN + spot], m[L.BEST + spot], m[L.COST + spot] = m[L.STAMP], 0, cost
            m[L.ENDS + m[L.N_ENDS]] = spot
            m[L.N_ENDS] += 1


@loop
def room_beside(m, spot, take_off):
    """The free surface nearest to a spot; -1: none."""
    found = -1
    for row in range(m[L.ROWS]):
        for col in range(m[L.COLS]):
            stand = m[L.GROUND + (row << 6 | col) * L.TILE + L.STAND]
            for level in range(16):
                if not stand >> level & 1:
                    continue
                other = row << 10 | col << 4 | level
                if m[L.OCC + other] >= 0 or other == take_off:
                    continue
                if found < 0 or before(other, spot, found):
                    found = other
    return found

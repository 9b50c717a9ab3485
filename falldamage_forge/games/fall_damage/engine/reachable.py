"""Where one Move can end, and the Wrestler's dives."""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import State
from falldamage_forge.games.fall_damage.engine.movement_rules import (
    closed,
    ghost_goal,
    ghost_step,
    leapt,
    links,
    list_exits,
    slowed,
    step_damage,
    take_step,
    taken,
    under_leap_empty,
)
from falldamage_forge.games.fall_damage.engine.surface_index import before
from falldamage_forge.games.fall_damage.engine.terrain_state import lava, stands
from falldamage_forge.games.fall_damage.engine.unit_stats import has, jump_of
from falldamage_forge.games.fall_damage.engine.ways import find_ways


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
    health = most_harm(s, i)
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
    for k in range(1, s.link[at] + 1):
        link = s.link[at + k]
        to = link & 0xFFFF
        if s.seen[to] == s.stamp and s.best[to] <= damage:
            continue
        _, price, fall, _ = take_step(s, spot, link, jump, counts, no_fall)
        harm = step_damage(s, fall, jump) if fall > 0 else 0
        if price < 0 or (s.seen[to] == s.stamp and s.best[to] <= damage + harm):
            continue
        if s.n_zones > 0:
            price += slowed(s, link)
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
            price, fall = ghost_step(s, o, spot, to, jump, counts, no_fall)
            harm = step_damage(s, fall, jump)
            if price >= 0 and cost + price <= budget and damage + harm < health:
                offer(s, to, damage + harm, cost + price)


def most_harm(s: State, i: int) -> int:
    """Damage that a Move may not reach: what would kill (option `lethal_step`)."""
    return C.UNLIMITED if s.lethal_step else s.health[i] - (1 if s.thorns[i] else 0)


def ends(s: State, i: int, budget: int) -> None:
    """List where a Move may end in `ends`; damage and cost are in `best` and `cost`."""
    if s.ends_of == i << 8 | budget:
        return
    s.ends_of = i << 8 | budget
    s.n_ends = 0
    if budget < 1 or most_harm(s, i) <= 0:
        return
    search(s, i, budget)
    diver = has(s, i, C.ROPES)
    if diver:
        find_dives(s, i, budget)
    if s.jump_scope or s.fall_allowance:
        ends_by_ways(s, i, budget)
    start, kept = s.spot[i], 0
    for k in range(s.n_ends):
        spot = s.ends[k]
        if spot != start and may_end(s, i, spot):
            s.ends[kept] = spot
            kept += 1
    s.n_ends = kept
    if diver and not s.top_ropes_on:
        add_dives(s, i)


def may_end(s: State, i: int, spot: int) -> bool:
    """Whether nobody else is there, and who walks through walls is not inside one."""
    if taken(s, spot, s.spot[i]):
        return False
    return not s.discorporate[i] or stands(s, C.GROUND, spot) or lava(s, C.GROUND, spot)


def ends_by_ways(s: State, i: int, budget: int) -> None:
    """The ends under readings that count a whole turn: the best of all ways."""
    find_ways(s, i, budget)
    s.stamp += 1
    s.n_ends = 0
    for n in range(s.n_ways):
        label = s.ways[n]
        spot, harm, price = s.label_at[label], s.label_damage[label], s.label_cost[label]
        if s.seen[spot] != s.stamp:
            s.seen[spot] = s.stamp
            s.ends[s.n_ends] = spot
            s.n_ends += 1
        elif s.best[spot] < harm or (s.best[spot] == harm and s.cost[spot] <= price):
            continue
        s.best[spot], s.cost[spot] = harm, price


# -- dives -----------------------------------------------------------------------------------------


def find_dives(s: State, i: int, budget: int) -> None:
    """For each surface, on enemies' too, the greatest last drop one can come down with."""
    s.dive_stamp += 1
    own, limit = s.spot[i], most_harm(s, i)
    jump, counts = jump_of(s, i), has(s, i, C.CRAWL)
    no_fall, ghost = has(s, i, C.NO_FALL), s.discorporate[i]
    for k in range(s.n_ends):
        spot = s.ends[k]
        count = list_exits(s, spot, jump, counts, no_fall, ghost)
        for n in range(count):
            to, drop, link = s.exit_to[n], s.exit_drop[n], s.exit_link[n]
            price = s.cost[spot] + s.exit_cost[n] + slowed(s, link)
            harm = s.best[spot] + step_damage(s, s.exit_fall[n], jump)
            if drop < 1 or price > budget or harm >= limit or to == own:
                continue
            if may_dive(s, i, spot, to, link):
                keep_dive(s, spot, to, drop, price, harm)


def may_dive(s: State, i: int, spot: int, to: int, link: int) -> bool:
    """Whether one may come down on a surface: a free one, or an enemy's, which is not leapt on."""
    leap = not s.discorporate[i] and leapt(link) >= 0
    who = s.occupant[to]
    if who >= 0 and s.side[who] != s.side[i] and not leap:
        return True
    return not taken(s, to, s.spot[i]) and (not leap or under_leap_empty(s, spot, link, s.spot[i]))


def dive_end(s: State, i: int, to: int) -> int:
    """Where a dive from its place on to a surface ends; -1: there is none."""
    own = s.spot[i]
    no_fall, ghost = has(s, i, C.NO_FALL), s.discorporate[i]
    for n in range(list_exits(s, own, jump_of(s, i), has(s, i, C.CRAWL), no_fall, ghost)):
        if s.exit_to[n] != to or s.exit_drop[n] < 1 or not may_dive(s, i, own, to, s.exit_link[n]):
            continue
        if s.occupant[to] < 0:
            return to
        return -1 if s.top_ropes_on else room_beside(s, to, own)
    return -1


def keep_dive(s: State, spot: int, to: int, drop: int, price: int, harm: int) -> None:
    """The deepest dive on a surface is kept, then the cheapest, then the first take-off's."""
    if s.dive_seen[to] == s.dive_stamp:
        if drop < s.dive_drop[to]:
            return
        if drop == s.dive_drop[to]:
            if price > s.dive_cost[to] or (price == s.dive_cost[to] and spot > s.dive_from[to]):
                return
    s.dive_seen[to], s.dive_from[to] = s.dive_stamp, spot
    s.dive_drop[to], s.dive_cost[to], s.dive_damage[to] = drop, price, harm


def add_dives(s: State, i: int) -> None:
    """Enemies one may come down on, where there is room beside them."""
    for foe in range(s.n_units):
        spot = s.spot[foe]
        if spot < 0 or s.side[foe] == s.side[i] or s.dive_seen[spot] != s.dive_stamp:
            continue
        if room_beside(s, spot, s.dive_from[spot]) >= 0:
            s.seen[spot] = s.stamp
            s.best[spot], s.cost[spot] = s.dive_damage[spot], s.dive_cost[spot]
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

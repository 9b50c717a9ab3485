"""Reachable ends of one Move, its best paths, and the Wrestler's dives.

Ends: Dijkstra's algorithm with one bucket per cost; a surface keeps its least damage, then its
least cost. Paths: the Pareto set by cost, damage, levels climbed and levels fallen, by a
label-setting search with a binary heap; used by options under which the path itself matters.
"""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine import movement_rules
from falldamage_forge.games.fall_damage.engine.columns import StateColumns
from falldamage_forge.games.fall_damage.engine.surface_index import before, earlier, is_adjacent
from falldamage_forge.games.fall_damage.engine.terrain_state import lava, stands
from falldamage_forge.games.fall_damage.engine.unit_stats import has_ability, jump_of


def find_ways(s: StateColumns, i: int, budget: int) -> None:
    """Write the labels of the Pareto-optimal paths of a unit into `ways`, the cheapest first.

    Args:
        s: State of the game; only work columns change.
        i: Index of the unit.
        budget: Move in tiles.
    """
    jump, counts = jump_of(s, i), has_ability(s, i, C.CRAWL)
    no_fall, ghost = has_ability(s, i, C.NO_FALL), s.discorporate[i]
    through = 1 if ghost or has_ability(s, i, C.AGILE) else 0
    limit = C.UNLIMITED if s.lethal_step else s.health[i] - (1 if s.thorns[i] else 0)
    s.ways_stamp += 1
    s.n_labels, s.n_ways, s.n_heap = 0, 0, 0
    add_label(s, 0, 0, 0, 0, s.spot[i], -1, 0)
    while s.n_heap > 0 and s.lost == 0:
        label = pop_label(s)
        if is_beaten(s, label):
            continue
        spot = s.label_at[label]
        s.label_next[label] = s.ways_at[spot] if s.ways_seen[spot] == s.ways_stamp else -1
        s.ways_at[spot], s.ways_seen[spot] = label, s.ways_stamp
        s.ways[s.n_ways] = label
        s.n_ways += 1
        for n in range(
            movement_rules.open_exits(s, i, spot, jump, counts, no_fall, ghost, through)
        ):
            to, cost = s.exit_to[n], s.label_cost[label] + s.exit_cost[n]
            climb = s.label_climb[label] + s.exit_climb[n] if s.jump_scope else 0
            if cost > budget or climb > jump:
                continue
            fallen, fall = s.label_fallen[label], s.exit_fall[n]
            harm = movement_rules.step_damage(
                s, fall, max(jump - fallen, 0) if s.fall_allowance else jump
            )
            if s.fall_allowance:
                fallen += fall
            damage = s.label_damage[label] + harm
            if damage < limit:
                add_label(s, cost, damage, climb, fallen, to, label, s.exit_drop[n])


def is_beaten(s: StateColumns, label: int) -> bool:
    """True if a label at the same surface is at least as good in every value.

    Args:
        s: State of the game; read only.
        label: Number of the label.
    """
    spot = s.label_at[label]
    other = s.ways_at[spot] if s.ways_seen[spot] == s.ways_stamp else -1
    while other >= 0:
        if (
            s.label_cost[other] <= s.label_cost[label]
            and s.label_damage[other] <= s.label_damage[label]
            and s.label_climb[other] <= s.label_climb[label]
            and s.label_fallen[other] <= s.label_fallen[label]
        ):
            return True
        other = s.label_next[other]
    return False


def add_label(
    s: StateColumns, cost: int, damage: int, climb: int, fallen: int, at: int, back: int, drop: int
) -> None:
    """Add a label to the heap.

    Args:
        s: State of the game; only work columns change.
        cost: Cost of the path in tiles.
        damage: Damage of the path.
        climb: Levels climbed, if the Jump counts for the whole turn.
        fallen: Levels fallen, if the allowance counts for the whole turn.
        at: Surface index at which the path ends.
        back: Number of the previous label; -1 for the start.
        drop: Levels dropped in the last step.
    """
    if s.n_labels >= C.MOST_LABELS:
        s.lost = C.LOST
        return
    n = s.n_labels
    s.label_cost[n], s.label_damage[n], s.label_climb[n] = cost, damage, climb
    s.label_fallen[n], s.label_at[n], s.label_back[n] = fallen, at, back
    s.label_drop[n] = drop
    s.n_labels += 1
    k = s.n_heap
    s.n_heap += 1
    while k > 0 and comes_first(s, n, s.heap[(k - 1) >> 1]):
        s.heap[k] = s.heap[(k - 1) >> 1]
        k = (k - 1) >> 1
    s.heap[k] = n


def pop_label(s: StateColumns) -> int:
    """Remove and return the first label of the heap."""
    first = s.heap[0]
    s.n_heap -= 1
    last, k = s.heap[s.n_heap], 0
    while 2 * k + 1 < s.n_heap:
        child = 2 * k + 1
        if child + 1 < s.n_heap and comes_first(s, s.heap[child + 1], s.heap[child]):
            child += 1
        if not comes_first(s, s.heap[child], last):
            break
        s.heap[k] = s.heap[child]
        k = child
    s.heap[k] = last
    return first


def comes_first(s: StateColumns, one: int, other: int) -> bool:
    """True if a label precedes another: by cost, damage, levels, surface, then age.

    Args:
        s: State of the game; read only.
        one: Number of the first label.
        other: Number of the second label.
    """
    if s.label_cost[one] != s.label_cost[other]:
        return s.label_cost[one] < s.label_cost[other]
    if s.label_damage[one] != s.label_damage[other]:
        return s.label_damage[one] < s.label_damage[other]
    if s.label_climb[one] != s.label_climb[other]:
        return s.label_climb[one] < s.label_climb[other]
    if s.label_fallen[one] != s.label_fallen[other]:
        return s.label_fallen[one] < s.label_fallen[other]
    if s.label_at[one] != s.label_at[other]:
        return s.label_at[one] < s.label_at[other]
    return one < other


def way_to(s: StateColumns, goal: int, damage: int, cost: int) -> int:
    """Return the label of a path with given damage and cost; of the best if they are negative.

    -1 if there is none.

    Args:
        s: State of the game; read only.
        goal: Surface index of the end.
        damage: Damage of the path; negative for the best path.
        cost: Cost of the path in tiles.
    """
    found = -1
    label = s.ways_at[goal] if s.ways_seen[goal] == s.ways_stamp else -1
    while label >= 0:
        fits = damage < 0 or (s.label_damage[label] == damage and s.label_cost[label] == cost)
        if fits and (found < 0 or is_better(s, label, found)):
            found = label
        label = s.label_next[label]
    return found


def cheapest_way(s: StateColumns, spot: int) -> int:
    """Return the label of the path to a surface that was found first; -1: none.

    Args:
        s: State of the game; read only.
        spot: Surface index.
    """
    label = s.ways_at[spot] if s.ways_seen[spot] == s.ways_stamp else -1
    while label >= 0 and s.label_next[label] >= 0:
        label = s.label_next[label]
    return label


def is_better(s: StateColumns, one: int, other: int) -> bool:
    """True if a path has less damage, or as much at less cost, or precedes the other.

    Args:
        s: State of the game; read only.
        one: Number of the path's last label.
        other: Number of the other path's last label.
    """
    if s.label_damage[one] != s.label_damage[other]:
        return s.label_damage[one] < s.label_damage[other]
    if s.label_cost[one] != s.label_cost[other]:
        return s.label_cost[one] < s.label_cost[other]
    return comes_first(s, one, other)


def write_path(s: StateColumns, label: int) -> int:
    """Write a path's labels into `path`, without the start; return their number.

    Args:
        s: State of the game; only work columns change.
        label: Number of the path's last label.
    """
    count, at = 0, label
    while at >= 0 and s.label_back[at] >= 0:
        count += 1
        at = s.label_back[at]
    at = label
    for k in range(count - 1, -1, -1):
        s.path[k] = at
        at = s.label_back[at]
    return count


def relax_label(s: StateColumns, to: int, hurt: int, cost: int) -> None:
    """Add a label to its bucket, unless the surface has a better one.

    Args:
        s: State of the game; only work columns change.
        to: Surface index.
        hurt: Damage of the path to it.
        cost: Cost of the path in tiles; the number of the bucket.
    """
    if s.seen[to] == s.stamp and s.best[to] <= hurt:
        return
    at = cost * C.BUCKET
    if s.buckets[at] + 1 >= C.BUCKET:
        s.lost = C.LOST
        return
    s.buckets[at] += 1
    s.buckets[at + s.buckets[at]] = hurt << 16 | to


def search(s: StateColumns, i: int, budget: int) -> None:
    """Fill `best` and `cost` for the Move of a unit; entries are valid if `seen` equals `stamp`.

    Args:
        s: State of the game; only work columns change.
        i: Index of the unit.
        budget: Move in tiles, at most `codes.MOST_COSTS`.
    """
    ghost = s.discorporate[i] == 1
    s.walk_jump, s.walk_counts = jump_of(s, i), has_ability(s, i, C.CRAWL)
    s.walk_light, s.walk_through = has_ability(s, i, C.NO_FALL), has_ability(s, i, C.AGILE)
    s.walk_budget, s.walk_limit = budget, most_harm(s, i)
    s.stamp += 1
    if budget > C.MOST_COSTS:
        s.lost = C.LOST
        return
    for cost in range(budget + 1):
        s.buckets[cost * C.BUCKET] = 0
    relax_label(s, s.spot[i], 0, 0)
    s.n_ends = 0
    for cost in range(budget + 1):
        row = cost * C.BUCKET
        for k in range(1, s.buckets[row] + 1):
            spot, damage = s.buckets[row + k] & 0xFFFF, s.buckets[row + k] >> 16
            if s.seen[spot] == s.stamp:
                if s.best[spot] <= damage:
                    continue
            else:
                if s.n_ends >= C.MOST_ENDS:
                    s.lost = C.LOST
                    return
                s.seen[spot] = s.stamp
                s.ends[s.n_ends] = spot
                s.n_ends += 1
            s.best[spot], s.cost[spot] = damage, cost
            if cost == budget:
                continue
            if ghost:
                relax_ghost_steps(s, i, spot, cost, damage)
            else:
                relax_steps(s, i, spot, cost, damage)


def relax_steps(s: StateColumns, i: int, spot: int, cost: int, damage: int) -> None:
    """Relax every step out of a surface for the unit of `search`.

    Args:
        s: State of the game; only work columns change.
        i: Index of the unit.
        spot: Surface index at which the steps start.
        cost: Cost of the path so far in tiles.
        damage: Damage of the path so far.
    """
    own, jump, counts, light = s.spot[i], s.walk_jump, s.walk_counts, s.walk_light
    stamp, left, limit = s.stamp, s.walk_budget - cost, s.walk_limit - damage
    at = movement_rules.links(s, C.GROUND, spot)
    for k in range(at + 1, at + s.link[at]):
        link = s.link[k]
        to = link & 0xFFFF
        if s.seen[to] == stamp and s.best[to] <= damage:
            continue
        _, price, fall, _ = movement_rules.take_step(s, spot, link, jump, counts, light)
        harm = movement_rules.step_damage(s, fall, jump) if fall > 0 else 0
        if price < 0 or (s.seen[to] == stamp and s.best[to] <= damage + harm):
            continue
        if s.n_zones > 0:
            price += movement_rules.slowed(s, link)
        if price > left or harm >= limit:
            continue
        if (s.occupant[to] >= 0 or s.occupancy) and movement_rules.is_blocked(
            s, i, to, s.walk_through
        ):
            continue
        if movement_rules.leapt(link) >= 0 and not movement_rules.under_leap_empty(
            s, spot, link, own
        ):
            continue
        relax_label(s, to, damage + harm, cost + price)


def relax_ghost_steps(s: StateColumns, i: int, spot: int, cost: int, damage: int) -> None:
    """Relax every step of a unit that walks through terrain and enemies.

    Args:
        s: State of the game; only work columns change.
        i: Index of the unit.
        spot: Surface index at which the steps start.
        cost: Cost of the path so far in tiles.
        damage: Damage of the path so far.
    """
    jump, counts, light = s.walk_jump, s.walk_counts, s.walk_light
    for n in range(movement_rules.open_exits(s, i, spot, jump, counts, light, 1, 1)):
        price, harm = (
            cost + s.exit_cost[n],
            damage + movement_rules.step_damage(s, s.exit_fall[n], jump),
        )
        if price <= s.walk_budget and harm < s.walk_limit:
            relax_label(s, s.exit_to[n], harm, price)


def most_harm(s: StateColumns, i: int) -> int:
    """Return the damage that a Move must stay below to be survived (option `lethal_step`).

    Args:
        s: State of the game; read only.
        i: Index of the unit.
    """
    return C.UNLIMITED if s.lethal_step else s.health[i] - (1 if s.thorns[i] else 0)


def reachable_ends(s: StateColumns, i: int, budget: int) -> None:
    """List the ends of a Move in `ends`, with their damage in `best`, cost in `cost`.

    Args:
        s: State of the game; only work columns change.
        i: Index of the unit.
        budget: Move in tiles.
    """
    if s.ends_of == i << 8 | budget:
        return
    s.ends_of = i << 8 | budget
    s.n_ends = 0
    if budget < 1 or most_harm(s, i) <= 0:
        return
    search(s, i, budget)
    diver = has_ability(s, i, C.ROPES)
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


def may_end(s: StateColumns, i: int, spot: int) -> bool:
    """True if a unit may stop on a surface: no other unit is there, and it is not in terrain.

    Args:
        s: State of the game; read only.
        i: Index of the unit.
        spot: Surface index.
    """
    if movement_rules.taken(s, spot, s.spot[i]):
        return False
    return not s.discorporate[i] or stands(s, C.GROUND, spot) or lava(s, C.GROUND, spot)


def ends_by_ways(s: StateColumns, i: int, budget: int) -> None:
    """List the ends under options that count a whole turn, from the Pareto set of paths.

    Args:
        s: State of the game; only work columns change.
        i: Index of the unit.
        budget: Move in tiles.
    """
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


def find_dives(s: StateColumns, i: int, budget: int) -> None:
    """Record, for each surface, the greatest last drop with which a unit can land on it.

    Args:
        s: State of the game; only work columns change.
        i: Index of the unit.
        budget: Move in tiles.
    """
    s.dive_stamp += 1
    own, limit = s.spot[i], most_harm(s, i)
    jump, counts = jump_of(s, i), has_ability(s, i, C.CRAWL)
    no_fall, ghost = has_ability(s, i, C.NO_FALL), s.discorporate[i]
    for k in range(s.n_ends):
        spot = s.ends[k]
        count = movement_rules.list_exits(s, spot, jump, counts, no_fall, ghost)
        for n in range(count):
            to, drop, link = s.exit_to[n], s.exit_drop[n], s.exit_link[n]
            price = s.cost[spot] + s.exit_cost[n] + movement_rules.slowed(s, link)
            harm = s.best[spot] + movement_rules.step_damage(s, s.exit_fall[n], jump)
            if drop < 1 or price > budget or harm >= limit or to == own:
                continue
            if may_dive(s, i, spot, to, link):
                keep_dive(s, spot, to, drop, price, harm, s.side[i])


def may_dive(s: StateColumns, i: int, spot: int, to: int, link: int) -> bool:
    """True if a unit may land on a surface: it is free, or an enemy's and not leapt onto.

    Args:
        s: State of the game; read only.
        i: Index of the unit.
        spot: Surface index of the take-off.
        to: Surface index of the landing.
        link: The link between them.
    """
    leap = not s.discorporate[i] and movement_rules.leapt(link) >= 0
    who = s.occupant[to]
    if who >= 0 and s.side[who] != s.side[i] and not leap:
        return True
    return not movement_rules.taken(s, to, s.spot[i]) and (
        not leap or movement_rules.under_leap_empty(s, spot, link, s.spot[i])
    )


def dive_end(s: StateColumns, i: int, to: int) -> int:
    """Return the end of a dive from the unit's surface onto another; -1: none.

    Args:
        s: State of the game; only work columns change.
        i: Index of the unit.
        to: Surface index of the landing.
    """
    own = s.spot[i]
    no_fall, ghost = has_ability(s, i, C.NO_FALL), s.discorporate[i]
    for n in range(
        movement_rules.list_exits(s, own, jump_of(s, i), has_ability(s, i, C.CRAWL), no_fall, ghost)
    ):
        if s.exit_to[n] != to or s.exit_drop[n] < 1 or not may_dive(s, i, own, to, s.exit_link[n]):
            continue
        if s.occupant[to] < 0:
            return to
        return -1 if s.top_ropes_on else room_beside(s, to, own, s.side[i])
    return -1


def keep_dive(
    s: StateColumns, spot: int, to: int, drop: int, price: int, harm: int, side: int
) -> None:
    """Record a side's dive if it is deeper than the recorded one, cheaper, or from earlier.

    Args:
        s: State of the game; only work columns change.
        spot: Surface index of the take-off.
        to: Surface index of the landing.
        drop: Levels dropped.
        price: Cost of the path in tiles.
        harm: Damage of the path.
        side: 0 red, 1 blue; decides between take-offs that are equally good.
    """
    if s.dive_seen[to] == s.dive_stamp:
        if drop < s.dive_drop[to]:
            return
        if drop == s.dive_drop[to]:
            cost, start = s.dive_cost[to], s.dive_from[to]
            if price > cost or (price == cost and earlier(side, start, spot)):
                return
    s.dive_seen[to], s.dive_from[to] = s.dive_stamp, spot
    s.dive_drop[to], s.dive_cost[to], s.dive_damage[to] = drop, price, harm


def add_dives(s: StateColumns, i: int) -> None:
    """Add the enemies onto which a unit can dive, if there is a free surface beside them.

    Args:
        s: State of the game; only work columns change.
        i: Index of the unit.
    """
    for foe in range(s.n_units):
        spot = s.spot[foe]
        if spot < 0 or s.side[foe] == s.side[i] or s.dive_seen[spot] != s.dive_stamp:
            continue
        if room_beside(s, spot, s.dive_from[spot], s.side[i]) >= 0:
            s.seen[spot] = s.stamp
            s.best[spot], s.cost[spot] = s.dive_damage[spot], s.dive_cost[spot]
            s.ends[s.n_ends] = spot
            s.n_ends += 1


def room_beside(s: StateColumns, spot: int, take_off: int, side: int) -> int:
    """Return the free surface nearest to a landing on an enemy; -1: none.

    Option `top_ropes_levels` says how far up and down a surface still counts as beside.

    Args:
        s: State of the game; read only.
        spot: Surface index of the enemy.
        take_off: Surface index from which the unit dives; it does not count.
        side: 0 red, 1 blue; decides between surfaces that are equally near.

    Source: "a tile on or adjacent to enemies".
    """
    found = -1
    for way in range(-1, 4):
        tile = spot >> 4 if way < 0 else s.near[(spot >> 4) * 4 + way]
        for level in range(16):
            other = tile << 4 | level
            if tile < 0 or not s.stand[tile] >> level & 1 or s.occupant[other] >= 0:
                continue
            if other == take_off or not (s.top_ropes_levels or is_adjacent(other, spot)):
                continue
            if found < 0 or before(other, spot, found, side):
                found = other
    return found

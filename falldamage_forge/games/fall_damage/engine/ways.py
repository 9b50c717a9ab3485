"""Every way of a Move that no other is better than, for readings where the way itself matters.

A way is judged by its cost, its damage, the levels climbed and the levels fallen.
"""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import State
from falldamage_forge.games.fall_damage.engine.movement_rules import (
    closed,
    leapt,
    list_exits,
    slowed,
    step_damage,
    under_leap_empty,
)
from falldamage_forge.games.fall_damage.engine.unit_stats import has, jump_of


def find_ways(s: State, i: int, budget: int) -> None:
    """Write the ways of a unit into `ways`, the cheapest first, as numbers of labels."""
    jump, counts = jump_of(s, i), has(s, i, C.CRAWL)
    no_fall, ghost = has(s, i, C.NO_FALL), s.discorporate[i]
    through = 1 if ghost or has(s, i, C.AGILE) else 0
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
        count = list_exits(s, spot, jump, counts, no_fall, ghost)
        for n in range(count):
            to, link = s.exit_to[n], s.exit_link[n]
            cost = s.label_cost[label] + s.exit_cost[n] + slowed(s, link)
            climb = s.label_climb[label] + s.exit_climb[n] if s.jump_scope else 0
            if cost > budget or climb > jump or closed(s, i, to, through):
                continue
            if not ghost and leapt(link) >= 0 and not under_leap_empty(s, spot, link, s.spot[i]):
                continue
            fallen, fall = s.label_fallen[label], s.exit_fall[n]
            harm = step_damage(s, fall, max(jump - fallen, 0) if s.fall_allowance else jump)
            if s.fall_allowance:
                fallen += fall
            damage = s.label_damage[label] + harm
            if damage < limit:
                add_label(s, cost, damage, climb, fallen, to, label, s.exit_drop[n])


def is_beaten(s: State, label: int) -> bool:
    """Whether a way that was found is as good in everything."""
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
    s: State, cost: int, damage: int, climb: int, fallen: int, at: int, back: int, drop: int
) -> None:
    """One way more to be looked at."""
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


def pop_label(s: State) -> int:
    """The best way that waits."""
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


def comes_first(s: State, one: int, other: int) -> bool:
    """Whether a way is looked at before another: by cost, damage, levels, then the older."""
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


def way_to(s: State, goal: int, damage: int, cost: int) -> int:
    """The label of a way to a surface with some damage and cost; below 0, of the best; -1: none."""
    found = -1
    label = s.ways_at[goal] if s.ways_seen[goal] == s.ways_stamp else -1
    while label >= 0:
        fits = damage < 0 or (s.label_damage[label] == damage and s.label_cost[label] == cost)
        if fits and (found < 0 or is_better(s, label, found)):
            found = label
        label = s.label_next[label]
    return found


def cheapest_way(s: State, spot: int) -> int:
    """The label of the way to a surface that was found first; -1: none."""
    label = s.ways_at[spot] if s.ways_seen[spot] == s.ways_stamp else -1
    while label >= 0 and s.label_next[label] >= 0:
        label = s.label_next[label]
    return label


def is_better(s: State, one: int, other: int) -> bool:
    """Whether a way hurts less, or as much for less, or was found before."""
    if s.label_damage[one] != s.label_damage[other]:
        return s.label_damage[one] < s.label_damage[other]
    if s.label_cost[one] != s.label_cost[other]:
        return s.label_cost[one] < s.label_cost[other]
    return comes_first(s, one, other)


def write_path(s: State, label: int) -> int:
    """Write a way's labels into `path`, first to last, the start left out; gives their number."""
    count, at = 0, label
    while at >= 0 and s.label_back[at] >= 0:
        count += 1
        at = s.label_back[at]
    at = label
    for k in range(count - 1, -1, -1):
        s.path[k] = at
        at = s.label_back[at]
    return count

"""The Move of an activation."""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import State
from falldamage_forge.games.fall_damage.engine.effect_stack import note, owe
from falldamage_forge.games.fall_damage.engine.effects import harm, put, reap
from falldamage_forge.games.fall_damage.engine.notation import add, key_of, spot2_in, spot_in
from falldamage_forge.games.fall_damage.engine.reachable import ends, may_end, room_beside
from falldamage_forge.games.fall_damage.engine.surface_index import apart
from falldamage_forge.games.fall_damage.engine.unit_stats import (
    carried,
    effective_move,
    has,
    jump_of,
    number,
)
from falldamage_forge.games.fall_damage.engine.ways import (
    cheapest_way,
    find_ways,
    way_to,
    write_path,
)


def list_ends(s: State, i: int, budget: int, kind: int) -> None:
    """A move for each end of a Move, or for each way that differs (option `path_choice`)."""
    ends(s, i, budget)
    for k in range(s.n_ends):
        add(s, key_of(kind, C.M_MOVE, s.ends[k]))
    if s.path_choice and s.n_ends > 0:
        find_ways(s, i, budget)
        for k in range(s.n_ends):
            list_ways(s, i, s.ends[k], kind)


def list_ways(s: State, i: int, spot: int, kind: int) -> None:
    """The ways to an end that differ in damage and cost, but the best."""
    if not may_end(s, i, spot) or s.ways_seen[spot] != s.ways_stamp:
        return
    best, label = way_to(s, spot, -1, -1), s.ways_at[spot]
    while label >= 0:
        harm, price = s.label_damage[label], s.label_cost[label]
        new = harm != s.label_damage[best] or price != s.label_cost[best]
        if new and way_to(s, spot, harm, price) == label:
            if harm > 127 or price > 127:
                s.lost = C.LOST
                return
            add(s, key_of(kind, C.M_MOVE, spot, harm << 7 | price))
        label = s.label_next[label]


def stride(s: State, i: int, key: int, budget: int) -> int:
    """Walk to the end of a move: damage, Thorns, Top Ropes, entering effects; gives its cost."""
    goal, start = spot_in(key), s.spot[i]
    damage, cost, take_off = choose_way(s, i, key, budget)
    end = goal
    if s.occupant[goal] >= 0:
        near = room_beside(s, goal, take_off)
        end = near if near >= 0 else start
    s.ends_of = -1
    put(s, i, end)
    note(s, C.E_MOVE, i, start, end, damage)
    harm(s, i, damage, C.BY_STEP, i)
    if s.thorns[i]:
        harm(s, i, 1, C.BY_OTHER, i)
    reap(s)
    owe(s, C.REST, i, 1)
    for n in range(s.n_passed - 1, -1, -1):
        if s.treasure_trigger and s.passed[n] != end:
            owe(s, C.TOUCH, i, s.passed[n])
    for n in range(s.n_drops - 1, -1, -1):
        if has(s, i, C.ROPES):
            owe(s, C.TOP_ROPES, i, s.drop_to[n], s.drop_by[n])
    return cost


def choose_way(s: State, i: int, key: int, budget: int) -> tuple[int, int, int]:
    """The way of a move: (damage, cost, the last take-off).

    Drops that count for Top Ropes are left in `drop_to`, surfaces passed in `passed`.
    """
    goal, given, start = spot_in(key), spot2_in(key), s.spot[i]
    ends(s, i, budget)
    s.n_drops, s.n_passed = 0, 0
    diver = has(s, i, C.ROPES)
    if not diver and not s.treasure_trigger and given < 0:
        return s.best[goal], s.cost[goal], start
    # Onto an enemy there is no other way than the dive.
    dives = diver and (has(s, i, C.NO_FALL) or s.occupant[goal] >= 0) and given < 0
    if dives and s.dive_seen[goal] == s.dive_stamp:
        take_off = s.dive_from[goal]
        damage, cost, drop = s.dive_damage[goal], s.dive_cost[goal], s.dive_drop[goal]
        if (s.top_ropes or s.treasure_trigger) and take_off != start and may_end(s, i, take_off):
            find_ways(s, i, budget)
            note_steps(s, cheapest_way(s, take_off), s.top_ropes == 1, 0)
        note_drop(s, take_off, goal, drop)
        return damage, cost, take_off
    whole = s.treasure_trigger or s.top_ropes or s.jump_scope or s.fall_allowance
    if dives and not whole:
        return s.best[goal], s.cost[goal], start
    find_ways(s, i, budget)
    label = way_to(s, goal, given >> 7, given & 127) if given >= 0 else -1
    label = label if label >= 0 else way_to(s, goal, -1, -1)
    note_steps(s, label, True, 1)
    last = s.n_drops - 1
    take_off = s.drop_from[last] if last >= 0 else start
    if not s.top_ropes and last >= 0:
        falls = s.label_drop[label] > 0
        s.drop_from[0], s.drop_to[0] = s.drop_from[last], s.drop_to[last]
        s.drop_by[0], s.n_drops = s.drop_by[last], 1 if falls else 0
        take_off = s.drop_from[0] if falls else start
    return s.label_damage[label], s.label_cost[label], take_off


def note_steps(s: State, label: int, drops: bool, spare: int) -> None:
    """Write down a way's drops, if they count, and the surfaces it passes, but the last `spare`."""
    if label < 0:
        return
    count = write_path(s, label)
    for k in range(count):
        step = s.path[k]
        if drops and s.label_drop[step] > 0:
            back = s.label_at[s.label_back[step]]
            note_drop(s, back, s.label_at[step], s.label_drop[step])
        if k < count - spare:
            s.passed[s.n_passed] = s.label_at[step]
            s.n_passed += 1


def note_drop(s: State, start: int, to: int, drop: int) -> None:
    """One drop more."""
    s.drop_from[s.n_drops], s.drop_to[s.n_drops], s.drop_by[s.n_drops] = start, to, drop
    s.n_drops += 1


def top_ropes(s: State, i: int, landing: int, drop: int) -> None:
    """Wrestler: enemies on and beside the landing suffer twice the drop."""
    if s.spot[i] < 0:
        return
    if s.top_ropes_damage:
        drop = max(drop - jump_of(s, i), 0)
    for other in range(s.n_units):
        spot = s.spot[other]
        if spot < 0 or s.side[other] == s.side[i] or apart(spot, landing) > 1:
            continue
        if s.top_ropes_levels or abs((spot & 15) - (landing & 15)) <= 1:
            harm(s, other, number(s, C.ROPES, C.A_AMOUNT) * drop, C.BY_DIVE, i)
    reap(s)


def free_budget(s: State, i: int, coin: int) -> int:
    """How far Adrenal Depletion's Move goes."""
    if coin < 0 and s.active == i:
        return carried(s, i, s.move_now[i])
    return carried(s, i, effective_move(s, i, coin))

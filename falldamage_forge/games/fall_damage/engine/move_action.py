"""Move of an activation: its legal ends, its path and its effects on the way."""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine import effects, notation, reachable, unit_stats
from falldamage_forge.games.fall_damage.engine.columns import StateColumns
from falldamage_forge.games.fall_damage.engine.surface_index import apart


def list_ends(s: StateColumns, i: int, budget: int, kind: int) -> None:
    """List a move for each reachable end, or for each path that differs (option `path_choice`).

    Args:
        s: State of the game; only work columns change.
        i: Index of the unit.
        budget: Move in tiles.
        kind: Kind of the listed moves: `codes.K_MOVE` or `codes.K_FREE`.
    """
    reachable.reachable_ends(s, i, budget)
    for k in range(s.n_ends):
        notation.append_move(s, notation.key_of(kind, C.M_MOVE, s.ends[k]))
    if s.path_choice and s.n_ends > 0:
        reachable.find_ways(s, i, budget)
        for k in range(s.n_ends):
            list_ways(s, i, s.ends[k], kind)


def list_ways(s: StateColumns, i: int, spot: int, kind: int) -> None:
    """List the paths to an end that differ from the best one in damage or cost.

    Args:
        s: State of the game; only work columns change.
        i: Index of the unit.
        spot: Surface index of the end.
        kind: Kind of the listed moves: `codes.K_MOVE` or `codes.K_FREE`.
    """
    if not reachable.may_end(s, i, spot) or s.ways_seen[spot] != s.ways_stamp:
        return
    best, label = reachable.way_to(s, spot, -1, -1), s.ways_at[spot]
    while label >= 0:
        harm, price = s.label_damage[label], s.label_cost[label]
        new = harm != s.label_damage[best] or price != s.label_cost[best]
        if new and reachable.way_to(s, spot, harm, price) == label:
            if harm > 127 or price > 127:
                s.lost = C.LOST
                return
            notation.append_move(s, notation.key_of(kind, C.M_MOVE, spot, harm << 7 | price))
        label = s.label_next[label]


def execute_move(s: StateColumns, i: int, key: int, budget: int) -> int:
    """Move a unit to the end of its path; return the cost.

    Damage, Thorns, Top Ropes and triggers on the way are resolved or stacked.

    Args:
        s: State of the game; changed.
        i: Index of the unit.
        key: Number of the move, which holds the end and, if the path differs from the best, its
            damage and cost.
        budget: Move in tiles.
    """
    goal, start = notation.spot_in(key), s.spot[i]
    damage, cost, take_off = choose_way(s, i, key, budget)
    end = goal
    if s.occupant[goal] >= 0:
        near = reachable.room_beside(s, goal, take_off, s.side[i])
        end = near if near >= 0 else start
    s.ends_of = -1
    effects.put(s, i, end)
    effects.emit_event(s, C.E_MOVE, i, start, end, damage)
    effects.deal_damage(s, i, damage, C.BY_STEP, i)
    if s.thorns[i]:
        effects.deal_damage(s, i, s.amounts[C.X_OWN_THORNS], C.BY_OTHER, i)
    effects.remove_dead(s)
    effects.push_task(s, C.REST, i, 1)
    for n in range(s.n_passed - 1, -1, -1):
        if s.treasure_trigger and s.passed[n] != end:
            effects.push_task(s, C.TOUCH, i, s.passed[n])
    for n in range(s.n_drops - 1, -1, -1):
        if unit_stats.has_ability(s, i, C.ROPES):
            effects.push_task(s, C.TOP_ROPES, i, s.drop_to[n], s.drop_by[n])
    return cost


def choose_way(s: StateColumns, i: int, key: int, budget: int) -> tuple[int, int, int]:
    """Return the damage, the cost and the last take-off of a move's path.

    Drops that count for Top Ropes are left in `drop_to`, passed surfaces in `passed`.

    Args:
        s: State of the game; only work columns change.
        i: Index of the unit.
        key: Number of the move, which holds the end and, if the path differs from the best, its
            damage and cost.
        budget: Move in tiles.
    """
    goal, given, start = notation.spot_in(key), notation.spot2_in(key), s.spot[i]
    reachable.reachable_ends(s, i, budget)
    s.n_drops, s.n_passed = 0, 0
    diver = unit_stats.has_ability(s, i, C.ROPES)
    if not diver and not s.treasure_trigger and given < 0:
        return s.best[goal], s.cost[goal], start
    # A dive is the only path that ends on an enemy.
    dives = (
        diver and (unit_stats.has_ability(s, i, C.NO_FALL) or s.occupant[goal] >= 0) and given < 0
    )
    if dives and s.dive_seen[goal] == s.dive_stamp:
        take_off = s.dive_from[goal]
        damage, cost, drop = s.dive_damage[goal], s.dive_cost[goal], s.dive_drop[goal]
        if (
            (s.top_ropes or s.treasure_trigger)
            and take_off != start
            and reachable.may_end(s, i, take_off)
        ):
            reachable.find_ways(s, i, budget)
            note_steps(s, reachable.cheapest_way(s, take_off), s.top_ropes == 1, 0)
        note_drop(s, take_off, goal, drop)
        return damage, cost, take_off
    whole = s.treasure_trigger or s.top_ropes or s.jump_scope or s.fall_allowance
    if dives and not whole:
        return s.best[goal], s.cost[goal], start
    reachable.find_ways(s, i, budget)
    label = reachable.way_to(s, goal, given >> 7, given & 127) if given >= 0 else -1
    label = label if label >= 0 else reachable.way_to(s, goal, -1, -1)
    note_steps(s, label, True, 1)
    last = s.n_drops - 1
    take_off = s.drop_from[last] if last >= 0 else start
    if not s.top_ropes and last >= 0:
        falls = s.label_drop[label] > 0
        s.drop_from[0], s.drop_to[0] = s.drop_from[last], s.drop_to[last]
        s.drop_by[0], s.n_drops = s.drop_by[last], 1 if falls else 0
        take_off = s.drop_from[0] if falls else start
    return s.label_damage[label], s.label_cost[label], take_off


def note_steps(s: StateColumns, label: int, drops: bool, spare: int) -> None:
    """Record the drops of a path, and its surfaces except the last `spare`.

    Args:
        s: State of the game; only work columns change.
        label: Last label of the path; nothing happens if it is negative.
        drops: True to record the drops.
        spare: Number of last surfaces that are left out of `passed`.
    """
    if label < 0:
        return
    count = reachable.write_path(s, label)
    for k in range(count):
        step = s.path[k]
        if drops and s.label_drop[step] > 0:
            back = s.label_at[s.label_back[step]]
            note_drop(s, back, s.label_at[step], s.label_drop[step])
        if k < count - spare:
            s.passed[s.n_passed] = s.label_at[step]
            s.n_passed += 1


def note_drop(s: StateColumns, start: int, to: int, drop: int) -> None:
    """Record a drop.

    Args:
        s: State of the game; only work columns change.
        start: Surface index from which the unit drops.
        to: Surface index on which it lands.
        drop: Levels dropped.
    """
    s.drop_from[s.n_drops], s.drop_to[s.n_drops], s.drop_by[s.n_drops] = start, to, drop
    s.n_drops += 1


def top_ropes(s: StateColumns, i: int, landing: int, drop: int) -> None:
    """Deal the damage of a Wrestler's drop to the enemies on and beside its landing.

    Args:
        s: State of the game; changed.
        i: The Wrestler.
        landing: Surface of the landing.
        drop: Levels.

    Source: "Dropping off a ledge to a tile on or adjacent to enemies damages them for that Fall
        Damage equivalent x2."
    """
    if s.spot[i] < 0:
        return
    if s.top_ropes_damage:
        drop = max(drop - unit_stats.jump_of(s, i), 0)
    for other in range(s.n_units):
        spot = s.spot[other]
        if spot < 0 or s.side[other] == s.side[i] or apart(spot, landing) > 1:
            continue
        if s.top_ropes_levels or abs((spot & 15) - (landing & 15)) <= 1:
            effects.deal_damage(
                s, other, unit_stats.number(s, C.ROPES, C.A_AMOUNT) * drop, C.BY_DIVE, i
            )
    effects.remove_dead(s)


def free_budget(s: StateColumns, i: int, coin: int) -> int:
    """Return the budget of the free Move that Adrenal Depletion gives.

    Args:
        s: State of the game; read only.
        i: Index of the unit.
        coin: The Beast's Move by its coin; -1 for none.
    """
    if coin < 0 and s.active == i:
        return unit_stats.halve_if_carrying(s, i, s.move_now[i])
    return unit_stats.halve_if_carrying(s, i, unit_stats.effective_move(s, i, coin))

"""Kernel of a batch: reachable sets, turns of every class, playability proofs, and metrics."""

from __future__ import annotations

import numpy as np

from falldamage_forge.search.kernels import bitsets as B
from falldamage_forge.search.kernels.bitsets import compiled
from falldamage_forge.search.kernels.metric_kernels import board_metrics
from falldamage_forge.search.kernels.surface_kernels import charged_levels, rung_cost, scan


@compiled
def forward(
    ways: B.Words, family: int, most: int, zero: B.Word, one: B.Word
) -> tuple[B.Word, B.Word]:
    """Return the set reached from a set by steps of at most `most` tiles."""
    seen0, seen1 = zero, one
    new0, new1 = zero, one
    while new0 != B.NONE or new1 != B.NONE:
        out0 = out1 = B.NONE
        while new0 != B.NONE:
            s = np.int64(B.lowest(new0))
            new0 &= new0 - B.ONE
            for cost in range(most):
                out0 |= ways[family, s, cost, 0]
                out1 |= ways[family, s, cost, 1]
        while new1 != B.NONE:
            s = np.int64(B.lowest(new1)) + 64
            new1 &= new1 - B.ONE
            for cost in range(most):
                out0 |= ways[family, s, cost, 0]
                out1 |= ways[family, s, cost, 1]
        new0, new1 = out0 & ~seen0, out1 & ~seen1
        seen0 |= new0
        seen1 |= new1
    return seen0, seen1


@compiled
def backward(
    ways: B.Words, family: int, most: int, total: int, zero: B.Word, one: B.Word
) -> tuple[B.Word, B.Word]:
    """Return the set from which a set is reached."""
    seen0, seen1 = zero, one
    more = True
    while more:
        more = False
        for turn in range(total):
            s = total - 1 - turn
            word, bit = s >> 6, B.ONE << (B.U(s) & B.LOW)
            if (seen0 if word == 0 else seen1) & bit != B.NONE:
                continue
            out0 = out1 = B.NONE
            for cost in range(most):
                out0 |= ways[family, s, cost, 0]
                out1 |= ways[family, s, cost, 1]
            if (out0 & seen0) != B.NONE or (out1 & seen1) != B.NONE:
                if word == 0:
                    seen0 |= bit
                else:
                    seen1 |= bit
                more = True
    return seen0, seen1


@compiled
def mark_turn(out: B.Ints, left: B.Word, first: int, turn: int) -> None:
    """Write a turn to every surface of a word."""
    while left != B.NONE:
        out[first + np.int64(B.lowest(left))] = turn
        left &= left - B.ONE


@compiled
def onward(
    ways: B.Words, family: int, cost: int, new0: B.Word, new1: B.Word
) -> tuple[B.Word, B.Word]:
    """Return the set reached from a set by single steps of one cost (counted from 0)."""
    go0 = go1 = B.NONE
    while new0 != B.NONE:
        s = np.int64(B.lowest(new0))
        new0 &= new0 - B.ONE
        go0 |= ways[family, s, cost, 0]
        go1 |= ways[family, s, cost, 1]
    while new1 != B.NONE:
        s = np.int64(B.lowest(new1)) + 64
        new1 &= new1 - B.ONE
        go0 |= ways[family, s, cost, 0]
        go1 |= ways[family, s, cost, 1]
    return go0, go1


@compiled
def count_turns(
    ways: B.Words,
    family: int,
    move: int,
    most: int,
    zero: B.Word,
    one: B.Word,
    window: B.Words,
    out: B.Ints,
) -> None:
    """Write the fewest activations to each surface from a set into `out`.

    Surfaces are expanded in order of (turns, Move used). Unspent Move is lost, so a step that
    exceeds the rest begins the next turn. A step leads at most 2 * move - 1 keys ahead, which
    bounds the window.
    """
    for key in range(B.WINDOW):
        window[key, 0] = B.NONE
        window[key, 1] = B.NONE
    seen0 = seen1 = B.NONE
    window[0, 0] = zero
    window[0, 1] = one
    waiting = 0 if zero == B.NONE and one == B.NONE else 1
    key = 0
    turn = 0
    used = move
    while waiting > 0:
        slot = key & (B.WINDOW - 1)
        new0, new1 = window[slot, 0], window[slot, 1]
        if new0 != B.NONE or new1 != B.NONE:
            window[slot, 0] = B.NONE
            window[slot, 1] = B.NONE
            waiting -= 1
            new0 &= ~seen0
            new1 &= ~seen1
            seen0 |= new0
            seen1 |= new1
            mark_turn(out, new0, 0, turn)
            mark_turn(out, new1, 64, turn)
            for cost in range(1, most + 1):
                go0, go1 = onward(ways, family, cost - 1, new0, new1)
                go0 &= ~seen0
                go1 &= ~seen1
                if go0 == B.NONE and go1 == B.NONE:
                    continue
                ahead = key + cost if used + cost <= move else key + move - used + cost
                slot = ahead & (B.WINDOW - 1)
                if window[slot, 0] == B.NONE and window[slot, 1] == B.NONE:
                    waiting += 1
                window[slot, 0] |= go0
                window[slot, 1] |= go1
        key += 1
        used += 1
        if used > move:
            used = 1
            turn += 1


@compiled
def turns_from(
    zone: B.Words,
    family: int,
    move: int,
    r: B.OptionFlags,
    units: B.UnitTables,
    total: int,
    ladders: int,
    found: B.LinkArrays,
    room: B.WorkArrays,
    out: B.Ints,
) -> None:
    """Write the fewest activations from a set into `out`, as the options count; NEVER: none."""
    out[:total] = B.NEVER
    if (r.climb_counts or r.fall_counts) and units.families[family, 0] < B.BUDGET:
        ways_on_budget(family, move, r, units, total, ladders, found, room.detail)
        jump = units.families[family, 0]
        most_up, most_down = (jump if r.climb_counts else 0), (jump if r.fall_counts else 0)
        count_turns_on_budget(room.detail, move, most_up, most_down, zone, room.states, out)
    else:
        most = min(found.deepest[family], move)
        count_turns(found.by_cost, family, move, most, zone[0], zone[1], room.window, out)


@compiled
def ways_on_budget(
    family: int,
    move: int,
    r: B.OptionFlags,
    units: B.UnitTables,
    total: int,
    ladders: int,
    found: B.LinkArrays,
    ways: B.Words,
) -> None:
    """Write the sets reached by cost, levels climbed and levels fallen.

    Levels are counted if they are a budget of the turn: `ways[cost, climb, fall, surface]`.
    """
    links, begin, rungs = found.links, found.begin, found.rungs
    vertical, soft = units.families[family, 1] == 1, units.families[family, 2] == 1
    ways[:, :, :, :total, :] = B.NONE
    for a in range(total):
        for n in range(begin[a], begin[a + 1]):
            code = links[n]
            b, cost, key = code & 127, (code >> 8) & 15, code >> 12
            rise = (key & (2 * B.HEIGHTS - 1)) - B.HEIGHTS
            if vertical:
                cost += charged_levels(rise, r)
            if units.allowed[family, key] and cost <= move:
                climb = rise if r.climb_counts and rise > 0 else 0
                falls = r.fall_counts and rise < 0 and not soft and key < 2 * B.HEIGHTS
                ways[cost - 1, climb, -rise if falls else 0, a, b >> 6] |= B.ONE << (B.U(b) & B.LOW)
    for n in range(ladders):
        cost = rung_cost(rungs[n, 2], rungs[n, 3], vertical, r)
        if cost <= move:
            b = rungs[n, 1]
            ways[cost - 1, 0, 0, rungs[n, 0], b >> 6] |= B.ONE << (B.U(b) & B.LOW)


@compiled
def count_turns_on_budget(
    ways: B.Words,
    move: int,
    most_up: int,
    most_down: int,
    zone: B.Words,
    states: B.Words,
    out: B.Ints,
) -> None:
    """Write `count_turns` for options with a climb or fall budget per turn.

    `states[used, climbed, fallen]` are the sets reached within one turn.
    """
    seen0, seen1 = zone[0], zone[1]
    new0, new1 = seen0, seen1
    turn = 0
    while new0 != B.NONE or new1 != B.NONE:
        mark_turn(out, new0, 0, turn)
        mark_turn(out, new1, 64, turn)
        states[:] = B.NONE
        states[0, 0, 0, 0] = new0
        states[0, 0, 0, 1] = new1
        all0 = all1 = B.NONE
        for used in range(move + 1):
            for climbed in range(most_up + 1):
                for fallen in range(most_down + 1):
                    for word in range(2):
                        left = states[used, climbed, fallen, word]
                        if word == 0:
                            all0 |= left
                        else:
                            all1 |= left
                        while left != B.NONE:
                            s = np.int64(B.lowest(left)) + 64 * word
                            left &= left - B.ONE
                            for cost in range(1, move - used + 1):
                                for climb in range(most_up - climbed + 1):
                                    for fall in range(most_down - fallen + 1):
                                        goal = states[used + cost, climbed + climb, fallen + fall]
                                        goal[0] |= ways[cost - 1, climb, fall, s, 0]
                                        goal[1] |= ways[cost - 1, climb, fall, s, 1]
        new0, new1 = all0 & ~seen0, all1 & ~seen1
        seen0 |= new0
        seen1 |= new1
        turn += 1


@compiled
def prove(ways: B.Words, family: int, most: int, total: int, zones: B.Words, found: B.Ints) -> None:
    """Write sides connected, chests reached, islands and traps of a proof unit into `found`.

    `zones` are the start surfaces of both sides, then those of chests.
    """
    all0 = zones[0, 0] | zones[1, 0]
    all1 = zones[0, 1] | zones[1, 1]
    if all0 != B.NONE:
        first0, first1 = all0 & (~all0 + B.ONE), B.NONE
    else:
        first0, first1 = B.NONE, all1 & (~all1 + B.ONE)
    there0, there1 = forward(ways, family, most, first0, first1)
    back0, back1 = backward(ways, family, most, total, first0, first1)
    joined = (all0 & ~(there0 & back0)) == B.NONE and (all1 & ~(there1 & back1)) == B.NONE
    lone = (zones[0, 0] | zones[0, 1]) == B.NONE or (zones[1, 0] | zones[1, 1]) == B.NONE
    chest = True
    if joined and not lone:
        chest = (zones[B.CHEST, 0] & ~there0) == B.NONE and (zones[B.CHEST, 1] & ~there1) == B.NONE
    else:
        for side in range(B.SIDES):
            own0, own1 = forward(ways, family, most, zones[side, 0], zones[side, 1])
            if (zones[B.CHEST, 0] & ~own0) != B.NONE or (zones[B.CHEST, 1] & ~own1) != B.NONE:
                chest = False
        there0, there1 = forward(ways, family, most, all0, all1)
        back0, back1 = backward(ways, family, most, total, all0, all1)
        joined = lone
    reached = B.bits(there0) + B.bits(there1)
    found[0] = joined
    found[1] = chest
    found[2] = total - reached
    found[3] = B.bits(there0 & ~back0) + B.bits(there1 & ~back1)


@compiled
def prove_all(
    units: B.UnitTables, total: int, found: B.LinkArrays, proof: B.Ints, answers: B.Ints
) -> None:
    """Write the values of every proof unit, and true if the board is playable."""
    good = True
    for number in range(units.proofs.shape[0]):
        family = units.proofs[number, 0]
        # If a weaker unit connects everything both ways, a stronger one does too.
        if not (number > 0 and units.nested and good and proof[2] == 0 and proof[3] == 0):
            most = min(found.deepest[family], units.proofs[number, 1])
            prove(found.by_cost, family, most, total, found.zones, proof)
        for k in range(4):
            answers[2 + 4 * number + k] = proof[k]
        good = good and proof[0] == 1 and proof[1] == 1
    answers[B.OK] = good


@compiled
def misses(out: B.Ints, zone: B.Words) -> bool:
    """True if a surface of a set is never reached."""
    for word in range(2):
        left = zone[word]
        while left != B.NONE:
            s = np.int64(B.lowest(left)) + 64 * word
            left &= left - B.ONE
            if out[s] == B.NEVER:
                return True
    return False


@compiled
def evaluate_batch(
    boards: B.BoardArrays,
    r: B.OptionFlags,
    units: B.UnitTables,
    sights: B.SightTables,
    answers: B.Ints,
    turns: B.Ints,
    places: B.Ints,
    figures: B.Ints,
) -> None:
    """Evaluate a batch; see `batch_engine` for the shapes.

    Arrays `turns`, `places` and `figures` without rows are not computed.
    """
    land, found, room = land_of(boards), ways_of(boards, units), room_of(r)
    out, back, proof = np.empty(B.MOST, np.int8), np.empty(B.MOST, np.int8), np.zeros(4, np.int64)
    for n in range(boards.level.shape[0]):
        board = B.BoardArrays(
            boards.cols, boards.level[n], boards.ground[n], boards.feature[n], boards.decks[n],
            boards.ladders[n], boards.starts[n], boards.chests[n],
        )  # fmt: skip
        answers[n, :] = 0
        total, steps = scan(board, r, units, land, found)
        answers[n, B.SURFACES] = total
        if total < 0:
            continue
        prove_all(units, total, found, proof, answers[n])
        if turns.shape[0] > 0:
            cut = class_turns(r, units, total, steps, found, room, out, turns[n])
            for s in range(total):
                places[n, s, 0] = land.at[s]
                places[n, s, 1] = land.z[s]
        else:
            cut = cut_off(units, found)
        answers[n, B.COLUMNS - 1] = cut
        if figures.shape[0] > 0:
            family, move = units.proofs[0, 0], units.proofs[0, 1]
            turns_from(found.zones[0], family, move, r, units, total, steps, found, room, out)
            turns_from(found.zones[1], family, move, r, units, total, steps, found, room, back)
            board_metrics(
                board, r, land, total, found, family, move, sights, room, out, back, figures[n]
            )


@compiled
def land_of(boards: B.BoardArrays) -> B.SurfaceArrays:
    """Return work arrays for a board's surfaces."""
    size = boards.level.shape[1]
    return B.SurfaceArrays(
        np.empty(size, np.int64), np.empty(size, np.int64), np.empty(size, np.int64),
        np.empty(B.MOST, np.int64), np.empty(B.MOST, np.int64),
    )  # fmt: skip


@compiled
def ways_of(boards: B.BoardArrays, units: B.UnitTables) -> B.LinkArrays:
    """Return work arrays for a board's links and steps."""
    families = units.families.shape[0]
    return B.LinkArrays(
        np.empty(B.LINKS, np.int64),
        np.empty(B.MOST + 1, np.int64),
        np.empty((2 * boards.ladders.shape[1], 4), np.int64),
        np.zeros((units.patterns, B.COSTS, 2), np.uint64),
        np.zeros((families, B.MOST, B.COSTS, 2), np.uint64),
        np.zeros(families, np.int64),
        np.zeros((B.SIDES + 1, 2), np.uint64),
    )


@compiled
def room_of(r: B.OptionFlags) -> B.WorkArrays:
    """Return work arrays of the searches; minimal ones if no option has a budget per turn."""
    most = B.MOST if r.climb_counts or r.fall_counts else 1
    return B.WorkArrays(
        np.zeros((B.WINDOW, 2), np.uint64),
        np.zeros((B.COSTS, B.BUDGET, B.BUDGET, most, 2), np.uint64),
        np.zeros((B.COSTS + 1, B.BUDGET, B.BUDGET, 2), np.uint64),
        np.zeros((B.MOST, 2), np.uint64),
        np.zeros(B.MOST, np.bool_),
        np.zeros(2 * B.MOST, np.int64),
        np.zeros(4 * B.MOST, np.int64),
    )


@compiled
def cut_off(units: B.UnitTables, found: B.LinkArrays) -> int:
    """Return the classes without a path between the starts, as bits."""
    cut, zones, ways, deepest = 0, found.zones, found.by_cost, found.deepest
    for c in range(units.classes.shape[0]):
        family, move = units.classes[c, 0], units.classes[c, 1]
        most = min(deepest[family], move)
        for side in range(B.SIDES):
            own0, own1 = forward(ways, family, most, zones[side, 0], zones[side, 1])
            if (zones[1 - side, 0] & ~own0) != B.NONE or (zones[1 - side, 1] & ~own1) != B.NONE:
                cut |= 1 << c
    return cut


@compiled
def class_turns(
    r: B.OptionFlags,
    units: B.UnitTables,
    total: int,
    steps: int,
    found: B.LinkArrays,
    room: B.WorkArrays,
    out: B.Ints,
    turns: B.Ints,
) -> int:
    """Write the turns of every class from both sides; return the classes cut off, as bits."""
    cut = 0
    for c in range(units.classes.shape[0]):
        family, move = units.classes[c, 0], units.classes[c, 1]
        for side in range(B.SIDES):
            turns_from(found.zones[side], family, move, r, units, total, steps, found, room, out)
            turns[c, side, :total] = out[:total]
            if misses(out, found.zones[1 - side]):
                cut |= 1 << c
    return cut

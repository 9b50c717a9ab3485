"""Who gets where on the ways of a family, and in how many turns; proofs."""

from __future__ import annotations

import numba as nb
import numpy as np

from falldamage_forge.search.loops.sets import (
    BUDGET,
    CHEST,
    HEIGHTS,
    LOW,
    NEVER,
    NONE,
    OK,
    ONE,
    SIDES,
    WINDOW,
    U,
    bits,
    lowest,
)
from falldamage_forge.search.loops.ways import counted, rung_cost


@nb.njit(cache=True)
def forward(ways, family, most, zero, one):
    """Everything reached from a set by moves of at most a cost."""
    seen0, seen1 = zero, one
    new0, new1 = zero, one
    while new0 != NONE or new1 != NONE:
        out0 = out1 = NONE
        while new0 != NONE:
            s = np.int64(lowest(new0))
            new0 &= new0 - ONE
            for cost in range(most):
                out0 |= ways[family, s, cost, 0]
                out1 |= ways[family, s, cost, 1]
        while new1 != NONE:
            s = np.int64(lowest(new1)) + 64
            new1 &= new1 - ONE
            for cost in range(most):
                out0 |= ways[family, s, cost, 0]
                out1 |= ways[family, s, cost, 1]
        new0, new1 = out0 & ~seen0, out1 & ~seen1
        seen0 |= new0
        seen1 |= new1
    return seen0, seen1


@nb.njit(cache=True)
def backward(ways, family, most, total, zero, one):
    """Everything from which a set is reached."""
    seen0, seen1 = zero, one
    more = True
    while more:
        more = False
        for turn in range(total):
            s = total - 1 - turn
            word, bit = s >> 6, ONE << (U(s) & LOW)
            if (seen0 if word == 0 else seen1) & bit != NONE:
                continue
            out0 = out1 = NONE
            for cost in range(most):
                out0 |= ways[family, s, cost, 0]
                out1 |= ways[family, s, cost, 1]
            if (out0 & seen0) != NONE or (out1 & seen1) != NONE:
                if word == 0:
                    seen0 |= bit
                else:
                    seen1 |= bit
                more = True
    return seen0, seen1


@nb.njit(cache=True)
def mark_turn(out, left, first, turn):
    """Write a turn to every surface of a word."""
    while left != NONE:
        out[first + np.int64(lowest(left))] = turn
        left &= left - ONE


@nb.njit(cache=True)
def onward(ways, family, cost, new0, new1):
    """Where one gets from a set by moves of one cost (counted from 0)."""
    go0 = go1 = NONE
    while new0 != NONE:
        s = np.int64(lowest(new0))
        new0 &= new0 - ONE
        go0 |= ways[family, s, cost, 0]
        go1 |= ways[family, s, cost, 1]
    while new1 != NONE:
        s = np.int64(lowest(new1)) + 64
        new1 &= new1 - ONE
        go0 |= ways[family, s, cost, 0]
        go1 |= ways[family, s, cost, 1]
    return go0, go1


@nb.njit(cache=True)
def count_turns(ways, family, move, most, zero, one, window, out):
    """Least activations to each surface from a set, into `out`.

    Surfaces are taken in order of (turns, Move used); unspent Move is lost, so that a move too dear
    for what is left begins the next turn. No move leads more than 2 * move - 1 keys ahead.
    """
    for key in range(WINDOW):
        window[key, 0] = NONE
        window[key, 1] = NONE
    seen0 = seen1 = NONE
    window[0, 0] = zero
    window[0, 1] = one
    waiting = 0 if zero == NONE and one == NONE else 1
    key = 0
    turn = 0
    used = move
    while waiting > 0:
        slot = key & (WINDOW - 1)
        new0, new1 = window[slot, 0], window[slot, 1]
        if new0 != NONE or new1 != NONE:
            window[slot, 0] = NONE
            window[slot, 1] = NONE
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
                if go0 == NONE and go1 == NONE:
                    continue
                ahead = key + cost if used + cost <= move else key + move - used + cost
                slot = ahead & (WINDOW - 1)
                if window[slot, 0] == NONE and window[slot, 1] == NONE:
                    waiting += 1
                window[slot, 0] |= go0
                window[slot, 1] |= go1
        key += 1
        used += 1
        if used > move:
            used = 1
            turn += 1


@nb.njit(cache=True)
def turns_from(
    zero, one, ways, family, move, most, total, families, links, begin, rungs, steps, allowed,
    rules, window, detail, states, out,
):  # fmt: skip
    """Least activations from a set into `out`, as the rules count them; NEVER where none do."""
    out[:total] = NEVER
    if (rules[6] == 1 or rules[7] == 1) and families[family, 0] < BUDGET:
        count_turns_on_budget(
            links, begin, rungs, steps, total, family, families, allowed, rules, move,
            zero, one, detail, states, out,
        )  # fmt: skip
    else:
        count_turns(ways, family, move, most, zero, one, window, out)


@nb.njit(cache=True)
def count_turns_on_budget(
    links, begin, rungs, ladders, total, family, families, allowed, rules, move, zero, one, ways,
    states, out,
):  # fmt: skip
    """The same where climbing or falling is a budget of the whole turn (rules 6 and 7).

    `ways[cost, climb, fall, surface]` and `states[used, climb, fall]` are sets; turn by turn.
    """
    jump, vertical, soft = families[family, 0], families[family, 1] == 1, families[family, 2] == 1
    up_counts, down_counts = rules[6] == 1, rules[7] == 1
    ways[:, :, :, :total, :] = NONE
    for a in range(total):
        for n in range(begin[a], begin[a + 1]):
            code = links[n]
            b, cost, key = code & 127, (code >> 8) & 15, code >> 12
            rise = (key & (2 * HEIGHTS - 1)) - HEIGHTS
            if vertical:
                cost += counted(rise, rules)
            if allowed[family, key] and cost <= move:
                climb = rise if up_counts and rise > 0 else 0
                falls = down_counts and rise < 0 and not soft and key < 2 * HEIGHTS
                ways[cost - 1, climb, -rise if falls else 0, a, b >> 6] |= ONE << (U(b) & LOW)
    for n in range(ladders):
        cost = rung_cost(rungs[n, 2], rungs[n, 3], vertical, rules)
        if cost <= move:
            b = rungs[n, 1]
            ways[cost - 1, 0, 0, rungs[n, 0], b >> 6] |= ONE << (U(b) & LOW)
    most_up, most_down = (jump if up_counts else 0), (jump if down_counts else 0)
    seen0, seen1 = zero, one
    new0, new1 = zero, one
    turn = 0
    while new0 != NONE or new1 != NONE:
        for word in range(2):
            left = new0 if word == 0 else new1
            while left != NONE:
                out[np.int64(lowest(left)) + 64 * word] = turn
                left &= left - ONE
        states[:] = NONE
        states[0, 0, 0, 0] = new0
        states[0, 0, 0, 1] = new1
        all0 = all1 = NONE
        for used in range(move + 1):
            for climbed in range(most_up + 1):
                for fallen in range(most_down + 1):
                    for word in range(2):
                        left = states[used, climbed, fallen, word]
                        if word == 0:
                            all0 |= left
                        else:
                            all1 |= left
                        while left != NONE:
                            s = np.int64(lowest(left)) + 64 * word
                            left &= left - ONE
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


@nb.njit(cache=True)
def prove(ways, family, most, total, zones, found):
    """(sides joined, chests reached, islands, traps) of one proof unit into `found`.

    `zones` are the start surfaces of both sides, then those with treasure.
    """
    all0 = zones[0, 0] | zones[1, 0]
    all1 = zones[0, 1] | zones[1, 1]
    if all0 != NONE:
        first0, first1 = all0 & (~all0 + ONE), NONE
    else:
        first0, first1 = NONE, all1 & (~all1 + ONE)
    there0, there1 = forward(ways, family, most, first0, first1)
    back0, back1 = backward(ways, family, most, total, first0, first1)
    joined = (all0 & ~(there0 & back0)) == NONE and (all1 & ~(there1 & back1)) == NONE
    lone = (zones[0, 0] | zones[0, 1]) == NONE or (zones[1, 0] | zones[1, 1]) == NONE
    chest = True
    if joined and not lone:
        chest = (zones[CHEST, 0] & ~there0) == NONE and (zones[CHEST, 1] & ~there1) == NONE
    else:
        for side in range(SIDES):
            own0, own1 = forward(ways, family, most, zones[side, 0], zones[side, 1])
            if (zones[CHEST, 0] & ~own0) != NONE or (zones[CHEST, 1] & ~own1) != NONE:
                chest = False
        there0, there1 = forward(ways, family, most, all0, all1)
        back0, back1 = backward(ways, family, most, total, all0, all1)
        joined = lone
    reached = bits(there0) + bits(there1)
    found[0] = joined
    found[1] = chest
    found[2] = total - reached
    found[3] = bits(there0 & ~back0) + bits(there1 & ~back1)


@nb.njit(cache=True)
def prove_all(ways, deepest, proofs, nested, total, zones, proof, answers):
    """The figures of every proof unit, and whether the board is playable."""
    good = True
    for number in range(proofs.shape[0]):
        family = proofs[number, 0]
        # Where a weaker unit joins everything both ways, a stronger one does too.
        if not (number > 0 and nested and good and proof[2] == 0 and proof[3] == 0):
            most = min(deepest[family], proofs[number, 1])
            prove(ways, family, most, total, zones, proof)
        for k in range(4):
            answers[2 + 4 * number + k] = proof[k]
        good = good and proof[0] == 1 and proof[1] == 1
    answers[OK] = good


@nb.njit(cache=True)
def misses(out, zero, one):
    """Whether some surface of a set is never reached."""
    for word in range(2):
        left = zero if word == 0 else one
        while left != NONE:
            s = np.int64(lowest(left)) + 64 * word
            left &= left - ONE
            if out[s] == NEVER:
                return True
    return False

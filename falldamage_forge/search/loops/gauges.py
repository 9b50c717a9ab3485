"""Measures of batches in numba: control, contact, choke points, falls and sight.

The same figures as `measures` gives for one board, for a plain unit of the rules.
"""

from __future__ import annotations

import numba as nb
import numpy as np

from falldamage_forge.search.loops.scan import free
from falldamage_forge.search.loops.sets import (
    DECKS,
    LAVA,
    LOW,
    MOST,
    NEVER,
    NONE,
    ONE,
    WATER,
    U,
    lowest,
)

# Columns of the figures.
SEEN, CUT, FALLS, DEEP, DEAD, LEVELS, HIGH = 0, 1, 2, 3, 4, 5, 6
CONTACT, REACH, FIRST = 7, 9, 15
COLUMNS = 17
"""Then by side: first contact, surfaces reached within 1, 2 and 3 turns, surfaces reached first."""
SOURCE = 2 * MOST


@nb.njit(cache=True)
def count_sights(board, cols, decks, top, at, z, total, sights, crossings, begin):
    """Ordered pairs of surfaces that see each other.

    `sights` are the scale that makes heights whole, the eye, a slab's thickness and whether what
    an end stands on hides. `crossings[begin[offset]:]` are (row, col, enter, leave) of the tiles
    that a line of this offset crosses, after a first row that tells how its way is divided.
    """
    scale, eye, thick, strict = sights[0], sights[1], sights[2], sights[3] == 1
    rows = top.shape[0] // cols
    pairs = 0
    for a in range(total):
        row_a, col_a = at[a] // cols, at[a] % cols
        level_a = z[a] * scale
        for b in range(a + 1, total):
            down, right = at[b] // cols - row_a, at[b] % cols - col_a
            level_b = z[b] * scale
            offset = down * (2 * cols - 1) + right + cols - 1
            first, last = begin[offset], begin[offset + 1]
            parts = crossings[first, 0]
            start, rise = (level_a + eye) * parts, level_b - level_a
            clear = True
            for n in range(first + 1, last):
                tile = (row_a + crossings[n, 0]) * cols + col_a + crossings[n, 1]
                low = start + rise * crossings[n, 2]
                high = start + rise * crossings[n, 3]
                if low > high:
                    low, high = high, low
                roof = top[tile] * scale
                mine, its = tile == at[a], tile == at[b]
                if low < roof * parts:
                    spared = (mine or its) and not strict
                    if (mine and roof != level_a) or (its and roof != level_b):
                        spared = False
                    if not spared:
                        clear = False
                        break
                for k in range(DECKS):
                    deck = decks[board, tile, k]
                    if deck < 0:
                        break
                    roof = deck * scale
                    if low < roof * parts and high > (roof - thick) * parts:
                        spared = (mine or its) and not strict
                        if (mine and roof != level_a) or (its and roof != level_b):
                            spared = False
                        if not spared:
                            clear = False
                            break
                if not clear:
                    break
            if clear:
                pairs += 2
    return pairs if rows > 0 else 0


@nb.njit(cache=True)
def push_all(
    board, cols, level, ground, feature, decks, top, first, count, at, z, total, pushes, figures
):
    """Surfaces from which a push of one tile drops a unit by 1 or 3 levels, or kills it.

    `pushes` are whether the edge is void, whether sliding on is paid for, and a slab's body.
    """
    rows = top.shape[0] // cols
    void, paid, slab = pushes[0] == 1, pushes[1] == 1, pushes[2]
    some = deep = dead = 0
    for s in range(total):
        tile, here = at[s], z[s]
        row, col = tile // cols, tile % cols
        worst = 0
        dies = False
        for way in range(4):
            down = (way == 2) - (way == 0)
            right = (way == 1) - (way == 3)
            r, c = row, col
            while True:
                r += down
                c += right
                if not (0 <= r < rows and 0 <= c < cols):
                    dies = dies or void
                    break
                on = r * cols + c
                if not free(top, decks, board, on, here, here + 1, slab):
                    # A wall of one level may be climbed, and on it there may be lava.
                    if r == row + down and c == col + right:
                        dies = dies or climbs_to_death(
                            board, level, ground, feature, decks, top, tile, on, here, slab
                        )
                    break
                landing = -1
                if top[on] <= here:
                    landing = top[on]
                for k in range(DECKS):
                    deck = decks[board, on, k]
                    if deck < 0:
                        break
                    if landing < deck <= here:
                        landing = deck
                column = level[board, on]
                if ground[board, on] == LAVA and feature[board, on] == 0 and landing == column:
                    dies = True
                    break
                stands = False
                for k in range(first[on], first[on] + count[on]):
                    stands = stands or z[k] == landing
                if stands:
                    soft = ground[board, on] == WATER and landing == column
                    if not soft:
                        worst = max(worst, here - landing)
                    break
                if paid:
                    break
        # Of the four directions the worst counts, and death is worse than any fall.
        some += worst >= 1 and not dies
        deep += worst >= 3 and not dies
        dead += dies
    figures[FALLS] = some
    figures[DEEP] = deep
    figures[DEAD] = dead


@nb.njit(cache=True)
def climbs_to_death(board, level, ground, feature, decks, top, tile, on, here, slab):
    """Whether a unit pushed against a wall of one level is pushed up, and into lava."""
    lifted = top[on] == here + 1
    for k in range(DECKS):
        deck = decks[board, on, k]
        if deck == here + 1:
            lifted = True
    if not lifted:
        return False
    if not free(top, decks, board, tile, here, here + 2, slab):
        return False
    if not free(top, decks, board, on, here + 1, here + 2, slab):
        return False
    column = level[board, on]
    return ground[board, on] == LAVA and feature[board, on] == 0 and column == here + 1


@nb.njit(cache=True)
def least_cut(ways, family, most, total, zones, flow, used, came, queue):
    """How many surfaces part the sides: as many paths as there are that share none (Menger 1927).

    Every surface is split into a half one comes to and a half one leaves from, numbered from 128.
    `flow[v]` are the surfaces that paths go on to from v, `used[v]` whether one leads through v.
    """
    used[:] = False
    flow[:] = NONE
    paths = 0
    while True:
        came[:] = -1
        head = tail = 0
        for word in range(2):
            left = zones[0, word]
            while left != NONE:
                v = np.int64(lowest(left)) + 64 * word
                left &= left - ONE
                came[v] = SOURCE
                queue[tail] = v
                tail += 1
        end = -1
        while head < tail and end < 0:
            node = queue[head]
            head += 1
            v = node & (MOST - 1)
            word, bit = v >> 6, ONE << (U(v) & LOW)
            if node < MOST:
                if not used[v] and came[v + MOST] < 0:
                    came[v + MOST] = node
                    queue[tail] = v + MOST
                    tail += 1
                for u in range(total if used[v] else 0):
                    if flow[u, word] & bit != NONE and came[u + MOST] < 0:
                        came[u + MOST] = node
                        queue[tail] = u + MOST
                        tail += 1
                continue
            if zones[1, word] & bit != NONE:
                end = node
                break
            if used[v] and came[v] < 0:
                came[v] = node
                queue[tail] = v
                tail += 1
            for half in range(2):
                left = NONE
                for cost in range(most):
                    left |= ways[family, v, cost, half]
                while left != NONE:
                    w = np.int64(lowest(left)) + 64 * half
                    left &= left - ONE
                    if came[w] < 0:
                        came[w] = node
                        queue[tail] = w
                        tail += 1
        if end < 0:
            return paths
        paths += 1
        lay_path(end, flow, used, came)


@nb.njit(cache=True)
def lay_path(end, flow, used, came):
    """Add the path that was found, from its end; where it runs against another, both give way."""
    node = end
    while came[node] != SOURCE:
        before = came[node]
        v, u = node & (MOST - 1), before & (MOST - 1)
        if node >= MOST and u == v:
            used[v] = True
        elif node < MOST and u == v:
            used[v] = False
        elif node < MOST:
            flow[u, v >> 6] |= ONE << (U(v) & LOW)
        else:
            flow[v, u >> 6] &= ~(ONE << (U(u) & LOW))
        node = before


@nb.njit(cache=True)
def reach_figures(out, other, side, total, z, at, cols, goals, low_too, figures):
    """Turns of a side's plain unit: reach in 1 to 3, what it reaches first, first contact."""
    for s in range(total):
        turn = out[s]
        if turn == NEVER:
            continue
        for n in range(1, 4):
            if turn <= n:
                figures[REACH + 3 * side + n - 1] += 1
        if turn < other[s]:
            figures[FIRST + side] += 1
    soonest = -1
    for s in range(total):
        if out[s] == NEVER or (soonest >= 0 and out[s] >= soonest):
            continue
        for word in range(2):
            left = goals[word]
            while left != NONE:
                g = np.int64(lowest(left)) + 64 * word
                left &= left - ONE
                apart = abs(at[s] // cols - at[g] // cols) + abs(at[s] % cols - at[g] % cols)
                rise = z[g] - z[s]
                if apart == 1 and rise <= 1 and (rise >= -1 or low_too):
                    soonest = out[s]
    figures[CONTACT + side] = soonest


@nb.njit(cache=True)
def level_figures(z, total, figures):
    """The sum of the surfaces' levels, and how many are two up or more."""
    for s in range(total):
        figures[LEVELS] += z[s]
        figures[HIGH] += z[s] >= 2


@nb.njit(cache=True)
def gauge(
    board, cols, level, ground, feature, decks, top, first, count, at, z, total, ways, family,
    most, zones, sights, crossings, begin, pushes, low_too, one, other, flow, used, came, queue,
    figures,
):  # fmt: skip
    """All figures of one board whose surfaces, ways and turns from both sides are known."""
    figures[:] = 0
    figures[SEEN] = count_sights(board, cols, decks, top, at, z, total, sights, crossings, begin)
    figures[CUT] = least_cut(ways, family, most, total, zones, flow, used, came, queue)
    push_all(
        board, cols, level, ground, feature, decks, top, first, count, at, z, total, pushes, figures
    )
    level_figures(z, total, figures)
    reach_figures(one, other, 0, total, z, at, cols, zones[1], low_too, figures)
    reach_figures(other, one, 1, total, z, at, cols, zones[0], low_too, figures)

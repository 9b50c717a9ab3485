"""Kernels of metrics: control, contact, choke points, falls and sight.

The values equal those of `metrics` for one board and a plain unit of the rules.
"""

from __future__ import annotations

import numpy as np

from falldamage_forge.search.kernels import bitsets as B
from falldamage_forge.search.kernels.bitsets import compiled
from falldamage_forge.search.kernels.surface_kernels import floor_below, free

# Columns of the figures.
SEEN, CUT, FALLS, DEEP, DEAD, LEVELS, HIGH = 0, 1, 2, 3, 4, 5, 6
CONTACT, REACH, FIRST = 7, 9, 15
COLUMNS = 17
"""By side: first contact, surfaces reached within 1, 2 and 3 turns, surfaces reached first."""
SOURCE = 2 * B.MOST


@compiled
def count_sights(
    board: B.BoardArrays, land: B.SurfaceArrays, total: int, sights: B.SightTables
) -> int:
    """Return the number of ordered pairs of surfaces that see each other."""
    cols, decks, (top, _, _, at, z) = board.cols, board.decks, land
    scale, eye, thick, strict, crossings, begin = sights
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
                if low < roof * parts and hides(mine, its, roof, level_a, level_b, strict):
                    clear = False
                    break
                for k in range(B.DECKS):
                    deck = decks[tile, k]
                    if deck < 0:
                        break
                    roof = deck * scale
                    under = low < roof * parts and high > (roof - thick) * parts
                    if under and hides(mine, its, roof, level_a, level_b, strict):
                        clear = False
                        break
                if not clear:
                    break
            if clear:
                pairs += 2
    return pairs


@compiled
def hides(mine: bool, its: bool, roof: int, level_a: int, level_b: int, strict: bool) -> bool:
    """True if a solid under a line hides its end; the columns of both ends may be spared."""
    if strict or not (mine or its):
        return True
    return bool((mine and roof != level_a) or (its and roof != level_b))


@compiled
def push_exposure(
    board: B.BoardArrays, r: B.OptionFlags, land: B.SurfaceArrays, total: int, figures: B.Ints
) -> None:
    """Count the surfaces from which a push of 1 tile drops a unit by 1 or 3 levels, or kills."""
    cols, decks, (top, first, many, at, z) = board.cols, board.decks, land
    rows = top.shape[0] // cols
    some = deep = dead = 0
    for s in range(total):
        tile, here = at[s], z[s]
        worst = 0
        dies = False
        for way in range(4):
            down = (way == 2) - (way == 0)
            right = (way == 1) - (way == 3)
            row, col = tile // cols, tile % cols
            steps = 0
            while True:
                row += down
                col += right
                steps += 1
                if not (0 <= row < rows and 0 <= col < cols):
                    dies = dies or r.void
                    break
                on = row * cols + col
                if not free(top, decks, on, here, here + 1, r.slab):
                    # A wall of one level may be climbed, and on it there may be lava.
                    if steps == 1:
                        dies = dies or climbs_to_death(board, r, top, tile, on, here)
                    break
                landing = floor_below(top, decks, on, here)
                column = board.level[on]
                if board.ground[on] == B.LAVA and board.feature[on] == 0 and landing == column:
                    dies = True
                    break
                stands = False
                for k in range(first[on], first[on] + many[on]):
                    stands = stands or z[k] == landing
                if stands:
                    soft = board.ground[on] == B.WATER and landing == column
                    if not soft:
                        worst = max(worst, here - landing)
                    break
                if r.slides_paid:
                    break
        # Of the four directions the worst counts, and death is worse than any fall.
        some += worst >= 1 and not dies
        deep += worst >= 3 and not dies
        dead += dies
    figures[FALLS] = some
    figures[DEEP] = deep
    figures[DEAD] = dead


@compiled
def climbs_to_death(
    board: B.BoardArrays, r: B.OptionFlags, top: B.Ints, tile: int, on: int, here: int
) -> bool:
    """True if a unit pushed against a wall of one level is pushed up and into lava."""
    lifted = top[on] == here + 1
    for k in range(B.DECKS):
        if board.decks[on, k] == here + 1:
            lifted = True
    if not lifted:
        return False
    if not free(top, board.decks, tile, here, here + 2, r.slab):
        return False
    if not free(top, board.decks, on, here + 1, here + 2, r.slab):
        return False
    hot = board.ground[on] == B.LAVA and board.feature[on] == 0
    return bool(hot and board.level[on] == here + 1)


@compiled
def least_cut(
    ways: B.Words, family: int, most: int, total: int, zones: B.Words, room: B.WorkArrays
) -> int:
    """Return the size of the minimum vertex cut between the sides.

    It equals the number of vertex-disjoint paths. Each surface is split into an entry and an exit,
    numbered from 128. `flow[v]` are the surfaces that paths continue to from v; `used[v]` is true
    if a path leads through v.

    Source: Menger's theorem (1927), by augmenting paths.
    """
    flow, used, came, queue = room.flow, room.used, room.came, room.queue
    used[:] = False
    flow[:] = B.NONE
    paths = 0
    while True:
        came[:] = -1
        head = tail = 0
        for word in range(2):
            left = zones[0, word]
            while left != B.NONE:
                v = np.int64(B.lowest(left)) + 64 * word
                left &= left - B.ONE
                tail = enqueue(came, queue, tail, v, SOURCE)
        end = -1
        while head < tail and end < 0:
            node = queue[head]
            head += 1
            v = node & (B.MOST - 1)
            word, bit = v >> 6, B.ONE << (B.U(v) & B.LOW)
            if node < B.MOST:
                if not used[v]:
                    tail = enqueue(came, queue, tail, v + B.MOST, node)
                for u in range(total if used[v] else 0):
                    if flow[u, word] & bit != B.NONE:
                        tail = enqueue(came, queue, tail, u + B.MOST, node)
                continue
            if zones[1, word] & bit != B.NONE:
                end = node
                break
            if used[v]:
                tail = enqueue(came, queue, tail, v, node)
            for half in range(2):
                left = B.NONE
                for cost in range(most):
                    left |= ways[family, v, cost, half]
                while left != B.NONE:
                    w = np.int64(B.lowest(left)) + 64 * half
                    left &= left - B.ONE
                    tail = enqueue(came, queue, tail, w, node)
        if end < 0:
            return paths
        paths += 1
        augment_flow(end, flow, used, came)


@compiled
def enqueue(came: B.Ints, queue: B.Ints, tail: int, node: int | np.int64, before: int) -> int:
    """Queue a node that is reached for the first time; return the end of the queue."""
    if came[node] >= 0:
        return tail
    came[node] = before
    queue[tail] = node
    return tail + 1


@compiled
def augment_flow(end: int, flow: B.Words, used: B.Ints, came: B.Ints) -> None:
    """Add an augmenting path, from its end; opposite flows cancel."""
    node = end
    while came[node] != SOURCE:
        before = came[node]
        v, u = node & (B.MOST - 1), before & (B.MOST - 1)
        if node >= B.MOST and u == v:
            used[v] = True
        elif node < B.MOST and u == v:
            used[v] = False
        elif node < B.MOST:
            flow[u, v >> 6] |= B.ONE << (B.U(v) & B.LOW)
        else:
            flow[v, u >> 6] &= ~(B.ONE << (B.U(u) & B.LOW))
        node = before


@compiled
def reach_figures(
    out: B.Ints,
    other: B.Ints,
    side: int,
    total: int,
    cols: int,
    land: B.SurfaceArrays,
    goals: B.Words,
    low_too: bool,
    figures: B.Ints,
) -> None:
    """Write the metrics of a side's turns: reach in 1 to 3, first reached, first contact."""
    at, z = land.at, land.z
    for s in range(total):
        turn = out[s]
        if turn == B.NEVER:
            continue
        for n in range(1, 4):
            if turn <= n:
                figures[REACH + 3 * side + n - 1] += 1
        if turn < other[s]:
            figures[FIRST + side] += 1
    soonest = -1
    for s in range(total):
        if out[s] == B.NEVER or (soonest >= 0 and out[s] >= soonest):
            continue
        for word in range(2):
            left = goals[word]
            while left != B.NONE:
                g = np.int64(B.lowest(left)) + 64 * word
                left &= left - B.ONE
                apart = abs(at[s] // cols - at[g] // cols) + abs(at[s] % cols - at[g] % cols)
                rise = z[g] - z[s]
                if apart == 1 and rise <= 1 and (rise >= -1 or low_too):
                    soonest = out[s]
    figures[CONTACT + side] = soonest


@compiled
def board_metrics(
    board: B.BoardArrays,
    r: B.OptionFlags,
    land: B.SurfaceArrays,
    total: int,
    found: B.LinkArrays,
    family: int,
    move: int,
    sights: B.SightTables,
    room: B.WorkArrays,
    one: B.Ints,
    other: B.Ints,
    figures: B.Ints,
) -> None:
    """Write all metrics of a board whose surfaces, links and turns are known."""
    most, zones, low_too = min(found.deepest[family], move), found.zones, r.strikes_down
    figures[:] = 0
    figures[SEEN] = count_sights(board, land, total, sights)
    figures[CUT] = least_cut(found.by_cost, family, most, total, zones, room)
    push_exposure(board, r, land, total, figures)
    for s in range(total):
        figures[LEVELS] += land.z[s]
        figures[HIGH] += land.z[s] >= 2
    reach_figures(one, other, 0, total, board.cols, land, zones[1], low_too, figures)
    reach_figures(other, one, 1, total, board.cols, land, zones[0], low_too, figures)

"""Links as masks by family and cost: what units of one kind can do without damage."""

from __future__ import annotations

import numba as nb

from falldamage_forge.search.loops.scan import find_links, find_rungs, find_surfaces, mark
from falldamage_forge.search.loops.sets import CHEST, COSTS, HEIGHTS, LOW, NONE, ONE, U


@nb.njit(cache=True)
def counted(rise, rules):
    """What levels cost whom they cost anything."""
    return max(rise, 0) if rules[5] == 1 else abs(rise)


@nb.njit(cache=True)
def rung_cost(rise, tile_cost, vertical, rules):
    """What a ladder costs a family."""
    cost = tile_cost
    if rules[4] == 1:
        cost = max(1, abs(rise)) + tile_cost - 1
    return max(cost, tile_cost + counted(rise, rules)) if vertical else cost


@nb.njit(cache=True)
def gather(
    links, begin, rungs, ladders, total, families, upright, allowed, pattern, members, rules,
    filed, ways, deepest,
):  # fmt: skip
    """`ways` of every family from the links; `deepest` is the greatest cost of each.

    Links that the same families take are of one pattern and filed once, in `filed[pattern, cost]`;
    only the `upright` families, whom levels cost something, are asked one by one.
    """
    count = families.shape[0]
    patterns = filed.shape[0]
    deepest[:] = 0
    most = 0
    filed[:] = NONE
    for a in range(total):
        used = 0
        dear = 0
        for family in upright:
            for cost in range(COSTS):
                ways[family, a, cost, 0] = NONE
                ways[family, a, cost, 1] = NONE
        for n in range(begin[a], begin[a + 1]):
            code = links[n]
            b, cost, key = code & 127, (code >> 8) & 15, code >> 12
            word, bit = b >> 6, ONE << (U(b) & LOW)
            p = pattern[key]
            if p >= 0:
                filed[p, cost - 1, word] |= bit
                used |= 1 << p
                dear = max(dear, cost)
            for family in upright:
                if allowed[family, key]:
                    paid = cost + counted((key & (2 * HEIGHTS - 1)) - HEIGHTS, rules)
                    if paid <= COSTS:
                        ways[family, a, paid - 1, word] |= bit
                        deepest[family] = max(deepest[family], paid)
        most = max(most, dear)
        for family in range(count):
            if families[family, 1] == 1:
                continue
            mine = used & members[family]
            for cost in range(COSTS if ladders else 3):
                zero = one = NONE
                for p in range(patterns if cost < dear else 0):
                    if mine >> p & 1:
                        zero |= filed[p, cost, 0]
                        one |= filed[p, cost, 1]
                ways[family, a, cost, 0] = zero
                ways[family, a, cost, 1] = one
        for p in range(patterns):
            if used >> p & 1:
                for cost in range(dear):
                    filed[p, cost, 0] = NONE
                    filed[p, cost, 1] = NONE
    for family in range(count):
        vertical = families[family, 1] == 1
        if not vertical:
            deepest[family] = most
        for n in range(ladders):
            cost = rung_cost(rungs[n, 2], rungs[n, 3], vertical, rules)
            if cost <= COSTS:
                b = rungs[n, 1]
                ways[family, rungs[n, 0], cost - 1, b >> 6] |= ONE << (U(b) & LOW)
                deepest[family] = max(deepest[family], cost)


@nb.njit(cache=True)
def scan(
    board, cols, level, ground, feature, decks, ladders, starts, chests, heights, rules, families,
    upright, allowed, pattern, members, top, first, count, at, z, links, begin, rungs, filed, ways,
    deepest, zones,
):  # fmt: skip
    """Surfaces, ways and zones of one board; (surfaces, ladders), with -1 for too many surfaces."""
    total = find_surfaces(board, level, ground, feature, decks, heights, top, first, count, at, z)
    if total < 0:
        return total, 0
    find_links(
        board,
        cols,
        level,
        ground,
        feature,
        decks,
        top,
        first,
        count,
        at,
        z,
        total,
        rules,
        links,
        begin,
    )
    steps = find_rungs(board, level, ground, decks, ladders, top, first, count, at, z, rules, rungs)
    gather(
        links, begin, rungs, steps, total, families, upright, allowed, pattern, members, rules,
        filed, ways, deepest,
    )  # fmt: skip
    mark(starts[board, 0], board, first, count, z, zones, 0)
    mark(starts[board, 1], board, first, count, z, zones, 1)
    mark(chests[board], board, first, count, z, zones, CHEST)
    return total, steps

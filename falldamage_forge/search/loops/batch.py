"""A batch of boards: proofs, turns of every class, and figures, whichever are wanted."""

from __future__ import annotations

import numba as nb
import numpy as np

from falldamage_forge.search.loops.gauges import gauge
from falldamage_forge.search.loops.sets import (
    BUDGET,
    COLUMNS,
    COSTS,
    LINKS,
    MOST,
    NONE,
    SIDES,
    SURFACES,
    WINDOW,
)
from falldamage_forge.search.loops.turns import forward, misses, prove_all, turns_from
from falldamage_forge.search.loops.ways import scan


@nb.njit(cache=True)
def run(
    cols, level, ground, feature, decks, ladders, starts, chests,
    heights, rules, families, upright, allowed, pattern, members, patterns, classes, proofs, nested,
    sights, crossings, offsets, pushes, low_too, answers, turns, places, figures,
):  # fmt: skip
    """Answer a batch; see `bulk.Bulk` for the shapes. `turns`, `places` or `figures` without rows
    are not wanted."""
    size = level.shape[1]
    want_turns, want_figures = turns.shape[0] > 0, figures.shape[0] > 0
    top = np.empty(size, np.int64)
    first = np.empty(size, np.int64)
    count = np.empty(size, np.int64)
    at = np.empty(MOST, np.int64)
    z = np.empty(MOST, np.int64)
    links = np.empty(LINKS, np.int64)
    begin = np.empty(MOST + 1, np.int64)
    rungs = np.empty((2 * ladders.shape[1], 4), np.int64)
    filed = np.zeros((patterns, COSTS, 2), np.uint64)
    ways = np.zeros((families.shape[0], MOST, COSTS, 2), np.uint64)
    deepest = np.zeros(families.shape[0], np.int64)
    window = np.zeros((WINDOW, 2), np.uint64)
    zones = np.zeros((SIDES + 1, 2), np.uint64)
    proof = np.zeros(4, np.int64)
    out = np.empty(MOST, np.int8)
    back = np.empty(MOST, np.int8)
    budget = rules[6] == 1 or rules[7] == 1
    detail = np.zeros((COSTS, BUDGET, BUDGET, MOST if budget else 1, 2), np.uint64)
    states = np.zeros((COSTS + 1, BUDGET, BUDGET, 2), np.uint64)
    flow = np.zeros((MOST, 2), np.uint64)
    used = np.zeros(MOST, np.bool_)
    came = np.zeros(2 * MOST, np.int64)
    queue = np.zeros(4 * MOST, np.int64)
    for board in range(level.shape[0]):
        answers[board, :] = 0
        total, steps = scan(
            board, cols, level, ground, feature, decks, ladders, starts, chests, heights, rules,
            families, upright, allowed, pattern, members, top, first, count, at, z, links, begin,
            rungs, filed, ways, deepest, zones,
        )  # fmt: skip
        answers[board, SURFACES] = total
        if total < 0:
            continue
        prove_all(ways, deepest, proofs, nested, total, zones, proof, answers[board])
        cut = 0
        for c in range(classes.shape[0]):
            family, move = classes[c, 0], classes[c, 1]
            most = min(deepest[family], move)
            for side in range(SIDES):
                other = 1 - side
                if not want_turns:
                    own0, own1 = forward(ways, family, most, zones[side, 0], zones[side, 1])
                    if (zones[other, 0] & ~own0) != NONE or (zones[other, 1] & ~own1) != NONE:
                        cut |= 1 << c
                    continue
                turns_from(
                    zones[side, 0], zones[side, 1], ways, family, move, most, total, families,
                    links, begin, rungs, steps, allowed, rules, window, detail, states, out,
                )  # fmt: skip
                for s in range(total):
                    turns[board, c, side, s] = out[s]
                if misses(out, zones[other, 0], zones[other, 1]):
                    cut |= 1 << c
        answers[board, COLUMNS - 1] = cut
        for s in range(total if want_turns else 0):
            places[board, s, 0] = at[s]
            places[board, s, 1] = z[s]
        if want_figures:
            family, move = proofs[0, 0], proofs[0, 1]
            most = min(deepest[family], move)
            for side in range(SIDES):
                turns_from(
                    zones[side, 0], zones[side, 1], ways, family, move, most, total, families,
                    links, begin, rungs, steps, allowed, rules, window, detail, states,
                    out if side == 0 else back,
                )  # fmt: skip
            gauge(
                board, cols, level, ground, feature, decks, top, first, count, at, z, total, ways,
                family, most, zones, sights, crossings, offsets, pushes, low_too, out, back,
                flow, used, came, queue, figures[board],
            )  # fmt: skip

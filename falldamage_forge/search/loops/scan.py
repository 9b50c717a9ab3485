"""Surfaces of a board, and the links the terrain allows between them."""

from __future__ import annotations

import numba as nb

from falldamage_forge.search.loops.sets import (
    DECKS,
    HEIGHTS,
    LAVA,
    LOW,
    MOST,
    NONE,
    ONE,
    SPIRE,
    TREE,
    WATER,
    U,
)


@nb.njit(cache=True)
def free(top, decks, board, tile, low, high, slab):
    """Whether nothing solid lies between two levels; slabs fill a level, or are thin."""
    if top[tile] > low:
        return False
    for k in range(DECKS):
        deck = decks[board, tile, k]
        if deck < 0:
            return True
        if low < deck < high + slab:
            return False
    return True


@nb.njit(cache=True)
def find_surfaces(board, level, ground, feature, decks, heights, top, first, count, at, z):
    """Number the places to stand, tile by tile and upwards; -1 when there are too many.

    `heights` are those of headroom, tree, spire and a slab's body. `first[tile]` is a tile's
    lowest surface and `count[tile]` how many it has; `at` and `z` are their tiles and levels.
    """
    total = 0
    for tile in range(level.shape[1]):
        column = level[board, tile]
        what = feature[board, tile]
        top[tile] = column + (heights[1] if what == TREE else heights[2] if what == SPIRE else 0)
        first[tile] = total
        solid = ground[board, tile] != LAVA
        if decks[board, tile, 0] < 0:
            if solid and what == 0:
                if total >= MOST:
                    return -1
                at[total] = tile
                z[total] = column
                total += 1
        else:
            # The ground takes its place among the decks, which ascend.
            done = not solid
            k = 0
            last = -1
            while True:
                deck = decks[board, tile, k] if k < DECKS else -1
                if not done and (deck < 0 or column <= deck):
                    here = column
                    done = True
                elif deck >= 0:
                    here = deck
                    k += 1
                else:
                    break
                if here == last:
                    continue
                last = here
                fits = free(top, decks, board, tile, here, here + 1, heights[3])
                for other in range(DECKS):
                    over = decks[board, tile, other]
                    if here < over < here + heights[0]:
                        fits = False
                if fits:
                    if total >= MOST:
                        return -1
                    at[total] = tile
                    z[total] = here
                    total += 1
        count[tile] = total - first[tile]
    return total


@nb.njit(cache=True)
def surface_at(first, count, z, tile, level):
    """The surface of a tile at a level, or -1."""
    for number in range(first[tile], first[tile] + count[tile]):
        if z[number] == level:
            return number
    return -1


@nb.njit(cache=True)
def charged(board, level, ground, tile, z, inherit):
    """Whether a surface costs double: water, or a deck over it where these inherit."""
    if ground[board, tile] != WATER:
        return False
    return z == level[board, tile] or (inherit and z > level[board, tile])


@nb.njit(cache=True)
def find_links(
    board, cols, level, ground, feature, decks, top, first, count, at, z, total, rules, links, begin
):
    """Every step and leap the terrain allows, surface by surface: `links[begin[a]:begin[a + 1]]`.

    A link is one number: where to, the cost in tiles from bit 8, whether water softens the fall
    and the rise from bit 12 (see `key_of`). Only decks can be in the way of a body, so that where
    there are none nothing is asked.
    """
    rows = level.shape[1] // cols
    enter, inherit, flush_too, leaps = rules[0] == 1, rules[1] == 1, rules[2] == 1, rules[3]
    bare_only = rules[8] == 1
    found = 0
    for a in range(total):
        begin[a] = found
        tile = at[a]
        here = z[a]
        row = tile // cols
        col = tile - row * cols
        open_here = decks[board, tile, 0] < 0
        from_water = not enter and charged(board, level, ground, tile, here, inherit)
        for way in range(4):
            if way == 0:
                step, room = -cols, row
            elif way == 1:
                step, room = 1, cols - 1 - col
            elif way == 2:
                step, room = cols, rows - 1 - row
            else:
                step, room = -1, col
            if room < 1:
                continue
            near = tile + step
            open_near = decks[board, near, 0] < 0
            simple = open_here and open_near
            for b in range(first[near], first[near] + count[near]):
                there = z[b]
                high = max(here, there) + 1
                if not simple and not (
                    free(top, decks, board, tile, here, high, rules[9])
                    and free(top, decks, board, near, there, high, rules[9])
                ):
                    continue
                wet = ground[board, near] == WATER and there == level[board, near]
                dear = from_water
                if enter:
                    dear = wet or (inherit and charged(board, level, ground, near, there, True))
                cost = 2 if dear else 1
                links[found] = b | cost << 8 | key_of(wet, there - here) << 12
                found += 1
            far = near + step
            if room < 2 or count[far] == 0 or (bare_only and feature[board, near] != 0):
                continue
            below = -1
            if top[near] <= here:
                below = top[near]
            if not open_near:
                for k in range(DECKS):
                    deck = decks[board, near, k]
                    if deck < 0:
                        break
                    if below < deck <= here:
                        below = deck
            if below < 0 or (below == here and not flush_too):
                continue
            simple = simple and decks[board, far, 0] < 0
            for b in range(first[far], first[far] + count[far]):
                there = z[b]
                if leaps > 0 and (there > here or (leaps == 2 and there < here)):
                    continue
                high = max(here, there) + 1
                if not simple and not (
                    free(top, decks, board, near, here, high, rules[9])
                    and free(top, decks, board, tile, here, high, rules[9])
                    and free(top, decks, board, far, there, high, rules[9])
                ):
                    continue
                wet = ground[board, far] == WATER and there == level[board, far]
                dear = from_water
                if enter:
                    dear = wet or (inherit and charged(board, level, ground, far, there, True))
                cost = 3 if dear else 2
                links[found] = b | cost << 8 | key_of(wet, there - here) << 12
                found += 1
    begin[total] = found


@nb.njit(cache=True)
def key_of(wet, rise):
    """Water below and the rise as an index into tables of `KEYS`."""
    return (HEIGHTS * 2 if wet else 0) + rise + HEIGHTS


@nb.njit(cache=True)
def find_rungs(board, level, ground, decks, ladders, top, first, count, at, z, rules, rungs):
    """Ladders both ways as rows (from, to, rise, tile cost); how many."""
    found = 0
    for k in range(ladders.shape[1]):
        foot = ladders[board, k, 0]
        if foot < 0:
            break
        low, high = ladders[board, k, 1], ladders[board, k, 3]
        a = surface_at(first, count, z, foot, low)
        b = surface_at(first, count, z, ladders[board, k, 2], high)
        if a < 0 or b < 0 or not free(top, decks, board, foot, low, max(low, high) + 1, rules[9]):
            continue
        for up in range(2):
            one, other = (a, b) if up == 0 else (b, a)
            wet = other if rules[0] == 1 else one
            dear = charged(board, level, ground, at[wet], z[wet], rules[1] == 1)
            rungs[found, 0] = one
            rungs[found, 1] = other
            rungs[found, 2] = z[other] - z[one]
            rungs[found, 3] = 2 if dear else 1
            found += 1
    return found


@nb.njit(cache=True)
def mark(places, board, first, count, z, sets, row):
    """The surfaces of (tile, level) pairs as a set, into a row of `sets`."""
    sets[row, 0] = NONE
    sets[row, 1] = NONE
    for k in range(places.shape[0]):
        if places[k, 0] >= 0:
            s = surface_at(first, count, z, places[k, 0], places[k, 1])
            if s >= 0:
                sets[row, s >> 6] |= ONE << (U(s) & LOW)

"""Surfaces of a board, the links that the terrain allows between them, and their masks.

A mask holds the steps of one kind of unit (a family) without damage, by cost.
"""

from __future__ import annotations

from falldamage_forge.search.kernels import bitsets as B
from falldamage_forge.search.kernels.bitsets import compiled


@compiled
def free(top: B.Ints, decks: B.Ints, tile: int, low: int, high: int, slab: int) -> bool:
    """True if no solid lies between two levels; `slab` 1: decks fill the level below their top."""
    if top[tile] > low:
        return False
    for k in range(B.DECKS):
        deck = decks[tile, k]
        if deck < 0:
            return True
        if low < deck < high + slab:
            return False
    return True


@compiled
def find_surfaces(board: B.BoardArrays, r: B.OptionFlags, land: B.SurfaceArrays) -> int:
    """Number the surfaces, tile by tile and upwards; return their number, -1: too many."""
    level, ground, feature, decks = board.level, board.ground, board.feature, board.decks
    top, first, many, at, z = land
    total = 0
    for tile in range(level.shape[0]):
        column = level[tile]
        what = feature[tile]
        top[tile] = column + (r.tree if what == B.TREE else r.spire if what == B.SPIRE else 0)
        first[tile] = total
        solid = ground[tile] != B.LAVA
        if decks[tile, 0] < 0:
            if solid and what == 0:
                if total >= B.MOST:
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
                deck = decks[tile, k] if k < B.DECKS else -1
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
                fits = free(top, decks, tile, here, here + 1, r.slab)
                for other in range(B.DECKS):
                    over = decks[tile, other]
                    if here < over < here + r.headroom:
                        fits = False
                if fits:
                    if total >= B.MOST:
                        return -1
                    at[total] = tile
                    z[total] = here
                    total += 1
        many[tile] = total - first[tile]
    return total


@compiled
def surface_at(first: B.Ints, many: B.Ints, z: B.Ints, tile: int, level: int) -> int:
    """Return the surface of a tile at a level; -1: none."""
    for number in range(first[tile], first[tile] + many[tile]):
        if z[number] == level:
            return number
    return -1


@compiled
def costs_double(ground: B.Ints, level: B.Ints, tile: int, z: int, inherit: bool) -> bool:
    """True if a surface costs double: water, or a deck over it if decks inherit."""
    if ground[tile] != B.WATER:
        return False
    if z == level[tile]:
        return True
    return inherit and bool(z > level[tile])


@compiled
def find_links(
    board: B.BoardArrays,
    r: B.OptionFlags,
    land: B.SurfaceArrays,
    total: int,
    links: B.Ints,
    begin: B.Ints,
) -> None:
    """List every step and leap that the terrain allows: `links[begin[a]:begin[a + 1]]`.

    A link is one integer: target, cost in tiles from bit 8, water and rise from bit 12 (`key_of`).
    Only decks can block a body, so boards without decks need no test.
    """
    cols, level, ground, feature, decks, _, _, _ = board
    top, first, many, at, z = land
    enter, inherit, flush, leaps, slab = r.enter, r.inherit, r.flush, r.leaps, r.slab
    rows = level.shape[0] // cols
    found = 0
    for a in range(total):
        begin[a] = found
        tile, here = at[a], z[a]
        row = tile // cols
        col = tile - row * cols
        from_water = not enter and costs_double(ground, level, tile, here, inherit)
        for way in range(4):
            if way == 0:
                step, room = -cols, row
            elif way == 1:
                step, room = 1, cols - 1 - col
            elif way == 2:
                step, room = cols, rows - 1 - row
            else:
                step, room = -1, col
            near, goal = tile + step, tile
            simple = decks[tile, 0] < 0
            for leap in range(min(room, 2)):
                goal += step
                if leap:
                    if many[goal] == 0 or (r.over_empty and feature[near] != 0):
                        break
                    below = top[near] if top[near] <= here else -1
                    if decks[near, 0] >= 0:
                        below = floor_below(top, decks, near, here)
                    if below < 0 or (below == here and not flush):
                        break
                simple = simple and decks[goal, 0] < 0
                for b in range(first[goal], first[goal] + many[goal]):
                    there = z[b]
                    if leap and leaps > 0 and (there > here or (leaps == 2 and there < here)):
                        continue
                    high = max(here, there) + 1
                    if not simple and not (
                        free(top, decks, tile, here, high, slab)
                        and free(top, decks, goal, there, high, slab)
                        and (not leap or free(top, decks, near, here, high, slab))
                    ):
                        continue
                    wet = ground[goal] == B.WATER and there == level[goal]
                    dear = from_water
                    if enter:
                        dear = wet or (inherit and costs_double(ground, level, goal, there, True))
                    cost = 1 + leap + dear
                    links[found] = b | cost << 8 | key_of(wet, there - here) << 12
                    found += 1
    begin[total] = found


@compiled
def floor_below(top: B.Ints, decks: B.Ints, tile: int, here: int) -> int:
    """Return the highest top of a tile at or below a level; -1: none."""
    below = -1
    if top[tile] <= here:
        below = top[tile]
    for k in range(B.DECKS):
        deck = decks[tile, k]
        if deck < 0:
            break
        if below < deck <= here:
            below = deck
    return below


@compiled
def key_of(wet: bool, rise: int) -> int:
    """Return water below and the rise as an index of `UnitTables.allowed`."""
    return (B.HEIGHTS * 2 if wet else 0) + rise + B.HEIGHTS


@compiled
def find_rungs(board: B.BoardArrays, r: B.OptionFlags, land: B.SurfaceArrays, rungs: B.Ints) -> int:
    """List ladders both ways as rows (from, to, rise, tile cost); return their number."""
    _, level, ground, _, decks, ladders, _, _ = board
    top, first, many, at, z = land
    found = 0
    for k in range(ladders.shape[0]):
        foot = ladders[k, 0]
        if foot < 0:
            break
        low, high = ladders[k, 1], ladders[k, 3]
        a = surface_at(first, many, z, foot, low)
        b = surface_at(first, many, z, ladders[k, 2], high)
        if a < 0 or b < 0 or not free(top, decks, foot, low, max(low, high) + 1, r.slab):
            continue
        for up in range(2):
            one, other = (a, b) if up == 0 else (b, a)
            wet = other if r.enter else one
            dear = costs_double(ground, level, at[wet], z[wet], r.inherit)
            rungs[found, 0] = one
            rungs[found, 1] = other
            rungs[found, 2] = z[other] - z[one]
            rungs[found, 3] = 2 if dear else 1
            found += 1
    return found


@compiled
def mark(places: B.Ints, land: B.SurfaceArrays, sets: B.Words, row: int) -> None:
    """Write the surfaces of (tile, level) pairs as a set into a row of `sets`."""
    _, first, many, _, z = land
    sets[row, 0] = B.NONE
    sets[row, 1] = B.NONE
    for k in range(places.shape[0]):
        if places[k, 0] >= 0:
            s = surface_at(first, many, z, places[k, 0], places[k, 1])
            if s >= 0:
                sets[row, s >> 6] |= B.ONE << (B.U(s) & B.LOW)


@compiled
def charged_levels(rise: int, r: B.OptionFlags) -> int:
    """Return the cost of levels for units that pay for them."""
    return max(rise, 0) if r.free_down else abs(rise)


@compiled
def rung_cost(rise: int, tile_cost: int, vertical: bool, r: B.OptionFlags) -> int:
    """Return the cost of a ladder for a family."""
    cost = tile_cost
    if r.by_height:
        cost = max(1, abs(rise)) + tile_cost - 1
    return max(cost, tile_cost + charged_levels(rise, r)) if vertical else cost


@compiled
def gather_link_masks(
    r: B.OptionFlags, units: B.UnitTables, total: int, ladders: int, found: B.LinkArrays
) -> None:
    """Compute the sets that every family reaches by links, and its greatest cost.

    Links of one pattern are collected once in `filed[pattern, cost]`; only `upright` families,
    which pay for levels, are handled one by one.
    """
    families, upright, allowed, pattern = (
        units.families, units.upright, units.allowed, units.pattern,
    )  # fmt: skip
    links, begin, rungs, filed, ways, deepest, _ = found
    count = families.shape[0]
    patterns = filed.shape[0]
    deepest[:] = 0
    most = 0
    filed[:] = B.NONE
    for a in range(total):
        used = 0
        dear = 0
        for family in upright:
            for cost in range(B.COSTS):
                ways[family, a, cost, 0] = B.NONE
                ways[family, a, cost, 1] = B.NONE
        for n in range(begin[a], begin[a + 1]):
            code = links[n]
            b, cost, key = code & 127, (code >> 8) & 15, code >> 12
            word, bit = b >> 6, B.ONE << (B.U(b) & B.LOW)
            p = pattern[key]
            if p >= 0:
                filed[p, cost - 1, word] |= bit
                used |= 1 << p
                dear = max(dear, cost)
            for family in upright:
                if allowed[family, key]:
                    paid = cost + charged_levels((key & (2 * B.HEIGHTS - 1)) - B.HEIGHTS, r)
                    if paid <= B.COSTS:
                        ways[family, a, paid - 1, word] |= bit
                        deepest[family] = max(deepest[family], paid)
        most = max(most, dear)
        for family in range(count):
            if families[family, 1] == 1:
                continue
            mine = used & units.members[family]
            for cost in range(B.COSTS if ladders else 3):
                zero = one = B.NONE
                for p in range(patterns if cost < dear else 0):
                    if mine >> p & 1:
                        zero |= filed[p, cost, 0]
                        one |= filed[p, cost, 1]
                ways[family, a, cost, 0] = zero
                ways[family, a, cost, 1] = one
        for p in range(patterns):
            if used >> p & 1:
                for cost in range(dear):
                    filed[p, cost, 0] = B.NONE
                    filed[p, cost, 1] = B.NONE
    for family in range(count):
        vertical = families[family, 1] == 1
        if not vertical:
            deepest[family] = most
        for n in range(ladders):
            cost = rung_cost(rungs[n, 2], rungs[n, 3], vertical, r)
            if cost <= B.COSTS:
                b = rungs[n, 1]
                ways[family, rungs[n, 0], cost - 1, b >> 6] |= B.ONE << (B.U(b) & B.LOW)
                deepest[family] = max(deepest[family], cost)


@compiled
def scan(
    board: B.BoardArrays,
    r: B.OptionFlags,
    units: B.UnitTables,
    land: B.SurfaceArrays,
    found: B.LinkArrays,
) -> tuple[int, int]:
    """Find the surfaces, links and zones of a board; return surfaces (-1: too many) and ladders."""
    total = find_surfaces(board, r, land)
    if total < 0:
        return total, 0
    find_links(board, r, land, total, found.links, found.begin)
    steps = find_rungs(board, r, land, found.rungs)
    gather_link_masks(r, units, total, steps, found)
    mark(board.starts[0], land, found.zones, 0)
    mark(board.starts[1], land, found.zones, 1)
    mark(board.chests, land, found.zones, B.CHEST)
    return total, steps

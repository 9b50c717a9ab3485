"""Terrain: what is solid, where one stands, the steps there are, and lines of sight.

`o` is the ground looked at: the land as it is now, or the map's own.
"""

from falldamage_forge.playtest.core.loops import layout as L
from falldamage_forge.playtest.core.loops.inner import loop


@loop
def top(m, o, tile):
    """Top of a column with what stands on it."""
    return m[o + tile * L.TILE + L.TOP]


@loop
def free(m, o, tile, low, high):
    """Whether nothing solid lies between two levels over a tile."""
    at = o + tile * L.TILE
    if m[at + L.TOP] > low:
        return False
    over = m[at + L.DECKS] >> (low + 1)
    return over & ((1 << (high - low)) - 1) == 0


@loop
def stands(m, o, spot):
    """Whether a spot is a surface one can stand on."""
    return m[o + (spot >> 4) * L.TILE + L.STAND] >> (spot & 15) & 1 == 1


@loop
def wet(m, o, spot):
    """Whether a spot is the top of bare water."""
    return m[o + (spot >> 4) * L.TILE + L.WET] >> (spot & 15) & 1 == 1


@loop
def lava(m, o, spot):
    """Whether a spot is the top of bare lava."""
    return m[o + (spot >> 4) * L.TILE + L.LAVA] >> (spot & 15) & 1 == 1


@loop
def highest_below(m, o, tile, level):
    """The highest top at or below a level; -1 inside solid ground."""
    at = o + tile * L.TILE
    best = m[at + L.TOP] if m[at + L.TOP] <= level else -1
    decks = m[at + L.DECKS]
    for deck in range(level, best, -1):
        if decks >> deck & 1:
            return deck
    return best


@loop
def survey(m, o, tile):
    """Work out a tile's tops and surfaces from its column, bricks and decks."""
    at = o + tile * L.TILE
    level = m[at + L.LEVEL] + m[at + L.BRICKS]
    kind = L.DRY if m[at + L.BRICKS] > 0 else m[at + L.KIND]
    feature, decks = m[at + L.FEATURE], m[at + L.DECKS]
    rise = m[L.HEIGHTS + feature]
    m[at + L.TOP] = level + rise
    m[at + L.WET] = 1 << level if kind == L.WATER and feature == 0 else 0
    m[at + L.LAVA] = 1 << level if kind == L.FIRE and feature == 0 else 0
    levels = decks | (1 << level if kind != L.FIRE else 0)
    stand = 0
    for z in range(16):
        if levels >> z & 1 and level + rise <= z and not decks >> (z + 1) & 1:
            stand |= 1 << z
    m[at + L.STAND] = stand


@loop
def forget_links(m, tile):
    """Steps near a tile have to be worked out anew."""
    for k in range(9):
        near = tile
        if k > 0:
            way = (k - 1) & 3
            near = m[L.GROUND + tile * L.TILE + (L.NEAR if k < 5 else L.AWAY) + way]
        if near >= 0:
            for level in range(16):
                m[L.LINK + (near << 4 | level) * L.LINKS] = -1


@loop
def mark(m, tile):
    """A tile is not as the map has it any more."""
    at = L.GROUND + tile * L.TILE + L.CHANGED
    if m[at] == 0:
        m[at] = 1
        m[L.CHANGES + m[L.N_CHANGED]] = tile
        m[L.N_CHANGED] += 1


@loop
def changed(m, tile):
    """Take over a change of a tile: surfaces, steps, and that it has to be undone."""
    mark(m, tile)
    survey(m, L.GROUND, tile)
    forget_links(m, tile)


@loop
def links(m, o, spot):
    """Where the steps out of a surface begin in memory; the first number says how many."""
    at = (L.LINK if o == L.GROUND else L.BASE_LINK) + spot * L.LINKS
    if m[at] < 0:
        find_links(m, o, spot, at)
    return at


@loop
def find_links(m, o, spot, at):
    """Steps, leaps and ladders: to, for a leap the tile leapt (+1) above it, then whether it is a
    ladder, and for the others whether one comes into water.
    """
    tile, level, count = spot >> 4, spot & 15, 0
    for way in range(4):
        near = m[o + tile * L.TILE + L.NEAR + way]
        if near < 0:
            continue
        stand = m[o + near * L.TILE + L.STAND]
        for goal in range(16):
            if stand >> goal & 1:
                high = max(level, goal) + 1
                if free(m, o, tile, level, high) and free(m, o, near, goal, high):
                    count += 1
                    m[at + count] = moist(m, o, near << 4 | goal)
        away = m[o + tile * L.TILE + L.AWAY + way]
        if away < 0 or top(m, o, near) >= level or m[o + near * L.TILE + L.DECKS] >> level & 1:
            continue
        stand = m[o + away * L.TILE + L.STAND]
        for goal in range(16):
            if stand >> goal & 1:
                high = max(level, goal) + 1
                if (
                    free(m, o, near, level, high)
                    and free(m, o, tile, level, high)
                    and free(m, o, away, goal, high)
                ):
                    count += 1
                    m[at + count] = moist(m, o, away << 4 | goal) | (near + 1) << 16
    for n in range(m[L.N_LADDERS]):
        row = L.LADDER_ROWS + n * L.LADDER
        if o == L.GROUND and m[row + L.L_ALIVE] == 0:
            continue
        foot = m[row + L.L_FOOT] << 4 | m[row + L.L_FOOT_LEVEL]
        up = m[row + L.L_TOP] << 4 | m[row + L.L_TOP_LEVEL]
        if (spot != foot and spot != up) or not stands(m, o, foot) or not stands(m, o, up):
            continue
        low, high = m[row + L.L_FOOT_LEVEL], m[row + L.L_TOP_LEVEL]
        if free(m, o, m[row + L.L_FOOT], low, max(low, high) + 1):
            count += 1
            m[at + count] = (up if spot == foot else foot) | 1 << 30
    m[at] = count


@loop
def moist(m, o, spot):
    """Where a link leads, marked where that is water."""
    return spot | 1 << 31 if wet(m, o, spot) else spot


@loop
def leapt(link):
    """The tile a link leaps over; -1: it is no leap."""
    return (link >> 16 & 0x3FFF) - 1


@loop
def take_step(m, o, spot, link, jump, counts, no_fall):
    """What a link costs a gait: (to, cost, damage, drop); a cost of -1: not for it."""
    to = link & 0xFFFF
    rise = (to & 15) - (spot & 15)
    if link >> 30 & 1:
        tile = 2 if wet(m, o, to) else 1
        cost = max(tile, tile + abs(rise)) if counts else tile
        return to, cost, 0, 0
    if rise > jump:
        return to, -1, 0, 0
    is_wet = link >> 31 == 1
    cost = (2 if is_wet else 1) + (1 if leapt(link) >= 0 else 0) + (abs(rise) if counts else 0)
    drop = max(-rise, 0)
    fall = 0 if no_fall or is_wet else drop
    return to, cost, fall - jump if fall > jump else 0, drop


@loop
def under_leap_empty(m, spot, link, own):
    """Whether nobody is below a leap or where it comes down, the leaper's own place aside."""
    to, over = link & 0xFFFF, leapt(link)
    if m[L.OCC + to] >= 0 and to != own:
        return False
    for level in range(min(max(spot & 15, to & 15) + 1, 16)):
        there = over << 4 | level
        if m[L.OCC + there] >= 0 and there != own:
            return False
    return True


# -- reach -----------------------------------------------------------------------------------------


@loop
def rows_between(one, other):
    """Rows from one spot to another."""
    return (other >> 10) - (one >> 10)


@loop
def cols_between(one, other):
    """Columns from one spot to another."""
    return (other >> 4 & 63) - (one >> 4 & 63)


@loop
def apart(one, other):
    """Tiles between two spots along rows and columns."""
    return abs(rows_between(one, other)) + abs(cols_between(one, other))


@loop
def around(one, other):
    """Tiles between two spots, diagonals counted as one."""
    return max(abs(rows_between(one, other)), abs(cols_between(one, other)))


@loop
def within(rows, cols, radius):
    """Whether an offset lies within a reach horizontally."""
    if radius <= 1:
        return abs(rows) + abs(cols) <= radius
    return rows * rows + cols * cols <= radius * radius


@loop
def in_reach(one, other, reach):
    """Whether a surface is within reach and height of another."""
    rows, cols = rows_between(one, other), cols_between(one, other)
    rise = (other & 15) - (one & 15)
    if reach <= 1:
        return reach == 1 and abs(rows) + abs(cols) == 1 and -1 <= rise <= 1
    if rows == 0 and cols == 0:
        return False
    return within(rows, cols, reach) and rise <= 2


@loop
def melee_near(one, other, diagonal):
    """Melee reach, diagonally too with the Phase Sword."""
    if in_reach(one, other, 1):
        return True
    if not diagonal or around(one, other) != 1 or apart(one, other) != 2:
        return False
    return -1 <= (other & 15) - (one & 15) <= 1


@loop
def beside(one, other):
    """Next to each other and within a level."""
    return apart(one, other) <= 1 and abs((one & 15) - (other & 15)) <= 1


@loop
def before(spot, to, old):
    """Whether a spot is nearer to another than an old one, with every tie broken."""
    a, b = apart(spot, to), apart(old, to)
    if a != b:
        return a < b
    a, b = abs((spot & 15) - (to & 15)), abs((old & 15) - (to & 15))
    if a != b:
        return a < b
    if spot & 15 != old & 15:
        return spot & 15 < old & 15
    return spot >> 4 < old >> 4


# -- sight -----------------------------------------------------------------------------------------


@loop
def way_row(one, other):
    """Where the tiles between two spots' tiles are listed: index row of the ways."""
    rows = rows_between(one, other) + L.MOST_ROWS - 1
    cols = cols_between(one, other) + L.MOST_ROWS - 1
    return L.WAY_INDEX + (rows * L.WAY_SPAN + cols) * 3


@loop
def open_line(m, one, other, own, spared, leave_tile, leave_deck):
    """Whether a line is open. `own` may not close it (the looker who would be elsewhere), nor may
    units on the tile `spared`; a feature on `leave_tile` and deck `leave_deck` count as away.
    """
    if one > other:
        one, other = other, one
    row = way_row(one, other)
    first, count, parts = m[row], m[row + 1], m[row + 2]
    a, b = one & 15, other & 15
    level_parts = m[L.SIGHT_LEVEL]
    unit = level_parts * parts
    start, rise = a * unit + m[L.SIGHT_EYE] * parts, (b - a) * level_parts
    deck_parts = m[L.SIGHT_DECK] * parts
    for n in range(first, first + count):
        at = L.WAYS + n * 4
        tile = (one >> 4) + m[at] * 64 + m[at + 1]
        low, high = start + rise * m[at + 2], start + rise * m[at + 3]
        if low > high:
            low, high = high, low
        support = -1
        if tile == one >> 4 or tile == other >> 4:
            if one >> 4 == other >> 4 and a != b:
                support = -1
            else:
                support = a if tile == one >> 4 else b
        ground = L.GROUND + tile * L.TILE
        peak = m[ground + L.TOP]
        if tile == leave_tile:
            peak = m[ground + L.LEVEL] + m[ground + L.BRICKS]
        if low < peak * unit and peak != support:
            return False
        decks = m[ground + L.DECKS]
        if decks and leave_deck >= 0:
            decks = decks_without(m, tile, leave_deck)
        while decks:
            deck = lowest(decks)
            decks &= decks - 1
            if deck != support and low < deck * unit and high > deck * unit - deck_parts:
                return False
        for level in range(low // unit, min(high // unit, 15) + 1):
            if low < (level + 1) * unit and high > level * unit:
                spot = tile << 4 | level
                who = m[L.OCC + spot]
                if who >= 0 and spot != one and spot != other and spot != own and tile != spared:
                    return False
    return True


@loop
def lowest(bits):
    """The place of the lowest bit set."""
    place = 0
    while not bits >> place & 1:
        place += 1
    return place


@loop
def decks_without(m, tile, number):
    """The levels of the decks over a tile, one deck left out."""
    bits = 0
    for n in range(m[L.N_DECKS]):
        row = L.DECK_ROWS + n * L.DECK
        if n == number or m[row + L.D_ALIVE] == 0:
            continue
        for k in range(m[row + L.D_COUNT]):
            if m[row + L.D_TILES + k] == tile:
                bits |= 1 << m[row + L.D_LEVEL]
    return bits


@loop
def fogged(m, one, other):
    """Whether fog lies on the way."""
    if m[L.N_ZONES] == 0:
        return False
    row = way_row(one, other)
    for n in range(m[row], m[row] + m[row + 1]):
        tile = (one >> 4) + m[L.WAYS + n * 4] * 64 + m[L.WAYS + n * 4 + 1]
        if m[L.GROUND + tile * L.TILE + L.FOG]:
            return True
    return False


@loop
def in_sight(m, one, other):
    """Whether a line between two surfaces is open: terrain, everybody else, fog."""
    return open_line(m, one, other, L.NONE, L.NONE, L.NONE, L.NONE) and not fogged(m, one, other)

"""Terrain that changes in play, and who falls with it."""

from falldamage_forge.playtest.core.loops import layout as L
from falldamage_forge.playtest.core.loops.effects import drop_row, fall, harm, owe, put, reap
from falldamage_forge.playtest.core.loops.ground import (
    changed,
    forget_links,
    free,
    highest_below,
    lava,
    mark,
    within,
)
from falldamage_forge.playtest.core.loops.inner import loop
from falldamage_forge.playtest.core.loops.units import unit


@loop
def floorless(m, spot):
    """Whether nothing is under a spot any more."""
    return highest_below(m, L.GROUND, spot >> 4, spot & 15) != spot & 15


@loop
def sort_chests(m):
    """Chests in the board's order."""
    for n in range(1, m[L.N_CHESTS]):
        spot, k = m[L.CHESTS + n], n
        while k > 0 and m[L.CHESTS + k - 1] > spot:
            m[L.CHESTS + k] = m[L.CHESTS + k - 1]
            k -= 1
        m[L.CHESTS + k] = spot


@loop
def settle_land(m, mage, by):
    """Who lost the floor falls; gives those who live, as a set of bits."""
    o = L.GROUND
    for n in range(m[L.N_CHESTS] - 1, -1, -1):
        spot = m[L.CHESTS + n]
        if not floorless(m, spot):
            continue
        below = highest_below(m, o, spot >> 4, spot & 15)
        end = spot >> 4 << 4 | below
        if below < 0 or lava(m, o, end):
            drop_row(m, L.CHESTS, 1, n, m[L.N_CHESTS])
            m[L.N_CHESTS] -= 1
        else:
            m[L.CHESTS + n] = end
    sort_chests(m)
    falling, living = 0, 0
    for i in range(m[L.N_UNITS]):
        spot = m[unit(i) + L.SPOT]
        if spot >= 0 and floorless(m, spot):
            falling |= 1 << i
    for i in range(m[L.N_UNITS]):
        if falling >> i & 1 and fall(m, i, mage, by):
            living |= 1 << i
    return living


@loop
def owe_rests(m, living):
    """Those who fell meet what lies where they are, by index."""
    for i in range(m[L.N_UNITS] - 1, -1, -1):
        if living >> i & 1:
            owe(m, L.REST, i, 0)


@loop
def survey_decks(m, tile):
    """What bridges and ladders mean for a tile, after one of them went."""
    at = L.GROUND + tile * L.TILE
    decks, under, end, foot, up = 0, 0, 0, 0, 0
    for n in range(m[L.N_DECKS]):
        row = L.DECK_ROWS + n * L.DECK
        if m[row + L.D_ALIVE] == 0:
            continue
        if m[row + L.D_A] == tile or m[row + L.D_B] == tile:
            end = 1
        for k in range(m[row + L.D_COUNT]):
            if m[row + L.D_TILES + k] == tile:
                decks |= 1 << m[row + L.D_LEVEL]
                under = 1
    for n in range(m[L.N_LADDERS]):
        row = L.LADDER_ROWS + n * L.LADDER
        if m[row + L.L_ALIVE]:
            foot |= 1 if m[row + L.L_FOOT] == tile else 0
            up |= 1 if m[row + L.L_TOP] == tile else 0
    m[at + L.DECKS], m[at + L.UNDER_DECK], m[at + L.DECK_END] = decks, under, end
    m[at + L.LADDER_FOOT], m[at + L.LADDER_TOP] = foot, up


@loop
def destroy(m, kind, name):
    """A tree, a bridge or a ladder is gone."""
    if kind == L.W_TREE:
        mark(m, name)
        m[L.GROUND + name * L.TILE + L.FEATURE] = 0
        changed(m, name)
    elif kind == L.W_DECK:
        row = L.DECK_ROWS + name * L.DECK
        m[row + L.D_ALIVE] = 0
        for k in range(m[row + L.D_COUNT]):
            mark(m, m[row + L.D_TILES + k])
            survey_decks(m, m[row + L.D_TILES + k])
            changed(m, m[row + L.D_TILES + k])
        for end in range(2):
            tile = m[row + L.D_A + end]
            mark(m, tile)
            survey_decks(m, tile)
    else:
        row = L.LADDER_ROWS + name * L.LADDER
        m[row + L.L_ALIVE] = 0
        for tile in (m[row + L.L_FOOT], m[row + L.L_TOP]):
            mark(m, tile)
            survey_decks(m, tile)
            forget_links(m, tile)


@loop
def wear(m, kind, name, number, mage, by):
    """Damage on a piece of terrain adds up until it is gone."""
    if kind == L.W_TREE:
        at = L.GROUND + name * L.TILE + L.SCAR
        mark(m, name)
    elif kind == L.W_DECK:
        at = L.DECK_ROWS + name * L.DECK + L.D_SCAR
    else:
        at = L.LADDER_ROWS + name * L.LADDER + L.L_SCAR
    m[at] += number
    if m[at] < (6 if kind == L.W_TREE else 5):
        return
    m[at] = 0
    destroy(m, kind, name)
    owe_rests(m, settle_land(m, mage, by))


@loop
def push_spire(m, tile, way, tiles, by):
    """A spire goes tile by tile until something stops it, or comes down on who is below."""
    if way < 0:
        return
    o = L.GROUND
    level = m[o + tile * L.TILE + L.LEVEL]
    at, moved, hit = tile, 0, -1
    for _ in range(tiles):
        near = m[o + at * L.TILE + L.NEAR + way]
        if near < 0 or not free(m, o, near, level, level + 1):
            break
        if m[L.OCC + (near << 4 | level)] >= 0:
            break
        at, moved = near, moved + 1
        below = highest_below(m, o, near, level)
        if 0 <= below < level:
            hit = near << 4 | below
            break
    if moved == 0:
        return
    mark(m, tile)
    m[o + tile * L.TILE + L.FEATURE] = 0
    changed(m, tile)
    living = settle_land(m, L.NO, L.NONE)
    struck = m[L.OCC + hit] if hit >= 0 else -1
    if struck >= 0:
        harm(m, struck, m[L.HEIGHTS + 3], L.BY_OTHER, by)
        reap(m)
    owe_rests(m, living)


# -- bricks ----------------------------------------------------------------------------------------


@loop
def takes_bricks(m, tile):
    """Whether bricks may be laid on a tile."""
    at = L.GROUND + tile * L.TILE
    if m[at + L.FEATURE] or m[at + L.KIND] == L.FIRE or m[at + L.BRICKS]:
        return False
    return not (m[at + L.UNDER_DECK] or m[at + L.DECK_END] or m[at + L.LADDER_FOOT])


@loop
def lay(m, owner, tile, way, count, levels):
    """Bricks rise under whoever stands there, chests too."""
    if m[L.N_BRICKS] >= L.MOST_BRICKS:
        m[L.HAND] = L.LOST
        return
    row = L.BRICK_ROWS + m[L.N_BRICKS] * L.BRICK
    m[L.N_BRICKS] += 1
    m[row + L.B_OWNER], m[row + L.B_LEVELS] = owner, levels
    m[row + L.B_LEFT], m[row + L.B_COUNT] = 2, count
    lifted = 0
    for k in range(count):
        m[row + L.B_TILES + k] = tile
        lifted |= lift(m, tile, L.BRICKS, levels)
        tile = m[L.GROUND + tile * L.TILE + L.NEAR + way] if way >= 0 else -1
    sort_chests(m)
    owe_rests(m, lifted)


@loop
def lift(m, tile, what, levels):
    """The ground or the bricks of a tile rise with who and what is on it; gives whom, as a bit."""
    at = L.GROUND + tile * L.TILE
    spot = tile << 4 | (m[at + L.LEVEL] + m[at + L.BRICKS])
    mark(m, tile)
    m[at + what] += levels
    changed(m, tile)
    for n in range(m[L.N_CHESTS]):
        if m[L.CHESTS + n] == spot:
            m[L.CHESTS + n] = spot + levels
    who = m[L.OCC + spot]
    if who < 0:
        return 0
    put(m, who, spot + levels)
    return 1 << who


@loop
def take_bricks(m, n):
    """Take one laying of bricks away."""
    row = L.BRICK_ROWS + n * L.BRICK
    for k in range(m[row + L.B_COUNT]):
        tile = m[row + L.B_TILES + k]
        m[L.GROUND + tile * L.TILE + L.BRICKS] -= m[row + L.B_LEVELS]
        changed(m, tile)
    drop_row(m, L.BRICK_ROWS, L.BRICK, n, m[L.N_BRICKS])
    m[L.N_BRICKS] -= 1


@loop
def lays_bricks(m, owner):
    """Whether a unit's bricks lie somewhere."""
    for n in range(m[L.N_BRICKS]):
        if m[L.BRICK_ROWS + n * L.BRICK + L.B_OWNER] == owner:
            return True
    return False


@loop
def crumble(m, owner):
    """All bricks of a unit go, and who stands on them falls, 2 further by the Mage's doing."""
    if not lays_bricks(m, owner):
        return
    for n in range(m[L.N_BRICKS] - 1, -1, -1):
        if m[L.BRICK_ROWS + n * L.BRICK + L.B_OWNER] == owner:
            take_bricks(m, n)
    owe_rests(m, settle_land(m, L.YES, owner))


@loop
def count_down(m):
    """A round starts: bricks have one round start less, and crumble at the second."""
    if m[L.N_BRICKS] == 0:
        return
    by = -1
    for n in range(m[L.N_BRICKS] - 1, -1, -1):
        row = L.BRICK_ROWS + n * L.BRICK
        m[row + L.B_LEFT] -= 1
        if m[row + L.B_LEFT] <= 0:
            by = m[row + L.B_OWNER]
            take_bricks(m, n)
    owe_rests(m, settle_land(m, L.YES, by))


# -- Gaia's Gifts ----------------------------------------------------------------------------------


@loop
def burnable(m, tile):
    """No unit, chest, feature, ladder's foot, bricks or lava there."""
    at = L.GROUND + tile * L.TILE
    if m[at + L.FEATURE] or m[at + L.KIND] == L.FIRE or m[at + L.BRICKS] or m[at + L.LADDER_FOOT]:
        return False
    for n in range(m[L.N_CHESTS]):
        if m[L.CHESTS + n] >> 4 == tile:
            return False
    return not crowded(m, tile)


@loop
def crowded(m, tile):
    """Whether anybody stands on a tile, at any level."""
    for level in range(16):
        if m[L.OCC + (tile << 4 | level)] >= 0:
            return True
    return False


@loop
def turn_into(m, tile, kind):
    """The ground of a tile becomes lava or water."""
    mark(m, tile)
    m[L.GROUND + tile * L.TILE + L.KIND] = kind
    changed(m, tile)


@loop
def flood_line(m, tile, way, length):
    """Dam Break: plain ground along a line becomes water."""
    for _ in range(length):
        at = L.GROUND + tile * L.TILE
        if m[at + L.KIND] == L.DRY and m[at + L.FEATURE] == 0 and m[at + L.BRICKS] == 0:
            turn_into(m, tile, L.WATER)
        tile = m[at + L.NEAR + way]


@loop
def run_length(m, tile, way, most):
    """Tiles from one on in a direction, itself included, as far as the board goes."""
    room = 0
    while tile >= 0 and room < most:
        room += 1
        tile = m[L.GROUND + tile * L.TILE + L.NEAR + way]
    return room


@loop
def may_shift(m, tile, levels):
    """Whether Tectonic Shift may move a tile by so many levels."""
    at = L.GROUND + tile * L.TILE
    if m[at + L.KIND] != L.DRY or m[at + L.LADDER_TOP] or not takes_bricks(m, tile):
        return False
    return 0 <= m[at + L.LEVEL] + levels <= L.MOST_LEVEL


@loop
def shift(m, tile, levels):
    """A tile rises with what stands on it, or sinks and it falls."""
    if levels > 0:
        lifted = lift(m, tile, L.LEVEL, levels)
        sort_chests(m)
        owe_rests(m, lifted)
        return
    mark(m, tile)
    m[L.GROUND + tile * L.TILE + L.LEVEL] += levels
    changed(m, tile)
    owe_rests(m, settle_land(m, L.NO, L.NONE))


# -- zones -----------------------------------------------------------------------------------------


@loop
def add_zone(m, kind, side, tile):
    """Tiles around one come under a lasting effect: a square, for quicksand a circle of 2."""
    if m[L.N_ZONES] >= L.MOST_ZONES:
        m[L.HAND] = L.LOST
        return
    row = L.ZONES + m[L.N_ZONES] * L.ZONE_ROW
    m[row], m[row + 1], m[row + 2] = kind, side, tile
    m[L.N_ZONES] += 1
    lay_zone(m, kind, side, tile)


@loop
def lay_zone(m, kind, side, tile):
    """Mark the tiles of a zone."""
    wide = 2 if kind == L.SAND_ZONE else 1
    for rows in range(-wide, wide + 1):
        for cols in range(-wide, wide + 1):
            row, col = (tile >> 6) + rows, (tile & 63) + cols
            if not (0 <= row < m[L.ROWS] and 0 <= col < m[L.COLS]):
                continue
            at = L.GROUND + (row << 6 | col) * L.TILE
            mark(m, row << 6 | col)
            if kind == L.SAND_ZONE:
                if within(rows, cols, m[L.ITEM_ROWS + L.URN * L.ITEM + L.I_RADIUS]):
                    m[at + L.SAND] = 1
            elif kind == L.ROPES_ZONE:
                m[at + L.ROPE] |= 1 << side
            elif kind == L.FOUNTAIN_ZONE:
                m[at + L.FOUNTAIN] = 1
            else:
                m[at + L.FOG] = 1


@loop
def restore(m):
    """Tiles as the map has them."""
    for n in range(m[L.N_CHANGED]):
        tile = m[L.CHANGES + n]
        for k in range(L.TILE):
            m[L.GROUND + tile * L.TILE + k] = m[L.BASE + tile * L.TILE + k]
    for n in range(m[L.N_CHANGED]):
        forget_links(m, m[L.CHANGES + n])
    m[L.N_CHANGED] = 0


@loop
def rebuild(m):
    """Bridges and ladders as the map has them."""
    for n in range(m[L.N_DECKS]):
        row = L.DECK_ROWS + n * L.DECK
        m[row + L.D_ALIVE], m[row + L.D_SCAR] = 1, 0
    for n in range(m[L.N_LADDERS]):
        row = L.LADDER_ROWS + n * L.LADDER
        m[row + L.L_ALIVE], m[row + L.L_SCAR] = 1, 0

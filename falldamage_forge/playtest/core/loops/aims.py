"""What can be attacked, and where items and areas can be aimed."""

from falldamage_forge.playtest.core.loops import layout as L
from falldamage_forge.playtest.core.loops.effects import note, owe, way_between
from falldamage_forge.playtest.core.loops.ground import (
    fogged,
    in_reach,
    in_sight,
    melee_near,
    open_line,
    within,
)
from falldamage_forge.playtest.core.loops.inner import loop
from falldamage_forge.playtest.core.loops.keys import add, key_of, spot_in, word_in
from falldamage_forge.playtest.core.loops.land import crowded, takes_bricks
from falldamage_forge.playtest.core.loops.strike import in_area, nearer_piece
from falldamage_forge.playtest.core.loops.units import (
    attack_number,
    has,
    height_number,
    letter_of,
    may_attack,
    number,
    reach_of,
    strikes,
    tiles_of,
    unit,
)

# -- attacks ---------------------------------------------------------------------------------------


@loop
def list_attacks(m, i):
    """Every plain Attack."""
    if not may_attack(m, i):
        return
    at = unit(i)
    rooted = has(m, i, L.ROOTED) and m[at + L.MOVED] == 0
    for other in range(m[L.N_UNITS]):
        foe = unit(other)
        if m[foe + L.SPOT] < 0 or m[foe + L.SIDE] == m[at + L.SIDE]:
            continue
        if strikes(m, i, m[foe + L.SPOT]):
            add(m, key_of(L.K_ACT, L.M_ATTACK, one=other))
            if rooted:
                add(m, key_of(L.K_ACT, L.M_ROOTED, one=other))
    list_sieges(m, i, rooted)


@loop
def add_siege(m, spot, word, rooted):
    """An attack on a piece of terrain."""
    add(m, key_of(L.K_ACT, L.M_ATTACK, spot, word=word))
    if rooted:
        add(m, key_of(L.K_ACT, L.M_ROOTED, spot, word=word))


@loop
def hits_piece(m, i, reach, spot, spared, leave_tile, leave_deck):
    """Whether a unit's Attack reaches and sees a piece of terrain at a surface."""
    at = unit(i)
    own = m[at + L.SPOT]
    if reach <= 1:
        return melee_near(own, spot, m[at + L.DIAGONAL])
    if not in_reach(own, spot, reach):
        return False
    if m[at + L.NO_SIGHT] or has(m, i, L.ARC):
        return True
    return open_line(m, own, spot, L.NONE, spared, leave_tile, leave_deck) and not fogged(
        m, own, spot
    )


@loop
def between(level, low, high):
    """A level brought between two others."""
    return max(low, min(level, high))


@loop
def list_sieges(m, i, rooted):
    """Trees, spires, bridges and ladders that may be hit."""
    own, reach = m[unit(i) + L.SPOT], reach_of(m, i)
    letter, level = letter_of(m, i), own & 15
    pushes = letter != L.NO_LETTER and letter != L.FRONT and tiles_of(m, i) >= 1
    for n in range(m[L.N_FEATURES]):
        tile = m[L.FEATURES + n]
        at = L.GROUND + tile * L.TILE
        if m[at + L.FEATURE] == 0 or (m[at + L.FEATURE] == L.SPIRE and not pushes):
            continue
        spot = tile << 4 | between(level, m[at + L.LEVEL], m[at + L.TOP] - 1)
        if hits_piece(m, i, reach, spot, L.NONE, tile, L.NONE):
            add_siege(m, spot, m[at + L.WORD], rooted)
    for n in range(m[L.N_DECKS]):
        row, best = L.DECK_ROWS + n * L.DECK, -1
        if m[row + L.D_ALIVE] == 0:
            continue
        for k in range(m[row + L.D_COUNT]):
            spot = m[row + L.D_TILES + k] << 4 | m[row + L.D_LEVEL]
            nearer = best < 0 or nearer_piece(own, spot, best)
            if nearer and hits_piece(m, i, reach, spot, L.NONE, L.NONE, n):
                best = spot
        if best >= 0:
            add_siege(m, best, m[row + L.D_WORD], rooted)
    for n in range(m[L.N_LADDERS]):
        row = L.LADDER_ROWS + n * L.LADDER
        if m[row + L.L_ALIVE] == 0:
            continue
        near = between(level, m[row + L.L_FOOT_LEVEL], m[row + L.L_TOP_LEVEL] - 1)
        spot = m[row + L.L_FOOT] << 4 | near
        if hits_piece(m, i, reach, spot, m[row + L.L_FOOT], L.NONE, L.NONE):
            add_siege(m, spot, m[row + L.L_WORD], rooted)


@loop
def attack_terrain(m, i, key, rooted):
    """A plain Attack on a tree, a spire, a bridge or a ladder."""
    spot, own = spot_in(key), m[unit(i) + L.SPOT]
    melee = reach_of(m, i) == 1
    found = attack_number(m, i, melee, rooted) + height_number(m, own, spot, melee)
    found = max(found, 0)
    row = L.WORDS + word_in(key) * 2
    note(m, L.E_STRIKE, i, L.NONE)
    if has(m, i, L.SHOVE):
        owe(m, L.SHOVE_ALL, i, L.NONE, L.NONE, own, L.NONE, 0)
    if m[row] == L.W_SPIRE:
        way = way_between(own, spot, letter_of(m, i))
        owe(m, L.PUSH_SPIRE, spot >> 4, way, tiles_of(m, i), i)
    else:
        owe(m, L.WEAR, m[row], m[row + 1], found, 1 if has(m, i, L.MAGE) else 0, i)


# -- items -----------------------------------------------------------------------------------------


@loop
def list_items(m, i):
    """Every use of every item."""
    items, done = m[unit(i) + L.ITEMS], 0
    while items:
        item = items & 15
        items >>= 4
        if done >> item & 1:
            continue
        done |= 1 << item
        row = L.ITEM_ROWS + item * L.ITEM
        if item == L.GRENADE or item == L.URN:
            name = L.M_GRENADE if item == L.GRENADE else L.M_QUICKSAND
            list_aims(
                m, i, name, m[row + L.I_REACH], m[row + L.I_RADIUS], item == L.GRENADE, L.NONE
            )
        else:
            list_item_strikes(m, i, item, m[row + L.I_REACH])


@loop
def list_item_strikes(m, i, item, reach):
    """Enemies an item can be used on."""
    at = unit(i)
    own = m[at + L.SPOT]
    name = L.M_KNIFE
    if item == L.CANNON:
        name = L.M_CANNON
    elif item == L.CELESTIAL:
        name = L.M_CELESTIAL
    for other in range(m[L.N_UNITS]):
        foe = unit(other)
        spot = m[foe + L.SPOT]
        if spot < 0 or m[foe + L.SIDE] == m[at + L.SIDE]:
            continue
        if item == L.CANNON and spot & 15 <= own & 15:
            continue
        if reach <= 1:
            near = melee_near(own, spot, 0)
        else:
            near = in_reach(own, spot, reach) and (m[at + L.NO_SIGHT] or in_sight(m, own, spot))
        if near:
            add(m, key_of(L.K_ACT, name, one=other))


# -- aims ------------------------------------------------------------------------------------------


@loop
def holds_somebody(m, aim, radius, side):
    """Whether anybody (of a side, -1: any) is in an area."""
    for i in range(m[L.N_UNITS]):
        if (side < 0 or m[unit(i) + L.SIDE] == side) and in_area(m, i, aim, radius):
            return True
    return False


@loop
def list_aims(m, i, name, reach, radius, crowded, side):
    """Surfaces an area may be aimed at; `crowded` asks that somebody be in it.

    A radius below 0 stands for bricks: every surface whose tile takes them, and for a Partition
    each way it may run.
    """
    at = unit(i)
    own, wide = m[at + L.SPOT], max(reach, 1)
    blind = m[at + L.NO_SIGHT] == 1 or name == L.M_GRENADE or reach <= 1
    for row in range(max((own >> 10) - wide, 0), min((own >> 10) + wide, m[L.ROWS] - 1) + 1):
        left, right = (own >> 4 & 63) - wide, (own >> 4 & 63) + wide
        for col in range(max(left, 0), min(right, m[L.COLS] - 1) + 1):
            tile = row << 6 | col
            stand = m[L.GROUND + tile * L.TILE + L.STAND]
            if not stand or (radius < 0 and not takes_bricks(m, tile)):
                continue
            for level in range(16):
                aim = tile << 4 | level
                if not stand >> level & 1 or not in_reach(own, aim, reach):
                    continue
                if crowded and not holds_somebody(m, aim, radius, side):
                    continue
                if not blind and not in_sight(m, own, aim):
                    continue
                if name == L.M_PARTITION:
                    list_walls(m, aim)
                else:
                    add(m, key_of(L.K_ACT, name, aim))


@loop
def list_walls(m, aim):
    """The ways a Partition may run from an aim."""
    count = number(m, L.PARTITION, L.A_TILES)
    for way in range(4):
        tile, room = aim >> 4, 1
        while room < count:
            tile = m[L.GROUND + tile * L.TILE + L.NEAR + way]
            if tile < 0 or not takes_bricks(m, tile):
                break
            room += 1
        if room == count:
            add(m, key_of(L.K_ACT, L.M_PARTITION, aim, way=way))


@loop
def list_hiding(m, i, reach, kind, name):
    """Tiles within a reach where a unit may hide an item; reach 0: any."""
    own = m[unit(i) + L.SPOT]
    for row in range(m[L.ROWS]):
        for col in range(m[L.COLS]):
            tile = row << 6 | col
            at = L.GROUND + tile * L.TILE
            if m[at + L.STAND] == 0 or (m[at + L.KIND] == L.FIRE and m[at + L.BRICKS] == 0):
                continue
            if reach and not within(row - (own >> 10), col - (own >> 4 & 63), reach):
                continue
            if not crowded(m, tile):
                add(m, key_of(kind, name, tile << 4))

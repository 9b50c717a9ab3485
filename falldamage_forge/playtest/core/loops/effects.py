"""What happens to units: harm, death, falls, pushes, coming to rest."""

from falldamage_forge.playtest.core.loops import layout as L
from falldamage_forge.playtest.core.loops.ground import (
    apart,
    cols_between,
    free,
    highest_below,
    lava,
    rows_between,
    stands,
    wet,
)
from falldamage_forge.playtest.core.loops.inner import loop
from falldamage_forge.playtest.core.loops.units import fixed, has, unit


@loop
def owe(m, name, a=0, b=0, c=0, d=0, e=0, f=0, g=0):
    """Put a task on top of what is owed."""
    if m[L.N_STACK] >= L.MOST_STACK:
        m[L.HAND] = L.LOST
        return
    at = L.STACK + m[L.N_STACK] * L.TASK
    m[at], m[at + 1], m[at + 2], m[at + 3], m[at + 4] = name, a, b, c, d
    m[at + 5], m[at + 6], m[at + 7] = e, f, g
    m[L.N_STACK] += 1


@loop
def note(m, kind, a=0, b=0, c=0, d=0, e=0):
    """Tell who counts what happened."""
    if m[L.N_EVENTS] >= L.MOST_EVENTS:
        m[L.HAND] = L.LOST
        return
    at = L.EVENTS + m[L.N_EVENTS] * L.EVENT
    m[at], m[at + 1], m[at + 2], m[at + 3], m[at + 4], m[at + 5] = kind, a, b, c, d, e
    m[L.N_EVENTS] += 1


@loop
def put(m, i, spot):
    """Stand a unit on a free surface, or take it off the board."""
    at = unit(i) + L.SPOT
    if m[at] >= 0 and m[L.OCC + m[at]] == i:
        m[L.OCC + m[at]] = -1
    m[at] = spot
    if spot >= 0:
        m[L.OCC + spot] = i


@loop
def exchange(m, one, other):
    """Two units change places."""
    a, b = unit(one) + L.SPOT, unit(other) + L.SPOT
    m[a], m[b] = m[b], m[a]
    m[L.OCC + m[a]], m[L.OCC + m[b]] = one, other


@loop
def harm(m, i, amount, cause, by):
    """Take health away. Song and Promo end with any loss of it."""
    at = unit(i)
    if amount <= 0 or m[at + L.SPOT] < 0:
        return
    m[at + L.HEALTH] -= amount
    note(m, L.E_HARM, i, amount, cause, by, m[at + L.SPOT])
    if has(m, i, L.SONG):
        m[at + L.SONG_OFF] = 1
    if has(m, i, L.PROMOTE):
        end_promo(m, i)


@loop
def heal(m, i, amount):
    """Give health back, up to the maximum."""
    at = unit(i)
    if m[at + L.SPOT] >= 0:
        whole = min(m[at + L.HEALTH] + amount, m[at + L.FULL])
        m[at + L.HEALTH] = max(m[at + L.HEALTH], whole)


@loop
def end_promo(m, i):
    """This unit's Promo holds nobody any more."""
    for other in range(m[L.N_UNITS]):
        m[unit(other) + L.PROMO] &= ~(1 << i)


@loop
def reap(m):
    """Remove everybody without health."""
    for i in range(m[L.N_UNITS]):
        if m[unit(i) + L.SPOT] >= 0 and m[unit(i) + L.HEALTH] <= 0:
            kill(m, i, L.BY_HARM, L.NONE)


@loop
def kill(m, i, cause, by):
    """Remove one unit: a body stays where it stood."""
    at = unit(i)
    if m[at + L.SPOT] < 0:
        return
    spot = m[at + L.SPOT]
    note(m, L.E_DIE, i, spot, cause, by)
    put(m, i, L.NONE)
    m[at + L.HEALTH], m[at + L.ITEMS] = 0, 0
    if m[L.N_BODIES] >= L.MOST_BODIES:
        m[L.HAND] = L.LOST
        return
    body = L.BODIES + m[L.N_BODIES] * L.BODY
    m[body], m[body + 1], m[body + 2] = i, spot, 0
    m[L.N_BODIES] += 1
    end_promo(m, i)


# -- falls -----------------------------------------------------------------------------------------


@loop
def fall_number(m, i, drop, into_water, mage):
    """Damage of an involuntary fall."""
    if drop <= 0 or into_water or has(m, i, L.NO_FALL):
        return 0
    return drop + (2 if mage else 0)


@loop
def rest_spot(m, tile, level):
    """Where one comes down when the place below is taken; -1: nowhere."""
    found, corner = -1, tile << 4
    for row in range(m[L.ROWS]):
        for col in range(m[L.COLS]):
            stand = m[L.GROUND + (row << 6 | col) * L.TILE + L.STAND]
            for z in range(min(level, 15), -1, -1):
                spot = row << 10 | col << 4 | z
                if not stand >> z & 1 or m[L.OCC + spot] >= 0:
                    continue
                if found < 0 or apart(spot, corner) < apart(found, corner):
                    found = spot
                elif apart(spot, corner) == apart(found, corner) and z > found & 15:
                    found = spot
    return found


@loop
def fall(m, i, mage, by):
    """A unit whose floor went falls; gives whether it lives and still has to come to rest."""
    at = unit(i)
    if m[at + L.SPOT] < 0:
        return False
    o = L.GROUND
    tile, level = m[at + L.SPOT] >> 4, m[at + L.SPOT] & 15
    below = highest_below(m, o, tile, level)
    end = tile << 4 | below if below >= 0 else -1
    if end >= 0 and lava(m, o, end) and not m[at + L.DISCORPORATE]:
        kill(m, i, L.BY_LAVA, by)
        return False
    good = end >= 0 and (stands(m, o, end) or lava(m, o, end))
    if not good or (end != m[at + L.SPOT] and m[L.OCC + end] >= 0):
        end = rest_spot(m, tile, level)
        if end < 0:
            kill(m, i, L.BY_FALL, by)
            return False
    damage = fall_number(m, i, level - (end & 15), wet(m, o, end), mage)
    put(m, i, end)
    harm(m, i, damage, L.BY_FALL, by)
    reap(m)
    return m[at + L.SPOT] >= 0


# -- pushes ----------------------------------------------------------------------------------------


@loop
def front(attacker, target):
    """Way (0 north to 3 west) a unit on one surface faces another; -1: on one tile."""
    rows, cols = rows_between(attacker, target), cols_between(attacker, target)
    if rows == 0 and cols == 0:
        return -1
    if abs(cols) >= abs(rows):
        return 1 if cols > 0 else 3
    return 2 if rows > 0 else 0


@loop
def way_between(attacker, target, letter):
    """Direction of a push from one surface on another; -1: none."""
    facing = front(attacker, target)
    if facing < 0:
        return -1
    if letter == L.RIGHT:
        return (facing + 1) & 3
    return (facing + 3) & 3 if letter == L.LEFTWARD else facing


@loop
def slide(m, o, stood, way, tiles, level, mage, no_fall, no_lava, crowd):
    """Where a push ends: (spot, damage, dead). `crowd` says whether others are in the way; a level
    of -1 that nobody is pushed up.
    """
    at, damage, start = stood, 0, stood & 15
    climbs = 0 <= level <= start
    for _ in range(tiles):
        near = m[o + (at >> 4) * L.TILE + L.NEAR + way]
        if near < 0:
            break
        z = at & 15
        blocked = crowd and m[L.OCC + (near << 4 | z)] >= 0 and (near << 4 | z) != stood
        if blocked or not free(m, o, near, z, z + 1):
            up = z + 1
            if not climbs or blocked or not rises(m, o, near, z):
                break
            if crowd and up < 16 and m[L.OCC + (near << 4 | up)] >= 0 and near << 4 | up != stood:
                break
            if not free(m, o, at >> 4, z, z + 2) or not free(m, o, near, up, up + 1):
                break
            to = near << 4 | up
            if lava(m, o, to) and not no_lava:
                return at, damage, True
            if not stands(m, o, to) and not (no_lava and lava(m, o, to)):
                break
            at = to
            continue
        to, dead = come_down(m, o, near, z, way, stood, no_lava, crowd)
        if dead:
            return at, damage, True
        if to < 0:
            break
        drop = z - (to & 15)
        ground = o + (to >> 4) * L.TILE
        level_there = m[ground + L.LEVEL] + m[ground + L.BRICKS]
        water = m[ground + L.KIND] == L.WATER and m[ground + L.BRICKS] == 0
        at = to
        if drop > 0 and not no_fall and not (water and level_there == to & 15):
            damage += drop + (2 if mage else 0)
    return at, damage, False


@loop
def rises(m, o, tile, z):
    """Whether the obstacle at body height ends exactly one level up."""
    at = o + tile * L.TILE
    return m[at + L.TOP] == z + 1 or m[at + L.DECKS] >> (z + 1) & 1 == 1


@loop
def come_down(m, o, tile, z, way, stood, no_lava, crowd):
    """Onto the highest top at or below, or on over what cannot be occupied: (spot, dead)."""
    while True:
        landing = highest_below(m, o, tile, z)
        to = tile << 4 | landing
        is_lava = lava(m, o, to)
        if is_lava and not no_lava:
            return -1, True
        taken = crowd and m[L.OCC + to] >= 0 and to != stood
        if (stands(m, o, to) or is_lava) and not taken:
            return to, False
        tile = m[o + tile * L.TILE + L.NEAR + way]
        if tile < 0 or not free(m, o, tile, z, z + 1):
            return -1, False
        if crowd and m[L.OCC + (tile << 4 | z)] >= 0 and (tile << 4 | z) != stood:
            return -1, False


@loop
def push(m, i, way, tiles, level, mage, stood, by):
    """Push a unit that still stands where it stood."""
    at = unit(i)
    if m[at + L.SPOT] != stood or stood < 0 or way < 0 or tiles <= 0 or fixed(m, i):
        return
    no_lava = m[at + L.DISCORPORATE] == 1
    end, damage, dead = slide(
        m, L.GROUND, stood, way, tiles, level, mage, has(m, i, L.NO_FALL), no_lava, L.YES
    )
    if dead:
        put(m, i, end)
        kill(m, i, L.BY_LAVA, by)
        return
    if end == stood:
        return
    put(m, i, end)
    harm(m, i, damage, L.BY_FALL, by)
    reap(m)
    if m[at + L.SPOT] >= 0:
        owe(m, L.REST, i, 0)


# -- coming to rest --------------------------------------------------------------------------------


@loop
def rest(m, i):
    """Lava, then hidden items, then a chest."""
    at = unit(i)
    if m[at + L.SPOT] < 0:
        return
    if lava(m, L.GROUND, m[at + L.SPOT]) and not m[at + L.DISCORPORATE]:
        kill(m, i, L.BY_LAVA, L.NONE)
        return
    touch(m, i, m[at + L.SPOT])


@loop
def touch(m, i, spot):
    """Set off what lies on a surface."""
    for n in range(m[L.N_HIDDEN]):
        row = L.HIDDENS + n * L.HIDDEN
        if m[row + 2] != spot >> 4:
            continue
        side, kind, owner = m[row], m[row + 1], m[row + 4]
        drop_row(m, L.HIDDENS, L.HIDDEN, n, m[L.N_HIDDEN])
        m[L.N_HIDDEN] -= 1
        owe(m, L.STILL, i, spot)
        if kind == L.SPRING_ITEM:
            owe(m, L.LAND, i, side, spot, owner)
        else:
            owe(m, L.BITE, i, m[L.ITEM_ROWS + L.X_AID])
        return
    for n in range(m[L.N_CHESTS]):
        if m[L.CHESTS + n] == spot:
            drop_row(m, L.CHESTS, 1, n, m[L.N_CHESTS])
            m[L.N_CHESTS] -= 1
            note(m, L.E_CHEST, i, spot)
            owe(m, L.OPEN, i)
            return


@loop
def drop_row(m, begin, size, row, count):
    """Take a row out of a list and close the gap."""
    for k in range(begin + row * size, begin + (count - 1) * size):
        m[k] = m[k + size]

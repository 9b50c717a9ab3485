"""What treasure lets its finder choose: tiles, ways, cards, abilities, values, units."""

from falldamage_forge.playtest.core.loops import layout as L
from falldamage_forge.playtest.core.loops.acts import hide
from falldamage_forge.playtest.core.loops.aims import list_hiding
from falldamage_forge.playtest.core.loops.effects import end_promo, kill, owe, put, rest_spot
from falldamage_forge.playtest.core.loops.ground import stands
from falldamage_forge.playtest.core.loops.inner import loop
from falldamage_forge.playtest.core.loops.keys import (
    add,
    key_of,
    meaning,
    name_in,
    spot_in,
    unit_in,
    way_in,
    word_in,
)
from falldamage_forge.playtest.core.loops.land import (
    add_zone,
    burnable,
    flood_line,
    may_shift,
    run_length,
    shift,
    turn_into,
)
from falldamage_forge.playtest.core.loops.skills import blank_unit
from falldamage_forge.playtest.core.loops.units import alive, card, printed, unit


@loop
def list_choice(m, name, i, b, c):
    """List what a living finder may choose."""
    if name <= L.TECTONIC:
        list_ground(m, name, b, c)
    elif name == L.AID:
        list_hiding(m, i, 0, L.K_CHOICE, L.M_TILE)
    elif name == L.BECOME or name == L.GLOVES or name == L.BOTCHED:
        list_words(m, name, i)
    elif name == L.UNHOLY:
        list_fallen(m, m[unit(i) + L.SIDE])
    else:
        side = m[unit(i) + L.SIDE] if name == L.SATIATE else 1 - m[unit(i) + L.SIDE]
        for other in range(m[L.N_UNITS]):
            if other != i and alive(m, other) and m[unit(other) + L.SIDE] == side:
                add(m, key_of(L.K_CHOICE, L.M_UNIT, one=other))


@loop
def choose(m, name, i, b, c, key):
    """Do what was chosen."""
    if name <= L.TECTONIC:
        change_ground(m, name, i, b, c, key)
    elif name == L.AID:
        hide(m, i, L.AID_ITEM, spot_in(key) >> 4)
    elif name == L.BECOME:
        become(m, b if b >= 0 else i, meaning(m, word_in(key)))
    elif name == L.VICTIM:
        owe(m, L.BECOME, i, unit_in(key))
    elif name == L.GLOVES:
        skill = meaning(m, word_in(key))
        m[unit(i) + L.EXTRA], m[unit(i) + L.EXTRA_CARD] = skill >> 6, skill & 63
    elif name == L.SATIATE:
        satiate(m, i, unit_in(key))
    elif name == L.BOTCHED:
        botch(m, i, meaning(m, word_in(key)))
    else:
        owe(m, L.REVIVE, unit_in(key), i)


# -- the ground ------------------------------------------------------------------------------------


@loop
def list_ground(m, name, b, c):
    """Tiles for zones, lava, floods and shifts; a flood's way and length."""
    if name == L.DAM_WAY:
        for way in range(4):
            add(m, key_of(L.K_CHOICE, L.M_WAY, way=way))
        return
    if name == L.DAM_LENGTH:
        room = run_length(m, b, c, m[L.ITEM_ROWS + L.X_DAM])
        for word in range(m[L.N_WORDS]):
            if m[L.WORDS + word * 2] == L.W_NUMBER and meaning(m, word) <= room:
                add(m, key_of(L.K_CHOICE, L.M_LENGTH, word=word))
        return
    inner = 1 if name == L.ZONE and b == L.FOG_ZONE else 0
    for row in range(inner, m[L.ROWS] - inner):
        for col in range(inner, m[L.COLS] - inner):
            tile = row << 6 | col
            if name == L.TECTONIC:
                if may_shift(m, tile, 1):
                    add(m, key_of(L.K_CHOICE, L.M_RAISE, tile << 4))
                if may_shift(m, tile, L.NONE):
                    add(m, key_of(L.K_CHOICE, L.M_SINK, tile << 4))
            elif name != L.ERUPTION or burnable(m, tile):
                add(m, key_of(L.K_CHOICE, L.M_TILE, tile << 4))


@loop
def change_ground(m, name, i, b, c, key):
    """What happens to the tile chosen, or what is asked next."""
    tile = spot_in(key) >> 4
    if name == L.ZONE:
        add_zone(m, b, m[unit(i) + L.SIDE] if b == L.ROPES_ZONE else -1, tile)
    elif name == L.ERUPTION:
        turn_into(m, tile, L.FIRE)
        if b > 1:
            owe(m, L.ERUPTION, i, b - 1)
    elif name == L.DAM_TILE:
        owe(m, L.DAM_WAY, i, tile)
    elif name == L.DAM_WAY:
        owe(m, L.DAM_LENGTH, i, b, way_in(key))
    elif name == L.DAM_LENGTH:
        flood_line(m, b, c, meaning(m, word_in(key)))
    else:
        shift(m, tile, 1 if name_in(key) == L.M_RAISE else -1)


# -- units -----------------------------------------------------------------------------------------


@loop
def list_words(m, name, i):
    """Cards to become, abilities of living enemies, or pairs of values to swap."""
    foe = 1 - m[unit(i) + L.SIDE]
    for word in range(m[L.N_WORDS]):
        kind, what = m[L.WORDS + word * 2], meaning(m, word)
        if name == L.BECOME and kind == L.W_CARD:
            add(m, key_of(L.K_CHOICE, L.M_CARD, word=word))
        elif name == L.GLOVES and kind == L.W_SKILL and plays(m, foe, what & 63):
            add(m, key_of(L.K_CHOICE, L.M_ABILITY, word=word))
        elif name == L.BOTCHED and kind == L.W_STATS and swaps(m, i, what >> 6, what & 63):
            add(m, key_of(L.K_CHOICE, L.M_STATS, word=word))


@loop
def plays(m, side, card):
    """Whether a side has a living unit of a card."""
    for i in range(m[L.N_UNITS]):
        if alive(m, i) and m[unit(i) + L.SIDE] == side and m[unit(i) + L.CARD] == card:
            return True
    return False


@loop
def list_fallen(m, side):
    """Fallen units of a side that may stand up again."""
    for i in range(m[L.N_UNITS]):
        if m[unit(i) + L.SIDE] == side and body_of(m, i) >= 0:
            add(m, key_of(L.K_CHOICE, L.M_UNIT, one=i))


@loop
def body_of(m, i):
    """Where a unit's oldest body that was not used is in memory; -1: none."""
    for n in range(m[L.N_BODIES]):
        row = L.BODIES + n * L.BODY
        if m[row] == i and m[row + 2] == 0:
            return row
    return -1


@loop
def become(m, i, new):
    """Another card: treasure, statuses and damage taken stay."""
    at = unit(i)
    lost = m[at + L.FULL] - m[at + L.HEALTH]
    m[at + L.FULL] += m[L.CARDS + new * L.CARD_SIZE + L.C_HEALTH] - printed(m, i, L.OWN_H)
    m[at + L.HEALTH] = max(1, m[at + L.FULL] - lost)
    m[at + L.CARD] = new
    for stat in range(L.OWN_M, L.OWN_P + 1):
        m[at + stat] = -1


@loop
def satiate(m, i, friend):
    """A friend is eaten: its Attack and Health go over."""
    at, other = unit(i), unit(friend)
    m[at + L.ATTACK_PLUS] += printed(m, friend, L.OWN_A) + m[other + L.ATTACK_PLUS]
    m[at + L.HEALTH] += m[other + L.HEALTH]
    m[at + L.FULL] += m[other + L.HEALTH]
    end_promo(m, friend)
    kill(m, friend, L.BY_SACRIFICE, L.NONE)


@loop
def swappable(m, i, stat):
    """Whether a value can be swapped: a printed number, nothing unlimited."""
    row, value = card(m, i), printed(m, i, stat)
    if value >= L.UNLIMITED or (stat == L.OWN_R and not m[row + L.C_OWN_REACH]):
        return False
    if stat != L.OWN_P:
        return True
    return value != 0 and m[row + L.C_LETTER] != L.NO_LETTER and m[row + L.C_LETTER] != L.FRONT


@loop
def swaps(m, i, one, other):
    """Whether two values can be swapped, and who does it lives on."""
    if not swappable(m, i, one) or not swappable(m, i, other):
        return False
    if one != L.OWN_H and other != L.OWN_H:
        return True
    new = printed(m, i, other if one == L.OWN_H else one)
    return min(m[unit(i) + L.HEALTH] + new - printed(m, i, L.OWN_H), new) >= 1


@loop
def botch(m, i, pair):
    """Two values change places."""
    at, one, other = unit(i), pair >> 6, pair & 63
    a, b, old = printed(m, i, one), printed(m, i, other), printed(m, i, L.OWN_H)
    m[at + one], m[at + other] = b, a
    if one == L.OWN_H or other == L.OWN_H:
        new = printed(m, i, L.OWN_H)
        m[at + L.HEALTH], m[at + L.FULL] = min(m[at + L.HEALTH] + new - old, new), new


@loop
def revive(m, i):
    """Unholy Deal: a fallen unit stands up with half its health; what was on it is gone."""
    at, body = unit(i), body_of(m, i)
    if body < 0:
        return
    spot = m[body + 1]
    if m[L.OCC + spot] >= 0 or not stands(m, L.GROUND, spot):
        spot = rest_spot(m, spot >> 4, spot & 15)
    if spot < 0:
        return
    m[body + 2] = 1
    full = m[at + L.FULL]
    blank_unit(m, i, m[at + L.SIDE], m[at + L.CARD])
    m[at + L.HEALTH], m[at + L.FULL], m[at + L.READY] = (full + 1) // 2, full, m[L.ROUND] + 1
    put(m, i, spot)
    owe(m, L.REST, i, 0)

"""What an action does."""

from falldamage_forge.playtest.core.loops import layout as L
from falldamage_forge.playtest.core.loops.aims import attack_terrain
from falldamage_forge.playtest.core.loops.effects import (
    drop_row,
    exchange,
    harm,
    heal,
    owe,
    put,
    reap,
)
from falldamage_forge.playtest.core.loops.inner import loop
from falldamage_forge.playtest.core.loops.keys import name_in, spot_in, unit2_in, unit_in, way_in
from falldamage_forge.playtest.core.loops.land import add_zone, lay
from falldamage_forge.playtest.core.loops.skills import behind, list_actions, promoted, raise_bodies
from falldamage_forge.playtest.core.loops.strike import (
    begin_attack,
    burst,
    cone_holds,
    in_area,
    item_strike,
)
from falldamage_forge.playtest.core.loops.units import (
    attack_number,
    has,
    lends,
    number,
    tiles_of,
    unit,
)


@loop
def act(m, i, key, changed):
    """Do an action. Where bricks came down just before it, it must still be possible."""
    at = unit(i)
    if m[at + L.SPOT] < 0:
        return
    if changed:
        m[at + L.ACTED], m[L.N_MOVES] = 0, 0
        list_actions(m, i)
        m[at + L.ACTED] = 1
        possible = False
        for n in range(m[L.N_MOVES]):
            possible = possible or m[L.MOVES + n] == key
        if not possible:
            return
    name = name_in(key)
    if name == L.M_ATTACK or name == L.M_ROOTED:
        rooted = name == L.M_ROOTED
        if rooted:
            m[at + L.MOVED] = 2
        if unit_in(key) >= 0:
            begin_attack(m, i, unit_in(key), rooted, L.NO)
        else:
            attack_terrain(m, i, key, rooted)
    elif name == L.M_GRENADE or name == L.M_QUICKSAND or name == L.M_KNIFE:
        use_item(m, i, key)
    elif name == L.M_CANNON or name == L.M_CELESTIAL:
        use_item(m, i, key)
    else:
        use_ability(m, i, key, name)


@loop
def use_item(m, i, key):
    """Use one item up."""
    at, name = unit(i), name_in(key)
    item = L.URN
    if name == L.M_GRENADE:
        item = L.GRENADE
    elif name == L.M_KNIFE:
        item = L.KNIFE
    elif name == L.M_CANNON:
        item = L.CANNON
    elif name == L.M_CELESTIAL:
        item = L.CELESTIAL
    shift = 0
    while m[at + L.ITEMS] >> shift & 15 != item:
        shift += 4
    low = m[at + L.ITEMS] & ((1 << shift) - 1)
    m[at + L.ITEMS] = low | m[at + L.ITEMS] >> (shift + 4) << shift
    row = L.ITEM_ROWS + item * L.ITEM
    if item == L.URN:
        add_zone(m, L.SAND_ZONE, L.NONE, spot_in(key) >> 4)
    elif item == L.GRENADE:
        mage, radius = has(m, i, L.MAGE), m[row + L.I_RADIUS]
        burst(m, i, spot_in(key), radius, m[row + L.I_ATTACK], m[row + L.I_PUSH], mage)
    else:
        item_strike(m, i, unit_in(key), item)


@loop
def use_ability(m, i, key, name):
    """Do what an ability does."""
    at, other = unit(i), unit_in(key)
    if name == L.M_BOMB:
        amount = number(m, L.BOMB, L.A_AMOUNT)
        burst(m, i, spot_in(key), number(m, L.BOMB, L.A_RADIUS), amount, 0, L.NO)
    elif name == L.M_SPLASH:
        splash(m, i, spot_in(key))
    elif name == L.M_SPRING:
        take_up(m, i)
        hide(m, i, L.SPRING_ITEM, spot_in(key) >> 4)
    elif name == L.M_SWAP:
        exchange(m, other, unit2_in(key))
        owe(m, L.REST, unit2_in(key), 0)
        owe(m, L.REST, other, 0)
    elif name == L.M_CATCH:
        end = behind(m, i, other)
        if end >= 0:
            put(m, other, end)
            owe(m, L.REST, other, 0)
    elif name == L.M_SCAFFOLD:
        lay(m, i, spot_in(key) >> 4, L.NONE, 1, number(m, L.SCAFFOLD, L.A_AMOUNT))
    elif name == L.M_PARTITION:
        count, levels = number(m, L.PARTITION, L.A_TILES), number(m, L.PARTITION, L.A_AMOUNT)
        lay(m, i, spot_in(key) >> 4, way_in(key), count, levels)
    elif name == L.M_VINES:
        for foe in range(m[L.N_UNITS]):
            if m[unit(foe) + L.SIDE] != m[at + L.SIDE]:
                if in_area(m, foe, spot_in(key), number(m, L.BIND, L.A_RADIUS)):
                    m[unit(foe) + L.VINES] = 1
    elif name == L.M_WEREWOLF:
        m[at + L.CARD] = m[L.WEREWOLF_CARD]
        m[at + L.OWN_A], m[at + L.OWN_R] = -1, -1
    elif name == L.M_RAISE:
        raise_bodies(m, i, key, m[L.SKELETON_CARD])
    elif name == L.M_PROMO:
        for foe in range(m[L.N_UNITS]):
            if promoted(m, i, foe):
                m[unit(foe) + L.PROMO] |= 1 << i
    elif name == L.M_POTION:
        if m[unit(other) + L.CARD] == m[L.SKELETON_CARD]:
            harm(m, other, number(m, L.POTION, L.A_AMOUNT), L.BY_OTHER, i)
            reap(m)
        else:
            heal(m, other, number(m, L.POTION, L.A_AMOUNT))
    elif name == L.M_BANDAGE:
        heal(m, other, number(m, L.BANDAGE, L.A_AMOUNT))
    elif name == L.M_POISON:
        for foe in range(m[L.N_UNITS]):
            spot = m[unit(foe) + L.SPOT]
            if spot >= 0 and cone_holds(m, m[at + L.SPOT], way_in(key), spot):
                m[unit(foe) + L.MIST] = 1
    elif name == L.M_SYRINGE:
        m[unit(other) + L.SYRINGE] = 1


@loop
def splash(m, i, aim):
    """The Splash Mage's area attack."""
    card = lends(m, i, L.SPLASH)
    tiles = tiles_of(m, i)
    if card >= 0:
        tiles = m[L.CARDS + card * L.CARD_SIZE + L.C_PUSH] + m[unit(i) + L.PUSH_PLUS]
    damage = max(attack_number(m, i, L.NO, L.NO), 0)
    burst(m, i, aim, number(m, L.SPLASH, L.A_RADIUS), damage, tiles, has(m, i, L.MAGE))


@loop
def take_up(m, i):
    """A unit's last Spring Trap is gone: it has one at a time."""
    for n in range(m[L.N_HIDDEN] - 1, -1, -1):
        row = L.HIDDENS + n * L.HIDDEN
        if m[row + 1] == L.SPRING_ITEM and m[row + 4] == i:
            drop_row(m, L.HIDDENS, L.HIDDEN, n, m[L.N_HIDDEN])
            m[L.N_HIDDEN] -= 1


@loop
def hide(m, i, kind, tile):
    """Hide an item on a tile."""
    if m[L.N_HIDDEN] >= L.MOST_HIDDEN:
        m[L.HAND] = L.LOST
        return
    row = L.HIDDENS + m[L.N_HIDDEN] * L.HIDDEN
    m[row], m[row + 1], m[row + 2] = m[unit(i) + L.SIDE], kind, tile
    m[row + 3], m[row + 4] = -1, i
    m[L.N_HIDDEN] += 1

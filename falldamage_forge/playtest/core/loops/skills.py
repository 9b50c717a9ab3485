"""The uses of abilities that take the Action; all actions of a unit."""

from falldamage_forge.playtest.core.loops import layout as L
from falldamage_forge.playtest.core.loops.aims import (
    list_aims,
    list_attacks,
    list_hiding,
    list_items,
)
from falldamage_forge.playtest.core.loops.effects import owe, put
from falldamage_forge.playtest.core.loops.ground import in_reach, stands
from falldamage_forge.playtest.core.loops.inner import loop
from falldamage_forge.playtest.core.loops.keys import add, key_of, spot2_in, spot_in
from falldamage_forge.playtest.core.loops.strike import cone_holds
from falldamage_forge.playtest.core.loops.units import number, reach_with, reaches, unit


@loop
def list_abilities(m, i):
    """Every use of an ability that takes the Action."""
    mask = m[L.CARDS + m[unit(i) + L.CARD] * L.CARD_SIZE + L.C_ABILITIES]
    if m[unit(i) + L.EXTRA] >= 0:
        mask |= 1 << m[unit(i) + L.EXTRA]
    if mask >> L.BOMB & 1:
        list_area(m, i, L.M_BOMB, L.BOMB, L.NONE)
    if mask >> L.SPRING & 1:
        list_hiding(m, i, reach_with(m, i, L.SPRING), L.K_ACT, L.M_SPRING)
    if mask >> L.SPLASH & 1:
        list_area(m, i, L.M_SPLASH, L.SPLASH, L.NONE)
    if mask >> L.SWAP & 1:
        list_swaps(m, i)
    if mask >> L.CATCH & 1:
        list_catches(m, i)
    if mask >> L.SCAFFOLD & 1:
        list_aims(m, i, L.M_SCAFFOLD, reach_with(m, i, L.SCAFFOLD), L.NONE, L.NO, L.NONE)
    if mask >> L.PARTITION & 1:
        list_aims(m, i, L.M_PARTITION, reach_with(m, i, L.PARTITION), L.NONE, L.NO, L.NONE)
    if mask >> L.BIND & 1:
        list_area(m, i, L.M_VINES, L.BIND, 1 - m[unit(i) + L.SIDE])
    if mask >> L.WEREWOLF & 1:
        add(m, key_of(L.K_ACT, L.M_WEREWOLF))
    if mask >> L.RAISE & 1:
        list_raises(m, i)
    if mask >> L.PROMOTE & 1:
        list_promo(m, i)
    if mask >> L.POTION & 1:
        list_healing(m, i, L.POTION, L.M_POTION)
    if mask >> L.BANDAGE & 1:
        list_healing(m, i, L.BANDAGE, L.M_BANDAGE)
    if mask >> L.POISON & 1:
        list_mists(m, i)
    if mask >> L.STAB & 1:
        list_stabs(m, i)


@loop
def list_area(m, i, name, ability, side):
    """Aims of an area ability with somebody (of a side) in it."""
    radius = number(m, ability, L.A_RADIUS)
    list_aims(m, i, name, reach_with(m, i, ability), radius, L.YES, side)


@loop
def list_swaps(m, i):
    """Pairs of units within reach."""
    reach, count = reach_with(m, i, L.SWAP), 0
    for other in range(m[L.N_UNITS]):
        spot = m[unit(other) + L.SPOT]
        if spot >= 0 and other != i and reaches(m, i, spot, reach):
            m[L.MEMBERS + count] = other
            count += 1
    for a in range(count):
        for b in range(a + 1, count):
            one, two = m[L.MEMBERS + a], m[L.MEMBERS + b]
            add(m, key_of(L.K_ACT, L.M_SWAP, one=one, two=two))


@loop
def behind(m, i, foe):
    """Where a caught enemy lands: the highest free surface as far off on the other side."""
    own, spot = m[unit(i) + L.SPOT], m[unit(foe) + L.SPOT]
    row = 2 * (own >> 10) - (spot >> 10)
    col = 2 * (own >> 4 & 63) - (spot >> 4 & 63)
    if not (0 <= row < m[L.ROWS] and 0 <= col < m[L.COLS]):
        return -1
    stand = m[L.GROUND + (row << 6 | col) * L.TILE + L.STAND]
    for level in range(15, -1, -1):
        if stand >> level & 1 and m[L.OCC + (row << 10 | col << 4 | level)] < 0:
            return row << 10 | col << 4 | level
    return -1


@loop
def list_catches(m, i):
    """Enemies that can be thrown over."""
    reach = reach_with(m, i, L.CATCH)
    for other in range(m[L.N_UNITS]):
        foe = unit(other)
        if m[foe + L.SPOT] < 0 or m[foe + L.SIDE] == m[unit(i) + L.SIDE]:
            continue
        if behind(m, i, other) >= 0 and reaches(m, i, m[foe + L.SPOT], reach):
            add(m, key_of(L.K_ACT, L.M_CATCH, one=other))


@loop
def raisable(m, i, spot):
    """The oldest body on a spot that may rise; -1: none."""
    if not stands(m, L.GROUND, spot) or m[L.OCC + spot] >= 0:
        return -1
    if not reaches(m, i, spot, reach_with(m, i, L.RAISE)):
        return -1
    for n in range(m[L.N_BODIES]):
        row = L.BODIES + n * L.BODY
        if m[row + 1] == spot and m[row + 2] == 0:
            return n
    return -1


@loop
def list_raises(m, i):
    """One body or two that may rise."""
    count = 0
    for n in range(m[L.N_BODIES]):
        spot = m[L.BODIES + n * L.BODY + 1]
        known = False
        for k in range(count):
            known = known or m[L.MEMBERS + k] == spot
        if not known and raisable(m, i, spot) >= 0:
            m[L.MEMBERS + count] = spot
            count += 1
    most = number(m, L.RAISE, L.A_AMOUNT)
    for a in range(count):
        if most >= 1:
            add(m, key_of(L.K_ACT, L.M_RAISE, m[L.MEMBERS + a]))
        for b in range(count):
            one, two = m[L.MEMBERS + a], m[L.MEMBERS + b]
            if most >= 2 and one < two:
                add(m, key_of(L.K_ACT, L.M_RAISE, one, two))


@loop
def new_unit(m, side, card, spot, ready):
    """Make a unit that stands on a surface; gives its index, or -1 where there is no room."""
    i = m[L.N_UNITS]
    if i >= L.MOST_UNITS:
        m[L.HAND] = L.LOST
        return -1
    m[L.N_UNITS] += 1
    blank_unit(m, i, side, card)
    m[unit(i) + L.READY] = ready
    put(m, i, spot)
    return i


@loop
def blank_unit(m, i, side, card):
    """A fresh unit that stands nowhere."""
    at = unit(i)
    for k in range(L.UNIT):
        m[at + k] = 0
    m[at + L.SIDE], m[at + L.CARD], m[at + L.SPOT] = side, card, -1
    m[at + L.HEALTH] = m[L.CARDS + card * L.CARD_SIZE + L.C_HEALTH]
    m[at + L.FULL], m[at + L.READY] = m[at + L.HEALTH], 1
    m[at + L.EXTRA], m[at + L.LAST_CAUSE] = -1, -1
    for k in range(L.OWN_M, L.OWN_P + 1):
        m[at + k] = -1


@loop
def raise_bodies(m, i, key, skeleton):
    """Bodies become Skeletons of this side, ready from the next round."""
    first, second = -1, -1
    for k in range(2):
        spot = spot_in(key) if k == 0 else spot2_in(key)
        body = raisable(m, i, spot) if spot >= 0 else -1
        if body < 0:
            continue
        m[L.BODIES + body * L.BODY + 2] = 1
        side = m[unit(i) + L.SIDE]
        risen = new_unit(m, side, skeleton, spot, m[L.ROUND] + 1)
        m[L.RAISED_RED + side] += 1
        if first < 0:
            first = risen
        else:
            second = risen
    if second >= 0:
        owe(m, L.REST, second, 0)
    if first >= 0:
        owe(m, L.REST, first, 0)


@loop
def promoted(m, i, other):
    """Whether a Wrestler's Promo reaches an enemy."""
    foe = unit(other)
    if m[foe + L.SPOT] < 0 or m[foe + L.SIDE] == m[unit(i) + L.SIDE]:
        return False
    return in_reach(m[unit(i) + L.SPOT], m[foe + L.SPOT], max(reach_with(m, i, L.PROMOTE), 1))


@loop
def list_promo(m, i):
    """Promo, when there is somebody for it."""
    for other in range(m[L.N_UNITS]):
        if promoted(m, i, other):
            add(m, key_of(L.K_ACT, L.M_PROMO))
            return


@loop
def list_healing(m, i, ability, name):
    """Whom a Medic can help, and Skeletons a potion hurts."""
    at, reach = unit(i), reach_with(m, i, ability)
    skeleton = m[L.SKELETON_CARD]
    for other in range(m[L.N_UNITS]):
        to = unit(other)
        if m[to + L.SPOT] < 0:
            continue
        friend = m[to + L.SIDE] == m[at + L.SIDE]
        heals = friend and other != i and m[to + L.HEALTH] < m[to + L.FULL]
        wanted = heals
        if ability == L.POTION and m[to + L.CARD] == skeleton:
            wanted = not friend
        if wanted and reaches(m, i, m[to + L.SPOT], reach):
            add(m, key_of(L.K_ACT, name, one=other))


@loop
def list_mists(m, i):
    """Ways of a Poison Mist with somebody in it who has none."""
    own = m[unit(i) + L.SPOT]
    for way in range(4):
        for other in range(m[L.N_UNITS]):
            at = unit(other)
            if m[at + L.SPOT] >= 0 and not m[at + L.MIST]:
                if cone_holds(m, own, way, m[at + L.SPOT]):
                    add(m, key_of(L.K_ACT, L.M_POISON, way=way))
                    break


@loop
def list_stabs(m, i):
    """Enemies for the Syringe."""
    reach = reach_with(m, i, L.STAB)
    for other in range(m[L.N_UNITS]):
        foe = unit(other)
        if m[foe + L.SPOT] < 0 or m[foe + L.SIDE] == m[unit(i) + L.SIDE] or m[foe + L.SYRINGE]:
            continue
        if reaches(m, i, m[foe + L.SPOT], reach):
            add(m, key_of(L.K_ACT, L.M_SYRINGE, one=other))


@loop
def list_actions(m, i):
    """Every action a unit may take now."""
    if m[unit(i) + L.ACTED]:
        return
    list_attacks(m, i)
    if m[unit(i) + L.ITEMS]:
        list_items(m, i)
    list_abilities(m, i)

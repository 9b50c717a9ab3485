"""What attacks and actions are worth to a bot: `playtest.worth`, number by number."""

from falldamage_forge.playtest.core.loops import layout as L
from falldamage_forge.playtest.core.loops.effects import front, way_between
from falldamage_forge.playtest.core.loops.ground import in_reach, melee_near, open_line
from falldamage_forge.playtest.core.loops.inner import loop
from falldamage_forge.playtest.core.loops.keys import (
    name_in,
    spot2_in,
    spot_in,
    unit2_in,
    unit_in,
    way_in,
    word_in,
)
from falldamage_forge.playtest.core.loops.lore import pushed
from falldamage_forge.playtest.core.loops.strike import cone_holds, in_area
from falldamage_forge.playtest.core.loops.units import (
    attack_number,
    has,
    height_number,
    lends,
    letter_of,
    number,
    printed,
    reach_of,
    tiles_of,
    unit,
)

KILL = 6.0
CHEST = 2.5
CLOSE = 0.35
CALM_ROUND = 8
HIGH = 0.12


@loop
def hurt(m, i, damage):
    """Worth of some damage to an enemy."""
    if damage <= 0:
        return 0.0
    return damage + KILL if damage >= m[unit(i) + L.HEALTH] else damage * 1.0


@loop
def strike(m, i, target, spot, damage, letter, tiles):
    """Worth of a blow on an enemy from a surface."""
    foe = unit(target)
    if damage >= m[foe + L.HEALTH]:
        return hurt(m, target, damage)
    there = m[foe + L.SPOT]
    fall, dead = 0, False
    if letter != L.NO_LETTER and letter != L.FRONT:
        way = way_between(spot, there, letter)
        fall, dead = pushed(m, target, way, tiles, spot & 15, has(m, i, L.MAGE))
    if dead:
        return m[foe + L.HEALTH] + KILL
    worth = hurt(m, target, damage + fall)
    if damage > 0 and has(m, target, L.COUNTER) and melee_near(there, spot, 0):
        worth -= min(printed(m, target, L.OWN_A), m[unit(i) + L.HEALTH]) * 0.7
    if m[foe + L.THORNS] and melee_near(there, spot, 0):
        worth -= 3
    return worth


@loop
def best_attack(m, i, spot):
    """Worth of the best plain Attack a unit could make from a surface."""
    at, best = unit(i), 0.0
    reach, letter, tiles = reach_of(m, i), letter_of(m, i), tiles_of(m, i)
    sharp = reach <= 1 or m[at + L.NO_SIGHT] == 1 or has(m, i, L.ARC)
    melee = reach <= 1
    plain = -1_000_000
    for target in range(m[L.N_UNITS]):
        foe = unit(target)
        there = m[foe + L.SPOT]
        if there < 0 or m[foe + L.SIDE] == m[at + L.SIDE]:
            continue
        if not in_reach(spot, there, max(reach, 1)):
            continue
        if not sharp and not open_line(m, spot, there, m[at + L.SPOT], L.NONE, L.NONE, L.NONE):
            continue
        if plain == -1_000_000:
            plain = attack_number(m, i, melee, L.NO)
        found = plain + height_number(m, spot, there, melee)
        best = max(best, strike(m, i, target, spot, max(found, 0), letter, tiles))
    return best


# -- actions ---------------------------------------------------------------------------------------


@loop
def action_worth(m, i, key):
    """Worth of an action that is legal now."""
    name, own = name_in(key), m[unit(i) + L.SPOT]
    if name == L.M_ATTACK or name == L.M_ROOTED:
        return attack_worth(m, i, key, name == L.M_ROOTED)
    if name == L.M_BOMB or name == L.M_GRENADE or name == L.M_SPLASH:
        return area_worth(m, i, name, spot_in(key))
    if name == L.M_POTION or name == L.M_BANDAGE:
        return healing_worth(m, i, name, unit_in(key))
    if name == L.M_KNIFE or name == L.M_CANNON or name == L.M_CELESTIAL:
        item = L.KNIFE
        if name == L.M_CANNON:
            item = L.CANNON
        elif name == L.M_CELESTIAL:
            item = L.CELESTIAL
        row = L.ITEM_ROWS + item * L.ITEM
        return strike(
            m, i, unit_in(key), own, m[row + L.I_ATTACK], m[row + L.I_LETTER], m[row + L.I_PUSH]
        )
    if name == L.M_SWAP:
        return swap_worth(m, i, unit_in(key), unit2_in(key))
    if name == L.M_SCAFFOLD or name == L.M_PARTITION:
        return lift_worth(m, i, name, spot_in(key))
    return flat_worth(m, i, key, name)


@loop
def flat_worth(m, i, key, name):
    """Worth of what is no damage at once."""
    side, own, count = m[unit(i) + L.SIDE], m[unit(i) + L.SPOT], 0
    if name == L.M_POISON:
        for other in range(m[L.N_UNITS]):
            at = unit(other)
            if m[at + L.SPOT] < 0 or m[at + L.MIST]:
                continue
            if cone_holds(m, own, way_in(key), m[at + L.SPOT]):
                count += 1 if m[at + L.SIDE] != side else -1
        return 1.6 * count
    if name == L.M_VINES:
        for other in range(m[L.N_UNITS]):
            at = unit(other)
            if m[at + L.SIDE] == side or m[at + L.VINES] or m[at + L.ACTIVATED]:
                continue
            if in_area(m, other, spot_in(key), number(m, L.BIND, L.A_RADIUS)):
                count += 1
        return 1.4 * count
    if name == L.M_PROMO:
        for other in range(m[L.N_UNITS]):
            if m[unit(other) + L.SPOT] >= 0 and m[unit(other) + L.SIDE] != side:
                count += 1
        return 0.6 * count / 2
    if name == L.M_RAISE:
        return 5.0 * (2 if spot2_in(key) >= 0 else 1)
    if name == L.M_SYRINGE:
        return 4.0
    if name == L.M_WEREWOLF:
        return 2.2
    if name == L.M_SPRING:
        return 0.4
    if name == L.M_CATCH:
        return 0.5
    return 0.3 if name == L.M_QUICKSAND else 0.1


@loop
def attack_worth(m, i, key, rooted):
    """Worth of a plain Attack."""
    target = unit_in(key)
    if target < 0:
        return siege_worth(m, i, key)
    own, there = m[unit(i) + L.SPOT], m[unit(target) + L.SPOT]
    melee = reach_of(m, i) == 1
    found = attack_number(m, i, melee, rooted) + height_number(m, own, there, melee)
    worth = strike(m, i, target, own, max(found, 0), letter_of(m, i), tiles_of(m, i))
    return worth - (0.3 if rooted else 0.0)


@loop
def siege_worth(m, i, key):
    """Worth of shooting at terrain."""
    word = L.WORDS + word_in(key) * 2
    if m[word] != L.W_DECK:
        return 0.02
    row = L.DECK_ROWS + m[word + 1] * L.DECK
    if m[row + L.D_SCAR] + attack_number(m, i, L.NO, L.NO) < 5:
        return 0.05
    worth, level = 0.0, m[row + L.D_LEVEL]
    for other in range(m[L.N_UNITS]):
        spot = m[unit(other) + L.SPOT]
        if spot < 0 or spot & 15 != level:
            continue
        for k in range(m[row + L.D_COUNT]):
            if m[row + L.D_TILES + k] == spot >> 4:
                ground = L.GROUND + (spot >> 4) * L.TILE
                below = m[ground + L.LEVEL] + m[ground + L.BRICKS]
                sign = 1 if m[unit(other) + L.SIDE] != m[unit(i) + L.SIDE] else -1
                worth += sign * hurt(m, other, level - below)
                break
    return worth


@loop
def area_worth(m, i, name, aim):
    """Worth of an area attack."""
    at = unit(i)
    mage, level, side = has(m, i, L.MAGE), m[at + L.SPOT] & 15, m[at + L.SIDE]
    if name == L.M_GRENADE:
        row = L.ITEM_ROWS + L.GRENADE * L.ITEM
        radius, damage, tiles = m[row + L.I_RADIUS], m[row + L.I_ATTACK], m[row + L.I_PUSH]
    elif name == L.M_BOMB:
        radius, tiles = number(m, L.BOMB, L.A_RADIUS), 0
        damage = number(m, L.BOMB, L.A_AMOUNT)
    else:
        lent = lends(m, i, L.SPLASH)
        card = lent if lent >= 0 else m[at + L.CARD]
        radius = number(m, L.SPLASH, L.A_RADIUS)
        damage = max(attack_number(m, i, L.NO, L.NO), 0)
        tiles = m[L.CARDS + card * L.CARD_SIZE + L.C_PUSH] + m[at + L.PUSH_PLUS]
    worth = 0.0
    for other in range(m[L.N_UNITS]):
        if not in_area(m, other, aim, radius):
            continue
        foe = unit(other)
        fall, dead = 0, False
        if tiles:
            way = -1 if m[foe + L.SPOT] >> 4 == aim >> 4 else front(aim, m[foe + L.SPOT])
            fall, dead = pushed(m, other, way, tiles, level, mage)
        one = m[foe + L.HEALTH] + KILL if dead else hurt(m, other, damage + fall)
        worth += one if m[foe + L.SIDE] != side else -1.3 * one
    return worth


@loop
def healing_worth(m, i, name, other):
    """Worth of a Medic's help."""
    at = unit(other)
    amount = number(m, L.POTION if name == L.M_POTION else L.BANDAGE, L.A_AMOUNT)
    friend = m[at + L.SIDE] == m[unit(i) + L.SIDE]
    skeleton = m[at + L.CARD] == m[L.SKELETON_CARD] and name == L.M_POTION
    if not friend:
        return hurt(m, other, amount)
    if skeleton:
        return -1.0 * amount
    return 0.8 * min(amount, m[at + L.FULL] - m[at + L.HEALTH])


@loop
def lift_worth(m, i, name, spot):
    """Worth of bricks: who is lifted by them."""
    flat = 0.3 if name == L.M_SCAFFOLD else 0.2
    other = m[L.OCC + spot]
    if other < 0:
        return flat + 0.0
    high = 3.0 if name == L.M_SCAFFOLD else 2.0
    return flat + (high if m[unit(other) + L.SIDE] != m[unit(i) + L.SIDE] else -high)


@loop
def swap_worth(m, i, one, other):
    """Friends like it high, enemies are liked low."""
    if m[unit(one) + L.SIDE] == m[unit(other) + L.SIDE]:
        return -0.1
    friend, foe = one, other
    if m[unit(one) + L.SIDE] != m[unit(i) + L.SIDE]:
        friend, foe = other, one
    rise = (m[unit(foe) + L.SPOT] & 15) - (m[unit(friend) + L.SPOT] & 15)
    return 0.4 * rise - 0.2

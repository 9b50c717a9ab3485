"""The plain Attack, step by step, and areas."""

from falldamage_forge.playtest.core.loops import layout as L
from falldamage_forge.playtest.core.loops.effects import (
    exchange,
    harm,
    note,
    owe,
    reap,
    way_between,
)
from falldamage_forge.playtest.core.loops.ground import (
    apart,
    beside,
    cols_between,
    rows_between,
    within,
)
from falldamage_forge.playtest.core.loops.inner import loop
from falldamage_forge.playtest.core.loops.units import (
    alive,
    attack_number,
    fixed,
    has,
    height_number,
    lends,
    letter_of,
    number,
    reach_of,
    strikes,
    tiles_of,
    unit,
)


@loop
def begin_attack(m, i, target, rooted, counter):
    """Number and direction are fixed; then the blow."""
    spot, other = m[unit(i) + L.SPOT], m[unit(target) + L.SPOT]
    melee = reach_of(m, i) == 1
    letter, tiles = letter_of(m, i), tiles_of(m, i)
    if counter:
        card = lends(m, i, L.COUNTER)
        if card >= 0:
            row = L.CARDS + card * L.CARD_SIZE
            letter, melee = m[row + L.C_LETTER], True
            tiles = m[row + L.C_PUSH] + m[unit(i) + L.PUSH_PLUS]
    found = attack_number(m, i, melee, rooted) + height_number(m, spot, other, melee)
    note(m, L.E_STRIKE, i, target)
    way = -1
    if letter == L.BACK or letter == L.RIGHT or letter == L.LEFTWARD:
        way = way_between(spot, other, letter)
    blow(m, i, target, max(found, 0), melee, letter, way, tiles, counter, has(m, i, L.SHOVE))


@loop
def blow(m, i, target, damage, melee, letter, way, tiles, counter, shove):
    """The damage at once; Counter and push are owed."""
    stood, from_spot = m[unit(target) + L.SPOT], m[unit(i) + L.SPOT]
    harm(m, target, damage, L.BY_ATTACK, i)
    if melee and m[unit(target) + L.THORNS]:
        harm(m, i, m[L.ITEM_ROWS + L.X_THORNS], L.BY_OTHER, target)
    reap(m)
    if letter == L.FRONT:
        owe(m, L.SWAP_TILES, i, target, from_spot, stood)
    elif shove:
        owe(m, L.SHOVE_ALL, i, target, stood, from_spot, way, tiles)
    elif tiles > 0 and letter != L.NO_LETTER:
        mage = 1 if has(m, i, L.MAGE) else 0
        owe(m, L.PUSH_BY, i, target, way, tiles, from_spot & 15, mage, stood)
    if melee and damage > 0 and not counter:
        owe(m, L.COUNTER_BLOW, target, i)


@loop
def counter_blow(m, i, attacker):
    """Samurai: a free Attack when hit in melee."""
    if not (alive(m, i) and alive(m, attacker) and has(m, i, L.COUNTER)):
        return
    spot, other = m[unit(i) + L.SPOT], m[unit(attacker) + L.SPOT]
    own = m[L.CARDS + m[unit(i) + L.CARD] * L.CARD_SIZE + L.C_ABILITIES] >> L.COUNTER & 1
    near = strikes(m, i, other) if own else beside(spot, other)
    if near and spot != other:
        begin_attack(m, i, attacker, L.NO, L.YES)


@loop
def swap_tiles(m, i, target, from_spot, stood):
    """Assassin: the two change places if both still stand where they stood."""
    if m[unit(i) + L.SPOT] != from_spot or m[unit(target) + L.SPOT] != stood or fixed(m, target):
        return
    if not (alive(m, i) and alive(m, target)):
        return
    exchange(m, i, target)
    owe(m, L.REST, max(i, target), 0)
    owe(m, L.REST, min(i, target), 0)


@loop
def shove_all(m, i, target, stood, from_spot, way, tiles):
    """Shield Bearer: every enemy beside it goes back 1, clockwise from the north."""
    at = unit(i)
    if m[at + L.SPOT] < 0:
        return
    spot, level = m[at + L.SPOT], from_spot & 15
    mage = 1 if has(m, i, L.MAGE) else 0
    back = number(m, L.SHOVE, L.A_PUSH)
    first = target >= 0 and m[unit(target) + L.SPOT] == stood and alive(m, target)
    order = 4
    if first:
        for side in range(4):
            if m[L.GROUND + (spot >> 4) * L.TILE + L.NEAR + side] == stood >> 4:
                order = side
    if first and order == 4:
        owe(m, L.PUSH, target, way, max(tiles, back), level, mage, stood, i)
    for side in range(3, -1, -1):
        near = m[L.GROUND + (spot >> 4) * L.TILE + L.NEAR + side]
        for other in range(m[L.N_UNITS] - 1, -1, -1):
            there = m[unit(other) + L.SPOT]
            if there < 0 or m[unit(other) + L.SIDE] == m[at + L.SIDE] or other == target:
                continue
            if there >> 4 == near and beside(spot, there):
                owe(m, L.PUSH, other, side, back, level, mage, there, i)
        if first and order == side:
            owe(m, L.PUSH, target, way, max(tiles, back), level, mage, stood, i)


@loop
def item_strike(m, i, target, item):
    """An item's attack: its own numbers, and only the height beside them."""
    row = L.ITEM_ROWS + item * L.ITEM
    spot, other = m[unit(i) + L.SPOT], m[unit(target) + L.SPOT]
    melee = m[row + L.I_REACH] <= 1
    damage = m[row + L.I_ATTACK]
    if melee or m[L.REVERSAL] == m[L.ROUND]:
        damage += height_number(m, spot, other, melee)
    letter = m[row + L.I_LETTER]
    way = way_between(spot, other, letter) if letter != L.NO_LETTER else -1
    note(m, L.E_STRIKE, i, target)
    blow(m, i, target, max(damage, 0), melee, letter, way, m[row + L.I_PUSH], L.NO, L.NO)


# -- areas -----------------------------------------------------------------------------------------


@loop
def in_area(m, i, aim, radius):
    """Whether a unit is in an area of effect around an aim."""
    spot = m[unit(i) + L.SPOT]
    if spot < 0 or (spot & 15) - (aim & 15) > 2:
        return False
    return within(rows_between(aim, spot), cols_between(aim, spot), radius)


@loop
def burst(m, doer, aim, radius, damage, tiles, mage):
    """All damage together, deaths, then pushes from the outside in."""
    level = m[unit(doer) + L.SPOT] & 15
    note(m, L.E_STRIKE, doer, L.NONE)
    count = 0
    for i in range(m[L.N_UNITS]):
        if in_area(m, i, aim, radius):
            m[L.MEMBERS + count] = i
            count += 1
    for k in range(count):
        harm(m, m[L.MEMBERS + k], damage, L.BY_ATTACK, doer)
    reap(m)
    if tiles <= 0:
        return
    # Owed from the inside out, as the last owed is done first.
    for far in range(0, 2 * 64):
        for k in range(count - 1, -1, -1):
            i = m[L.MEMBERS + k]
            spot = m[unit(i) + L.SPOT]
            if spot < 0:
                continue
            rows, cols = rows_between(aim, spot), cols_between(aim, spot)
            if rows * rows + cols * cols != far:
                continue
            way = way_between(aim, spot, L.BACK) if spot != aim else -1
            owe(m, L.PUSH, i, way, tiles, level, mage, spot, doer)
        if far > radius * radius:
            break


@loop
def cone_holds(m, spot, way, other):
    """Whether a spot lies in the cone in front of another: one tile, then three."""
    rows, cols = rows_between(spot, other), cols_between(spot, other)
    ahead, aside = -rows, cols
    if way == 1:
        ahead, aside = cols, rows
    elif way == 2:
        ahead = rows
    elif way == 3:
        ahead, aside = -cols, rows
    return 1 <= ahead <= 2 and abs(aside) < ahead and (other & 15) - (spot & 15) <= 2


@loop
def nearer_piece(spot, one, other):
    """Whether one surface is a nearer aim than another."""
    a, b = apart(spot, one), apart(spot, other)
    return a < b or (a == b and one < other)

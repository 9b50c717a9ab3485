"""A unit's values as they are now, and who may do what to whom."""

from falldamage_forge.playtest.core.loops import layout as L
from falldamage_forge.playtest.core.loops.ground import around, in_reach, in_sight, melee_near
from falldamage_forge.playtest.core.loops.inner import loop


@loop
def unit(i):
    """Where a unit's numbers begin."""
    return L.UNITS + i * L.UNIT


@loop
def card(m, i):
    """Where the numbers of a unit's card begin."""
    return L.CARDS + m[L.UNITS + i * L.UNIT + L.CARD] * L.CARD_SIZE


@loop
def printed(m, i, stat):
    """A value as the card prints it (`L.OWN_M` to `L.OWN_P`), a botched swap counted."""
    own = m[L.UNITS + i * L.UNIT + stat]
    return own if own >= 0 else m[card(m, i) + stat - L.OWN_M + L.C_MOVE]


@loop
def has(m, i, ability):
    """Whether a unit has an ability, by its card or by the Mime's Gloves."""
    if m[L.UNITS + i * L.UNIT + L.EXTRA] == ability:
        return True
    return m[card(m, i) + L.C_ABILITIES] >> ability & 1 == 1


@loop
def lends(m, i, ability):
    """The card an ability comes from, by number; -1: its own."""
    if m[card(m, i) + L.C_ABILITIES] >> ability & 1 or m[unit(i) + L.EXTRA] < 0:
        return -1
    other = m[unit(i) + L.EXTRA_CARD]
    return -1 if other == m[unit(i) + L.CARD] else other


@loop
def number(m, ability, what):
    """A number of an ability's table."""
    return m[L.ABILITY_ROWS + ability * L.ABILITY + what]


@loop
def alive(m, i):
    """Whether a unit stands on the board."""
    return m[L.UNITS + i * L.UNIT + L.SPOT] >= 0


@loop
def reach_of(m, i):
    """Reach of the plain Attack."""
    return printed(m, i, L.OWN_R) + m[unit(i) + L.REACH_PLUS]


@loop
def reach_with(m, i, ability):
    """Reach of an ability: its own, or the card's with what treasure adds."""
    own = number(m, ability, L.A_REACH)
    if own:
        return own
    other = lends(m, i, ability)
    base = printed(m, i, L.OWN_R) if other < 0 else m[L.CARDS + other * L.CARD_SIZE + L.C_REACH]
    return base + m[unit(i) + L.REACH_PLUS]


@loop
def letter_of(m, i):
    """The letter of a unit's Push."""
    return m[card(m, i) + L.C_LETTER]


@loop
def tiles_of(m, i):
    """The tiles of a unit's Push."""
    letter = letter_of(m, i)
    if letter == L.NO_LETTER:
        return 0
    return 1 if letter == L.FRONT else printed(m, i, L.OWN_P) + m[unit(i) + L.PUSH_PLUS]


@loop
def jump_of(m, i):
    """How high a unit climbs in a step."""
    if has(m, i, L.CRAWL) or has(m, i, L.HOOK):
        return L.UNLIMITED
    return min(printed(m, i, L.OWN_J) + m[unit(i) + L.JUMP_PLUS], L.UNLIMITED)


@loop
def fixed(m, i):
    """Whether it cannot be pushed."""
    at = unit(i)
    if m[at + L.LEAD] or has(m, i, L.ROOTED):
        return True
    rope = m[L.GROUND + (m[at + L.SPOT] >> 4) * L.TILE + L.ROPE]
    return m[L.N_ZONES] > 0 and rope >> m[at + L.SIDE] & 1 == 1


@loop
def may_attack(m, i):
    """Who has a plain Attack at all."""
    if not m[card(m, i) + L.C_OWN_REACH] or m[card(m, i) + L.C_ABILITIES] >> L.SPLASH & 1:
        return False
    if printed(m, i, L.OWN_A) + m[unit(i) + L.ATTACK_PLUS] > 0:
        return True
    return tiles_of(m, i) > 0


@loop
def sung_to(m, i):
    """Whether a friend's Song reaches a unit now."""
    side, spot = m[unit(i) + L.SIDE], m[unit(i) + L.SPOT]
    for other in range(m[L.N_UNITS]):
        at = unit(other)
        if m[at + L.SPOT] < 0 or m[at + L.SIDE] != side or other == i or m[at + L.SONG_OFF]:
            continue
        if has(m, other, L.SONG):
            reach = max(reach_with(m, other, L.SONG), 1)
            if in_reach(m[at + L.SPOT], spot, reach):
                return True
    return False


@loop
def intimidated(m, i):
    """Whether an enemy next to a unit intimidates it."""
    side, spot = m[unit(i) + L.SIDE], m[unit(i) + L.SPOT]
    for foe in range(m[L.N_UNITS]):
        at = unit(foe)
        if m[at + L.SPOT] < 0 or m[at + L.SIDE] == side or not has(m, foe, L.INTIMIDATE):
            continue
        near = abs((m[at + L.SPOT] & 15) - (spot & 15)) <= 1
        if near and around(m[at + L.SPOT], spot) == 1:
            return True
    return False


@loop
def effective_move(m, i, coin):
    """Move at the start of an activation; `coin` is the Beast's Move as it fell, or -1."""
    at = unit(i)
    if m[at + L.VINES]:
        return 0
    base = printed(m, i, L.OWN_M) if coin < 0 else coin
    if base >= L.UNLIMITED:
        base = number(m, L.UNGOVERNABLE, L.A_TAILS)
    if has(m, i, L.VANGUARD) and m[L.ACTS] == 0:
        base += number(m, L.VANGUARD, L.A_AMOUNT)
    if sung_to(m, i):
        base += number(m, L.SONG, L.A_AMOUNT)
    less = number(m, L.INTIMIDATE, L.A_AMOUNT) if intimidated(m, i) else 0
    less += m[at + L.MIST_ROUNDS] * number(m, L.POISON, L.A_AMOUNT)
    return max(base + m[at + L.MOVE_PLUS] - less, 0)


@loop
def attack_number(m, i, melee, rooted):
    """Attack with all that adds and takes but the height."""
    at = unit(i)
    song = m[at + L.SONG_NOW] == 1 if m[L.ACTIVE] == i else sung_to(m, i)
    found = printed(m, i, L.OWN_A) + m[at + L.ATTACK_PLUS]
    found -= m[at + L.MIST_ROUNDS] * number(m, L.POISON, L.A_AMOUNT)
    if song:
        found += number(m, L.SONG, L.A_AMOUNT)
    if rooted:
        found += number(m, L.ROOTED, L.A_AMOUNT)
    if m[at + L.PROMO]:
        found -= number(m, L.PROMOTE, L.A_AMOUNT)
    if melee:
        for friend in range(m[L.N_UNITS]):
            other = unit(friend)
            if m[other + L.DRUM] and m[other + L.SPOT] >= 0 and m[other + L.SIDE] == m[at + L.SIDE]:
                return found + m[L.ITEM_ROWS + L.X_DRUM]
    return found


@loop
def height_number(m, attacker, target, melee):
    """What the height of two surfaces adds to an Attack."""
    rise = (target & 15) - (attacker & 15)
    if rise == 0:
        return 0
    if m[L.REVERSAL] == m[L.ROUND]:
        return 1 if rise > 0 else -1
    if melee:
        return -1 if rise > 0 else 1
    return 0


@loop
def strikes(m, i, spot):
    """Whether its plain Attack reaches and sees a surface."""
    at = unit(i)
    reach = reach_of(m, i)
    if reach <= 1:
        return melee_near(m[at + L.SPOT], spot, m[at + L.DIAGONAL])
    if not in_reach(m[at + L.SPOT], spot, reach):
        return False
    if m[at + L.NO_SIGHT] or has(m, i, L.ARC):
        return True
    return in_sight(m, m[at + L.SPOT], spot)


@loop
def reaches(m, i, spot, reach):
    """Whether an ability reaches and sees a surface; at Reach 1 like melee."""
    at = unit(i)
    if reach <= 1:
        return melee_near(m[at + L.SPOT], spot, 0)
    if not in_reach(m[at + L.SPOT], spot, reach):
        return False
    return m[at + L.NO_SIGHT] == 1 or in_sight(m, m[at + L.SPOT], spot)

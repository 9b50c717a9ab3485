"""The Move of an activation, and what chests hold."""

from falldamage_forge.playtest.core.loops import layout as L
from falldamage_forge.playtest.core.loops.effects import harm, owe, put, reap
from falldamage_forge.playtest.core.loops.ground import apart
from falldamage_forge.playtest.core.loops.inner import loop
from falldamage_forge.playtest.core.loops.keys import add, key_of
from falldamage_forge.playtest.core.loops.units import (
    alive,
    card,
    effective_move,
    has,
    jump_of,
    letter_of,
    may_attack,
    number,
    tiles_of,
    unit,
)
from falldamage_forge.playtest.core.loops.walk import best_dive, ends, room_beside

# -- the Move --------------------------------------------------------------------------------------


@loop
def list_ends(m, i, budget, kind):
    """A move for each end of a Move."""
    ends(m, i, budget)
    for k in range(m[L.N_ENDS]):
        add(m, key_of(kind, L.M_MOVE, m[L.ENDS + k]))


@loop
def stride(m, i, goal, budget):
    """Walk to the end of a move: damage, Thorns, Top Ropes, entering effects."""
    at = unit(i)
    ends(m, i, budget)
    damage, take_off, drop = m[L.BEST + goal], -1, 0
    if has(m, i, L.ROPES):
        take_off, drop, _ = best_dive(m, i, budget, goal, m[L.N_REACHED])
        damage = 0 if take_off >= 0 else damage
    end = goal
    if m[L.OCC + goal] >= 0:
        near = room_beside(m, goal, take_off)
        end = near if near >= 0 else m[at + L.SPOT]
    m[L.ENDS_OF] = -1
    put(m, i, end)
    harm(m, i, damage, L.BY_STEP, i)
    if m[at + L.THORNS]:
        harm(m, i, 1, L.BY_OTHER, i)
    reap(m)
    owe(m, L.REST, i, 1)
    if has(m, i, L.ROPES) and drop > 0:
        owe(m, L.TOP_ROPES, i, goal, drop)


@loop
def top_ropes(m, i, landing, drop):
    """Wrestler: enemies on and beside the landing suffer twice the drop."""
    at = unit(i)
    if m[at + L.SPOT] < 0:
        return
    for other in range(m[L.N_UNITS]):
        foe = unit(other)
        spot = m[foe + L.SPOT]
        if spot < 0 or m[foe + L.SIDE] == m[at + L.SIDE] or apart(spot, landing) > 1:
            continue
        if abs((spot & 15) - (landing & 15)) <= 1:
            harm(m, other, number(m, L.ROPES, L.A_AMOUNT) * drop, L.BY_DIVE, i)
    reap(m)


@loop
def free_budget(m, i, coin):
    """How far Adrenal Depletion's Move goes."""
    if coin < 0 and m[L.ACTIVE] == i:
        return m[unit(i) + L.MOVE_NOW]
    return effective_move(m, i, coin)


# -- treasure --------------------------------------------------------------------------------------


@loop
def result_row(roll):
    """Where a result of the table is, `roll` being 11 to 66."""
    return L.RESULTS + ((roll // 10 - 1) * 6 + roll % 10 - 1) * L.RESULT_SIZE


@loop
def applicable(m, i, row):
    """Whether a Hero's item is of use to a unit; everything else always is."""
    if m[row + L.R_EFFECT] != L.GAIN_PLUS:
        return True
    what = m[row + L.R_WHAT]
    if what == L.ATTACK_PLUS:
        return may_attack(m, i) or has(m, i, L.SPLASH)
    if what == L.REACH_PLUS:
        return uses_reach(m, i)
    if what == L.PUSH_PLUS:
        letter = letter_of(m, i)
        return letter != L.NO_LETTER and letter != L.FRONT and tiles_of(m, i) > 0
    if what == L.JUMP_PLUS:
        return jump_of(m, i) < L.UNLIMITED
    return True


@loop
def uses_reach(m, i):
    """Who names its own reaches only has no use for more."""
    if not m[card(m, i) + L.C_OWN_REACH]:
        return False
    if may_attack(m, i):
        return True
    mask = m[card(m, i) + L.C_ABILITIES] & m[L.ABILITY_ROWS + L.WEREWOLF * L.ABILITY + 7]
    if mask == 0:
        return True
    for ability in range(29):
        if mask >> ability & 1 and ability != L.POISON and number(m, ability, L.A_REACH) == 0:
            return True
    return False


@loop
def heir(m, i, row):
    """The nearest friend to whom an item is of use; -1: none."""
    found, own = -1, m[unit(i) + L.SPOT]
    for other in range(m[L.N_UNITS]):
        at = unit(other)
        if m[at + L.SPOT] < 0 or other == i or m[at + L.SIDE] != m[unit(i) + L.SIDE]:
            continue
        if not applicable(m, other, row):
            continue
        if found < 0 or nearer(m[at + L.SPOT], m[unit(found) + L.SPOT], own):
            found = other
    return found


@loop
def nearer(spot, old, own):
    """Whether a spot is nearer than another: tiles, then levels."""
    a, b = apart(spot, own), apart(old, own)
    if a != b:
        return a < b
    return abs((spot & 15) - (own & 15)) < abs((old & 15) - (own & 15))


@loop
def gain(m, i, roll):
    """The result takes hold of the finder, or a Hero's item goes where it is of use."""
    row = result_row(roll)
    if not alive(m, i):
        return
    if applicable(m, i, row):
        take_effect(m, i, row)
    elif m[L.ACTIVE] == i and not m[unit(i) + L.ACTED] and heir(m, i, row) >= 0:
        owe(m, L.HAND_ON, i, roll)


@loop
def take_effect(m, i, row):
    """What a result does."""
    effect, what, amount = m[row], m[row + L.R_WHAT], m[row + L.R_AMOUNT]
    at = unit(i)
    if effect == L.GAIN_ASK:
        owe(m, what, i, amount)
    elif effect == L.GAIN_PLUS:
        m[at + what] += amount
    elif effect == L.GAIN_ELIXIR:
        owe(m, L.ELIXIR, i)
    elif effect == L.GAIN_ITEM:
        shift = 0
        while m[at + L.ITEMS] >> shift:
            shift += 4
        if shift > 56:
            m[L.HAND] = L.LOST
        m[at + L.ITEMS] |= what << shift
    elif effect == L.GAIN_FLAG:
        m[at + what] = 1
    elif effect == L.GAIN_ZONE:
        owe(m, L.ZONE, i, what)
    elif effect == L.GAIN_REVERSAL:
        m[L.REVERSAL] = m[L.ROUND] + 1
    elif effect == L.GAIN_BLOOD:
        m[at + L.ATTACK_PLUS] += amount
        m[at + L.BLOOD] += 1
    elif effect == L.GAIN_WIND:
        pushed = m[at + L.SIDE] if what else 1 - m[at + L.SIDE]
        owe(m, L.WIND, 1 - pushed, pushed, amount)
    elif effect == L.GAIN_PUZZLE:
        owe(m, L.BOX, i, amount)
    else:
        adrenal(m, i, amount)


@loop
def adrenal(m, i, amount):
    """A free Move at once, then less for good."""
    at = unit(i)
    owe(m, L.TIRE, i, amount)
    beast = m[at + L.CARD] == m[L.BEAST_CARD]
    if m[at + L.VINES]:
        m[at + L.VINES] = 0
    elif has(m, i, L.UNGOVERNABLE) and (m[L.ACTIVE] != i or not beast):
        owe(m, L.FREE_COIN, i)
    else:
        owe(m, L.FREE_MOVE, i, L.NONE)

"""Rounds, turns and activations, and how the game ends."""

from falldamage_forge.playtest.core.loops import layout as L
from falldamage_forge.playtest.core.loops.effects import end_promo, harm, heal, note, owe, reap
from falldamage_forge.playtest.core.loops.inner import loop
from falldamage_forge.playtest.core.loops.keys import add, key_of
from falldamage_forge.playtest.core.loops.units import effective_move, has, number, sung_to, unit

# -- turns -----------------------------------------------------------------------------------------


@loop
def ready(m, i):
    """Whether a unit may be activated in this round."""
    at = unit(i)
    return m[at + L.SPOT] >= 0 and not m[at + L.ACTIVATED] and m[at + L.READY] <= m[L.ROUND]


@loop
def any_ready(m, side):
    """Whether a side has a unit to activate."""
    for i in range(m[L.N_UNITS]):
        if m[unit(i) + L.SIDE] == side and ready(m, i):
            return True
    return False


@loop
def list_units(m):
    """Whom one may activate, and whether the turn may end."""
    m[L.N_MOVES] = 0
    for i in range(m[L.N_UNITS]):
        if m[unit(i) + L.SIDE] == m[L.TO_ACT] and ready(m, i):
            add(m, key_of(L.K_UNIT, L.M_UNIT, one=i))
    if m[L.LEFT] < 2:
        add(m, key_of(L.K_END_TURN, L.M_END_TURN))


@loop
def choose_unit(m, i):
    """An activation begins."""
    at = unit(i)
    m[L.ACTIVE], m[L.PHASE] = i, L.ACTIVATION
    m[at + L.MOVED], m[at + L.ACTED] = 0, 0
    note(m, L.E_ACTIVATE, i)
    if has(m, i, L.UNGOVERNABLE):
        owe(m, L.COIN_MOVE, i)
    else:
        owe(m, L.BEGIN, i, L.NONE)


@loop
def begin(m, i, coin):
    """Promo ends; Move and Song are settled."""
    if has(m, i, L.PROMOTE):
        end_promo(m, i)
    m[unit(i) + L.MOVE_NOW] = effective_move(m, i, coin)
    m[unit(i) + L.SONG_NOW] = 1 if sung_to(m, i) else 0


@loop
def end_activation(m):
    """The active unit is done, dead or alive."""
    at = unit(m[L.ACTIVE])
    m[at + L.ACTIVATED], m[at + L.VINES] = 1, 0
    m[at + L.MOVED], m[at + L.ACTED] = 0, 0
    m[at + L.MOVE_NOW], m[at + L.SONG_NOW] = 0, 0
    m[L.LAST_ACTOR] = m[at + L.SIDE]
    m[L.ACTS] += 1
    m[L.LEFT] -= 1
    m[L.ACTIVE], m[L.PHASE] = -1, L.CHOOSE
    if m[L.LEFT] == 0 or not any_ready(m, m[L.TO_ACT]):
        next_turn(m)


@loop
def next_turn(m):
    """The other side's turn, or the same again, or a new round."""
    for k in range(2):
        side = 1 - m[L.TO_ACT] if k == 0 else m[L.TO_ACT]
        if any_ready(m, side):
            m[L.TO_ACT], m[L.LEFT] = side, 2
            return
    if m[L.ROUND] >= m[L.LIMIT]:
        finish(m, L.UNFINISHED)
        return
    m[L.ROUND] += 1
    m[L.FIRST] = 1 - m[L.LAST_ACTOR]
    m[L.TO_ACT], m[L.LEFT], m[L.ACTS] = m[L.FIRST], 2, 0
    note(m, L.E_ROUND, m[L.ROUND])
    for name in (
        L.FIRST_TURN, L.JUDGE, L.REFRESH, L.BITES, L.MISTS, L.FOUNTAINS, L.CRUMBLING, L.SONGS,
    ):  # fmt: skip
        owe(m, name)


@loop
def finish(m, result):
    """The game is over."""
    m[L.PHASE], m[L.RESULT], m[L.N_STACK] = L.OVER, result, 0


@loop
def judge(m):
    """Has somebody won?"""
    if m[L.PHASE] == L.OVER:
        return
    left = 0
    for i in range(m[L.N_UNITS]):
        if m[unit(i) + L.SPOT] >= 0:
            left |= 1 << m[unit(i) + L.SIDE]
    if left == 0:
        finish(m, L.DRAW)
    elif left < 3:
        finish(m, L.RED_WINS if left == 1 else L.BLUE_WINS)


# -- a round's start -------------------------------------------------------------------------------


@loop
def round_task(m, name):
    """What a round begins with, one thing at a time."""
    for i in range(m[L.N_UNITS]):
        at = unit(i)
        if name == L.SONGS:
            m[at + L.SONG_OFF] = 0
        elif name == L.REFRESH:
            m[at + L.ACTIVATED] = 0
        elif m[at + L.SPOT] < 0:
            continue
        elif name == L.FOUNTAINS:
            if m[L.GROUND + (m[at + L.SPOT] >> 4) * L.TILE + L.FOUNTAIN]:
                heal(m, i, m[L.ITEM_ROWS + L.X_FOUNTAIN])
        elif name == L.MISTS:
            m[at + L.MIST_ROUNDS] += 1 if m[at + L.MIST] else 0
        else:
            stab = number(m, L.STAB, L.A_AMOUNT) if m[at + L.SYRINGE] else 0
            harm(m, i, stab + m[at + L.BLOOD], L.BY_OTHER, L.NONE)
    if name == L.BITES:
        reap(m)

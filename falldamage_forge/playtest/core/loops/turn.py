"""What is owed, from one decision to the next, and the beginning of a game."""

from falldamage_forge.playtest.core.loops import layout as L
from falldamage_forge.playtest.core.loops.acts import act
from falldamage_forge.playtest.core.loops.choices import revive
from falldamage_forge.playtest.core.loops.effects import harm, owe, push, reap, rest, touch
from falldamage_forge.playtest.core.loops.ground import before
from falldamage_forge.playtest.core.loops.inner import loop
from falldamage_forge.playtest.core.loops.keys import add, key_of, kind_in, spot_in, unit_in
from falldamage_forge.playtest.core.loops.land import (
    count_down,
    crumble,
    lays_bricks,
    push_spire,
    wear,
)
from falldamage_forge.playtest.core.loops.questions import answer, list_question
from falldamage_forge.playtest.core.loops.rounds import (
    any_ready,
    begin,
    choose_unit,
    end_activation,
    judge,
    list_units,
    next_turn,
    round_task,
)
from falldamage_forge.playtest.core.loops.skills import list_actions, new_unit
from falldamage_forge.playtest.core.loops.strike import counter_blow, shove_all, swap_tiles
from falldamage_forge.playtest.core.loops.treasure import gain, list_ends, stride, top_ropes
from falldamage_forge.playtest.core.loops.units import alive, unit

# -- what is owed ----------------------------------------------------------------------------------


@loop
def run(m):
    """Do what is owed until nothing is, or until somebody or chance has to be asked."""
    while m[L.N_STACK] > 0 and m[L.HAND] == 0:
        at = L.STACK + (m[L.N_STACK] - 1) * L.TASK
        if m[at] >= L.QUESTIONS:
            list_question(m, at)
            if m[L.N_MOVES] > 0:
                return
            m[L.N_STACK] -= 1
            continue
        m[L.N_STACK] -= 1
        do_task(m, m[at], m[at + 1], m[at + 2], m[at + 3], m[at + 4], m[at + 5], m[at + 6],
                m[at + 7])  # fmt: skip


@loop
def do_task(m, name, a, b, c, d, e, f, g):
    """One task."""
    if name == L.JUDGE:
        judge(m)
    elif name == L.FIRST_TURN:
        if m[L.PHASE] != L.OVER and not any_ready(m, m[L.TO_ACT]):
            next_turn(m)
    elif name == L.CRUMBLING:
        count_down(m)
    elif name < L.BEGIN:
        round_task(m, name)
    elif name == L.BEGIN:
        begin(m, a, b)
    elif name == L.WALK:
        stride(m, a, spot_in(b), m[unit(a) + L.MOVE_NOW])
        m[unit(a) + L.MOVED] = 2
    elif name == L.ACT:
        act(m, a, b, c == 1)
    elif name == L.CRUMBLE:
        crumble(m, a)
    elif name == L.COUNTER_BLOW:
        counter_blow(m, a, b)
    elif name == L.PUSH_BY:
        if alive(m, a):
            owe(m, L.PUSH, b, c, d, e, f, g, a)
    elif name == L.SWAP_TILES:
        swap_tiles(m, a, b, c, d)
    elif name == L.SHOVE_ALL:
        shove_all(m, a, b, c, d, e, f)
    elif name == L.PUSH:
        push(m, a, b, c, d, e == 1, f, g)
    elif name == L.REST:
        rest(m, a)
    elif name == L.STILL:
        if m[unit(a) + L.SPOT] == b:
            touch(m, a, b)
    elif name == L.BITE:
        harm(m, a, b, L.BY_OTHER, L.NONE)
        reap(m)
    elif name == L.OPEN:
        owe(m, L.ROLL, a, 0)
    elif name == L.GAIN:
        gain(m, a, b)
    elif name == L.TIRE:
        m[unit(a) + L.MOVE_PLUS] -= b
    elif name == L.WEAR:
        wear(m, a, b, c, d == 1, e)
    elif name == L.PUSH_SPIRE:
        push_spire(m, a, b, c, d)
    elif name == L.TOP_ROPES:
        top_ropes(m, a, b, c)
    elif name == L.REVIVE:
        revive(m, a)
    elif name == L.START:
        m[L.PHASE], m[L.TO_ACT], m[L.LEFT] = L.CHOOSE, m[L.FIRST], 2
        owe(m, L.FIRST_TURN)
        owe(m, L.JUDGE)


@loop
def list_steps(m):
    """Everything the active unit may do next."""
    i = m[L.ACTIVE]
    at = unit(i)
    m[L.N_MOVES] = 0
    if m[at + L.MOVED] == 0 and m[at + L.MOVE_NOW] > 0:
        list_ends(m, i, m[at + L.MOVE_NOW], L.K_MOVE)
    list_actions(m, i)
    add(m, key_of(L.K_END, L.M_END))


@loop
def settle(m):
    """Go on until somebody has to decide; `MOVES` lists what there is then."""
    while m[L.PHASE] != L.OVER:
        run(m)
        if m[L.HAND]:
            return
        if m[L.N_STACK] == 0:
            m[L.ENDS_OF] = -1
        if m[L.N_STACK] > 0 or m[L.PHASE] != L.ACTIVATION:
            if m[L.N_STACK] == 0 and m[L.PHASE] == L.CHOOSE:
                list_units(m)
            return
        if not alive(m, m[L.ACTIVE]):
            end_activation(m)
            continue
        list_steps(m)
        if m[L.HAND] or m[L.N_MOVES] > 1:
            return
        end_activation(m)


@loop
def advance(m, key):
    """Make a legal move."""
    kind = kind_in(key)
    if kind != L.K_MOVE and kind != L.K_FREE:
        m[L.ENDS_OF] = -1
    if m[L.N_STACK] > 0:
        m[L.N_STACK] -= 1
        answer(m, L.STACK + m[L.N_STACK] * L.TASK, key)
    elif m[L.PHASE] == L.ACTIVATION:
        if kind == L.K_END:
            end_activation(m)
        else:
            begin_step(m, kind, key)
    elif kind == L.K_END_TURN:
        next_turn(m)
    else:
        choose_unit(m, unit_in(key))
    settle(m)


@loop
def begin_step(m, kind, key):
    """Start what a move of an activation says."""
    i = m[L.ACTIVE]
    owe(m, L.JUDGE)
    if kind == L.K_MOVE:
        owe(m, L.WALK, i, key)
        return
    m[unit(i) + L.ACTED] = 1
    laid = lays_bricks(m, i)
    owe(m, L.ACT, i, key, 1 if laid else 0)
    if laid:
        owe(m, L.CRUMBLE, i)


# -- the beginning ---------------------------------------------------------------------------------


@loop
def in_zone(m, spot):
    """Whether a spot is a start surface."""
    for n in range(m[L.N_ZONE_RED] + m[L.N_ZONE_BLUE]):
        if m[L.ZONE_SPOTS + n] == spot:
            return True
    return False


@loop
def stand_skeleton(m, i):
    """A Skeleton on the free surface nearest to its Necromancer, outside both start zones."""
    own, found = m[unit(i) + L.SPOT], -1
    for n in range(m[L.N_SURFACES]):
        spot = m[L.SURFACES + n]
        if m[L.OCC + spot] >= 0 or in_zone(m, spot):
            continue
        if found < 0 or before(spot, own, found):
            found = spot
    if found >= 0:
        new_unit(m, m[unit(i) + L.SIDE], m[L.SKELETON_CARD], found, 1)


@loop
def start(m):
    """From two teams that stand to the first decision."""
    m[L.PHASE] = L.SETUP
    for side in range(2):
        for i in range(m[L.N_UNITS] - 1, -1, -1):
            at = unit(i)
            if m[at + L.SIDE] == side and m[at + L.CARD] == m[L.NECROMANCER_CARD]:
                if m[at + L.SPOT] >= 0:
                    stand_skeleton(m, i)
                    stand_skeleton(m, i)
    owe(m, L.START)
    for i in range(m[L.N_UNITS] - 1, -1, -1):
        if alive(m, i):
            owe(m, L.REST, i, 0)
    settle(m)

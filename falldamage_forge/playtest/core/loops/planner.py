"""The bots that look one activation ahead: `bots.Planner`, decision by decision."""

from falldamage_forge.playtest.core.loops import layout as L
from falldamage_forge.playtest.core.loops.inner import loop
from falldamage_forge.playtest.core.loops.keys import kind_in, name_in, spot_in, unit_in, way_in
from falldamage_forge.playtest.core.loops.lore import (
    danger_at,
    gait_of,
    make_room,
    nearest_foe,
    pushed,
    threat_row,
    usual_move,
)
from falldamage_forge.playtest.core.loops.units import effective_move, may_attack, unit
from falldamage_forge.playtest.core.loops.walk import ends
from falldamage_forge.playtest.core.loops.worths import (
    CALM_ROUND,
    CHEST,
    CLOSE,
    HIGH,
    KILL,
    action_worth,
    best_attack,
    hurt,
)

# -- surfaces --------------------------------------------------------------------------------------


@loop
def look(m, i, fear):
    """Take in who threatens what, for `place`; gives the fear that is left in this round."""
    left = fear * max(0.0, min(1.0, (CALM_ROUND + 8 - m[L.ROUND]) / 8))
    if left:
        make_room(m)
        for foe in range(m[L.N_UNITS]):
            at = unit(foe)
            if m[at + L.SPOT] >= 0 and m[at + L.SIDE] != m[unit(i) + L.SIDE]:
                m[L.THREAT_OF + foe] = threat_row(m, foe)
    return left


@loop
def place(m, i, spot, damage, fear, gait, move):
    """Worth of ending on a surface."""
    at = unit(i)
    worth = HIGH * (spot & 15) - 1.2 * damage
    for n in range(m[L.N_CHESTS]):
        if m[L.CHESTS + n] == spot:
            worth += CHEST
            break
    worth += CLOSE * -(nearest_foe(m, gait, m[at + L.SIDE], spot) / max(move, 1))
    if fear:
        danger = danger_at(m, m[at + L.SIDE], spot)
        worth -= fear * (danger + (KILL if danger >= m[at + L.HEALTH] else 0.0))
    return worth


@loop
def plan(m, i, fear):
    """What a unit would gain over staying where it is."""
    own = m[unit(i) + L.SPOT]
    ends(m, i, effective_move(m, i, L.NONE))
    left, gait, move = look(m, i, fear), gait_of(m, i), usual_move(m, i)
    fights = may_attack(m, i)
    stay = place(m, i, own, 0, left, gait, move)
    here = stay + (best_attack(m, i, own) if fights else 0.0)
    best, first = here, True
    for k in range(m[L.N_ENDS]):
        spot = m[L.ENDS + k]
        whole = place(m, i, spot, m[L.BEST + spot], left, gait, move)
        whole += best_attack(m, i, spot) if fights else 0.0
        if first or whole > best:
            best, first = whole, False
    return max(best, here) - stay


# -- decisions -------------------------------------------------------------------------------------


@loop
def plan_unit(m, fear):
    """The unit whose best plan gains most."""
    best, found = -1e9, m[L.MOVES]
    for n in range(m[L.N_MOVES]):
        key = m[L.MOVES + n]
        if kind_in(key) == L.K_UNIT:
            worth = plan(m, unit_in(key), fear)
            if worth > best:
                best, found = worth, key
    return found


@loop
def plan_step(m, fear):
    """The better of acting now and walking first."""
    i = m[L.ACTIVE]
    at = unit(i)
    best_act, act = 0.0, -1
    walks, end = 0, -1
    for n in range(m[L.N_MOVES]):
        key = m[L.MOVES + n]
        kind = kind_in(key)
        if kind == L.K_ACT:
            worth = action_worth(m, i, key)
            if act < 0 or worth > best_act or (worth == best_act and key < act):
                best_act, act = worth, key
        elif kind == L.K_MOVE:
            walks += 1
        else:
            end = key
    if walks == 0:
        return act if best_act > 0.05 else end
    left, gait, move = look(m, i, fear), gait_of(m, i), usual_move(m, i)
    stay = place(m, i, m[at + L.SPOT], 0, left, gait, move)
    fights = may_attack(m, i) and not m[at + L.ACTED]
    after, away, then, to = 0.0, -1, 0.0, -1
    for n in range(m[L.N_MOVES]):
        key = m[L.MOVES + n]
        if kind_in(key) != L.K_MOVE:
            continue
        spot = spot_in(key)
        worth = place(m, i, spot, m[L.BEST + spot], left, gait, move)
        if away < 0 or worth > after or (worth == after and key < away):
            after, away = worth, key
        worth += best_attack(m, i, spot) if fights else 0.0
        if to < 0 or worth > then or (worth == then and key < to):
            then, to = worth, key
    if m[at + L.ACTED]:
        return away if after > stay + 1e-9 else end
    if best_act > 0.05 and best_act + max(after, stay) >= then:
        return act
    if then > stay + 1e-9:
        return to
    return act if best_act > 0.05 else end


@loop
def plan_answer(m, fear):
    """A sensible answer to what treasure, traps and winds ask; -1: any."""
    at = L.STACK + (m[L.N_STACK] - 1) * L.TASK
    name, i = m[at], m[at + 1]
    if name == L.WIND:
        return plan_wind(m, i, m[at + 2], m[at + 3])
    if name == L.LAND:
        return plan_landing(m, m[unit(i) + L.SIDE] != m[at + 2])
    if name == L.ELIXIR:
        lost = m[unit(i) + L.FULL] - m[unit(i) + L.HEALTH]
        for n in range(m[L.N_MOVES]):
            heals = name_in(m[L.MOVES + n]) == L.M_HEAL
            if heals == (lost >= 4):
                return m[L.MOVES + n]
        return m[L.MOVES]
    if name == L.HAND_ON:
        return min(m[L.MOVES], m[L.MOVES + 1])
    if name == L.FREE_MOVE:
        left, gait, move = look(m, i, fear), gait_of(m, i), usual_move(m, i)
        best, found = 0.0, -1
        for n in range(m[L.N_MOVES]):
            key = m[L.MOVES + n]
            if spot_in(key) >= 0:
                worth = place(m, i, spot_in(key), 0, left, gait, move)
                if found < 0 or worth > best or (worth == best and key < found):
                    best, found = worth, key
        return found
    return -1


@loop
def plan_wind(m, decider, victims, tiles):
    """The wind that does most harm to enemies, or least to friends."""
    best, found = 0.0, -1
    for n in range(m[L.N_MOVES]):
        key, worth = m[L.MOVES + n], 0.0
        for i in range(m[L.N_UNITS]):
            if m[unit(i) + L.SPOT] < 0 or m[unit(i) + L.SIDE] != victims:
                continue
            fall, dead = pushed(m, i, way_in(key), tiles, 15, L.NO)
            worth += m[unit(i) + L.HEALTH] + KILL if dead else hurt(m, i, fall)
        better = worth > best if decider != victims else worth < best
        if found < 0 or better:
            best, found = worth, key
    return found


@loop
def plan_landing(m, low):
    """The lowest surface for an enemy, the highest for a friend."""
    found = -1
    for n in range(m[L.N_MOVES]):
        key = m[L.MOVES + n]
        level, best = spot_in(key) & 15, spot_in(found) & 15 if found >= 0 else 0
        better = level < best if low else level > best
        if found < 0 or better or (level == best and key < found):
            found = key
    return found


@loop
def plan_move(m, fear):
    """The move that gains most; -1: any."""
    if m[L.N_STACK] > 0:
        return plan_answer(m, fear)
    return plan_step(m, fear) if m[L.PHASE] == L.ACTIVATION else plan_unit(m, fear)

"""The bots that look one activation ahead: `bots.Planner`, decision by decision."""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import State
from falldamage_forge.games.fall_damage.engine.notation import (
    kind_in,
    name_in,
    spot2_in,
    spot_in,
    unit_in,
    way_in,
)
from falldamage_forge.games.fall_damage.engine.reachable import ends
from falldamage_forge.games.fall_damage.engine.unit_stats import carried, effective_move, may_attack
from falldamage_forge.playtest.core.columns import Bots
from falldamage_forge.playtest.core.lore import (
    danger_at,
    gait_of,
    make_room,
    nearest_foe,
    pushed,
    threat_row,
    usual_move,
)
from falldamage_forge.playtest.core.worths import (
    CALM_ROUND,
    CHEST,
    CLOSE,
    HIGH,
    KILL,
    action_worth,
    best_attack,
    hurt,
)


def look(s: State, bots: Bots, i: int, fear: float) -> float:
    """Take in who threatens what, for `place`; gives the fear that is left in this round."""
    left = fear * max(0.0, min(1.0, (CALM_ROUND + 8 - s.round) / 8))
    if left:
        make_room(s, bots)
        for foe in range(s.n_units):
            if s.spot[foe] >= 0 and s.side[foe] != s.side[i]:
                bots.threat_of[foe] = threat_row(s, bots, foe)
    return left


def place(
    s: State, bots: Bots, i: int, spot: int, damage: int, fear: float, gait: int, move: int
) -> float:
    """Worth of ending on a surface."""
    worth = HIGH * (spot & 15) - 1.2 * damage
    for n in range(s.n_chests):
        if s.chests[n] == spot:
            worth += CHEST
            break
    if spot == s.prize:
        worth += 2 * CHEST
    worth += CLOSE * -(nearest_foe(s, bots, gait, s.side[i], spot) / max(move, 1))
    if fear:
        danger = danger_at(s, bots, s.side[i], spot)
        worth -= fear * (danger + (KILL if danger >= s.health[i] else 0.0))
    return worth


def plan(s: State, bots: Bots, i: int, fear: float) -> float:
    """What a unit would gain over staying where it is."""
    own = s.spot[i]
    ends(s, i, carried(s, i, effective_move(s, i, C.NONE)))
    left, gait, move = look(s, bots, i, fear), gait_of(s, bots, i), usual_move(s, bots, i)
    fights = may_attack(s, i)
    stay = place(s, bots, i, own, 0, left, gait, move)
    here = stay + (best_attack(s, bots, i, own) if fights else 0.0)
    best, first = here, True
    for k in range(s.n_ends):
        spot = s.ends[k]
        whole = place(s, bots, i, spot, s.best[spot], left, gait, move)
        whole += best_attack(s, bots, i, spot) if fights else 0.0
        if first or whole > best:
            best, first = whole, False
    return max(best, here) - stay


def plan_unit(s: State, bots: Bots, fear: float) -> int:
    """The unit whose best plan gains most."""
    best, found = -1e9, s.moves[0]
    for n in range(s.n_moves):
        key = s.moves[n]
        if kind_in(key) == C.K_UNIT:
            worth = plan(s, bots, unit_in(key), fear)
            if worth > best:
                best, found = worth, key
    return found


def plan_step(s: State, bots: Bots, fear: float) -> int:
    """The better of acting now and walking first."""
    i = s.active
    best_act, act = 0.0, -1
    walks, end = 0, -1
    for n in range(s.n_moves):
        key = s.moves[n]
        kind = kind_in(key)
        if kind == C.K_ACT:
            worth = action_worth(s, bots, i, key)
            if act < 0 or worth > best_act or (worth == best_act and key < act):
                best_act, act = worth, key
        elif kind == C.K_MOVE:
            walks += 1
        elif kind == C.K_END:
            end = key
    if walks == 0:
        return act if best_act > 0.05 else end
    left, gait, move = look(s, bots, i, fear), gait_of(s, bots, i), usual_move(s, bots, i)
    stay = place(s, bots, i, s.spot[i], 0, left, gait, move)
    fights = may_attack(s, i) and not s.acted[i]
    after, away, then, to = 0.0, -1, 0.0, -1
    for n in range(s.n_moves):
        key = s.moves[n]
        if kind_in(key) != C.K_MOVE or spot2_in(key) >= 0:
            continue
        spot = spot_in(key)
        worth = place(s, bots, i, spot, s.best[spot], left, gait, move)
        if away < 0 or worth > after or (worth == after and key < away):
            after, away = worth, key
        worth += best_attack(s, bots, i, spot) if fights else 0.0
        if to < 0 or worth > then or (worth == then and key < to):
            then, to = worth, key
    if s.acted[i]:
        return away if after > stay + 1e-9 else end
    if best_act > 0.05 and best_act + max(after, stay) >= then:
        return act
    if then > stay + 1e-9:
        return to
    return act if best_act > 0.05 else end


def plan_answer(s: State, bots: Bots, fear: float) -> int:
    """A sensible answer to what treasure, traps and winds ask; -1: any."""
    at = s.n_stack - 1
    name, i = s.task[at], s.task_a[at]
    if name == C.WIND:
        return plan_wind(s, bots, i, s.task_b[at], s.task_c[at])
    if name == C.LAND:
        return plan_landing(s, bots, s.side[i] != s.task_b[at])
    if name == C.ELIXIR:
        lost = s.max_health[i] - s.health[i]
        for n in range(s.n_moves):
            heals = name_in(s.moves[n]) == C.M_HEAL
            if heals == (lost >= 4):
                return s.moves[n]
        return s.moves[0]
    if name == C.HAND_ON:
        return min(s.moves[0], s.moves[1])
    if name == C.FREE_MOVE:
        left, gait, move = look(s, bots, i, fear), gait_of(s, bots, i), usual_move(s, bots, i)
        best, found = 0.0, -1
        for n in range(s.n_moves):
            key = s.moves[n]
            if spot_in(key) >= 0:
                worth = place(s, bots, i, spot_in(key), 0, left, gait, move)
                if found < 0 or worth > best or (worth == best and key < found):
                    best, found = worth, key
        return found
    return -1


def plan_wind(s: State, bots: Bots, decider: int, victims: int, tiles: int) -> int:
    """The wind that does most harm to enemies, or least to friends."""
    best, found = 0.0, -1
    for n in range(s.n_moves):
        key, worth = s.moves[n], 0.0
        for i in range(s.n_units):
            if s.spot[i] < 0 or s.side[i] != victims:
                continue
            fall, dead = pushed(s, bots, i, way_in(key), tiles, 15, C.NO)
            worth += s.health[i] + KILL if dead else hurt(s, bots, i, fall)
        better = worth > best if decider != victims else worth < best
        if found < 0 or better:
            best, found = worth, key
    return found


def plan_landing(s: State, bots: Bots, low: int) -> int:
    """The lowest surface for an enemy, the highest for a friend."""
    found = -1
    for n in range(s.n_moves):
        key = s.moves[n]
        level, best = spot_in(key) & 15, spot_in(found) & 15 if found >= 0 else 0
        better = level < best if low else level > best
        if found < 0 or better or (level == best and key < found):
            found = key
    return found


def plan_move(s: State, bots: Bots, fear: float) -> int:
    """The move that gains most; -1: any."""
    if s.n_stack > 0:
        return plan_answer(s, bots, fear)
    return plan_step(s, bots, fear) if s.phase == C.ACTIVATION else plan_unit(s, bots, fear)

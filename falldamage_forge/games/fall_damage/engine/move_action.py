"""The Move of an activation."""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import State
from falldamage_forge.games.fall_damage.engine.effect_stack import owe
from falldamage_forge.games.fall_damage.engine.effects import harm, put, reap
from falldamage_forge.games.fall_damage.engine.notation import add, key_of
from falldamage_forge.games.fall_damage.engine.reachable import best_dive, ends, room_beside
from falldamage_forge.games.fall_damage.engine.surface_index import apart
from falldamage_forge.games.fall_damage.engine.unit_stats import effective_move, has, number


def list_ends(s: State, i: int, budget: int, kind: int) -> None:
    """A move for each end of a Move."""
    ends(s, i, budget)
    for k in range(s.n_ends):
        add(s, key_of(kind, C.M_MOVE, s.ends[k]))


def stride(s: State, i: int, goal: int, budget: int) -> None:
    """Walk to the end of a move: damage, Thorns, Top Ropes, entering effects."""
    ends(s, i, budget)
    damage, take_off, drop = s.best[goal], -1, 0
    if has(s, i, C.ROPES):
        take_off, drop, _ = best_dive(s, i, budget, goal, s.n_reached)
        damage = 0 if take_off >= 0 else damage
    end = goal
    if s.occupant[goal] >= 0:
        near = room_beside(s, goal, take_off)
        end = near if near >= 0 else s.spot[i]
    s.ends_of = -1
    put(s, i, end)
    harm(s, i, damage, C.BY_STEP, i)
    if s.thorns[i]:
        harm(s, i, 1, C.BY_OTHER, i)
    reap(s)
    owe(s, C.REST, i, 1)
    if has(s, i, C.ROPES) and drop > 0:
        owe(s, C.TOP_ROPES, i, goal, drop)


def top_ropes(s: State, i: int, landing: int, drop: int) -> None:
    """Wrestler: enemies on and beside the landing suffer twice the drop."""
    if s.spot[i] < 0:
        return
    for other in range(s.n_units):
        spot = s.spot[other]
        if spot < 0 or s.side[other] == s.side[i] or apart(spot, landing) > 1:
            continue
        if abs((spot & 15) - (landing & 15)) <= 1:
            harm(s, other, number(s, C.ROPES, C.A_AMOUNT) * drop, C.BY_DIVE, i)
    reap(s)


def free_budget(s: State, i: int, coin: int) -> int:
    """How far Adrenal Depletion's Move goes."""
    if coin < 0 and s.active == i:
        return s.move_now[i]
    return effective_move(s, i, coin)

"""Rounds, turns and activations."""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import State
from falldamage_forge.games.fall_damage.engine.effect_stack import note, owe
from falldamage_forge.games.fall_damage.engine.effects import end_promo, harm, heal, reap
from falldamage_forge.games.fall_damage.engine.notation import add, key_of
from falldamage_forge.games.fall_damage.engine.unit_stats import (
    effective_move,
    has,
    number,
    sung_to,
)
from falldamage_forge.games.fall_damage.engine.victory import stop_at_limit


def ready(s: State, i: int) -> bool:
    """Whether a unit may be activated in this round."""
    return s.spot[i] >= 0 and not s.activated[i] and s.ready_from[i] <= s.round


def any_ready(s: State, side: int) -> bool:
    """Whether a side has a unit to activate."""
    for i in range(s.n_units):
        if s.side[i] == side and ready(s, i):
            return True
    return False


def list_units(s: State) -> None:
    """Whom one may activate, and whether the turn may end."""
    s.n_moves = 0
    for i in range(s.n_units):
        if s.side[i] == s.to_act and ready(s, i):
            add(s, key_of(C.K_UNIT, C.M_UNIT, one=i))
    begun = s.left_in_turn < 2
    if (begun and not s.turn_size) or (not begun and s.pass_):
        add(s, key_of(C.K_END_TURN, C.M_END_TURN))


def choose_unit(s: State, i: int) -> None:
    """An activation begins."""
    s.active, s.phase = i, C.ACTIVATION
    s.moved[i], s.acted[i], s.used[i] = 0, 0, 0
    note(s, C.E_ACTIVATE, i)
    if has(s, i, C.UNGOVERNABLE):
        owe(s, C.COIN_MOVE, i)
    else:
        owe(s, C.BEGIN, i, C.NONE)


def begin(s: State, i: int, coin: int) -> None:
    """Promo ends; Move and Song are settled."""
    if has(s, i, C.PROMOTE):
        end_promo(s, i)
    s.song_now[i] = 1 if sung_to(s, i) else 0
    s.move_now[i] = effective_move(s, i, coin)


def end_activation(s: State) -> None:
    """The active unit is done, dead or alive."""
    at = s.active
    s.activated[at], s.vines[at] = 1, 0
    s.moved[at], s.acted[at], s.used[at] = 0, 0, 0
    s.move_now[at], s.song_now[at] = 0, 0
    s.last_actor = s.side[at]
    s.activations_this_round += 1
    s.left_in_turn -= 1
    s.active, s.phase = -1, C.CHOOSE
    if s.left_in_turn == 0 or not any_ready(s, s.to_act):
        next_turn(s)


def next_turn(s: State) -> None:
    """The other side's turn, or the same again, or a new round."""
    for k in range(2):
        side = 1 - s.to_act if k == 0 else s.to_act
        if any_ready(s, side):
            s.to_act, s.left_in_turn = side, 2
            return
    if s.round >= s.round_limit:
        stop_at_limit(s)
        return
    s.round += 1
    s.first = 1 - s.last_actor
    s.to_act, s.left_in_turn, s.activations_this_round = s.first, 2, 0
    note(s, C.E_ROUND, s.round)
    owe(s, C.FIRST_TURN)
    owe(s, C.JUDGE)
    owe(s, C.REFRESH)
    if s.round_start:
        owe(s, C.FOUNTAINS)
    owe(s, C.BITES)
    owe(s, C.MISTS)
    if not s.round_start:
        owe(s, C.FOUNTAINS)
    owe(s, C.CRUMBLING)
    owe(s, C.SONGS)


def round_task(s: State, name: int) -> None:
    """What a round begins with, one thing at a time."""
    for i in range(s.n_units):
        if name == C.SONGS:
            s.song_off[i] = 0
        elif name == C.REFRESH:
            s.activated[i] = 0
        elif s.spot[i] < 0:
            continue
        elif name == C.FOUNTAINS:
            if s.fountain[s.spot[i] >> 4]:
                heal(s, i, s.amounts[C.X_FOUNTAIN])
        elif name == C.MISTS:
            s.mist_rounds[i] += 1 if s.mist[i] else 0
        else:
            stab = number(s, C.STAB, C.A_AMOUNT) if s.syringe[i] else 0
            harm(s, i, stab + s.blood[i], C.BY_OTHER, C.NONE)
    if name == C.BITES:
        reap(s)

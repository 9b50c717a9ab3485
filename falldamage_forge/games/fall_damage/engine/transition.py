"""From one decision to the next: what is owed is done, then moves are listed."""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.abilities import act
from falldamage_forge.games.fall_damage.engine.area_attacks import wear_area
from falldamage_forge.games.fall_damage.engine.attack import counter_blow, shove_all, swap_tiles
from falldamage_forge.games.fall_damage.engine.columns import State
from falldamage_forge.games.fall_damage.engine.decisions import answer, list_question
from falldamage_forge.games.fall_damage.engine.destruction import wear
from falldamage_forge.games.fall_damage.engine.drafting import setup_task
from falldamage_forge.games.fall_damage.engine.effect_stack import owe
from falldamage_forge.games.fall_damage.engine.effects import harm, reap
from falldamage_forge.games.fall_damage.engine.falls import fall
from falldamage_forge.games.fall_damage.engine.hidden_items import rest, touch
from falldamage_forge.games.fall_damage.engine.legal_moves import list_actions
from falldamage_forge.games.fall_damage.engine.move_action import list_ends, stride, top_ropes
from falldamage_forge.games.fall_damage.engine.notation import (
    add,
    key_of,
    kind_in,
    name_in,
    unit_in,
)
from falldamage_forge.games.fall_damage.engine.push import push, push_spire
from falldamage_forge.games.fall_damage.engine.revival import revive
from falldamage_forge.games.fall_damage.engine.terrain_changes import (
    count_down,
    crumble,
    lays_bricks,
)
from falldamage_forge.games.fall_damage.engine.treasure import gain
from falldamage_forge.games.fall_damage.engine.turn_order import (
    any_ready,
    begin,
    choose_unit,
    end_activation,
    list_units,
    next_turn,
    round_task,
)
from falldamage_forge.games.fall_damage.engine.unit_stats import alive, carried
from falldamage_forge.games.fall_damage.engine.victory import judge


def run(s: State) -> None:
    """Do what is owed until nothing is, or until somebody or chance has to be asked."""
    while s.n_stack > 0 and s.lost == 0:
        at = s.n_stack - 1
        if s.task[at] >= C.QUESTIONS:
            list_question(s, at)
            if s.n_moves > 0:
                return
            s.n_stack -= 1
            continue
        s.n_stack -= 1
        do_task(
            s, s.task[at], s.task_a[at], s.task_b[at], s.task_c[at], s.task_d[at], s.task_e[at],
            s.task_f[at], s.task_g[at],
        )  # fmt: skip


def do_task(s: State, name: int, a: int, b: int, c: int, d: int, e: int, f: int, g: int) -> None:
    """One task."""
    if name == C.JUDGE:
        judge(s)
    elif name == C.FIRST_TURN:
        if s.phase != C.OVER and not any_ready(s, s.to_act):
            next_turn(s)
    elif name == C.CRUMBLING:
        count_down(s)
    elif name < C.BEGIN:
        round_task(s, name)
    elif name == C.BEGIN:
        begin(s, a, b)
    elif name == C.WALK:
        walk(s, a, b)
    elif name == C.ACT:
        act(s, a, b, c == 1)
    elif name == C.CRUMBLE:
        crumble(s, a)
    elif name == C.COUNTER_BLOW:
        counter_blow(s, a, b)
    elif name == C.PUSH_BY:
        if alive(s, a) or s.dead_pushers:
            owe(s, C.PUSH, b, c, d, e, f, g, a)
    elif name == C.SWAP_TILES:
        swap_tiles(s, a, b, c, d)
    elif name == C.SHOVE_ALL:
        shove_all(s, a, b, c, d, e, f)
    elif name == C.PUSH:
        push(s, a, b, c, d, e == 1, f, g)
    elif name == C.REST:
        rest(s, a, b)
    elif name == C.STILL:
        if s.spot[a] == b:
            touch(s, a, b, C.STILL)
    elif name == C.TOUCH:
        if alive(s, a):
            touch(s, a, b, C.TOUCH)
    elif name == C.DROP_UNIT:
        if fall(s, a, b, c):
            owe(s, C.REST, a, 0)
    elif name == C.WEAR_AREA:
        wear_area(s, a, b, c, d, e)
    elif name == C.BITE:
        harm(s, a, b, C.BY_OTHER, C.NONE)
        reap(s)
    elif name == C.OPEN:
        owe(s, C.ROLL, a, 0)
    elif name == C.GAIN:
        gain(s, a, b)
    elif name == C.TIRE:
        s.move_plus[a] -= b
    elif name == C.WEAR:
        wear(s, a, b, c, d == 1, e)
    elif name == C.PUSH_SPIRE:
        push_spire(s, a, b, c, d)
    elif name == C.TOP_ROPES:
        top_ropes(s, a, b, c)
    elif name == C.REVIVE:
        revive(s, a, b)
    else:
        setup_task(s, name, a)


def walk(s: State, i: int, key: int) -> None:
    """The Move of an activation; a rest of it may follow the Action (option `move_split`)."""
    whole = s.move_now[i]
    again = s.move_split == 1 and not s.acted[i] and s.moved[i] == 0
    cost = stride(s, i, key, carried(s, i, whole))
    s.moved[i] = 1 if again else 2
    if again:
        s.move_now[i] = max(whole - (2 * cost if s.carries[i] else cost), 0)


def list_steps(s: State) -> None:
    """Everything the active unit may do next."""
    i = s.active
    s.n_moves = 0
    may_move = s.moved[i] == 0 or (s.moved[i] == 1 and s.acted[i])
    if may_move and s.move_now[i] > 0:
        list_ends(s, i, carried(s, i, s.move_now[i]), C.K_MOVE)
    list_actions(s, i)
    if s.carries[i]:
        add(s, key_of(C.K_DROP, C.M_DROP))
    elif s.prize >= 0 and s.prize == s.spot[i]:
        add(s, key_of(C.K_TAKE, C.M_TAKE))
    add(s, key_of(C.K_END, C.M_END))


def list_moves(s: State) -> None:
    """List every legal move where somebody has to decide."""
    s.n_moves = 0
    if s.phase == C.OVER:
        return
    if s.n_stack > 0:
        list_question(s, s.n_stack - 1)
    elif s.phase == C.ACTIVATION:
        list_steps(s)
    else:
        list_units(s)


def settle(s: State) -> None:
    """Go on until somebody has to decide; `MOVES` lists what there is then."""
    while s.phase != C.OVER:
        run(s)
        if s.lost:
            return
        if s.n_stack == 0:
            s.ends_of = -1
        if s.n_stack > 0 or s.phase != C.ACTIVATION:
            if s.n_stack == 0 and s.phase == C.CHOOSE:
                list_units(s)
            return
        if not alive(s, s.active):
            end_activation(s)
            continue
        list_steps(s)
        if s.lost or s.n_moves > 1 or s.auto_end:
            return
        end_activation(s)


def advance(s: State, key: int) -> None:
    """Make a legal move."""
    kind = kind_in(key)
    if kind != C.K_MOVE and kind != C.K_FREE:
        s.ends_of = -1
    if s.n_stack > 0:
        s.n_stack -= 1
        answer(s, s.n_stack, key)
    elif s.phase == C.ACTIVATION:
        if kind == C.K_END:
            end_activation(s)
        else:
            begin_step(s, kind, key)
    elif kind == C.K_END_TURN:
        next_turn(s)
    else:
        choose_unit(s, unit_in(key))
    settle(s)


def begin_step(s: State, kind: int, key: int) -> None:
    """Start what a move of an activation says."""
    i = s.active
    owe(s, C.JUDGE)
    if kind == C.K_MOVE:
        owe(s, C.WALK, i, key)
        return
    if kind == C.K_TAKE:
        s.carries[i], s.prize = 1, -1
        return
    if kind == C.K_DROP:
        s.carries[i], s.prize = 0, s.spot[i]
        return
    ability = C.ABILITY_OF[name_in(key)]
    if ability >= 0 and s.free_actions >> ability & 1:
        s.used[i] |= 1 << ability
    else:
        s.acted[i] = 1
    laid = s.crumble == C.CRUMBLE_ANY and lays_bricks(s, i)
    owe(s, C.ACT, i, key, 1 if laid else 0)
    if laid:
        owe(s, C.CRUMBLE, i)

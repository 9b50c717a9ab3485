"""Transition function: apply a move, resolve the effect stack, list the next legal moves.

Rounds, turns and activations; the victory check and the end of the game; the setup of a new game.
"""

from falldamage_forge.games.fall_damage.engine import (
    attack,
    effects,
    notation,
    terrain_changes,
    unit_stats,
)
from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.abilities import act
from falldamage_forge.games.fall_damage.engine.columns import StateColumns
from falldamage_forge.games.fall_damage.engine.decisions import answer, list_question
from falldamage_forge.games.fall_damage.engine.drafting import add_pick, setup_task
from falldamage_forge.games.fall_damage.engine.falls import damage_structure, fall
from falldamage_forge.games.fall_damage.engine.hidden_items import resolve_landing, trigger_surface
from falldamage_forge.games.fall_damage.engine.legal_moves import list_actions
from falldamage_forge.games.fall_damage.engine.move_action import execute_move, list_ends, top_ropes
from falldamage_forge.games.fall_damage.engine.push import push, push_spire
from falldamage_forge.games.fall_damage.engine.revival import blank_unit, revive
from falldamage_forge.games.fall_damage.engine.terrain_state import rebuild, restore
from falldamage_forge.games.fall_damage.engine.treasure import apply_treasure


def end_game(s: StateColumns, result: int) -> None:
    """End the game with a result.

    Args:
        s: State of the game; changed.
        result: The result, such as `codes.RED_WINS`.
    """
    s.phase, s.result, s.n_stack = C.OVER, result, 0
    effects.emit_event(s, C.E_OVER, result)


def check_victory(s: StateColumns) -> None:
    """End the game if a side has won or no unit is left."""
    if s.phase == C.OVER:
        return
    home = brought_home(s)
    if home >= 0:
        end_game(s, C.RED_WINS + home)
        return
    left = 0
    for i in range(s.n_units):
        if s.spot[i] >= 0:
            left |= 1 << s.side[i]
    if left == 1 or left == 2:
        end_game(s, C.RED_WINS if left == 1 else C.BLUE_WINS)
    elif left == 0:
        actor = s.side[s.active] if s.active >= 0 else s.last_actor
        if s.double_end == C.DOUBLE_DRAW or actor < 0:
            end_game(s, C.DRAW)
        else:
            end_game(s, C.RED_WINS + (actor if s.double_end == C.ACTOR_WINS else 1 - actor))


def brought_home(s: StateColumns) -> int:
    """Return the side whose carrier stands in its winning zone; -1: none."""
    if s.win == C.ELIMINATION:
        return -1
    for i in range(s.n_units):
        if s.spot[i] >= 0 and s.carries[i]:
            zone = s.side[i] if s.win == C.ROYAL_ICON else 1 - s.side[i]
            first = 0 if zone == 0 else s.n_zone_red
            for n in range(first, first + (s.n_zone_red if zone == 0 else s.n_zone_blue)):
                if s.zone_spots[n] == s.spot[i]:
                    return s.side[i]
    return -1


def stop_at_limit(s: StateColumns) -> None:
    """End the game after the last round (option `at_limit`)."""
    if s.at_limit == C.LIMIT_UNFINISHED:
        end_game(s, C.UNFINISHED)
        return
    red, blue = 0, 0
    for i in range(s.n_units):
        if s.spot[i] >= 0:
            worth = 1 if s.at_limit == C.LIMIT_UNITS else s.health[i]
            red += worth if s.side[i] == 0 else 0
            blue += worth if s.side[i] == 1 else 0
    if red == blue:
        end_game(s, C.DRAW)
    else:
        end_game(s, C.RED_WINS if red > blue else C.BLUE_WINS)


def ready(s: StateColumns, i: int) -> bool:
    """True if a unit may be activated in this round.

    Args:
        s: State of the game; read only.
        i: Index of the unit.
    """
    return s.spot[i] >= 0 and not s.activated[i] and s.ready_from[i] <= s.round


def any_ready(s: StateColumns, side: int) -> bool:
    """True if a side has a unit to activate.

    Args:
        s: State of the game; read only.
        side: 0 red, 1 blue.
    """
    for i in range(s.n_units):
        if s.side[i] == side and ready(s, i):
            return True
    return False


def list_units(s: StateColumns) -> None:
    """List the units that may be activated, and the end of the turn if it is legal."""
    s.n_moves = 0
    for i in range(s.n_units):
        if s.side[i] == s.to_act and ready(s, i):
            notation.append_move(s, notation.key_of(C.K_UNIT, C.M_UNIT, one=i))
    begun = s.left_in_turn < s.turn_units
    if (begun and not s.turn_size) or (not begun and s.pass_):
        notation.append_move(s, notation.key_of(C.K_END_TURN, C.M_END_TURN))


def choose_unit(s: StateColumns, i: int) -> None:
    """Begin an activation.

    Args:
        s: State of the game; changed.
        i: Index of the unit.
    """
    s.active, s.phase = i, C.ACTIVATION
    s.moved[i], s.acted[i], s.used[i] = 0, 0, 0
    effects.emit_event(s, C.E_ACTIVATE, i)
    if unit_stats.has_ability(s, i, C.UNGOVERNABLE):
        effects.push_task(s, C.COIN_MOVE, i)
    else:
        effects.push_task(s, C.BEGIN, i, C.NONE)


def begin(s: StateColumns, i: int, coin: int) -> None:
    """Resolve the beginning of an activation: end its Promo, fix its Move and Song.

    Args:
        s: State of the game; changed.
        i: Index of the unit.
        coin: The Beast's Move by its coin; -1 for none.
    """
    if unit_stats.has_ability(s, i, C.PROMOTE):
        effects.end_promo(s, i)
    s.song_now[i] = 1 if unit_stats.hears_song(s, i) else 0
    s.move_now[i] = unit_stats.effective_move(s, i, coin)


def end_activation(s: StateColumns) -> None:
    """End the activation of the active unit, dead or alive."""
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


def next_turn(s: StateColumns) -> None:
    """Begin the next turn: the other side's, the same side's, or a new round."""
    for k in range(2):
        side = 1 - s.to_act if k == 0 else s.to_act
        if any_ready(s, side):
            s.to_act, s.left_in_turn = side, s.turn_units
            return
    if s.round >= s.round_limit:
        stop_at_limit(s)
        return
    s.round += 1
    s.first = 1 - s.last_actor
    s.to_act, s.left_in_turn, s.activations_this_round = s.first, s.turn_units, 0
    effects.emit_event(s, C.E_ROUND, s.round)
    effects.push_task(s, C.FIRST_TURN)
    effects.push_task(s, C.JUDGE)
    effects.push_task(s, C.REFRESH)
    if s.round_start:
        effects.push_task(s, C.FOUNTAINS)
    effects.push_task(s, C.BITES)
    effects.push_task(s, C.MISTS)
    if not s.round_start:
        effects.push_task(s, C.FOUNTAINS)
    effects.push_task(s, C.CRUMBLING)
    effects.push_task(s, C.SONGS)


def round_task(s: StateColumns, name: int) -> None:
    """Resolve one step of a round's start.

    Args:
        s: State of the game; changed.
        name: The step, such as `codes.FOUNTAINS`.
    """
    for i in range(s.n_units):
        if name == C.SONGS:
            s.song_off[i] = 0
        elif name == C.REFRESH:
            s.activated[i] = 0
        elif s.spot[i] < 0:
            continue
        elif name == C.FOUNTAINS:
            if s.fountain[s.spot[i] >> 4]:
                effects.heal(s, i, s.amounts[C.X_FOUNTAIN])
        elif name == C.MISTS:
            s.mist_rounds[i] += 1 if s.mist[i] else 0
        else:
            stab = unit_stats.number(s, C.STAB, C.A_AMOUNT) if s.syringe[i] else 0
            effects.deal_damage(s, i, stab + s.blood[i], C.BY_OTHER, C.NONE)
    if name == C.BITES:
        effects.remove_dead(s)


def resolve_stack(s: StateColumns) -> None:
    """Resolve pending tasks until the stack is empty or a decision is on top."""
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


def do_task(
    s: StateColumns, name: int, a: int, b: int, c: int, d: int, e: int, f: int, g: int
) -> None:
    """Resolve one task.

    Args:
        s: State of the game; changed.
        name: The task, such as `codes.REST`.
        a: First value of the task; `name_tables.TASKS` describes the values of each task.
        b: Second value.
        c: Third value.
        d: Fourth value.
        e: Fifth value.
        f: Sixth value.
        g: Seventh value.
    """
    if name == C.JUDGE:
        check_victory(s)
    elif name == C.FIRST_TURN:
        if s.phase != C.OVER and not any_ready(s, s.to_act):
            next_turn(s)
    elif name == C.CRUMBLING:
        terrain_changes.count_down(s)
    elif name < C.BEGIN:
        round_task(s, name)
    elif name == C.BEGIN:
        begin(s, a, b)
    elif name == C.WALK:
        walk(s, a, b)
    elif name == C.ACT:
        act(s, a, b, c == 1)
    elif name == C.CRUMBLE:
        terrain_changes.remove_bricks(s, a)
    elif name == C.COUNTER_BLOW:
        attack.counter_blow(s, a, b)
    elif name == C.PUSH_BY:
        if unit_stats.alive(s, a) or s.dead_pushers:
            effects.push_task(s, C.PUSH, b, c, d, e, f, g, a)
    elif name == C.SWAP_TILES:
        attack.swap_tiles(s, a, b, c, d)
    elif name == C.SHOVE_ALL:
        attack.shove_all(s, a, b, c, d, e, f)
    elif name == C.PUSH:
        push(s, a, b, c, d, e == 1, f, g)
    elif name == C.REST:
        resolve_landing(s, a, b)
    elif name == C.STILL:
        if s.spot[a] == b:
            trigger_surface(s, a, b, C.STILL)
    elif name == C.TOUCH:
        if unit_stats.alive(s, a):
            trigger_surface(s, a, b, C.TOUCH)
    elif name == C.DROP_UNIT:
        if fall(s, a, b, c):
            effects.push_task(s, C.REST, a, 0)
    elif name == C.WEAR_AREA:
        attack.wear_area(s, a, b, c, d, e)
    elif name == C.BITE:
        effects.deal_damage(s, a, b, C.BY_OTHER, C.NONE)
        effects.remove_dead(s)
    elif name == C.OPEN:
        effects.push_task(s, C.ROLL, a, 0)
    elif name == C.GAIN:
        apply_treasure(s, a, b)
    elif name == C.TIRE:
        s.move_plus[a] -= b
    elif name == C.WEAR:
        damage_structure(s, a, b, c, d == 1, e)
    elif name == C.PUSH_SPIRE:
        push_spire(s, a, b, c, d)
    elif name == C.TOP_ROPES:
        top_ropes(s, a, b, c)
    elif name == C.REVIVE:
        revive(s, a, b)
    else:
        setup_task(s, name, a)


def walk(s: StateColumns, i: int, key: int) -> None:
    """Resolve the Move of an activation; the rest may follow the Action (option `move_split`).

    Args:
        s: State of the game; changed.
        i: Index of the unit.
        key: Number of the move (`notation`).
    """
    whole = s.move_now[i]
    again = s.move_split == 1 and not s.acted[i] and s.moved[i] == 0
    cost = execute_move(s, i, key, unit_stats.halve_if_carrying(s, i, whole))
    s.moved[i] = 1 if again else 2
    if again:
        s.move_now[i] = max(whole - (2 * cost if s.carries[i] else cost), 0)


def list_steps(s: StateColumns) -> None:
    """List the legal moves of the active unit."""
    i = s.active
    s.n_moves = 0
    may_move = s.moved[i] == 0 or (s.moved[i] == 1 and s.acted[i])
    if may_move and s.move_now[i] > 0:
        list_ends(s, i, unit_stats.halve_if_carrying(s, i, s.move_now[i]), C.K_MOVE)
    list_actions(s, i)
    if s.carries[i]:
        notation.append_move(s, notation.key_of(C.K_DROP, C.M_DROP))
    elif s.prize >= 0 and s.prize == s.spot[i]:
        notation.append_move(s, notation.key_of(C.K_TAKE, C.M_TAKE))
    notation.append_move(s, notation.key_of(C.K_END, C.M_END))


def list_moves(s: StateColumns) -> None:
    """List every legal move of the current player."""
    s.n_moves = 0
    if s.phase == C.OVER:
        return
    if s.n_stack > 0:
        list_question(s, s.n_stack - 1)
    elif s.phase == C.ACTIVATION:
        list_steps(s)
    else:
        list_units(s)


def run_until_decision(s: StateColumns) -> None:
    """Resolve effects until a player or chance has to decide; list the legal moves."""
    while s.phase != C.OVER:
        resolve_stack(s)
        if s.lost:
            return
        if s.n_stack == 0:
            s.ends_of = -1
        if s.n_stack > 0 or s.phase != C.ACTIVATION:
            if s.n_stack == 0 and s.phase == C.CHOOSE:
                list_units(s)
            return
        if not unit_stats.alive(s, s.active):
            end_activation(s)
            continue
        list_steps(s)
        if s.lost or s.n_moves > 1 or s.auto_end:
            return
        end_activation(s)


def advance(s: StateColumns, key: int) -> None:
    """Apply a legal move and resolve its effects up to the next decision.

    Args:
        s: State of the game with pending legal moves; changed.
        key: A legal move; it is not checked.
    """
    kind = notation.kind_in(key)
    if kind != C.K_MOVE and kind != C.K_FREE:
        s.ends_of = -1
    if s.n_stack > 0:
        s.n_stack -= 1
        answer(s, s.n_stack, key)
    elif s.phase == C.ACTIVATION:
        if kind == C.K_END:
            end_activation(s)
        else:
            apply_step_move(s, kind, key)
    elif kind == C.K_END_TURN:
        next_turn(s)
    else:
        choose_unit(s, notation.unit_in(key))
    run_until_decision(s)


def apply_step_move(s: StateColumns, kind: int, key: int) -> None:
    """Stack the effects of a move of an activation.

    Args:
        s: State of the game; changed.
        kind: Kind of the move, such as `codes.K_ACT`.
        key: Number of the move (`notation`).
    """
    i = s.active
    effects.push_task(s, C.JUDGE)
    if kind == C.K_MOVE:
        effects.push_task(s, C.WALK, i, key)
        return
    if kind == C.K_TAKE:
        s.carries[i], s.prize = 1, -1
        return
    if kind == C.K_DROP:
        s.carries[i], s.prize = 0, s.spot[i]
        return
    ability = C.ABILITY_OF[notation.name_in(key)]
    if ability >= 0 and s.free_actions >> ability & 1:
        s.used[i] |= 1 << ability
    else:
        s.acted[i] = 1
    laid = s.crumble == C.CRUMBLE_ANY and terrain_changes.lays_bricks(s, i)
    effects.push_task(s, C.ACT, i, key, 1 if laid else 0)
    if laid:
        effects.push_task(s, C.CRUMBLE, i)


def new_game(s: StateColumns) -> None:
    """Reset the state to the first decision of a game: the coin.

    Given teams and placements are not decided again.
    """
    restore(s)
    rebuild(s)
    for i in range(s.n_units):
        if s.spot[i] >= 0:
            s.occupant[s.spot[i]] = -1
    s.lost, s.ends_of, s.n_events = 0, -1, 0
    s.round, s.first, s.to_act, s.left_in_turn = 1, 0, 0, s.turn_units
    s.activations_this_round = 0
    s.last_actor, s.active, s.result, s.reversal_round = -1, -1, 0, 0
    s.raised[0], s.raised[1], s.seats[0], s.seats[1] = 0, 0, 0, 1
    s.n_stack, s.n_hidden, s.n_bodies, s.n_zones, s.n_bricks = 0, 0, 0, 0, 0
    s.prize, s.phase = s.laid_prize, C.SETUP
    s.n_chests = s.laid
    for n in range(s.laid):
        s.chests[n] = s.laid_chests[n]
    s.n_units, s.n_picks[0], s.n_picks[1] = 0, 0, 0
    for side in range(2):
        for _ in range(s.n_team[side]):
            blank_unit(s, s.n_units, side, -1)
            s.n_units += 1
    for n in range(s.n_teams):
        add_pick(s, s.team_side[n], s.team_card[n])
    effects.push_task(s, C.START)
    effects.push_task(s, C.SETTLE_ALL)
    effects.push_task(s, C.SKELETONS, 1)
    effects.push_task(s, C.SKELETONS, 0)
    effects.push_task(s, C.PLACE_NEXT, s.placed)
    effects.push_task(s, C.DRAFT_NEXT)
    effects.push_task(s, C.TOSS)
    run_until_decision(s)


def open_game(s: StateColumns, first: int) -> None:
    """Start a game whose coin has fallen.

    Args:
        s: State of a match; changed.
        first: 0 heads, 1 tails.
    """
    new_game(s)
    advance(s, notation.key_of(C.K_CHANCE, C.M_COIN, word=s.chance_words[6 + first]))

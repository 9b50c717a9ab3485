"""Decisions on the effect stack: their legal answers, their effects, and the current player."""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine import effects, move_action, notation, treasure
from falldamage_forge.games.fall_damage.engine.columns import StateColumns
from falldamage_forge.games.fall_damage.engine.drafting import answer_setup, list_setup
from falldamage_forge.games.fall_damage.engine.hidden_items import land, list_landings
from falldamage_forge.games.fall_damage.engine.unit_stats import alive, number


def list_question(s: StateColumns, at: int) -> None:
    """List the answers to the decision on top of the stack; no answer cancels it.

    Args:
        s: State of the game; only work columns change.
        at: Index of the decision in the task columns.
    """
    name, i, b = s.task[at], s.task_a[at], s.task_b[at]
    s.n_moves = 0
    if name == C.COIN_MOVE or (name == C.FREE_COIN and alive(s, i)):
        notation.append_move(s, notation.key_of(C.K_CHANCE, C.M_COIN, word=s.chance_words[6]))
        notation.append_move(s, notation.key_of(C.K_CHANCE, C.M_COIN, word=s.chance_words[7]))
    elif name == C.ROLL or name == C.BOX:
        for n in range(6):
            notation.append_move(s, notation.key_of(C.K_CHANCE, C.M_DIE, word=s.chance_words[n]))
    elif name == C.WIND:
        for other in range(s.n_units):
            if alive(s, other) and s.side[other] == b:
                for way in range(4):
                    notation.append_move(s, notation.key_of(C.K_WIND, C.M_WIND, way=way))
                break
    elif name >= C.TOSS:
        list_setup(s, name, i)
    elif name == C.MAY_PUSH:
        notation.append_move(s, notation.key_of(C.K_CHOICE, C.M_PUSH))
        notation.append_move(s, notation.key_of(C.K_CHOICE, C.M_NO_PUSH))
    elif not alive(s, i):
        return
    elif name == C.HAND_ON:
        to = treasure.nearest_beneficiary(s, i, treasure.result_row(b))
        if to >= 0:
            notation.append_move(s, notation.key_of(C.K_HAND, C.M_HAND_ON, one=to))
            notation.append_move(s, notation.key_of(C.K_HAND, C.M_KEEP))
    elif name == C.ELIXIR:
        notation.append_move(s, notation.key_of(C.K_CHOICE, C.M_TOTAL))
        if s.health[i] < s.max_health[i] or s.empty_actions:
            notation.append_move(s, notation.key_of(C.K_CHOICE, C.M_HEAL))
    elif name == C.FREE_MOVE:
        move_action.list_ends(s, i, move_action.free_budget(s, i, b), C.K_FREE)
        notation.append_move(s, notation.key_of(C.K_FREE, C.M_STAY))
    elif name == C.LAND:
        list_landings(s, i, s.task_c[at])
    else:
        treasure.list_choice(s, name, i, b, s.task_c[at])


def answer(s: StateColumns, at: int, key: int) -> None:
    """Resolve an answer to a decision that the caller has popped from the stack.

    Args:
        s: State of the game; changed.
        at: Index of the popped decision in the task columns.
        key: The answer.
    """
    name, i, b, c = s.task[at], s.task_a[at], s.task_b[at], s.task_c[at]
    word = notation.word_in(key)
    if name >= C.TOSS:
        answer_setup(s, name, i, key)
    elif name == C.COIN_MOVE or name == C.FREE_COIN:
        heads = word == s.chance_words[6]
        coin = number(s, C.UNGOVERNABLE, C.A_HEADS if heads else C.A_TAILS)
        effects.push_task(s, C.BEGIN if name == C.COIN_MOVE else C.FREE_MOVE, i, coin)
    elif name == C.ROLL:
        rolled = notation.decode_word(s, word)
        if b == 0:
            effects.push_task(s, C.ROLL, i, rolled)
        else:
            if s.table_order:
                rolled = C.COLUMN_ORDER[rolled - 1]
            effects.emit_event(s, C.E_TREASURE, i, b * 10 + rolled)
            effects.push_task(s, C.GAIN, i, b * 10 + rolled)
    elif name == C.BOX:
        if notation.decode_word(s, word) <= s.amounts[C.X_BOX]:
            effects.deal_damage(s, i, b, C.BY_OTHER, C.NONE)
            effects.remove_dead(s)
        else:
            effects.push_task(s, C.ELIXIR, i)
    elif name == C.WIND:
        effects.emit_event(s, C.E_WIND, b, notation.way_in(key))
        treasure.blow_wind(s, b, notation.way_in(key), c)
    elif name == C.HAND_ON:
        if notation.name_in(key) == C.M_HAND_ON:
            s.acted[i] = 1
            treasure.take_effect(s, notation.unit_in(key), treasure.result_row(b))
    elif name == C.ELIXIR:
        effects.gain_max_health(s, i, notation.name_in(key) == C.M_HEAL)
    elif name == C.MAY_PUSH:
        if notation.name_in(key) == C.M_NO_PUSH:
            s.n_stack -= 1
    elif name == C.FREE_MOVE:
        if notation.name_in(key) == C.M_MOVE:
            move_action.execute_move(s, i, key, move_action.free_budget(s, i, b))
    elif name == C.LAND:
        land(s, i, notation.spot_in(key), c, s.task_d[at])
    else:
        treasure.choose(s, name, i, b, c, key)


def chooser(s: StateColumns) -> int:
    """Return the current player: a side, or -1 for a chance node."""
    if s.n_stack == 0:
        return s.to_act
    at = s.n_stack - 1
    name = s.task[at]
    if name == C.COIN_MOVE or name == C.ROLL or name == C.BOX or name == C.FREE_COIN:
        return -1
    if name == C.TOSS:
        return -1
    if name == C.CHOOSE_SIDE or name == C.PICK or name == C.WIND:
        return s.task_a[at]
    if name == C.LAND:
        return s.task_b[at]
    return s.side[s.task_a[at]]

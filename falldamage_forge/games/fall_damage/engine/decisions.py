"""The questions there are: their answers, what an answer does, whose they are."""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import State
from falldamage_forge.games.fall_damage.engine.drafting import answer_setup, list_setup
from falldamage_forge.games.fall_damage.engine.effect_stack import note, owe
from falldamage_forge.games.fall_damage.engine.effects import drink, harm, reap
from falldamage_forge.games.fall_damage.engine.hidden_items import land, list_landings
from falldamage_forge.games.fall_damage.engine.move_action import free_budget, list_ends, stride
from falldamage_forge.games.fall_damage.engine.notation import (
    add,
    key_of,
    meaning,
    name_in,
    spot_in,
    unit_in,
    way_in,
    word_in,
)
from falldamage_forge.games.fall_damage.engine.treasure import (
    blow_wind,
    heir,
    result_row,
    take_effect,
)
from falldamage_forge.games.fall_damage.engine.treasure_choices import choose, list_choice
from falldamage_forge.games.fall_damage.engine.unit_stats import alive, number


def list_question(s: State, at: int) -> None:
    """List the answers to the question on top; none: it falls away."""
    name, i, b = s.task[at], s.task_a[at], s.task_b[at]
    s.n_moves = 0
    if name == C.COIN_MOVE or (name == C.FREE_COIN and alive(s, i)):
        add(s, key_of(C.K_CHANCE, C.M_COIN, word=s.chance_words[6]))
        add(s, key_of(C.K_CHANCE, C.M_COIN, word=s.chance_words[7]))
    elif name == C.ROLL or name == C.BOX:
        for n in range(6):
            add(s, key_of(C.K_CHANCE, C.M_DIE, word=s.chance_words[n]))
    elif name == C.WIND:
        for other in range(s.n_units):
            if alive(s, other) and s.side[other] == b:
                for way in range(4):
                    add(s, key_of(C.K_WIND, C.M_WIND, way=way))
                break
    elif name >= C.TOSS:
        list_setup(s, name, i)
    elif name == C.MAY_PUSH:
        add(s, key_of(C.K_CHOICE, C.M_PUSH))
        add(s, key_of(C.K_CHOICE, C.M_NO_PUSH))
    elif not alive(s, i):
        return
    elif name == C.HAND_ON:
        to = heir(s, i, result_row(b))
        if to >= 0:
            add(s, key_of(C.K_HAND, C.M_HAND_ON, one=to))
            add(s, key_of(C.K_HAND, C.M_KEEP))
    elif name == C.ELIXIR:
        add(s, key_of(C.K_CHOICE, C.M_TOTAL))
        if s.health[i] < s.max_health[i] or s.empty_actions:
            add(s, key_of(C.K_CHOICE, C.M_HEAL))
    elif name == C.FREE_MOVE:
        list_ends(s, i, free_budget(s, i, b), C.K_FREE)
        add(s, key_of(C.K_FREE, C.M_STAY))
    elif name == C.LAND:
        list_landings(s, i, s.task_c[at])
    else:
        list_choice(s, name, i, b, s.task_c[at])


def answer(s: State, at: int, key: int) -> None:
    """Do what an answer to the question on top says; the question is taken off before."""
    name, i, b, c = s.task[at], s.task_a[at], s.task_b[at], s.task_c[at]
    word = word_in(key)
    if name >= C.TOSS:
        answer_setup(s, name, i, key)
    elif name == C.COIN_MOVE or name == C.FREE_COIN:
        heads = word == s.chance_words[6]
        coin = number(s, C.UNGOVERNABLE, C.A_HEADS if heads else C.A_TAILS)
        owe(s, C.BEGIN if name == C.COIN_MOVE else C.FREE_MOVE, i, coin)
    elif name == C.ROLL:
        rolled = meaning(s, word)
        if b == 0:
            owe(s, C.ROLL, i, rolled)
        else:
            if s.table_order:
                rolled = C.COLUMN_ORDER[rolled - 1]
            note(s, C.E_TREASURE, i, b * 10 + rolled)
            owe(s, C.GAIN, i, b * 10 + rolled)
    elif name == C.BOX:
        if meaning(s, word) <= 3:
            harm(s, i, b, C.BY_OTHER, C.NONE)
            reap(s)
        else:
            owe(s, C.ELIXIR, i)
    elif name == C.WIND:
        note(s, C.E_WIND, b, way_in(key))
        blow_wind(s, b, way_in(key), c)
    elif name == C.HAND_ON:
        if name_in(key) == C.M_HAND_ON:
            s.acted[i] = 1
            take_effect(s, unit_in(key), result_row(b))
    elif name == C.ELIXIR:
        drink(s, i, name_in(key) == C.M_HEAL)
    elif name == C.MAY_PUSH:
        if name_in(key) == C.M_NO_PUSH:
            s.n_stack -= 1
    elif name == C.FREE_MOVE:
        if name_in(key) == C.M_MOVE:
            stride(s, i, key, free_budget(s, i, b))
    elif name == C.LAND:
        land(s, i, spot_in(key), c, s.task_d[at])
    else:
        choose(s, name, i, b, c, key)


def chooser(s: State) -> int:
    """Who decides next: a side, or -1 for chance."""
    if s.n_stack == 0:
        return s.to_act
    at = s.n_stack - 1
    name = s.task[at]
    if name == C.COIN_MOVE or name == C.ROLL or name == C.BOX or name == C.FREE_COIN:
        return -1
    if name == C.TOSS:
        return -1
    if name == C.CHOOSE_SIDE or name == C.PICK:
        return s.task_a[at]
    if name == C.WIND:
        return s.task_a[at]
    if name == C.LAND:
        return s.task_b[at]
    return s.side[s.task_a[at]]

"""The two functions a program plays with: `legal(state)` and `apply(state, move)`.

`advance` does what `apply` does to the state itself, for play-outs that keep no history.
"""

from __future__ import annotations

from falldamage_forge.games.fall_damage.play import (
    abilities,
    choices,
    effects,
    hidden,
    items,
    setup,
    stride,
    strike,
    terrain,
    treasure,
)
from falldamage_forge.games.fall_damage.play.activation import begin_step, step_moves
from falldamage_forge.games.fall_damage.play.moves import Move, in_order
from falldamage_forge.games.fall_damage.play.state import State
from falldamage_forge.games.fall_damage.play.tasks import QUESTIONS, run
from falldamage_forge.games.fall_damage.play.turn import (
    choose_unit,
    end_activation,
    next_turn,
    unit_moves,
)

TASK_ROOMS = (abilities, choices, effects, hidden, items, setup, stride, strike, terrain, treasure)
"""Imported so that their tasks and questions are registered."""
CHANCE = -1


def legal(state: State) -> list[Move]:
    """Every move there is, sorted; empty only when the game is over."""
    if state.legal is None:
        state.legal = _moves(state)
    return state.legal


def _moves(state: State) -> list[Move]:
    if state.phase == "over":
        return []
    if state.pending:
        name, *values = state.pending[-1]
        return in_order(QUESTIONS[name][0](state, *values))
    if state.phase == "activation":
        return step_moves(state)
    return unit_moves(state)


def chooser(state: State) -> int:
    """Who decides next: a side, or CHANCE."""
    if state.pending:
        name, *values = state.pending[-1]
        return QUESTIONS[name][2](state, *values)
    return state.to_act


def node(state: State) -> str:
    """The kind of node: `over`, the question's name, `step` or `unit`."""
    if state.phase == "over":
        return "over"
    if state.pending:
        return str(state.pending[-1][0])
    return "step" if state.phase == "activation" else "unit"


def begin(state: State) -> State:
    """Bring a new state to its first node."""
    settle(state)
    return state


def apply(state: State, move: Move) -> State:
    """The state after a legal move; the given one stays as it is."""
    after = state.copy()
    advance(after, move)
    return after


def advance(state: State, move: Move) -> None:
    """Make a legal move on the state itself."""
    state.legal = None
    if move.kind not in ("move", "free"):
        state.reach = None
    if state.pending:
        name, *values = state.pending.pop()
        QUESTIONS[name][1](state, move, *values)
    elif state.phase == "activation":
        if move.kind == "end":
            end_activation(state)
        else:
            begin_step(state, move)
    elif move.kind == "end_turn":
        next_turn(state)
    else:
        choose_unit(state, move.units[0])
    settle(state)


def settle(state: State) -> None:
    """Go on until somebody has to decide: what is owed, ends that choose themselves.

    What is remembered of the last Move's ends is dropped once anything has happened.
    """
    while state.phase != "over":
        run(state)
        state.reach = None
        if state.pending or state.phase != "activation":
            return
        if not state.units[state.active].alive:
            end_activation(state)
            continue
        if state.arena.readings.auto_end == "no":
            return
        moves = step_moves(state)
        if len(moves) > 1:
            state.legal = moves
            return
        end_activation(state)


def perft(state: State, depth: int) -> int:
    """Sequences of so many decisions and chance outcomes from here."""
    if depth == 0:
        return 1
    moves = legal(state)
    if depth == 1:
        return len(moves)
    return sum(perft(apply(state, move), depth - 1) for move in moves)


def divide(state: State, depth: int) -> dict[str, int]:
    """`perft` under each first move: where two engines differ, one walks down."""
    return {str(move): perft(apply(state, move), depth - 1) for move in legal(state)}

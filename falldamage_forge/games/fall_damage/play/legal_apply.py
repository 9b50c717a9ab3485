"""Functional interface of the engine: `legal_moves(state)` and `apply_move(state, move)`.

`apply_move_in_place` changes the given state, for playouts without history.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from falldamage_forge.games.fall_damage.play.move_value import Move
from falldamage_forge.games.fall_damage.play.state_value import State

if TYPE_CHECKING:
    from falldamage_forge.games.fall_damage.engine.simulator import Simulator
    from falldamage_forge.games.fall_damage.play.state_value import MatchContext

CHANCE = -1


def _desk(state: State) -> Simulator:
    """Return the simulator of a state's match context, holding the state."""
    from falldamage_forge.games.fall_damage.engine.simulator import simulator_of

    sim = simulator_of(state.ctx)
    sim.take(state)
    return sim


def forget(ctx: MatchContext) -> None:
    """Drop the simulator of a match context after a failure left an invalid state in it."""
    vars(ctx).pop("_desk", None)


def legal_moves(state: State) -> list[Move]:
    """Return every legal move, sorted; empty only when the game is over."""
    if state.legal is None:
        state.legal = _desk(state).moves()
    return state.legal


def current_player(state: State) -> int:
    """Return the current player: a side, or CHANCE."""
    return _desk(state).chooser()


def node_kind(state: State) -> str:
    """Return the kind of a node: `over`, the pending decision's name, `step` or `unit`."""
    if state.phase == "over":
        return "over"
    if state.pending:
        return str(state.pending[-1][0])
    return "step" if state.phase == "activation" else "unit"


def advance_to_first_node(state: State) -> State:
    """Resolve a new state up to its first decision; return the same state."""
    sim = _desk(state)
    sim.settle()
    _become(state, sim)
    return state


def apply_move(state: State, move: Move) -> State:
    """Return the state after a legal move; the given state does not change.

    Args:
        state: State before the move.
        move: A legal move of the state.
    """
    after = state.copy()
    apply_move_in_place(after, move)
    return after


def apply_move_in_place(state: State, move: Move) -> None:
    """Apply a legal move to the given state.

    Args:
        state: State before the move; changed.
        move: A legal move of the state.
    """
    sim = _desk(state)
    sim.advance(move)
    _become(state, sim)


def _become(state: State, sim: Simulator) -> None:
    """Take over the state of a simulator, and append its events to the log."""
    after, log = sim.read(), state.log
    state.__dict__.update(after.__dict__)
    state.log = log
    if log is not None:
        log.extend(sim.events())


def perft(state: State, depth: int) -> int:
    """Return the number of sequences of decisions and chance outcomes of a length.

    Args:
        state: State at which the sequences start.
        depth: Length.

    Source: Perft, the move path enumeration of chess engines.
    """
    if depth == 0:
        return 1
    moves = legal_moves(state)
    if depth == 1:
        return len(moves)
    return sum(perft(apply_move(state, move), depth - 1) for move in moves)


def divide(state: State, depth: int) -> dict[str, int]:
    """Return `perft` after each legal move, to locate a difference between two engines.

    Args:
        state: State at which the sequences start.
        depth: Length, at least 1.
    """
    return {str(move): perft(apply_move(state, move), depth - 1) for move in legal_moves(state)}

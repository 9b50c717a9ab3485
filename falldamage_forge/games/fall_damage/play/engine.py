"""The two functions a program plays with: `legal(state)` and `apply(state, move)`.

`advance` does what `apply` does to the state itself, for play-outs that keep no history.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from falldamage_forge.games.fall_damage.play.moves import Move
from falldamage_forge.games.fall_damage.play.state import State

if TYPE_CHECKING:
    from falldamage_forge.games.fall_damage.engine.desk import Desk
    from falldamage_forge.games.fall_damage.play.arena import Arena

CHANCE = -1


def _desk(state: State) -> Desk:
    """The desk of a state's arena with the state on it."""
    from falldamage_forge.games.fall_damage.engine.desk import desk_of

    desk = desk_of(state.arena)
    desk.take(state)
    return desk


def forget(arena: Arena) -> None:
    """Clear an arena's desk, on which a state lies that cannot be played on."""
    vars(arena).pop("_desk", None)


def legal(state: State) -> list[Move]:
    """Every move there is, sorted; empty only when the game is over."""
    if state.legal is None:
        state.legal = _desk(state).moves()
    return state.legal


def chooser(state: State) -> int:
    """Who decides next: a side, or CHANCE."""
    return _desk(state).chooser()


def node(state: State) -> str:
    """The kind of node: `over`, the question's name, `step` or `unit`."""
    if state.phase == "over":
        return "over"
    if state.pending:
        return str(state.pending[-1][0])
    return "step" if state.phase == "activation" else "unit"


def begin(state: State) -> State:
    """Bring a new state to its first node."""
    desk = _desk(state)
    desk.settle()
    _become(state, desk)
    return state


def apply(state: State, move: Move) -> State:
    """The state after a legal move; the given one stays as it is."""
    after = state.copy()
    advance(after, move)
    return after


def advance(state: State, move: Move) -> None:
    """Make a legal move on the state itself."""
    desk = _desk(state)
    desk.advance(move)
    _become(state, desk)


def _become(state: State, desk: Desk) -> None:
    """Take on what a desk holds; what happened goes to the log."""
    after, log = desk.read(), state.log
    state.__dict__.update(after.__dict__)
    state.log = log
    if log is not None:
        log.extend(desk.events())


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

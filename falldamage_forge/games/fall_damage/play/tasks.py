"""The agenda: what is owed is a stack of named tasks, so that a game can stop for a decision at any
moment, be saved there, and go on.

A task's function does a little and may owe more, which is done first. A *question* is a task that
waits for a decision or for chance: it lists the moves there are, and answers one of them.
"""

from __future__ import annotations

from collections.abc import Callable

from falldamage_forge.games.fall_damage.play.moves import Move, in_order
from falldamage_forge.games.fall_damage.play.state import State

Do = Callable[..., None]
Ask = Callable[..., list[Move]]
Answer = Callable[..., None]
Who = Callable[..., int]

TASKS: dict[str, Do] = {}
"""What can be done at once, by name: called with the state and the task's values."""
QUESTIONS: dict[str, tuple[Ask, Answer, Who]] = {}
"""What waits, by name: its moves, what answering one does, and whose it is (-1: chance)."""


def task(name: str) -> Callable[[Do], Do]:
    """Register a task."""

    def register(function: Do) -> Do:
        TASKS[name] = function
        return function

    return register


def question(name: str, ask: Ask, answer: Answer, who: Who) -> None:
    """Register a question."""
    QUESTIONS[name] = (ask, answer, who)


def run(state: State) -> None:
    """Do what is owed until nothing is, or until somebody or chance has to be asked."""
    pending = state.pending
    while pending:
        owed = pending[-1]
        do = TASKS.get(owed[0])
        if do is not None:
            pending.pop()
            do(state, *owed[1:])
            continue
        moves = QUESTIONS[owed[0]][0](state, *owed[1:])
        if moves:
            state.legal = in_order(moves)
            return
        # Nothing to choose from: the question falls away.
        pending.pop()

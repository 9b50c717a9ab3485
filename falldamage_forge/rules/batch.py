"""Turns between all pairs of surfaces, for one map or many at once, as matrix products.

The semantics are those of `movement.least_turns`: activations without damage, unspent Move lost.
Needs numpy; the single-map engine does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from falldamage_forge.rules.movement import MoveGraph

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NEVER = -1
"""Entry for a pair that no number of activations joins."""


def all_pairs_turns(moves: Sequence[MoveGraph]) -> list[NDArray[np.int16]]:
    """For each graph an (n, n) array: least turns from surface i to surface j, or NEVER.

    Occupied surfaces are passed as `occupancy` allows and never stopped on; Jump counts a step
    (the options `jump_scope` and `fall_allowance` of a whole turn are not vectorised: ValueError).
    """
    import numpy as np

    for graph in moves:
        if graph.options.jump_scope == "turn" or graph.options.fall_allowance == "per_turn":
            raise ValueError("a Jump that is a budget of the turn needs least_turns")
    sizes = [len(graph.edges) for graph in moves]
    width = max(sizes, default=0)
    if not width:
        return [np.zeros((size, size), np.int16) for size in sizes]
    steps = _steps(moves, width)
    turn = _one_turn(steps, moves)
    identity = np.broadcast_to(np.eye(width, dtype=np.float32), turn.shape)
    turns = np.where(identity > 0, 0, NEVER).astype(np.int16)
    reached = identity
    number = 0
    while True:
        number += 1
        wider = np.minimum(reached @ turn + reached, 1)
        fresh = (wider > 0) & (turns == NEVER)
        if not fresh.any():
            break
        turns[fresh] = number
        reached = wider
    return [turns[n, :size, :size].copy() for n, size in enumerate(sizes)]


def _steps(moves: Sequence[MoveGraph], width: int) -> dict[int, NDArray[np.float32]]:
    """Adjacency by cost: arrays of shape (maps, n, n), 1 where a move without damage leads."""
    import numpy as np

    entries: dict[int, list[tuple[int, int, int]]] = {}
    for number, graph in enumerate(moves):
        for at, edges in enumerate(graph.edges):
            for edge in edges:
                if edge.damage == 0:
                    entries.setdefault(edge.cost, []).append((number, at, edge.to))
    steps = {}
    for cost, triples in sorted(entries.items()):
        matrix = np.zeros((len(moves), width, width), np.float32)
        matrix[tuple(np.array(triples).T)] = 1
        steps[cost] = matrix
    return steps


def _one_turn(
    steps: dict[int, NDArray[np.float32]], moves: Sequence[MoveGraph]
) -> NDArray[np.float32]:
    """1 where one activation can end, by adding up costs within each graph's Move."""
    import numpy as np

    width = max(len(graph.edges) for graph in moves)
    budget = np.array([graph.profile.move for graph in moves])
    exact = [np.broadcast_to(np.eye(width, dtype=np.float32), (len(moves), width, width))]
    total = exact[0].copy()
    for cost in range(1, int(budget.max(initial=0)) + 1):
        layer = np.zeros((len(moves), width, width), np.float32)
        for step, matrix in steps.items():
            if step <= cost:
                layer += exact[cost - step] @ matrix
        layer = np.minimum(layer, 1)
        layer[budget < cost] = 0
        exact.append(layer)
        total = np.maximum(total, layer)
    for number, graph in enumerate(moves):
        taken = sorted(graph.occupancy.taken)
        total[number][:, taken] = 0
    return total

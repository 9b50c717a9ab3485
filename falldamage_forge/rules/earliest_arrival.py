"""Earliest arrival without damage: least moves, then least budget used of the last move.

If cost is the only budget of a move, that pair orders all ways, so Dijkstra's algorithm on one
integer for each node settles every node once. Other movement graphs are searched with labels.

Source: Dijkstra 1959.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from falldamage_forge.rules.movement_graph import MovementGraph
from falldamage_forge.rules.pathfinding import can_end, labels


class Arrival(NamedTuple):
    """An arrival at a node.

    Attributes:
        place: Node number.
        moves: Moves made.
        used: Budget used of the last move.
        ends: True if the last move may end here.
    """

    place: int
    moves: int
    used: int
    ends: bool


def arrivals(model: MovementGraph, starts: Iterable[int]) -> Iterator[Arrival]:
    """Yield arrivals without damage in order of moves, at any probability; starts have 0 moves.

    A label search may yield a node more than once.

    Args:
        model: Movement graph of the unit.
        starts: Numbers of the nodes from which it may begin.
    """
    if model.by_steps and not model.exact and not model.no_stop:
        yield from _settled(model, sorted(set(starts)))
        return
    for label in labels(model, starts, max_harm=0, chances=False):
        moves = label.moves if label.edge is not None else 0
        yield Arrival(label.place, moves, label.used, bool(can_end(model, (label,))))


def _settled(model: MovementGraph, starts: list[int]) -> Iterator[Arrival]:
    """Yield each node once; a time is `moves * span + used`, a heap item `time * nodes + node`."""
    count, span, move = len(model.places), model.move + 1, model.move
    never = 1 << 62
    best = [never] * count
    first = span + model.start_used if model.start_used else move
    heap = [first * count + place for place in starts]
    for place in starts:
        best[place] = first
    heapq.heapify(heap)
    begun = set(starts)
    ahead, no_end = model.walks, model.no_end
    while heap:
        time, place = divmod(heapq.heappop(heap), count)
        if time > best[place]:
            continue
        moves, used = divmod(time, span)
        start = place in begun
        yield Arrival(place, 0 if start else moves, used, start or place not in no_end)
        fresh = (moves + 1) * span
        for to, cost in ahead[place]:
            after = time + cost if moves and used + cost <= move else fresh + cost
            if after < best[to]:
                best[to] = after
                heapq.heappush(heap, after * count + to)


def least_moves(model: MovementGraph, starts: Iterable[int]) -> dict[int, int]:
    """Return by node the least moves to end on it without damage; starts have 0.

    Args:
        model: Movement graph of the unit.
        starts: Numbers of the nodes from which it may begin.
    """
    moves: dict[int, int] = {}
    for at in arrivals(model, starts):
        if at.ends and at.place not in moves:
            moves[at.place] = at.moves
    return moves

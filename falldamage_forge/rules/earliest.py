"""When one can first be somewhere unhurt: the least moves, and of these the least used of the last.

Where nothing but cost counts within a move, that pair decides, so each place is settled once and
no label is made (Dijkstra 1959, on one whole number a place). Other models are searched.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from falldamage_forge.rules.engine import can_end, labels
from falldamage_forge.rules.model import Model


class Arrival(NamedTuple):
    """A place, the moves made there and how much of the last is used; whether one may end there."""

    place: int
    moves: int
    used: int
    ends: bool


def arrivals(model: Model, starts: Iterable[int]) -> Iterator[Arrival]:
    """Places reached unhurt in order of moves, whatever the chances; starts count 0 moves.

    A place may come again, later, where a model has to be searched.
    """
    if model.by_steps and not model.exact and not model.no_stop:
        yield from _settled(model, sorted(set(starts)))
        return
    for label in labels(model, starts, max_harm=0, chances=False):
        moves = label.moves if label.edge is not None else 0
        yield Arrival(label.place, moves, label.used, bool(can_end(model, (label,))))


def _settled(model: Model, starts: list[int]) -> Iterator[Arrival]:
    """Every place once. A time is `moves * span + used`; the heap holds `time * places + place`."""
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


def least_moves(model: Model, starts: Iterable[int]) -> dict[int, int]:
    """Least moves to end unhurt on each place; starts count 0."""
    found: dict[int, int] = {}
    for at in arrivals(model, starts):
        if at.ends and at.place not in found:
            found[at.place] = at.moves
    return found

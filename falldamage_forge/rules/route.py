"""The way from one surface to another, activation by activation."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from typing import NamedTuple

from falldamage_forge.rules.movement import MoveGraph, State, Trace, search


class Step(NamedTuple):
    """One move of a way: in which activation, where to by which link, its cost and damage."""

    turn: int
    to: int
    kind: str
    cost: int
    damage: int


Label = tuple[int, int, int]
"""Damage, activations and cost so far; the least is best."""


def route(moves: MoveGraph, start: int, goal: int, *, safe: bool = True) -> tuple[Step, ...] | None:
    """A way of least damage, then fewest activations, then least cost; None when there is none.

    Every activation ends where a unit may stop. `safe` ways have no damage at all.
    """
    best: dict[int, Label] = {start: (0, 0, 0)}
    came: dict[int, tuple[int, tuple[Step, ...]]] = {}
    heap: list[tuple[Label, int]] = [(best[start], start)]
    while heap:
        label, at = heapq.heappop(heap)
        if label > best[at]:
            continue
        if at == goal:
            return _unwind(came, start, goal)
        damage, turn, cost = label
        for state, steps in _activation(moves, at, turn + 1, safe=safe):
            found = (damage + state.damage, turn + 1, cost + state.cost)
            if state.at not in best or found < best[state.at]:
                best[state.at] = found
                came[state.at] = (at, steps)
                heapq.heappush(heap, (found, state.at))
    return None


def _activation(
    moves: MoveGraph, start: int, turn: int, *, safe: bool
) -> Iterator[tuple[State, tuple[Step, ...]]]:
    """Every end of one activation, with the steps to it."""
    trace: Trace = {}
    for state in search(moves, (start,), safe=safe, trace=trace):
        if state.at not in moves.occupancy.taken:
            yield state, tuple(_steps(trace, state, turn))


def _steps(trace: Trace, state: State, turn: int) -> Iterator[Step]:
    if state in trace:
        before, edge = trace[state]
        yield from _steps(trace, before, turn)
        damage = state.damage - before.damage
        yield Step(turn, edge.to, edge.link.kind, edge.cost, damage)


def _unwind(
    came: dict[int, tuple[int, tuple[Step, ...]]], start: int, goal: int
) -> tuple[Step, ...]:
    way: tuple[Step, ...] = ()
    at = goal
    while at != start:
        at, steps = came[at]
        way = (*steps, *way)
    return way


def opened(steps: tuple[Step, ...], chests: frozenset[int], trigger: str) -> tuple[int, ...]:
    """Chests that the way opens, in order: "When a unit occupies the tile that a treasure is on".

    With the option `treasure_trigger` at `stop` an activation has to end there.
    """
    found = []
    for number, step in enumerate(steps, 1):
        stops = number == len(steps) or steps[number].turn != step.turn
        if step.to in chests and step.to not in found and (stops or trigger == "pass"):
            found.append(step.to)
    return tuple(found)

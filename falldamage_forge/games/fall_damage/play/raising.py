"""The dead: who may be raised as a Skeleton or revived, and where they stand up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from falldamage_forge.games.fall_damage.play.effects import rest_spot
from falldamage_forge.games.fall_damage.play.kit import SKELETON
from falldamage_forge.games.fall_damage.play.moves import Move
from falldamage_forge.games.fall_damage.play.spots import STEPS
from falldamage_forge.games.fall_damage.play.state import Body, State, Unit
from falldamage_forge.games.fall_damage.play.stats import (
    ground_of,
    melee_near,
    reach_of,
    table_of,
)
from falldamage_forge.games.fall_damage.play.targets import reaches


def raise_moves(state: State, index: int) -> Iterator[Move]:
    """One body or two that may rise beside a Necromancer."""
    unit, readings = state.units[index], state.arena.readings
    most = table_of(state, "raise").amount
    if readings.raise_limit == "per_game":
        most = min(most, most - state.raised[unit.side])
    spots = sorted({body.spot for body in _raisable(state, index)})
    if readings.raise_where == "adjacent":
        most = min(most, len(_free_beside(state, unit)))
    for count in range(1, most + 1):
        for chosen in combinations(spots, count):
            yield Move("act", "raise", spots=chosen)


def _raisable(state: State, index: int) -> Iterator[Body]:
    """Bodies that may rise, the oldest first."""
    unit, readings, ground = state.units[index], state.arena.readings, ground_of(state)
    reach = reach_of(state, unit, "raise")
    for body in state.bodies:
        if body.used or body.spot not in ground.stand:
            continue
        fallen = state.units[body.unit]
        if readings.raise_bodies == "own" and fallen.side != unit.side:
            continue
        if readings.raise_bodies == "not_skeletons" and fallen.card == SKELETON:
            continue
        near = reaches(state, unit, body.spot, reach, "raise")
        if readings.raise_where == "adjacent" or (near and body.spot not in state.occupied):
            yield body


def _free_beside(state: State, unit: Unit) -> list[int]:
    ground = ground_of(state)
    found = []
    for step in STEPS:
        for level in ground.levels.get((unit.spot >> 4) + step, ()):
            spot = (unit.spot >> 4) + step << 4 | level
            if melee_near(state, unit.spot, spot) and spot not in state.occupied:
                found.append(spot)
    return found


def raise_bodies(state: State, index: int, move: Move) -> None:
    """Bodies become Skeletons of this side, ready from the next round."""
    unit, risen = state.units[index], []
    for spot in move.spots:
        body = next((b for b in _raisable(state, index) if b.spot == spot), None)
        if body is None:
            continue
        where = spot
        if state.arena.readings.raise_where == "adjacent":
            free = _free_beside(state, unit)
            if not free:
                continue
            where = free[0]
        use_body(state, body)
        new = new_unit(state, unit.side, SKELETON, where, state.round + 1)
        count = list(state.raised)
        count[unit.side] += 1
        state.raised = (count[0], count[1])
        risen.append(new)
    state.owe(*(("rest", new, False) for new in risen))


def use_body(state: State, body: Body) -> None:
    """A body is used up."""
    state.bodies = tuple(replace(b, used=True) if b is body else b for b in state.bodies)


def new_unit(state: State, side: int, card: str, spot: int, ready_from: int) -> int:
    """Make a unit that stands on a surface; gives its index."""
    health = state.arena.card(card).health
    unit = Unit(side, card, health=health, max_health=health, ready_from=ready_from)
    state.units.append(unit)
    index = len(state.units) - 1
    state.put(index, spot)
    state.note("new", index, spot)
    return index


def revive(state: State, index: int, body: Body, finder: int) -> None:
    """Unholy Deal: a fallen unit stands up again with half its health; what was on it is gone."""
    old, reading = state.units[index], state.arena.readings.revive_at
    near = body.spot
    if reading == "start":
        zone = state.arena.zones[old.side]
        near = next((spot for spot in zone if spot not in state.occupied), body.spot)
    elif reading == "finder" and finder >= 0:
        near = finder
    spot: int | None = near
    if near in state.occupied or near not in ground_of(state).stand:
        spot = rest_spot(state, near >> 4, near & 15)
    if spot is None:
        return
    use_body(state, body)
    health = (old.max_health + 1) // 2
    state.units[index] = Unit(
        old.side, old.card, health=health, max_health=old.max_health, ready_from=state.round + 1
    )
    state.put(index, spot)
    state.note("revived", index, spot)
    state.owe(("rest", index, False))

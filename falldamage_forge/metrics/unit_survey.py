"""Survey: coverage, contact, falls and clearance of one unit on one board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from falldamage_forge.rules.answers import Contact, Survey
from falldamage_forge.rules.earliest_arrival import arrivals
from falldamage_forge.rules.movement_graph import MovementGraph
from falldamage_forge.rules.position import Position, enemy_starts
from falldamage_forge.rules.success_odds import odds
from falldamage_forge.rules.unit_values import Profile

LATER = 2
"""Turns after the first attack for which its probability is also given."""


def survey(p: Position, name: str, unit: Profile, *, chances: bool = False) -> Survey:
    """Return the survey of a unit.

    Args:
        p: The board under its rules.
        name: Label of the unit.
        unit: Profile or name of the unit.
        chances: True to add the probabilities of first attacks, which take longer to compute.
    """
    model = p.model(unit)
    surfaces = p.graph.surfaces
    starts = [number for zone in p.zones(unit).values() for number in zone]
    reached = {at for number in p.flood(unit, starts) for at in model.places[number].covers}
    fit = {surface for place in model.places for surface in place.covers}
    return Survey(
        p.game.name,
        p.game.title,
        name,
        len(surfaces),
        sum(surface in reached for surface in surfaces),
        tuple(_contacts(p, unit, chances)),
        p.game.hazards(p.graph, unit),
        tuple(surface for surface in surfaces if surface not in fit),
        tuple(surface for surface in surfaces if surface in fit and surface not in reached),
        model.notes,
        p.game.turn_text,
    )


def _contacts(p: Position, unit: Profile, chances: bool) -> Iterator[Contact]:
    model, zones = p.model(unit), p.zones(unit)
    for side in p.sides:
        near = p.game.attack_nodes(p.graph, unit, model, enemy_starts(p, side))
        found = contact_of(side, [first_strike(model, (start,), near) for start in zones[side]])
        if chances and found.first is not None:
            by_turn = strike_chances(model, zones[side], near, found.first + LATER)[
                found.first - 1 :
            ]
            found = replace(found, chance=by_turn[0], later=by_turn[1:])
        yield found


def strike_chances(
    model: MovementGraph, starts: Iterable[int], near: set[int], turns: int
) -> tuple[Fraction, ...]:
    """Return the best probability to attack by each turn, with failed checks tried again.

    Args:
        model: Movement graph.
        starts: Start nodes; the best of them is used.
        near: Nodes from which an enemy can be attacked.
        turns: Number of turns.
    """
    return odds(model, starts, near, turns, acting=True).by_turn


def contact_of(side: str, turns: Sequence[int | None]) -> Contact:
    """Return the turns of a side's first and last unit; `last` is None if one never arrives.

    Args:
        side: Name of the side.
        turns: Turns until each of its units meets an enemy; None: never.
    """
    known = [turn for turn in turns if turn is not None]
    last = max(known, default=None) if len(known) == len(turns) else None
    return Contact(side, min(known, default=None), last)


def first_strike(model: MovementGraph, starts: Iterable[int], near: set[int]) -> int | None:
    """Return the first turn in which a unit can attack without taking damage on the way.

    Args:
        model: Movement graph.
        starts: Start nodes.
        near: Nodes from which an enemy can be attacked.

    Returns:
        None if the unit never gets there.
    """
    best: int | None = None
    for at in arrivals(model, starts):
        if best is not None and model.clock.turns(at.moves) > best:
            break
        if at.place in near:
            turn = model.clock.strike(at.moves, at.used)
            best = turn if best is None else min(best, turn)
    return best

"""One board for one unit in a few figures: coverage, contact, falls, and what does not fit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from falldamage_forge.rules.answers import Contact, Survey
from falldamage_forge.rules.earliest import arrivals
from falldamage_forge.rules.game import Profile
from falldamage_forge.rules.model import Model
from falldamage_forge.rules.odds import odds
from falldamage_forge.rules.position import Position, enemy_starts

LATER = 2
"""For how many turns after the first attack its chance is told too."""


def survey(p: Position, name: str, unit: Profile, *, chances: bool = False) -> Survey:
    """The figures of a unit on a board; with the `chances` of first attacks, which take longer."""
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
        p.game.turn_told,
    )


def _contacts(p: Position, unit: Profile, chances: bool) -> Iterator[Contact]:
    model, zones = p.model(unit), p.zones(unit)
    for side in p.sides:
        near = p.game.strikes(p.graph, unit, model, enemy_starts(p, side))
        found = contact_of(side, [first_strike(model, (start,), near) for start in zones[side]])
        if chances and found.first is not None:
            by_turn = strike_chances(model, zones[side], near, found.first + LATER)[
                found.first - 1 :
            ]
            found = replace(found, chance=by_turn[0], later=by_turn[1:])
        yield found


def strike_chances(
    model: Model, starts: Iterable[int], near: set[int], turns: int
) -> tuple[Fraction, ...]:
    """The best chance with which one of some starts can attack by each turn, trying again."""
    return odds(model, starts, near, turns, acting=True).by_turn


def contact_of(side: str, turns: Sequence[int | None]) -> Contact:
    """The first and the last of a side's units, None where somebody never gets there."""
    known = [turn for turn in turns if turn is not None]
    last = max(known, default=None) if len(known) == len(turns) else None
    return Contact(side, min(known, default=None), last)


def first_strike(model: Model, starts: Iterable[int], near: set[int]) -> int | None:
    """The first turn in which one stands unhurt on one of some places and can attack."""
    best: int | None = None
    for at in arrivals(model, starts):
        if best is not None and model.clock.turns(at.moves) > best:
            break
        if at.place in near:
            turn = model.clock.strike(at.moves, at.used)
            best = turn if best is None else min(best, turn)
    return best

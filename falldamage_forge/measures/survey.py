"""One board for one unit in a few figures: coverage, contact, falls, and what does not fit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from falldamage_forge.rules import engine
from falldamage_forge.rules.answers import Contact, Survey
from falldamage_forge.rules.earliest import arrivals
from falldamage_forge.rules.game import Profile
from falldamage_forge.rules.position import Position, enemy_starts


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
            sure = likeliest_strike(model, zones[side], near, found.first)
            found = replace(found, chance=sure)
        yield found


def likeliest_strike(
    model: engine.Model, starts: Iterable[int], near: set[int], turn: int
) -> Fraction:
    """The best chance with which one of some starts can attack from some places by a turn."""
    best = Fraction(0)
    for label in engine.labels(model, starts, max_harm=0):
        moves = label.moves if label.edge is not None else 0
        if model.clock.turns(moves) > turn:
            break
        if label.place in near:
            best = max(best, label.chance * model.clock.sure(moves, label.used, turn))
            if best == 1:
                break
    return best


def contact_of(side: str, turns: Sequence[int | None]) -> Contact:
    """The first and the last of a side's units, None where somebody never gets there."""
    known = [turn for turn in turns if turn is not None]
    last = max(known, default=None) if len(known) == len(turns) else None
    return Contact(side, min(known, default=None), last)


def first_strike(model: engine.Model, starts: Iterable[int], near: set[int]) -> int | None:
    """The first turn in which one stands unhurt on one of some places and can attack."""
    best: int | None = None
    for at in arrivals(model, starts):
        if best is not None and model.clock.turns(at.moves) > best:
            break
        if at.place in near:
            turn = model.clock.strike(at.moves, at.used)
            best = turn if best is None else min(best, turn)
    return best

"""Reachability metrics: connection, coverage, contact."""

from __future__ import annotations

from collections.abc import Iterator

from falldamage_forge.board.surfaces import Surface
from falldamage_forge.metrics.grading import grade
from falldamage_forge.metrics.unit_survey import first_strike
from falldamage_forge.rules.answers import Metric
from falldamage_forge.rules.position import Position, enemy_starts


def connection(p: Position) -> Iterator[Metric]:
    """Yield the classes of units that do not get from start to start without damage."""
    cut_off = []
    for group in p.classes:
        zones = p.zones(group.profile)
        for side in p.sides:
            goals = {n for other, zone in zones.items() if other != side for n in zone}
            if not goals <= p.flood(group.profile, zones[side]):
                cut_off.append(group.name)
                break
    text = "every movement class gets from start to start"
    if cut_off:
        text = f"cut off without damage: {'; '.join(cut_off)}"
    yield Metric("connection", grade(not cut_off, not p.game.everybody), text, {"cut_off": cut_off})


def coverage(p: Position) -> Iterator[Metric]:
    """Yield the share of surfaces that a side reaches, for the plain unit and for each class."""
    surfaces = p.graph.surfaces
    count = max(len(surfaces), 1)
    covered = {
        name: _covered(p, profile)
        for name, profile in [(p.plain, p.plain), *((g.name, g.profile) for g in p.classes)]
    }
    shares = {name: round(len(reached) / count, 3) for name, reached in covered.items()}
    share = shares[p.plain]
    missed = set(surfaces) - covered[p.plain]
    text = f"{share:.0%} of {len(surfaces)} surfaces are reached by {p.game.unit_noun(p.plain)}"
    tiles = tuple(sorted({surface.tile for surface in missed}))
    yield Metric("coverage", grade(share >= 0.9, share >= 0.7), text, shares, tiles)


def _covered(p: Position, unit: object) -> frozenset[Surface]:
    places = p.model(unit).places
    starts = [number for zone in p.zones(unit).values() for number in zone]
    return frozenset(at for number in p.flood(unit, starts) for at in places[number].covers)


def contact(p: Position) -> Iterator[Metric]:
    """Yield the turns until a plain unit can attack an enemy's start zone."""
    model, zones = p.model(p.plain), p.zones(p.plain)
    soonest: dict[str, int | None] = {}
    for side in p.sides:
        near = p.game.attack_nodes(p.graph, p.plain, model, enemy_starts(p, side))
        soonest[side] = 0 if near & set(zones[side]) else first_strike(model, zones[side], near)
    known = [turns for turns in soonest.values() if turns is not None]
    least = min(known, default=None)
    text = "the sides never meet" if least is None else f"first contact in turn {least}"
    good, warn = least is not None and least >= 2, least == 1
    yield Metric("contact", grade(good, warn), text, soonest)

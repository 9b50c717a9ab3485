"""Measures of getting there: connection, coverage, contact, first strikes."""

from __future__ import annotations

from collections.abc import Iterator

from falldamage_forge.rules.bitset import bits, mask_of
from falldamage_forge.rules.reach import can_attack
from falldamage_forge.rules.study import Metric, Study, grade, union


def connection(s: Study) -> Iterator[Metric]:
    """Classes whose units get from each side's whole start to the other's without damage."""
    cut_off = []
    for group in s.classes:
        for side in s.sides:
            goals = union(zone for other, zone in s.zones.items() if other != side)
            if goals & ~s.reached(group.name, side):
                cut_off.append(group.name)
                break
    text = "every movement class gets from start to start"
    if cut_off:
        text = f"cut off without damage: {'; '.join(cut_off)}"
    yield Metric("connection", grade(not cut_off), text, {"cut_off": cut_off})


def coverage(s: Study) -> Iterator[Metric]:
    """Share of surfaces that some side reaches, for the plain class and for each class."""
    count = len(s.graph.surfaces)
    shares = {
        group.name: round(
            union(s.reached(group.name, side) for side in s.sides).bit_count() / count, 3
        )
        for group in s.classes
    }
    share = shares[s.plain]
    missed = ((1 << count) - 1) & ~union(s.reached(s.plain, side) for side in s.sides)
    text = f"{share:.0%} of {count} surfaces are reached by a unit with Jump 1"
    yield Metric("coverage", grade(share >= 0.9, share >= 0.7), text, shares, s.tiles(missed))


def contact(s: Study) -> Iterator[Metric]:
    """Turns until a plain unit stands next to the enemy's start, and attacks in the first one."""
    soonest: dict[str, int | None] = {}
    for side in s.sides:
        goals = union(zone for other, zone in s.zones.items() if other != side)
        near = mask_of(
            number
            for number, surface in enumerate(s.graph.surfaces)
            if any(
                can_attack(surface, s.graph.surfaces[goal], 1, s.ruleset.options)
                for goal in bits(goals)
            )
        )
        soonest[side] = s.turns(s.plain, side, near)
    known = [turns for turns in soonest.values() if turns is not None]
    least = min(known, default=None)
    text = "the sides never meet" if least is None else f"first contact in turn {least}"
    good, warn = least is not None and least >= 2, least == 1
    yield Metric("contact", grade(good, warn), text, soonest)


def first_strike(s: Study) -> Iterator[Metric]:
    """Units that can hit somebody on the enemy's start in their very first activation."""
    seen = s.seen
    strikers: dict[str, str] = {}
    for unit in s.units.values():
        group = next((g for g in s.classes if unit.name in g.units), None)
        if group is None or (unit.attack == 0 and not unit.push):
            continue
        for side in s.sides:
            goals = union(zone for other, zone in s.zones.items() if other != side)
            for number in bits(s.reached(group.name, side, 1)):
                marks = goals & seen[number] if unit.needs_sight else goals
                here = s.graph.surfaces[number]
                if any(
                    can_attack(here, s.graph.surfaces[mark], unit.reach, s.ruleset.options)
                    for mark in bits(marks)
                ):
                    strikers.setdefault(unit.name, f"{side} on {here}")
                    break
    names = ", ".join(sorted(strikers))
    text = f"can hit in their first activation: {names}" if names else "nobody hits at once"
    yield Metric("first strike", grade(not strikers, len(strikers) <= 2), text, strikers)

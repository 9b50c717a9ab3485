"""Measures of fairness: do both sides get the same?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from falldamage_forge.board.surfaces import Surface
from falldamage_forge.board.symmetry import image, symmetries
from falldamage_forge.measures.grading import grade
from falldamage_forge.rules.answers import Metric
from falldamage_forge.rules.position import Position
from falldamage_forge.rules.waves import mask_of

NEVER = 99
"""Turns counted where a side never gets to a chest."""


def treasure(p: Position) -> Iterator[Metric]:
    """Turns of each side to each chest; the largest difference of the sums is what counts.

    A chest that no side gets to is not good, however equal that is.
    """
    table: dict[str, dict[str, int | None]] = {}
    tiles = []
    places = p.model(p.plain).places
    for chest in p.board.treasures:
        surface = Surface(chest.tile, chest.level)
        goal = mask_of(n for n, place in enumerate(places) if surface in place.covers)
        turns = {side: p.turns_to(p.plain, side, goal) for side in p.sides}
        table[f"{chest.tile}@{chest.level}"] = turns
        if None in turns.values() or len(set(turns.values())) > 1:
            tiles.append(chest.tile)
    totals = {
        side: sum(NEVER if t[side] is None else t[side] or 0 for t in table.values())
        for side in p.sides
    }
    worst = max(totals.values(), default=0) - min(totals.values(), default=0)
    text = "no treasure on the map"
    if table:
        sums = " and ".join(f"{side} {turns}" for side, turns in totals.items())
        text = f"turns to all chests together: {sums}"
    got = all(any(turn is not None for turn in turns.values()) for turns in table.values())
    yield Metric("treasure", grade(worst <= 1 and got, worst <= 2), text, table, tuple(tiles))


def certificate(p: Position) -> str | None:
    """A symmetry that exchanges the two sides: then every measure is equal for both, exactly."""
    if len(p.sides) != 2:
        return None
    zones = {zone.side: frozenset(zone.surfaces) for zone in p.board.starts}
    one, two = p.sides
    for name in symmetries(p.board):
        other = {zone.side: frozenset(zone.surfaces) for zone in image(p.board, name).starts}
        if zones[one] == other[two] and zones[two] == other[one]:
            return name
    return None


def control(p: Position) -> Iterator[Metric]:
    """Surfaces each side reaches first, and how many it reaches, after 1, 2 and 3 turns."""
    proof = certificate(p)
    values: dict[str, Any] = {"certificate": proof}
    worst = 0.0
    for turn in (1, 2, 3):
        counts = {side: p.reached(p.plain, side, turn).bit_count() for side in p.sides}
        values[f"reach after {turn}"] = counts
        high, low = max(counts.values(), default=0), min(counts.values(), default=0)
        worst = max(worst, (high - low) / high if high else 0.0)
    owned = {side: mask.bit_count() for side, mask in first_there(p).items()}
    values["reached first"] = owned
    high, low = max(owned.values(), default=0), min(owned.values(), default=0)
    count = max(len(p.model(p.plain).places), 1)
    worst = max(worst, (high - low) / count)
    values["difference"] = round(worst, 3)
    text = f"the sides differ by at most {worst:.0%} in reach and control"
    if proof:
        text = f"exactly fair: {proof} exchanges the sides"
    yield Metric("control", grade(worst <= 0.1, worst <= 0.2), text, values)


def first_there(p: Position) -> dict[str, int]:
    """For each side the set of places that it, and no other, reaches in the fewest turns."""
    owned = dict.fromkeys(p.sides, 0)
    layers = {side: p.layers(p.plain)[side] for side in p.sides}
    before = 0
    for turn in range(max(map(len, layers.values()), default=0)):
        now = {side: row[turn] if turn < len(row) else 0 for side, row in layers.items()}
        for side, mask in now.items():
            others = 0
            for other, other_mask in now.items():
                others |= 0 if other == side else other_mask
            owned[side] |= mask & ~others & ~before
        for mask in now.values():
            before |= mask
    return owned

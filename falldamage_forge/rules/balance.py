"""Measures of fairness: do both sides get the same?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from falldamage_forge.rules.study import Metric, Study, grade
from falldamage_forge.rules.symmetry import image, symmetries
from falldamage_forge.surfaces import Surface


def treasure(s: Study) -> Iterator[Metric]:
    """Turns of each side to each chest; the largest difference is what counts."""
    table: dict[str, dict[str, int | None]] = {}
    worst, tiles = 0, []
    for chest in s.board.treasures:
        number = s.graph.index.get(Surface(chest.tile, chest.level))
        goal = 0 if number is None else 1 << number
        turns = {side: s.turns(s.plain, side, goal) for side in s.sides}
        table[f"{chest.tile}@{chest.level}"] = turns
        known = [turn for turn in turns.values() if turn is not None]
        gap = 99 if len(known) < len(turns) else max(known, default=0) - min(known, default=0)
        if gap:
            tiles.append(chest.tile)
    totals = {
        side: sum(99 if t[side] is None else t[side] or 0 for t in table.values())
        for side in s.sides
    }
    worst = max(totals.values(), default=0) - min(totals.values(), default=0)
    text = "no treasure on the map"
    if table:
        sums = " and ".join(f"{side} {turns}" for side, turns in totals.items())
        text = f"turns to all chests together: {sums}"
    yield Metric("treasure", grade(worst <= 1, worst <= 2), text, table, tuple(tiles))


def certificate(s: Study) -> str | None:
    """A symmetry that exchanges the two sides: then every measure is equal for both, exactly."""
    if len(s.sides) != 2:
        return None
    zones = {zone.side: frozenset(zone.surfaces) for zone in s.board.starts}
    for name in symmetries(s.board):
        other = {zone.side: frozenset(zone.surfaces) for zone in image(s.board, name).starts}
        if zones[s.sides[0]] == other[s.sides[1]] and zones[s.sides[1]] == other[s.sides[0]]:
            return name
    return None


def control(s: Study) -> Iterator[Metric]:
    """Surfaces each side reaches first, and how many it reaches, after 1, 2 and 3 turns."""
    proof = certificate(s)
    values: dict[str, Any] = {"certificate": proof}
    worst = 0.0
    for turn in (1, 2, 3):
        reach = {side: s.reached(s.plain, side, turn) for side in s.sides}
        counts = {side: mask.bit_count() for side, mask in reach.items()}
        values[f"reach after {turn}"] = counts
        high, low = max(counts.values(), default=0), min(counts.values(), default=0)
        worst = max(worst, (high - low) / high if high else 0.0)
    owned = dict.fromkeys(s.sides, 0)
    for number in range(len(s.graph.surfaces)):
        times = {side: s.turns(s.plain, side, 1 << number) for side in s.sides}
        first = min((t for t in times.values() if t is not None), default=None)
        owners = [side for side, t in times.items() if t is not None and t == first]
        if len(owners) == 1:
            owned[owners[0]] += 1
    values["reached first"] = owned
    high, low = max(owned.values(), default=0), min(owned.values(), default=0)
    worst = max(worst, (high - low) / max(len(s.graph.surfaces), 1))
    values["difference"] = round(worst, 3)
    text = f"the sides differ by at most {worst:.0%} in reach and control"
    if proof:
        text = f"exactly fair: {proof} exchanges the sides"
    yield Metric("control", grade(worst <= 0.1, worst <= 0.2), text, values)

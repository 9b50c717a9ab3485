"""Fairness metrics: treasure and control compared between the sides."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from falldamage_forge.board.surfaces import Surface
from falldamage_forge.metrics.grading import grade
from falldamage_forge.rules.answers import Metric
from falldamage_forge.rules.bitset_bfs import mask_of
from falldamage_forge.rules.position import Position
from falldamage_forge.rules.side_exchange import exchange_of

NEVER = 99
"""Turns counted for a side that never reaches a chest."""


def chest_goals(p: Position) -> Iterator[tuple[Surface, int]]:
    """Yield every chest with the bit set of nodes from which it is opened."""
    places = p.model(p.plain).places
    for chest in p.board.treasures:
        at = Surface(chest.tile, chest.level)
        yield at, mask_of(n for n, place in enumerate(places) if at in place.covers)


def treasure(p: Position) -> Iterator[Metric]:
    """Yield the turns of each side to each chest.

    The verdict follows from the greatest difference between the sides' sums. It is not good if a
    chest is out of every side's reach.
    """
    table: dict[str, dict[str, int | None]] = {}
    tiles = []
    for at, goal in chest_goals(p):
        turns = {side: p.turns_to(p.plain, side, goal) for side in p.sides}
        table[str(at)] = turns
        if None in turns.values() or len(set(turns.values())) > 1:
            tiles.append(at.tile)
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


def control(p: Position) -> Iterator[Metric]:
    """Yield the surfaces that each side reaches first, and within 1, 2 and 3 turns."""
    exchange = exchange_of(p)
    exact = exchange is not None and exchange.is_exact
    values: dict[str, Any] = {
        "certificate": exchange.transform if exchange and exact else None,
        "exchange": exchange and exchange.json(),
    }
    worst = 0.0
    for turn in (1, 2, 3):
        counts = {side: p.reached(p.plain, side, turn).bit_count() for side in p.sides}
        values[f"reach after {turn}"] = counts
        high, low = max(counts.values(), default=0), min(counts.values(), default=0)
        worst = max(worst, (high - low) / high if high else 0.0)
    owned = {side: mask.bit_count() for side, mask in first_arrivals(p).items()}
    values["reached first"] = owned
    high, low = max(owned.values(), default=0), min(owned.values(), default=0)
    count = max(len(p.model(p.plain).places), 1)
    worst = max(worst, (high - low) / count)
    values["difference"] = round(worst, 3)
    text = f"the greatest difference between the sides is {worst:.0%}, in reach and control"
    if exchange:
        text = exchange.text if exact else f"{text}; {exchange.text}"
    yield Metric("control", grade(worst <= 0.1, worst <= 0.2), text, values)


def first_arrivals(p: Position) -> dict[str, int]:
    """Return by side the bit set of nodes that it alone reaches in the fewest turns."""
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

"""Leads: which side is ahead, and by how many turns, surfaces or levels.

Each lead is the difference between the side with the most and the side with the least of a figure,
for the plain unit, with the greatest fair difference. A board whose symmetry exchanges the sides
has no leads.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from falldamage_forge.metrics.fairness import chest_goals, first_arrivals
from falldamage_forge.rules.bitset_bfs import bits
from falldamage_forge.rules.lead_margin import Lead
from falldamage_forge.rules.position import Position

NEVER = 5
"""Turns by which a side that never arrives counts as later than the latest arrival."""
FAIR_TURNS = 1
"""Greatest fair difference in turns; below, as a share of 1, and in mean turns to heights."""
FAIR_SHARE = 0.1
FAIR_HEIGHT_TURNS = 0.5
Soonest = Mapping[str, int | None]
"""Turns to contact by side; None for a side that never gets there."""


class LeadGap(NamedTuple):
    """The sides with the best and the worst value of a figure, and the difference."""

    first: str
    last: str
    by: float


def leads(p: Position, contact: Soonest) -> tuple[Lead, ...]:
    """Return every lead, fair or not, the greatest in terms of its fair margin first.

    Args:
        p: The board under its rules.
        contact: Turns to contact by side; None for a side that never gets there.
    """
    if len(p.sides) < 2:
        return ()
    all_leads = [*_chests(p), *_ground(p), *_heights(p), *_contact_lead(contact), *_out_of_reach(p)]
    return tuple(sorted(all_leads, key=lambda lead: -lead.figure / lead.fair))


def turns_by_place(p: Position, side: str) -> list[int | None]:
    """Return by node of the plain unit the turns of a side without damage, or None.

    Args:
        p: Position on the board.
        side: Name of the side that starts.
    """
    turns: list[int | None] = [None] * len(p.model(p.plain).places)
    for turn, layer in enumerate(p.layers(p.plain)[side]):
        for number in bits(layer):
            if turns[number] is None:
                turns[number] = turn
    return turns


def _gap(values: Mapping[str, float], *, least_wins: bool = False) -> LeadGap:
    """Return the sides with the best and worst value; equal values are ordered by name."""
    order = sorted(values, key=lambda side: (values[side] * (1 if least_wins else -1), side))
    return LeadGap(order[0], order[-1], abs(values[order[-1]] - values[order[0]]))


def _turn_numbers(turns: Mapping[str, int | None]) -> dict[str, int]:
    """Return turns as numbers; a side that never arrives counts `NEVER` turns after the last."""
    known = [turn for turn in turns.values() if turn is not None]
    never = max(known, default=0) + NEVER
    return {side: never if turn is None else turn for side, turn in turns.items()}


def _turns_text(turns: Mapping[str, int | None]) -> str:
    return ", ".join(
        f"{side} {'never' if turn is None else f'in turn {turn}'}" for side, turn in turns.items()
    )


def _chests(p: Position) -> Iterator[Lead]:
    """Yield the lead in turns to all chests together."""
    sums = dict.fromkeys(p.sides, 0)
    differences, tiles = [], []
    for at, goal in chest_goals(p):
        turns = {side: p.turns_to(p.plain, side, goal) for side in p.sides}
        if all(turn is None for turn in turns.values()):
            continue
        for side, turn in _turn_numbers(turns).items():
            sums[side] += turn
        if len(set(turns.values())) > 1:
            differences.append(f"{at}: {_turns_text(turns)}")
            tiles.append(at.tile)
    first, _, by = _gap(sums, least_wins=True)
    if by:
        text = f"gets to the treasure sooner ({'; '.join(differences)})"
        yield Lead("treasure", first, text, by, FAIR_TURNS, "turns", tuple(tiles))


def _ground(p: Position) -> Iterator[Lead]:
    """Yield the worst lead in surfaces within 1, 2 and 3 turns, and in surfaces reached first."""
    count = max(len(p.model(p.plain).places), 1)
    worst: Lead | None = None
    for turn in (1, 2, 3):
        has = {side: p.reached(p.plain, side, turn).bit_count() for side in p.sides}
        first, last, by = _gap(has)
        share = by / has[first] if has[first] else 0.0
        text = f"reaches {has[first]} surfaces within {turn} turns, {last} {has[last]}"
        if share > (worst.figure if worst else 0):
            worst = Lead("reach", first, text, share, FAIR_SHARE, "%")
    if worst:
        yield worst
    held = {side: mask.bit_count() for side, mask in first_arrivals(p).items()}
    first, last, by = _gap(held)
    if by:
        text = f"is first on {held[first]} surfaces, {last} on {held[last]}"
        yield Lead("ground", first, text, by / count, FAIR_SHARE, "%")


def height_turns(p: Position) -> dict[str, float]:
    """Return by side the mean turns to a raised surface, weighted by its level.

    Surfaces that no side reaches are left out; the result is empty if none is left.
    """
    places = p.model(p.plain).places
    rows = {side: turns_by_place(p, side) for side in p.sides}
    total = dict.fromkeys(p.sides, 0)
    weight = 0
    for number, place in enumerate(places):
        turns = {side: row[number] for side, row in rows.items()}
        level = place.anchor.level
        if level < 1 or all(turn is None for turn in turns.values()):
            continue
        weight += level
        for side, turn in _turn_numbers(turns).items():
            total[side] += turn * level
    return {side: turns / weight for side, turns in total.items()} if weight else {}


def _heights(p: Position) -> Iterator[Lead]:
    """Yield the lead in turns to raised surfaces."""
    mean = height_turns(p)
    first, last, by = _gap(mean, least_wins=True) if mean else LeadGap("", "", 0)
    if not by:
        return
    places = p.model(p.plain).places
    owned = first_arrivals(p)
    held = {side: sum(places[n].anchor.level for n in bits(owned[side])) for side in p.sides}
    top = max(place.anchor.level for place in places)
    tiles = tuple(
        sorted({places[n].anchor.tile for n in bits(owned[first]) if places[n].anchor.level == top})
    )
    text = f"holds heights of {held[first]} levels first, {last} of {held[last]}"
    yield Lead("heights", first, text, by, FAIR_HEIGHT_TURNS, "turns on average", tiles)


def _contact_lead(contact: Soonest) -> Iterator[Lead]:
    """Yield the lead in turns to contact."""
    first, _, by = _gap(_turn_numbers(contact), least_wins=True)
    if by and any(turn is not None for turn in contact.values()):
        text = f"can attack a start sooner ({_turns_text(contact)})"
        yield Lead("contact", first, text, by, FAIR_TURNS, "turns")


def _out_of_reach(p: Position) -> Iterator[Lead]:
    """Yield the chests and the share of surfaces that no side reaches."""
    lost = [
        at
        for at, goal in chest_goals(p)
        if all(p.turns_to(p.plain, s, goal) is None for s in p.sides)
    ]
    if lost:
        text = f"no side reaches the treasure on {', '.join(map(str, lost))} without damage"
        tiles = tuple(at.tile for at in lost)
        yield Lead("treasure out of reach", None, text, len(lost), 0.5, "chests", tiles)
    total = 0
    for side in p.sides:
        total |= p.reached(p.plain, side)
    places = p.model(p.plain).places
    missed = len(places) - total.bit_count()
    if missed:
        text = f"no side reaches {missed} of {len(places)} surfaces without damage"
        away = tuple(
            sorted({place.anchor.tile for n, place in enumerate(places) if not total >> n & 1})
        )
        yield Lead("out of reach", None, text, missed / len(places), FAIR_SHARE, "%", away)

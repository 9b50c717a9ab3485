"""Who is ahead, and by what: turns, tiles, heights held first.

Each lead is the difference between the side that has most of something and the one that has least,
for the plain unit, with the figure up to which it is fair. A board whose symmetry exchanges the
sides has none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from falldamage_forge.board.surfaces import Surface
from falldamage_forge.measures.balance import first_there
from falldamage_forge.rules.lead import Lead
from falldamage_forge.rules.position import Position
from falldamage_forge.rules.waves import bits, mask_of

NEVER = 5
"""Turns by which a side that never gets somewhere counts as later, at least."""
FAIR_TURNS = 1
FAIR_SHARE = 0.1
FAIR_HEIGHT_TURNS = 0.5
Soonest = Mapping[str, int | None]


class Gap(NamedTuple):
    """What the sides have, the one with most first: who they are, and the difference."""

    first: str
    last: str
    by: float


def leads(p: Position, contact: Soonest) -> tuple[Lead, ...]:
    """Every lead, fair or not, what weighs most first; `contact` are turns to contact by side."""
    if len(p.sides) < 2:
        return ()
    found = [*_chests(p), *_ground(p), *_heights(p), *_strike(contact), *_out_of_reach(p)]
    return tuple(sorted(found, key=lambda lead: -lead.figure / lead.fair))


def turns_by_place(p: Position, side: str) -> list[int | None]:
    """For every place of the plain unit the turns a side takes to it unhurt."""
    turns: list[int | None] = [None] * len(p.model(p.plain).places)
    for turn, layer in enumerate(p.layers(p.plain)[side]):
        for number in bits(layer):
            if turns[number] is None:
                turns[number] = turn
    return turns


def _gap(values: Mapping[str, float], *, least_wins: bool = False) -> Gap:
    """Who has most and who least; by name where it is the same."""
    order = sorted(values, key=lambda side: (values[side] * (1 if least_wins else -1), side))
    return Gap(order[0], order[-1], abs(values[order[-1]] - values[order[0]]))


def _late(turns: Mapping[str, int | None]) -> dict[str, int]:
    """Turns as numbers: who never comes is later than everybody else."""
    known = [turn for turn in turns.values() if turn is not None]
    never = max(known, default=0) + NEVER
    return {side: never if turn is None else turn for side, turn in turns.items()}


def _told(turns: Mapping[str, int | None]) -> str:
    return ", ".join(
        f"{side} {'never' if turn is None else f'in turn {turn}'}" for side, turn in turns.items()
    )


def _chests(p: Position) -> Iterator[Lead]:
    """Turns to all chests together."""
    sums = dict.fromkeys(p.sides, 0)
    told, tiles = [], []
    for at, goal in _goals(p):
        turns = {side: p.turns_to(p.plain, side, goal) for side in p.sides}
        if all(turn is None for turn in turns.values()):
            continue
        for side, turn in _late(turns).items():
            sums[side] += turn
        if len(set(turns.values())) > 1:
            told.append(f"{at}: {_told(turns)}")
            tiles.append(at.tile)
    first, _, by = _gap(sums, least_wins=True)
    if by:
        text = f"gets to the treasure sooner ({'; '.join(told)})"
        yield Lead("treasure", first, text, by, FAIR_TURNS, "turns", tuple(tiles))


def _goals(p: Position) -> Iterator[tuple[Surface, int]]:
    """Every chest with the places from which it is opened."""
    places = p.model(p.plain).places
    for chest in p.board.treasures:
        at = Surface(chest.tile, chest.level)
        yield at, mask_of(n for n, place in enumerate(places) if at in place.covers)


def _ground(p: Position) -> Iterator[Lead]:
    """Surfaces within 1, 2 and 3 turns, the worst of these, and surfaces reached first."""
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
    held = {side: mask.bit_count() for side, mask in first_there(p).items()}
    first, last, by = _gap(held)
    if by:
        text = f"is first on {held[first]} surfaces, {last} on {held[last]}"
        yield Lead("ground", first, text, by / count, FAIR_SHARE, "%")


def height_turns(p: Position) -> dict[str, float]:
    """By side the turns to a raised surface, each counted as often as it has levels, on average.

    Of surfaces that some side reaches.
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
        for side, turn in _late(turns).items():
            total[side] += turn * level
    return {side: turns / weight for side, turns in total.items()} if weight else {}


def _heights(p: Position) -> Iterator[Lead]:
    """Who holds the heights first."""
    mean = height_turns(p)
    first, last, by = _gap(mean, least_wins=True) if mean else Gap("", "", 0)
    if not by:
        return
    places = p.model(p.plain).places
    owned = first_there(p)
    held = {side: sum(places[n].anchor.level for n in bits(owned[side])) for side in p.sides}
    top = max(place.anchor.level for place in places)
    tiles = tuple(
        sorted({places[n].anchor.tile for n in bits(owned[first]) if places[n].anchor.level == top})
    )
    text = f"holds heights of {held[first]} levels first, {last} of {held[last]}"
    yield Lead("heights", first, text, by, FAIR_HEIGHT_TURNS, "turns on average", tiles)


def _strike(contact: Soonest) -> Iterator[Lead]:
    """Who can attack first."""
    first, _, by = _gap(_late(contact), least_wins=True)
    if by and any(turn is not None for turn in contact.values()):
        text = f"can attack a start sooner ({_told(contact)})"
        yield Lead("contact", first, text, by, FAIR_TURNS, "turns")


def _out_of_reach(p: Position) -> Iterator[Lead]:
    """Chests that nobody gets to, and the share of surfaces."""
    lost = [
        at for at, goal in _goals(p) if all(p.turns_to(p.plain, s, goal) is None for s in p.sides)
    ]
    if lost:
        text = f"nobody gets unhurt to the treasure on {', '.join(map(str, lost))}"
        tiles = tuple(at.tile for at in lost)
        yield Lead("treasure out of reach", None, text, len(lost), 0.5, "chests", tiles)
    total = 0
    for side in p.sides:
        total |= p.reached(p.plain, side)
    places = p.model(p.plain).places
    missed = len(places) - total.bit_count()
    if missed:
        text = f"nobody gets unhurt to {missed} of {len(places)} surfaces"
        away = tuple(
            sorted({place.anchor.tile for n, place in enumerate(places) if not total >> n & 1})
        )
        yield Lead("out of reach", None, text, missed / len(places), FAIR_SHARE, "%", away)

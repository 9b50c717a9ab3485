"""Building order: what must stand before what, and the fewest stages in which it can be placed.

Parts come from above. So on every tile that two parts touch, the lower one is placed first; at one
level a deck comes before what hangs in its edge, that before a cap, which covers its edges, and a
cap before what stands on it. The relation grows with height, so a legal board has an order. Parts
that are joined in the hand are one group. Stages are kinds of parts that people place in one go.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import NamedTuple

from falldamage_forge.board import DIRECTIONS, Tile
from falldamage_forge.issues import refuse
from falldamage_forge.pieces.family_roles import (
    CAP,
    DECK,
    GROUND,
    HANGING,
    STANDING,
    placed_in,
    role_of,
    touching,
)
from falldamage_forge.pieces.model_keys import SEAM_TIE, section_number
from falldamage_forge.pieces.piece import Placement

MAX_LOOKS = 20_000
"""States that the search for the fewest stages looks at; random crowded boards need 3,000."""
Group = tuple[int, ...]
"""Indices of placements that are joined in the hand, the one that takes the others first."""

BASE = touching(GROUND)
STARTS = placed_in("Start zones")
LADDERS = placed_in("Ladders")
"""Families of whole ladders, of ladders whose foot is on a cap, and of ladder sections."""
UPPER_SECTIONS = frozenset({"ladder-middle", "ladder-upper"})
WHOLE_LADDERS = LADDERS - UPPER_SECTIONS - {"ladder-lower"}
TIES = frozenset({"tie", SEAM_TIE})
JOINED = TIES | {"start-disc"} | UPPER_SECTIONS
"""Families of parts that are put into or onto another in the hand."""


class Touch(NamedTuple):
    """Contact of a part with a tile: level, kind, and height above caps in mm; lower is first."""

    level: int
    kind: int
    raised_mm: float = 0.0


def hand_groups(placements: Sequence[Placement]) -> tuple[Group, ...]:
    """Return the groups of parts that are joined in the hand, most of a single part.

    They are the base with its ties, a start marker with its disc, the sections of a ladder, and
    the parts of a model with their ties.

    Args:
        placements: Plan of a board; sections of a ladder come from the foot up, parts of a model
            in the order of their numbers, and ties of models after all models.
    """
    groups: dict[object, list[int]] = {}
    heads: dict[tuple[Tile, int, int], object] = {}
    cut: dict[tuple[Tile, int], object] = {}
    model: object = None
    for index, part in enumerate(placements):
        family, own = part.piece.family, (part.tile, part.quarter_turns)
        key: object = index
        if family in BASE:
            key = BASE
        elif family in STARTS:
            key = (STARTS, part.tile, part.level, part.raised_mm)
        elif family in UPPER_SECTIONS:
            key = heads.pop((*own, part.level), index)
        elif family == SEAM_TIE:
            key = cut[part.tile, part.level]
        elif number := section_number(part.piece):
            key = model = (SEAM_TIE, index) if number == 1 else model
            cut |= dict.fromkeys([(tile, part.level) for tile in part.tiles()], key)
        if family in ("ladder-lower", "ladder-middle"):
            heads[(*own, part.level + part.piece.levels)] = key
        groups.setdefault(key, []).append(index)

    def joined(index: int) -> bool:
        return placements[index].piece.family in JOINED

    return tuple(tuple(sorted(group, key=joined)) for group in groups.values())


def end_tiles(deck: Placement) -> tuple[Tile, Tile]:
    """Return the two tiles whose edges carry a bridge or an arch."""
    tiles = deck.tiles()
    row, col = (0, 1) if deck.quarter_turns % 2 == 0 else (1, 0)
    return tiles[0].step((-row, -col)), tiles[-1].step((row, col))


def contacts(part: Placement) -> Iterator[tuple[Tile, Touch]]:
    """Yield each tile that a part touches, with its contact there."""
    family, kind = part.piece.family, role_of(part.piece.family).touch
    for tile in part.tiles() or (part.tile,):
        yield tile, Touch(part.level, kind, part.raised_mm if kind == CAP else 0.0)
    if kind == DECK:
        yield from ((tile, Touch(part.level, HANGING)) for tile in end_tiles(part))
    if family in WHOLE_LADDERS or family == "ladder-upper":
        head = part.tile.step(DIRECTIONS[part.quarter_turns % 4])
        yield head, Touch(part.level + part.piece.levels, HANGING)


def comes_first(contact: Touch, other: Touch) -> bool:
    """True if a part must stand before another on the same tile, by their contacts.

    Args:
        contact: Contact of the part with its support.
        other: Contact of the other part.
    """
    if contact.level != other.level:
        return contact.level < other.level
    if contact.kind == other.kind:
        return contact.kind == CAP and contact.raised_mm < other.raised_mm
    # What hangs in an edge and what stands within do not meet.
    return contact.kind < other.kind and (contact.kind, other.kind) != (HANGING, STANDING)


def prerequisites(
    placements: Sequence[Placement], groups: Sequence[Group]
) -> tuple[frozenset[int], ...]:
    """Return for each group the numbers of the groups that must stand before it.

    Args:
        placements: Plan of a board.
        groups: Its groups, see `hand_groups`.
    """
    touched: dict[Tile, dict[int, Touch]] = {}
    for number, group in enumerate(groups):
        for index in group:
            for tile, contact in contacts(placements[index]):
                there = touched.setdefault(tile, {})
                there[number] = min(contact, there.get(number, contact))
    before: list[set[int]] = [set() for _ in groups]
    for there in touched.values():
        for number, contact in there.items():
            before[number] |= {one for one, own in there.items() if comes_first(own, contact)}
    return tuple(map(frozenset, before))


def in_waves(numbers: Sequence[int], before: Sequence[frozenset[int]]) -> list[list[int]]:
    """Return groups in waves: none of a wave needs another of it.

    Args:
        numbers: Groups to sort.
        before: Groups that must stand before each, see `prerequisites`.

    Raises:
        ForgeError: (FDF440) Parts need one another.
    """
    inside = set(numbers)
    sorter = TopologicalSorter({number: sorted(before[number] & inside) for number in numbers})
    try:
        sorter.prepare()
    except CycleError as error:
        raise refuse("FDF440", "some parts must each stand before the others") from error
    waves = []
    while sorter.is_active():
        ready = sorted(sorter.get_ready())
        sorter.done(*ready)
        waves.append(ready)
    return waves


def fewest_stages(
    kinds: Sequence[int], before: Sequence[frozenset[int]]
) -> list[tuple[int, list[int]]]:
    """Return kinds in order, each with the groups to place then: the fewest changes of kind.

    Of several shortest orders it is the one with the least kinds first. A board on which the search
    looks at more than `MAX_LOOKS` states gets a valid order that may have more stages.

    Args:
        kinds: Kind of each group; small numbers are preferred early.
        before: Groups that must stand before each, see `prerequisites`.

    Raises:
        ForgeError: (FDF440) Parts need one another.
    """
    # Groups of one kind that wait for the same groups of other kinds are placed together, so the
    # search goes over such classes: a bit each.
    waits: list[int] = [0] * len(kinds)
    bits: dict[tuple[int, int], int] = {}
    for wave in in_waves(range(len(kinds)), before):
        for number in wave:
            for one in before[number]:
                own = bits[kinds[one], waits[one]] if kinds[one] != kinds[number] else 0
                waits[number] |= waits[one] | own
            bits.setdefault((kinds[number], waits[number]), 1 << len(bits))
    order = _shortest(bits)
    placed, result = 0, []
    for kind in order:
        new = [key for key, bit in bits.items() if key[0] == kind and not bit & placed]
        now = {key for key in new if key[1] & placed == key[1]}
        numbers = [n for n in range(len(kinds)) if (kinds[n], waits[n]) in now]
        result.append((kind, numbers))
        placed |= sum(bits[key] for key in now)
    return result


def _shortest(bits: dict[tuple[int, int], int]) -> list[int]:
    """Return the shortest sequence of kinds that places every class, by iterative deepening.

    Args:
        bits: Bit of each class (kind, bits of the classes of other kinds that it waits for).
    """
    whole = sum(bits.values())
    by_kind: dict[int, list[tuple[int, int]]] = {}
    for (kind, waits), bit in sorted(bits.items()):
        by_kind.setdefault(kind, []).append((waits, bit))
    failed: dict[int, int] = {}
    looked = 0

    def search(placed: int, steps: int) -> list[int] | None:
        nonlocal looked
        if placed == whole:
            return []
        left = sum(any(not bit & placed for _, bit in own) for own in by_kind.values())
        hopeless = left > steps or failed.get(placed, -1) >= steps
        if hopeless and looked < MAX_LOOKS:
            return None
        looked += 1
        for kind, own in by_kind.items():
            new = sum(bit for waits, bit in own if not bit & placed and waits & placed == waits)
            if new and (rest := search(placed | new, steps - 1)) is not None:
                return [kind, *rest]
        failed[placed] = steps
        return None

    # Every stage places a class, so there are at most as many stages as classes.
    orders = (search(0, steps) for steps in range(len(bits) + 1))
    return next(order for order in orders if order is not None)

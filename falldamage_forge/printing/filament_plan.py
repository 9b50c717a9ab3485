"""Filament plan: groups of parts share few filaments, and plates say which spool to load when.

Groups whose colours mean the same are merged first: `KIN` lists the merges in their order. Slots of
an AMS are assigned by Belady's rule: the filament that is needed last leaves.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, groupby, pairwise

from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.printing.colour_groups import KIN
from falldamage_forge.printing.plates import PackItem
from falldamage_forge.printing.print_price import Price
from falldamage_forge.printing.process import SHARED

AMS_SLOTS = 4
"""Slots of one AMS; a plate of more filaments cannot be sent to the printer."""


@dataclass(frozen=True, slots=True)
class Filament:
    """One spool: its number from 1, the groups that it prints, its colour and its mass."""

    number: int
    groups: tuple[str, ...]
    colour: str
    grams: float


@dataclass(frozen=True, slots=True)
class SlotLoad:
    """A filament to put into a slot of the AMS; `instead_of` leaves it, 0 for an empty slot."""

    slot: int
    filament: int
    instead_of: int = 0


@dataclass(frozen=True, slots=True)
class FilamentStep:
    """Consecutive plates of the same filaments, and the slots to load before them.

    `in_turn` is true if each plate is printed in its filaments one after the other, with one change
    from each to the next.
    """

    plates: tuple[int, ...]
    filaments: tuple[int, ...]
    loads: tuple[SlotLoad, ...]
    in_turn: bool = True


@dataclass(frozen=True, slots=True)
class FilamentPlan:
    """Filaments, the most used first, and the steps of printing all plates in order.

    `price` gives the cost of each filament; None if it is unknown. `purges` is the number of
    changes of filament during prints.
    """

    filaments: tuple[Filament, ...]
    steps: tuple[FilamentStep, ...]
    price: Price | None = None
    purges: int = 0


def share_filaments(weights: Mapping[str, float], most: int) -> tuple[tuple[str, ...], ...]:
    """Return the groups that each filament prints, the most used filament first.

    The first group of each gives its colour. Groups that `KIN` does not name are merged last.

    Args:
        weights: Filament of each group in grams; groups without any need no filament.
        most: Number of filaments.

    Raises:
        ValueError: If there is not one filament.
    """
    if most < 1:
        raise ValueError("`filaments` should be at least 1")
    family = {group: group for group in sorted(weights) if weights[group] > 0}
    for one, other in KIN:
        if len(set(family.values())) <= most:
            break
        family = {group: other if kin == one else kin for group, kin in family.items()}

    def weight(groups: Sequence[str]) -> float:
        return sum(weights[group] for group in groups)

    sets = [
        sorted((g for g in family if family[g] == kin), key=lambda g: (g != kin, -weights[g], g))
        for kin in sorted(set(family.values()))
    ]
    sets.sort(key=weight, reverse=True)
    if len(sets) > most:
        sets = [*sets[: most - 1], list(chain(*sets[most - 1 :]))]
        sets.sort(key=weight, reverse=True)
    return tuple(map(tuple, sets))


def at_most_one_ams(items: Sequence[PackItem], filaments: Mapping[str, int]) -> list[PackItem]:
    """Return the items with groups of more filaments than an AMS holds split into several.

    Parts with a change have plates of one body, and stay in their group.

    Args:
        items: Parts to print.
        filaments: Filament of each part by key.
    """
    banks: dict[str, list[int]] = {}
    for item in items:
        if item.count and item.change is None:
            banks.setdefault(item.group, []).append(filaments[item.key])
    order = {group: sorted(set(used)) for group, used in banks.items()}

    def group_of(item: PackItem) -> str:
        if not item.count or item.change:
            return item.group
        bank = order[item.group].index(filaments[item.key]) // AMS_SLOTS
        return item.group + (f"-{bank + 1}" if bank else "")

    return [replace(item, group=group_of(item)) for item in items]


def print_steps(
    used: Sequence[Sequence[int]], in_turn: Collection[int] = ()
) -> tuple[FilamentStep, ...]:
    """Return the steps of printing some plates in order.

    Args:
        used: Filaments of each plate, at most `AMS_SLOTS`.
        in_turn: Numbers of plates that are printed in their filaments one after the other.
    """
    numbered = enumerate(map(tuple, used), start=1)
    runs = [
        (filaments, tuple(number for number, _ in run))
        for filaments, run in groupby(numbered, key=lambda one: one[1])
    ]
    slots: list[int] = []
    steps = []
    for at, (filaments, plates) in enumerate(runs):
        later = [each for each, _ in runs[at + 1 :]]
        loads = []
        for filament in filaments:
            if filament in slots:
                continue
            if len(slots) < AMS_SLOTS:
                slots.append(filament)
                loads.append(SlotLoad(len(slots), filament))
                continue
            free = [each for each in slots if each not in filaments]
            leaves = max(free, key=lambda each: _next_use(each, later))
            slots[slots.index(leaves)] = filament
            loads.append(SlotLoad(slots.index(filament) + 1, filament, leaves))
        turns = len(filaments) == 1 or plates[0] in in_turn
        steps.append(FilamentStep(plates, filaments, tuple(loads), turns))
    return tuple(steps)


def changes_by_hand(steps: Iterable[FilamentStep]) -> int | None:
    """Return the changes of spools on a printer without an AMS; None if it cannot print a plate."""
    spools: list[int] = []
    for step in steps:
        if not step.in_turn:
            return None
        spools += step.filaments * len(step.plates)
    return sum(one != other for one, other in pairwise(spools))


def purges_of(heights_mm: Mapping[int, float], layer_mm: float) -> int:
    """Return the changes of filament on a plate that prints all its filaments layer by layer.

    Args:
        heights_mm: Height of the highest part of each filament.
        layer_mm: Height of a layer.
    """
    shared = sorted(heights_mm.values())[:-1]
    return sum(math.ceil(height / layer_mm) for height in shared)


def _next_use(filament: int, later: Sequence[tuple[int, ...]]) -> int:
    return next((at for at, used in enumerate(later) if filament in used), len(later))


def plate_groups(filaments: Iterable[Sequence[str]], apart: Iterable[str]) -> dict[str, str]:
    """Return the group of plates for each group of parts: those of one filament share plates.

    Args:
        filaments: Groups of each filament.
        apart: Groups that keep plates of their own, because they have another print mode.
    """
    apart = frozenset(apart)
    found: dict[str, str] = {}
    for groups in filaments:
        shared = SHARED.join(group for group in groups if group not in apart)
        found |= {group: group if group in apart else shared for group in groups}
    return found

"""Colours that need little filament share plates, so that fewer plates are begun.

A colour is never split: each shared plate takes whole colours, on as few plates as they need, and
these are filled as evenly as they can be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from falldamage_forge.printing.plates import Item, on_one_plate
from falldamage_forge.printing.printer import Printer
from falldamage_forge.printing.process import SHARED

MOST_TRIED = 8
"""So many colours are divided in every way; a table has seven. More are laid in order."""

Sets = tuple[tuple[str, ...], ...]
"""Groups by the plate that they share."""
Fits = Callable[[tuple[str, ...]], bool]


def share(
    items: Sequence[Item], grams: Mapping[str, float], printer: Printer, most_g: float
) -> list[Item]:
    """The items, those of groups that need less than `most_g` grams each in joined groups.

    `grams` are one part's. Only groups that are printed in one way come together, so a plate still
    has one height of layers.
    """
    weights: dict[str, float] = {}
    for item in items:
        weights[item.group] = weights.get(item.group, 0.0) + grams[item.key] * item.count
    joined: dict[str, str] = {}
    for way in printer.process.ways():
        small = sorted(
            group
            for group, weight in weights.items()
            if 0 < weight < most_g and printer.process.way(group) == way
        )
        for together in _divided(small, items, printer):
            joined |= dict.fromkeys(together, SHARED.join(together))
    return [replace(item, group=joined.get(item.group, item.group)) for item in items]


def _divided(groups: Sequence[str], items: Sequence[Item], printer: Printer) -> Sets:
    """Groups by plate: on the fewest plates that leave each whole, the emptiest as full as may be.

    A group that is too large for one plate keeps its own.
    """
    known: dict[tuple[str, ...], bool] = {}

    def fits(together: tuple[str, ...]) -> bool:
        if together not in known:
            own = [item for item in items if item.group in together]
            known[together] = on_one_plate(own, printer)
        return known[together]

    def area_mm2(together: tuple[str, ...]) -> float:
        own = (item for item in items if item.group in together)
        return sum(item.width_mm * item.depth_mm * item.count for item in own)

    if len(groups) > MOST_TRIED:
        return _in_order(groups, fits)
    ways = (tuple(sorted(way)) for way in _partitions(tuple(groups)))
    ranked = sorted(ways, key=lambda way: (len(way), -min(map(area_mm2, way), default=0), way))
    return next(way for way in ranked if all(len(one) == 1 or fits(one) for one in way))


def _in_order(groups: Sequence[str], fits: Fits) -> Sets:
    """Groups on the first plate that has room."""
    plates: list[tuple[str, ...]] = []
    for group in groups:
        at = next((n for n, plate in enumerate(plates) if fits((*plate, group))), None)
        if at is None:
            plates.append((group,))
        else:
            plates[at] = (*plates[at], group)
    return tuple(plates)


def _partitions(names: tuple[str, ...]) -> Iterator[list[tuple[str, ...]]]:
    """Every way to divide names into sets, each set in the names' order."""
    if not names:
        yield []
        return
    first, rest = names[0], names[1:]
    for found in _partitions(rest):
        yield [(first,), *found]
        for index, one in enumerate(found):
            yield [*found[:index], (first, *one), *found[index + 1 :]]

"""Shared plates: colour groups that need little filament are merged, so that fewer plates start.

A group is never split: each shared plate takes whole groups, on as few plates as possible, filled
as evenly as possible, of at most as many filaments as an AMS holds, with room for a prime tower.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from falldamage_forge.infra.lazy_dataclass import FrozenDict
from falldamage_forge.printing.filament_plan import AMS_SLOTS
from falldamage_forge.printing.plates import TOWER, PackItem, on_one_plate
from falldamage_forge.printing.printer import Printer
from falldamage_forge.printing.process import SHARED

MOST_TRIED = 8
"""Up to this many groups all partitions are tried; a table has seven. More are placed first fit."""

Sets = tuple[tuple[str, ...], ...]
"""Groups by the plate that they share."""
Fits = Callable[[tuple[str, ...]], bool]


def merge_small_groups(
    items: Sequence[PackItem],
    grams: Mapping[str, float],
    printer: Printer,
    most_g: float,
    filaments: Mapping[str, int] = FrozenDict(),
) -> list[PackItem]:
    """Return the items with small groups renamed to merged groups.

    Only groups of one print mode are merged, so a plate still has one layer height. Parts with a
    change stay in their group, since a plate has one change for all its parts.

    Args:
        items: Parts to print.
        grams: Filament of one part by key.
        printer: Bed and process.
        most_g: Groups below this many grams in total are merged.
        filaments: Filament of each part by key; others have their group's own.
    """
    plain = [item for item in items if item.change is None]
    weights: dict[str, float] = {}
    for item in plain:
        weights[item.group] = weights.get(item.group, 0.0) + grams[item.key] * item.count
    joined: dict[str, str] = {}
    for mode in printer.process.ways():
        small = sorted(
            group
            for group, weight in weights.items()
            if 0 < weight < most_g and printer.process.way(group) == mode
        )
        for together in _divided(small, plain, printer, filaments):
            joined |= dict.fromkeys(together, SHARED.join(together))
    return [
        replace(item, group=joined.get(item.group, item.group)) if item.change is None else item
        for item in items
    ]


def _divided(
    groups: Sequence[str],
    items: Sequence[PackItem],
    printer: Printer,
    filaments: Mapping[str, int],
) -> Sets:
    """Return groups by plate: the fewest plates that keep groups whole, filled evenly.

    A group that is too large for one plate keeps its own.
    """
    known: dict[tuple[str, ...], bool] = {}

    def fits(together: tuple[str, ...]) -> bool:
        if together not in known:
            own = [item for item in items if item.group in together]
            spools = {filaments.get(item.key, item.group) for item in own if item.count}
            tower = [TOWER] if len(spools) > 1 else []
            known[together] = len(spools) <= AMS_SLOTS and on_one_plate([*own, *tower], printer)
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
    """Return groups by first fit."""
    plates: list[tuple[str, ...]] = []
    for group in groups:
        at = next((n for n, plate in enumerate(plates) if fits((*plate, group))), None)
        if at is None:
            plates.append((group,))
        else:
            plates[at] = (*plates[at], group)
    return tuple(plates)


def _partitions(names: tuple[str, ...]) -> Iterator[list[tuple[str, ...]]]:
    """Yield every partition of names into sets, each set in the names' order."""
    if not names:
        yield []
        return
    first, rest = names[0], names[1:]
    for found in _partitions(rest):
        yield [(first,), *found]
        for index, one in enumerate(found):
            yield [*found[:index], (first, *one), *found[index + 1 :]]

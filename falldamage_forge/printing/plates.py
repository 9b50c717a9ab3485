"""Parts onto plates: rectangles packed on the bed, every packing checked by an independent judge.

Sizes are whole hundredths of a millimetre, rounded up, so that rounding makes no two parts touch.
A part's rectangle is that of its real mesh, knobs and tabs included.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from falldamage_forge.issues import ForgeError, Issue
from falldamage_forge.printing.printer import Printer

UNIT = 100
"""Packing units in a millimetre."""


@dataclass(frozen=True, slots=True)
class Item:
    """Parts to pack: `count` copies of a piece whose mesh takes `width_mm` by `depth_mm`.

    Items of different `group` (colour) never share a plate.
    """

    key: str
    width_mm: float
    depth_mm: float
    height_mm: float
    count: int
    group: str = ""


@dataclass(frozen=True, slots=True)
class Slot:
    """One part on a plate: the lower left corner of its rectangle, turned by 90 degrees or not."""

    key: str
    x_mm: float
    y_mm: float
    width_mm: float
    depth_mm: float
    turned: bool = False


@dataclass(frozen=True, slots=True)
class Plate:
    """One bed load. `index` counts from 1."""

    index: int
    group: str
    slots: tuple[Slot, ...]

    @property
    def name(self) -> str:
        """File name without suffix: `plate-01-stone`."""
        return f"plate-{self.index:02d}" + (f"-{self.group}" if self.group else "")

    def counts(self) -> dict[str, int]:
        """Parts by key, sorted."""
        return dict(sorted(Counter(slot.key for slot in self.slots).items()))


class Rect(NamedTuple):
    """A free or taken rectangle in packing units."""

    x: int
    y: int
    w: int
    h: int


class _Part(NamedTuple):
    key: str
    w: int
    h: int


Order = Callable[[_Part], tuple[int, ...]]
ORDERS: tuple[Order, ...] = (
    lambda part: (-part.w * part.h,),
    lambda part: (-max(part.w, part.h), -min(part.w, part.h)),
    lambda part: (-part.h, -part.w),
    lambda part: (-part.w, -part.h),
    lambda part: (-(part.w + part.h),),
    lambda part: (-min(part.w, part.h), -max(part.w, part.h)),
)


def pack(items: Iterable[Item], printer: Printer, first: Sequence[str] = ()) -> tuple[Plate, ...]:
    """Plates for all parts, group by group, groups named in `first` leading.

    Raises ForgeError (FDF450) naming every piece that does not fit the bed or the height.
    """
    items = [item for item in items if item.count > 0]
    faults = [issue for item in items for issue in fit_faults(item, printer)]
    if faults:
        raise ForgeError(faults)
    rank = {group: number for number, group in enumerate(first)}
    groups = sorted({item.group for item in items}, key=lambda g: (rank.get(g, len(rank)), g))
    plates: list[Plate] = []
    for group in groups:
        own = [item for item in items if item.group == group]
        for slots in _pack_group(own, printer):
            plates.append(Plate(len(plates) + 1, group, slots))
    judge(plates, items, printer)
    return tuple(plates)


def usable_mm(printer: Printer) -> tuple[float, float]:
    """Width and depth of the bed inside its margins."""
    return printer.bed_mm[0] - 2 * printer.margin_mm, printer.bed_mm[1] - 2 * printer.margin_mm


def fit_faults(item: Item, printer: Printer) -> Iterator[Issue]:
    """Why a part cannot be printed in one piece on this printer."""
    width_mm, depth_mm = usable_mm(printer)
    flat = (item.width_mm, item.depth_mm)
    if min(flat) > min(width_mm, depth_mm) or max(flat) > max(width_mm, depth_mm):
        message = (
            f"`{item.key}` is {flat[0]:.1f} x {flat[1]:.1f} mm; "
            f"{printer.title} prints {width_mm:.1f} x {depth_mm:.1f} mm inside its margins"
        )
        yield Issue("FDF450", "error", message, hint="choose a larger printer")
    if item.height_mm > printer.height_mm:
        message = (
            f"`{item.key}` is {item.height_mm:.1f} mm high; "
            f"{printer.title} prints {printer.height_mm:.1f} mm"
        )
        yield Issue("FDF450", "error", message, hint="choose a taller printer")


def _units(length_mm: float) -> int:
    return math.ceil(round(length_mm * UNIT, 4))


def _pack_group(items: Sequence[Item], printer: Printer) -> list[tuple[Slot, ...]]:
    """The best of several orders; fewest plates, then the emptiest last plate."""
    gap = _units(printer.spacing_mm)
    width_mm, depth_mm = usable_mm(printer)
    bed = (int(width_mm * UNIT) + gap, int(depth_mm * UNIT) + gap)
    parts = [
        _Part(item.key, _units(item.width_mm) + gap, _units(item.depth_mm) + gap)
        for item in sorted(items, key=lambda item: item.key)
        for _ in range(item.count)
    ]
    best: list[list[tuple[_Part, Rect]]] | None = None
    for order in ORDERS:
        bins = _fill(sorted(parts, key=lambda part: (order(part), part.key)), bed)
        if best is None or (len(bins), len(bins[-1])) < (len(best), len(best[-1])):
            best = bins
    margin, size = printer.margin_mm, {item.key: item for item in items}
    return [
        tuple(
            sorted(
                (
                    Slot(
                        part.key,
                        margin + rect.x / UNIT,
                        margin + rect.y / UNIT,
                        *(_flat(size[part.key], rect.w != part.w)),
                        rect.w != part.w,
                    )
                    for part, rect in plate
                ),
                key=lambda slot: (slot.y_mm, slot.x_mm),
            )
        )
        for plate in best or ()
    ]


def _flat(item: Item, turned: bool) -> tuple[float, float]:
    return (item.depth_mm, item.width_mm) if turned else (item.width_mm, item.depth_mm)


def _fill(parts: Sequence[_Part], bed: tuple[int, int]) -> list[list[tuple[_Part, Rect]]]:
    """MaxRects, best short side fit, first plate that has room."""
    plates: list[list[tuple[_Part, Rect]]] = []
    free: list[list[Rect]] = []
    for part in parts:
        for number in range(len(plates) + 1):
            if number == len(plates):
                plates.append([])
                free.append([Rect(0, 0, *bed)])
            spot = _best_spot(part, free[number])
            if spot is not None:
                plates[number].append((part, spot))
                free[number] = _split(free[number], spot)
                break
    return plates


def _best_spot(part: _Part, free: Iterable[Rect]) -> Rect | None:
    best: tuple[int, int, int, int, Rect] | None = None
    for room in free:
        for w, h in dict.fromkeys(((part.w, part.h), (part.h, part.w))):
            if w <= room.w and h <= room.h:
                left = sorted((room.w - w, room.h - h))
                spot = Rect(room.x, room.y, w, h)
                found = (left[0], left[1], room.y, room.x, spot)
                best = min(best, found) if best else found
    return best[-1] if best else None


def _split(free: Iterable[Rect], taken: Rect) -> list[Rect]:
    """Largest free rectangles once `taken` is gone, none inside another."""
    pieces: set[Rect] = set()
    for room in free:
        if (
            taken.x >= room.x + room.w
            or taken.x + taken.w <= room.x
            or taken.y >= room.y + room.h
            or taken.y + taken.h <= room.y
        ):
            pieces.add(room)
            continue
        right, top = taken.x + taken.w, taken.y + taken.h
        pieces |= {
            Rect(room.x, room.y, taken.x - room.x, room.h),
            Rect(right, room.y, room.x + room.w - right, room.h),
            Rect(room.x, room.y, room.w, taken.y - room.y),
            Rect(room.x, top, room.w, room.y + room.h - top),
        }
    rooms = sorted(room for room in pieces if room.w > 0 and room.h > 0)
    return [
        room for room in rooms if not any(other != room and _inside(room, other) for other in rooms)
    ]


def _inside(a: Rect, b: Rect) -> bool:
    return a.x >= b.x and a.y >= b.y and a.x + a.w <= b.x + b.w and a.y + a.h <= b.y + b.h


def lower_bound(items: Iterable[Item], printer: Printer) -> int:
    """Plates no packing can do without, by group: by area, and by parts too large to share."""
    gap = printer.spacing_mm
    width_mm, depth_mm = (side + gap for side in usable_mm(printer))
    total = 0
    by_group: dict[str, list[Item]] = {}
    for item in items:
        by_group.setdefault(item.group, []).append(item)
    for own in by_group.values():
        area = sum((i.width_mm + gap) * (i.depth_mm + gap) * i.count for i in own)
        alone = sum(
            i.count for i in own if min(i.width_mm, i.depth_mm) + gap > max(width_mm, depth_mm) / 2
        )
        total += max(math.ceil(area / (width_mm * depth_mm) - 1e-9), alone)
    return total


def judge(plates: Sequence[Plate], items: Iterable[Item], printer: Printer) -> None:
    """Independent proof of a packing: all parts once, on the bed, apart. ValueError if not."""
    wanted = Counter({item.key: item.count for item in items})
    if Counter(slot.key for plate in plates for slot in plate.slots) != wanted:
        raise ValueError("the packing lost or doubled a part")
    low, gap = printer.margin_mm - 1e-6, printer.spacing_mm - 1e-6
    for plate in plates:
        for number, slot in enumerate(plate.slots):
            right, back = slot.x_mm + slot.width_mm, slot.y_mm + slot.depth_mm
            if (
                min(slot.x_mm, slot.y_mm) < low
                or right > printer.bed_mm[0] - low
                or back > printer.bed_mm[1] - low
            ):
                raise ValueError(f"{slot.key} hangs over the edge of {plate.name}")
            for other in plate.slots[:number]:
                if (
                    slot.x_mm < other.x_mm + other.width_mm + gap
                    and other.x_mm < right + gap
                    and slot.y_mm < other.y_mm + other.depth_mm + gap
                    and other.y_mm < back + gap
                ):
                    raise ValueError(f"{slot.key} and {other.key} touch on {plate.name}")

"""Parts onto plates: packed on the bed, every packing checked by an independent judge.

Sizes are whole hundredths of a millimetre, rounded up, so that rounding makes no two parts touch.
A part's room is that of its real mesh, knobs and tabs included.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from falldamage_forge.issues import ForgeError, Issue
from falldamage_forge.pieces.model import SIZED
from falldamage_forge.printing.bounds import least_beds
from falldamage_forge.printing.packing import Laid, Part, Rect, best_fill, drawn_together
from falldamage_forge.printing.printer import Printer

UNIT = 100
"""Packing units in a millimetre."""
MAX_PARTS = 20_000
"""More parts than any table needs; a list beyond is a mistake, not a wish."""

Box = tuple[float, float, float, float]
"""x, y, width and depth in mm."""


@dataclass(frozen=True, slots=True)
class Item:
    """Parts to pack: `count` copies of a piece whose mesh takes `width_mm` by `depth_mm`.

    Items of different `group` never share a plate. `outline` are boxes inside the mesh's own that
    together cover it, for shapes that leave corners free; empty for all others.
    """

    key: str
    width_mm: float
    depth_mm: float
    height_mm: float
    count: int
    group: str = ""
    outline: tuple[Box, ...] = ()


@dataclass(frozen=True, slots=True)
class Slot:
    """One part on a plate: the lower left corner of its box, after counter-clockwise turns."""

    key: str
    x_mm: float
    y_mm: float
    width_mm: float
    depth_mm: float
    quarter_turns: int = 0
    outline: tuple[Box, ...] = field(default=(), repr=False)

    def boxes(self) -> tuple[Box, ...]:
        """What it takes of the bed, in the bed's mm."""
        if not self.outline:
            return ((self.x_mm, self.y_mm, self.width_mm, self.depth_mm),)
        return tuple((self.x_mm + x, self.y_mm + y, w, d) for x, y, w, d in self.outline)


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


def pack(items: Iterable[Item], printer: Printer, first: Sequence[str] = ()) -> tuple[Plate, ...]:
    """Plates for all parts, group by group, groups named in `first` leading, each in mid-bed.

    Raises ForgeError (FDF450) naming every piece that does not fit the bed or the height, and
    (FDF451) for more parts than a table can need.
    """
    items = [item for item in items if item.count > 0]
    faults = [issue for item in items for issue in fit_faults(item, printer)]
    total = sum(item.count for item in items)
    if total > MAX_PARTS:
        message = f"{total} parts are more than can be laid out ({MAX_PARTS})"
        faults.append(Issue("FDF451", "error", message, hint="print in several orders"))
    if faults:
        raise ForgeError(faults)
    plates: list[Plate] = []
    for group, own in _grouped(items, first).items():
        for slots in _pack_group(own, printer):
            plates.append(Plate(len(plates) + 1, group, _centred(slots, printer)))
    judge(plates, items, printer)
    return tuple(plates)


def _grouped(items: Sequence[Item], first: Sequence[str]) -> dict[str, list[Item]]:
    rank = {group: number for number, group in enumerate(first)}
    groups = sorted({item.group for item in items}, key=lambda g: (rank.get(g, len(rank)), g))
    return {group: [item for item in items if item.group == group] for group in groups}


def usable_mm(printer: Printer) -> tuple[float, float]:
    """Width and depth of the bed inside its margins."""
    return printer.bed_mm[0] - 2 * printer.margin_mm, printer.bed_mm[1] - 2 * printer.margin_mm


def fit_faults(item: Item, printer: Printer) -> Iterator[Issue]:
    """Why a part cannot be printed in one piece on this printer."""
    width_mm, depth_mm = usable_mm(printer)
    flat = (item.width_mm, item.depth_mm)
    finite = all(map(math.isfinite, (*flat, item.height_mm)))
    if not finite or min(flat) > min(width_mm, depth_mm) or max(flat) > max(width_mm, depth_mm):
        message = (
            f"`{item.key}` is {flat[0]:.1f} x {flat[1]:.1f} mm; "
            f"{printer.title} prints {width_mm:.1f} x {depth_mm:.1f} mm inside its margins"
        )
        hint = "choose a larger printer" + (", or smaller tiles" if SIZED in item.key else "")
        yield Issue("FDF450", "error", message, hint=hint)
    if item.height_mm > printer.height_mm:
        message = (
            f"`{item.key}` is {item.height_mm:.1f} mm high; "
            f"{printer.title} prints {printer.height_mm:.1f} mm"
        )
        yield Issue("FDF450", "error", message, hint="choose a taller printer")


def _units(length_mm: float) -> int:
    return math.ceil(round(length_mm * UNIT, 4))


def _bed(printer: Printer) -> tuple[int, int]:
    """Usable bed in units, one gap larger because every part carries its gap along."""
    gap = _units(printer.spacing_mm)
    width_mm, depth_mm = usable_mm(printer)
    return int(round(width_mm * UNIT, 4)) + gap, int(round(depth_mm * UNIT, 4)) + gap


def _part(item: Item, gap: int) -> Part:
    """The item as a part with a gap to the right of and above each of its boxes."""
    width, depth = _units(item.width_mm) + gap, _units(item.depth_mm) + gap
    rects = []
    for x_mm, y_mm, w_mm, d_mm in item.outline or ((0, 0, item.width_mm, item.depth_mm),):
        x, y = math.floor(round(x_mm * UNIT, 4)), math.floor(round(y_mm * UNIT, 4))
        right = min(_units(x_mm + w_mm) + gap, width)
        top = min(_units(y_mm + d_mm) + gap, depth)
        rects.append(Rect(x, y, right - x, top - y))
    return Part(item.key, width, depth, tuple(sorted(rects)), _units(item.height_mm))


def _pack_group(items: Sequence[Item], printer: Printer) -> list[tuple[Slot, ...]]:
    gap = _units(printer.spacing_mm)
    bed = _bed(printer)
    sizes = {item.key: (item, _part(item, gap)) for item in sorted(items, key=lambda i: i.key)}
    parts = [part for item, part in sizes.values() for _ in range(item.count)]
    least = least_beds([(part, item.count) for item, part in sizes.values()], bed)
    return [
        tuple(
            sorted(
                (_slot(laid, sizes[laid.part.key][0], printer) for laid in each.laid),
                key=lambda slot: (slot.y_mm, slot.x_mm, slot.key),
            )
        )
        for each in (drawn_together(full, bed) for full in best_fill(parts, bed, least))
    ]


def _centred(slots: Sequence[Slot], printer: Printer) -> tuple[Slot, ...]:
    """The same parts with the middle of all in the middle of the bed, to a hundredth of a mm."""
    width_mm, depth_mm = printer.bed_mm
    left, right = min(s.x_mm for s in slots), max(s.x_mm + s.width_mm for s in slots)
    front, back = min(s.y_mm for s in slots), max(s.y_mm + s.depth_mm for s in slots)
    x_mm = math.floor((width_mm - left - right) / 2 * UNIT) / UNIT
    y_mm = math.floor((depth_mm - front - back) / 2 * UNIT) / UNIT
    return tuple(
        replace(s, x_mm=round(s.x_mm + x_mm, 6), y_mm=round(s.y_mm + y_mm, 6)) for s in slots
    )


def on_one_plate(items: Sequence[Item], printer: Printer) -> bool:
    """Whether all parts, whatever their groups, go on a single bed."""
    return len(_pack_group(items, printer)) <= 1


def _slot(laid: Laid, item: Item, printer: Printer) -> Slot:
    margin, turns = printer.margin_mm, laid.pose.turns
    flat = (item.width_mm, item.depth_mm)
    return Slot(
        item.key,
        margin + laid.x / UNIT,
        margin + laid.y / UNIT,
        *(flat[::-1] if turns % 2 else flat),
        turns,
        turn_boxes(item.outline, *flat, turns),
    )


def turn_boxes(
    boxes: tuple[Box, ...], width_mm: float, depth_mm: float, turns: int
) -> tuple[Box, ...]:
    """Boxes inside a box of that size after counter-clockwise quarter turns of all of it."""
    for _ in range(turns % 4):
        boxes = tuple((depth_mm - y - d, x, d, w) for x, y, w, d in boxes)
        width_mm, depth_mm = depth_mm, width_mm
    return boxes


def lower_bound(items: Iterable[Item], printer: Printer) -> int:
    """Plates no packing can do without, by group: by area, and by shapes that cannot share."""
    gap, bed = _units(printer.spacing_mm), _bed(printer)
    groups = _grouped([item for item in items if item.count > 0], ())
    return sum(
        least_beds([(_part(item, gap), item.count) for item in own], bed) for own in groups.values()
    )


def judge(plates: Sequence[Plate], items: Iterable[Item], printer: Printer) -> None:
    """Independent proof of a packing: all parts once, on the bed, apart. ValueError if not."""
    wanted = {item.key: item for item in items}
    found = Counter(slot.key for plate in plates for slot in plate.slots)
    if found != Counter({key: item.count for key, item in wanted.items()}):
        raise ValueError("the packing lost or doubled a part")
    low = printer.margin_mm - 1e-6
    for plate in plates:
        for slot in plate.slots:
            _judge_slot(slot, wanted, plate)
            right, back = slot.x_mm + slot.width_mm, slot.y_mm + slot.depth_mm
            if (
                min(slot.x_mm, slot.y_mm) < low
                or right > printer.bed_mm[0] - low
                or back > printer.bed_mm[1] - low
            ):
                raise ValueError(f"{slot.key} hangs over the edge of {plate.name}")
        _judge_apart(plate, printer.spacing_mm - 1e-6)


def _judge_slot(slot: Slot, wanted: Mapping[str, Item], plate: Plate) -> None:
    """The slot has the item's size, and its outline is the item's, turned."""
    item = wanted[slot.key]
    size = (item.width_mm, item.depth_mm)
    if (slot.width_mm, slot.depth_mm) != (size[::-1] if slot.quarter_turns % 2 else size):
        raise ValueError(f"{slot.key} has the wrong size on {plate.name}")
    # In numbers of a picture: a box's middle, seen from the middle of all, turns like a vector.
    for (x, y, w, d), (u, v, p, q) in zip(item.outline, slot.outline, strict=True):
        seen = complex(x + w / 2 - size[0] / 2, y + d / 2 - size[1] / 2) * 1j**slot.quarter_turns
        there = complex(u + p / 2 - slot.width_mm / 2, v + q / 2 - slot.depth_mm / 2)
        box = (d, w) if slot.quarter_turns % 2 else (w, d)
        if abs(seen - there) > 1e-6 or box != (p, q):
            raise ValueError(f"{slot.key} has a wrong outline on {plate.name}")


def _judge_apart(plate: Plate, gap_mm: float) -> None:
    for number, slot in enumerate(plate.slots):
        for other in plate.slots[:number]:
            for x, y, w, d in slot.boxes():
                for u, v, p, q in other.boxes():
                    if (
                        x < u + p + gap_mm
                        and u < x + w + gap_mm
                        and y < v + q + gap_mm
                        and v < y + d + gap_mm
                    ):
                        raise ValueError(f"{slot.key} and {other.key} touch on {plate.name}")

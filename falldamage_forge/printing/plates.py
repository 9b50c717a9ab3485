"""Plates: parts packed onto the bed, and an independent check of every packing.

Sizes are whole hundredths of a millimetre, rounded up, so that rounding makes no two parts touch. A
part's outline is that of its real mesh, including knobs and tabs.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path

from falldamage_forge.infra.disk_cache import get_or_compute
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import ForgeError, Issue
from falldamage_forge.pieces.model_keys import MODEL_KEY
from falldamage_forge.pieces.piece import SIZED
from falldamage_forge.printing.bin_bounds import least_beds
from falldamage_forge.printing.colour_groups import words_of
from falldamage_forge.printing.packing import PackPart, Rect, best_fill, compact_bed
from falldamage_forge.printing.printer import Printer
from falldamage_forge.printing.tone_change import ToneChange

UNIT = 100
"""Packing units in a millimetre."""
MAX_PARTS = 20_000
"""More parts than any table needs; a longer list is a mistake."""

Box = tuple[float, float, float, float]
"""x, y, width and depth in mm."""


@dataclass(frozen=True, slots=True)
class PackItem:
    """Parts to pack: `count` copies of a piece with the given extents in mm.

    Items of different `group` or `change` never share a plate. `outline` are boxes inside the
    bounding box that together cover the mesh, for shapes that leave corners free; empty for others.
    """

    key: str
    width_mm: float
    depth_mm: float
    height_mm: float
    count: int
    group: str = ""
    outline: tuple[Box, ...] = ()
    change: ToneChange | None = None


TOWER = PackItem("prime tower", 45.0, 45.0, 1.0, 1)
"""Room for the tower that cleans the nozzle between filaments: 35 mm wide, and a brim."""


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
        """Return the boxes that it covers on the bed, in mm."""
        if not self.outline:
            return ((self.x_mm, self.y_mm, self.width_mm, self.depth_mm),)
        return tuple((self.x_mm + x, self.y_mm + y, w, d) for x, y, w, d in self.outline)


@dataclass(frozen=True, slots=True)
class Plate:
    """One bed load. `index` counts from 1; `change` serves all its parts.

    `tower_mm` is the front left corner of a square of `TOWER` that is free for a prime tower; None
    if none was planned.
    """

    index: int
    group: str
    slots: tuple[Slot, ...]
    tower_mm: tuple[float, float] | None = None
    change: ToneChange | None = None

    @property
    def name(self) -> str:
        """File name without suffix: `plate-01-stone`."""
        return f"plate-{self.index:02d}" + (f"-{self.group}" if self.group else "")

    def counts(self) -> dict[str, int]:
        """Return parts by key, sorted."""
        return dict(sorted(Counter(slot.key for slot in self.slots).items()))


def plate_titles(plates: Sequence[Plate]) -> list[str]:
    """Return the titles of plates: `Walls 2 of 3`, `Water, lava and trees`."""
    named = ([words_of(group) for group in p.group.split("+")] for p in plates)
    words = [" and ".join(filter(None, (", ".join(own[:-1]), own[-1]))) or "parts" for own in named]
    often, seen = Counter(words), Counter[str]()
    titles = []
    for word in words:
        seen[word] += 1
        title = word[:1].upper() + word[1:]
        titles.append(f"{title} {seen[word]} of {often[word]}" if often[word] > 1 else title)
    return titles


def pack(
    items: Iterable[PackItem],
    printer: Printer,
    first: Sequence[str] = (),
    towers: Container[str] = (),
) -> tuple[Plate, ...]:
    """Return plates for all parts, group by group, each centred on the bed.

    Args:
        items: Parts to print.
        printer: Bed, margins and spacing.
        first: Groups whose plates come first, in this order.
        towers: Groups of several filaments; a plate that holds one whole has room for a tower.

    Raises:
        ForgeError: (FDF450) Lists every piece that exceeds the bed or the height; (FDF451) if there
            are more than `MAX_PARTS` parts.
    """
    items = [item for item in items if item.count > 0]
    issues = [issue for item in items for issue in fit_faults(item, printer)]
    total = sum(item.count for item in items)
    if total > MAX_PARTS:
        message = f"{total} parts are more than can be laid out ({MAX_PARTS})"
        issues.append(Issue("FDF451", "error", message, hint="print in several orders"))
    if issues:
        raise ForgeError(issues)
    plates: list[Plate] = []
    for (group, change), members in _grouped(items, first).items():
        with_tower = [*members, TOWER]
        roomy = change is None and group in towers and on_one_plate(with_tower, printer)
        for slots in _pack_group(with_tower if roomy else members, printer):
            placed = _centred(slots, printer)
            parts = tuple(slot for slot in placed if slot.key != TOWER.key)
            tower = next(((s.x_mm, s.y_mm) for s in placed if s.key == TOWER.key), None)
            plates.append(Plate(len(plates) + 1, group, parts, tower, change))
    verify_packing(plates, items, printer)
    return tuple(plates)


def _grouped(
    items: Sequence[PackItem], first: Sequence[str]
) -> dict[tuple[str, ToneChange | None], list[PackItem]]:
    """Return items by group and change, in the order of their plates."""
    rank = {group: number for number, group in enumerate(first)}
    groups: dict[tuple[str, ToneChange | None], list[PackItem]] = {}
    for item in sorted(items, key=lambda i: (rank.get(i.group, len(rank)), i.group, str(i.change))):
        groups.setdefault((item.group, item.change), []).append(item)
    return groups


def usable_mm(printer: Printer) -> tuple[float, float]:
    """Return width and depth of the bed inside its margins."""
    return printer.bed_mm[0] - 2 * printer.margin_mm, printer.bed_mm[1] - 2 * printer.margin_mm


def fit_faults(item: PackItem, printer: Printer) -> Iterator[Issue]:
    """Yield the reasons why a part does not fit the printer.

    Args:
        item: Part with its size in mm.
        printer: Printer with bed, margin and height in mm.
    """
    width_mm, depth_mm = usable_mm(printer)
    flat = (item.width_mm, item.depth_mm)
    finite = all(map(math.isfinite, (*flat, item.height_mm)))
    if not finite or min(flat) > min(width_mm, depth_mm) or max(flat) > max(width_mm, depth_mm):
        message = (
            f"`{item.key}` is {flat[0]:.1f} x {flat[1]:.1f} mm; "
            f"{printer.title} prints {width_mm:.1f} x {depth_mm:.1f} mm inside its margins"
        )
        hint = "choose a larger printer" + (", or smaller tiles" if SIZED in item.key else "")
        if item.key.startswith(MODEL_KEY):
            hint += ", or cut the model by `parts 2x1` in its block"
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
    """Return the usable bed in units, one gap larger because every part includes its gap."""
    gap = _units(printer.spacing_mm)
    width_mm, depth_mm = usable_mm(printer)
    return int(round(width_mm * UNIT, 4)) + gap, int(round(depth_mm * UNIT, 4)) + gap


def _part(item: PackItem, gap: int) -> PackPart:
    """Return the item as a part with a gap to the right of and above each of its boxes."""
    width, depth = _units(item.width_mm) + gap, _units(item.depth_mm) + gap
    rects = []
    for x_mm, y_mm, w_mm, d_mm in item.outline or ((0, 0, item.width_mm, item.depth_mm),):
        x, y = math.floor(round(x_mm * UNIT, 4)), math.floor(round(y_mm * UNIT, 4))
        right = min(_units(x_mm + w_mm) + gap, width)
        top = min(_units(y_mm + d_mm) + gap, depth)
        rects.append(Rect(x, y, right - x, top - y))
    return PackPart(item.key, width, depth, tuple(sorted(rects)), _units(item.height_mm))


Bed = Sequence[tuple[str, int, int, int]]
"""Parts on one bed: key, x and y in packing units, counter-clockwise quarter turns."""


def _pack_group(items: Sequence[PackItem], printer: Printer) -> list[tuple[Slot, ...]]:
    """Return the parts of each bed; the packing is cached on disk by its inputs."""
    gap, bed = _units(printer.spacing_mm), _bed(printer)
    named = {item.key: item for item in sorted(items, key=lambda i: i.key)}
    sizes = {key: (_part(item, gap), item.count) for key, item in named.items()}
    content = repr((list(sizes.values()), bed)).encode()
    package = Path(__file__).resolve().parent

    def packed() -> bytes:
        return json.dumps(_filled(list(sizes.values()), bed)).encode()

    def slots_of(beds: Sequence[Bed]) -> list[tuple[Slot, ...]]:
        return [
            tuple(
                sorted(
                    (_slot(named[key], x, y, turns, printer) for key, x, y, turns in own),
                    key=lambda slot: (slot.y_mm, slot.x_mm, slot.key),
                )
            )
            for own in beds
        ]

    try:
        found = slots_of(json.loads(get_or_compute(package, (), "packing", [content], packed)))
        laid = [Plate(number, "", slots) for number, slots in enumerate(found, start=1)]
        verify_packing(laid, items, printer)
    except (ValueError, TypeError, KeyError):  # an entry that is not what was stored
        return slots_of(_filled(list(sizes.values()), bed))
    return found


def _filled(parts: Sequence[tuple[PackPart, int]], bed: tuple[int, int]) -> list[Bed]:
    """Return beds filled with parts, each given with its count."""
    each = [part for part, count in parts for _ in range(count)]
    return [
        [(laid.part.key, laid.x, laid.y, laid.pose.turns) for laid in compact_bed(full, bed).laid]
        for full in best_fill(each, bed, least_beds(parts, bed))
    ]


def _centred(slots: Sequence[Slot], printer: Printer) -> tuple[Slot, ...]:
    """Return the parts centred on the bed, to 0.01 mm."""
    width_mm, depth_mm = printer.bed_mm
    left, right = min(s.x_mm for s in slots), max(s.x_mm + s.width_mm for s in slots)
    front, back = min(s.y_mm for s in slots), max(s.y_mm + s.depth_mm for s in slots)
    x_mm = math.floor((width_mm - left - right) / 2 * UNIT) / UNIT
    y_mm = math.floor((depth_mm - front - back) / 2 * UNIT) / UNIT
    return tuple(
        replace(s, x_mm=round(s.x_mm + x_mm, 6), y_mm=round(s.y_mm + y_mm, 6)) for s in slots
    )


def on_one_plate(items: Sequence[PackItem], printer: Printer) -> bool:
    """True if all parts, of all groups, fit on a single bed.

    Args:
        items: Parts with their sizes and counts.
        printer: Printer whose bed is filled.
    """
    return len(_pack_group(items, printer)) <= 1


def _slot(item: PackItem, x: int, y: int, turns: int, printer: Printer) -> Slot:
    margin = printer.margin_mm
    flat = (item.width_mm, item.depth_mm)
    return Slot(
        item.key,
        margin + x / UNIT,
        margin + y / UNIT,
        *(flat[::-1] if turns % 2 else flat),
        turns,
        turn_boxes(item.outline, *flat, turns),
    )


def turn_boxes(
    boxes: tuple[Box, ...], width_mm: float, depth_mm: float, turns: int
) -> tuple[Box, ...]:
    """Return boxes after counter-clockwise quarter turns of the rectangle that contains them.

    Args:
        boxes: Boxes as (x, y, width, depth) in mm from the rectangle's front left corner.
        width_mm: Width of the rectangle.
        depth_mm: Depth of the rectangle.
        turns: Number of quarter turns.
    """
    for _ in range(turns % 4):
        boxes = tuple((depth_mm - y - d, x, d, w) for x, y, w, d in boxes)
        width_mm, depth_mm = depth_mm, width_mm
    return boxes


def lower_bound(items: Iterable[PackItem], printer: Printer) -> int:
    """Return the number of plates that no packing can go below, summed over groups.

    Args:
        items: Parts with their sizes and counts.
        printer: Printer whose bed is filled.
    """
    gap, bed = _units(printer.spacing_mm), _bed(printer)
    groups = _grouped([item for item in items if item.count > 0], ())
    return sum(
        least_beds([(_part(item, gap), item.count) for item in own], bed) for own in groups.values()
    )


def verify_packing(plates: Sequence[Plate], items: Iterable[PackItem], printer: Printer) -> None:
    """Check a packing independently: all parts once, on the bed, apart.

    Args:
        plates: Plates with the places of their parts, in mm.
        items: Parts that the plates have to hold.
        printer: Printer with bed, margin and spacing in mm.

    Raises:
        ValueError: If a part is missing, doubled, turned wrongly, off the bed or too near another.
    """
    wanted = {item.key: item for item in items}
    counts = Counter(slot.key for plate in plates for slot in plate.slots)
    if counts != Counter({key: item.count for key, item in wanted.items()}):
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


def _judge_slot(slot: Slot, wanted: Mapping[str, PackItem], plate: Plate) -> None:
    """Check that the slot has the item's size, and that its outline is the item's, turned."""
    item = wanted[slot.key]
    size = (item.width_mm, item.depth_mm)
    if (slot.width_mm, slot.depth_mm) != (size[::-1] if slot.quarter_turns % 2 else size):
        raise ValueError(f"{slot.key} has the wrong size on {plate.name}")
    # In numbers of a picture: a box's middle, seen from the middle of all, turns like a vector.
    for (x, y, w, d), (u, v, p, q) in zip(item.outline, slot.outline, strict=True):
        want = complex(x + w / 2 - size[0] / 2, y + d / 2 - size[1] / 2) * 1j**slot.quarter_turns
        actual = complex(u + p / 2 - slot.width_mm / 2, v + q / 2 - slot.depth_mm / 2)
        box = (d, w) if slot.quarter_turns % 2 else (w, d)
        if abs(want - actual) > 1e-6 or box != (p, q):
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

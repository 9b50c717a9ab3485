"""Packed beds and plates, as text: see `tests/snapshot.py`."""

import random
from collections.abc import Iterator
from functools import partial

import pytest

from falldamage_forge.presets import load_printer
from falldamage_forge.printing.bin_bounds import least_beds
from falldamage_forge.printing.packing import PackPart, Rect, best_fill, compact_bed
from falldamage_forge.printing.plates import PackItem, lower_bound, pack
from tests import snapshot
from tests.snapshot import Snapshots

AREA = "printing"
PRINTER = load_printer("a1-mini")
BED = (100, 90)


def parts_of(seed: int, count: int = 11) -> list[PackPart]:
    """Boxes and elbows of a few sizes, some tall."""
    dice = random.Random(seed)
    found = []
    for number in range(count):
        w, h = dice.randint(8, 60), dice.randint(8, 60)
        rects = (Rect(0, 0, w, h),)
        if number % 3 == 0:
            rects = (Rect(0, 0, w, h // 2), Rect(0, h // 2, w // 2, h - h // 2))
        found.append(PackPart(f"p{number}", w, h, rects, number % 4 // 3))
    return found


def filled(seed: int) -> Iterator[str]:
    """Beds of odd parts, as packed and drawn together."""
    parts = parts_of(seed, 5 + 2 * seed)
    least = least_beds([(part, 1) for part in parts], BED)
    beds = best_fill(parts, BED, least)
    yield f"{len(beds)} beds of {BED[0]} x {BED[1]}, at least {least}"
    for number, bed in enumerate(beds, 1):
        close = {one.part.key: one for one in compact_bed(bed, BED).laid}
        for one in bed.laid:
            there = close[one.part.key]
            yield (
                f"bed {number}: {one.part.key} of {one.part.w} x {one.part.h}, area "
                f"{one.part.area}, turned {one.pose.turns} at {one.x}, {one.y}; "
                f"together turned {there.pose.turns} at {there.x}, {there.y}"
            )


def plated(seed: int) -> Iterator[str]:
    """Plates of items of several colours, wood first."""
    dice = random.Random(seed)
    items = []
    for n in range(9):
        w, d = round(dice.uniform(8, 90), 1), round(dice.uniform(8, 90), 1)
        elbow = ((0.0, 0.0, w, d / 2), (0.0, d / 2, w / 2, d / 2)) if n % 2 else ()
        items.append(
            PackItem(f"i{n}", w, d, 20.0 + n % 3, 1 + n % 4, ("", "stone", "wood")[n % 3], elbow)
        )
    plates = pack(items, PRINTER, ("wood",))
    yield f"{len(plates)} plates, at least {lower_bound(items, PRINTER)}"
    for plate in plates:
        yield f"plate {plate.index}, {plate.name}: {plate.counts()}"
        for slot in plate.slots:
            yield (
                f"plate {plate.index}: {slot.key} at {slot.x_mm:.6g}, {slot.y_mm:.6g} of "
                f"{slot.width_mm:.6g} x {slot.depth_mm:.6g} mm, turned {slot.quarter_turns}"
            )


SNAPSHOTS: Snapshots = {
    **{f"beds-{seed}": partial(filled, seed) for seed in range(4)},
    **{f"plates-{seed}": partial(plated, seed) for seed in range(3)},
}


@pytest.mark.parametrize("name", SNAPSHOTS)
def test_packing_is_that_of_the_snapshot(name: str) -> None:
    snapshot.check(f"{AREA}/{name}", SNAPSHOTS[name]())

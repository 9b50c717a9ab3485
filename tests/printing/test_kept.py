"""Packings of odd shapes and many parts, whole: each is as it was kept."""

import random
from dataclasses import replace

import pytest

from falldamage_forge.pieces.model import SIZED
from falldamage_forge.presets import load_printer
from falldamage_forge.printing.bounds import WEIGHTS, least_beds
from falldamage_forge.printing.packing import ORDERS, Part, Rect, best_fill, drawn_together, slabs
from falldamage_forge.printing.plates import (
    Item,
    fit_faults,
    judge,
    lower_bound,
    pack,
    turn_boxes,
    usable_mm,
)
from tests.kept import is_kept

PRINTER = load_printer("a1-mini")


def parts_of(seed: int, count: int = 11) -> list[Part]:
    """Boxes and elbows of a few sizes, some tall."""
    dice = random.Random(seed)
    found = []
    for number in range(count):
        w, h = dice.randint(8, 60), dice.randint(8, 60)
        rects = (Rect(0, 0, w, h),)
        if number % 3 == 0:
            rects = (Rect(0, 0, w, h // 2), Rect(0, h // 2, w // 2, h - h // 2))
        found.append(Part(f"p{number}", w, h, rects, number % 4 // 3))
    return found


@pytest.mark.parametrize("seed", range(4))
def test_beds_are_as_kept(seed: int) -> None:
    parts, bed = parts_of(seed), (100, 90)
    least = least_beds([(part, 1 + number % 3) for number, part in enumerate(parts)], bed)
    beds = best_fill(parts, bed, least_beds([(part, 1) for part in parts], bed))
    told = [[[laid.part.key, laid.pose.turns, laid.x, laid.y] for laid in one.laid] for one in beds]
    close = [
        [[laid.part.key, laid.pose.turns, laid.x, laid.y] for laid in drawn_together(one, bed).laid]
        for one in beds
    ]
    shapes = [[part.area, slabs(part.rects), part.poses, [order(part) for order in ORDERS]]
              for part in parts]  # fmt: skip
    assert is_kept(f"beds {seed}", [least, told, close, shapes])


@pytest.mark.parametrize("seed", range(8))
def test_the_best_of_all_tries_is_as_kept(seed: int) -> None:
    """Few parts, and no bound that ends the search: of packings alike the first found stays."""
    beds = best_fill(parts_of(seed + 10, 3 + seed), (100, 90), 0)
    told = [[[laid.part.key, laid.pose.turns, laid.x, laid.y] for laid in one.laid] for one in beds]
    assert is_kept(f"best {seed}", told)


def test_weights_of_bounds_are_as_kept() -> None:
    from fractions import Fraction

    shares = [Fraction(number, 60) for number in range(61)]
    assert is_kept("weights", [[one(share) for share in shares] for one in WEIGHTS])


@pytest.mark.parametrize("seed", range(4))
def test_plates_are_as_kept(seed: int) -> None:
    dice = random.Random(seed)
    items = []
    for n in range(9):
        w, d = dice.uniform(8, 90), dice.uniform(8, 90)
        elbow = ((0.0, 0.0, w, d / 2), (0.0, d / 2, w / 2, d / 2)) if n % 2 else ()
        group = ("", "stone", "wood")[n % 3]
        items.append(Item(f"i{n}", w, d, 20.0 + n % 3, 1 + n % 4, group, elbow))
    plates = pack(items, PRINTER, ("wood",))
    told = [[p.index, p.name, p.counts(), [[s.key, s.x_mm, s.y_mm, s.width_mm, s.depth_mm,
             s.quarter_turns, s.boxes()] for s in p.slots]] for p in plates]  # fmt: skip
    turned = [
        turn_boxes(items[1].outline, items[1].width_mm, items[1].depth_mm, turns)
        for turns in range(5)
    ]
    assert is_kept(f"plates {seed}", [told, turned, lower_bound(items, PRINTER)])


def test_a_packing_that_is_wrong_is_told_as_kept() -> None:
    """Parts moved a little or far, turned, swapped, lost and doubled."""
    dice, told = random.Random(3), []
    items = [Item(f"i{n}", 30.0 + 7 * n, 50.0 - 6 * n, 20.0, 2, "", ()) for n in range(4)]
    items.append(Item("elbow", 60.0, 60.0, 9.0, 1, "", ((0, 0, 60.0, 20.0), (0, 20.0, 20.0, 40.0))))
    plates = pack(items, PRINTER, ())
    for _ in range(120):
        slots = list(plates[0].slots)
        number = dice.randrange(len(slots))
        slot = slots[number]
        far = dice.choice((-40.0, -9.0, -2.0, -1.0, 1.0, 2.0, 9.0, 40.0))
        slots[number : number + 1] = dice.choice((
            [], [slot, slot], [replace(slot, x_mm=slot.x_mm + far)],
            [replace(slot, y_mm=slot.y_mm + far)], [replace(slot, x_mm=slot.x_mm + far)],
            [replace(slot, width_mm=slot.depth_mm, depth_mm=slot.width_mm)],
            [replace(slot, quarter_turns=slot.quarter_turns + dice.randint(1, 3))],
            [replace(slot, outline=slot.outline[::-1])],
        ))  # fmt: skip
        try:
            judge([replace(plates[0], slots=tuple(slots)), *plates[1:]], items, PRINTER)
            told.append("sound")
        except ValueError as error:
            told.append(str(error))
    assert len(set(told)) > 12
    assert is_kept("wrong plates", told)


def test_what_fits_no_bed_is_told_as_kept() -> None:
    width, depth = usable_mm(PRINTER)
    most = PRINTER.height_mm
    sizes = [(width, depth, most), (width + 0.1, depth, 9), (width, depth + 0.1, 9),
             (9, 9, most + 0.1), (width * 2, depth * 2, most * 2), (9, 9, 9)]  # fmt: skip
    faults = [
        [[i.code, i.severity, i.message, i.hint] for i in fit_faults(Item(key, *size, 1), PRINTER)]
        for size in sizes
        for key in ("x", f"x{SIZED}24")
    ]
    assert is_kept("faults of fit", faults)

"""Packing: dual feasible weights, beds against shapes of shapely, and the judge against both."""

import random
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely.geometry import box
from shapely.ops import unary_union

from falldamage_forge.presets import load_printer
from falldamage_forge.printing.bin_bounds import WEIGHTS, least_beds
from falldamage_forge.printing.packing import (
    SHUFFLED_PARTS,
    SHUFFLES,
    PackPart,
    PlacedPart,
    Rect,
    _shuffled_tries,
    _sorted_tries,
    best_fill,
    compact_bed,
    disjoint_rectangles,
)
from falldamage_forge.printing.plates import PackItem, Plate, Slot, pack, turn_boxes, verify_packing
from tests.amount import EXHAUSTIVE
from tests.printing.test_snapshots import BED, parts_of

PRINTER = load_printer("a1-mini")


@given(st.lists(st.integers(1, 60), min_size=1, max_size=12))
def test_dual_feasible_weights_sum_to_at_most_one(sizes: list[int]) -> None:
    """The definition of a dual feasible function, on shares of 1/60 that fit together."""
    while sum(sizes) > 60:
        sizes.pop()
    for weight in WEIGHTS:
        assert sum(weight(Fraction(size, 60)) for size in sizes) <= 1
        assert all(weight(Fraction(n, 60)) <= weight(Fraction(n + 1, 60)) for n in range(60))
        assert (weight(Fraction(0)), weight(Fraction(1))) == (0, 1)


def shape(laid: PlacedPart) -> object:
    return unary_union([box(r.x, r.y, r.x + r.w, r.y + r.h) for r in laid.rects()])


@pytest.mark.parametrize("seed", range(60 if EXHAUSTIVE else 6))
def test_odd_parts_lie_apart_on_their_beds_also_when_drawn_together(seed: int) -> None:
    parts = parts_of(seed, 3 + seed % 9)
    least = least_beds([(part, 1) for part in parts], BED)
    beds = best_fill(parts, BED, least)
    assert least <= len(beds) <= len(parts)
    laid = [one for bed in beds for one in bed.laid]
    assert sorted(one.part.key for one in laid) == sorted(part.key for part in parts)
    for bed in beds:
        close = compact_bed(bed, BED)
        assert {one.part.key for one in close.laid} == {one.part.key for one in bed.laid}
        for some in (bed.laid, close.laid):
            shapes = [shape(one) for one in some]
            assert all(one.within(box(0, 0, *BED)) for one in shapes)
            assert all(one.area == laid_.part.area for one, laid_ in zip(shapes, some, strict=True))
            assert all(a.intersection(b).area == 0 for a, b in combinations(shapes, 2))


@pytest.mark.parametrize("seed", range(4))
def test_slabs_cover_each_part_once(seed: int) -> None:
    for part in parts_of(seed):
        found = disjoint_rectangles(part.rects)
        union = unary_union([box(r.x, r.y, r.x + r.w, r.y + r.h) for r in part.rects])
        assert sum(r.w * r.h for r in found) == union.area == part.area


def test_boxes_come_back_after_four_turns_and_turn_like_points() -> None:
    boxes = ((0.0, 0.0, 60.0, 20.0), (0.0, 20.0, 20.0, 40.0))
    size = (60.0, 60.0)
    assert turn_boxes(boxes, *size, 4) == boxes
    for turns in range(1, 4):
        before = turn_boxes(boxes, *size, turns - 1)
        for (x, y, w, d), (u, v, p, q) in zip(before, turn_boxes(boxes, *size, turns), strict=True):
            assert (u, v, p, q) == (60 - y - d, x, d, w)


def outline(slot: Slot) -> object:
    boxes = slot.boxes()
    return unary_union([box(x, y, x + w, y + d) for x, y, w, d in boxes])


def is_sound(slots: list[Slot], spacing: float) -> bool:
    """Whether parts lie on the bed and as far apart as they have to."""
    low, (right, back) = PRINTER.margin_mm - 1e-6, PRINTER.bed_mm
    bed = box(low, low, right - low, back - low)
    shapes = [outline(slot) for slot in slots]
    apart = all(a.distance(b) >= spacing - 1e-6 for a, b in combinations(shapes, 2))
    return apart and all(one.within(bed) for one in shapes)


@pytest.mark.parametrize("seed", range(300 if EXHAUSTIVE else 60))
def test_packing_check_rejects_exactly_touching_or_overhanging_parts(seed: int) -> None:
    dice = random.Random(seed)
    items = [PackItem(f"i{n}", 30.0 + 7 * n, 50.0 - 6 * n, 20.0, 2, "", ()) for n in range(4)]
    elbow = ((0, 0, 60.0, 20.0), (0, 20.0, 20.0, 40.0))
    items.append(PackItem("elbow", 60.0, 60.0, 9.0, 1, "", elbow))
    plates = pack(items, PRINTER, ())
    slots = list(plates[0].slots)
    number = dice.randrange(len(slots))
    by = dice.choice((-40.0, -9.0, -2.0, -1.0, 0.0, 1.0, 2.0, 9.0, 40.0))
    axis = dice.choice(("x_mm", "y_mm"))
    slots[number] = replace(slots[number], **{axis: getattr(slots[number], axis) + by})
    assert is_accepted([replace(plates[0], slots=tuple(slots)), *plates[1:]], items) == is_sound(
        slots, PRINTER.spacing_mm
    )
    for wrong in ([], [slots[number]] * 2):
        less = [*slots[:number], *wrong, *slots[number + 1 :]]
        assert not is_accepted([replace(plates[0], slots=tuple(less)), *plates[1:]], items)


def is_accepted(plates: list[Plate], items: list[PackItem]) -> bool:
    try:
        verify_packing(plates, items, PRINTER)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("times", [1, 40, 300])
def test_long_lists_are_shuffled_less_often_and_every_try_packs_all_parts(times: int) -> None:
    parts = parts_of(3) * times
    tries = [
        [part.key for part in order]
        for found in (_sorted_tries(parts), _shuffled_tries(parts))
        for _, order in found
    ]
    assert all(sorted(keys) == sorted(part.key for part in parts) for keys in tries)
    usual = len(list(_sorted_tries(parts_of(3))))
    assert len(tries) == usual + min(SHUFFLES, SHUFFLED_PARTS // len(parts))


TILE, GAP, SIDE = 298, 30, 5


def of_tiles(key: str, *tiles: tuple[int, int]) -> PackPart:
    """A block of whole tiles, each a box with its gap; arms of an elbow are one with its corner."""
    boxes = [Rect(x * TILE, y * TILE, TILE + GAP, TILE + GAP) for x, y in tiles]
    return PackPart(key, max(r.right for r in boxes), max(r.top for r in boxes), tuple(boxes))


ELBOW = of_tiles("elbow", (0, 0), (0, 1), (1, 1))
SQUARE = of_tiles("square", (0, 0), (0, 1), (1, 0), (1, 1))
ROW, ONE = of_tiles("row", (0, 0), (1, 0), (2, 0)), of_tiles("one", (0, 0))


@pytest.mark.parametrize("elbows", range(5))
@pytest.mark.parametrize("rows", range(3))
def test_blocks_of_tiles_fill_beds_to_the_last_tile(elbows: int, rows: int) -> None:
    """Two beds of 25 tiles, though the elbows' notches are narrower than a tile with its gaps."""
    bed = (1790, 1790)
    large = [*[ELBOW] * elbows, *[ROW] * rows, SQUARE]
    tiles = 2 * SIDE**2 - 3 * elbows - 3 * rows - 4
    beds = best_fill([*large, *[ONE] * tiles], bed, 2)
    assert len(beds) == 2
    for one in beds:
        shapes = [shape(laid) for laid in one.laid]
        assert all(own.within(box(0, 0, *bed)) for own in shapes)
        assert all(a.intersection(b).area == 0 for a, b in combinations(shapes, 2))

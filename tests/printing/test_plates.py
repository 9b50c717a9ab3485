"""Packing: every part once, on the bed, apart; near the lower bound; and the judge can fail."""

import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from falldamage_forge.board import Board, Column, Feature, Ground, Tile, make_board
from falldamage_forge.builds.pipeline import BuildOptions, assemble_parts, pack_item
from falldamage_forge.issues import ForgeError
from falldamage_forge.pieces.plan import plan
from falldamage_forge.presets import load_catalogue, load_printer
from falldamage_forge.printing.bin_bounds import least_beds
from falldamage_forge.printing.packing import PackPart, Rect, disjoint_rectangles
from falldamage_forge.printing.plate_sharing import merge_small_groups
from falldamage_forge.printing.plates import (
    MAX_PARTS,
    TOWER,
    PackItem,
    Plate,
    Slot,
    lower_bound,
    pack,
    verify_packing,
)
from tests.amount import EXHAUSTIVE
from tests.strategies import BLUE, RED

PRINTER = load_printer("a1-mini")

items = st.lists(
    st.tuples(
        st.floats(5, 170), st.floats(5, 170), st.integers(1, 12), st.sampled_from(["", "stone"])
    ),
    min_size=1,
    max_size=8,
).map(
    lambda rows: [
        PackItem(f"part-{number}", width, depth, 30, count, group)
        for number, (width, depth, count, group) in enumerate(rows)
    ]
)


@settings(max_examples=40, deadline=None)
@given(items)
def test_every_part_stands_once_on_the_bed_apart_from_the_others(parts: list[PackItem]) -> None:
    plates = pack(parts, PRINTER)
    verify_packing(plates, parts, PRINTER)
    assert len(plates) >= lower_bound(parts, PRINTER)
    assert [plate.index for plate in plates] == list(range(1, len(plates) + 1))
    groups = {item.key: item.group for item in parts}
    assert all(groups[slot.key] == plate.group for plate in plates for slot in plate.slots)
    assert pack(parts, PRINTER) == plates
    for plate in plates:
        for low, high, side in (
            (min(s.x_mm for s in plate.slots), max(s.x_mm + s.width_mm for s in plate.slots), 180),
            (min(s.y_mm for s in plate.slots), max(s.y_mm + s.depth_mm for s in plate.slots), 180),
        ):
            assert low + high == pytest.approx(side, abs=0.03), "not in the middle of the bed"


def test_few_parts_lie_together() -> None:
    (plate,) = pack([PackItem("tree", 27, 26, 60, 4)], PRINTER)
    assert max(slot.x_mm for slot in plate.slots) - min(slot.x_mm for slot in plate.slots) < 40
    assert max(slot.y_mm for slot in plate.slots) - min(slot.y_mm for slot in plate.slots) < 40


def test_tall_parts_share_plates_without_extra_plates() -> None:
    mixed = [
        PackItem("wide", 85, 85, 30, 3),
        PackItem("wide-tower", 85, 85, 60, 1),
        PackItem("low", 84, 84, 30, 3),
        PackItem("tower", 84, 84, 60, 1),
    ]
    one, other = pack(mixed, PRINTER)
    assert {"wide-tower", "tower"} <= set(one.counts())
    assert len(pack([replace(item, height_mm=9) for item in mixed], PRINTER)) == 2
    assert {key for key in other.counts() if "tower" in key} == set()


GROUPS = st.sampled_from(["stone", "wood", "water", "marker", "tree"])


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(GROUPS, st.floats(0.5, 30), st.integers(0, 4)), max_size=8), st.floats(1, 40)
)
def test_only_colours_that_need_little_share_and_none_prints_otherwise(
    rows: list[tuple[str, float, int]], most_g: float
) -> None:
    parts = [PackItem(f"p{n}", 9, 9, 9, count, group) for n, (group, _, count) in enumerate(rows)]
    weights = {f"p{n}": weight for n, (_, weight, _) in enumerate(rows)}
    process = PRINTER.process
    total: Counter[str] = Counter()
    for part in parts:
        total[part.group] += weights[part.key] * part.count  # type: ignore[assignment]
    for before, after in zip(
        parts, merge_small_groups(parts, weights, PRINTER, most_g), strict=True
    ):
        assert replace(after, group=before.group) == before
        assert process.way(after.group) == process.way(before.group)
        if after.group != before.group:
            shared = after.group.split("+")
            assert before.group in shared
            assert all(0 < total[group] < most_g for group in shared)


def plates_by_colour(parts: list[PackItem], shared: list[PackItem]) -> dict[str, set[int]]:
    """The plates that hold something of a colour."""
    colour = {part.key: part.group for part in parts}
    found: dict[str, set[int]] = {}
    for plate in pack(shared, PRINTER):
        for slot in plate.slots:
            found.setdefault(colour[slot.key], set()).add(plate.index)
    return found


COLOURS = ("blue", "red", "water", "wood", "lava")


@settings(max_examples=200 if EXHAUSTIVE else 12, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 9), st.integers(1, 9)), min_size=2, max_size=4))
def test_no_colour_that_shares_is_split_between_plates(rows: list[tuple[int, int]]) -> None:
    """Else one part of it may lie on a plate of its own."""
    parts = [
        PackItem(f"{group}-{n}", 29.8, 29.8, 3, count, group)
        for group, counts in zip(COLOURS, rows, strict=False)
        for n, count in enumerate(counts)
    ]
    shared = merge_small_groups(
        parts, dict.fromkeys((part.key for part in parts), 0.1), PRINTER, 40
    )
    alone, found = plates_by_colour(parts, parts), plates_by_colour(parts, shared)
    for colour, plates in found.items():
        assert len(plates) <= len(alone[colour]), colour
    together = set().union(*found.values())
    assert len(together) <= len(set().union(*alone.values()))


def test_colours_are_shared_out_evenly() -> None:
    """As duel's: 8 blue, 8 red, 2 water and 6 wooden parts are more than one plate's."""
    counts = {"blue": 8, "red": 8, "water": 2, "wood": 9}
    parts = [PackItem(group, 29.8, 29.8, 3, count, group) for group, count in counts.items()]
    shared = merge_small_groups(parts, dict.fromkeys(counts, 0.5), PRINTER, 20)
    plates = pack(shared, PRINTER)
    assert sorted(len(plate.slots) for plate in plates) == [11, 16]


def test_many_colours_are_laid_in_order() -> None:
    parts = [PackItem(f"p{n}", 80, 80, 3, 1, f"colour-{n:02d}") for n in range(12)]
    shared = merge_small_groups(parts, {part.key: 1.0 for part in parts}, PRINTER, 20)
    groups = Counter(part.group for part in shared)
    assert sorted(groups.values()) == [3, 3, 3, 3], "a fourth would take the prime tower's room"
    for plate in pack(shared, PRINTER, towers=groups):
        assert plate.tower_mm
        tower = Slot(TOWER.key, *plate.tower_mm, TOWER.width_mm, TOWER.depth_mm)
        beside = replace(plate, slots=(*plate.slots, tower))
        verify_packing(
            [beside], [*(part for part in parts if part.key in plate.counts()), TOWER], PRINTER
        )


def test_twenty_five_blocks_go_on_a_plate() -> None:
    plates = pack([PackItem("block", 29.8, 29.8, 33.6, 50)], PRINTER)
    assert [len(plate.slots) for plate in plates] == [25, 25]


@pytest.mark.parametrize(("width", "depth", "height"), [(176.2, 10, 10), (10, 200, 9), (9, 9, 181)])
def test_a_part_that_cannot_be_printed_is_named(width: float, depth: float, height: float) -> None:
    with pytest.raises(ForgeError, match="FDF450.*`slab`"):
        pack([PackItem("slab", width, depth, height, 1)], PRINTER)


def test_a_part_as_large_as_the_bed_inside_its_margins_fits() -> None:
    side = PRINTER.bed_mm[0] - 2 * PRINTER.margin_mm
    assert len(pack([PackItem("slab", side, side, 5, 2)], PRINTER)) == 2


def test_check_rejects_wrong_answer() -> None:
    parts = [PackItem("a", 40, 40, 10, 2)]
    (plate,) = pack(parts, PRINTER)
    first, second = plate.slots

    def bad(*slots: object) -> list[Plate]:
        return [replace(plate, slots=slots)]  # type: ignore[arg-type]

    with pytest.raises(ValueError, match="lost or doubled"):
        verify_packing(bad(first), parts, PRINTER)
    with pytest.raises(ValueError, match="touch"):
        verify_packing(bad(first, replace(second, x_mm=first.x_mm + 41)), parts, PRINTER)
    with pytest.raises(ValueError, match="edge"):
        verify_packing(bad(first, replace(second, x_mm=139)), parts, PRINTER)


@pytest.mark.parametrize("seed", range(30 if EXHAUSTIVE else 5))
def test_realistic_lists_need_at_most_a_plate_more_than_any_packing(seed: int) -> None:
    """Real pieces in the numbers that random tables and kits need, with and without stock."""
    chance = random.Random(seed)
    catalogue = load_catalogue()
    counts: Counter[str] = Counter()
    for number in range(chance.choice((1, 1, 2, 4))):
        counts += Counter(plan(random_board(seed * 10 + number), catalogue).counts())
    owned = {key: chance.randint(0, 6) for key in counts} if seed % 3 == 0 else {}
    pieces = {key: catalogue[key] for key in sorted(counts)}
    made = assemble_parts(counts, pieces, PRINTER, options=BuildOptions(owned))
    wanted = [
        pack_item(piece, made.sizes[key], max(counts[key] - owned.get(key, 0), 0), piece.group)
        for key, piece in pieces.items()
    ]
    verify_packing(made.plates, wanted, PRINTER)
    assert len(made.plates) <= lower_bound(wanted, PRINTER) + 1


def random_board(seed: int) -> Board:
    """Terraces, some trees, spires, water and lava, two start zones."""
    chance = random.Random(seed)
    levels: dict[Tile, int] = {}
    for _ in range(chance.randint(4, 14)):
        top, left, level = chance.randint(1, 8), chance.randint(0, 9), chance.randint(1, 5)
        for row in range(top, min(top + chance.randint(1, 4), 9)):
            for col in range(left, min(left + chance.randint(1, 4), 10)):
                levels[Tile(row, col)] = level
    columns = []
    for row in range(10):
        for col in range(10):
            level, luck = levels.get(Tile(row, col), 0), chance.random()
            if luck < 0.06:
                columns.append(Column(level, feature=chance.choice((Feature.TREE, Feature.SPIRE))))
            elif luck < 0.14:
                columns.append(Column(level, chance.choice((Ground.WATER, Ground.LAVA))))
            else:
                columns.append(Column(level))
    return make_board(10, 10, columns, starts=(RED, BLUE))


BED = (100, 100)


@pytest.mark.parametrize(
    ("sizes", "beds"),
    [
        ([(100, 100, 3)], 3),
        ([(51, 51, 4)], 4),  # no two share a bed, though the area would do with two
        ([(50, 50, 4)], 1),
        ([(50, 50, 5)], 2),
        ([(34, 34, 9)], 3),  # four to a bed, since three do not lie side by side
        ([(26, 26, 10)], 2),  # nine to a bed
        ([(33, 33, 9)], 1),
        ([(51, 100, 2)], 2),
        ([(60, 60, 1), (30, 30, 6)], 2),
        ([(81, 81, 1), (20, 20, 9)], 2),
        ([(75, 75, 2), (30, 30, 4)], 2),
        ([(10, 10, 0)], 0),
    ],
)
def test_the_bound_knows_shapes(sizes: list[tuple[int, int, int]], beds: int) -> None:
    parts = [
        (PackPart(f"p{number}", w, h, (Rect(0, 0, w, h),)), count)
        for number, (w, h, count) in enumerate(sizes)
    ]
    assert least_beds(parts, BED) == beds


def test_a_bed_that_is_not_square_counts_by_its_area_too() -> None:
    part = PackPart("p", 50, 50, (Rect(0, 0, 50, 50),))
    assert least_beds([(part, 4)], (100, 50)) == 2
    assert least_beds([(part, 2)], (100, 50)) == 1


def test_too_many_parts_raise_fdf451() -> None:
    with pytest.raises(ForgeError) as caught:
        pack([PackItem("wide", 400, 10, 10, 1), PackItem("high", 10, 10, 500, 1)], PRINTER)
    told = [(issue.code, issue.severity, issue.hint) for issue in caught.value.issues]
    assert told == [
        ("FDF450", "error", "choose a larger printer"),
        ("FDF450", "error", "choose a taller printer"),
    ]
    with pytest.raises(ForgeError) as caught:
        pack([PackItem("many", 1, 1, 1, MAX_PARTS + 1)], PRINTER)
    (issue,) = caught.value.issues
    assert (issue.code, issue.severity) == ("FDF451", "error")
    assert f"{MAX_PARTS + 1} parts" in issue.message


RECTS = st.builds(Rect, st.integers(0, 9), st.integers(0, 9), st.integers(1, 6), st.integers(1, 6))


@given(st.lists(RECTS, max_size=6))
def test_slabs_are_the_union_once(rects: list[Rect]) -> None:
    def cells(rect: Rect) -> list[tuple[int, int]]:
        return [
            (x, y) for x in range(rect.x, rect.x + rect.w) for y in range(rect.y, rect.y + rect.h)
        ]

    covered = Counter(cell for rect in disjoint_rectangles(rects) for cell in cells(rect))
    assert set(covered) == {cell for rect in rects for cell in cells(rect)}
    assert set(covered.values()) <= {1}

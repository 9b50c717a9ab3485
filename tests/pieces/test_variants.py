"""Variants: what is chosen for a tile, and what a stock stands in for."""

from hypothesis import given, settings
from hypothesis import strategies as st

from falldamage_forge.board import DIRECTIONS, Tile
from falldamage_forge.pieces.piece import Piece, Placement
from falldamage_forge.pieces.plan import PiecePlan
from falldamage_forge.pieces.variants import (
    allocate_owned_variants,
    assign_variants,
    banks_of,
    designs,
    distribute_variants,
    open_sides,
    part_named,
    variant,
    variants_of,
)
from falldamage_forge.presets import load_catalogue

BLOCK = Piece("block-1x1x1", "block", "Block", "block", levels=1, variants=4)
BASE = Piece(
    "quadrant",
    "quadrant",
    "Base",
    "quadrant",
    footprint=tuple((row, col) for row in range(5) for col in range(5)),
)
WATER = Piece("water", "water", "Water", "cap", variants=11)
LADDER = Piece("ladder-1", "ladder", "Ladder", "ladder", (("part", "whole"),), (), levels=1)
START = Piece("start-red", "start-marker", "Start", "cap")
TREE = Piece("tree", "tree", "Tree", "tree", variants=3)


def field(rows: int, cols: int) -> PiecePlan:
    tiles = [Tile(row, col) for row in range(rows) for col in range(cols)]
    return PiecePlan(tuple(Placement(BLOCK, tile, 0) for tile in tiles))


@given(st.integers(1, 6), st.integers(1, 6))
@settings(max_examples=25, deadline=None)
def test_variants_of_neighbours_differ_and_are_reproducible(rows: int, cols: int) -> None:
    plan = assign_variants(field(rows, cols))
    assert plan == assign_variants(field(rows, cols))
    shown = {placement.tile: placement.piece.variant for placement in plan.placements}
    for tile, number in shown.items():
        for row, col in DIRECTIONS:
            assert shown.get(Tile(tile.row + row, tile.col + col)) != number


def _turned(sides: tuple[int, ...], one: Placement) -> set[int]:
    return {(side + one.quarter_turns) % 4 for side in sides}


def test_one_variant_prints_one_design() -> None:
    assert assign_variants(field(3, 3), 1) == field(3, 3)


def test_doors_stand_on_the_base_alone() -> None:
    up = PiecePlan(tuple(Placement(BLOCK, Tile(0, col), 1) for col in range(12)))
    assert all(placement.piece.variant < 3 for placement in assign_variants(up).placements)


def test_lists_keep_variants_together() -> None:
    keys = [piece.key for piece in variants_of(BLOCK)]
    assert keys == sorted(keys) == [BLOCK.key, *(f"{BLOCK.key}-{letter}" for letter in "bcd")]
    assert variant(BLOCK, 2).title == "Block, variant C"


@given(st.integers(0, 30), st.integers(1, 8))
def test_a_kit_spreads_its_parts(count: int, most: int) -> None:
    counts, pieces = distribute_variants({"tree": count}, {"tree": TREE}, most)
    assert sum(counts.values()) == count
    assert max(counts.values()) - min(counts.values()) <= 1
    assert designs(counts, pieces.values()) == {"tree": count}


@given(st.integers(0, 30), st.integers(0, 30))
def test_owned_design_replaces_any_variant(count: int, have: int) -> None:
    counts, pieces = distribute_variants({"tree": count}, {"tree": TREE})
    owned = allocate_owned_variants(counts, pieces, {"tree": have})
    printed = sum(max(counts[key] - owned.get(key, 0), 0) for key in counts)
    assert printed == max(count - have, 0)


WET = st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1)


@given(WET)
def test_water_flows_on_into_water_and_off_the_table_and_has_banks_elsewhere(
    wet: set[tuple[int, int]],
) -> None:
    pools = [Placement(WATER, Tile(*at), 0) for at in sorted(wet)]
    shown = assign_variants(PiecePlan((Placement(BASE, Tile(0, 0), 0), *pools))).placements[1:]
    for one in shown:
        banks = _turned(banks_of(one.piece), one)
        beside = [(one.tile.row + row, one.tile.col + col) for row, col in DIRECTIONS]
        dry = {at for at in beside if at not in wet and set(at) <= set(range(5))}
        assert {beside[side] for side in banks} == dry


@given(WET, st.integers(1, 10))
def test_fewer_looks_leave_banks_out_and_add_none(wet: set[tuple[int, int]], most: int) -> None:
    pools = [Placement(WATER, Tile(*at), 0) for at in sorted(wet)]
    plan = PiecePlan((Placement(BASE, Tile(0, 0), 0), *pools))
    for one, whole in zip(*(assign_variants(plan, n).placements for n in (most, 11)), strict=True):
        few, every = (_turned(banks_of(at.piece), at) for at in (one, whole))
        assert one.piece.variant < max(most, 1)
        assert few <= every
        if most < 7:
            assert not open_sides(one.piece)


@given(WET, st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(0, 3))), WET)
def test_water_has_a_groove_only_where_something_needs_it(
    wet: set[tuple[int, int]], climbs: set[tuple[int, int, int]], starts: set[tuple[int, int]]
) -> None:
    """On the sides with banks, where a ladder stands or hangs, and all round below a start."""
    parts = [
        Placement(BASE, Tile(0, 0), 0),
        *(Placement(WATER, Tile(*at), 0) for at in sorted(wet)),
        *(Placement(LADDER, Tile(row, col), 0, side) for row, col, side in sorted(climbs)),
        *(Placement(LADDER, Tile(row, col), -1, side) for row, col, side in sorted(climbs)),
        *(Placement(START, Tile(*at), 0, raised_mm=1.92) for at in sorted(starts)),
    ]
    heads = {
        (row + DIRECTIONS[side][0], col + DIRECTIONS[side][1], (side + 2) % 4)
        for row, col, side in climbs
    }
    for one in assign_variants(PiecePlan(tuple(parts))).placements:
        if one.piece.family != "water":
            continue
        at = (one.tile.row, one.tile.col)
        opened, banks = (
            _turned(sides, one) for sides in (open_sides(one.piece), banks_of(one.piece))
        )
        held = {side for side in range(4) if (*at, side) in climbs | heads or at in starts}
        assert not opened & (banks | held)
        assert opened == (set() if held - banks else set(range(4)) - banks)


def test_a_part_is_found_by_its_name_or_by_the_key_of_its_variant() -> None:
    catalogue = load_catalogue()
    for piece in catalogue.pieces.values():
        assert part_named(piece.name, catalogue) == piece
        for part in variants_of(piece):
            assert part_named(part.key, catalogue) == part
    assert part_named("water-l", catalogue) is None

"""Variants: what is chosen for a tile, and what a stock stands in for."""

from hypothesis import given, settings
from hypothesis import strategies as st

from falldamage_forge.board import DIRECTIONS, Tile
from falldamage_forge.pieces.piece import Piece, Placement
from falldamage_forge.pieces.plan import PiecePlan
from falldamage_forge.pieces.variants import (
    BANKS,
    allocate_owned_variants,
    assign_variants,
    designs,
    distribute_variants,
    variant,
    variants_of,
)

BLOCK = Piece("block-1x1x1", "block", "Block", "block", levels=1, variants=4)
BASE = Piece(
    "quadrant",
    "quadrant",
    "Base",
    "quadrant",
    footprint=tuple((row, col) for row in range(5) for col in range(5)),
)
WATER = Piece("water", "water", "Water", "cap", variants=6)
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


@given(st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1))
def test_water_flows_on_into_water_and_off_the_table_and_has_banks_elsewhere(
    wet: set[tuple[int, int]],
) -> None:
    pools = [Placement(WATER, Tile(*at), 0) for at in sorted(wet)]
    shown = assign_variants(PiecePlan((Placement(BASE, Tile(0, 0), 0), *pools))).placements[1:]
    for one in shown:
        banks = {(side + one.quarter_turns) % 4 for side in BANKS[one.piece.variant]}
        beside = [(one.tile.row + row, one.tile.col + col) for row, col in DIRECTIONS]
        dry = {at for at in beside if at not in wet and set(at) <= set(range(5))}
        assert {beside[side] for side in banks} == dry


@given(st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1), st.integers(1, 5))
def test_fewer_looks_leave_banks_out_and_add_none(wet: set[tuple[int, int]], most: int) -> None:
    pools = [Placement(WATER, Tile(*at), 0) for at in sorted(wet)]
    plan = PiecePlan((Placement(BASE, Tile(0, 0), 0), *pools))
    for one, whole in zip(*(assign_variants(plan, n).placements for n in (most, 6)), strict=True):
        few, every = (
            {(side + at.quarter_turns) % 4 for side in BANKS[at.piece.variant]}
            for at in (one, whole)
        )
        assert one.piece.variant < max(most, 1)
        assert few <= every

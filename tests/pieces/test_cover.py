"""Exact covers: least by brute force, proved on realistic boards, never worse than greedy."""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from falldamage_forge.board import Tile
from falldamage_forge.pieces.block_candidates import (
    Heights,
    check_cover,
    count_spots,
    find_spots,
    heights_of,
)
from falldamage_forge.pieces.column_components import islands, normal_form
from falldamage_forge.pieces.exact_cover import (
    BlockCover,
    SolverEffort,
    missing_parts,
    seams,
    solve_cover,
)
from falldamage_forge.pieces.piece import Piece, Placement
from falldamage_forge.pieces.plan import nominal_costs, plan
from falldamage_forge.presets import load_catalogue
from tests.amount import EXHAUSTIVE
from tests.pieces.maps import MAPS, board_of

BLOCKS = load_catalogue().blocks()
COSTS = nominal_costs(BLOCKS)
SEEDS = range(50 if EXHAUSTIVE else 8)
FEW = tuple(load_catalogue()[key] for key in ("block-1x1x1", "block-2x1x1", "block-l-1"))


def random_heights(seed: int) -> dict[Tile, int]:
    """Every second board of overlapping terraces as people build them, the others of noise."""
    chance = random.Random(seed)
    if seed % 2:
        levels = {Tile(row, col): chance.randint(0, 5) for row in range(1, 9) for col in range(10)}
    else:
        levels = {}
        for _ in range(10):
            top, left, level = chance.randint(1, 8), chance.randint(0, 9), chance.randint(1, 5)
            for row in range(top, min(top + chance.randint(1, 4), 9)):
                for col in range(left, min(left + chance.randint(1, 4), 10)):
                    levels[Tile(row, col)] = level
    return {tile: level for tile, level in sorted(levels.items()) if level}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("minimise", ["grams", "pieces"])
def test_a_random_board_is_proved_least_or_nearly(seed: int, minimise: str) -> None:
    heights = random_heights(seed)
    found = solve_cover([heights], BLOCKS, COSTS if minimise == "grams" else None)
    check_cover(heights, found.boards[0])
    assert found.gap <= 0.02
    assert found.bound <= found.cost + 1e-9 <= found.greedy_cost + 2e-9


@pytest.mark.parametrize("name", MAPS)
def test_a_preset_map_is_proved_least_within_a_builds_effort(name: str) -> None:
    board = board_of(name)
    made = plan(board, load_catalogue())
    assert made.cover is not None
    assert made.cover.proved
    assert made.cover.gap == 0
    check_cover(heights_of(board), made.cover.boards[0])
    assert plan(board, load_catalogue()).placements == made.placements


tiny = st.dictionaries(
    st.builds(Tile, st.integers(0, 2), st.integers(0, 2)), st.integers(1, 2), min_size=1, max_size=5
)


@settings(max_examples=25, deadline=None)
@given(tiny, st.tuples(*[st.integers(1, 9)] * len(FEW)))
def test_no_brute_force_finds_a_cheaper_cover(
    heights: dict[Tile, int], prices: tuple[int, ...]
) -> None:
    costs = {block.key: float(price) for block, price in zip(FEW, prices, strict=True)}
    found = solve_cover([heights], FEW, costs)
    assert found.proved
    assert found.cost == pytest.approx(brute_force(heights, costs))


def brute_force(heights: Heights, costs: Mapping[str, float]) -> float:
    """The least cost over every way to fill the voxels, first unfilled voxel first."""
    spots = find_spots(heights, FEW)
    uses = zip(spots.voxels, spots.laid, strict=True)
    sets = [(frozenset(voxels), costs[laid.piece.key]) for voxels, laid in uses]

    @cache
    def least(unfilled: frozenset[int]) -> float:
        if not unfilled:
            return 0.0
        first = min(unfilled)
        return min(
            cost + least(unfilled - voxels)
            for voxels, cost in sets
            if first in voxels and voxels <= unfilled
        )

    return least(frozenset(spots.numbers.values()))


def stock(boards: Sequence[Sequence[Placement]]) -> dict[str, int]:
    return dict(Counter(p.piece.key for blocks in boards for p in blocks))


def test_sufficient_stock_gives_nothing_to_print() -> None:
    heights = random_heights(2)
    ones = sum(heights.values())
    found = solve_cover([heights], BLOCKS, COSTS, {"block-1x1x1": ones})
    assert (found.cost, found.proved) == (0, True)
    assert missing_parts(found.boards, {"block-1x1x1": ones}) == {}


def test_owned_parts_are_used_before_others_are_printed() -> None:
    heights = {Tile(0, col): 2 for col in range(4)}
    owned = {"block-2x1x2": 1, "block-1x1x1": 3}
    found = solve_cover([heights], BLOCKS, None, owned)
    assert found.cost == 1
    used = stock(found.boards)
    assert "block-2x1x2" in used or used["block-1x1x1"] >= 2
    assert sum(missing_parts(found.boards, owned).values()) == 1


def test_a_kit_is_no_dearer_than_the_maps_apart_and_no_cheaper_than_the_dearest() -> None:
    boards = [heights_of(board_of(name)) for name in ("arena", "duel")]
    alone = [solve_cover([heights], BLOCKS, COSTS) for heights in boards]
    kit = solve_cover(boards, BLOCKS, COSTS)
    for heights, blocks in zip(boards, kit.boards, strict=True):
        check_cover(heights, blocks)
    parts = missing_parts([each.boards[0] for each in alone])
    apart = sum(COSTS[key] * count for key, count in parts.items())
    assert max(each.cost for each in alone) - 1e-6 <= kit.cost <= apart + 1
    assert kit.proved


def test_a_wish_for_bond_costs_little_and_breaks_seams() -> None:
    heights = {Tile(0, col): 3 for col in range(6)}
    blocks = [block for block in BLOCKS if block.levels == 1]
    plain, bonded = (solve_cover([heights], blocks, COSTS, bond=bond) for bond in (0.0, 50.0))
    assert seams(heights, plain.boards[0]) > seams(heights, bonded.boards[0]) == 0
    check_cover(heights, bonded.boards[0])


def test_too_large_a_board_is_covered_greedily_and_says_so() -> None:
    plateau = {Tile(row, col): 3 for row in range(5) for col in range(5)}
    found = solve_cover([plateau], BLOCKS, COSTS, effort=SolverEffort(max_spots=3))
    assert (found.method, found.bound, found.gap) == ("greedy", 0, 1)
    assert found.cost == found.greedy_cost
    mixed = {Tile(0, 0): 1} | {Tile(5, col): 5 for col in range(5)}
    found = solve_cover([mixed], BLOCKS, COSTS, effort=SolverEffort(max_spots=3))
    check_cover(mixed, found.boards[0])
    assert not found.proved


def test_a_search_cut_short_is_named_and_bounded() -> None:
    heights = {Tile(row, col): 1 + (row * col) % 3 for row in range(10) for col in range(10)}
    found = solve_cover([heights], BLOCKS, None, {"block-1x1x1": 9}, effort=SolverEffort(nodes=1))
    assert found.method in ("exact", "exact, stopped early", "greedy")
    assert 0 <= found.bound <= found.cost <= found.greedy_cost
    check_cover(heights, found.boards[0])


def test_nothing_to_cover_costs_nothing() -> None:
    assert solve_cover([{}], BLOCKS, COSTS) == BlockCover(((),), 0, 0, 0, "exact")
    assert solve_cover([{}, {}], BLOCKS, COSTS).boards == ((), ())


def test_without_a_small_block_a_board_cannot_be_covered() -> None:
    large = [block for block in BLOCKS if block.levels == 2]
    with pytest.raises(ValueError, match="no block small enough"):
        solve_cover([{Tile(0, 0): 1}], large, COSTS)


@settings(max_examples=40, deadline=None)
@given(
    st.dictionaries(
        st.builds(Tile, st.integers(0, 6), st.integers(0, 6)),
        st.integers(1, 5),
        min_size=1,
        max_size=20,
    ),
    st.integers(0, 3),
)
def test_islands_are_all_tiles_once_and_turned_ones_share_a_form(
    heights: dict[Tile, int], turns: int
) -> None:
    found = list(islands(heights))
    assert sum(map(len, found)) == len(heights)
    assert {tile: level for island in found for tile, level in island.items()} == heights
    for island in found:
        form, turn = normal_form(island)
        turned = island
        for _ in range(turns):
            turned = {Tile(tile.col, 20 - tile.row): level for tile, level in turned.items()}
        assert normal_form(turned)[0] == form
        back = [turn.back(laid) for laid in find_spots(dict(form), BLOCKS).laid]
        there = set(find_spots(island, BLOCKS).laid)
        assert {(p.piece, p.tiles(), p.level) for p in back} == {
            (p.piece, p.tiles(), p.level) for p in there
        }
        assert set(back) == there
        assert count_spots(island, BLOCKS) == len(there)


def test_check_rejects_wrong_answer() -> None:
    heights = {Tile(0, 0): 2, Tile(0, 1): 2}
    (good,) = solve_cover([heights], BLOCKS, COSTS).boards
    check_cover(heights, good)
    one: Piece = load_catalogue()["block-1x1x1"]
    for bad in (good[:-1], (*good, Placement(one, Tile(0, 0), 2)), ()):
        with pytest.raises(ValueError, match="float|fill"):
            check_cover(heights, bad)
    with pytest.raises(ValueError, match="floats"):
        check_cover(heights, [replace(laid, level=laid.level + 1) for laid in good])


SMALL = [block for block in BLOCKS if block.key in ("block-1x1x1", "block-2x1x1")]


def single(*spots: tuple[int, int, int]) -> list[Placement]:
    """Blocks of one tile and level at (row, col, level)."""
    (one,) = (block for block in SMALL if block.key == "block-1x1x1")
    return [Placement(one, Tile(row, col), level) for row, col, level in spots]


@pytest.mark.parametrize(
    ("heights", "count"),
    [
        ({(0, 0): 2, (0, 1): 2}, 1),
        ({(0, 0): 2, (1, 0): 2}, 1),
        ({(0, 0): 3, (0, 1): 3}, 2),
        ({(0, 0): 3, (0, 1): 2}, 1),
        ({(0, 0): 3, (0, 1): 1}, 0),
        ({(0, 0): 3, (1, 1): 3}, 0),
        ({(0, 0): 3, (0, 2): 3, (2, 0): 3}, 0),
        ({(0, 0): 2, (0, 1): 2, (1, 0): 2, (1, 1): 2}, 4),
    ],
)
def test_seams_run_on_between_neighbours(heights: dict[tuple[int, int], int], count: int) -> None:
    tiles = {Tile(*place): height for place, height in heights.items()}
    laid = single(*((*place, level) for place, top in heights.items() for level in range(top)))
    assert seams(tiles, laid) == count


@pytest.mark.parametrize(
    "tiles",
    [
        [(row, 0) for row in range(6)],
        [(0, 0), *((0, col) for col in range(2, 8))],
        [(0, 0), *((row, 1) for row in range(2, 8))],
    ],
)
def test_bond_is_found_along_every_wall(tiles: list[tuple[int, int]]) -> None:
    heights = {Tile(*place): 3 for place in tiles}
    blocks = [block for block in BLOCKS if block.levels == 1]
    bonded = solve_cover([heights], blocks, COSTS, bond=50.0)
    assert seams(heights, bonded.boards[0]) == 0
    check_cover(heights, bonded.boards[0])


def test_missing_parts_cost_full_price() -> None:
    costs = {"block-1x1x1": 4.0, "block-2x1x1": 7.5}
    three = {Tile(0, col): 1 for col in range(3)}
    for owned in ({}, {"tree": 3}, {"block-3x1x1": 1}):
        found = solve_cover([three], SMALL, costs, owned)
        used = Counter(placement.piece.key for placement in found.boards[0])
        assert used == {"block-1x1x1": 1, "block-2x1x1": 1}
        assert found.cost == pytest.approx(11.5)
    mine = solve_cover([three], SMALL, costs, {"block-1x1x1": 2})
    assert Counter(p.piece.key for p in mine.boards[0]) == {"block-1x1x1": 3}
    assert mine.cost == pytest.approx(4.0)


@pytest.fixture
def no_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("falldamage_forge.pieces.exact_cover.is_here", lambda: False)


@pytest.mark.usefixtures("no_solver")
@pytest.mark.parametrize("name", MAPS)
def test_beam_search_without_solver_finds_same_cost(name: str) -> None:
    heights = heights_of(board_of(name))
    own = solve_cover([heights], BLOCKS, COSTS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("falldamage_forge.pieces.exact_cover.is_here", lambda: True)
        exact = solve_cover([heights], BLOCKS, COSTS)
    assert (own.proved, own.cost, own.bound) == (True, exact.cost, exact.cost)
    assert len(own.boards[0]) == len(exact.boards[0])


@pytest.mark.usefixtures("no_solver")
@given(st.dictionaries(st.builds(Tile, *[st.integers(0, 3)] * 2), st.integers(1, 2), max_size=5))
@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_beam_search_bound_is_sound(heights: dict[Tile, int]) -> None:
    found = solve_cover([heights], FEW)
    check_cover(heights, found.boards[0])
    least = brute_force(heights, {block.key: 1.0 for block in FEW})
    assert found.bound <= least <= found.cost + 1e-9
    assert found.proved == (found.cost == pytest.approx(least))


@pytest.mark.usefixtures("no_solver")
def test_without_solver_bond_uses_greedy_cover() -> None:
    heights = random_heights(0)
    found = solve_cover([heights], BLOCKS, COSTS, bond=0.5)
    assert (found.method, found.bound, found.proved) == ("greedy", 0.0, False)
    check_cover(heights, found.boards[0])


@pytest.mark.usefixtures("no_solver")
@pytest.mark.parametrize("name", MAPS)
def test_without_solver_owned_parts_of_a_map_build_it_again(name: str) -> None:
    heights = heights_of(board_of(name))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("falldamage_forge.pieces.exact_cover.is_here", lambda: True)
        owned = stock(solve_cover([heights], BLOCKS, COSTS).boards)
    found = solve_cover([heights], BLOCKS, COSTS, owned)
    assert (found.cost, found.proved) == (0, True)


@pytest.mark.usefixtures("no_solver")
@pytest.mark.parametrize("seed", SEEDS)
def test_without_solver_owned_parts_never_cost(seed: int) -> None:
    heights, chance = random_heights(seed), random.Random(seed)
    owned = {block.key: chance.randint(0, 4) for block in BLOCKS}
    effort = SolverEffort(nodes=60)
    found = solve_cover([heights], BLOCKS, COSTS, owned, effort=effort)
    check_cover(heights, found.boards[0])
    plain = solve_cover([heights], BLOCKS, COSTS, effort=effort).boards
    parts = missing_parts(plain, owned)
    left = sum(round(COSTS[key] * 10) * count for key, count in parts.items()) / 10
    assert found.bound <= found.cost <= min(left, found.greedy_cost) + 1e-6


def test_solver_options_are_deterministic(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """One thread, a fixed seed, a number of nodes, no gap, and not a word."""
    highspy = pytest.importorskip("highspy")
    noted = {}

    class Noting(highspy.Highs):  # type: ignore[misc, name-defined]
        def setOptionValue(self, name: str, value: object) -> object:
            noted[name] = (value, super().setOptionValue(name, value))
            return noted[name][1]

    monkeypatch.setattr(highspy, "Highs", Noting)
    solve_cover([random_heights(3)], BLOCKS, COSTS, effort=SolverEffort(nodes=7, seconds=5.0))
    assert {status for _, status in noted.values()} == {highspy.HighsStatus.kOk}
    assert {name: value for name, (value, _) in noted.items()} == {
        "threads": 1, "random_seed": 0, "mip_rel_gap": 0.0,
        "mip_abs_gap": 1e-4, "mip_max_nodes": 7, "time_limit": 5.0,
    }  # fmt: skip
    assert capfd.readouterr() == ("", "")

"""Proportions, scores and distances of maps, against slow definitions on drawn boards."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from falldamage_forge.search.archive import AXES, Archive
from falldamage_forge.search.composition import (
    CompositionFeatures,
    band,
    composition_features_of,
    meets_requirements,
    score_features,
)
from falldamage_forge.search.constructive import CHESTS_APART, MapRequirements, _deck_value
from falldamage_forge.search.diverse_subset import (
    FAR,
    SPREAD,
    DistanceMatrix,
    distance,
    feature_planes,
    pick_diverse,
    smallest_distance,
)
from falldamage_forge.search.mutable_board import HEADROOM, MutableBoard, around, table
from falldamage_forge.search.style_grammar import LAVA, SPIRE, TREE, WATER, CompositionTarget
from falldamage_forge.search.walkability import compute_reachability, reachable_set, reverse
from tests.search.drafts import elite

ROWS = COLS = 10


def canvas_of(seed: int) -> MutableBoard:
    """A symmetric board with columns, grounds, features, decks, ladders and chests anywhere."""
    dice = random.Random(seed)
    canvas = MutableBoard.empty(table(ROWS, COLS, dice.choice(("rotate-180", "mirror-y"))))
    for _ in range(dice.randint(0, 40)):
        canvas.set_tile(
            dice.randrange(COLS, ROWS * COLS - COLS),
            level=dice.choice((0, 1, 1, 2, 3, 5)),
            ground=dice.choice((0, 0, WATER, LAVA)),
            feature=dice.choice((0, 0, TREE, SPIRE)),
        )
    for _ in range(dice.randint(0, 3)):
        row, col, span = dice.randint(1, 8), dice.randint(0, 4), dice.randint(1, 3)
        first = row * COLS + col
        canvas.deck(first, first + span + 1, dice.randint(2, 5))
    for _ in range(dice.randint(0, 3)):
        canvas.chest(dice.randrange(COLS, ROWS * COLS - COLS), 0)
        foot = dice.randrange(COLS, ROWS * COLS - COLS - 1)
        canvas.ladder(foot, foot + 1)
    return canvas


CANVASES = st.builds(canvas_of, st.integers(0, 10**6))


@settings(max_examples=25)
@given(CANVASES, st.integers(0, 5))
def test_proportions_equal_those_of_the_finished_board(canvas: MutableBoard, kinds: int) -> None:
    board = canvas.board()
    tiles = list(board.tiles())
    level = {tile: board.column(tile).level for tile in tiles}
    decked = {tile: deck.level for deck in canvas.decks for tile in deck.tiles}
    decked_tiles = {tiles[number] for number in decked}
    used = {
        tile for tile in tiles
        if level[tile] or board.column(tile).feature or str(board.column(tile).ground) != "ground"
        or tile in decked_tiles
    }  # fmt: skip
    found = composition_features_of(canvas, kinds)
    inner = [tile for tile in tiles if 0 < tile.row < ROWS - 1]
    assert found.fill == pytest.approx(len(used & set(inner)) / len(inner))
    bare = [
        (bottom - top + 1) * (right - left + 1)
        for top, bottom in combinations_with_self(range(1, ROWS - 1))
        for left, right in combinations_with_self(range(COLS))
        if not any(top <= t.row <= bottom and left <= t.col <= right for t in used)
    ]
    assert found.bare == max(bare, default=0)
    near = {tile: [level[other] for other in board.neighbours(tile)] for tile in tiles}
    pegs = [
        t for t in tiles
        if level[t] and str(board.column(t).feature) != "spire" and not any(near[t])
    ]  # fmt: skip
    assert found.pegs == len(pegs)
    assert found.drops == sum(abs(level[t] - each) > 1 for t in tiles for each in near[t]) // 2
    chests = {chest.tile for chest in board.treasures}
    assert found.apart == min(
        (abs(a.row - b.row) + abs(a.col - b.col) for a, b in combinations(chests, 2)), default=99
    )
    spans = [deck.span for deck in board.decks]
    assert (found.spans, found.short) == (sum(spans), spans.count(1))
    assert found.under == sum(
        high - level[tiles[at]] >= HEADROOM or str(board.column(tiles[at]).ground) == "lava"
        for at, high in decked.items()
    )
    assert (found.highest, found.kinds) == (max(level.values()), kinds)
    assert found.ladders == len(board.ladders)
    groups = components({tile for tile in tiles if level[tile]})
    assert found.heap == pytest.approx(
        max(map(len, groups), default=0) / max(sum(map(len, groups)), 1)
    )
    lava = sum(str(board.column(tile).ground) == "lava" for tile in tiles)
    assert found.lava == pytest.approx(lava / len(tiles))
    middle = [tile for tile in tiles if 3 <= tile.row <= 6]
    assert found.middle == pytest.approx(len(used & set(middle)) / len(middle))


def combinations_with_self(numbers: range) -> list[tuple[int, int]]:
    return [(a, b) for a, b in product(numbers, numbers) if a <= b]


def components(tiles: set[Any]) -> list[set[Any]]:
    """Groups of adjacent tiles."""
    groups: list[set[Any]] = []
    for tile in tiles:
        beside = [
            g for g in groups if any(abs(tile.row - o.row) + abs(tile.col - o.col) == 1 for o in g)
        ]
        groups = [g for g in groups if g not in beside] + [{tile}.union(*beside)]
    return groups


GOOD = CompositionFeatures(0.5, 5, 1, 30, CHESTS_APART, 6, 0, 3, 3, 0.3, 2, 3, 0.0, 0.5)
PULLS = {
    "fill": ((0.38 - 0.15, 0.62 + 0.15), 2.0), "bare": ((20,), 1.5), "pegs": ((6,), 1.0),
    "drops": ((0, 76), 1.0), "apart": ((CHESTS_APART - 4,), 1.5), "short": ((2,), 0.8),
    "spans": ((0,), 0.8), "under": ((0,), 0.7), "highest": ((1, 5), 1.5),
    "heap": ((-0.2, 0.9), 1.0), "ladders": ((8,), 0.6), "kinds": ((0, 6), 0.5),
    "middle": ((0.15, 1.0), 0.8),
}  # fmt: skip
"""Values one width outside each band, and the weight of the band."""


def test_score_is_zero_inside_all_bands_and_falls_by_the_weight_of_each() -> None:
    target, wish = CompositionTarget(), MapRequirements()
    assert score_features(GOOD, target, wish) == 0
    for name, (values, weight) in PULLS.items():
        for value in values:
            scored = score_features(replace(GOOD, **{name: value}), target, wish)
            assert scored == pytest.approx(-weight), (name, value)
    lava = MapRequirements(lava=(0.1, 0.2))
    assert score_features(replace(GOOD, lava=0.05), target, lava) == pytest.approx(-2.0)
    assert score_features(replace(GOOD, lava=0.15), target, lava) == 0
    asked = MapRequirements(openness=(0.1, 0.3), levels=(5, 6))
    assert score_features(replace(GOOD, fill=0.8, highest=5), target, asked) == 0
    large = MapRequirements(rows=20, cols=10)
    assert score_features(replace(GOOD, bare=24, pegs=4, drops=100), target, large) == 0


@given(st.floats(-9, 9), st.floats(-3, 3), st.floats(0, 3), st.floats(0.1, 4))
def test_band_falls_from_its_ends_to_minus_one(
    value: float, least: float, wide: float, width: float
) -> None:
    most = least + wide
    outside = max(least - value, value - most, 0.0)
    assert band(value, least, most, width) == pytest.approx(-min(outside / width, 1.0))


@pytest.mark.parametrize(
    ("wish", "met"),
    [
        ({}, True), ({"levels": (3, 3)}, True), ({"levels": (4, 5)}, False),
        ({"levels": (1, 2)}, False), ({"openness": (0.5, 0.6)}, True),
        ({"openness": (0.6, 0.7)}, False), ({"openness": (0.3, 0.4)}, False),
        ({"lava": (0.0, 0.1)}, True), ({"lava": (0.1, 0.2)}, False),
    ],
)  # fmt: skip
def test_requirements_are_met_exactly(wish: dict[str, Any], met: bool) -> None:
    assert meets_requirements(GOOD, MapRequirements(**wish)) == met


# -- surfaces as bit sets ------------------------------------------------------------------------


@given(st.lists(st.integers(0, 2**7 - 1), min_size=7, max_size=7), st.integers(0, 2**7 - 1))
def test_reachable_set_is_closed_and_reversed_links_lead_back(links: list[int], first: int) -> None:
    found, grown = first, -1
    while grown != found:
        grown = found
        for number, ahead in enumerate(links):
            found |= ahead if grown >> number & 1 else 0
    assert reachable_set(links, first) == found
    back = reverse(tuple(links))
    for a, b in product(range(7), range(7)):
        assert back[b] >> a & 1 == links[a] >> b & 1


def test_surfaces_without_a_way_back_are_stray() -> None:
    canvas = MutableBoard.empty(table(ROWS, COLS, "rotate-180"))
    assert compute_reachability(canvas).stray() == 0
    canvas.set_tile(45, level=3)
    found = compute_reachability(canvas)
    assert found.everything == 2 ** len(found.surfaces) - 1
    stray = {at for at, surface in enumerate(found.surfaces) if found.stray() >> at & 1}
    assert {found.surfaces[at] for at in stray} == {(45, 3), (54, 3)}


def test_every_tile_has_its_neighbours() -> None:
    beside = around(3, 4)
    for one, other in product(range(12), range(12)):
        rows, cols = abs(one // 4 - other // 4), abs(one % 4 - other % 4)
        assert (other in beside[one]) == (max(rows, cols) == 1)
    assert beside == around(3, 4) and all(len(set(each)) == len(each) for each in beside)


# -- picks ---------------------------------------------------------------------------------------

BOARDS = [canvas_of(seed).board() for seed in range(9)]
PLANES = [feature_planes(board) for board in BOARDS]


def test_distances_by_row_are_those_of_each_pair() -> None:
    field = DistanceMatrix(PLANES)
    for a, one in enumerate(PLANES):
        row = field.row(a)
        assert row.tolist() == pytest.approx([distance(one, other) for other in PLANES])
        assert row[a] == 0
    assert field.nearest([]).tolist() == [FAR] * len(PLANES)
    near = field.nearest([2, 5])
    assert near.tolist() == pytest.approx(
        [min(FAR, distance(one, PLANES[2]), distance(one, PLANES[5])) for one in PLANES]
    )
    pairs = [distance(a, b) for a, b in combinations(PLANES, 2)]
    assert smallest_distance(BOARDS) == pytest.approx(min(pairs))
    assert max(pairs) < 9.0 == distance(PLANES[0], PLANES[0][:, :5])
    mixed = DistanceMatrix([PLANES[0], PLANES[0][:, :5], PLANES[1]])
    assert mixed.row(0).tolist() == pytest.approx([0, 9.0, distance(PLANES[0], PLANES[1])])


def worth(taken: list[int], quality: list[float]) -> float:
    """Mean fitness, least distance, and mean distance to the nearest."""
    near = [
        min([FAR, *(distance(PLANES[n], PLANES[m]) for m in taken if m != n)]) for n in taken
    ]  # fmt: skip
    mean = sum(quality[n] for n in taken) / len(taken)
    return mean + SPREAD * (min(near) + sum(near) / len(near))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("count", [1, 2, 4])
def test_no_exchange_of_one_map_betters_the_picks(seed: int, count: int) -> None:
    dice = random.Random(seed)
    quality = [round(dice.uniform(-1, 1), 3) for _ in BOARDS]
    styles = [dice.choice(("castle", "arena", "own")) for _ in BOARDS]
    elites = [
        elite(style, dict.fromkeys(AXES, 0.5), good)
        for style, good in zip(styles, quality, strict=True)
    ]
    taken = pick_diverse(elites, BOARDS, count)
    assert len(set(taken)) == count
    wanted = min(count, len(set(styles)))
    assert len({styles[n] for n in taken}) == wanted
    for old, new in product(taken, set(range(len(BOARDS))) - set(taken)):
        other = [new if n == old else n for n in taken]
        if len({styles[n] for n in other}) >= wanted:
            assert worth(other, quality) <= worth(taken, quality) + 1e-6


def test_archive_counts_its_cells() -> None:
    archive = Archive()
    assert (archive.best, archive.mean) == (float("-inf"), 0.0)
    for ways, quality in ((2.0, 0.5), (2.0, 0.25), (7.0, -0.5)):
        archive.add(elite("castle", dict.fromkeys(AXES, 0.0) | {"ways": ways}, quality))
    assert (archive.best, archive.mean, len(archive.elites)) == (0.5, 0.0, 2)
    assert archive.coverage(2) == 2 / (2 * 4**4)
    better = elite("castle", dict.fromkeys(AXES, 0.0) | {"ways": 2.0}, 0.5 + 1e-10)
    assert not archive.add(better), "a gain below a billionth is none"
    archive.evaluations = 7
    archive.note()
    assert archive.history == [(7, 2, 0.5, 0.0)]
    other = archive.copy()
    other.refused["late"] = 2
    assert archive.merge(other) == 0
    assert (archive.evaluations, archive.refused) == (14, {"late": 2})


@settings(max_examples=30)
@given(CANVASES, st.integers(0, ROWS * COLS - 1), st.integers(1, 4), st.integers(1, 5))
def test_deck_is_worth_its_tiles_and_what_lies_below(
    canvas: MutableBoard, first: int, span: int, level: int
) -> None:
    """More over pools and in the middle, less where no unit passes below."""
    tiles = tuple(range(first, min(first + span, ROWS * COLS)))
    worth = 0.0
    for tile in tiles:
        low = level - canvas.level[tile] < HEADROOM and canvas.ground[tile] != LAVA
        middle = tile // COLS in (ROWS // 2 - 1, ROWS // 2)
        worth += 1.0 + 0.8 * (canvas.ground[tile] != 0) + 0.5 * middle - 1.2 * low
    assert _deck_value(canvas, level, tiles) == pytest.approx(worth)

"""Spots, islands and quick covers of small boards, whole: each is as it was kept."""

import random
from dataclasses import replace

import pytest

from falldamage_forge.board import (
    DIRECTIONS,
    Battlement,
    Column,
    Deck,
    Feature,
    Ladder,
    Step,
    Tile,
    make_board,
)
from falldamage_forge.pieces.catalogue import Catalogue
from falldamage_forge.pieces.cover import THOROUGH, Effort, cover, seams, to_print
from falldamage_forge.pieces.decompose import greedy_cover
from falldamage_forge.pieces.frontier import fill
from falldamage_forge.pieces.islands import islands, normal_form
from falldamage_forge.pieces.plan import caps_of, nominal_costs, parapets, plan, plan_with
from falldamage_forge.pieces.spots import count_spots, find_spots, heights_of, orientations
from falldamage_forge.presets import load_catalogue
from tests.games.drawing import crowded
from tests.kept import is_kept, placed
from tests.pieces.maps import MAPS, board_of

CATALOGUE: Catalogue = load_catalogue()
BLOCKS = [piece for piece in CATALOGUE.pieces.values() if piece.builder == "block"]


def heights(seed: int) -> dict[Tile, int]:
    dice = random.Random(seed)
    return {Tile(r, c): dice.choice((0, 0, 1, 2, 3)) for r in range(4) for c in range(5)}


@pytest.mark.parametrize("seed", range(5))
def test_spots_and_covers_are_as_kept(seed: int) -> None:
    field = {tile: level for tile, level in heights(seed).items() if level}
    spots = find_spots(field, BLOCKS)
    found: list[object] = [
        count_spots(field, BLOCKS),
        spots.voxels,
        list(map(str, spots.__slots__)),
    ]
    forms = [[sorted(one.items()), normal_form(one)] for one in islands(field)]
    owned = {BLOCKS[0].key: 2, BLOCKS[-1].key: 1}
    laid = [greedy_cover(field, BLOCKS, some) for some in ({}, owned)]
    covers = [[list(map(placed, one)), seams(field, one)] for one in laid]
    lists = [dict(to_print([one], owned)) for one in laid]
    filled = fill(spots, [10 + n % 7 for n in range(len(spots.voxels))], (20, 60))
    assert filled is not None
    bound = [filled.taken, round(filled.bound, 6), filled.proved]
    assert is_kept(f"cover {seed}", [found, forms, covers, lists, bound])


@pytest.mark.parametrize("name", MAPS[::3])
def test_what_stands_on_the_columns_is_as_kept(name: str) -> None:
    board = board_of(name)
    parts = plan_with(board, CATALOGUE, ()).placements
    caps = sorted([str(place), count] for place, count in caps_of(board).items())
    levels = sorted([str(tile), level] for tile, level in heights_of(board).items())
    assert is_kept(f"upon {name}", [list(map(placed, parts)), caps, levels])


@pytest.mark.parametrize("seed", range(12))
def test_drawn_boards_are_planned_as_kept(seed: int) -> None:
    """Boards with decks, ladders, railings, steps and battlements anywhere, and parts one owns."""
    dice = random.Random(seed)
    board = crowded(dice, "gang-skirmish", 3 + seed % 3, 4)
    crowns = [Battlement(tile, tuple(dice.sample(DIRECTIONS, 2))) for tile in board.tiles()]
    board = replace(
        board, battlements=tuple(crowns[::4]), steps=tuple(map(Step, list(board.tiles())[1::5]))
    )
    owned = {piece.key: dice.randint(0, 3) for piece in dice.sample(BLOCKS, 4)}
    costs = {piece.key: dice.uniform(1, 9) for piece in BLOCKS} if seed % 2 else None
    found = cover((heights_of(board),), BLOCKS, costs, owned if seed % 3 else {}, bond=seed % 4)
    told: list[object] = [found.cost, found.bound, found.greedy_cost]
    made = plan_with(board, CATALOGUE, greedy_cover(heights_of(board), BLOCKS, owned))
    whole = plan(board, CATALOGUE, owned if seed % 3 else None, costs, bond=seed % 4)
    assert whole.cover is not None
    told += [made.counts(), list(made.pieces()), whole.cover.cost, whole.cover.greedy_cost]
    assert is_kept(f"drawn plan {seed}", [list(map(placed, made.placements)), told])


@pytest.mark.parametrize("seed", range(6))
def test_covers_without_a_solver_are_as_kept(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Our own search, that of a narrow one, what it says of a bound, and where no cover is."""
    monkeypatch.setattr("falldamage_forge.pieces.cover.is_here", lambda: False)
    field = {tile: level for tile, level in heights(seed + 20).items() if level and tile.row < 3}
    costs = nominal_costs(BLOCKS)
    found: list[object] = []
    for given in (None, costs):
        for effort in (THOROUGH, Effort(max_spots=40), Effort(max_spots=0)):
            one = cover([field], BLOCKS, given, effort=effort)
            found.append([list(map(placed, one.boards[0])), one.cost, one.bound, one.method])
    monkeypatch.setattr("falldamage_forge.pieces.cover.fill", lambda *some: fill(*some, (2,)))
    narrow = cover([field], BLOCKS, costs)
    found.append([narrow.cost, f"{narrow.bound:.1f}", narrow.method])
    found += [cover([field, field], BLOCKS).method, cover([field], BLOCKS, bond=0.4).method]
    spots = find_spots(field, BLOCKS)
    weights = [7 + number % 11 for number in range(len(spots.voxels))]
    for widths in ((1,), (2, 9), (3, 4, 300)):
        filled = fill(spots, weights, widths)
        found.append(filled and [filled.taken, round(filled.bound, 6), filled.proved])
    large = [piece for piece in BLOCKS if len(piece.footprint) > 3]
    bare = find_spots(field, large)
    found.append(fill(bare, [9] * len(bare.voxels)))
    assert is_kept(f"no solver {seed}", found)


def test_wishes_and_shared_parts_cost_as_kept() -> None:
    """What is owned, what seams cost, several boards at once: least costs, whoever finds them."""
    found: list[object] = []
    for seed in range(6):
        dice = random.Random(seed)
        fields = [
            {
                tile: level
                for tile, level in heights(seed + 30 + n).items()
                if level and tile.row < 3
            }
            for n in range(1 + seed % 2)
        ]
        owned = {piece.key: dice.randint(0, 2) for piece in dice.sample(BLOCKS, 5)}
        for given in ({}, owned, {"no-such": 3}):
            one = cover(fields, BLOCKS, nominal_costs(BLOCKS), given, bond=seed % 3)
            found.append([f"{one.cost:.4f}", f"{one.greedy_cost:.4f}", one.proved])
    assert is_kept("shared", found)


def test_the_solver_is_asked_for_one_answer_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """One thread, a fixed seed, a number of nodes, no gap, and not a word."""
    highspy = pytest.importorskip("highspy")
    noted = {}

    class Noting(highspy.Highs):  # type: ignore[misc, name-defined]
        def setOptionValue(self, name: str, value: object) -> object:
            noted[name] = (value, super().setOptionValue(name, value))
            return noted[name][1]

    monkeypatch.setattr(highspy, "Highs", Noting)
    field = {tile: level for tile, level in heights(3).items() if level}
    cover([field], BLOCKS, nominal_costs(BLOCKS), effort=Effort(nodes=7, seconds=5.0))
    assert {status for _, status in noted.values()} == {highspy.HighsStatus.kOk}
    assert {name: value for name, (value, _) in noted.items()} == {
        "output_flag": False, "threads": 1, "random_seed": 0, "mip_rel_gap": 0.0,
        "mip_abs_gap": 1e-4, "mip_max_nodes": 7, "time_limit": 5.0,
    }  # fmt: skip


def test_what_a_part_needs_stands_with_it() -> None:
    needs = {CATALOGUE.tree.name: {"chest": 2}, CATALOGUE.spire.name: {"chest": 1}}
    columns = [Column(2, feature=Feature.TREE), Column(1), Column(0, feature=Feature.SPIRE)]
    board = make_board(1, 3, columns)
    parts = plan_with(board, replace(CATALOGUE, needs=needs), ()).placements
    laid = [(part.piece.key, part.tile, part.level) for part in parts if part.piece.key == "chest"]
    assert laid == [("chest", Tile(0, 0), 2)] * 2 + [("chest", Tile(0, 2), 0)]


def test_ladders_of_every_height_are_as_kept() -> None:
    """Those longer than the longest piece are joined; some begin on a deck, which has a cap."""
    found = []
    for rise in range(1, 14):
        for deck in (False, True):
            foot, top, low = Tile(0, 1), Tile(0, 0), 3 * deck
            decks = [Deck.between(Tile(0, 0), Tile(0, 2), 3)] if deck else []
            columns = [Column(low + rise), Column(0), Column(3)]
            board = make_board(
                1, 3, columns, decks=decks, ladders=[Ladder(foot, low, top, low + rise)]
            )
            found.append(list(map(placed, plan_with(board, CATALOGUE, ()).placements)))
    assert is_kept("ladders", found)


def test_costs_and_turns_are_as_kept() -> None:
    sides = [tuple(n for n in range(4) if mask >> n & 1) for mask in range(16)]
    found = [nominal_costs(BLOCKS), [[p.key, orientations(p.footprint)] for p in BLOCKS],
             [[parapets(some), parapets(some, "railing")] for some in sides]]  # fmt: skip
    assert is_kept("costs and turns", found)

"""The plan: placements together are exactly the board, and everything stands on something."""

import re
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings

import falldamage_forge as ff
from falldamage_forge.board import (
    DIRECTIONS,
    Battlement,
    Board,
    Column,
    Feature,
    Ground,
    HalfStep,
    Tile,
    make_board,
)
from falldamage_forge.lengths import CAP_MM
from falldamage_forge.pieces.plan import PiecePlan, caps_of, parapets, plan, plan_with
from falldamage_forge.presets import load_catalogue
from tests.amount import EXHAUSTIVE
from tests.strategies import boards


def blocks_of(parts: PiecePlan) -> list[tuple[Tile, int, int]]:
    """(tile, bottom, top) of every tile of every block."""
    return [
        (tile, placement.level, placement.level + placement.piece.levels)
        for placement in parts.placements
        if placement.piece.family == "block"
        for tile in placement.tiles()
    ]


@settings(max_examples=200 if EXHAUSTIVE else 10)
@given(boards())
def test_blocks_fill_every_column_once_and_stand_on_what_was_laid_before(board: Board) -> None:
    parts = plan(board, load_catalogue())
    filled = dict.fromkeys(board.tiles(), 0)
    for placement in parts.placements:
        if placement.piece.family != "block":
            continue
        for tile in placement.tiles():
            assert filled[tile] == placement.level, "the block floats or overlaps"
        for tile in placement.tiles():
            filled[tile] += placement.piece.levels
    assert filled == {tile: board.column(tile).level for tile in board.tiles()}


@settings(max_examples=200 if EXHAUSTIVE else 10)
@given(boards())
def test_plan_has_piece_for_everything_on_board(board: Board) -> None:
    counts = plan(board, load_catalogue()).counts()
    features = Counter(board.column(tile).feature for tile in board.tiles())
    grounds = Counter(board.column(tile).ground for tile in board.tiles())
    assert counts["quadrant"] == 4
    assert counts.get("tree", 0) == features[Feature.TREE]
    assert counts.get("spire", 0) == features[Feature.SPIRE]
    assert counts["tie"] == 8
    assert counts.get("water", 0) == grounds[Ground.WATER]
    assert counts.get("lava", 0) == grounds[Ground.LAVA]
    assert counts.get("chest", 0) == len(board.treasures)
    assert counts["start-red"] + counts["start-blue"] == 16
    assert sum(n for key, n in counts.items() if key.startswith("bridge")) == len(board.decks)
    whole = [n for key, n in counts.items() if re.fullmatch(r"ladder-\d+(-low)?", key)]
    assert sum(whole) + sum(counts.get(f"ladder-lower-5{end}", 0) for end in ("", "-low")) == len(
        board.ladders
    )


@settings(max_examples=200 if EXHAUSTIVE else 10)
@given(boards())
def test_a_ladder_leans_the_way_it_is_turned_and_a_bridge_covers_its_tiles(board: Board) -> None:
    parts = plan(board, load_catalogue()).placements
    leans = {
        (p.tile, p.level, p.tile.step(((-1, 0), (0, 1), (1, 0), (0, -1))[p.quarter_turns]))
        for p in parts
        if p.piece.family in ("ladder", "ladder-low", "ladder-lower")
    }
    assert leans == {(ladder.foot, ladder.foot_level, ladder.top) for ladder in board.ladders}
    covered = {(p.tiles(), p.level) for p in parts if p.piece.family == "bridge"}
    assert covered == {(deck.tiles, deck.level) for deck in board.decks}


@pytest.mark.parametrize(
    "sides", [tuple(k for k in range(4) if bits & 1 << k) for bits in range(1, 16)]
)
def test_battlements_stand_on_the_sides_that_are_asked(sides: tuple[int, ...]) -> None:
    catalogue = load_catalogue()
    covered = []
    for key, turns in parapets(sides):
        letters = str(catalogue[key]["sides"])
        covered += [("nesw".index(letter) + turns) % 4 for letter in letters]
    assert sorted(covered) == list(sides)


def test_steps_battlements_and_arches_have_their_pieces() -> None:
    board = ff.load("duel").board
    free = [
        tile
        for tile in board.tiles()
        if board.column(tile).feature is None and board.column(tile).level > 0
    ]
    more = replace(
        board,
        decks=tuple(replace(deck, arch=True) for deck in board.decks),
        battlements=(Battlement(free[0]), Battlement(free[1], (DIRECTIONS[2], DIRECTIONS[0]))),
        steps=(HalfStep(free[2]),),
    )
    found = plan(more, load_catalogue()).counts()
    assert (found["battlement"], found["battlement-1"], found["step"]) == (1, 2, 1)
    arches = sum(count for key, count in found.items() if key.startswith("arch-"))
    assert arches == len(board.decks)
    assert not any(key.startswith("bridge-") for key in found)


def test_pieces_on_caps_are_raised() -> None:
    """Chests, starts and features on water or lava are raised; a ladder from there is a low one."""
    board = ff.load("duel").board
    parts = plan(board, load_catalogue()).placements
    caps = caps_of(board)
    for part in parts:
        under = caps.get((part.tile, part.level), 0)
        if part.piece.family in ("spire", "tree", "chest"):
            assert part.raised_mm == pytest.approx(CAP_MM * under)
        if part.piece.family == "start-marker":
            assert part.raised_mm == pytest.approx(CAP_MM * (under - 1))
        if part.piece.builder == "ladder" and part.piece["part"] in ("whole", "lower"):
            assert part.piece["low"] is (under > 0)


def test_companion_pieces_share_placement() -> None:
    catalogue = load_catalogue()
    needs = {catalogue["tree"].name: {"chest": 2}, catalogue["spire"].name: {"chest": 1}}
    columns = [Column(2, feature=Feature.TREE), Column(1), Column(0, feature=Feature.SPIRE)]
    board = make_board(1, 3, columns)
    parts = plan_with(board, replace(catalogue, needs=needs), ()).placements
    laid = [(part.piece.key, part.tile, part.level) for part in parts if part.piece.key == "chest"]
    assert laid == [("chest", Tile(0, 0), 2)] * 2 + [("chest", Tile(0, 2), 0)]

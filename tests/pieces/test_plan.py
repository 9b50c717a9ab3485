"""The plan: placements together are exactly the board, and everything stands on something."""

from collections import Counter

from hypothesis import given, settings

from falldamage_forge.board import Board, Feature, Ground, Tile
from falldamage_forge.pieces.plan import Plan, plan
from falldamage_forge.presets import load_catalogue
from tests.strategies import boards


def blocks_of(parts: Plan) -> list[tuple[Tile, int, int]]:
    """(tile, bottom, top) of every tile of every block."""
    return [
        (tile, placement.level, placement.level + placement.piece.levels)
        for placement in parts.placements
        if placement.piece.family == "block"
        for tile in placement.tiles()
    ]


@settings(max_examples=30, deadline=None)
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


@settings(max_examples=30, deadline=None)
@given(boards())
def test_everything_on_the_board_has_its_piece(board: Board) -> None:
    counts = plan(board, load_catalogue()).counts()
    features = Counter(board.column(tile).feature for tile in board.tiles())
    grounds = Counter(board.column(tile).ground for tile in board.tiles())
    assert counts["quadrant"] == 4
    assert counts.get("tree", 0) == features[Feature.TREE]
    assert counts.get("spire", 0) == features[Feature.SPIRE]
    assert counts.get("dowel", 0) == features[Feature.TREE] + features[Feature.SPIRE]
    assert counts.get("water", 0) == grounds[Ground.WATER]
    assert counts.get("lava", 0) == grounds[Ground.LAVA]
    assert counts.get("chest", 0) == len(board.treasures)
    assert counts["start-marker"] == 16
    assert sum(n for key, n in counts.items() if key.startswith("bridge")) == len(board.decks)
    assert sum(n for key, n in counts.items() if key.startswith("ladder")) == len(board.ladders)


@settings(max_examples=30, deadline=None)
@given(boards())
def test_a_ladder_leans_the_way_it_is_turned_and_a_bridge_covers_its_tiles(board: Board) -> None:
    parts = plan(board, load_catalogue()).placements
    leans = {
        (p.tile, p.level, p.tile.step(((-1, 0), (0, 1), (1, 0), (0, -1))[p.quarter_turns]))
        for p in parts
        if p.piece.family == "ladder"
    }
    assert leans == {(ladder.foot, ladder.foot_level, ladder.top) for ladder in board.ladders}
    covered = {(p.tiles(), p.level) for p in parts if p.piece.family == "bridge"}
    assert covered == {(deck.tiles, deck.level) for deck in board.decks}

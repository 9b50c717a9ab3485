"""The plan: which piece stands where, so that the placements together are exactly the board.

The order of placements is the order of building: base, then block by block upwards, water and lava,
bridges, ladders, trees and spires, at last chests and start markers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from falldamage_forge.board import (
    BOARD_STEP,
    DIRECTIONS,
    Board,
    Feature,
    Ground,
    Ladder,
    Tile,
)
from falldamage_forge.pieces.catalogue import Catalogue
from falldamage_forge.pieces.cover import QUICK, THOROUGH, Costs, Cover, Effort, cover
from falldamage_forge.pieces.model import Piece, Placement
from falldamage_forge.pieces.spots import heights_of


@dataclass(frozen=True, slots=True)
class Plan:
    """All placements of a board in building order, and how well its columns were divided."""

    placements: tuple[Placement, ...]
    cover: Cover | None = field(default=None, compare=False)

    def counts(self) -> dict[str, int]:
        """How many parts of each piece, by key, sorted."""
        return dict(sorted(Counter(p.piece.key for p in self.placements).items()))

    def pieces(self) -> dict[str, Piece]:
        """Each unique piece by key, sorted."""
        found = {placement.piece.key: placement.piece for placement in self.placements}
        return dict(sorted(found.items()))


def nominal_costs(blocks: Iterable[Piece]) -> dict[str, float]:
    """About the grams of blocks by key, from tiles and sides alone, without making their meshes.

    Fitted to our own blocks: 1.7 g a tile for its skins, 0.85 g a tile's side and level for walls,
    0.35 g a tile and level for what stiffens them.
    """
    costs = {}
    for block in blocks:
        tiles = set(block.footprint)
        around = ((row + y, col + x) for row, col in tiles for y, x in DIRECTIONS)
        sides = sum(place not in tiles for place in around)
        levels = block.levels
        costs[block.key] = 1.7 * len(tiles) + levels * (0.85 * sides + 0.35 * len(tiles))
    return costs


def plan(
    board: Board,
    catalogue: Catalogue,
    owned: Mapping[str, int] | None = None,
    costs: Costs | None = None,
    *,
    bond: float = 0.0,
    effort: Effort | None = None,
) -> Plan:
    """The plan of a legal board that costs least to print, when `owned` parts cost nothing.

    `costs` are those of the blocks by key; about their grams if None. Everything else on a board
    has one piece only. Without an `effort` the search is quick, and thorough where parts are owned.
    """
    blocks = catalogue.blocks()
    costs = costs or nominal_costs(blocks)
    effort = effort or (THOROUGH if owned else QUICK)
    found = cover((heights_of(board),), blocks, costs, owned, bond=bond, effort=effort)
    return plan_with(board, catalogue, found.boards[0], found)


def plan_with(
    board: Board, catalogue: Catalogue, blocks: Iterable[Placement], found: Cover | None = None
) -> Plan:
    """The plan of a legal board from these blocks, which must fill its columns."""
    parts = [
        *_base(board, catalogue),
        *sorted(blocks, key=lambda block: (block.level, block.tile)),
        *_grounds(board, catalogue),
        *_bridges(board, catalogue),
        *(_ladder(ladder, catalogue) for ladder in board.ladders),
        *_features(board, catalogue),
        *(Placement(catalogue.chest, chest.tile, chest.level) for chest in board.treasures),
        *_markers(board, catalogue),
    ]
    return Plan(tuple(parts), found)


def _base(board: Board, catalogue: Catalogue) -> Iterator[Placement]:
    for row in range(0, board.rows, BOARD_STEP):
        for col in range(0, board.cols, BOARD_STEP):
            yield Placement(catalogue.quadrant, Tile(row, col), 0)


def _grounds(board: Board, catalogue: Catalogue) -> Iterator[Placement]:
    toppers = {Ground.WATER: catalogue.water, Ground.LAVA: catalogue.lava}
    for tile in board.tiles():
        column = board.column(tile)
        if column.ground in toppers:
            yield Placement(toppers[column.ground], tile, column.level)


def _bridges(board: Board, catalogue: Catalogue) -> Iterator[Placement]:
    """A bridge lies west to east; a quarter turn makes it run north to south."""
    for deck in sorted(board.decks, key=lambda deck: (deck.level, deck.a)):
        turns = 0 if deck.a.row == deck.b.row else 1
        yield Placement(catalogue.bridge(deck.span), deck.tiles[0], deck.level, turns)


def _ladder(ladder: Ladder, catalogue: Catalogue) -> Placement:
    """A ladder leans north; clockwise turns make it lean east, south and west."""
    offset = (ladder.top.row - ladder.foot.row, ladder.top.col - ladder.foot.col)
    turns = DIRECTIONS.index(offset)
    return Placement(catalogue.ladder(ladder.rise), ladder.foot, ladder.foot_level, turns)


def _features(board: Board, catalogue: Catalogue) -> Iterator[Placement]:
    pieces = {Feature.TREE: catalogue.tree, Feature.SPIRE: catalogue.spire}
    for tile in board.tiles():
        column = board.column(tile)
        if column.feature is not None:
            piece = pieces[column.feature]
            for companion, count in catalogue.companions(piece):
                yield from [Placement(companion, tile, column.level)] * count
            yield Placement(piece, tile, column.level)


def _markers(board: Board, catalogue: Catalogue) -> Iterator[Placement]:
    for zone in board.starts:
        for tile, level in zone.surfaces:
            yield Placement(catalogue.start_marker, tile, level)

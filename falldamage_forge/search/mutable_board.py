"""Mutable board: a board under construction, in which every change includes its image.

Tiles are numbered row by row. The genome (`genome.py`) is the immutable form.
"""

from __future__ import annotations

from dataclasses import field
from functools import cache
from typing import NamedTuple

from falldamage_forge.board import DIRECTIONS, Board, Column, Feature, Ground, Tile, make_board
from falldamage_forge.board.board_model import Chest, Deck, Ladder, StartZone
from falldamage_forge.board.symmetry import OPERATORS
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.search import style_grammar

GROUNDS = {
    Ground.GROUND: style_grammar.GROUND,
    Ground.WATER: style_grammar.WATER,
    Ground.LAVA: style_grammar.LAVA,
}
FEATURES = {
    None: style_grammar.NOTHING,
    Feature.TREE: style_grammar.TREE,
    Feature.SPIRE: style_grammar.SPIRE,
}
FEATURE_LEVELS = 2
"""Levels of trees and spires, by the default options."""
HEADROOM = 2


class DeckSpan(NamedTuple):
    """A deck: supports, level and the tiles under it."""

    a: int
    b: int
    level: int
    tiles: tuple[int, ...]


class LadderSpan(NamedTuple):
    """A ladder between two neighbouring tiles."""

    foot: int
    foot_level: int
    top: int
    top_level: int


Says = dict[int, tuple[int, int, int]]
"""Level, ground and feature by tile."""


class PlacementSite(NamedTuple):
    """Site of a shape: level, ground and feature of its tiles and their images, and copies.

    `copies` is 1 if the shape is its own image, else 2.
    """

    says: Says
    copies: int


@dataclass(frozen=True)
class BoardTopology:
    """Tables of a size and a symmetry: the image of each tile, and its neighbours.

    `near[t]` holds the tile to the north, east, south and west, -1 off the board.
    """

    rows: int
    cols: int
    symmetry: str
    image: tuple[int, ...]
    near: tuple[tuple[int, int, int, int], ...]

    @property
    def starts(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Start tiles of red, in the middle of the north edge, and of blue opposite."""
        first = (self.cols - 8) // 2
        last = (self.rows - 1) * self.cols
        red = tuple(range(first, first + 8))
        return red, tuple(last + tile for tile in red)


@cache
def table(rows: int, cols: int, symmetry: str) -> BoardTopology:
    """Return the tables of a size under `rotate-180` or `mirror-y`.

    Args:
        rows: Rows of the board.
        cols: Columns of the board.
        symmetry: `rotate-180` or `mirror-y`.
    """
    move = OPERATORS[symmetry]
    image = []
    near = []
    for row in range(rows):
        for col in range(cols):
            r, c = move(row, col, rows, cols)
            image.append(r * cols + c)
            ways = []
            for y, x in DIRECTIONS:
                inside = 0 <= row + y < rows and 0 <= col + x < cols
                ways.append((row + y) * cols + col + x if inside else -1)
            near.append((ways[0], ways[1], ways[2], ways[3]))
    return BoardTopology(rows, cols, symmetry, tuple(image), tuple(near))


@dataclass(slots=True)
class MutableBoard:
    """Levels, grounds, features and things by tile; `owner` is the number of a tile's part."""

    table: BoardTopology
    level: list[int]
    ground: list[int]
    feature: list[int]
    owner: list[int]
    decks: list[DeckSpan] = field(default_factory=list)
    ladders: list[LadderSpan] = field(default_factory=list)
    chests: list[tuple[int, int]] = field(default_factory=list)
    stamps: int = 0

    @classmethod
    def empty(cls, numbers: BoardTopology) -> MutableBoard:
        """Return an empty board."""
        size = numbers.rows * numbers.cols
        return cls(numbers, [0] * size, [0] * size, [0] * size, [0] * size)

    def copy(self) -> MutableBoard:
        """Return an independent copy."""
        return MutableBoard(
            self.table,
            self.level[:],
            self.ground[:],
            self.feature[:],
            self.owner[:],
            self.decks[:],
            self.ladders[:],
            self.chests[:],
            self.stamps,
        )

    def top(self, tile: int) -> int:
        """Return the level at which a column ends, with its tree or spire."""
        return self.level[tile] + (FEATURE_LEVELS if self.feature[tile] else 0)

    def over(self) -> list[int]:
        """Return the levels of the decks over each tile, as bits."""
        levels = [0] * len(self.level)
        for deck in self.decks:
            for tile in deck.tiles:
                levels[tile] |= 1 << deck.level
        return levels

    def plain(self, tile: int) -> bool:
        """True if a tile is bare and belongs to no part."""
        return not (self.owner[tile] or self.level[tile] or self.ground[tile] or self.feature[tile])

    # -- changes; each is applied completely or not at all -----------------------------------------

    def find_site(
        self, shape: style_grammar.OrientedPart, row: int, col: int, gap: bool
    ) -> PlacementSite | None:
        """Return the site of a shape and its image; None if it does not fit.

        Args:
            shape: The shape.
            row: Row of its north-west corner.
            col: Column of its north-west corner.
            gap: True if none of its columns may be adjacent or diagonal to another part's.
        """
        rows, cols, image = self.table.rows, self.table.cols, self.table.image
        if row < 1 or col < 0 or row + shape.rows > rows - 1 or col + shape.cols > cols:
            return None
        own: Says = {}
        for cell in shape.cells:
            tile = (row + cell.row) * cols + col + cell.col
            if not (self.plain(tile) and self.plain(image[tile])):
                return None
            own[tile] = (cell.level, cell.ground, cell.feature)
        both = own | {image[tile]: what for tile, what in own.items()}
        copies = 1 if len(both) == len(own) else 2
        if len(both) != copies * len(own):
            return None
        if copies == 1 and any(own[image[tile]] != what for tile, what in own.items()):
            return None
        if not all(self._stands_well(tile, both, gap) for tile in both):
            return None
        if any(tile in both for deck in self.decks for tile in deck.tiles):
            return None
        if any(rungs.foot in both for rungs in self.ladders):
            return None
        return PlacementSite(both, copies)

    def stamp(
        self, shape: style_grammar.OrientedPart, row: int, col: int, room: PlacementSite
    ) -> None:
        """Place a shape on its site, with its image.

        Args:
            shape: The oriented part.
            row: Row of its north-west corner.
            col: Column of its north-west corner.
            room: Values of its tiles and of their images.
        """
        self.stamps += 1
        for tile, (level, ground, feature) in room.says.items():
            self.level[tile], self.ground[tile], self.feature[tile] = level, ground, feature
            self.owner[tile] = self.stamps
        self._belongings(shape, row * self.table.cols + col)

    def _stands_well(self, tile: int, mine: Says, gap: bool) -> bool:
        """True if a column meets no other part's by 2 levels; with `gap`, not at all."""
        level = mine[tile][0]
        if not level:
            return True
        for other in around(self.table.rows, self.table.cols)[tile]:
            if other in mine or not self.level[other]:
                continue
            if gap or abs(self.level[other] - level) > 1:
                return False
        return True

    def _belongings(self, shape: style_grammar.OrientedPart, corner: int) -> None:
        """Add the ladders, decks and chests of a placed shape."""
        cols = self.table.cols
        for a, b, c, d, level in shape.decks:
            self.deck(corner + a * cols + b, corner + c * cols + d, level)
        for a, b, c, d in shape.ladders:
            self.ladder(corner + a * cols + b, corner + c * cols + d)
        for a, b in shape.chests:
            tile = corner + a * cols + b
            self.chest(tile, self.level[tile])

    def between(self, a: int, b: int) -> tuple[int, ...]:
        """Return the tiles strictly between two of one row or column, in order.

        Args:
            a: A tile, counted row by row from 0.
            b: Another tile of the same row or column.
        """
        cols = self.table.cols
        a, b = min(a, b), max(a, b)
        step = 1 if a // cols == b // cols else cols
        return tuple(range(a + step, b, step))

    def deck(self, a: int, b: int, level: int) -> None:
        """Add a deck and its image.

        Args:
            a: Tile at one end, counted row by row from 0.
            b: Tile at the other end.
            level: Level of the deck.
        """
        image = self.table.image
        for one, other in ((a, b), (image[a], image[b])):
            span = DeckSpan(min(one, other), max(one, other), level, self.between(one, other))
            if span not in self.decks:
                self.decks.append(span)

    def ladder(self, foot: int, top: int) -> None:
        """Add a ladder between the columns of two tiles, and its image.

        Args:
            foot: Tile at the foot, counted row by row from 0.
            top: Tile at the top.
        """
        image = self.table.image
        for low, high in ((foot, top), (image[foot], image[top])):
            rungs = LadderSpan(low, self.level[low], high, self.level[high])
            if rungs not in self.ladders:
                self.ladders.append(rungs)

    def chest(self, tile: int, level: int) -> None:
        """Add a chest and its image.

        Args:
            tile: Tile, counted row by row from 0.
            level: Level of the surface.
        """
        for place in (tile, self.table.image[tile]):
            if (place, level) not in self.chests:
                self.chests.append((place, level))

    def set_tile(
        self, tile: int, *, level: int = 0, ground: int = style_grammar.GROUND, feature: int = 0
    ) -> None:
        """Set level, ground and feature of a tile and its image.

        Args:
            tile: Tile, counted row by row from 0.
            level: Level of the column.
            ground: Number of the ground, such as `style_grammar.GROUND`.
            feature: Number of the feature; 0 for none.
        """
        for place in (tile, self.table.image[tile]):
            self.level[place], self.ground[place], self.feature[place] = level, ground, feature

    # -- the finished board ------------------------------------------------------------------------

    def board(self) -> Board:
        """Return the board as an immutable `Board`."""
        cols = self.table.cols

        def tile(number: int) -> Tile:
            return Tile(*divmod(number, cols))

        grounds = {number: ground for ground, number in GROUNDS.items()}
        features = {number: feature for feature, number in FEATURES.items()}
        return make_board(
            self.table.rows,
            cols,
            [
                Column(level, grounds[ground], features[feature])
                for level, ground, feature in zip(
                    self.level, self.ground, self.feature, strict=True
                )
            ],
            decks=[Deck.between(tile(d.a), tile(d.b), d.level) for d in self.decks],
            ladders=[
                Ladder(tile(x.foot), x.foot_level, tile(x.top), x.top_level) for x in self.ladders
            ],
            treasures=[Chest(tile(at), level) for at, level in self.chests],
            starts=[
                StartZone(side, tuple((tile(at), 0) for at in tiles))
                for side, tiles in zip(("red", "blue"), self.table.starts, strict=True)
            ],
        )


def canvas_of(board: Board) -> MutableBoard:
    """Return a board as a mutable board, for its composition score."""

    def number(tile: Tile) -> int:
        return tile.row * board.cols + tile.col

    canvas = MutableBoard.empty(table(board.rows, board.cols, "rotate-180"))
    canvas.level[:] = [column.level for column in board.columns]
    canvas.ground[:] = [GROUNDS[column.ground] for column in board.columns]
    canvas.feature[:] = [FEATURES[column.feature] for column in board.columns]
    canvas.decks[:] = [
        DeckSpan(number(d.a), number(d.b), d.level, tuple(map(number, d.tiles)))
        for d in board.decks
    ]
    canvas.ladders[:] = [
        LadderSpan(number(x.foot), x.foot_level, number(x.top), x.top_level) for x in board.ladders
    ]
    canvas.chests[:] = [(number(chest.tile), chest.level) for chest in board.treasures]
    return canvas


@cache
def around(rows: int, cols: int) -> tuple[tuple[int, ...], ...]:
    """Return the up to eight neighbours of each tile.

    Args:
        rows: Rows of the board.
        cols: Columns of the board.
    """
    return tuple(
        tuple(
            (row + y) * cols + col + x
            for y in (-1, 0, 1)
            for x in (-1, 0, 1)
            if (y or x) and 0 <= row + y < rows and 0 <= col + x < cols
        )
        for row in range(rows)
        for col in range(cols)
    )

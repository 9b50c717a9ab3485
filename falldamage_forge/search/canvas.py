"""A board in the making: plain numbers that change quickly, every change with its image.

Tiles are numbered row by row. What is frozen and named by tiles is the `Sketch` (see `sketch.py`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from falldamage_forge.board import DIRECTIONS, Board, Column, Feature, Ground, Tile, make_board
from falldamage_forge.board.model import Deck, Ladder, StartZone, Treasure
from falldamage_forge.board.symmetry import OPERATORS
from falldamage_forge.search.parts import GROUND, LAVA, NOTHING, SPIRE, TREE, WATER, Shape

FEATURE_LEVELS = 2
"""How high trees and spires are, by the default rules."""
HEADROOM = 2


class Span(NamedTuple):
    """A deck: supports, level and the tiles under it."""

    a: int
    b: int
    level: int
    tiles: tuple[int, ...]


class Rungs(NamedTuple):
    """A ladder between two neighbouring tiles."""

    foot: int
    foot_level: int
    top: int
    top_level: int


Says = dict[int, tuple[int, int, int]]
"""Level, ground and feature by tile."""


class Room(NamedTuple):
    """A place for a shape: what it and its image say, and whether these are one (1) or two."""

    says: Says
    copies: int


@dataclass(frozen=True)
class Table:
    """What a size and a symmetry fix: the image of each tile, and its neighbours by direction.

    `near[t]` holds for north, east, south and west a tile, or -1 off the board.
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
def table(rows: int, cols: int, symmetry: str) -> Table:
    """The numbers of a board of a size under `rotate-180` or `mirror-y`."""
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
    return Table(rows, cols, symmetry, tuple(image), tuple(near))


@dataclass(slots=True)
class Canvas:
    """Levels, tops and things by tile. `owner` is the number of the stamp a tile belongs to."""

    table: Table
    level: list[int]
    ground: list[int]
    feature: list[int]
    owner: list[int]
    decks: list[Span] = field(default_factory=list)
    ladders: list[Rungs] = field(default_factory=list)
    chests: list[tuple[int, int]] = field(default_factory=list)
    stamps: int = 0

    @classmethod
    def empty(cls, numbers: Table) -> Canvas:
        """A bare board."""
        size = numbers.rows * numbers.cols
        return cls(numbers, [0] * size, [0] * size, [0] * size, [0] * size)

    def copy(self) -> Canvas:
        """One that can be changed without changing this."""
        return Canvas(
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
        """Where the column ends, tree or spire included."""
        return self.level[tile] + (FEATURE_LEVELS if self.feature[tile] else 0)

    def over(self) -> dict[int, tuple[int, ...]]:
        """Levels of the decks over each tile that has any, ascending."""
        found: dict[int, list[int]] = {}
        for deck in self.decks:
            for tile in deck.tiles:
                found.setdefault(tile, []).append(deck.level)
        return {tile: tuple(sorted(levels)) for tile, levels in found.items()}

    def plain(self, tile: int) -> bool:
        """Whether a tile is bare board that nobody speaks of."""
        return not (self.owner[tile] or self.level[tile] or self.ground[tile] or self.feature[tile])

    # -- changes; each refuses what it would contradict, and leaves nothing half done -------------

    def room(self, shape: Shape, row: int, col: int, gap: bool) -> Room | None:
        """What a shape at a place and its image would say of tiles; None if it cannot lie there.

        With `gap` no column of it may stand beside, or corner to corner with, another stamp's. A
        shape lies on its own image wholly or not at all.
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
        return Room(both, copies)

    def stamp(self, shape: Shape, row: int, col: int, room: Room) -> None:
        """Lay a shape for which there is room, and its image."""
        self.stamps += 1
        for tile, (level, ground, feature) in room.says.items():
            self.level[tile], self.ground[tile], self.feature[tile] = level, ground, feature
            self.owner[tile] = self.stamps
        self._belongings(shape, row * self.table.cols + col)

    def _stands_well(self, tile: int, mine: Says, gap: bool) -> bool:
        """No wall of two levels against another stamp; with `gap` nothing at all."""
        level = mine[tile][0]
        if not level:
            return True
        for other in around(self.table.rows, self.table.cols)[tile]:
            if other in mine or not self.level[other]:
                continue
            if gap or abs(self.level[other] - level) > 1:
                return False
        return True

    def _belongings(self, shape: Shape, corner: int) -> None:
        """Ladders, decks and chests of a stamp just laid."""
        cols = self.table.cols
        for a, b, c, d, level in shape.decks:
            self.deck(corner + a * cols + b, corner + c * cols + d, level)
        for a, b, c, d in shape.ladders:
            self.ladder(corner + a * cols + b, corner + c * cols + d)
        for a, b in shape.chests:
            tile = corner + a * cols + b
            self.chest(tile, self.level[tile])

    def between(self, a: int, b: int) -> tuple[int, ...]:
        """Tiles strictly between two of one row or column, from the smaller number."""
        cols = self.table.cols
        a, b = min(a, b), max(a, b)
        step = 1 if a // cols == b // cols else cols
        return tuple(range(a + step, b, step))

    def deck(self, a: int, b: int, level: int) -> None:
        """A deck and its image."""
        image = self.table.image
        for one, other in ((a, b), (image[a], image[b])):
            span = Span(min(one, other), max(one, other), level, self.between(one, other))
            if span not in self.decks:
                self.decks.append(span)

    def ladder(self, foot: int, top: int) -> None:
        """A ladder on the columns of two tiles, and its image."""
        image = self.table.image
        for low, high in ((foot, top), (image[foot], image[top])):
            rungs = Rungs(low, self.level[low], high, self.level[high])
            if rungs not in self.ladders:
                self.ladders.append(rungs)

    def chest(self, tile: int, level: int) -> None:
        """A chest and its image."""
        for place in (tile, self.table.image[tile]):
            if (place, level) not in self.chests:
                self.chests.append((place, level))

    def put(self, tile: int, *, level: int = 0, ground: int = GROUND, feature: int = 0) -> None:
        """Say what one tile and its image are."""
        for place in (tile, self.table.image[tile]):
            self.level[place], self.ground[place], self.feature[place] = level, ground, feature

    # -- the finished board -----------------------------------------------------------------------

    def board(self) -> Board:
        """The board as the rest of the forge knows it."""
        cols = self.table.cols

        def tile(number: int) -> Tile:
            return Tile(*divmod(number, cols))

        grounds = {GROUND: Ground.GROUND, WATER: Ground.WATER, LAVA: Ground.LAVA}
        features = {NOTHING: None, TREE: Feature.TREE, SPIRE: Feature.SPIRE}
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
            treasures=[Treasure(tile(at), level) for at, level in self.chests],
            starts=[
                StartZone(side, tuple((tile(at), 0) for at in tiles))
                for side, tiles in zip(("red", "blue"), self.table.starts, strict=True)
            ],
        )


@cache
def around(rows: int, cols: int) -> tuple[tuple[int, ...], ...]:
    """The up to eight tiles round each tile."""
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

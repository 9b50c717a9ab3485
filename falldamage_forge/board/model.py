"""The board: what stands where, in whole tiles and levels. Frozen, comparable, free of text and mm.

`source` fields remember the statement a thing came from; they never take part in comparison, so
two texts with one meaning give equal boards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field
from enum import StrEnum
from functools import cached_property

from falldamage_forge.board.grid import DIRECTIONS, Tile
from falldamage_forge.issues import SourceSpan
from falldamage_forge.values import dataclass

BOARD_STEP = 5
"""Boards come in multiples of a quadrant's five tiles."""
MAX_BOARD = 50
MAX_LEVEL = 12
"""No column, deck or ladder reaches higher; 12 levels are 360 mm of table."""


MERLON_UM = 10_080
"""How high a battlement is."""


class Ground(StrEnum):
    """What the top of a column is made of."""

    GROUND = "ground"
    WATER = "water"
    LAVA = "lava"


class Feature(StrEnum):
    """What stands on top of a column and fills its tile."""

    TREE = "tree"
    SPIRE = "spire"


@dataclass(frozen=True, slots=True)
class Column:
    """Solid from the ground up to `level` (0 is the bare base), its top and what stands on it."""

    level: int = 0
    ground: Ground = Ground.GROUND
    feature: Feature | None = None
    source: SourceSpan | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Deck:
    """A bridge: a slab whose top is at `level`, over the tiles strictly between two supports.

    The supports lie in one row or one column. Equal whichever way round it is written, because
    `a` is always the north or west one (see `Deck.between`).
    """

    a: Tile
    b: Tile
    level: int
    source: SourceSpan | None = field(default=None, compare=False)
    arch: bool = False

    @classmethod
    def between(
        cls,
        a: Tile,
        b: Tile,
        level: int,
        source: SourceSpan | None = None,
        *,
        arch: bool = False,
    ) -> Deck:
        """The deck between two supports given in either order."""
        return cls(min(a, b), max(a, b), level, source, arch)

    @property
    def name(self) -> str:
        """What messages call it."""
        return f"the bridge {self.a} -> {self.b}"

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """The tiles under the slab, from `a` to `b`; empty unless the supports are in line."""
        if self.a.row == self.b.row:
            return tuple(Tile(self.a.row, col) for col in range(self.a.col + 1, self.b.col))
        if self.a.col == self.b.col:
            return tuple(Tile(row, self.a.col) for row in range(self.a.row + 1, self.b.row))
        return ()

    @property
    def span(self) -> int:
        """Unsupported reach in tiles."""
        return len(self.tiles)


@dataclass(frozen=True, slots=True)
class Ladder:
    """Stands on `foot` at `foot_level` and leans on the terrain of `top`, up to `top_level`."""

    foot: Tile
    foot_level: int
    top: Tile
    top_level: int
    source: SourceSpan | None = field(default=None, compare=False)

    @property
    def name(self) -> str:
        """What messages call it."""
        return f"the ladder {self.foot} -> {self.top}"

    @property
    def rise(self) -> int:
        """Levels climbed."""
        return self.top_level - self.foot_level


@dataclass(frozen=True, slots=True)
class Treasure:
    """A chest lying on the surface of `tile` at `level`."""

    tile: Tile
    level: int
    source: SourceSpan | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Battlement:
    """Merlons on the rim of a column's top. `sides` are offsets in the order of `DIRECTIONS`."""

    tile: Tile
    sides: tuple[tuple[int, int], ...] = DIRECTIONS
    source: SourceSpan | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Step:
    """A block of half a level on a column's top; for the rules the tile keeps its whole level."""

    tile: Tile
    source: SourceSpan | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Fitting:
    """What only some games know, on one tile; `board/fittings.py` has the kinds.

    `sides` are those of an edged one, `name` is what it is called (a side, a force, a cover) and
    `length_um` how high it is or how far it reaches.
    """

    kind: str
    tile: Tile
    level: int
    sides: tuple[tuple[int, int], ...] = ()
    name: str = ""
    length_um: int = 0
    source: SourceSpan | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class StartZone:
    """Where a side sets up: surfaces as (tile, level) pairs, sorted."""

    side: str
    surfaces: tuple[tuple[Tile, int], ...]
    source: SourceSpan | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Board:
    """One table. `columns` is row-major, rows * cols of them; the rest is sorted by the maker."""

    rows: int
    cols: int
    columns: tuple[Column, ...]
    decks: tuple[Deck, ...] = ()
    ladders: tuple[Ladder, ...] = ()
    treasures: tuple[Treasure, ...] = ()
    starts: tuple[StartZone, ...] = ()
    battlements: tuple[Battlement, ...] = ()
    steps: tuple[Step, ...] = ()
    fittings: tuple[Fitting, ...] = ()

    def __post_init__(self) -> None:
        if len(self.columns) != self.rows * self.cols:
            raise ValueError(
                f"{len(self.columns)} columns given for a {self.rows}x{self.cols} board"
            )

    def __contains__(self, tile: object) -> bool:
        """Whether a tile lies on the board."""
        return (
            isinstance(tile, tuple)
            and len(tile) == 2
            and 0 <= tile[0] < self.rows
            and 0 <= tile[1] < self.cols
        )

    def column(self, tile: tuple[int, int]) -> Column:
        """The column over a tile; the tile must lie on the board."""
        return self.columns[tile[0] * self.cols + tile[1]]

    def tiles(self) -> Iterator[Tile]:
        """All tiles, row by row."""
        return (Tile(row, col) for row in range(self.rows) for col in range(self.cols))

    def neighbours(self, tile: Tile) -> Iterator[Tile]:
        """The orthogonal neighbours on the board, north first, clockwise."""
        return (near for near in map(tile.step, DIRECTIONS) if near in self)

    @cached_property
    def deck_levels(self) -> dict[Tile, tuple[int, ...]]:
        """Levels of the slabs over each tile that has any, ascending."""
        levels: dict[Tile, list[int]] = {}
        for deck in self.decks:
            for tile in deck.tiles:
                levels.setdefault(tile, []).append(deck.level)
        return {tile: tuple(sorted(over)) for tile, over in sorted(levels.items())}

    @cached_property
    def edge_ends(self) -> dict[tuple[Tile, int, tuple[int, int]], tuple[Deck | Ladder, ...]]:
        """What ends on each edge of a surface, by tile, level and side: a deck, a ladder, or more.

        A deck has two ends; a ladder stands on one edge and hangs in another.
        """
        found: dict[tuple[Tile, int, tuple[int, int]], list[Deck | Ladder]] = {}
        for deck in self.decks:
            for end, near in zip((deck.a, deck.b), (deck.tiles[:1], deck.tiles[-1:]), strict=True):
                for tile in near:
                    side = (tile.row - end.row, tile.col - end.col)
                    found.setdefault((end, deck.level, side), []).append(deck)
        for ladder in self.ladders:
            row, col = ladder.top.row - ladder.foot.row, ladder.top.col - ladder.foot.col
            foot = (ladder.foot, ladder.foot_level, (row, col))
            for edge in (foot, (ladder.top, ladder.top_level, (-row, -col))):
                found.setdefault(edge, []).append(ladder)
        return {edge: tuple(things) for edge, things in found.items()}

    def fitted(self, kind: str) -> tuple[Fitting, ...]:
        """The fittings of a kind."""
        return tuple(fitting for fitting in self.fittings if fitting.kind == kind)

    @cached_property
    def pits(self) -> frozenset[tuple[Tile, int]]:
        """Surfaces that are no floor but a hole."""
        return frozenset((pit.tile, pit.level) for pit in self.fitted("pitfall"))

    @cached_property
    def obstructions_um(self) -> dict[Tile, int]:
        """How high the obstructions on the columns' tops are, by tile."""
        return {x.tile: x.length_um for x in self.fitted("obstruction")}

    @cached_property
    def rails(self) -> dict[tuple[Tile, int, tuple[int, int]], Fitting]:
        """The railing on each side of a surface, by tile, level and side; a battlement is one.

        One between two surfaces of one level is there from both.
        """
        crowns = (
            Fitting("railing", x.tile, self.column(x.tile).level, x.sides, "", MERLON_UM, x.source)
            for x in self.battlements
        )
        found: dict[tuple[Tile, int, tuple[int, int]], Fitting] = {}
        for rail in (*crowns, *self.fitted("railing")):
            for side in rail.sides:
                near, back = rail.tile.step(side), (-side[0], -side[1])
                found[rail.tile, rail.level, side] = rail
                if near in self and rail.level in self.tops(near):
                    found[near, rail.level, back] = rail
        return found

    def tops(self, tile: Tile) -> tuple[int, ...]:
        """Levels of the column's top and of the decks above it, ascending."""
        return (self.column(tile).level, *self.deck_levels.get(tile, ()))

    @property
    def highest(self) -> int:
        """The highest level of any column or deck."""
        return max(
            max((column.level for column in self.columns), default=0),
            max((deck.level for deck in self.decks), default=0),
        )


def make_board(
    rows: int,
    cols: int,
    columns: Iterable[Column],
    *,
    decks: Iterable[Deck] = (),
    ladders: Iterable[Ladder] = (),
    treasures: Iterable[Treasure] = (),
    starts: Iterable[StartZone] = (),
    battlements: Iterable[Battlement] = (),
    steps: Iterable[Step] = (),
    fittings: Iterable[Fitting] = (),
) -> Board:
    """A board with its lists in canonical order, so that equal tables compare equal."""
    return Board(
        rows,
        cols,
        tuple(columns),
        tuple(sorted(decks, key=lambda deck: (deck.a, deck.b, deck.level, deck.arch))),
        tuple(sorted(ladders, key=lambda x: (x.foot, x.foot_level, x.top, x.top_level))),
        tuple(sorted(treasures, key=lambda chest: (chest.tile, chest.level))),
        tuple(sorted(starts, key=lambda zone: zone.side)),
        tuple(sorted(battlements, key=lambda crown: (crown.tile, crown.sides))),
        tuple(sorted(steps, key=lambda step: step.tile)),
        tuple(sorted(fittings, key=lambda x: (x.kind, x.tile, x.level, x.sides, x.name))),
    )

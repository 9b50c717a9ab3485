"""Board model: frozen values in whole tiles and levels, free of source text and millimetres.

A `source` field holds the statement that made an element. It takes no part in comparison, so two
texts with the same meaning give equal boards. All other packages read boards through this module.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import field, replace
from enum import StrEnum
from functools import cached_property
from typing import Any

from falldamage_forge.board.coordinates import DIRECTIONS, Tile
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import SourceSpan

BOARD_STEP = 5
"""Tiles of a quadrant's edge; a board's rows and columns are multiples of it."""
MAX_BOARD = 50
MAX_LEVEL = 12
"""Highest level of a column, deck or ladder; 12 levels are 360 mm at the default print grid."""


MERLON_UM = 10_080
"""Height of a battlement in micrometres."""


Move = Callable[[Tile], Tile]
"""Function from a tile to its image."""


class Ground(StrEnum):
    """The material of a column's top."""

    GROUND = "ground"
    WATER = "water"
    LAVA = "lava"


class Feature(StrEnum):
    """An element that stands on a column's top and fills its tile."""

    TREE = "tree"
    SPIRE = "spire"


@dataclass(frozen=True, slots=True)
class Column:
    """A solid from the base up to `level`, with its ground and feature.

    Attributes:
        level: Level of the top, 0 to `MAX_LEVEL`; 0 is the bare base.
        ground: Material of the top.
        feature: Element on the top; None for a free top.
        source: Statement that made the column.
    """

    level: int = 0
    ground: Ground = Ground.GROUND
    feature: Feature | None = None
    source: SourceSpan | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Deck:
    """A bridge: a slab over the tiles strictly between two supports in one row or one column.

    Attributes:
        a: Northern or western support, whichever order the source has (see `between`).
        b: Southern or eastern support.
        level: Level of the slab's top.
        source: Statement that made the deck.
        arch: True if the deck has the side walls of an arch.
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
        """Return the deck between two supports given in either order.

        Args:
            a: One support.
            b: The other support.
            level: Level of the slab's top.
            source: Statement that made the deck.
            arch: True for side walls of an arch.
        """
        return cls(min(a, b), max(a, b), level, source, arch)

    @property
    def name(self) -> str:
        """The deck's name in messages."""
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
        """The unsupported length in tiles."""
        return len(self.tiles)

    @property
    def ends(self) -> tuple[Tile, ...]:
        """Its supports."""
        return self.a, self.b

    def moved(self, move: Move) -> Deck:
        """Return its image."""
        return Deck.between(move(self.a), move(self.b), self.level, self.source, arch=self.arch)


@dataclass(frozen=True, slots=True)
class Ladder:
    """A ladder from a foot to the edge of a higher neighbouring surface.

    Attributes:
        foot: Tile on which the ladder stands.
        foot_level: Level of the surface under the ladder.
        top: Neighbouring tile against which the ladder leans.
        top_level: Level of the surface to which the ladder leads.
        source: Statement that made the ladder.
    """

    foot: Tile
    foot_level: int
    top: Tile
    top_level: int
    source: SourceSpan | None = field(default=None, compare=False)

    @property
    def name(self) -> str:
        """The ladder's name in messages."""
        return f"the ladder {self.foot} -> {self.top}"

    @property
    def rise(self) -> int:
        """The number of levels climbed."""
        return self.top_level - self.foot_level

    @property
    def ends(self) -> tuple[Tile, ...]:
        """The tiles of its foot and its top."""
        return self.foot, self.top

    def moved(self, move: Move) -> Ladder:
        """Return its image."""
        return replace(self, foot=move(self.foot), top=move(self.top))


@dataclass(frozen=True, slots=True)
class Chest:
    """A treasure chest on the surface of `tile` at `level`."""

    tile: Tile
    level: int
    source: SourceSpan | None = field(default=None, compare=False)

    @property
    def ends(self) -> tuple[Tile, ...]:
        """Its tile."""
        return (self.tile,)

    def moved(self, move: Move) -> Chest:
        """Return its image."""
        return replace(self, tile=move(self.tile))


@dataclass(frozen=True, slots=True)
class Battlement:
    """Merlons on the rim of a column's top.

    Attributes:
        tile: Tile of the column.
        sides: (d_row, d_col) offsets of the crowned sides, in the order of `DIRECTIONS`.
        source: Statement that made the battlement.
    """

    tile: Tile
    sides: tuple[tuple[int, int], ...] = DIRECTIONS
    source: SourceSpan | None = field(default=None, compare=False)

    @property
    def ends(self) -> tuple[Tile, ...]:
        """Its tile."""
        return (self.tile,)

    def moved(self, move: Move) -> Battlement:
        """Return its image."""
        return replace(self, tile=move(self.tile), sides=turned_sides(self, move))


@dataclass(frozen=True, slots=True)
class HalfStep:
    """A block of half a level on a column's top; for the rules the tile keeps its whole level."""

    tile: Tile
    source: SourceSpan | None = field(default=None, compare=False)

    @property
    def ends(self) -> tuple[Tile, ...]:
        """Its tile."""
        return (self.tile,)

    def moved(self, move: Move) -> HalfStep:
        """Return its image."""
        return replace(self, tile=move(self.tile))


@dataclass(frozen=True, slots=True)
class Fitting:
    """An element without a list of its own; `elements.FITTINGS` has the kinds.

    Attributes:
        kind: Word of the element.
        tile: Tile of the fitting.
        level: Level of the surface under the fitting.
        sides: (d_row, d_col) offsets of an edged fitting; empty for other kinds.
        name: Side, field or cover that the fitting names; empty for other kinds.
        length_um: Height or radius in micrometres; 0 for kinds without one.
        source: Statement that made the fitting.
        to: Tile of the second end; None for kinds on one tile.
        to_level: Level of the surface under the second end.
    """

    kind: str
    tile: Tile
    level: int
    sides: tuple[tuple[int, int], ...] = ()
    name: str = ""
    length_um: int = 0
    source: SourceSpan | None = field(default=None, compare=False)
    to: Tile | None = None
    to_level: int = 0

    @property
    def ends(self) -> tuple[Tile, ...]:
        """Its tile, or the tiles of both ends."""
        return (self.tile,) if self.to is None else (self.tile, self.to)

    def moved(self, move: Move) -> Fitting:
        """Return its image."""
        return replace(
            self,
            tile=move(self.tile),
            sides=turned_sides(self, move),
            to=self.to and move(self.to),
        )


def turned_sides(x: Battlement | Fitting, move: Move) -> tuple[tuple[int, int], ...]:
    """Return the sides of an element's image, in the order of `DIRECTIONS`.

    Args:
        x: An element with sides.
        move: Maps a tile to its image.
    """
    tile, beyond = move(x.tile), {move(x.tile.step(side)) for side in x.sides}
    return tuple(side for side in DIRECTIONS if tile.step(side) in beyond)


@dataclass(frozen=True, slots=True)
class StartZone:
    """The surfaces on which a side deploys.

    Attributes:
        side: Name of the side.
        surfaces: (tile, level) pairs, sorted.
        source: Statement that made the zone.
    """

    side: str
    surfaces: tuple[tuple[Tile, int], ...]
    source: SourceSpan | None = field(default=None, compare=False)

    def moved(self, move: Move) -> StartZone:
        """Return its image."""
        image = sorted((move(tile), level) for tile, level in self.surfaces)
        return replace(self, surfaces=tuple(image))


@dataclass(frozen=True, slots=True)
class StandingModel:
    """A model of others on the columns below its tiles.

    A tile without a top has a spire's column, which stops units and lines of sight and is `fixed`.

    Attributes:
        name: Name of its block.
        tiles: Its tiles, in the order of the block's levels.
        tops: Of each tile, the level of its top above `level`, or -1 where no unit stands, and True
            if the top is a stud.
        level: Level of the columns below it.
        facing: (d_row, d_col) offset of the side that is north in the block.
        mirrored: True if it is the mirror image of the file.
        source: Statement that made it.
    """

    name: str
    tiles: tuple[Tile, ...]
    tops: tuple[tuple[int, bool], ...]
    level: int = 0
    facing: tuple[int, int] = DIRECTIONS[0]
    mirrored: bool = False
    source: SourceSpan | None = field(default=None, compare=False)

    @property
    def ends(self) -> tuple[Tile, ...]:
        """Its tiles."""
        return self.tiles

    @property
    def aims(self) -> tuple[Tile, Tile]:
        """The tiles north and east of its first tile, as the block has them."""
        row, col = self.facing
        east = (-col, row) if self.mirrored else (col, -row)
        return self.tiles[0].step(self.facing), self.tiles[0].step(east)

    def moved(self, move: Move) -> StandingModel:
        """Return its image."""
        facing, mirrored = facing_of(move(self.tiles[0]), *map(move, self.aims))
        tiles = tuple(map(move, self.tiles))
        return replace(self, tiles=tiles, facing=facing, mirrored=mirrored)


def facing_of(tile: Tile, north: Tile, east: Tile) -> tuple[tuple[int, int], bool]:
    """Return the offset of a side that was north, and True if east is on its other side.

    Args:
        tile: A tile.
        north: The tile beyond its side that was north.
        east: The tile beyond its side that was east.
    """
    row, col = north.row - tile.row, north.col - tile.col
    return (row, col), (east.row - tile.row, east.col - tile.col) != (col, -row)


Item = Deck | Ladder | Chest | Battlement | HalfStep | Fitting | StandingModel
LISTS = ("decks", "ladders", "treasures", "battlements", "steps", "fittings", "models")
"""Lists of a board with an item for each element."""


@dataclass(frozen=True)
class Board:
    """A map's terrain; `make_board` builds one in canonical order.

    Attributes:
        rows: Number of rows, north to south.
        cols: Number of columns, west to east.
        columns: Columns in row-major order, `rows * cols` of them.

    Raises:
        ValueError: If `columns` has another length.
    """

    rows: int
    cols: int
    columns: tuple[Column, ...]
    decks: tuple[Deck, ...] = ()
    ladders: tuple[Ladder, ...] = ()
    treasures: tuple[Chest, ...] = ()
    starts: tuple[StartZone, ...] = ()
    battlements: tuple[Battlement, ...] = ()
    steps: tuple[HalfStep, ...] = ()
    fittings: tuple[Fitting, ...] = ()
    models: tuple[StandingModel, ...] = ()

    def __post_init__(self) -> None:
        if len(self.columns) != self.rows * self.cols:
            raise ValueError(
                f"{len(self.columns)} columns given for a {self.rows}x{self.cols} board"
            )

    @cached_property
    def _hash(self) -> int:
        parts = self.decks, self.ladders, self.treasures, self.starts, self.fittings, self.models
        return hash((self.rows, self.cols, self.columns, self.battlements, self.steps, *parts))

    def __hash__(self) -> int:
        """Return the hash, which is computed once: caches ask a large board for it thousandfold."""
        return self._hash

    def __getstate__(self) -> dict[str, object]:
        """Return what is copied and pickled: hashes differ between processes."""
        return {name: value for name, value in self.__dict__.items() if name != "_hash"}

    def __contains__(self, tile: object) -> bool:
        """True if a (row, col) pair lies on the board."""
        return (
            isinstance(tile, tuple)
            and len(tile) == 2
            and 0 <= tile[0] < self.rows
            and 0 <= tile[1] < self.cols
        )

    def column(self, tile: tuple[int, int]) -> Column:
        """Return the column over a tile.

        Args:
            tile: (row, col) on the board; other values give a wrong column or an IndexError.
        """
        return self.columns[tile[0] * self.cols + tile[1]]

    def tiles(self) -> Iterator[Tile]:
        """Return all tiles, row by row."""
        return (Tile(row, col) for row in range(self.rows) for col in range(self.cols))

    def neighbours(self, tile: Tile) -> Iterator[Tile]:
        """Return the orthogonal neighbours on the board, north first, clockwise."""
        return (near for near in map(tile.step, DIRECTIONS) if near in self)

    @cached_property
    def deck_levels(self) -> dict[Tile, tuple[int, ...]]:
        """Ascending levels of the decks over each tile; tiles without a deck are left out."""
        levels: dict[Tile, set[int]] = {}
        for deck in self.decks:
            for tile in deck.tiles:
                levels.setdefault(tile, set()).add(deck.level)
        return {tile: tuple(sorted(over)) for tile, over in sorted(levels.items())}

    @cached_property
    def edge_ends(self) -> dict[tuple[Tile, int, tuple[int, int]], tuple[Deck | Ladder, ...]]:
        """Decks and ladders that end on each edge of a surface, by (tile, level, side).

        A deck has two ends. A ladder stands on one edge and hooks into another.
        """
        ends_by_edge: dict[tuple[Tile, int, tuple[int, int]], list[Deck | Ladder]] = {}
        for deck in self.decks:
            for end, near in zip((deck.a, deck.b), (deck.tiles[:1], deck.tiles[-1:]), strict=True):
                for tile in near:
                    side = (tile.row - end.row, tile.col - end.col)
                    ends_by_edge.setdefault((end, deck.level, side), []).append(deck)
        for ladder in self.ladders:
            row, col = ladder.top.row - ladder.foot.row, ladder.top.col - ladder.foot.col
            foot = (ladder.foot, ladder.foot_level, (row, col))
            for edge in (foot, (ladder.top, ladder.top_level, (-row, -col))):
                ends_by_edge.setdefault(edge, []).append(ladder)
        return {edge: tuple(things) for edge, things in ends_by_edge.items()}

    def items(self, name: str) -> tuple[Item, ...]:
        """Return one of the `LISTS`."""
        found: tuple[Item, ...] = getattr(self, name)
        return found

    def moved(self, move: Move, within: Container[Tile] | None = None) -> dict[str, list[Any]]:
        """Return the images of the items of all `LISTS`, by list.

        Args:
            move: Function from a tile to its image.
            within: Leaves out items with an end elsewhere; None for none.
        """
        return {
            name: [
                x.moved(move)
                for x in self.items(name)
                if within is None or all(end in within for end in x.ends)
            ]
            for name in LISTS
        }

    def fitted(self, kind: str) -> tuple[Fitting, ...]:
        """Return the fittings of one kind."""
        return tuple(fitting for fitting in self.fittings if fitting.kind == kind)

    @cached_property
    def pits(self) -> frozenset[tuple[Tile, int]]:
        """(tile, level) pairs of the surfaces that are pits."""
        return frozenset((pit.tile, pit.level) for pit in self.fitted("pitfall"))

    @cached_property
    def obstructions_um(self) -> dict[Tile, int]:
        """Heights of the obstructions on column tops in micrometres, by tile."""
        return {x.tile: x.length_um for x in self.fitted("obstruction")}

    @cached_property
    def rails(self) -> dict[tuple[Tile, int, tuple[int, int]], Fitting]:
        """The railing on each side of a surface, by (tile, level, side), battlements included.

        A railing between two surfaces of one level is listed from both tiles.
        """
        battlement_rails = (
            Fitting("railing", x.tile, self.column(x.tile).level, x.sides, "", MERLON_UM, x.source)
            for x in self.battlements
        )
        rails: dict[tuple[Tile, int, tuple[int, int]], Fitting] = {}
        for rail in (*battlement_rails, *self.fitted("railing")):
            for side in rail.sides:
                near, back = rail.tile.step(side), (-side[0], -side[1])
                rails[rail.tile, rail.level, side] = rail
                if near in self and rail.level in self.tops(near):
                    rails[near, rail.level, back] = rail
        return rails

    @cached_property
    def model_tops(self) -> dict[Tile, tuple[int, bool]]:
        """Of each tile of a model, its `StandingModel.tops`."""
        return {tile: top for x in self.models for tile, top in zip(x.tiles, x.tops, strict=True)}

    @cached_property
    def fixed(self) -> frozenset[Tile]:
        """Tiles of models where no unit stands: nothing topples, pushes or destroys them."""
        return frozenset(tile for tile, (top, _) in self.model_tops.items() if top < 0)

    @cached_property
    def grounds(self) -> dict[Tile, int]:
        """The level of the columns below each tile of a model."""
        return {tile: x.level for x in self.models for tile in x.tiles}

    def built_level(self, tile: Tile) -> int:
        """Return the level up to which blocks fill a tile: a model stands on them."""
        return self.grounds.get(tile, self.column(tile).level)

    def tops(self, tile: Tile) -> tuple[int, ...]:
        """Return the levels of the column's top and of the decks above it, ascending."""
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
    treasures: Iterable[Chest] = (),
    starts: Iterable[StartZone] = (),
    battlements: Iterable[Battlement] = (),
    steps: Iterable[HalfStep] = (),
    fittings: Iterable[Fitting] = (),
    models: Iterable[StandingModel] = (),
) -> Board:
    """Return a board with its lists in canonical order, so that equal maps compare equal.

    Args:
        rows: Number of rows.
        cols: Number of columns.
        columns: Columns in row-major order.
        decks: Bridges, in any order; the same holds for all further lists.
        ladders: Ladders.
        treasures: Chests.
        starts: Start zones, one a side.
        battlements: Battlements.
        steps: Half steps.
        fittings: Fittings.
        models: Models of others.

    Raises:
        ValueError: If `columns` has not `rows * cols` items.
    """
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
        tuple(
            sorted(
                fittings,
                key=lambda x: (x.kind, x.tile, x.level, x.sides, x.name, x.ends, x.to_level),
            )
        ),
        tuple(sorted(models, key=lambda x: (x.tiles, x.name, x.facing, x.mirrored))),
    )

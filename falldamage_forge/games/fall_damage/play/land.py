"""The land: what terrain is like at a moment of a game, and how events change it.

A Land is geometry alone: equal lands play alike. Damage that trees, bridges and ladders have taken
is the state's affair, and so is who stands where.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import TypeVar

from falldamage_forge.board import Board, Column, Deck, Feature, Ground, Ladder, Tile, make_board
from falldamage_forge.games.fall_damage.play.spots import tile_number

T = TypeVar("T")
Brick = tuple[int, int, tuple[int, ...], int]
"""The unit that laid it, levels, tiles, round starts left."""


@dataclass(frozen=True)
class Land:
    """Columns by tile number, decks and ladders by their number on the map (None: destroyed)."""

    rows: int
    cols: int
    columns: tuple[Column, ...]
    decks: tuple[Deck | None, ...]
    ladders: tuple[Ladder | None, ...]
    bricks: tuple[Brick, ...] = ()

    def place(self, tile: int) -> int:
        """Where a tile's column stands in `columns`."""
        return (tile >> 6) * self.cols + (tile & 63)

    def column(self, tile: int) -> Column:
        """A tile's column without bricks."""
        return self.columns[self.place(tile)]

    def bricks_on(self, tile: int) -> int:
        """Levels of bricks on a tile."""
        return sum(levels for _, levels, tiles, _ in self.bricks if tile in tiles)

    def with_column(self, tile: int, column: Column) -> Land:
        """Another column on one tile."""
        at = self.place(tile)
        return replace(self, columns=(*self.columns[:at], column, *self.columns[at + 1 :]))

    def without_deck(self, number: int) -> Land:
        """A bridge is gone."""
        return replace(self, decks=_without(self.decks, number))

    def without_ladder(self, number: int) -> Land:
        """A ladder is gone."""
        return replace(self, ladders=_without(self.ladders, number))

    def board(self) -> Board:
        """The land as a board, bricks as solid columns."""
        columns = list(self.columns)
        for _, levels, tiles, _ in self.bricks:
            for tile in tiles:
                at = self.place(tile)
                old = columns[at]
                columns[at] = replace(old, level=old.level + levels, ground=Ground.GROUND)
        return make_board(
            self.rows,
            self.cols,
            columns,
            decks=[deck for deck in self.decks if deck],
            ladders=[ladder for ladder in self.ladders if ladder],
        )

    def tiles(self) -> tuple[int, ...]:
        """Every tile's number, row by row."""
        return _tiles(self.rows, self.cols)

    # -- what may be done to a tile -----------------------------------------------------------

    def plain(self, tile: int) -> bool:
        """Neither feature, lava nor bricks."""
        column = self.column(tile)
        return (
            column.feature is None and column.ground is not Ground.LAVA and not self.bricks_on(tile)
        )

    def under_deck(self, tile: int) -> bool:
        """Whether a bridge passes over a tile."""
        where = Tile(tile >> 6, tile & 63)
        return any(deck and where in deck.tiles for deck in self.decks)

    def deck_end(self, tile: int) -> bool:
        """Whether a bridge rests on a tile."""
        where = Tile(tile >> 6, tile & 63)
        return any(deck and where in (deck.a, deck.b) for deck in self.decks)

    def ladder_foot(self, tile: int) -> bool:
        """Whether a ladder stands on a tile."""
        return any(ladder and tile_number(ladder.foot) == tile for ladder in self.ladders)

    def ladder_top(self, tile: int) -> bool:
        """Whether a ladder leans on a tile."""
        return any(ladder and tile_number(ladder.top) == tile for ladder in self.ladders)

    @cached_property
    def brickable(self) -> frozenset[int]:
        """Where bricks may be laid: plain tiles, no ladder's foot, no bridge on or over it."""
        built = {tile for _, _, tiles, _ in self.bricks for tile in tiles}
        built |= {tile_number(ladder.foot) for ladder in self.ladders if ladder}
        for deck in self.decks:
            over = (deck.a, deck.b, *deck.tiles) if deck else ()
            built.update(map(tile_number, over))
        return frozenset(
            tile
            for tile, column in zip(self.tiles(), self.columns, strict=True)
            if column.feature is None and column.ground is not Ground.LAVA and tile not in built
        )

    def takes_bricks(self, tile: int) -> bool:
        """Whether bricks may be laid on a tile."""
        return tile in self.brickable

    def shifts(self, tile: int) -> bool:
        """Whether Tectonic Shift may move a tile."""
        return (
            self.takes_bricks(tile)
            and not self.ladder_top(tile)
            and self.column(tile).ground is Ground.GROUND
        )


@lru_cache(maxsize=64)
def _tiles(rows: int, cols: int) -> tuple[int, ...]:
    return tuple(row << 6 | col for row in range(rows) for col in range(cols))


def _without(things: tuple[T | None, ...], number: int) -> tuple[T | None, ...]:
    return tuple(None if n == number else thing for n, thing in enumerate(things))


def land_of(board: Board) -> Land:
    """The land a map begins with. Source positions are left out: they are no part of the game."""
    columns = tuple(Column(c.level, Ground(c.ground), _feature(c.feature)) for c in board.columns)
    decks = tuple(Deck(d.a, d.b, d.level) for d in board.decks)
    ladders = tuple(Ladder(x.foot, x.foot_level, x.top, x.top_level) for x in board.ladders)
    return Land(board.rows, board.cols, columns, decks, ladders)


def _feature(feature: Feature | None) -> Feature | None:
    return Feature(feature) if feature else None

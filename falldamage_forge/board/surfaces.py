"""Surfaces of a board: (tile, level) pairs on which a unit can stand, and steps between them.

Pure geometry: Move, Jump and units belong to the rulesets. A unit on a surface at level z fills
its tile from z to z + 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from functools import cached_property
from typing import Any, NamedTuple

from falldamage_forge.board.board_model import Board, Feature, Ground, Ladder
from falldamage_forge.board.coordinates import Tile, parse_place
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import ForgeError, Issue


class Surface(NamedTuple):
    """A place to stand: a tile and a level."""

    tile: Tile
    level: int

    def __str__(self) -> str:
        return f"{self.tile}@{self.level}"


@dataclass(frozen=True, slots=True)
class TerrainOptions:
    """Options that decide what is solid and where a unit can stand.

    Attributes:
        headroom: Free levels that a unit needs under a deck. With 1 a deck is thin; with more it
            fills the level below it.
        tree_height: Levels that a tree fills.
        spire_height: Levels that a spire fills.
        rise_um: Height of a level in micrometres.
        step_um: Highest obstruction in micrometres that a unit steps on to; a higher one fills
            every level that it reaches into.
    """

    headroom: int = 2
    tree_height: int = 2
    spire_height: int = 2
    rise_um: int = 30_000
    step_um: int = 12_700


@dataclass(frozen=True)
class Terrain:
    """Solids of a board as whole levels, per tile."""

    board: Board
    options: TerrainOptions

    def top(self, tile: Tile) -> int:
        """Return the level up to which a tile is solid: its column with what stands on it."""
        return self._tops[tile[0] * self.board.cols + tile[1]]

    @cached_property
    def _tops(self) -> tuple[int, ...]:
        high: dict[Feature | None, int] = {
            Feature.TREE: self.options.tree_height,
            Feature.SPIRE: self.options.spire_height,
        }
        tops = [column.level + high.get(column.feature, 0) for column in self.board.columns]
        for tile in self.board.obstructions_um:
            tops[tile[0] * self.board.cols + tile[1]] += self._obstructed(tile)
        return tuple(tops)

    def _obstructed(self, tile: Tile) -> int:
        """Return the number of levels that an obstruction fills."""
        high_um = self.board.obstructions_um[tile]
        return 0 if high_um <= self.options.step_um else -(-high_um // self.options.rise_um)

    def decks(self, tile: Tile) -> tuple[int, ...]:
        """Return the levels of the decks over a tile, ascending."""
        return self.board.deck_levels.get(tile, ())

    def free(self, tile: Tile, low: int, high: int) -> bool:
        """True if nothing solid lies between levels `low` and `high` over a tile.

        Args:
            tile: The tile.
            low: Lower level, above which nothing may be.
            high: Upper level; a deck on it is not in the way.
        """
        if self.top(tile) > low:
            return False
        slab = 1 if self.options.headroom > 1 else 0
        return not any(deck > low and deck - slab < high for deck in self.decks(tile))

    def highest_below(self, tile: Tile, level: int) -> int | None:
        """Return the level on which a falling unit lands.

        Args:
            tile: Tile of the fall.
            level: Level at which the fall starts.

        Returns:
            The highest top at or below `level`; None if `level` is inside solid terrain.
        """
        tops = [deck for deck in self.decks(tile) if deck <= level]
        if self.top(tile) <= level:
            tops.append(self.top(tile))
        return max(tops, default=None)

    def standable(self, tile: Tile) -> tuple[int, ...]:
        """Return the levels at which a unit can stand on a tile, ascending."""
        column = self.board.column(tile)
        decks = self.decks(tile)
        levels = set(decks)
        if column.ground is not Ground.LAVA and (tile, column.level) not in self.board.pits:
            levels.add(column.level)
        headroom = self.options.headroom
        return tuple(
            level
            for level in sorted(levels)
            if self.free(tile, level, level + 1)
            and not any(level < deck < level + headroom for deck in decks)
        )


@dataclass(frozen=True)
class SurfaceGraph:
    """All surfaces of a board and the steps between them.

    Attributes:
        terrain: Solids of the board.
        surfaces: Surfaces, sorted by tile and level; the position is the surface index.
        index: Surface index by surface.
        memo: Results that a ruleset computes once per graph, by name.
    """

    terrain: Terrain
    surfaces: tuple[Surface, ...]
    index: dict[Surface, int] = field(repr=False, compare=False)
    memo: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @property
    def board(self) -> Board:
        """The board of the surfaces."""
        return self.terrain.board

    def steps(self, number: int) -> Iterator[int]:
        """Yield the surface indices on neighbouring tiles to which the way is free, at any height.

        The unit's body is swept at the higher of the two levels; a solid in its path prevents the
        step.

        Args:
            number: Surface index from which the step starts.
        """
        free = self.terrain.free
        tile, level = self.surfaces[number]
        for near in self.board.neighbours(tile):
            for target in self.terrain.standable(near):
                high = max(level, target) + 1
                if free(tile, level, high) and free(near, target, high):
                    yield self.index[Surface(near, target)]

    def water(self, number: int) -> bool:
        """True if a surface is the top of a water column; a deck above water is not."""
        tile, level = self.surfaces[number]
        column = self.board.column(tile)
        return column.ground is Ground.WATER and column.level == level

    def find(self, text: str) -> Surface:
        """Return the surface that a text names; every command reads surfaces with this function.

        Args:
            text: `E5@2`, or `E5` for its column's top, else the lowest surface of the tile.

        Raises:
            ForgeError: FDF340 if the text names no surface; the hint lists the surfaces of the
                tile.
        """
        try:
            tile, level = parse_place(text)
        except ValueError as error:
            raise _nowhere(str(error)) from None
        if tile not in self.board:
            size = f"the board is {self.board.cols}x{self.board.rows}"
            raise _nowhere(f"{tile} is not on the board", size)
        levels = self.terrain.standable(tile)
        if level is None and levels:
            top = self.board.column(tile).level
            level = top if top in levels else levels[0]
        if level is None or level not in levels:
            known = ", ".join(f"{tile}@{known}" for known in levels)
            hint = f"surfaces there: {known}" if known else "no unit can stand on that tile"
            raise _nowhere(f"there is no surface {text}", hint)
        return Surface(tile, level)


def _nowhere(message: str, hint: str | None = None) -> ForgeError:
    return ForgeError([Issue("FDF340", "error", message, hint=hint)])


def surface_graph(board: Board, options: TerrainOptions = TerrainOptions()) -> SurfaceGraph:
    """Return the surfaces of a board.

    Args:
        board: The board.
        options: Heights and headroom (default: those of Fall Damage).
    """
    terrain = Terrain(board, options)
    surfaces = tuple(
        Surface(tile, level) for tile in board.tiles() for level in terrain.standable(tile)
    )
    return SurfaceGraph(terrain, surfaces, {at: number for number, at in enumerate(surfaces)})


def ladder_clear(terrain: Terrain, ladder: Ladder) -> bool:
    """True if nothing solid is in the way of a unit that climbs a ladder and stands on its top.

    Args:
        terrain: Terrain of the board.
        ladder: The ladder.
    """
    low, high = ladder.foot_level, ladder.top_level
    return terrain.free(ladder.foot, low, max(low, high) + 1)

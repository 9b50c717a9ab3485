"""Where a unit can stand and which moves the terrain leaves open: Board to SurfaceGraph.

Pure geometry: no Move, no Jump, no units. A ruleset later decides which links a unit may take and
what they cost. A unit on a surface at level z fills the tile from z to z + 1.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from falldamage_forge.board import DIRECTIONS, Board, Feature, Ground, Tile

LinkKind = Literal["step", "leap", "ladder"]


class Surface(NamedTuple):
    """A place to stand: a tile and a level."""

    tile: Tile
    level: int

    def __str__(self) -> str:
        return f"{self.tile}@{self.level}"


@dataclass(frozen=True, slots=True)
class Link:
    """One move the terrain allows, by surface numbers.

    `rise` is the change of level. A leap crosses `over`; `flush` says that the tile crossed has a
    top at take-off level, so that it is a gap only for rulesets that let one leap clear ground.
    """

    a: int
    b: int
    kind: LinkKind
    rise: int
    over: Tile | None = None
    flush: bool = False


@dataclass(frozen=True, slots=True)
class TerrainOptions:
    """The options that change what is solid and what can be stood on, in levels."""

    headroom: int = 2
    tree_height: int = 2
    spire_height: int = 2


@dataclass(frozen=True)
class Terrain:
    """Solids of a board as whole levels, per tile.

    `ground` is the column's top, `top` that of the column with its feature; `decks` are slab tops,
    each filling the level below it.
    """

    board: Board
    options: TerrainOptions

    def top(self, tile: Tile) -> int:
        """Top of the column with the tree or spire on it: solid below."""
        column = self.board.column(tile)
        if column.feature is Feature.TREE:
            return column.level + self.options.tree_height
        if column.feature is Feature.SPIRE:
            return column.level + self.options.spire_height
        return column.level

    def decks(self, tile: Tile) -> tuple[int, ...]:
        """Levels of the slabs over a tile, ascending."""
        return self.board.deck_levels.get(tile, ())

    def free(self, tile: Tile, low: int, high: int) -> bool:
        """Whether nothing solid lies between levels `low` and `high` over a tile."""
        if self.top(tile) > low:
            return False
        return not any(deck > low and deck - 1 < high for deck in self.decks(tile))

    def highest_below(self, tile: Tile, level: int) -> int | None:
        """The highest top at or below a level: what one would land on; None inside solid ground."""
        tops = [deck for deck in self.decks(tile) if deck <= level]
        if self.top(tile) <= level:
            tops.append(self.top(tile))
        return max(tops, default=None)

    def standable(self, tile: Tile) -> tuple[int, ...]:
        """Levels at which a unit can stand on a tile, ascending."""
        column = self.board.column(tile)
        decks = self.decks(tile)
        levels = set(decks)
        if column.ground is not Ground.LAVA:
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
    """All surfaces, sorted, and the links between them. `links[i]` leave surface number i."""

    terrain: Terrain
    surfaces: tuple[Surface, ...]
    links: tuple[tuple[Link, ...], ...]
    index: dict[Surface, int] = field(repr=False)

    @property
    def board(self) -> Board:
        """The board the surfaces belong to."""
        return self.terrain.board

    def water(self, number: int) -> bool:
        """Whether a surface is the top of a water column (a deck above water is not)."""
        tile, level = self.surfaces[number]
        column = self.board.column(tile)
        return column.ground is Ground.WATER and column.level == level

    def at(self, tile: Tile, level: int | None = None) -> int | None:
        """Number of a tile's surface at a level; without one, of the highest."""
        levels = self.terrain.standable(tile) if tile in self.board else ()
        if level is None:
            level = max(levels, default=None)
        return self.index.get(Surface(tile, level)) if level is not None else None


def surface_graph(board: Board, options: TerrainOptions = TerrainOptions()) -> SurfaceGraph:
    """The surfaces of a board and every step, leap and ladder between them."""
    terrain = Terrain(board, options)
    levels = {tile: terrain.standable(tile) for tile in board.tiles()}
    surfaces = tuple(Surface(tile, level) for tile in levels for level in levels[tile])
    index = {surface: number for number, surface in enumerate(surfaces)}
    links: list[list[Link]] = [[] for _ in surfaces]
    for number, surface in enumerate(surfaces):
        links[number] += _steps_and_leaps(terrain, levels, index, number, surface)
    for ladder in board.ladders:
        foot = index.get(Surface(ladder.foot, ladder.foot_level))
        top = index.get(Surface(ladder.top, ladder.top_level))
        if foot is not None and top is not None:
            low, high = ladder.foot_level, ladder.top_level
            if terrain.free(ladder.foot, low, max(low, high) + 1):
                links[foot].append(Link(foot, top, "ladder", high - low))
                links[top].append(Link(top, foot, "ladder", low - high))
    return SurfaceGraph(terrain, surfaces, tuple(map(tuple, links)), index)


def _steps_and_leaps(
    terrain: Terrain,
    levels: dict[Tile, tuple[int, ...]],
    index: dict[Surface, int],
    number: int,
    surface: Surface,
) -> list[Link]:
    """Links out of one surface. The body is swept at the higher of the two levels throughout."""
    tile, level = surface
    found = []
    for offset in DIRECTIONS:
        near, far = tile.step(offset), tile.step(offset, 2)
        for target in levels.get(near, ()):
            high = max(level, target) + 1
            if terrain.free(tile, level, high) and terrain.free(near, target, high):
                goal = index[Surface(near, target)]
                found.append(Link(number, goal, "step", target - level))
        if far not in levels:
            continue
        below = terrain.highest_below(near, level)
        if below is None:
            continue
        for target in levels[far]:
            high = max(level, target) + 1
            if (
                terrain.free(near, level, high)
                and terrain.free(tile, level, high)
                and terrain.free(far, target, high)
            ):
                goal = index[Surface(far, target)]
                flush = below == level
                found.append(Link(number, goal, "leap", target - level, near, flush))
    return found

"""Where a unit can stand and which moves the terrain leaves open: Board to SurfaceGraph.

Pure geometry: no Move, no Jump, no units. A ruleset later decides which links a unit may take and
what they cost. A unit on a surface at level z fills the tile from z to z + 1.
"""

from __future__ import annotations

from dataclasses import field
from functools import cached_property
from typing import Any, Literal, NamedTuple

from falldamage_forge.board.grid import DIRECTIONS, Tile, parse_place
from falldamage_forge.board.model import Board, Feature, Ground, Ladder
from falldamage_forge.issues import ForgeError, Issue
from falldamage_forge.values import dataclass

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
    """The options that change what is solid and what can be stood on, in levels.

    A level is `rise_um` high; an obstruction up to `step_um` is stepped on to, and a higher one
    fills every level that it reaches into. With a `headroom` of 1 a unit fits under a slab one
    level above it: slabs are thin then, and fill the level below them otherwise.
    """

    headroom: int = 2
    tree_height: int = 2
    spire_height: int = 2
    rise_um: int = 30_000
    step_um: int = 12_700


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
        """Levels that an obstruction fills."""
        high_um = self.board.obstructions_um[tile]
        return 0 if high_um <= self.options.step_um else -(-high_um // self.options.rise_um)

    def decks(self, tile: Tile) -> tuple[int, ...]:
        """Levels of the slabs over a tile, ascending."""
        return self.board.deck_levels.get(tile, ())

    def free(self, tile: Tile, low: int, high: int) -> bool:
        """Whether nothing solid lies between levels `low` and `high` over a tile."""
        if self.top(tile) > low:
            return False
        slab = 1 if self.options.headroom > 1 else 0
        return not any(deck > low and deck - slab < high for deck in self.decks(tile))

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
    """All surfaces, sorted by tile and level, and the links between them, made when asked for."""

    terrain: Terrain
    surfaces: tuple[Surface, ...]
    index: dict[Surface, int] = field(repr=False, compare=False)
    memo: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)
    """What games work out once per graph, by name of what it is."""

    @property
    def board(self) -> Board:
        """The board the surfaces belong to."""
        return self.terrain.board

    @classmethod
    def linked(
        cls,
        terrain: Terrain,
        surfaces: tuple[Surface, ...],
        index: dict[Surface, int],
        links: tuple[tuple[Link, ...], ...],
    ) -> SurfaceGraph:
        """Surfaces with links of one's own in place of the terrain's."""
        made = cls(terrain, surfaces, index)
        made.__dict__["links"] = links
        return made

    @cached_property
    def links(self) -> tuple[tuple[Link, ...], ...]:
        """Every step, leap and ladder; `links[i]` leave surface number i."""
        return _links(self.terrain, self.surfaces, self.index)

    def water(self, number: int) -> bool:
        """Whether a surface is the top of a water column (a deck above water is not)."""
        tile, level = self.surfaces[number]
        column = self.board.column(tile)
        return column.ground is Ground.WATER and column.level == level

    def find(self, text: str) -> Surface:
        """The surface of `E5` (its column's top, else the lowest above) or `E5@2`.

        The one reading of a place for every command; ForgeError (FDF340) says what there is.
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
            hint = f"surfaces there: {known}" if known else "nobody can stand on that tile"
            raise _nowhere(f"there is no surface {text}", hint)
        return Surface(tile, level)


def _nowhere(message: str, hint: str | None = None) -> ForgeError:
    return ForgeError([Issue("FDF340", "error", message, hint=hint)])


def surface_graph(board: Board, options: TerrainOptions = TerrainOptions()) -> SurfaceGraph:
    """The surfaces of a board."""
    terrain = Terrain(board, options)
    surfaces = tuple(
        Surface(tile, level) for tile in board.tiles() for level in terrain.standable(tile)
    )
    return SurfaceGraph(terrain, surfaces, {at: number for number, at in enumerate(surfaces)})


def _links(
    terrain: Terrain, surfaces: tuple[Surface, ...], index: dict[Surface, int]
) -> tuple[tuple[Link, ...], ...]:
    levels: dict[Tile, list[int]] = {}
    for tile, level in surfaces:
        levels.setdefault(tile, []).append(level)
    links = [
        _steps_and_leaps(terrain, levels, index, number, surface)
        for number, surface in enumerate(surfaces)
    ]
    for ladder in terrain.board.ladders:
        foot = index.get(Surface(ladder.foot, ladder.foot_level))
        top = index.get(Surface(ladder.top, ladder.top_level))
        if foot is not None and top is not None and ladder_clear(terrain, ladder):
            rise = ladder.rise
            links[foot].append(Link(foot, top, "ladder", rise))
            links[top].append(Link(top, foot, "ladder", -rise))
    return tuple(map(tuple, links))


def ladder_clear(terrain: Terrain, ladder: Ladder) -> bool:
    """Whether nothing is in the way of who climbs a ladder, up to standing on its top."""
    low, high = ladder.foot_level, ladder.top_level
    return terrain.free(ladder.foot, low, max(low, high) + 1)


def _steps_and_leaps(
    terrain: Terrain,
    levels: dict[Tile, list[int]],
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

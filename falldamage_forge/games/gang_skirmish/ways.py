"""The graph of a fighter's ways while it is made: places by surface and spot, edges by place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from falldamage_forge.board import DIRECTION_NAMES, Tile
from falldamage_forge.board.surfaces import Surface, Terrain
from falldamage_forge.games.gang_skirmish import falling, formulas, guards
from falldamage_forge.games.gang_skirmish.options import Fighter, Options
from falldamage_forge.games.ruler import Corridor, Field
from falldamage_forge.games.spots import MIDDLE, Shift, Spots, leg_between, spot_text
from falldamage_forge.rules.game import Occupants
from falldamage_forge.rules.model import Edge, End, Place

Offset = tuple[int, int]
PINNED = "pinned"
"""The spot of one who lies on a surface."""
NEVER, SURE = Fraction(0), Fraction(1)


@dataclass
class Ways:
    """The graph while it is made: places by surface and spot, edges by place."""

    terrain: Terrain
    fighter: Fighter
    options: Options
    others: Occupants
    places: list[Place] = field(default_factory=list)
    index: dict[tuple[Surface, str], int] = field(default_factory=dict)
    edges: list[list[Edge]] = field(default_factory=list)
    desperate: list[tuple[int, Edge]] = field(default_factory=list)
    spots: dict[int, Spots] = field(default_factory=dict)
    standing: dict[tuple[Tile, int], tuple[int, ...]] = field(default_factory=dict)
    fields: dict[int, Field] = field(default_factory=dict)

    @property
    def half_um(self) -> int:
        """Half the base."""
        return self.fighter.base_um // 2

    @property
    def tile_um(self) -> int:
        """How wide a tile is."""
        return self.options.tile_um

    @property
    def lip_um(self) -> int:
        """From the middle of a tile until the base touches the tile's edge."""
        return formulas.edge_distance_um(self.fighter.base_um, 0, self.tile_um)

    @cached_property
    def taken(self) -> frozenset[Surface]:
        """Surfaces of those through whom nobody walks."""
        friends = self.others.friends if self.options.through == "nobody" else frozenset()
        return self.others.enemies | friends

    def add(self, surface: Surface, spot: str = "", shift: Shift = MIDDLE) -> int:
        """The number of a place, new or known."""
        key = (surface, spot or spot_text(shift))
        if key not in self.index:
            self.index[key] = len(self.places)
            self.places.append(Place(surface, (surface,), key[1], shift))
            self.edges.append([])
        return self.index[key]

    def on(self, tile: Tile, level: int) -> tuple[int, ...]:
        """The places on which a fighter stands on a surface; none where it has no room."""
        return self.standing.get((tile, level), ())

    def landings(self, surface: Surface, offset: Offset) -> Iterator[int]:
        """Where one lands on a surface that is entered along an offset: just behind its lip."""
        standing = self.on(*surface)
        if self.lip_um == 0:
            yield from standing
            return
        spot = f"{DIRECTION_NAMES[(-offset[0], -offset[1])]} lip"
        known = (surface, spot) in self.index
        number = self.add(surface, spot)
        if not known:
            self.edges[number] += (Edge(to, "walk", self.lip_um) for to in standing)
        yield number

    def fail(self, number: int, edge: Edge) -> None:
        """A check that nobody passes: one jumps all the same, for where failing ends.

        Only a sure end is a place one gets to; others are a gamble.
        """
        end = edge.ends[0]
        if len(edge.ends) == 1 and end.place is not None:
            self.edges[number].append(
                edge._replace(to=end.place, harm=end.hits, chance=SURE, ends=())
            )
        else:
            harm = min(end.hits for end in edge.ends)
            self.desperate.append((number, edge._replace(harm=harm, chance=NEVER)))

    def prone(self, number: int, cause: formulas.Cause) -> tuple[falling.Fate, ...]:
        """Every end of one who becomes Prone on a place."""
        here, taken = self.places[number], self.others.taken
        return falling.prone(
            self.terrain, here.anchor, cause, self.fighter, self.options, taken, here.shift
        )

    def ends(self, fates: Iterable[falling.Fate], inches: int = 0) -> tuple[End, ...]:
        """Ends as places where one lies, after a first drop of some inches with its own hit."""
        first = (inches,) if inches else ()
        return tuple(
            End(
                fate.end,
                self.lying(fate.end),
                fate.chance,
                len(first) + len(fate.falls),
                (*first, *fate.falls),
            )
            for fate in fates
        )

    def lying(self, surface: Surface | None) -> int | None:
        """The place of one who lies on a surface; standing up takes a move of its own."""
        standing = () if surface is None else self.on(surface.tile, surface.level)
        if surface is None or not standing:
            return None
        number = self.add(surface, PINNED)
        if not self.edges[number]:
            self.edges[number] += (Edge(to, "stand up", self.fighter.move_um) for to in standing)
        return number

    def ground(self, level: int) -> Field:
        """Where a base may walk on a level; it may hang over lower ground and the board's edge."""
        if level not in self.fields:
            board, terrain = self.terrain.board, self.terrain
            body = {
                tile
                for tile in board.tiles()
                if terrain.free(tile, level, level + 1) and Surface(tile, level) not in self.taken
            }
            floor = self.floor(level)
            if self.options.wide == "centred":
                floor = set(self.spots.get(level, ()))
            self.fields[level] = Field(board.rows, board.cols, body, floor, beyond=True)
        return self.fields[level]

    def floor(self, level: int) -> set[Tile]:
        """Tiles on which somebody can stand at a level, and nobody does."""
        here = {tile for tile, levels in self.levels.items() if level in levels}
        return here - {at.tile for at in self.taken if at.level == level}

    @cached_property
    def levels(self) -> dict[Tile, tuple[int, ...]]:
        """The levels at which somebody can stand, by tile."""
        return {tile: self.terrain.standable(tile) for tile in self.terrain.board.tiles()}

    def between(self, number: int, to: int) -> Corridor:
        """The straight leg from a place to one on a tile in the same row, column or beside it."""
        here, there = self.places[number], self.places[to]
        offset = (
            there.anchor.tile.row - here.anchor.tile.row,
            there.anchor.tile.col - here.anchor.tile.col,
        )
        return leg_between(offset, here.shift, there.shift, self.half_um, self.tile_um)

    def clear(self, number: int, to: int, level: int) -> bool:
        """Whether a base that passes straight above a level touches nothing solid."""
        tile, terrain = self.places[number].anchor.tile, self.terrain
        swept = (Tile(tile.row + r, tile.col + c) for r, c in self.between(number, to).swept)
        return all(terrain.free(near, level, level + 1) for near in swept if near in terrain.board)

    def height_um(self, surface: Surface) -> int:
        """How high a surface lies: a step that is half an inch or less is half a level more."""
        half = self.options.level_um // 2
        on_step = surface.tile in self.stepped.get(surface.level, ())
        return surface.level * self.options.level_um + (half if on_step else 0)

    def steps(self, one: Surface, other: Surface) -> bool:
        """Whether one walks from one surface to another beside it though their levels differ."""
        return formulas.is_step(self.height_um(one) - self.height_um(other))

    def steps_beside(self, one: Surface, other: Surface) -> bool:
        """Whether both tiles beside a corner have floor that is a step from either end."""
        corners = (Tile(one.tile.row, other.tile.col), Tile(other.tile.row, one.tile.col))
        return all(
            any(
                self.steps(one, beside) and self.steps(beside, other) and beside not in self.taken
                for beside in (Surface(near, level) for level in self.levels.get(near, ()))
            )
            for near in corners
        )

    @cached_property
    def stepping(self) -> bool:
        """Whether any difference of heights is a step."""
        return formulas.is_step(self.options.level_um) or bool(self.stepped)

    @cached_property
    def stepped(self) -> dict[int, set[Tile]]:
        """Tiles with a step that one walks up, by level."""
        found: dict[int, set[Tile]] = {}
        if formulas.is_step(self.options.level_um // 2):
            for step in self.terrain.board.steps:
                found.setdefault(self.terrain.board.column(step.tile).level, set()).add(step.tile)
        return found

    def check_at(self, surface: Surface, modifier: int = 0) -> Fraction:
        """Chance of a check beside an edge, which a railing there may help."""
        if self.options.rail_applies != "any_check" or not self.terrain.board.rails:
            return self.check(modifier)
        cover = guards.shelter(self.terrain, surface, self.fighter, self.options)
        return formulas.check_with_rail(self.fighter.initiative, modifier, cover, self.options)

    def check(self, modifier: int = 0) -> Fraction:
        """Chance of an Initiative check."""
        return formulas.initiative(self.fighter.initiative, modifier, self.options.natural)

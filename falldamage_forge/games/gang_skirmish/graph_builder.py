"""Builder of a fighter's movement graph: nodes by surface and position, edges by node."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field
from fractions import Fraction
from functools import cached_property

from falldamage_forge.board import DIRECTION_NAMES, Tile
from falldamage_forge.board.surfaces import Surface, Terrain
from falldamage_forge.games.any_angle import BaseClearance, SweptCorridor
from falldamage_forge.games.base_placement import MIDDLE, Shift, Spots, leg_between, spot_text
from falldamage_forge.games.gang_skirmish import cover_and_fields, fall_outcomes, formulas
from falldamage_forge.games.gang_skirmish.options import Fighter, GangSkirmishOptions
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.rules.movement_graph import Edge, FailureOutcome, GraphNode
from falldamage_forge.rules.unit_values import Occupants

Offset = tuple[int, int]
PINNED = "pinned"
"""Position of a node on which the fighter lies."""
NEVER, SURE = Fraction(0), Fraction(1)


@dataclass
class MovementGraphBuilder:
    """A movement graph under construction.

    Attributes:
        places: Nodes.
        index: Number of each node by surface and position.
        edges: Edges by node.
        desperate: Jumps that are certain to fail, by node.
        spots: Placements by level.
        standing: Nodes of a fighter standing on a surface.
        fields: Clearance by level.
    """

    terrain: Terrain
    fighter: Fighter
    options: GangSkirmishOptions
    others: Occupants
    places: list[GraphNode] = field(default_factory=list)
    index: dict[tuple[Surface, str], int] = field(default_factory=dict)
    edges: list[list[Edge]] = field(default_factory=list)
    desperate: list[tuple[int, Edge]] = field(default_factory=list)
    spots: dict[int, Spots] = field(default_factory=dict)
    standing: dict[tuple[Tile, int], tuple[int, ...]] = field(default_factory=dict)
    fields: dict[int, BaseClearance] = field(default_factory=dict)

    @property
    def half_um(self) -> int:
        """Radius of the base in um."""
        return self.fighter.base_um // 2

    @property
    def tile_um(self) -> int:
        """Width of a tile in um."""
        return self.options.tile_um

    @property
    def lip_um(self) -> int:
        """Distance from the middle of a tile until the base touches the tile's edge."""
        return formulas.edge_distance_um(self.fighter.base_um, 0, self.tile_um)

    @cached_property
    def taken(self) -> frozenset[Surface]:
        """Surfaces of fighters that cannot be passed."""
        friends = self.others.friends if self.options.through == "nobody" else frozenset()
        return self.others.enemies | friends

    def add(self, surface: Surface, spot: str = "", shift: Shift = MIDDLE) -> int:
        """Return the number of a node, which is added if it is new.

        Args:
            surface: Surface of the node.
            spot: Kind of the node on its surface; empty: standing.
            shift: Offset of the base from the middle of its tile, in um.
        """
        key = (surface, spot or spot_text(shift))
        if key not in self.index:
            self.index[key] = len(self.places)
            self.places.append(GraphNode(surface, (surface,), key[1], shift))
            self.edges.append([])
        return self.index[key]

    def on(self, tile: Tile, level: int) -> tuple[int, ...]:
        """Return the nodes of a fighter standing on a surface; none without clearance.

        Args:
            tile: Tile of the surface.
            level: Level of the surface.
        """
        return self.standing.get((tile, level), ())

    def landings(self, surface: Surface, offset: Offset) -> Iterator[int]:
        """Yield the landing nodes of a surface entered along an offset: at its lip.

        Args:
            surface: Surface that is entered.
            offset: Offset of the leap as (rows, columns).
        """
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
        """Add a jump whose check is certain to fail, with the end of the failure.

        A certain end becomes a plain edge; a jump with several ends is recorded as desperate.

        Args:
            number: Number of the node that the edge leaves.
            edge: Edge of the jump.
        """
        end = edge.ends[0]
        if len(edge.ends) == 1 and end.place is not None:
            self.edges[number].append(
                edge._replace(to=end.place, harm=end.hits, chance=SURE, ends=())
            )
        else:
            harm = min(end.hits for end in edge.ends)
            self.desperate.append((number, edge._replace(harm=harm, chance=NEVER)))

    def prone(self, number: int, cause: formulas.Cause) -> tuple[fall_outcomes.FallOutcome, ...]:
        """Return every outcome of a fighter that becomes Prone on a node.

        Args:
            number: Number of the node.
            cause: Cause of becoming Prone.
        """
        here, taken = self.places[number], self.others.taken
        return fall_outcomes.become_prone(
            self.terrain, here.anchor, cause, self.fighter, self.options, taken, here.shift
        )

    def ends(
        self, fates: Iterable[fall_outcomes.FallOutcome], inches: int = 0
    ) -> tuple[FailureOutcome, ...]:
        """Return outcomes as failure ends, after a first drop with its own hit.

        Args:
            fates: Outcomes of a fall.
            inches: Height of the first drop in inches.
        """
        first = (inches,) if inches else ()
        return tuple(
            FailureOutcome(
                fate.end,
                self.lying(fate.end),
                fate.chance,
                len(first) + len(fate.falls),
                (*first, *fate.falls),
            )
            for fate in fates
        )

    def lying(self, surface: Surface | None) -> int | None:
        """Return the node of a fighter lying on a surface; standing up costs a move."""
        standing = () if surface is None else self.on(surface.tile, surface.level)
        if surface is None or not standing:
            return None
        number = self.add(surface, PINNED)
        if not self.edges[number]:
            self.edges[number] += (Edge(to, "stand up", self.fighter.move_um) for to in standing)
        return number

    def ground(self, level: int) -> BaseClearance:
        """Return the clearance of a level; a base may extend over lower ground and the edge."""
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
            self.fields[level] = BaseClearance(board.rows, board.cols, body, floor, beyond=True)
        return self.fields[level]

    def floor(self, level: int) -> set[Tile]:
        """Return the tiles with a free surface at a level."""
        here = {tile for tile, levels in self.levels.items() if level in levels}
        return here - {at.tile for at in self.taken if at.level == level}

    @cached_property
    def levels(self) -> dict[Tile, tuple[int, ...]]:
        """Levels of the surfaces, by tile."""
        return {tile: self.terrain.standable(tile) for tile in self.terrain.board.tiles()}

    def between(self, number: int, to: int) -> SweptCorridor:
        """Return the straight leg between nodes in one row or column, or adjacent.

        Args:
            number: Number of the first node.
            to: Number of the last node.
        """
        here, there = self.places[number], self.places[to]
        offset = (
            there.anchor.tile.row - here.anchor.tile.row,
            there.anchor.tile.col - here.anchor.tile.col,
        )
        return leg_between(offset, here.shift, there.shift, self.half_um, self.tile_um)

    def clear(self, number: int, to: int, level: int) -> bool:
        """True if a base that passes straight above a level touches no solid.

        Args:
            number: Number of the first node.
            to: Number of the last node.
            level: Level above which the base passes.
        """
        tile, terrain = self.places[number].anchor.tile, self.terrain
        swept = (Tile(tile.row + r, tile.col + c) for r, c in self.between(number, to).swept)
        return all(terrain.free(near, level, level + 1) for near in swept if near in terrain.board)

    def height_um(self, surface: Surface) -> int:
        """Return the height of a surface; a half step adds half a level."""
        half = self.options.level_um // 2
        on_step = surface.tile in self.stepped.get(surface.level, ())
        return surface.level * self.options.level_um + (half if on_step else 0)

    def steps(self, one: Surface, other: Surface) -> bool:
        """True if the height between two adjacent surfaces is a free step.

        Args:
            one: First surface.
            other: Surface beside it.
        """
        return formulas.is_step(self.height_um(one) - self.height_um(other))

    def steps_beside(self, one: Surface, other: Surface) -> bool:
        """True if both tiles beside a diagonal have floor one step from either end.

        Args:
            one: First surface.
            other: Surface diagonal to it.
        """
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
        """True if any height difference on the board is a free step."""
        return formulas.is_step(self.options.level_um) or bool(self.stepped)

    @cached_property
    def stepped(self) -> dict[int, set[Tile]]:
        """Tiles with a half step, by level."""
        found: dict[int, set[Tile]] = {}
        if formulas.is_step(self.options.level_um // 2):
            for step in self.terrain.board.steps:
                found.setdefault(self.terrain.board.column(step.tile).level, set()).add(step.tile)
        return found

    def check_at(self, surface: Surface, modifier: int = 0) -> Fraction:
        """Return the probability of a check beside an edge, with its railing.

        Args:
            surface: Surface beside the edge.
            modifier: Modifier of the roll.
        """
        if self.options.rail_applies != "any_check" or not self.terrain.board.rails:
            return self.check(modifier)
        cover = cover_and_fields.edge_cover(self.terrain, surface, self.fighter, self.options)
        return formulas.check_with_rail(self.fighter.initiative, modifier, cover, self.options)

    def check(self, modifier: int = 0) -> Fraction:
        """Return the probability of an Initiative check."""
        return formulas.initiative(self.fighter.initiative, modifier, self.options.natural)

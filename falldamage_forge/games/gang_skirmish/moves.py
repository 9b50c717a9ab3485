"""A fighter's ways over a board: walks, leaps, jumps down, Kip Ups and climbs as edges.

A landing "with the back edge of the base on the lip" is a spot of its own, `lip` and a direction,
half a tile less half a base short of the tile's middle.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from falldamage_forge.board import DIRECTION_NAMES, DIRECTIONS, Tile
from falldamage_forge.board.surfaces import Surface, Terrain
from falldamage_forge.games.gang_skirmish import falling, formulas
from falldamage_forge.games.gang_skirmish.options import Fighter, Options
from falldamage_forge.games.gang_skirmish.shove import PITFALL, bottom
from falldamage_forge.games.ruler import (
    LEVEL_UM,
    TILE_UM,
    Field,
    legs,
    metric_cost_um,
    metric_offsets,
    sweeps,
)
from falldamage_forge.rules.engine import Edge, Place
from falldamage_forge.rules.game import Occupants

Offset = tuple[int, int]


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
    fields: dict[int, Field] = field(default_factory=dict)

    @property
    def lip_um(self) -> int:
        """From the middle of a tile until the base touches the tile's edge."""
        return formulas.edge_distance_um(self.fighter.base_um)

    def add(self, surface: Surface, spot: str = "") -> int:
        """The number of a place, new or known."""
        key = (surface, spot)
        if key not in self.index:
            self.index[key] = len(self.places)
            self.places.append(Place(surface, (surface,), spot))
            self.edges.append([])
        return self.index[key]

    def middle(self, tile: Tile, level: int) -> int | None:
        """The place in the middle of a surface, if a fighter can stand there."""
        return self.index.get((Surface(tile, level), ""))

    def lip(self, surface: Surface, offset: Offset) -> int:
        """The landing spot on a surface that is entered along an offset."""
        if self.lip_um == 0:
            return self.index[surface, ""]
        spot = f"{DIRECTION_NAMES[(-offset[0], -offset[1])]} lip"
        known = (surface, spot) in self.index
        number = self.add(surface, spot)
        if not known:
            middle = self.index[surface, ""]
            self.edges[number].append(Edge(middle, "walk", self.lip_um))
        return number

    def fail(self, number: int, ends: tuple[falling.Fate, ...], risk: str) -> None:
        """A jump down that must fail: "set up on the spot", Pinned and hit, wherever that ends.

        Only a sure end is a place one gets to; standing up takes a move of its own.
        """
        end = ends[0].end
        middle = None if end is None else self.middle(end.tile, end.level)
        if len(ends) > 1 or end is None or middle is None:
            return
        lying = self.add(end, "pinned")
        if not self.edges[lying]:
            self.edges[lying].append(Edge(middle, "stand up", self.fighter.move_um))
        cost = formulas.jump_down_cost_um(TILE_UM)
        hits = 1 + len(ends[0].falls)
        self.edges[number].append(Edge(lying, "jump down", cost, harm=hits, risk=risk))

    def ground(self, level: int) -> Field:
        """Where a base may walk on a level; it may hang over lower ground and the board's edge."""
        if level not in self.fields:
            board, terrain = self.terrain.board, self.terrain
            taken = self.others.enemies
            if self.options.through == "nobody":
                taken = taken | self.others.friends
            body = {
                tile
                for tile in board.tiles()
                if terrain.free(tile, level, level + 1) and Surface(tile, level) not in taken
            }
            floor = {at.tile for at, spot in self.index if at.level == level and not spot}
            self.fields[level] = Field(board.rows, board.cols, body, floor, beyond=True)
        return self.fields[level]

    def check(self, modifier: int = 0) -> Fraction:
        """Chance of an Initiative check."""
        return formulas.initiative(self.fighter.initiative, modifier, self.options.natural)


def ways(terrain: Terrain, fighter: Fighter, options: Options, others: Occupants) -> Ways:
    """Every place and edge of a fighter on a board."""
    made = Ways(terrain, fighter, options, others)
    taken = others.enemies | (others.friends if options.through == "nobody" else frozenset())
    for tile in terrain.board.tiles():
        for level in made.terrain.standable(tile):
            surface = Surface(tile, level)
            if fits(made.terrain, surface, fighter.base_um) and surface not in taken:
                made.add(surface)
    for number in range(len(made.places)):
        surface = made.places[number].anchor
        made.edges[number] += _walks(made, surface)
        for offset in DIRECTIONS:
            made.edges[number] += _leaps(made, surface, offset)
            made.edges[number] += _downs(made, surface, offset)
            made.edges[number] += _ups(made, surface, offset)
    if options.climb != "none":
        _ladders(made)
    return made


def fits(terrain: Terrain, surface: Surface, base_um: int) -> bool:
    """Whether a base in the middle of a surface touches nothing solid."""
    tile, level = surface
    around = range(-(base_um // TILE_UM), base_um // TILE_UM + 1)
    for row in around:
        for col in around:
            near = Tile(tile.row + row, tile.col + col)
            if near not in terrain.board or not sweeps(0, 0, (row, col), base_um // 2):
                continue
            if not terrain.free(near, level, level + 1):
                return False
    return True


def _walks(made: Ways, surface: Surface) -> Iterator[Edge]:
    """Straight legs over level floor: a whole level is never a step."""
    offsets = metric_offsets(made.options.metric, made.fighter.move_um)
    ground = made.ground(surface.level)
    for goal, leg in legs(surface.tile, offsets, made.fighter.base_um // 2, 1, ground):
        to = made.index[Surface(goal, surface.level), ""]
        yield Edge(to, "walk", metric_cost_um(made.options.metric, leg))


def _leaps(made: Ways, surface: Surface, offset: Offset) -> Iterator[Edge]:
    """Over one or more tiles that lie lower than both lips, along a row or a column."""
    tile, level = surface
    terrain = made.terrain
    bottoms: list[int] = []
    for count in range(1, made.fighter.move_um // TILE_UM + 1):
        over = tile.step(offset, count)
        if over not in terrain.board or not terrain.free(over, level, level + 1):
            return
        if made.middle(over, level) is not None:
            return
        bottoms.append(bottom(terrain, over, level, made.options))
        far = tile.step(offset, count + 1)
        for rise in (-1, 0, 1):
            to = made.middle(far, level + rise)
            high = max(level, level + rise) + 1
            if to is None or not formulas.leap_rise_allowed(rise * LEVEL_UM):
                continue
            across = [tile.step(offset, n) for n in range(1, count + 1)]
            clear = all(terrain.free(near, level, high) for near in (tile, *across))
            lower = all(drop == PITFALL or drop > max(0, -rise) for drop in bottoms)
            if clear and lower and terrain.free(far, level + rise, high):
                edge = _leap(made, surface, Surface(far, level + rise), offset, count)
                if edge is not None:
                    yield edge


def _leap(made: Ways, start: Surface, goal: Surface, offset: Offset, count: int) -> Edge | None:
    base, options, terrain = made.fighter.base_um, made.options, made.terrain
    gap, rise = count * TILE_UM, (goal.level - start.level) * LEVEL_UM
    if not formulas.must_leap(gap, base, options):
        middle = made.index[goal, ""]
        return Edge(middle, "walk", gap + TILE_UM) if rise == 0 else None
    check = made.check()
    if check == 0:
        return None
    side = start.tile.step(offset) if options.leap_fall_from == "takeoff" else None
    bottom_tile = side or goal.tile.step(offset, -1)
    drop = bottom(terrain, bottom_tile, start.level, options)
    floor = start.level - max(0, drop)
    fall = formulas.leap_fall_um(
        start.level * LEVEL_UM, goal.level * LEVEL_UM, floor * LEVEL_UM, options
    )
    cost = made.lip_um + formulas.leap_cost_um(gap, base, rise, options)
    to = made.lip(goal, offset)
    if options.landing == "centre":
        to, cost = made.index[goal, ""], cost + made.lip_um
    risk = f'falls {formulas.fall_inches(fall)}"'
    if drop == PITFALL:
        risk = "Pitfall: Out of Action"
    return Edge(to, "leap", cost, chance=check, strain=abs(rise), risk=risk, fall=fall // LEVEL_UM)


def _downs(made: Ways, surface: Surface, offset: Offset) -> Iterator[Edge]:
    """Jump Down to the neighbour, and the way down of an option that lets one climb.

    Who cannot pass the check jumps all the same, and lies there.
    """
    number = made.index[surface, ""]
    tile, level = surface
    near, terrain = tile.step(offset), made.terrain
    if near not in terrain.board:
        return
    for target in terrain.standable(near):
        if target >= level or made.middle(near, target) is None:
            continue
        if not terrain.free(near, target, level + 1):
            continue
        goal, drop = Surface(near, target), (level - target) * LEVEL_UM
        check = made.check(formulas.jump_down_modifier(drop))
        ends = falling.prone(terrain, goal, "failed_check", made.fighter, made.options)
        risk = f"Pinned, hit for {formulas.fall_inches(drop)}''"
        if any(fate.falls or fate.end is None for fate in ends):
            risk += f", {falling.told(ends)}"
        if check == 0:
            made.fail(number, ends, risk)
        else:
            if made.options.jump_spot == "lip":
                cost = made.lip_um + formulas.jump_down_cost_um(made.fighter.base_um)
                to = made.lip(goal, offset)
            else:
                cost, to = formulas.jump_down_cost_um(TILE_UM), made.index[goal, ""]
            yield Edge(to, "jump down", cost, chance=check, risk=risk, fall=level - target)
        yield from _climb(made, goal, drop)


def _ups(made: Ways, surface: Surface, offset: Offset) -> Iterator[Edge]:
    """Kip Up to the neighbour, and climbing where an option allows it."""
    tile, level = surface
    near, terrain = tile.step(offset), made.terrain
    if near not in terrain.board:
        return
    for target in terrain.standable(near):
        if target <= level or made.middle(near, target) is None:
            continue
        if not terrain.free(tile, level, target + 1):
            continue
        goal, rise = Surface(near, target), (target - level) * LEVEL_UM
        check = made.check()
        if formulas.kip_allowed(rise) and check > 0:
            shift = TILE_UM - made.lip_um if made.options.kip_shift == "paid" else 0
            cause = formulas.kip_cause(made.options)
            ends = falling.prone(terrain, surface, cause, made.fighter, made.options)
            risk = "Pinned where one stands"
            if any(fate.falls or fate.end is None for fate in ends):
                risk = f"Pinned, {falling.told(ends)}"
            to = made.lip(goal, offset)
            yield Edge(to, "kip up", rise + shift, chance=check, risk=risk)
        yield from _climb(made, goal, rise)


def _climb(made: Ways, goal: Surface, height_um: int) -> Iterator[Edge]:
    if isinstance(made.options.climb, int):
        cost = made.options.climb * height_um + TILE_UM
        yield Edge(made.index[goal, ""], "climb", cost)


def _ladders(made: Ways) -> None:
    """Ladders are climbed like walls, both ways."""
    for ladder in made.terrain.board.ladders:
        foot = made.middle(ladder.foot, ladder.foot_level)
        top = made.middle(ladder.top, ladder.top_level)
        if foot is not None and top is not None:
            height = ladder.rise * LEVEL_UM
            made.edges[foot] += _climb(made, made.places[top].anchor, height)
            made.edges[top] += _climb(made, made.places[foot].anchor, height)

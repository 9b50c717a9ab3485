"""A fighter's ways over a board: walks, leaps, jumps down, Kip Ups and climbs as edges.

A landing "with the back edge of the base on the lip" is a spot of its own, `lip` and a direction,
half a tile less half a base short of the tile's middle. A base wider than a tile stands off-centre
where it must: see `games/spots.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from falldamage_forge.board import DIRECTION_NAMES, DIRECTIONS, Tile
from falldamage_forge.board.surfaces import Surface, Terrain
from falldamage_forge.games.gang_skirmish import falling, formulas
from falldamage_forge.games.gang_skirmish.options import Fighter, Options
from falldamage_forge.games.gang_skirmish.shove import PITFALL, bottom
from falldamage_forge.games.ruler import (
    Corridor,
    Field,
    legs,
    metric_cost_um,
    metric_offsets,
)
from falldamage_forge.games.spots import (
    MIDDLE,
    Shift,
    Spots,
    covered,
    leg_between,
    legs_between,
    resting,
    shifts,
    spot_text,
    spots_of,
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

    def fail(self, number: int, cost: int, ends: tuple[falling.Fate, ...], risk: str) -> None:
        """A jump down that must fail: "set up on the spot", Pinned and hit, wherever that ends.

        Only a sure end is a place one gets to; standing up takes a move of its own.
        """
        end = ends[0].end
        standing = () if end is None else self.on(end.tile, end.level)
        if len(ends) > 1 or end is None or not standing:
            return
        lying = self.add(end, "pinned")
        if not self.edges[lying]:
            self.edges[lying] += (Edge(to, "stand up", self.fighter.move_um) for to in standing)
        hits = 1 + len(ends[0].falls)
        self.edges[number].append(Edge(lying, "jump down", cost, harm=hits, risk=risk))

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

    def check(self, modifier: int = 0) -> Fraction:
        """Chance of an Initiative check."""
        return formulas.initiative(self.fighter.initiative, modifier, self.options.natural)


def ways(terrain: Terrain, fighter: Fighter, options: Options, others: Occupants) -> Ways:
    """Every place and edge of a fighter on a board."""
    made = Ways(terrain, fighter, options, others)
    levels = {level for here in made.levels.values() for level in here}
    made.spots = {level: _spots(made, level) for level in sorted(levels)}
    for tile, here in made.levels.items():
        for level in here:
            spots = made.spots[level].get(tile, ())
            numbers = tuple(made.add(Surface(tile, level), shift=shift) for shift in spots)
            made.standing[tile, level] = numbers[: len(resting(spots))]
    walked = len(made.places)
    for number in range(walked):
        made.edges[number] += _walks(made, number)
        surface = made.places[number].anchor
        if number not in made.on(*surface):
            continue
        for offset in DIRECTIONS:
            made.edges[number] += _leaps(made, number, offset)
            made.edges[number] += _downs(made, number, offset)
            made.edges[number] += _ups(made, number, offset)
    if options.climb != "none":
        _ladders(made)
    return made


def _spots(made: Ways, level: int) -> Spots:
    """Where a base may stand on the tiles of a level."""
    floor = made.floor(level)

    def free(tile: Tile, shift: Shift) -> bool:
        return fits(made.terrain, Surface(tile, level), made.fighter, made.options, shift)

    if made.options.wide == "centred":
        return {tile: (MIDDLE,) for tile in floor if free(tile, MIDDLE)}
    return spots_of(floor, made.half_um, made.tile_um, free)


def fits(
    terrain: Terrain, surface: Surface, fighter: Fighter, options: Options, shift: Shift = MIDDLE
) -> bool:
    """Whether a base on a spot of a surface touches nothing solid."""
    tile, level = surface
    over = (
        Tile(tile.row + row, tile.col + col)
        for row, col in covered(shift, fighter.base_um // 2, options.tile_um)
    )
    return all(terrain.free(near, level, level + 1) for near in over if near in terrain.board)


def has_room(terrain: Terrain, surface: Surface, fighter: Fighter, options: Options) -> bool:
    """Whether a fighter has room on a surface, in its middle or beside it."""
    spots = shifts(fighter.base_um // 2, options.tile_um)
    if options.wide == "centred":
        spots = ((MIDDLE,),)
    return any(fits(terrain, surface, fighter, options, s) for group in spots for s in group)


def _walks(made: Ways, number: int) -> Iterator[Edge]:
    """Straight legs over level floor: a whole level is never a step."""
    place, tile_um = made.places[number], made.tile_um
    tile, level = place.anchor
    metric = made.options.metric
    offsets = metric_offsets(metric, made.fighter.move_um, tile_um)
    ground, spots = made.ground(level), made.spots[level]
    if made.lip_um > 0 or made.options.wide == "centred":
        found: Iterator[tuple[Tile, Shift, Corridor]] = (
            (goal, MIDDLE, leg)
            for goal, leg in legs(tile, offsets, made.half_um, 1, ground, tile_um)
            if goal in spots
        )
    else:
        found = legs_between(tile, place.shift, spots, offsets, made.half_um, tile_um, ground)
    for goal, shift, leg in found:
        to = made.index[Surface(goal, level), spot_text(shift)]
        yield Edge(to, "walk", metric_cost_um(metric, leg, tile_um))


def _leaps(made: Ways, number: int, offset: Offset) -> Iterator[Edge]:
    """Over one or more tiles that lie lower than both lips, along a row or a column."""
    tile, level = made.places[number].anchor
    terrain, level_um = made.terrain, made.options.level_um
    bottoms: list[int] = []
    for count in range(1, made.fighter.move_um // made.tile_um + 1):
        over = tile.step(offset, count)
        if over not in terrain.board or not terrain.free(over, level, level + 1):
            return
        if made.on(over, level):
            return
        bottoms.append(bottom(terrain, over, level, made.options))
        far = tile.step(offset, count + 1)
        for rise in (-1, 0, 1):
            standing = made.on(far, level + rise)
            if not standing or not formulas.leap_rise_allowed(rise * level_um):
                continue
            high = max(level, level + rise)
            across = [tile.step(offset, n) for n in range(1, count + 1)]
            clear = all(terrain.free(near, level, high + 1) for near in (tile, *across))
            lower = all(drop == PITFALL or drop > max(0, -rise) for drop in bottoms)
            if not clear or not lower or not terrain.free(far, level + rise, high + 1):
                continue
            for to in standing:
                if made.clear(number, to, high):
                    yield from _leap(made, number, to, offset, count)


def _leap(made: Ways, number: int, to: int, offset: Offset, count: int) -> Iterator[Edge]:
    base, options, terrain = made.fighter.base_um, made.options, made.terrain
    start, goal = made.places[number].anchor, made.places[to].anchor
    level_um = options.level_um
    gap, rise = count * made.tile_um, (goal.level - start.level) * level_um
    if not formulas.must_leap(gap, base, options):
        if rise == 0:
            yield Edge(to, "walk", made.between(number, to).cost_um)
        return
    check = made.check()
    if check == 0:
        return
    side = start.tile.step(offset) if options.leap_fall_from == "takeoff" else None
    bottom_tile = side or goal.tile.step(offset, -1)
    drop = bottom(terrain, bottom_tile, start.level, options)
    floor = start.level - max(0, drop)
    fall = formulas.leap_fall_um(
        start.level * level_um, goal.level * level_um, floor * level_um, options
    )
    lip = made.tile_um // 2 - made.half_um
    before, behind = (_along(made.places[n].shift, offset) for n in (number, to))
    cost = max(0, lip - before) + formulas.leap_cost_um(gap, base, rise, options)
    risk = f'falls {formulas.fall_inches(fall)}"'
    if drop == PITFALL:
        risk = "Pitfall: Out of Action"
    ends = (to,) if options.landing == "centre" else made.landings(goal, offset)
    if made.lip_um == 0 or options.landing == "centre":
        ends, cost = (to,), cost + max(0, lip + behind)
    for end in ends:
        yield Edge(end, "leap", cost, 0, check, abs(rise), risk=risk, fall=fall // level_um)


def _along(shift: Shift, offset: Offset) -> int:
    """How far a spot lies along a direction from the middle of its tile, in um."""
    return shift[0] * offset[0] + shift[1] * offset[1]


def _downs(made: Ways, number: int, offset: Offset) -> Iterator[Edge]:
    """Jump Down to the neighbour, and the way down of an option that lets one climb.

    Who cannot pass the check jumps all the same, and lies there.
    """
    tile, level = made.places[number].anchor
    near, terrain = tile.step(offset), made.terrain
    if near not in terrain.board:
        return
    for target in made.levels[near]:
        if target >= level or not terrain.free(near, target, level + 1):
            continue
        goal, drop = Surface(near, target), (level - target) * made.options.level_um
        standing = [to for to in made.on(near, target) if made.clear(number, to, level)]
        if not standing:
            continue
        check = made.check(formulas.jump_down_modifier(drop))
        ends = falling.prone(terrain, goal, "failed_check", made.fighter, made.options)
        risk = f"Pinned, hit for {formulas.fall_inches(drop)}''"
        if any(fate.falls or fate.end is None for fate in ends):
            risk += f", {falling.told(ends)}"
        ways = [(to, _down_um(made, number, to)) for to in standing]
        if check == 0:
            made.fail(number, min(cost for _, cost in ways), ends, risk)
        elif made.options.jump_spot == "lip":
            cost = made.lip_um + formulas.jump_down_cost_um(made.fighter.base_um)
            ways = [(to, cost) for to in made.landings(goal, offset)]
        if check > 0:
            for to, cost in ways:
                yield Edge(to, "jump down", cost, chance=check, risk=risk, fall=level - target)
        yield from _climb(made, goal, drop)


def _down_um(made: Ways, number: int, to: int) -> int:
    return formulas.jump_down_cost_um(made.between(number, to).cost_um)


def _ups(made: Ways, number: int, offset: Offset) -> Iterator[Edge]:
    """Kip Up to the neighbour, and climbing where an option allows it."""
    surface = made.places[number].anchor
    tile, level = surface
    near, terrain = tile.step(offset), made.terrain
    if near not in terrain.board:
        return
    for target in made.levels[near]:
        if target <= level or not terrain.free(tile, level, target + 1):
            continue
        standing = [to for to in made.on(near, target) if made.clear(number, to, target)]
        if not standing:
            continue
        goal, rise = Surface(near, target), (target - level) * made.options.level_um
        check = made.check()
        if formulas.kip_allowed(rise) and check > 0:
            cause = formulas.kip_cause(made.options)
            ends = falling.prone(terrain, surface, cause, made.fighter, made.options)
            risk = "Pinned where one stands"
            if any(fate.falls or fate.end is None for fate in ends):
                risk = f"Pinned, {falling.told(ends)}"
            for to in standing if made.lip_um == 0 else made.landings(goal, offset):
                shift = made.between(number, to).cost_um - made.lip_um
                paid = shift if made.options.kip_shift == "paid" else 0
                yield Edge(to, "kip up", rise + paid, chance=check, risk=risk)
        yield from _climb(made, goal, rise)


def _climb(made: Ways, goal: Surface, height_um: int) -> Iterator[Edge]:
    if isinstance(made.options.climb, int):
        cost = made.options.climb * height_um + made.tile_um
        for to in made.on(*goal):
            yield Edge(to, "climb", cost)


def _ladders(made: Ways) -> None:
    """Ladders are climbed like walls, both ways."""
    for ladder in made.terrain.board.ladders:
        foot = Surface(ladder.foot, ladder.foot_level)
        top = Surface(ladder.top, ladder.top_level)
        height = ladder.rise * made.options.level_um
        for start, goal in ((foot, top), (top, foot)):
            for number in made.on(*start):
                made.edges[number] += _climb(made, goal, height)

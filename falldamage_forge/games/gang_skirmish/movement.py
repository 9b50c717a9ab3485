"""Movement graph of a fighter: walks, leaps, jumps down, Kip Ups and climbs as edges.

A landing "with the back edge of the base on the lip" is a position of its own: `lip` and a
direction, half a tile less half a base from the tile's middle. A base wider than a tile stands
off-centre where necessary (`games/base_placement.py`).
"""

from __future__ import annotations

from collections.abc import Iterator

from falldamage_forge.board import DIRECTIONS, Tile
from falldamage_forge.board.surfaces import Surface, Terrain
from falldamage_forge.games.any_angle import SweptCorridor, legs, metric_cost_um, metric_offsets
from falldamage_forge.games.base_placement import (
    MIDDLE,
    Shift,
    Spots,
    legs_between,
    nearest_offsets,
    spot_text,
    spots_of,
)
from falldamage_forge.games.gang_skirmish import fall_outcomes, formulas
from falldamage_forge.games.gang_skirmish.base_clearance import along, has_clearance
from falldamage_forge.games.gang_skirmish.drops import PITFALL, drop_levels
from falldamage_forge.games.gang_skirmish.graph_builder import MovementGraphBuilder, Offset
from falldamage_forge.games.gang_skirmish.options import Fighter, GangSkirmishOptions
from falldamage_forge.rules.movement_graph import Edge
from falldamage_forge.rules.unit_values import Occupants


def movement_graph(
    terrain: Terrain, fighter: Fighter, options: GangSkirmishOptions, others: Occupants
) -> MovementGraphBuilder:
    """Return the builder with every node and edge of a fighter on a board.

    Args:
        terrain: Board with its levels and railings.
        fighter: Profile of the fighter.
        options: Options of the ruleset.
        others: Fighters that stand on the board.
    """
    made = MovementGraphBuilder(terrain, fighter, options, others)
    levels = {level for here in made.levels.values() for level in here}
    made.spots = {level: _spots(made, level) for level in sorted(levels)}
    for tile, here in made.levels.items():
        for level in here:
            spots = made.spots[level].get(tile, ())
            numbers = tuple(made.add(Surface(tile, level), shift=shift) for shift in spots)
            made.standing[tile, level] = numbers[: len(nearest_offsets(spots))]
    walked = len(made.places)
    for number in range(walked):
        made.edges[number] += _walks(made, number)
        surface = made.places[number].anchor
        if number not in made.on(*surface):
            continue
        for offset in DIRECTIONS:
            made.edges[number] += _steps(made, number, offset)
            made.edges[number] += _leaps(made, number, offset)
            made.edges[number] += _downs(made, number, offset)
            made.edges[number] += _ups(made, number, offset)
        if made.stepping:
            for corner in fall_outcomes.CORNERS:
                made.edges[number] += _steps(made, number, corner)
    if options.climb != "none":
        _ladders(made)
    return made


def _spots(made: MovementGraphBuilder, level: int) -> Spots:
    """Return the placements of a base on the tiles of a level."""
    floor = made.floor(level)

    def free(tile: Tile, shift: Shift) -> bool:
        return has_clearance(made.terrain, Surface(tile, level), made.fighter, made.options, shift)

    if made.options.wide == "centred":
        return {tile: (MIDDLE,) for tile in floor if free(tile, MIDDLE)}
    return spots_of(floor, made.half_um, made.tile_um, free)


def _walks(made: MovementGraphBuilder, number: int) -> Iterator[Edge]:
    """Yield straight legs over floor of one level."""
    place, tile_um = made.places[number], made.tile_um
    tile, level = place.anchor
    metric = made.options.metric
    offsets = metric_offsets(metric, made.fighter.move_um, tile_um)
    ground, spots = made.ground(level), made.spots[level]
    if made.lip_um > 0 or made.options.wide == "centred":
        found: Iterator[tuple[Tile, Shift, SweptCorridor]] = (
            (goal, MIDDLE, leg)
            for goal, leg in legs(tile, offsets, made.half_um, 1, ground, tile_um)
            if goal in spots
        )
    else:
        found = legs_between(tile, place.shift, spots, offsets, made.half_um, tile_um, ground)
    for goal, shift, leg in found:
        to = made.index[Surface(goal, level), spot_text(shift)]
        yield Edge(to, "walk", metric_cost_um(metric, leg, tile_um))


def _steps(made: MovementGraphBuilder, number: int, offset: Offset) -> Iterator[Edge]:
    """Yield steps of half an inch or less, up or down to a neighbour.

    On a diagonal the base covers both tiles beside it: each has to be a step too.
    """
    here = made.places[number].anchor
    near, terrain = here.tile.step(offset), made.terrain
    for target in made.levels.get(near, ()):
        there = Surface(near, target)
        if target == here.level or not made.steps(here, there):
            continue
        if 0 not in offset and not made.steps_beside(here, there):
            continue
        low, high = sorted((here.level, target))
        lower = here.tile if here.level == low else near
        if terrain.free(lower, low, high + 1):
            for to in made.on(near, target):
                if made.clear(number, to, high):
                    cost = metric_cost_um(
                        made.options.metric, made.between(number, to), made.tile_um
                    )
                    yield Edge(to, "walk", cost)


def _leaps(made: MovementGraphBuilder, number: int, offset: Offset) -> Iterator[Edge]:
    """Yield leaps over tiles lower than both lips, along a row or a column."""
    tile, level = made.places[number].anchor
    terrain, level_um = made.terrain, made.options.level_um
    bottoms: list[int] = []
    for count in range(1, made.fighter.move_um // made.tile_um + 1):
        over = tile.step(offset, count)
        if over not in terrain.board or not terrain.free(over, level, level + 1):
            return
        if made.on(over, level):
            return
        bottoms.append(drop_levels(terrain, over, level, made.options))
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


def _leap(
    made: MovementGraphBuilder, number: int, to: int, offset: Offset, count: int
) -> Iterator[Edge]:
    base, options, terrain = made.fighter.base_um, made.options, made.terrain
    start, goal = made.places[number].anchor, made.places[to].anchor
    level_um = options.level_um
    gap, rise = count * made.tile_um, (goal.level - start.level) * level_um
    if not formulas.must_leap(gap, base, options):
        if rise == 0:
            yield Edge(to, "walk", made.between(number, to).cost_um)
        return
    check = made.check()
    takes_off = options.leap_fall_from == "takeoff"
    into = start.tile.step(offset) if takes_off else goal.tile.step(offset, -1)
    drop = drop_levels(terrain, into, start.level, options)
    floor = start.level - max(0, drop)
    fall = formulas.leap_fall_um(
        start.level * level_um, goal.level * level_um, floor * level_um, options
    )
    lip = made.tile_um // 2 - made.half_um
    before, behind = (along(made.places[n].shift, offset) for n in (number, to))
    cost = max(0, lip - before) + formulas.leap_cost_um(gap, base, rise, options)
    top = Surface(into, floor + fall // level_um)
    back = offset if takes_off else (-offset[0], -offset[1])
    fates = fall_outcomes.fall_from_leap(
        terrain, top, back, made.fighter, options, made.others.taken
    )
    risk = "Pitfall: Out of Action" if drop == PITFALL else fall_outcomes.format_outcomes(fates)
    failed = made.ends(fates)
    whole = Edge(to, "leap", cost, 0, check, abs(rise), 0, risk, fall // level_um, 0, failed)
    ends = (to,) if options.landing == "centre" else made.landings(goal, offset)
    if made.lip_um == 0 or options.landing == "centre":
        ends, cost = (to,), cost + max(0, lip + behind)
    if check == 0:
        made.fail(number, whole._replace(cost=cost))
        return
    for end in ends:
        yield whole._replace(to=end, cost=cost)


def _downs(made: MovementGraphBuilder, number: int, offset: Offset) -> Iterator[Edge]:
    """Yield jumps down to a neighbour, and climbs down if an option permits them.

    A fighter that cannot pass the check jumps and lies there.
    """
    tile, level = made.places[number].anchor
    near, terrain = tile.step(offset), made.terrain
    if near not in terrain.board:
        return
    for target in made.levels[near]:
        if target >= level or not terrain.free(near, target, level + 1):
            continue
        goal = Surface(near, target)
        drop = made.height_um(made.places[number].anchor) - made.height_um(goal)
        if formulas.is_step(drop):
            continue
        standing = [to for to in made.on(near, target) if made.clear(number, to, level)]
        if not standing:
            continue
        check = made.check_at(goal, formulas.jump_down_modifier(drop))
        inches = formulas.fall_inches(drop)
        for to in standing:
            fates = made.prone(to, "failed_check")
            risk = f"Pinned, hit for {inches}''"
            if any(fate.falls or fate.end is None for fate in fates):
                risk += f", {fall_outcomes.format_outcomes(fates)}"
            cost, ends = _down_um(made, number, to), made.ends(fates, inches)
            whole = Edge(to, "jump down", cost, 0, check, 0, 0, risk, level - target, 0, ends)
            if check == 0:
                made.fail(number, whole)
            elif made.options.jump_spot == "centre" or made.lip_um == 0:
                yield whole
            else:
                cost = made.lip_um + formulas.jump_down_cost_um(made.fighter.base_um)
                yield from (whole._replace(to=at, cost=cost) for at in made.landings(goal, offset))
        yield from _climb(made, goal, drop)


def _down_um(made: MovementGraphBuilder, number: int, to: int) -> int:
    return formulas.jump_down_cost_um(made.between(number, to).cost_um)


def _ups(made: MovementGraphBuilder, number: int, offset: Offset) -> Iterator[Edge]:
    """Yield Kip Ups to a neighbour, and climbs if an option permits them."""
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
        goal = Surface(near, target)
        rise = made.height_um(goal) - made.height_um(surface)
        if formulas.is_step(rise):
            continue
        check = made.check_at(surface)
        if formulas.kip_allowed(rise) and check > 0:
            fates = made.prone(number, formulas.kip_cause(made.options))
            risk = "Pinned where one stands"
            if any(fate.falls or fate.end is None for fate in fates):
                risk = f"Pinned, {fall_outcomes.format_outcomes(fates)}"
            ends = made.ends(fates)
            for to in standing if made.lip_um == 0 else made.landings(goal, offset):
                shift = made.between(number, to).cost_um - made.lip_um
                paid = shift if made.options.kip_shift == "paid" else 0
                yield Edge(to, "kip up", rise + paid, chance=check, risk=risk, ends=ends)
        yield from _climb(made, goal, rise)


def _climb(made: MovementGraphBuilder, goal: Surface, height_um: int) -> Iterator[Edge]:
    if isinstance(made.options.climb, int):
        cost = made.options.climb * height_um + made.tile_um
        for to in made.on(*goal):
            yield Edge(to, "climb", cost)


def _ladders(made: MovementGraphBuilder) -> None:
    """Add the climbs of ladders in both directions; they count as walls."""
    for ladder in made.terrain.board.ladders:
        foot = Surface(ladder.foot, ladder.foot_level)
        top = Surface(ladder.top, ladder.top_level)
        height = ladder.rise * made.options.level_um
        for start, goal in ((foot, top), (top, foot)):
            for number in made.on(*start):
                made.edges[number] += _climb(made, goal, height)

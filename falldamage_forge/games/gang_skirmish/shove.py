"""Knockback and Drag: how far, where to, and who goes over the edge."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from falldamage_forge.board import DIRECTIONS, Ground, Tile
from falldamage_forge.board.surfaces import Surface, Terrain
from falldamage_forge.games.gang_skirmish import guards
from falldamage_forge.games.gang_skirmish.formulas import (
    edge_distance_um,
    fall_inches,
    is_step,
)
from falldamage_forge.games.gang_skirmish.options import Fighter, Options
from falldamage_forge.games.ruler import INCH_UM, Um, Way

PITFALL = -1
"""Stands where a fall's levels or inches stand, for a fall that has no bottom."""
Target = Literal["fighter", "object", "heavy_object"]


def shove_distances(
    force: int, strength: int = 0, target: Target = "fighter"
) -> dict[int, Fraction]:
    """Chance of each distance in inches: force + D3 less resistance + D3, never below 0.

    `force` is the attack's Strength, or the X of Drag (X); `strength` that of a fighter shoved.
    """
    resistance = {"fighter": strength, "object": 1, "heavy_object": 4}[target]
    counts: Counter[int] = Counter()
    for mine in (1, 2, 3):
        for its in (1, 2, 3):
            counts[max(0, force + mine - resistance - its)] += 1
    return {inches: Fraction(count, 9) for inches, count in sorted(counts.items())}


def pinned(distance_in: int, options: Options) -> bool:
    """Whether a shove of a distance pins: "If the Knockback Distance is 0 … unaffected"."""
    return distance_in > 0 or options.zero_pins == "yes"


def wall_strength(distance_in: int, travelled_um: Um, options: Options) -> int:
    """Strength of the hit when shoved into an obstruction."""
    if options.wall_strength == "computed":
        return distance_in
    return travelled_um // INCH_UM


def ends_engaged(separation_um: Um) -> bool:
    """Whether one who would end so far from an enemy's base is moved on to touch it."""
    return separation_um <= INCH_UM


def overhang_limit_um(base_um: Um, options: Options) -> Um:
    """How far the middle of a base may be past a lip and still be up; one um more and it is off."""
    return {"centre_past": 0, "any_overhang": -base_um // 2, "whole_base": base_um // 2 - 1}[
        options.off_edge
    ]


@dataclass(frozen=True, slots=True)
class Shoved:
    """Where a shove ends: um travelled, the tile last stood on, levels fallen, the hit by a wall.

    `near` holds the distance in um to each edge that is there, the levels down, and where. `down`
    are levels of half an inch or less that one was moved down on the way, which is no fall.
    """

    travelled_um: Um
    tile: Tile
    fall_levels: int | None = None
    wall: int | None = None
    near: tuple[tuple[int, int, tuple[int, int]], ...] = ()
    down: int = 0


def shove(
    terrain: Terrain,
    start: Surface,
    direction: Way,
    inches: int,
    fighter: Fighter,
    options: Options,
    stop_um: int | None = None,
) -> Shoved:
    """A fighter in the middle of a surface shoved straight along its row or column.

    The edge of the board is a wall, and so is whatever is higher. After `stop_um` the base touches
    another, and stops.
    """
    end, level = _shoved(terrain, start, direction, inches, fighter, options, stop_um)
    return replace(end, down=start.level - level)


def _shoved(
    terrain: Terrain,
    start: Surface,
    direction: Way,
    inches: int,
    fighter: Fighter,
    options: Options,
    stop_um: int | None,
) -> tuple[Shoved, int]:
    """The end, and the level on which one was last."""
    board, half = terrain.board, fighter.base_um // 2
    far = guards.shoved_um(board, start, direction, inches * INCH_UM, fighter, options)
    if stop_um is not None:
        far = min(far, stop_um)
    tile, lip = start.tile, options.tile_um // 2
    limit = overhang_limit_um(fighter.base_um, options)
    while True:
        ahead = tile.step(direction)
        free = ahead in board and terrain.free(ahead, start.level, start.level + 1)
        if not free or guards.stops(board, Surface(tile, start.level), direction, options):
            stop = max(0, lip - half)
            if far <= stop:
                break
            hit = wall_strength(inches, stop, options)
            ways = (lip - stop, stop, fighter, options, hit)
            return _up(terrain, start, direction, tile, *ways), start.level
        drop = bottom(terrain, ahead, start.level, options)
        if drop != PITFALL and is_step(drop * options.level_um):
            if far <= lip:
                break
            tile, lip = ahead, lip + options.tile_um
            start = Surface(start.tile, start.level - drop)
            continue
        if far - lip > limit:
            return Shoved(far, tile, drop), start.level
        break
    return _up(terrain, start, direction, tile, lip - far, far, fighter, options), start.level


def _up(
    terrain: Terrain,
    start: Surface,
    direction: Way,
    tile: Tile,
    to_lip_um: Um,
    travelled_um: Um,
    fighter: Fighter,
    options: Options,
    wall: int | None = None,
) -> Shoved:
    """The end of a shove on a tile, with every edge of that tile."""
    half = fighter.base_um // 2
    near = []
    for side in DIRECTIONS:
        drop = drop_beside(terrain, Surface(tile, start.level), side, options)
        if drop is None:
            continue
        middle = options.tile_um // 2
        if side == direction:
            middle = to_lip_um
        elif side == (-direction[0], -direction[1]):
            middle = options.tile_um - to_lip_um
        near.append((max(0, middle - half), drop, side))
    return Shoved(travelled_um, tile, wall=wall, near=tuple(near))


def bottom(terrain: Terrain, tile: Tile, level: int, options: Options) -> int:
    """Levels down from a level to what is below over a tile: 0 for floor, or PITFALL."""
    floor = terrain.highest_below(tile, level)
    column = terrain.board.column(tile)
    lava = column.ground is Ground.LAVA and options.pitfall == "lava"
    pit = lava or (tile, column.level) in terrain.board.pits
    if pit and (floor is None or floor == column.level):
        return PITFALL
    return level - (floor or 0)


def drop_beside(
    terrain: Terrain, here: Surface, side: tuple[int, int], options: Options
) -> int | None:
    """What `bottom` says beside a surface; None for a wall, level floor and the board's edge."""
    ahead = here.tile.step(side)
    if ahead not in terrain.board or not terrain.free(ahead, here.level, here.level + 1):
        return None
    drop = bottom(terrain, ahead, here.level, options)
    return drop if drop == PITFALL or not is_step(drop * options.level_um) else None


def edges_beside(
    terrain: Terrain, here: Surface, fighter: Fighter, options: Options
) -> tuple[guards.Near, ...]:
    """Every edge beside one who is in the middle of a surface."""
    lip = edge_distance_um(fighter.base_um, 0, options.tile_um)
    return tuple(
        (lip, drop, side)
        for side in DIRECTIONS
        if (drop := drop_beside(terrain, here, side, options)) is not None
    )


def fall_levels(
    terrain: Terrain,
    start: Surface,
    direction: Way,
    force: int,
    fighter: Fighter,
    options: Options,
) -> dict[int, Fraction]:
    """Chance of each fall in levels, 0 for none or PITFALL, when an attack of a force hits.

    Moved off, one falls; Pinned within half an inch of an edge, one checks.
    """
    falls: dict[int, Fraction] = {}
    for inches, chance in shove_distances(force, fighter.strength).items():
        ends = {0: Fraction(1)}
        if pinned(inches, options):
            end = shove(terrain, start, direction, inches, fighter, options)
            ends = falls_after(terrain, end, start.level - end.down, fighter, options)
        for fall, share in ends.items():
            falls[fall] = falls.get(fall, Fraction(0)) + chance * share
    return {fall: chance for fall, chance in sorted(falls.items()) if chance}


def falls_after(
    terrain: Terrain, end: Shoved, level: int, fighter: Fighter, options: Options
) -> dict[int, Fraction]:
    """Levels fallen, with chances, once a shove has ended."""
    if end.fall_levels is not None:
        return {end.fall_levels: Fraction(1)}
    here = Surface(end.tile, level)
    edge, chance = guards.falls(terrain.board, here, end.near, "forced", fighter, options)
    return {0: Fraction(1)} if edge is None else {edge[1]: chance, 0: 1 - chance}


def fall_chances(
    terrain: Terrain,
    start: Surface,
    direction: Way,
    force: int,
    fighter: Fighter,
    options: Options,
) -> dict[int, Fraction]:
    """Like `fall_levels`, told in whole inches as the chart wants them; a Pitfall stays one."""
    return {
        fall if fall == PITFALL else fall_inches(fall * options.level_um): chance
        for fall, chance in fall_levels(terrain, start, direction, force, fighter, options).items()
    }

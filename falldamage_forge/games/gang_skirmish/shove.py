"""Knockback and Drag: how far, where to, and who goes over the edge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from falldamage_forge.board import DIRECTIONS, Ground, Tile
from falldamage_forge.board.surfaces import Surface, Terrain
from falldamage_forge.games.gang_skirmish import guards
from falldamage_forge.games.gang_skirmish.formulas import fall_inches, is_step
from falldamage_forge.games.gang_skirmish.options import Fighter, Options
from falldamage_forge.games.gang_skirmish.room import along, stands
from falldamage_forge.games.ruler import INCH_UM, Um, Way, root_up
from falldamage_forge.games.spots import MIDDLE, Shift

PITFALL, LEFT = -1, -2
"""Stand where a fall's levels or inches stand: no bottom, and the edge of the battlefield."""
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
    shift: Shift = MIDDLE,
) -> Shoved:
    """A fighter on a spot of a surface shoved straight along its row or column.

    The edge of the board is a wall unless an option says otherwise, and so is whatever is higher; a
    base wider than what it passes through stops where it touches the side. After `stop_um` the base
    touches another, and stops.
    """
    end, level = _shoved(terrain, start, direction, inches, fighter, options, stop_um, shift)
    return replace(end, down=start.level - level)


def _shoved(
    terrain: Terrain,
    start: Surface,
    direction: Way,
    inches: int,
    fighter: Fighter,
    options: Options,
    stop_um: int | None,
    shift: Shift,
) -> tuple[Shoved, int]:
    """The end, and the level on which one was last."""
    board, half = terrain.board, fighter.base_um // 2
    far = guards.shoved_um(board, start, direction, inches * INCH_UM, fighter, options, shift)
    if stop_um is not None:
        far = min(far, stop_um)
    tile, lip = start.tile, options.tile_um // 2 - along(shift, direction)
    hit: int | None = None
    scraped = _scraped_um(terrain, start, direction, far, fighter, options, shift)
    if scraped is not None:
        far, hit = scraped, wall_strength(inches, scraped, options)
    limit = overhang_limit_um(fighter.base_um, options)
    while True:
        ahead = tile.step(direction)
        if ahead not in board and options.battlefield_edge != "wall":
            if far - lip > limit:
                return Shoved(far, tile, LEFT), start.level
            break
        free = ahead in board and terrain.free(ahead, start.level, start.level + 1)
        if not free or guards.stops(board, Surface(tile, start.level), direction, options):
            stop = max(0, lip - half)
            if far > stop:
                far, hit = stop, wall_strength(inches, stop, options)
            break
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
    here = Surface(tile, start.level)
    across = (shift[0] * abs(direction[1]), shift[1] * abs(direction[0]))
    past = options.tile_um // 2 - (lip - far)
    ends = (across[0] + past * direction[0], across[1] + past * direction[1])
    near = edges_beside(terrain, here, fighter, options, ends)
    return Shoved(far, tile, wall=hit, near=near), start.level


def _scraped_um(
    terrain: Terrain,
    start: Surface,
    direction: Way,
    far_um: Um,
    fighter: Fighter,
    options: Options,
    shift: Shift,
) -> Um | None:
    """After how much of a shove a base touches something solid beside its own row or column."""
    half, tile_um = fighter.base_um // 2, options.tile_um
    found: list[Um] = []
    for side in ((direction[1], direction[0]), (-direction[1], -direction[0])):
        beside = tile_um // 2 - along(shift, side)
        while beside < half:
            reach = root_up(half * half - beside * beside)
            face = tile_um // 2 - along(shift, direction)
            rows = 1 + (beside + along(shift, side)) // tile_um
            tile = start.tile.step(side, rows).step(direction)
            while face - reach < far_um:
                if tile in terrain.board and not terrain.free(tile, start.level, start.level + 1):
                    found.append(max(0, face - reach))
                    break
                tile, face = tile.step(direction), face + tile_um
            beside += tile_um
    return min(found, default=None)


def touching_um(
    start: Surface,
    direction: Way,
    fighter: Fighter,
    options: Options,
    taken: frozenset[Surface],
    shift: Shift = MIDDLE,
    other_um: Um | None = None,
) -> Um | None:
    """After how much of a shove a base touches that of another in the middle of a surface.

    The others are on bases of the same size, unless another is named.
    """
    side = (direction[1], direction[0])
    reach = (fighter.base_um + (fighter.base_um if other_um is None else other_um)) // 2
    found: list[Um] = []
    for tile, level in taken - {start}:
        if level != start.level:
            continue
        offset = tuple(
            (there - here) * options.tile_um - past
            for there, here, past in zip(tile, start.tile, shift, strict=True)
        )
        ahead = offset[0] * direction[0] + offset[1] * direction[1]
        beside = offset[0] * side[0] + offset[1] * side[1]
        if ahead > 0 and abs(beside) < reach:
            found.append(max(0, ahead - root_up(reach * reach - beside * beside)))
    return min(found, default=None)


def into_contact(
    terrain: Terrain,
    end: Shoved,
    point: tuple[Um, Um],
    level: int,
    fighter: Fighter,
    options: Options,
    enemies: Iterable[Surface],
) -> tuple[Shoved, Surface | None]:
    """ "Within 1'' of one or more enemy fighters they are instead moved into base contact".

    `point` is where the middle of the base ends, in um south and east of the board's corner; the
    enemies are on bases of the same size. With whom one is engaged, None for nobody.
    """
    near = []
    for enemy in enemies:
        its = guards.middle_um(enemy.tile, options)
        rows, cols = point[0] - its[0], point[1] - its[1]
        apart = max(1, root_up(rows * rows + cols * cols))
        if enemy.level == level and ends_engaged(apart - fighter.base_um):
            near.append((apart, enemy, its, rows, cols))
    if not near:
        return end, None
    apart, enemy, its, rows, cols = min(near)
    if apart <= fighter.base_um:
        return end, enemy
    tile_um, reach = options.tile_um, fighter.base_um
    moved = (its[0] + rows * reach // apart, its[1] + cols * reach // apart)
    tile = Tile(moved[0] // tile_um, moved[1] // tile_um)
    if tile not in terrain.board or level not in terrain.standable(tile):
        return end, enemy
    middle = guards.middle_um(tile, options)
    shift = (moved[0] - middle[0], moved[1] - middle[1])
    edges = edges_beside(terrain, Surface(tile, level), fighter, options, shift)
    return replace(end, tile=tile, near=edges), enemy


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
    if ahead not in terrain.board and options.battlefield_edge != "wall":
        return LEFT
    if ahead not in terrain.board or not terrain.free(ahead, here.level, here.level + 1):
        return None
    drop = bottom(terrain, ahead, here.level, options)
    return drop if drop < 0 or not is_step(drop * options.level_um) else None


def edges_beside(
    terrain: Terrain, here: Surface, fighter: Fighter, options: Options, shift: Shift = MIDDLE
) -> tuple[guards.Near, ...]:
    """Every edge beside one who is on a spot of a surface."""
    half, middle = fighter.base_um // 2, options.tile_um // 2
    return tuple(
        (max(0, middle - along(shift, side) - half), drop, side)
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
    """Chance of each fall in levels, 0 for none, PITFALL or LEFT, when an attack of a force hits.

    Moved off, one falls; Pinned within half an inch of an edge, one checks.
    """
    falls: dict[int, Fraction] = {}
    spots = stands(terrain, start, fighter, options) or (MIDDLE,)
    for inches, chance in shove_distances(force, fighter.strength).items():
        for shift in spots:
            ends = {0: Fraction(1)}
            if pinned(inches, options):
                end = shove(terrain, start, direction, inches, fighter, options, shift=shift)
                ends = falls_after(terrain, end, start.level - end.down, fighter, options)
            for fall, share in ends.items():
                falls[fall] = falls.get(fall, Fraction(0)) + chance * share / len(spots)
    return {fall: chance for fall, chance in sorted(falls.items()) if chance}


def falls_after(
    terrain: Terrain, end: Shoved, level: int, fighter: Fighter, options: Options
) -> dict[int, Fraction]:
    """Levels fallen, with chances, once a shove has ended."""
    if end.fall_levels is not None:
        return {end.fall_levels: Fraction(1)}
    here = Surface(end.tile, level)
    found = {0: Fraction(1)}
    for edge, chance in guards.falls(terrain.board, here, end.near, "forced", fighter, options):
        found[edge[1]] = found.get(edge[1], Fraction(0)) + chance
        found[0] -= chance
    return found


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
        fall if fall < 0 else fall_inches(fall * options.level_um): chance
        for fall, chance in fall_levels(terrain, start, direction, force, fighter, options).items()
    }

"""Knockback and Drag: distances, the end of the movement, falls over edges."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from typing import Literal

from falldamage_forge.board import Tile
from falldamage_forge.board.surfaces import Surface, Terrain
from falldamage_forge.games.any_angle import INCH_UM, root_up
from falldamage_forge.games.base_placement import MIDDLE, Shift
from falldamage_forge.games.gang_skirmish import cover_and_fields
from falldamage_forge.games.gang_skirmish.base_clearance import along, standing_offsets
from falldamage_forge.games.gang_skirmish.drops import (
    LEFT,
    PITFALL,
    drop_levels,
    edges_beside,
)
from falldamage_forge.games.gang_skirmish.formulas import fall_inches, is_step
from falldamage_forge.games.gang_skirmish.options import Fighter, GangSkirmishOptions
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.rules.argument_types import Um, Way

Target = Literal["fighter", "object", "heavy_object"]


def shove_distances(
    force: int, strength: int = 0, target: Target = "fighter"
) -> dict[int, Fraction]:
    """Return the probability of each knockback distance in inches.

    It is force + D3 minus resistance + D3, never below 0.

    Args:
        force: Strength of the attack, or the X of Drag (X).
        strength: Strength of the target fighter.
        target: Kind of the target.
    """
    resistance = {"fighter": strength, "object": 1, "heavy_object": 4}[target]
    counts: Counter[int] = Counter()
    for mine in (1, 2, 3):
        for its in (1, 2, 3):
            counts[max(0, force + mine - resistance - its)] += 1
    return {inches: Fraction(count, 9) for inches, count in sorted(counts.items())}


def pinned(distance_in: int, options: GangSkirmishOptions) -> bool:
    """True if a knockback distance pins its target (option `zero_pins`).

    Source: "If the Knockback Distance is 0 … unaffected".

    Args:
        distance_in: Length of the knockback in inches.
        options: Options of the ruleset.
    """
    return distance_in > 0 or options.zero_pins == "yes"


def wall_strength(distance_in: int, travelled_um: Um, options: GangSkirmishOptions) -> int:
    """Return the Strength of the hit by an obstruction (option `wall_strength`).

    Args:
        distance_in: Length of the knockback in inches.
        travelled_um: Length before the obstruction in um.
        options: Options of the ruleset.
    """
    if options.wall_strength == "computed":
        return distance_in
    return travelled_um // INCH_UM


def ends_engaged(separation_um: Um) -> bool:
    """True if a fighter that would end so far from an enemy's base is moved into contact."""
    return separation_um <= INCH_UM


def overhang_limit_um(base_um: Um, options: GangSkirmishOptions) -> Um:
    """Return how far a centre may be past a lip without falling (option `off_edge`).

    Args:
        base_um: Diameter of the base in um.
        options: Options of the ruleset.
    """
    return {"centre_past": 0, "any_overhang": -base_um // 2, "whole_base": base_um // 2 - 1}[
        options.off_edge
    ]


@dataclass(frozen=True, slots=True)
class KnockbackEnd:
    """End of knockback.

    Attributes:
        travelled_um: Distance travelled.
        tile: Tile of the last surface.
        fall_levels: Levels fallen; None for no fall.
        wall: Strength of the hit by an obstruction; None for no hit.
        near: Edges near the end: distance in um, levels down, side.
        down: Levels of free steps down on the way, which are not a fall.
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
    options: GangSkirmishOptions,
    stop_um: int | None = None,
    shift: Shift = MIDDLE,
) -> KnockbackEnd:
    """Return the end of knockback straight along a row or column.

    The edge of the board is a wall by default, and so is higher terrain. A base wider than a
    passage stops where it touches the side.

    Args:
        terrain: Terrain of the board.
        start: Surface of the fighter.
        direction: Direction.
        inches: Knockback distance.
        fighter: The fighter.
        options: Options of the ruleset.
        stop_um: Distance after which the base touches another and stops; None: never.
        shift: Offset of the fighter from the middle of its tile.
    """
    end, level = _shoved(terrain, start, direction, inches, fighter, options, stop_um, shift)
    return replace(end, down=start.level - level)


def _shoved(
    terrain: Terrain,
    start: Surface,
    direction: Way,
    inches: int,
    fighter: Fighter,
    options: GangSkirmishOptions,
    stop_um: int | None,
    shift: Shift,
) -> tuple[KnockbackEnd, int]:
    """Return the end, and the level of the last surface."""
    board, half = terrain.board, fighter.base_um // 2
    far = cover_and_fields.shoved_um(
        board, start, direction, inches * INCH_UM, fighter, options, shift
    )
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
                return KnockbackEnd(far, tile, LEFT), start.level
            break
        free = ahead in board and terrain.free(ahead, start.level, start.level + 1)
        if not free or cover_and_fields.blocks_knockback(
            board, Surface(tile, start.level), direction, options
        ):
            stop = max(0, lip - half)
            if far > stop:
                far, hit = stop, wall_strength(inches, stop, options)
            break
        drop = drop_levels(terrain, ahead, start.level, options)
        if drop != PITFALL and is_step(drop * options.level_um):
            if far <= lip:
                break
            tile, lip = ahead, lip + options.tile_um
            start = Surface(start.tile, start.level - drop)
            continue
        if far - lip > limit:
            return KnockbackEnd(far, tile, drop), start.level
        break
    here = Surface(tile, start.level)
    across = (shift[0] * abs(direction[1]), shift[1] * abs(direction[0]))
    past = options.tile_um // 2 - (lip - far)
    ends = (across[0] + past * direction[0], across[1] + past * direction[1])
    near = edges_beside(terrain, here, fighter, options, ends)
    return KnockbackEnd(far, tile, wall=hit, near=near), start.level


def _scraped_um(
    terrain: Terrain,
    start: Surface,
    direction: Way,
    far_um: Um,
    fighter: Fighter,
    options: GangSkirmishOptions,
    shift: Shift,
) -> Um | None:
    """Return the distance after which a base touches a solid beside its own row or column."""
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
    options: GangSkirmishOptions,
    taken: frozenset[Surface],
    shift: Shift = MIDDLE,
    other_um: Um | None = None,
) -> Um | None:
    """Return the distance after which a base touches another fighter's base; None: never.

    Args:
        start: Surface of the fighter.
        direction: Direction.
        fighter: The fighter.
        options: Options of the ruleset.
        taken: Surfaces of other fighters, in the middle of their tiles.
        shift: Offset of the fighter from the middle of its tile.
        other_um: Diameter of the other bases; None: the fighter's.
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
    end: KnockbackEnd,
    point: tuple[Um, Um],
    level: int,
    fighter: Fighter,
    options: GangSkirmishOptions,
    enemies: Iterable[Surface],
) -> tuple[KnockbackEnd, Surface | None]:
    """Return the end after moving into base contact, and the engaged enemy; None: none.

    Args:
        terrain: Terrain of the board.
        end: End of the knockback.
        point: Centre of the base at the end, in um south and east of the board's corner.
        level: Level at the end.
        fighter: The fighter.
        options: Options of the ruleset.
        enemies: Surfaces of enemies, with bases of the same size.

    Source: "Within 1'' of one or more enemy fighters they are instead moved into base contact".
    """
    near = []
    for enemy in enemies:
        its = cover_and_fields.middle_um(enemy.tile, options)
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
    middle = cover_and_fields.middle_um(tile, options)
    shift = (moved[0] - middle[0], moved[1] - middle[1])
    edges = edges_beside(terrain, Surface(tile, level), fighter, options, shift)
    return replace(end, tile=tile, near=edges), enemy


def fall_levels(
    terrain: Terrain,
    start: Surface,
    direction: Way,
    force: int,
    fighter: Fighter,
    options: GangSkirmishOptions,
) -> dict[int, Fraction]:
    """Return the probability of each fall in levels after an attack with knockback.

    0 is no fall; PITFALL and LEFT are special. A fighter moved over an edge falls; Pinned near an
    edge it checks.

    Args:
        terrain: Board with its levels and railings.
        start: Surface of the fighter.
        direction: Direction of the knockback.
        force: Strength of the attack in inches.
        fighter: Profile of the fighter.
        options: Options of the ruleset.
    """
    falls: dict[int, Fraction] = {}
    spots = standing_offsets(terrain, start, fighter, options) or (MIDDLE,)
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
    terrain: Terrain, end: KnockbackEnd, level: int, fighter: Fighter, options: GangSkirmishOptions
) -> dict[int, Fraction]:
    """Return the probability of each fall in levels after the end of knockback.

    Args:
        terrain: Board with its levels and railings.
        end: End of the knockback.
        level: Level on which it began.
        fighter: Profile of the fighter.
        options: Options of the ruleset.
    """
    if end.fall_levels is not None:
        return {end.fall_levels: Fraction(1)}
    here = Surface(end.tile, level)
    found = {0: Fraction(1)}
    for edge, chance in cover_and_fields.falls_while_prone(
        terrain.board, here, end.near, "forced", fighter, options
    ):
        found[edge[1]] = found.get(edge[1], Fraction(0)) + chance
        found[0] -= chance
    return found


def fall_chances(
    terrain: Terrain,
    start: Surface,
    direction: Way,
    force: int,
    fighter: Fighter,
    options: GangSkirmishOptions,
) -> dict[int, Fraction]:
    """Return `fall_levels` in inches, as the chart needs them.

    Args:
        terrain: Board with its levels and railings.
        start: Surface of the fighter.
        direction: Direction of the knockback.
        force: Strength of the attack in inches.
        fighter: Profile of the fighter.
        options: Options of the ruleset.
    """
    return {
        fall if fall < 0 else fall_inches(fall * options.level_um): chance
        for fall, chance in fall_levels(terrain, start, direction, force, fighter, options).items()
    }

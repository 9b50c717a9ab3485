"""Clearance of a fighter's base on a surface: in the middle, or off-centre."""

from __future__ import annotations

from falldamage_forge.board import Tile
from falldamage_forge.board.surfaces import Surface, Terrain
from falldamage_forge.games.base_placement import MIDDLE, Shift, candidate_offsets, covered_tiles
from falldamage_forge.games.gang_skirmish.options import Fighter, GangSkirmishOptions


def has_clearance(
    terrain: Terrain,
    surface: Surface,
    fighter: Fighter,
    options: GangSkirmishOptions,
    shift: Shift = MIDDLE,
) -> bool:
    """True if a base on a surface touches no solid.

    Args:
        terrain: Terrain of the board.
        surface: The surface.
        fighter: The fighter.
        options: Options of the ruleset.
        shift: Offset from the middle of the tile.
    """
    tile, level = surface
    over = (
        Tile(tile.row + row, tile.col + col)
        for row, col in covered_tiles(shift, fighter.base_um // 2, options.tile_um)
    )
    return all(terrain.free(near, level, level + 1) for near in over if near in terrain.board)


def standing_offsets(
    terrain: Terrain, surface: Surface, fighter: Fighter, options: GangSkirmishOptions
) -> tuple[Shift, ...]:
    """Return the offsets at which a fighter stands: the nearest to the middle with clearance.

    Several if they are equally near, none if the base has no clearance.

    Args:
        terrain: Board with its levels and railings.
        surface: Surface to stand on.
        fighter: Profile of the fighter.
        options: Options of the ruleset.
    """
    if fighter.base_um <= options.tile_um or options.wide == "centred":
        return (MIDDLE,) if has_clearance(terrain, surface, fighter, options) else ()
    for group in candidate_offsets(fighter.base_um // 2, options.tile_um):
        found = tuple(s for s in group if has_clearance(terrain, surface, fighter, options, s))
        if found:
            return found
    return ()


def along(shift: Shift, way: tuple[int, int]) -> int:
    """Return the distance in um of an offset from the middle of its tile along a direction.

    Args:
        shift: Offset of the base from the middle of its tile, in um.
        way: Direction as a step (row, column).
    """
    return shift[0] * way[0] + shift[1] * way[1]

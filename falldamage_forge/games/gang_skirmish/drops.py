"""Edges beside a fighter on a surface, and the levels down from them."""

from __future__ import annotations

from falldamage_forge.board import DIRECTIONS, Ground, Tile
from falldamage_forge.board.surfaces import Surface, Terrain
from falldamage_forge.games.base_placement import MIDDLE, Shift
from falldamage_forge.games.gang_skirmish.base_clearance import along
from falldamage_forge.games.gang_skirmish.formulas import is_step
from falldamage_forge.games.gang_skirmish.options import Fighter, GangSkirmishOptions
from falldamage_forge.rules.argument_types import Um

Side = tuple[int, int]
Near = tuple[Um, int, Side]
"""An edge: distance from the base, levels down (or PITFALL), and its side."""
PITFALL, LEFT = -1, -2
"""Special values of a fall's levels or inches: a Pitfall, and leaving the battlefield."""


def drop_levels(terrain: Terrain, tile: Tile, level: int, options: GangSkirmishOptions) -> int:
    """Return the levels down to the floor over a tile: 0 for floor, or PITFALL.

    Args:
        terrain: Terrain of the board.
        tile: The tile.
        level: Level from which the fall begins.
        options: Options of the rules; `pitfall` decides on lava.
    """
    floor = terrain.highest_below(tile, level)
    column = terrain.board.column(tile)
    lava = column.ground is Ground.LAVA and options.pitfall == "lava"
    pit = lava or (tile, column.level) in terrain.board.pits
    if pit and (floor is None or floor == column.level):
        return PITFALL
    return level - (floor or 0)


def drop_beside(
    terrain: Terrain, here: Surface, side: tuple[int, int], options: GangSkirmishOptions
) -> int | None:
    """Return `drop_levels` beside a surface; None for a wall, level floor and the board's edge.

    Args:
        terrain: Terrain of the board.
        here: Surface of the fighter.
        side: Direction as (d_row, d_col).
        options: Options of the rules.
    """
    ahead = here.tile.step(side)
    if ahead not in terrain.board and options.battlefield_edge != "wall":
        return LEFT
    if ahead not in terrain.board or not terrain.free(ahead, here.level, here.level + 1):
        return None
    drop = drop_levels(terrain, ahead, here.level, options)
    return drop if drop < 0 or not is_step(drop * options.level_um) else None


def edges_beside(
    terrain: Terrain,
    here: Surface,
    fighter: Fighter,
    options: GangSkirmishOptions,
    shift: Shift = MIDDLE,
) -> tuple[Near, ...]:
    """Return every edge beside a fighter on a surface.

    Args:
        terrain: Terrain of the board.
        here: Surface of the fighter.
        fighter: Base, stature and strength of the fighter.
        options: Options of the rules, with the size of a tile in µm.
        shift: Offset of the base from the middle of the tile in µm.

    Returns:
        Gap to the edge in µm, levels of the drop, and direction of each edge.
    """
    half, middle = fighter.base_um // 2, options.tile_um // 2
    return tuple(
        (max(0, middle - along(shift, side) - half), drop, side)
        for side in DIRECTIONS
        if (drop := drop_beside(terrain, here, side, options)) is not None
    )

"""Where a fighter's base has room: the middle of a surface, or a spot beside it."""

from __future__ import annotations

from falldamage_forge.board import Tile
from falldamage_forge.board.surfaces import Surface, Terrain
from falldamage_forge.games.gang_skirmish.options import Fighter, Options
from falldamage_forge.games.spots import MIDDLE, Shift, covered, shifts


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


def stands(
    terrain: Terrain, surface: Surface, fighter: Fighter, options: Options
) -> tuple[Shift, ...]:
    """The spots on which one stands who stands on a surface: the nearest to its middle with room.

    Several where they are equally near, none where a base has no room.
    """
    if fighter.base_um <= options.tile_um or options.wide == "centred":
        return (MIDDLE,) if fits(terrain, surface, fighter, options) else ()
    for group in shifts(fighter.base_um // 2, options.tile_um):
        found = tuple(s for s in group if fits(terrain, surface, fighter, options, s))
        if found:
            return found
    return ()


def along(shift: Shift, way: tuple[int, int]) -> int:
    """How far a spot lies along a direction from the middle of its tile, in um."""
    return shift[0] * way[0] + shift[1] * way[1]

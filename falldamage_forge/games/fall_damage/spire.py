"""Castle spires under a push.

Source: "Castle Spires block LOS and can be pushed like a unit. Spire is removed after being pushed.
If a Spire lands on a unit that unit receives 6 damage."
"""

from __future__ import annotations

from dataclasses import dataclass

from falldamage_forge.board import Feature, Tile
from falldamage_forge.board.surfaces import Surface, Terrain
from falldamage_forge.games.fall_damage.options import Options
from falldamage_forge.games.fall_damage.push import Push, way_of


@dataclass(frozen=True, slots=True)
class SpirePushed:
    """What a push does to a spire: whether it is gone, over which places it went, whom it hit."""

    gone: bool
    path: tuple[Surface, ...] = ()
    hit: Surface | None = None
    damage: int = 0


def push_spire(
    terrain: Terrain,
    attacker: Surface,
    tile: Tile,
    push: Push,
    options: Options,
    *,
    taken: frozenset[Surface] = frozenset(),
    way: tuple[int, int] | None = None,
) -> SpirePushed:
    """Push the spire on a tile. `taken` are the units' surfaces, the attacker's may be among them.

    ValueError when there is no spire, for a swap, and as `push.facing` for the way.
    """
    column = terrain.board.column(tile)
    if column.feature is not Feature.SPIRE:
        raise ValueError(f"there is no spire on {tile}")
    if push.direction == "F":
        raise ValueError("a spire cannot swap places; push it with B, R or L")
    foot = Surface(tile, column.level)
    offset = way_of(attacker, foot, push, options, way)
    if offset is None:
        return SpirePushed(False)
    return topple(terrain, tile, offset, push.tiles, options, taken=taken | {attacker})


def topple(
    terrain: Terrain,
    tile: Tile,
    way: tuple[int, int],
    tiles: int,
    options: Options,
    *,
    taken: frozenset[Surface] = frozenset(),
) -> SpirePushed:
    """Move a spire so many tiles along a (row, col) step, until something is in its way or it is
    over something lower, where it falls on who stands there.
    """
    level = terrain.board.column(tile).level
    path: list[Surface] = []
    for count in range(1, tiles + 1):
        spot = Surface(tile.step(way, count), level)
        if spot.tile not in terrain.board:
            return SpirePushed(bool(path) or options.edge == "void", tuple(path))
        if spot in taken:
            if options.spire_level == "hit":
                return SpirePushed(True, (*path, spot), spot, options.spire_damage)
            return SpirePushed(bool(path), tuple(path))
        if not terrain.free(spot.tile, level, level + 1):
            return SpirePushed(bool(path), tuple(path))
        below = terrain.highest_below(spot.tile, level)
        if below is not None and below < level:
            landing = Surface(spot.tile, below)
            hit = landing if landing in taken else None
            damage = options.spire_damage if hit else 0
            return SpirePushed(True, (*path, landing), hit, damage)
        path.append(spot)
    return SpirePushed(bool(path), tuple(path))

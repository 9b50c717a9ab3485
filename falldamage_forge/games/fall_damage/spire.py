"""Castle spires under a push.

Source: "Castle Spires block LOS and can be pushed like a unit. Spire is removed after being pushed.
If a Spire lands on a unit that unit receives 6 damage."
"""

from __future__ import annotations

from dataclasses import dataclass

from falldamage_forge.board import DIRECTIONS, Feature, Tile
from falldamage_forge.board.surfaces import Surface, Terrain
from falldamage_forge.games.fall_damage.engine.ground_state import crowd, open_state
from falldamage_forge.games.fall_damage.engine.push import roll
from falldamage_forge.games.fall_damage.options import Options
from falldamage_forge.games.fall_damage.play.spots import surface_of, tile_number
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
    s = open_state(terrain.board, options)
    with crowd(s, taken):
        moved, hit = roll(s, tile_number(tile), DIRECTIONS.index(way), tiles)
        struck = hit >= 0 and s.occupant[hit] >= 0
    path = tuple(map(surface_of, s.members[: s.slid]))
    damage = s.spire_damage if struck else 0
    return SpirePushed(moved > 0, path, surface_of(hit) if struck else None, damage)

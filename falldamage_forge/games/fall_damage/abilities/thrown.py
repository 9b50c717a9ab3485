"""Moved without moving: spring traps, catches, swaps, dives and winds.

Sources: the cards of Tinkerer, Space Mage and Wrestler; "Deity's Deals".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from falldamage_forge.board import Tile
from falldamage_forge.board.surfaces import Surface, SurfaceGraph, Terrain
from falldamage_forge.games.fall_damage.attack import tiles_apart, within
from falldamage_forge.games.fall_damage.falls import Fall, fall_damage_to, is_lava
from falldamage_forge.games.fall_damage.options import Options
from falldamage_forge.games.fall_damage.push import ANYBODY, Victim, slide_unit
from falldamage_forge.rules.answers import Pushed

SPRING_RISE, SPRING_TILES = 2, 4
ROPES_FACTOR = 2
"""Source: "damages them for that Fall Damage equivalent x2"."""


def fall_levels(high_mm: float, low_mm: float, tile_mm: float = 30) -> int:
    """Whole tiles between two heights: "105mm height would be rounded down to 90mm"."""
    return int(abs(high_mm - low_mm) // tile_mm)


# -- Spring Trap ---------------------------------------------------------------------------------


def spring_landings(
    graph: SurfaceGraph,
    trap: Surface,
    options: Options,
    *,
    taken: frozenset[Surface] = frozenset(),
    no_fall: bool = False,
) -> dict[Surface, int]:
    """Where a Spring Trap may throw whoever stands on it, with the damage of each landing.

    "thrown up 2 tiles vertically, and up to 4 tiles away of Tinkerer's choosing, including Fall
    Damage": any free surface at or below the top of the arc; damage is the drop from there.
    """
    apex = trap.level + SPRING_RISE
    return {
        surface: 0 if no_fall or graph.water(number) else apex - surface.level
        for number, surface in enumerate(graph.surfaces)
        if surface not in taken - {trap} and _within_arc(graph.terrain, trap, surface, options)
    }


def spring_deaths(graph: SurfaceGraph, trap: Surface, options: Options) -> frozenset[Surface]:
    """The lava that a Spring Trap may throw somebody into (option `spring_lava`)."""
    if options.spring_lava == "no":
        return frozenset()
    terrain = graph.terrain
    tops = (Surface(tile, graph.board.column(tile).level) for tile in graph.board.tiles())
    return frozenset(
        top for top in tops if is_lava(terrain, *top) and _within_arc(terrain, trap, top, options)
    )


def _within_arc(terrain: Terrain, trap: Surface, landing: Surface, options: Options) -> bool:
    """In reach of the throw, at or below its top, with room above both ends."""
    rows = landing.tile.row - trap.tile.row
    cols = landing.tile.col - trap.tile.col
    apex = trap.level + SPRING_RISE
    near = (rows, cols) == (0, 0) or within(rows, cols, SPRING_TILES, options)
    return (
        landing.level <= apex
        and near
        and terrain.free(landing.tile, landing.level, apex + 1)
        and terrain.free(trap.tile, trap.level, apex + 1)
        and (options.spring_arc == "free" or _arc_clear(terrain, trap, landing, apex))
    )


def _arc_clear(terrain: Terrain, trap: Surface, landing: Surface, apex: int) -> bool:
    """Whether the flight at the arc's top meets nothing solid over the tiles crossed."""
    from falldamage_forge.games.fall_damage.sight import crossed

    return all(
        terrain.free(tile, apex, apex + 1) for tile, _, _ in crossed(trap.tile, landing.tile)
    )


# -- Space Mage ----------------------------------------------------------------------------------


def catch(
    graph: SurfaceGraph,
    mage: Surface,
    target: Surface,
    taken: frozenset[Surface],
    options: Options,
) -> Surface | None:
    """Where a Catch puts an enemy: "equal distance behind you"; None when there is no place.

    The highest free surface of the mirrored tile, or the nearest in level (option `catch_level`);
    under `fall` the place it comes down to.
    """
    fall = caught(graph, mage, target, taken, options)
    return fall.end if fall else None


def caught(
    graph: SurfaceGraph,
    mage: Surface,
    target: Surface,
    taken: frozenset[Surface],
    options: Options,
    victim: Victim = ANYBODY,
) -> Fall | None:
    """What a Catch does; None where it cannot be made. A fall that it causes is a mage's."""
    tile = Tile(2 * mage.tile.row - target.tile.row, 2 * mage.tile.col - target.tile.col)
    if tile not in graph.board:
        return None
    if options.catch_level == "fall":
        return _caught_in_the_air(graph.terrain, Surface(tile, target.level), taken, victim)
    free = [
        Surface(tile, level)
        for level in graph.terrain.standable(tile)
        if Surface(tile, level) not in taken - {target}
    ]
    if options.catch_level == "nearest":
        free.sort(key=lambda surface: (-abs(surface.level - target.level), surface.level))
    return Fall(free[-1]) if free else None


def _caught_in_the_air(
    terrain: Terrain, spot: Surface, taken: frozenset[Surface], victim: Victim
) -> Fall | None:
    """It keeps its level behind the mage, and falls from there."""
    below = terrain.highest_below(*spot)
    if below is None or spot in taken or not terrain.free(spot.tile, spot.level, spot.level + 1):
        return None
    if is_lava(terrain, spot.tile, below) and not victim.no_lava:
        return Fall(None)
    end = Surface(spot.tile, below)
    if end in taken or below not in terrain.standable(spot.tile):
        return None
    return Fall(end, fall_damage_to(terrain, spot.level, end, victim, mage=True))


def swapped(one: Surface, other: Surface) -> dict[Surface, Fall]:
    """ "Swap 2 units": each stands where the other stood, so nobody falls."""
    return {one: Fall(other), other: Fall(one)}


# -- Wrestler ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Dive:
    """Where a dive ends, and the damage to each enemy it hits; no end when it may not be made."""

    end: Surface | None
    hit: dict[Surface, int]


def top_ropes(
    graph: SurfaceGraph,
    take_off: Surface,
    target: Surface,
    enemies: frozenset[Surface],
    options: Options,
    *,
    friends: frozenset[Surface] = frozenset(),
    jump: int = 2,
) -> Dive:
    """Wrestler: "Dropping off a ledge to a tile on or adjacent to enemies damages them" twice.

    On to an enemy, the Wrestler comes down on the free surface next to it that lies nearest in
    height, never back on its take-off (option `top_ropes_on`); without one, or where that is
    forbidden, there is no dive. Enemies next to the tile are hit up to one level off.
    """
    drop = take_off.level - target.level
    if drop <= 0 or target in friends:
        return Dive(None, {})
    end: Surface | None = target
    if target in enemies:
        taken = enemies | friends | {take_off}
        beside = [
            surface
            for surface in graph.surfaces
            if tiles_apart(surface, target) == 1
            and surface not in taken
            and surface.level <= take_off.level
        ]
        end = min(beside, key=lambda s: (abs(s.level - target.level), s.level, s), default=None)
        if end is None or options.top_ropes_on == "forbidden":
            return Dive(None, {})
    counted = drop if options.top_ropes_damage == "full" else max(drop - jump, 0)
    hit = {
        enemy: ROPES_FACTOR * counted
        for enemy in sorted(enemies)
        if counted
        and tiles_apart(enemy, target) <= 1
        and (options.top_ropes_levels == "any" or abs(enemy.level - target.level) <= 1)
    }
    return Dive(end, hit)


# -- winds ---------------------------------------------------------------------------------------


def wind(
    terrain: Terrain,
    units: Mapping[Surface, Victim],
    way: tuple[int, int],
    options: Options,
    *,
    others: frozenset[Surface] = frozenset(),
) -> Iterator[tuple[Surface, Pushed]]:
    """Southern and Northern Wind: one side's units pushed 1, the farthest along the way first.

    `others` are the units that the wind leaves alone. It pushes up only under `wind_climb`.
    """
    order = sorted(units, key=lambda at: -(at.tile.row * way[0] + at.tile.col * way[1]))
    standing = set(units) | others
    for at in order:
        level = at.level if options.wind_climb == "yes" else None
        pushed = slide_unit(
            terrain, at, way, 1, options,
            taken=frozenset(standing - {at}), victim=units[at], attacker_level=level,
        )  # fmt: skip
        standing.discard(at)
        if pushed.end is not None:
            standing.add(pushed.end)
        yield at, pushed

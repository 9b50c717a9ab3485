"""Pushes of units and spires."""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import State
from falldamage_forge.games.fall_damage.engine.effect_stack import owe
from falldamage_forge.games.fall_damage.engine.effects import harm, kill, put, reap
from falldamage_forge.games.fall_damage.engine.falls import owe_rests, settle_land
from falldamage_forge.games.fall_damage.engine.surface_index import cols_between, rows_between
from falldamage_forge.games.fall_damage.engine.terrain_state import (
    changed,
    free,
    highest_below,
    lava,
    mark,
    stands,
)
from falldamage_forge.games.fall_damage.engine.unit_stats import fixed, has


def front(attacker: int, target: int) -> int:
    """Way (0 north to 3 west) a unit on one surface faces another; -1: on one tile."""
    rows, cols = rows_between(attacker, target), cols_between(attacker, target)
    if rows == 0 and cols == 0:
        return -1
    if abs(cols) >= abs(rows):
        return 1 if cols > 0 else 3
    return 2 if rows > 0 else 0


def way_between(attacker: int, target: int, letter: int) -> int:
    """Direction of a push from one surface on another; -1: none."""
    facing = front(attacker, target)
    if facing < 0:
        return -1
    if letter == C.RIGHT:
        return (facing + 1) & 3
    return (facing + 3) & 3 if letter == C.LEFTWARD else facing


def slide(
    s: State,
    o: int,
    stood: int,
    way: int,
    tiles: int,
    level: int,
    mage: int,
    no_fall: int,
    no_lava: int,
    crowd: int,
) -> tuple[int, int, bool]:
    """Where a push ends: (spot, damage, dead). `crowd` says whether others are in the way; a level
    of -1 that nobody is pushed up.
    """
    at, damage, start = stood, 0, stood & 15
    climbs = 0 <= level <= start
    for _ in range(tiles):
        near = s.near[(o + (at >> 4)) * 4 + way]
        if near < 0:
            break
        z = at & 15
        blocked = crowd and s.occupant[near << 4 | z] >= 0 and (near << 4 | z) != stood
        if blocked or not free(s, o, near, z, z + 1):
            up = z + 1
            if not climbs or blocked or not rises(s, o, near, z):
                break
            if crowd and up < 16 and s.occupant[near << 4 | up] >= 0 and near << 4 | up != stood:
                break
            if not free(s, o, at >> 4, z, z + 2) or not free(s, o, near, up, up + 1):
                break
            to = near << 4 | up
            if lava(s, o, to) and not no_lava:
                return at, damage, True
            if not stands(s, o, to) and not (no_lava and lava(s, o, to)):
                break
            at = to
            continue
        to, dead = come_down(s, o, near, z, way, stood, no_lava, crowd)
        if dead:
            return at, damage, True
        if to < 0:
            break
        drop = z - (to & 15)
        ground = o + (to >> 4)
        level_there = s.level[ground] + s.bricks[ground]
        water = s.kind[ground] == C.WATER and s.bricks[ground] == 0
        at = to
        if drop > 0 and not no_fall and not (water and level_there == to & 15):
            damage += drop + (2 if mage else 0)
    return at, damage, False


def rises(s: State, o: int, tile: int, z: int) -> bool:
    """Whether the obstacle at body height ends exactly one level up."""
    at = o + tile
    return s.top[at] == z + 1 or s.decks[at] >> (z + 1) & 1 == 1


def come_down(
    s: State, o: int, tile: int, z: int, way: int, stood: int, no_lava: int, crowd: int
) -> tuple[int, bool]:
    """Onto the highest top at or below, or on over what cannot be occupied: (spot, dead)."""
    while True:
        landing = highest_below(s, o, tile, z)
        to = tile << 4 | landing
        is_lava = lava(s, o, to)
        if is_lava and not no_lava:
            return -1, True
        taken = crowd and s.occupant[to] >= 0 and to != stood
        if (stands(s, o, to) or is_lava) and not taken:
            return to, False
        tile = s.near[(o + tile) * 4 + way]
        if tile < 0 or not free(s, o, tile, z, z + 1):
            return -1, False
        if crowd and s.occupant[tile << 4 | z] >= 0 and (tile << 4 | z) != stood:
            return -1, False


def push(
    s: State, i: int, way: int, tiles: int, level: int, mage: int, stood: int, by: int
) -> None:
    """Push a unit that still stands where it stood."""
    if s.spot[i] != stood or stood < 0 or way < 0 or tiles <= 0 or fixed(s, i):
        return
    no_lava = s.discorporate[i] == 1
    end, damage, dead = slide(
        s, C.GROUND, stood, way, tiles, level, mage, has(s, i, C.NO_FALL), no_lava, C.YES
    )
    if dead:
        put(s, i, end)
        kill(s, i, C.BY_LAVA, by)
        return
    if end == stood:
        return
    put(s, i, end)
    harm(s, i, damage, C.BY_FALL, by)
    reap(s)
    if s.spot[i] >= 0:
        owe(s, C.REST, i, 0)


def push_spire(s: State, tile: int, way: int, tiles: int, by: int) -> None:
    """A spire goes tile by tile until something stops it, or comes down on who is below."""
    if way < 0:
        return
    o = C.GROUND
    level = s.level[o + tile]
    at, moved, hit = tile, 0, -1
    for _ in range(tiles):
        near = s.near[(o + at) * 4 + way]
        if near < 0 or not free(s, o, near, level, level + 1):
            break
        if s.occupant[near << 4 | level] >= 0:
            break
        at, moved = near, moved + 1
        below = highest_below(s, o, near, level)
        if 0 <= below < level:
            hit = near << 4 | below
            break
    if moved == 0:
        return
    mark(s, tile)
    s.feature[o + tile] = 0
    changed(s, tile)
    living = settle_land(s, C.NO, C.NONE)
    struck = s.occupant[hit] if hit >= 0 else -1
    if struck >= 0:
        harm(s, struck, s.heights[3], C.BY_OTHER, by)
        reap(s)
    owe_rests(s, living)

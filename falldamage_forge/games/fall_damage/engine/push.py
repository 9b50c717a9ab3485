"""Pushes of units and spires."""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import State
from falldamage_forge.games.fall_damage.engine.effect_stack import note, owe
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


def other_front(s: State, attacker: int, target: int) -> int:
    """The other way an attacker may face on an exact diagonal (option `push_diag`); -1: none."""
    rows, cols = rows_between(attacker, target), cols_between(attacker, target)
    if not s.push_diag or rows == 0 or abs(rows) != abs(cols):
        return -1
    return 2 if rows > 0 else 0


def way_between(attacker: int, target: int, letter: int, chosen: int = -1) -> int:
    """Direction of a push from one surface on another; -1: none. `chosen` is how one faces."""
    facing = chosen if chosen >= 0 else front(attacker, target)
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
) -> tuple[int, int, int]:
    """Where a push ends: (spot, damage, how it lives or dies). `crowd` says whether others are in
    the way; a level of -1 that nobody is pushed up. The tiles passed are left in `members`.
    """
    at, damage, left, fell, count = stood, 0, tiles, False, 0
    s.slid = 0
    while left > 0:
        left -= 1
        if fell and s.push_after_fall:
            break
        near = s.near[(o + (at >> 4)) * 4 + way]
        if near < 0:
            if s.edge:
                return at, damage, C.OFF_BOARD
            break
        z = at & 15
        climbs = 0 <= level <= (z if s.climb_judged else stood & 15)
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
                return at, damage, C.IN_LAVA
            if not stands(s, o, to) and not (no_lava and lava(s, o, to)):
                break
            at = to
            s.members[count], count = at, count + 1
            s.slid = count
            continue
        if s.push_fall and left > 0:
            at = near << 4 | z
            s.members[count], count = at, count + 1
            s.slid = count
            if highest_below(s, o, near, z) == z and lava(s, o, at) and not no_lava:
                return at, damage, C.IN_LAVA
            continue
        to, left = come_down(s, o, near, z, way, stood, no_lava, crowd, left)
        if to < 0:
            if to == C.NOWHERE:
                break
            return at, damage, C.IN_LAVA if to == C.KILLED else C.OFF_BOARD
        drop = z - (to & 15)
        fell = fell or drop > 0
        damage += drop_damage(s, o, to, drop, mage, no_fall, damage)
        at = to
        s.members[count], count = at, count + 1
        s.slid = count
    if s.push_fall:
        return hover_down(s, o, stood, count, at, mage, no_fall, no_lava, crowd, damage)
    return at, damage, C.SURVIVES


def drop_damage(s: State, o: int, to: int, drop: int, mage: int, no_fall: int, before: int) -> int:
    """What a drop in a push does: none into water."""
    at = o + (to >> 4)
    water = s.kind[at] == C.WATER and s.level[at] + s.bricks[at] == to & 15 and s.bricks[at] == 0
    if drop <= 0 or no_fall or water:
        return 0
    return drop + (C.MAGE_BONUS if mage and (not s.mage_bonus or before == 0) else 0)


def hover_down(
    s: State,
    o: int,
    stood: int,
    count: int,
    last: int,
    mage: int,
    no_fall: int,
    no_lava: int,
    crowd: int,
    damage: int,
) -> tuple[int, int, int]:
    """With `push_fall hover`, a unit that was stopped in the air falls now; where it cannot come
    down it was not pushed that far.
    """
    for n in range(count, -1, -1):
        at = s.members[n - 1] if n > 0 else stood
        tile, z = at >> 4, at & 15
        landing = highest_below(s, o, tile, z)
        to = tile << 4 | landing
        if landing >= 0 and lava(s, o, to) and not no_lava:
            return last, damage, C.IN_LAVA
        good = landing >= 0 and (stands(s, o, to) or (no_lava and lava(s, o, to)))
        if good and not (crowd and s.occupant[to] >= 0 and to != stood):
            if to != at:
                damage += drop_damage(s, o, to, z - landing, mage, no_fall, damage)
                s.members[s.slid] = to
                s.slid += 1
            return to, damage, C.SURVIVES
    return last, damage, C.SURVIVES


def rises(s: State, o: int, tile: int, z: int) -> bool:
    """Whether the obstacle at body height ends exactly one level up."""
    at = o + tile
    return s.top[at] == z + 1 or s.decks[at] >> (z + 1) & 1 == 1


def come_down(
    s: State, o: int, tile: int, z: int, way: int, stood: int, no_lava: int, crowd: int, left: int
) -> tuple[int, int]:
    """Onto the highest top at or below, or on over what cannot be occupied: (spot, what is left).

    Those tiles are no part of the push, or of what is left of it (option `slide_cost`).
    """
    whole = left
    while True:
        landing = highest_below(s, o, tile, z)
        to = tile << 4 | landing
        is_lava = lava(s, o, to)
        if is_lava and not no_lava:
            return C.KILLED, left
        taken = crowd and s.occupant[to] >= 0 and to != stood
        if (stands(s, o, to) or is_lava) and not taken:
            return to, left
        if s.slide_cost:
            if left == 0:
                return C.NOWHERE, whole
            left -= 1
        tile = s.near[(o + tile) * 4 + way]
        if tile < 0:
            return C.OVER_EDGE if s.edge else C.NOWHERE, whole
        if not free(s, o, tile, z, z + 1):
            return C.NOWHERE, whole
        if crowd and s.occupant[tile << 4 | z] >= 0 and (tile << 4 | z) != stood:
            return C.NOWHERE, whole


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
    for k in range(s.slid if s.tell else 0):
        note(s, C.E_SLIDE, i, s.members[k])
    if dead:
        put(s, i, end)
        kill(s, i, C.BY_LAVA if dead == C.IN_LAVA else C.BY_FALL, by)
        return
    if end == stood:
        return
    put(s, i, end)
    note(s, C.E_PUSHED, i, stood, end, damage, by)
    harm(s, i, damage, C.BY_FALL, by)
    reap(s)
    if s.spot[i] >= 0:
        owe(s, C.REST, i, 0)


def roll(s: State, tile: int, way: int, tiles: int) -> tuple[int, int]:
    """How a spire goes tile by tile until something stops it, or it comes down: (how far, hit).

    `hit` is where it comes down on who is there, -1: nowhere. Places passed are left in `members`.
    """
    o = C.GROUND
    level = s.level[o + tile]
    at, moved, hit = tile, 0, -1
    s.slid = 0
    for _ in range(tiles):
        near = s.near[(o + at) * 4 + way]
        if near < 0:
            moved += s.edge
            break
        spot = near << 4 | level
        if not free(s, o, near, level, level + 1):
            break
        if s.occupant[spot] >= 0 and not s.spire_level:
            break
        below = highest_below(s, o, near, level)
        if s.occupant[spot] >= 0:
            hit = spot
        elif 0 <= below < level:
            hit = near << 4 | below
        at, moved = near, moved + 1
        s.members[s.slid] = spot if hit < 0 else hit
        s.slid += 1
        if hit >= 0:
            break
    return moved, hit


def push_spire(s: State, tile: int, way: int, tiles: int, by: int) -> None:
    """A spire goes, and hurts on whom it comes down."""
    if way < 0:
        return
    moved, hit = roll(s, tile, way, tiles)
    if moved == 0:
        return
    note(s, C.E_SPIRE, tile, s.members[s.slid - 1] >> 4 if s.slid > 0 else tile, by)
    mark(s, tile)
    s.feature[C.GROUND + tile] = 0
    changed(s, tile)
    living = settle_land(s, C.NO, C.NONE)
    struck = s.occupant[hit] if hit >= 0 else -1
    if struck >= 0:
        harm(s, struck, s.spire_damage, C.BY_OTHER, by)
        reap(s)
    owe_rests(s, living)

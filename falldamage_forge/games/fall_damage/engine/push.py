"""Pushes of units and spires."""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine import effects, terrain_state
from falldamage_forge.games.fall_damage.engine.columns import StateColumns
from falldamage_forge.games.fall_damage.engine.falls import owe_rests, settle_land
from falldamage_forge.games.fall_damage.engine.surface_index import cols_between, rows_between
from falldamage_forge.games.fall_damage.engine.unit_stats import has_ability, is_immovable, number


def front(attacker: int, target: int) -> int:
    """Return the direction in which a unit faces a target; -1: both on one tile.

    Args:
        attacker: Surface index of the attacker.
        target: Surface index of the target.
    """
    rows, cols = rows_between(attacker, target), cols_between(attacker, target)
    if rows == 0 and cols == 0:
        return -1
    if abs(cols) >= abs(rows):
        return 1 if cols > 0 else 3
    return 2 if rows > 0 else 0


def other_front(s: StateColumns, attacker: int, target: int) -> int:
    """Return an attacker's second facing on an exact diagonal (option `push_diag`); -1: none.

    Args:
        s: State of the game; read only.
        attacker: Surface index of the attacker.
        target: Surface index of the target.
    """
    rows, cols = rows_between(attacker, target), cols_between(attacker, target)
    if not s.push_diag or rows == 0 or abs(rows) != abs(cols):
        return -1
    return 2 if rows > 0 else 0


def push_direction(attacker: int, target: int, letter: int, chosen: int = -1) -> int:
    """Return the direction of a push; -1: none.

    Args:
        attacker: Surface of the attacker.
        target: Surface of the target.
        letter: Letter of the push, such as `codes.BACK`.
        chosen: Facing that the player chose; -1 for none.

    Source: "Direction is in relation to the attacker's position."
    """
    facing = chosen if chosen >= 0 else front(attacker, target)
    if facing < 0:
        return -1
    if letter == C.RIGHT:
        return (facing + 1) & 3
    return (facing + 3) & 3 if letter == C.LEFTWARD else facing


def slide(
    s: StateColumns,
    o: int,
    stood: int,
    way: int,
    tiles: int,
    level: int,
    extra: int,
    no_fall: int,
    no_lava: int,
    crowd: int,
) -> tuple[int, int, int]:
    """Return the end of a push: surface, damage, and how it ends (`codes.SURVIVES` ...).

    The passed surfaces are left in `members`; lava on which the unit dies is the last of them.

    Args:
        s: State of the game; only work columns change.
        o: Start of the tile columns: 0 for the terrain now, `s.base` for the map's own.
        stood: Surface on which the push starts.
        way: Direction: 0 north, 1 east, 2 south, 3 west.
        tiles: Length in tiles.
        level: Attacker's level; -1: the push never leads up.
        extra: Additional damage of each fall (mages).
        no_fall: 1 if the unit takes no fall damage.
        no_lava: 1 if lava does not harm it.
        crowd: 1 if other units block.

    Source: "Pushed vertically up to one height per tile but only if the Attacker is either below,
        or on the same level as them.", "Instant death when pushed onto tile."
    """
    at, damage, left, fell = stood, 0, tiles, False
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
        if blocked or not terrain_state.free(s, o, near, z, z + 1):
            up = z + 1
            if not climbs or blocked or not rises(s, o, near, z):
                break
            if crowd and up < 16 and s.occupant[near << 4 | up] >= 0 and near << 4 | up != stood:
                break
            if not terrain_state.free(s, o, at >> 4, z, z + 2) or not terrain_state.free(
                s, o, near, up, up + 1
            ):
                break
            to = near << 4 | up
            if terrain_state.lava(s, o, to) and not no_lava:
                pass_over(s, to)
                return at, damage, C.IN_LAVA
            if not terrain_state.stands(s, o, to) and not (
                no_lava and terrain_state.lava(s, o, to)
            ):
                break
            at = to
            pass_over(s, at)
            continue
        if s.push_fall and left > 0:
            at = near << 4 | z
            pass_over(s, at)
            if (
                terrain_state.highest_below(s, o, near, z) == z
                and terrain_state.lava(s, o, at)
                and not no_lava
            ):
                return at, damage, C.IN_LAVA
            continue
        to, left = resolve_fall(s, o, near, z, way, stood, no_lava, crowd, left)
        if to < 0:
            if to == C.NOWHERE:
                break
            return at, damage, C.IN_LAVA if to == C.KILLED else C.OFF_BOARD
        drop = z - (to & 15)
        fell = fell or drop > 0
        damage += drop_damage(s, o, to, drop, extra, no_fall, damage)
        at = to
        pass_over(s, at)
    if s.push_fall:
        return hover_down(s, o, stood, at, extra, no_fall, no_lava, crowd, damage)
    return at, damage, C.SURVIVES


def pass_over(s: StateColumns, spot: int) -> None:
    """Append a surface to those that a push passes.

    Args:
        s: State of the game; only work columns change.
        spot: Surface index.
    """
    s.members[s.slid] = spot
    s.slid += 1


def drop_damage(
    s: StateColumns, o: int, to: int, drop: int, extra: int, no_fall: int, before: int
) -> int:
    """Return the damage of a drop during a push; none into water.

    Args:
        s: State of the game; read only.
        o: Start of the tile columns: 0 for the terrain now, `s.base` for the map's own.
        to: Surface index of the landing.
        drop: Levels dropped.
        extra: Damage that a mage adds.
        no_fall: 1 if the unit takes no fall damage.
        before: Damage of the earlier drops of this push (option `mage_bonus`).
    """
    at = o + (to >> 4)
    water = s.kind[at] == C.WATER and s.level[at] + s.bricks[at] == to & 15 and s.bricks[at] == 0
    if drop <= 0 or no_fall or water:
        return 0
    return drop + (extra if not s.mage_bonus or before == 0 else 0)


def hover_down(
    s: StateColumns,
    o: int,
    stood: int,
    last: int,
    extra: int,
    no_fall: int,
    no_lava: int,
    crowd: int,
    damage: int,
) -> tuple[int, int, int]:
    """Drop a unit that a push has left in the air (option `push_fall` = `hover`).

    If it cannot land there, the push ends earlier.

    Args:
        s: State of the game; only work columns change.
        o: Start of the tile columns: 0 for the terrain now, `s.base` for the map's own.
        stood: Surface index at which the push began.
        last: Surface index at which the unit hangs.
        extra: Damage that a mage adds.
        no_fall: 1 if the unit takes no fall damage.
        no_lava: 1 if lava does not kill the unit.
        crowd: 1 if other units are in the way.
        damage: Damage of the push so far.

    Returns:
        Surface index of the end, damage, and `codes.SURVIVES` or `codes.IN_LAVA`.
    """
    for n in range(s.slid, -1, -1):
        at = s.members[n - 1] if n > 0 else stood
        tile, z = at >> 4, at & 15
        landing = terrain_state.highest_below(s, o, tile, z)
        to = tile << 4 | landing
        if landing >= 0 and terrain_state.lava(s, o, to) and not no_lava:
            if to != at:
                pass_over(s, to)
            return last, damage, C.IN_LAVA
        good = landing >= 0 and (
            terrain_state.stands(s, o, to) or (no_lava and terrain_state.lava(s, o, to))
        )
        if good and not (crowd and s.occupant[to] >= 0 and to != stood):
            if to != at:
                damage += drop_damage(s, o, to, z - landing, extra, no_fall, damage)
                pass_over(s, to)
            return to, damage, C.SURVIVES
    return last, damage, C.SURVIVES


def rises(s: StateColumns, o: int, tile: int, z: int) -> bool:
    """True if the obstacle at body height ends exactly one level up.

    Args:
        s: State of the game; read only.
        o: Start of the tile columns: 0 for the terrain now, `s.base` for the map's own.
        tile: Tile number.
        z: Level of the pushed unit.
    """
    at = o + tile
    return s.top[at] == z + 1 or s.decks[at] >> (z + 1) & 1 == 1


def resolve_fall(
    s: StateColumns,
    o: int,
    tile: int,
    z: int,
    way: int,
    stood: int,
    no_lava: int,
    crowd: int,
    left: int,
) -> tuple[int, int]:
    """Return the landing of a fall and the tiles left of the push.

    A unit that cannot stay on a landing slides on; those tiles do not count as pushed, unless
    option `slide_cost` says so.

    Args:
        s: State of the game; only work columns change.
        o: Start of the tile columns: 0 for the terrain now, `s.base` for the map's own.
        tile: Tile number over which the unit falls.
        z: Level from which it falls.
        way: Direction of the push: 0 north, 1 east, 2 south, 3 west.
        stood: Surface index at which the push began.
        no_lava: 1 if lava does not kill the unit.
        crowd: 1 if other units are in the way.
        left: Tiles left of the push.

    Source: "keeps sliding in that direction until they reach a available tile, otherwise they are
        not Pushed."
    """
    whole = left
    while True:
        landing = terrain_state.highest_below(s, o, tile, z)
        to = tile << 4 | landing
        is_lava = terrain_state.lava(s, o, to)
        if is_lava and not no_lava:
            pass_over(s, to)
            return C.KILLED, left
        taken = crowd and s.occupant[to] >= 0 and to != stood
        if (terrain_state.stands(s, o, to) or is_lava) and not taken:
            return to, left
        if s.slide_cost:
            if left == 0:
                return C.NOWHERE, whole
            left -= 1
        tile = s.near[(o + tile) * 4 + way]
        if tile < 0:
            return C.OVER_EDGE if s.edge else C.NOWHERE, whole
        if not terrain_state.free(s, o, tile, z, z + 1):
            return C.NOWHERE, whole
        if crowd and s.occupant[tile << 4 | z] >= 0 and (tile << 4 | z) != stood:
            return C.NOWHERE, whole


def push(
    s: StateColumns, i: int, way: int, tiles: int, level: int, mage: int, stood: int, by: int
) -> None:
    """Push a unit, if it still stands on the surface `stood`.

    Args:
        s: State of the game; changed.
        i: Index of the pushed unit.
        way: Direction: 0 north, 1 east, 2 south, 3 west.
        tiles: Length of the push in tiles; 0 and less do nothing.
        level: Level of the pusher.
        mage: 1 if a mage pushes, which adds to fall damage.
        stood: Surface index of the unit when the push was stacked.
        by: Index of the pusher; -1 for none.
    """
    if s.spot[i] != stood or stood < 0 or way < 0 or tiles <= 0 or is_immovable(s, i):
        return
    no_lava = s.discorporate[i] == 1
    extra = number(s, C.MAGE, C.A_AMOUNT) if mage else 0
    end, damage, dead = slide(
        s, C.GROUND, stood, way, tiles, level, extra, has_ability(s, i, C.NO_FALL), no_lava, C.YES
    )
    for k in range(s.slid if s.tell else 0):
        effects.emit_event(s, C.E_SLIDE, i, s.members[k])
    if dead:
        effects.put(s, i, end)
        if dead == C.IN_LAVA:
            effects.kill(s, i, C.BY_LAVA, by, s.members[s.slid - 1])
        else:
            effects.kill(s, i, C.BY_FALL, by, C.OVER_EDGE)
        return
    if end == stood:
        return
    effects.put(s, i, end)
    effects.emit_event(s, C.E_PUSHED, i, stood, end, damage, by)
    effects.deal_damage(s, i, damage, C.BY_FALL, by)
    effects.remove_dead(s)
    if s.spot[i] >= 0:
        effects.push_task(s, C.REST, i, 0)


def roll(s: StateColumns, tile: int, way: int, tiles: int) -> tuple[int, int]:
    """Return how far a pushed spire moves, and the occupied surface that it hits; -1: none.

    The passed surfaces are left in `members`.

    Args:
        s: State of the game; only work columns change.
        tile: Tile of the spire.
        way: Direction: 0 north, 1 east, 2 south, 3 west.
        tiles: Length of the push in tiles.
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
        if not terrain_state.free(s, o, near, level, level + 1):
            break
        if s.occupant[spot] >= 0 and not s.spire_level:
            break
        below = terrain_state.highest_below(s, o, near, level)
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


def push_spire(s: StateColumns, tile: int, way: int, tiles: int, by: int) -> None:
    """Push a spire and deal its damage where it lands.

    Args:
        s: State of the game; changed.
        tile: Tile of the spire.
        way: Direction; -1: nothing happens.
        tiles: Length of the push in tiles.
        by: The attacker.

    Source: "Spire is removed after being pushed. If a Spire lands on a unit that unit receives 6
        damage."
    """
    if way < 0:
        return
    moved, hit = roll(s, tile, way, tiles)
    if moved == 0:
        return
    effects.emit_event(s, C.E_SPIRE, tile, s.members[s.slid - 1] >> 4 if s.slid > 0 else tile, by)
    terrain_state.mark(s, tile)
    s.feature[C.GROUND + tile] = 0
    terrain_state.changed(s, tile)
    living = settle_land(s, C.NO, C.NONE)
    struck = s.occupant[hit] if hit >= 0 else -1
    if struck >= 0:
        effects.deal_damage(s, struck, s.spire_damage, C.BY_OTHER, by)
        effects.remove_dead(s)
    owe_rests(s, living)

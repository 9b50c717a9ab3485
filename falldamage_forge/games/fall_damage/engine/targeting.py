"""Legal targets by reach, height and line of sight."""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine import surface_index, unit_stats
from falldamage_forge.games.fall_damage.engine.columns import StateColumns
from falldamage_forge.games.fall_damage.engine.line_of_sight import fogged, in_sight, open_line
from falldamage_forge.games.fall_damage.engine.terrain_state import free


def can_attack_surface(s: StateColumns, i: int, spot: int) -> bool:
    """True if a unit's plain Attack reaches and sees a surface.

    Args:
        s: State of the game; read only.
        i: Index of the attacker.
        spot: Surface index.
    """
    reach = unit_stats.reach_of(s, i)
    if reach <= 1:
        return surface_index.melee_near(s, s.spot[i], spot, s.diagonal[i])
    if not surface_index.in_reach(s, s.spot[i], spot, reach):
        return False
    return not attack_needs_sight(s, i) or in_sight(s, s.spot[i], spot)


def attack_needs_sight(s: StateColumns, i: int) -> bool:
    """True if a plain Attack needs a line of sight (option `los_free`).

    Args:
        s: State of the game; read only.
        i: Index of the attacker.
    """
    if s.no_sight_needed[i] or s.free_sight >> C.FREE_ATTACK & 1:
        return False
    return not (s.free_sight >> C.FREE_ARCHER & 1 and unit_stats.has_ability(s, i, C.ARC))


def needs_sight(s: StateColumns, i: int, what: int) -> bool:
    """True if an ability or an item needs a line of sight (`what`: see `codes.SIGHTLESS`).

    Args:
        s: State of the game; read only.
        i: Index of the unit.
        what: Index in `codes.SIGHTLESS`: an ability's number, or `codes.FREE_ITEM` plus an item's.
    """
    return not s.no_sight_needed[i] and s.free_sight >> what & 1 == 0


def ability_reaches(s: StateColumns, i: int, spot: int, reach: int, ability: int) -> bool:
    """True if an ability reaches and sees a surface; reach 1 and less is melee.

    Args:
        s: State of the game; read only.
        i: Index of the unit that uses it.
        spot: Surface index.
        reach: Reach in tiles.
        ability: Index in `codes.SIGHTLESS`, which decides on the line of sight.
    """
    if reach <= 1:
        return surface_index.melee_near(s, s.spot[i], spot, 0)
    if not surface_index.in_reach(s, s.spot[i], spot, reach):
        return False
    return not needs_sight(s, i, ability) or in_sight(s, s.spot[i], spot)


def hits_piece(
    s: StateColumns, i: int, reach: int, spot: int, spared: int, leave_tile: int, leave_deck: int
) -> bool:
    """True if a unit's Attack reaches and sees a terrain target at a surface.

    Args:
        s: State of the game; read only.
        i: Index of the attacker.
        reach: Reach in tiles.
        spot: Surface index of the target's part.
        spared: Tile number whose units do not block; -1 for none.
        leave_tile: Tile number whose feature does not block; -1 for none.
        leave_deck: Number of the bridge that does not block; -1 for none.
    """
    own = s.spot[i]
    if reach <= 1:
        return surface_index.melee_near(s, own, spot, s.diagonal[i])
    if not surface_index.in_reach(s, own, spot, reach):
        return False
    if not attack_needs_sight(s, i):
        return True
    return open_line(s, own, spot, C.NONE, spared, leave_tile, leave_deck) and not fogged(
        s, own, spot
    )


def aim_at_feature(s: StateColumns, i: int, tile: int) -> int:
    """Return the aim at a tree or spire: the part nearest the unit's level; -1: none.

    A spire can only be pushed, so an attack without a push has no aim.

    Args:
        s: State of the game; read only.
        i: Index of the attacker.
        tile: Tile number.
    """
    letter = unit_stats.letter_of(s, i)
    pushes = letter != C.NO_LETTER and letter != C.FRONT and unit_stats.tiles_of(s, i) >= 1
    if s.feature[tile] == 0 or (s.feature[tile] == C.SPIRE and not pushes):
        return -1
    spot = tile << 4 | clamp(s.spot[i] & 15, s.level[tile], s.top[tile] - 1)
    return spot if hits_piece(s, i, unit_stats.reach_of(s, i), spot, C.NONE, tile, C.NONE) else -1


def aim_at_deck(s: StateColumns, i: int, n: int) -> int:
    """Return the nearest tile of a bridge that a unit can attack; -1: none.

    Args:
        s: State of the game; read only.
        i: Index of the attacker.
        n: Number of the bridge.
    """
    best = -1
    for k in range(s.deck_count[n] if s.deck_alive[n] else 0):
        spot = s.deck_tiles[n * C.DECK_LENGTH + k] << 4 | s.deck_level[n]
        if best < 0 or surface_index.nearer_piece(s.spot[i], spot, best):
            if hits_piece(s, i, unit_stats.reach_of(s, i), spot, C.NONE, C.NONE, n):
                best = spot
    return best


def aim_at_ladder(s: StateColumns, i: int, n: int) -> int:
    """Return the aim at a ladder: the part nearest the unit's level; -1: none.

    Args:
        s: State of the game; read only.
        i: Index of the attacker.
        n: Number of the ladder.
    """
    if s.ladder_alive[n] == 0:
        return -1
    near = clamp(s.spot[i] & 15, s.foot_level[n], s.head_level[n] - 1)
    spot = s.foot_tile[n] << 4 | near
    hit = hits_piece(s, i, unit_stats.reach_of(s, i), spot, s.foot_tile[n], C.NONE, C.NONE)
    return spot if hit else -1


def clamp(level: int, low: int, high: int) -> int:
    """Return a level limited to the range from `low` to `high`.

    Args:
        level: The level.
        low: Lowest level that is returned.
        high: Highest level that is returned.
    """
    return max(low, min(level, high))


def in_area(s: StateColumns, i: int, aim: int, radius: int) -> bool:
    """True if a unit is in the area around an aim.

    Args:
        s: State of the game; read only.
        i: Index of the unit.
        aim: Surface in the middle of the area.
        radius: Radius in tiles.

    Source: "AOE behaves the same as Reach".
    """
    spot = s.spot[i]
    rise = (spot & 15) - (aim & 15)
    if spot < 0 or surface_index.too_high(rise) or (s.area_levels == 1 and abs(rise) > 1):
        return False
    return surface_index.within(
        s, surface_index.rows_between(aim, spot), surface_index.cols_between(aim, spot), radius
    )


def cone_holds(s: StateColumns, spot: int, way: int, other: int) -> bool:
    """True if a surface is in the cone in front of another: one tile wide, then three.

    Args:
        s: State of the game; read only.
        spot: Surface of the attacker.
        way: Direction of the cone.
        other: Surface to check.
    """
    rows, cols = surface_index.rows_between(spot, other), surface_index.cols_between(spot, other)
    ahead, aside = -rows, cols
    if way == 1:
        ahead, aside = cols, rows
    elif way == 2:
        ahead = rows
    elif way == 3:
        ahead, aside = -cols, rows
    rise = (other & 15) - (spot & 15)
    if surface_index.too_high(rise) or (s.area_levels == 1 and abs(rise) > 1):
        return False
    return 1 <= ahead <= C.CONE_DEPTH[s.cone] and abs(aside) < ahead


def holds_somebody(s: StateColumns, aim: int, radius: int, side: int) -> bool:
    """True if a unit is in an area (of `side`, -1: any).

    Args:
        s: State of the game; read only.
        aim: Surface index in the middle of the area.
        radius: Radius in tiles.
        side: 0 red, 1 blue, -1 for any.
    """
    for i in range(s.n_units):
        if (side < 0 or s.side[i] == side) and in_area(s, i, aim, radius):
            return True
    return False


def promo_reaches(s: StateColumns, i: int, other: int) -> bool:
    """True if a Wrestler's Promo reaches an enemy.

    Args:
        s: State of the game; read only.
        i: Index of the Wrestler.
        other: Index of the enemy.
    """
    if s.spot[other] < 0 or s.side[other] == s.side[i]:
        return False
    if not surface_index.in_reach(
        s, s.spot[i], s.spot[other], max(unit_stats.reach_with(s, i, C.PROMOTE), 1)
    ):
        return False
    return not s.aura_los or in_sight(s, s.spot[i], s.spot[other])


def behind(s: StateColumns, i: int, foe: int) -> int:
    """Return the landing of a caught enemy behind the unit; -1: none (option `catch_level`).

    Args:
        s: State of the game; read only.
        i: Index of the unit that throws.
        foe: Index of the caught enemy.

    Source: "Teleport enemy equal distance behind you".
    """
    own, spot = s.spot[i], s.spot[foe]
    row = 2 * (own >> 10) - (spot >> 10)
    col = 2 * (own >> 4 & 63) - (spot >> 4 & 63)
    if not (0 <= row < s.rows and 0 <= col < s.cols):
        return -1
    tile, level = row << 6 | col, spot & 15
    if s.catch_level == C.CATCH_FALL:
        air = tile << 4 | level
        open_air = free(s, C.GROUND, tile, level, level + 1)
        return air if open_air and s.occupant[air] < 0 else -1
    found, stand = -1, s.stand[tile]
    for high in range(15, -1, -1):
        end = tile << 4 | high
        if not stand >> high & 1 or s.occupant[end] >= 0:
            continue
        if s.catch_level == C.CATCH_HIGHEST:
            return end
        if found < 0 or abs(high - level) < abs((found & 15) - level):
            found = end
    return found

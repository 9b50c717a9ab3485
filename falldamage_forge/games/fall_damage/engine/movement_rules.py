"""Single steps out of a surface: walks, leaps and ladders, with their cost for a unit.

A link is a step that the options allow to any unit, packed in one number: target surface (bits
0-15), leapt tile + 1 (16-29), ladder (30), cost of water (31), landing in water (32). Links are
cached until the terrain near them changes; exits are the links that one unit may take.
"""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import StateColumns
from falldamage_forge.games.fall_damage.engine.terrain_state import free, lowest, stands, top, wet


def links(s: StateColumns, o: int, spot: int) -> int:
    """Return the index of a surface's links in `link`; the entry holds their number + 1.

    Args:
        s: State of the game; only work columns change.
        o: Start of the tile columns: 0 for the terrain now, `s.base` for the map's own.
        spot: Surface index.
    """
    at = ((o << 4) + spot) * C.LINKS
    if s.link[at] == 0:
        find_links(s, o, spot, at)
    return at


def find_links(s: StateColumns, o: int, spot: int, at: int) -> None:
    """List the links of a surface.

    Args:
        s: State of the game; only work columns change; `lost` is set if there are too many.
        o: Start of the tile columns: 0 for the terrain now, `s.base` for the map's own.
        spot: Surface index.
        at: Index of its links.

    Source: "You cannot Move diagonally.", "You may leap across gaps the distance of 1 tile."
    """
    tile, level, count = spot >> 4, spot & 15, 0
    for way in range(4):
        near = s.near[(o + tile) * 4 + way]
        if near < 0:
            continue
        stand = s.stand[o + near]
        for goal in range(16):
            if stand >> goal & 1:
                high = max(level, goal) + 1
                if free(s, o, tile, level, high) and free(s, o, near, goal, high):
                    count = add_link(s, at, count, moist(s, o, spot, near << 4 | goal))
        away = s.away[(o + tile) * 4 + way]
        if away < 0 or not may_leap_over(s, o, near, level):
            continue
        stand = s.stand[o + away]
        for goal in range(16):
            if stand >> goal & 1 and may_leap_up(s, goal - level):
                high = max(level, goal) + 1
                if (
                    free(s, o, near, level, high)
                    and free(s, o, tile, level, high)
                    and free(s, o, away, goal, high)
                ):
                    link = moist(s, o, spot, away << 4 | goal) | (near + 1) << 16
                    count = add_link(s, at, count, link)
    for n in range(s.n_ladders):
        if o == C.GROUND and s.ladder_alive[n] == 0:
            continue
        foot = s.foot_tile[n] << 4 | s.foot_level[n]
        up = s.head_tile[n] << 4 | s.head_level[n]
        if (spot != foot and spot != up) or not stands(s, o, foot) or not stands(s, o, up):
            continue
        low, high = s.foot_level[n], s.head_level[n]
        if free(s, o, s.foot_tile[n], low, max(low, high) + 1):
            link = moist(s, o, spot, up if spot == foot else foot) | 1 << 30
            count = add_link(s, at, count, link)
    s.link[at] = count + 1


def add_link(s: StateColumns, at: int, count: int, link: int) -> int:
    """Add a link; return the number of links.

    Args:
        s: State of the game; only work columns change.
        at: Index of the surface's links in `link`.
        count: Number of links so far.
        link: The link.
    """
    if count + 1 >= C.LINKS:
        s.lost = C.LOST
        return count
    s.link[at + count + 1] = link
    return count + 1


def may_leap_over(s: StateColumns, o: int, near: int, level: int) -> bool:
    """True if a tile may be leapt from a level: it is lower, or as high (option `gap`).

    Args:
        s: State of the game; read only.
        o: Start of the tile columns: 0 for the terrain now, `s.base` for the map's own.
        near: Tile number between take-off and landing.
        level: Level of the take-off.
    """
    if top(s, o, near) > level or (s.leap_over == C.OVER_EMPTY and s.feature[o + near]):
        return False
    flush = top(s, o, near) == level or s.decks[o + near] >> level & 1 == 1
    return s.gap == 1 or not flush


def may_leap_up(s: StateColumns, rise: int) -> bool:
    """True if a leap may rise by `rise` levels (option `leap_vertical`).

    Args:
        s: State of the game; read only.
        rise: Levels from the take-off to the landing; negative if it is lower.
    """
    if s.leap_vertical == C.LEAP_LEVEL:
        return rise == 0
    return s.leap_vertical == C.LEAP_JUMP or rise <= 0


def moist(s: StateColumns, o: int, spot: int, to: int) -> int:
    """Return a link to a surface, marked if it costs as water does and if it ends in water.

    Args:
        s: State of the game; read only.
        o: Start of the tile columns: 0 for the terrain now, `s.base` for the map's own.
        spot: Surface index at which the link starts.
        to: Surface index at which it ends.
    """
    costs = as_water(s, o, spot if s.water_cost else to)
    return to | (1 << 31 if costs else 0) | (1 << 32 if wet(s, o, to) else 0)


def as_water(s: StateColumns, o: int, spot: int) -> bool:
    """True if a surface costs as water does; bridges over water may (option `bridge_cost`).

    Args:
        s: State of the game; read only.
        o: Start of the tile columns: 0 for the terrain now, `s.base` for the map's own.
        spot: Surface index.

    Source: "Move costs double when on Water tile.", "Move on top of Bridges & Ladders are equal to
        the tiles they are suspended over."
    """
    if wet(s, o, spot):
        return True
    at = o + (spot >> 4)
    bare = s.kind[at] == C.WATER and s.bricks[at] == 0
    return s.bridge_cost == 1 and bare and (spot & 15) > s.level[at]


def is_dry(link: int) -> bool:
    """True if quicksand adds to the cost of a link: it does not cost as water does."""
    return link >> 31 & 1 == 0


def leapt(link: int) -> int:
    """Return the tile that a link leaps over; -1: it is not a leap."""
    return (link >> 16 & 0x3FFF) - 1


def take_step(
    s: StateColumns, spot: int, link: int, jump: int, counts: int, no_fall: int
) -> tuple[int, int, int, int]:
    """Return the cost and the drop of a link for a unit.

    Args:
        s: State of the game; read only.
        spot: Surface at which the link starts.
        link: The link.
        jump: The unit's Jump in levels.
        counts: 1 if levels cost Move (Crawl or Fly).
        no_fall: 1 if the unit takes no fall damage.

    Returns:
        Target surface; cost, -1 if the link is not legal; levels that count for damage; levels
        dropped.

    Source: "Vertical limit of what tiles you can Move up to.", "Vertical Move does not consume
        Move".
    """
    to = link & 0xFFFF
    rise = (to & 15) - (spot & 15)
    cost = 2 if link >> 31 & 1 else 1
    if link >> 30 & 1:
        return to, ladder_cost(s, rise, cost, counts), 0, 0
    if rise > jump:
        return to, -1, 0, 0
    if leapt(link) >= 0:
        cost += 1
    if counts and not (s.beast_down and rise < 0):
        cost += abs(rise)
    if rise >= 0:
        return to, cost, 0, 0
    return to, cost, 0 if no_fall or link >> 32 & 1 else -rise, -rise


def ladder_cost(s: StateColumns, rise: int, tile: int, counts: int) -> int:
    """Return the cost of a ladder: one tile, or its height (option `ladder_cost`).

    Args:
        s: State of the game; read only.
        rise: Levels from the foot to the head; negative on the way down.
        tile: Cost of the target tile.
        counts: 1 if levels cost Move (Crawl or Fly).
    """
    cost = max(1, abs(rise)) + tile - 1 if s.ladder_cost else tile
    if not counts:
        return cost
    return max(cost, tile + (max(rise, 0) if s.beast_down else abs(rise)))


def step_damage(s: StateColumns, fall: int, allowed: int) -> int:
    """Return the damage of a voluntary fall (option `voluntary_fall`).

    Args:
        s: State of the game; read only.
        fall: Levels that count for damage.
        allowed: Levels without damage.

    Source: "Voluntarily falling only causes Fall Damage after the equivalent of your Jump height."
    """
    if fall <= allowed:
        return 0
    return fall if s.voluntary_fall else fall - allowed


def under_leap_empty(s: StateColumns, spot: int, link: int, own: int) -> bool:
    """True if no other unit is below a leap or on its landing.

    Args:
        s: State of the game; read only.
        spot: Surface index of the take-off.
        link: Link of `StateColumns.link`: the target's surface index and bits.
        own: Surface index of the leaping unit.

    Source: "The empty tile you are crossing".
    """
    to, over = link & 0xFFFF, leapt(link)
    if not s.leap_pass and taken(s, to, own):
        return False
    low = spot & 15 if s.leap_over == C.OVER_CLEAR else 0
    for level in range(low, min(max(spot & 15, to & 15) + 1, 16)):
        if taken(s, over << 4 | level, own):
            return False
    return True


def taken(s: StateColumns, spot: int, own: int) -> bool:
    """True if another unit is on a surface, or anywhere on its tile (option `occupancy`).

    Args:
        s: State of the game; read only.
        spot: Surface index.
        own: Surface index of the unit that asks; it does not count.
    """
    if s.occupant[spot] >= 0 and spot != own:
        return True
    if not s.occupancy or not stands(s, C.GROUND, spot):
        return False
    for level in range(16):
        there = spot >> 4 << 4 | level
        if s.occupant[there] >= 0 and there != own:
            return True
    return False


def ghost_goals(s: StateColumns, o: int, spot: int, near: int) -> int:
    """Return the levels of a neighbour tile that a unit in terrain may step onto, as bits.

    Args:
        s: State of the game; read only.
        o: Start of the tile columns: 0 for the terrain now, `s.base` for the map's own.
        spot: Surface index.
        near: Tile number of the neighbour.
    """
    level, goals = spot & 15, s.stand[o + near] | s.lava[o + near]
    return goals if free(s, o, near, level, level + 1) else goals | 1 << level


def ghost_step(
    s: StateColumns, o: int, spot: int, to: int, jump: int, counts: int, no_fall: int
) -> tuple[int, int]:
    """Return the cost of such a step (-1: too high) and the levels that count for damage.

    Args:
        s: State of the game; read only.
        o: Start of the tile columns: 0 for the terrain now, `s.base` for the map's own.
        spot: Surface index at which the step starts.
        to: Surface index at which it ends.
        jump: The unit's Jump in levels.
        counts: 1 if levels cost Move (Crawl or Fly).
        no_fall: 1 if the unit takes no fall damage.
    """
    rise = (to & 15) - (spot & 15)
    if rise > jump:
        return -1, 0
    vertical = max(rise, 0) if s.beast_down else abs(rise)
    fall = 0 if no_fall or wet(s, o, to) else max(-rise, 0)
    return 1 + (vertical if counts else 0), fall


def is_blocked(s: StateColumns, i: int, to: int, through: int) -> bool:
    """True if an enemy blocks a step.

    Args:
        s: State of the game; read only.
        i: Index of the unit.
        to: Surface index at which the step ends.
        through: 1 if the unit passes enemies.

    Source: "You cannot pass through a occupied tile unless it is a friendly unit."
    """
    if through:
        return False
    who = s.occupant[to]
    if who >= 0 and s.side[who] != s.side[i]:
        return True
    if not s.occupancy or not stands(s, C.GROUND, to):
        return False
    for level in range(16):
        other = s.occupant[to >> 4 << 4 | level]
        if other >= 0 and s.side[other] != s.side[i]:
            return True
    return False


def list_exits(s: StateColumns, spot: int, jump: int, counts: int, no_fall: int, ghost: int) -> int:
    """List every step of a unit out of a surface, ignoring other units; return their number.

    Args:
        s: State of the game; only work columns change.
        spot: Surface index.
        jump: The unit's Jump in levels.
        counts: 1 if levels cost Move (Crawl or Fly).
        no_fall: 1 if the unit takes no fall damage.
        ghost: 1 if the unit walks through terrain.
    """
    o, count = C.GROUND, 0
    if not ghost:
        at = links(s, o, spot)
        for k in range(1, s.link[at]):
            link = s.link[at + k]
            to, cost, fall, drop = take_step(s, spot, link, jump, counts, no_fall)
            if cost >= 0:
                climb = 0 if link >> 30 & 1 else max((to & 15) - (spot & 15), 0)
                count = add_exit(s, count, to, cost, fall, drop, climb, link)
        return count
    for way in range(4):
        near = s.near[(spot >> 4) * 4 + way]
        goals = ghost_goals(s, o, spot, near) if near >= 0 else 0
        while goals:
            to = near << 4 | lowest(goals)
            goals &= goals - 1
            cost, fall = ghost_step(s, o, spot, to, jump, counts, no_fall)
            rise = (to & 15) - (spot & 15)
            if cost >= 0:
                # Quicksand does not slow who walks through walls: bit 31.
                count = add_exit(
                    s, count, to, cost, fall, max(-rise, 0), max(rise, 0), 1 << 31 | to
                )
    return count


def add_exit(
    s: StateColumns, count: int, to: int, cost: int, fall: int, drop: int, climb: int, link: int
) -> int:
    """Add an exit; return the number of exits.

    Args:
        s: State of the game; only work columns change.
        count: Number of exits so far.
        to: Surface index at which the step ends.
        cost: Cost of the step in tiles.
        fall: Levels that count for damage.
        drop: Levels dropped.
        climb: Levels climbed.
        link: The link of the step.
    """
    s.exit_to[count], s.exit_cost[count], s.exit_fall[count] = to, cost, fall
    s.exit_drop[count], s.exit_climb[count], s.exit_link[count] = drop, climb, link
    return count + 1


def open_exits(
    s: StateColumns,
    i: int,
    spot: int,
    jump: int,
    counts: int,
    no_fall: int,
    ghost: int,
    through: int,
) -> int:
    """List the exits that no unit blocks, with the cost of quicksand; return their number.

    Args:
        s: State of the game; only work columns change.
        i: Index of the unit.
        spot: Surface index.
        jump: The unit's Jump in levels.
        counts: 1 if levels cost Move.
        no_fall: 1 if the unit takes no fall damage.
        ghost: 1 if it walks through terrain.
        through: 1 if it passes enemies.
    """
    kept = 0
    for n in range(list_exits(s, spot, jump, counts, no_fall, ghost)):
        to, link = s.exit_to[n], s.exit_link[n]
        if is_blocked(s, i, to, through):
            continue
        if leapt(link) >= 0 and not under_leap_empty(s, spot, link, s.spot[i]):
            continue
        cost, drop, climb = s.exit_cost[n] + slowed(s, link), s.exit_drop[n], s.exit_climb[n]
        kept = add_exit(s, kept, to, cost, s.exit_fall[n], drop, climb, link)
    return kept


def slowed(s: StateColumns, link: int) -> int:
    """Return the cost that quicksand adds to a link.

    Args:
        s: State of the game; read only.
        link: Link of `StateColumns.link`: the target's surface index and bits.
    """
    sandy = s.n_zones > 0 and s.sand[(link & 0xFFFF) >> 4] == 1
    return 1 if sandy and is_dry(link) else 0

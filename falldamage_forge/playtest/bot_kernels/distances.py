"""Distances on the map's own terrain without units, by SPFA (queue-based Bellman-Ford)."""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine import movement_rules
from falldamage_forge.games.fall_damage.engine.columns import StateColumns
from falldamage_forge.games.fall_damage.engine.surface_index import apart, in_reach
from falldamage_forge.games.fall_damage.engine.terrain_state import lowest
from falldamage_forge.games.fall_damage.engine.unit_stats import (
    has_ability,
    jump_of,
    printed_stat,
)
from falldamage_forge.playtest.bot_kernels.bot_columns import Bots

GAIT_BITS = 16
"""Bits of step rules; the reach of an attack stands above them."""
CARRIED = 3.0
"""Value of a turn nearer to the winning zone for who carries the Icon or Bomb."""


def usual_move(s: StateColumns, bots: Bots, i: int) -> int:
    """Return a unit's usual Move in tiles.

    Args:
        s: State of the game; read only.
        bots: Columns of the bots; read only.
        i: Index of the unit.
    """
    move = printed_stat(s, i, C.M)
    if move > 20:
        move = 4
    return max(move + s.move_plus[i] - s.mist_rounds[i], 0)


def gait_of(s: StateColumns, bots: Bots, i: int) -> int:
    """Return a unit's step rules packed in one integer.

    Args:
        s: State of the game; read only.
        bots: Columns of the bots; read only.
        i: Index of the unit.
    """
    counts, light = (
        (1 if has_ability(s, i, C.CRAWL) else 0),
        (1 if has_ability(s, i, C.NO_FALL) else 0),
    )
    return jump_of(s, i) << 3 | counts << 2 | light << 1 | s.discorporate[i]


def gait_number(s: StateColumns, bots: Bots, step_rules: int) -> int:
    """Return the index of step rules in the cache.

    Args:
        s: State of the game; read only.
        bots: Columns of the bots; changed.
        step_rules: Step rules of the unit, as `gait_of` packs them, and maybe a reach above them.
    """
    for n in range(bots.n_gaits):
        if bots.gaits[n] == step_rules:
            return n
    if bots.n_gaits == C.MOST_GAITS:
        bots.n_gaits = 0
        for n in range(C.MOST_SURFACES):
            bots.row_owner[n] = 0
    bots.gaits[bots.n_gaits] = step_rules
    bots.n_gaits += 1
    return bots.n_gaits - 1


def reach_out(s: StateColumns, bots: Bots, to: int, further: int) -> None:
    """Relax a surface with a path of some cost.

    Args:
        s: State of the game; read only.
        bots: Columns of the bots; changed.
        to: Surface index.
        further: Cost of the path to it in tiles; `codes.FAR` and more count as no path.
    """
    if further >= C.FAR:
        return
    if bots.flood_seen[to] != bots.flood_stamp:
        bots.flood_seen[to], bots.flood_waits[to] = bots.flood_stamp, 0
        bots.flood_list[bots.n_flooded] = to
        bots.n_flooded += 1
    elif bots.flood_best[to] <= further:
        return
    bots.flood_best[to] = further
    if not bots.flood_waits[to]:
        bots.flood_waits[to] = 1
        bots.flood_queue[bots.flood_tail % C.SPOTS] = to
        bots.flood_tail += 1


def distance_field(s: StateColumns, bots: Bots, step_rules: int, start: int) -> None:
    """Compute the cost from a surface to all others, without units.

    Args:
        s: State of the game; only work columns change.
        bots: Columns of the bots; changed.
        step_rules: Step rules of the unit, as `gait_of` packs them.
        start: Surface index at which the paths start.
    """
    o, jump = s.base, step_rules >> 3
    counts, light, ghost = step_rules >> 2 & 1 == 1, step_rules >> 1 & 1 == 1, step_rules & 1 == 1
    bots.flood_stamp += 1
    bots.n_flooded, bots.flood_tail = 0, 0
    reach_out(s, bots, start, 0)
    head = 0
    while head < bots.flood_tail:
        spot = bots.flood_queue[head % C.SPOTS]
        head += 1
        bots.flood_waits[spot] = 0
        cost = bots.flood_best[spot]
        if ghost:
            for way in range(4):
                near = s.near[(o + (spot >> 4)) * 4 + way]
                goals = movement_rules.ghost_goals(s, o, spot, near) if near >= 0 else 0
                while goals:
                    to = near << 4 | lowest(goals)
                    goals &= goals - 1
                    price, fall = movement_rules.ghost_step(s, o, spot, to, jump, counts, light)
                    if price >= 0:
                        damage = movement_rules.step_damage(s, fall, jump)
                        reach_out(s, bots, to, cost + price + damage)
            continue
        at = movement_rules.links(s, o, spot)
        for k in range(1, s.link[at]):
            to, price, fall, _ = movement_rules.take_step(
                s, spot, s.link[at + k], jump, counts, light
            )
            if price >= 0:
                reach_out(s, bots, to, cost + price + movement_rules.step_damage(s, fall, jump))


def row_key(s: StateColumns, bots: Bots, rules: int, spot: int) -> int:
    """Return the number under which the cache holds the distances from a surface of the map.

    Args:
        s: State of the game; read only.
        bots: Columns of the bots; changed.
        rules: Step rules of the unit, and for ways to strike its reach above them.
        spot: Surface index.
    """
    return gait_number(s, bots, rules) * C.MOST_SURFACES + s.surface_of[spot] + 1


def new_row(s: StateColumns, bots: Bots, owner: int) -> int:
    """Return the row of the cache that new distances take, the oldest one if all are in use.

    Args:
        s: State of the game; read only.
        bots: Columns of the bots; changed.
        owner: Number of the distances, as `row_key` returns it.
    """
    place = bots.next_row
    bots.next_row = (place + 1) % min(C.DISTANCES // s.n_surfaces, C.MOST_SURFACES)
    bots.row_owner[place], bots.row_of[owner] = owner, place
    return place


def ways_from(s: StateColumns, bots: Bots, step_rules: int, spot: int) -> int:
    """Return the index of a surface's cached distances; -1: they are in the last flood instead.

    The cache has as many rows as fit, and a new row takes the place of the oldest one.

    Args:
        s: State of the game; only work columns change.
        bots: Columns of the bots; changed.
        step_rules: Step rules of the unit, as `gait_of` packs them.
        spot: Surface index.
    """
    if s.surface_of[spot] < 0 or step_rules & 1:
        distance_field(s, bots, step_rules, spot)
        return -1
    owner = row_key(s, bots, step_rules, spot)
    place = bots.row_of[owner]
    if bots.row_owner[place] != owner:
        place = new_row(s, bots, owner)
        distance_field(s, bots, step_rules, spot)
        for n in range(s.n_surfaces):
            other = s.surfaces[n]
            seen = bots.flood_seen[other] == bots.flood_stamp
            bots.distance[place * s.n_surfaces + n] = bots.flood_best[other] if seen else C.FAR
    return place * s.n_surfaces


def cost_to(s: StateColumns, bots: Bots, row: int, to: int) -> int:
    """Return the cost of walking to a surface.

    Args:
        s: State of the game; read only.
        bots: Columns of the bots; read only.
        row: Index of the distances, as `ways_from` has just returned it.
        to: The surface.
    """
    if row >= 0:
        return bots.distance[row + s.surface_of[to]] if s.surface_of[to] >= 0 else C.FAR
    return bots.flood_best[to] if bots.flood_seen[to] == bots.flood_stamp else C.FAR


def nearest_foe(s: StateColumns, bots: Bots, step_rules: int, spot: int) -> int:
    """Return the cost of walking to the nearest foe of `update_threats`.

    Without a way to any of them the tiles between are counted on top of `codes.FAR`.

    Args:
        s: State of the game; only work columns change.
        bots: Columns of the bots; changed.
        step_rules: Step rules of the unit, as `gait_of` packs them.
        spot: Surface index.
    """
    row = ways_from(s, bots, step_rules, spot)
    best = C.FAR if bots.n_foes else 0
    for n in range(bots.n_foes):
        best = min(best, cost_to(s, bots, row, bots.foe_spot[n]))
    return best + tiles_to_foe(s, bots, spot) if best >= C.FAR else best


def tiles_to_foe(s: StateColumns, bots: Bots, spot: int) -> int:
    """Return the tiles to the nearest foe of `update_threats` through any terrain.

    Args:
        s: State of the game; read only.
        bots: Columns of the bots; read only.
        spot: Surface index.
    """
    best = C.FAR
    for n in range(bots.n_foes):
        best = min(best, apart(spot, bots.foe_spot[n]))
    return best


def cost_to_strike(s: StateColumns, bots: Bots, row: int, foe: int, reach: int) -> int:
    """Return the cost of walking to the nearest surface of the map in whose reach a foe stands.

    Args:
        s: State of the game; read only.
        bots: Columns of the bots; read only.
        row: Index of the distances, as `ways_from` has just returned it.
        foe: Surface of the foe.
        reach: Reach of the attack in tiles, at least 1.
    """
    best, row_of_foe, col_of_foe = C.FAR, foe >> 10, foe >> 4 & 63
    left, right = max(col_of_foe - reach, 0), min(col_of_foe + reach, s.cols - 1)
    for north in range(max(row_of_foe - reach, 0), min(row_of_foe + reach, s.rows - 1) + 1):
        for col in range(left, right + 1):
            tile = north << 6 | col
            levels = s.stand[s.base + tile]
            while levels:
                spot = tile << 4 | lowest(levels)
                levels &= levels - 1
                cost = cost_to(s, bots, row, spot)
                if cost < best and in_reach(s, spot, foe, reach):
                    best = cost
    return best


def ways_to_strike(s: StateColumns, bots: Bots, step_rules: int, reach: int, spot: int) -> int:
    """Return the index of the cached costs of `cost_to_strike` for a foe on each surface.

    Args:
        s: State of the game; only work columns change.
        bots: Columns of the bots; changed.
        step_rules: Step rules of the unit, as `gait_of` packs them.
        reach: Reach of the attack in tiles, at least 1.
        spot: Surface index, of the map.
    """
    owner = row_key(s, bots, step_rules | reach << GAIT_BITS, spot)
    place = bots.row_of[owner]
    if bots.row_owner[place] != owner:
        place = new_row(s, bots, owner)
        distance_field(s, bots, step_rules, spot)
        for n in range(s.n_surfaces):
            cost = cost_to_strike(s, bots, -1, s.surfaces[n], reach)
            bots.distance[place * s.n_surfaces + n] = cost
    return place * s.n_surfaces


def nearest_strike(s: StateColumns, bots: Bots, step_rules: int, reach: int, spot: int) -> int:
    """Return the cost of walking to where the nearest foe of `update_threats` is in reach.

    Lines of sight are not asked. Without a way to any such place the tiles to the nearest foe are
    counted on top of `codes.FAR`: who comes nearer may find one when the foe or the terrain moves.

    Args:
        s: State of the game; only work columns change.
        bots: Columns of the bots; changed.
        step_rules: Step rules of the unit, as `gait_of` packs them.
        reach: Reach of the attack in tiles, at least 1.
        spot: Surface index.
    """
    best, others = C.FAR if bots.n_foes else 0, 0
    cached = s.surface_of[spot] >= 0 and step_rules & 1 == 0
    row = ways_to_strike(s, bots, step_rules, reach, spot) if cached else -1
    for n in range(bots.n_foes):
        surface = s.surface_of[bots.foe_spot[n]]
        if cached and surface >= 0:
            best = min(best, bots.distance[row + surface])
        else:
            others += 1
    if others:
        row = ways_from(s, bots, step_rules, spot)
        for n in range(bots.n_foes):
            foe = bots.foe_spot[n]
            if not cached or s.surface_of[foe] < 0:
                here = 0 if in_reach(s, spot, foe, reach) else C.FAR
                best = min(best, here, cost_to_strike(s, bots, row, foe, reach))
    return best + tiles_to_foe(s, bots, spot) if best >= C.FAR else best


def way_to_goal(s: StateColumns, bots: Bots, i: int, step_rules: int, spot: int) -> int:
    """Return the cost of walking to the Icon or Bomb, to who carries it, or with it to its zone.

    Args:
        s: State of the game; only work columns change.
        bots: Columns of the bots; changed.
        i: Index of the unit.
        step_rules: Step rules of the unit, as `gait_of` packs them.
        spot: Surface index.
    """
    row, best = ways_from(s, bots, step_rules, spot), C.FAR
    if s.carries[i]:
        zone = s.side[i] if s.win == C.ROYAL_ICON else 1 - s.side[i]
        first = 0 if zone == 0 else s.n_zone_red
        for n in range(first, first + (s.n_zone_red if zone == 0 else s.n_zone_blue)):
            best = min(best, cost_to(s, bots, row, s.zone_spots[n]))
        return best
    if s.prize >= 0:
        return cost_to(s, bots, row, s.prize)
    for other in range(s.n_units):
        if s.carries[other] and s.spot[other] >= 0:
            return 0 if s.side[other] == s.side[i] else cost_to(s, bots, row, s.spot[other])
    return 0


def goal_worth(
    s: StateColumns, bots: Bots, i: int, step_rules: int, spot: int, move: int, weight: float
) -> float:
    """Return the value of a surface by its way to the goal of the game, negative.

    `weight` is the value of a turn nearer to the Icon or Bomb, or to an enemy that carries it.

    Args:
        s: State of the game; only work columns change.
        bots: Columns of the bots; changed.
        i: Index of the unit.
        step_rules: Step rules of the unit, as `gait_of` packs them.
        spot: Surface index.
        move: The unit's usual Move in tiles.
        weight: Value of a turn nearer to the Icon or Bomb.
    """
    if s.win == C.ELIMINATION:
        return 0.0
    turns = min(way_to_goal(s, bots, i, step_rules, spot) / max(move, 1), 8.0)
    return -turns * (CARRIED if s.carries[i] else weight)

"""Distances on the map's own terrain without units, by SPFA (queue-based Bellman-Ford)."""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine import movement_rules
from falldamage_forge.games.fall_damage.engine.columns import StateColumns
from falldamage_forge.games.fall_damage.engine.terrain_state import lowest
from falldamage_forge.games.fall_damage.engine.unit_stats import (
    has_ability,
    jump_of,
    printed_stat,
)
from falldamage_forge.playtest.bot_kernels.bot_columns import Bots

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
        step_rules: Step rules of the unit, as `gait_of` packs them.
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


def ways_from(s: StateColumns, bots: Bots, step_rules: int, spot: int) -> int:
    """Return the index of a surface's cached distances; -1: they are in the last flood instead.

    The cache has as many rows as fit, and a new row takes the place of the oldest one.

    Args:
        s: State of the game; only work columns change.
        bots: Columns of the bots; changed.
        step_rules: Step rules of the unit, as `gait_of` packs them.
        spot: Surface index.
    """
    start = s.surface_of[spot]
    if start < 0 or step_rules & 1:
        distance_field(s, bots, step_rules, spot)
        return -1
    owner = gait_number(s, bots, step_rules) * C.MOST_SURFACES + start + 1
    place = bots.row_of[owner]
    if bots.row_owner[place] != owner:
        place = bots.next_row
        bots.next_row = (place + 1) % min(C.DISTANCES // s.n_surfaces, C.MOST_SURFACES)
        bots.row_owner[place], bots.row_of[owner] = owner, place
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
    return best


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

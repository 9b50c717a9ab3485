"""Threats: the surfaces that enemies can attack next, and falls after their pushes; both cached."""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import StateColumns
from falldamage_forge.games.fall_damage.engine.push import slide
from falldamage_forge.games.fall_damage.engine.surface_index import in_reach
from falldamage_forge.games.fall_damage.engine.unit_stats import (
    has_ability,
    is_immovable,
    may_attack,
    number,
    reach_of,
)
from falldamage_forge.playtest.bot_kernels.bot_columns import MOST_PUSHED, Bots
from falldamage_forge.playtest.bot_kernels.distances import distance_field, gait_of, usual_move

BITS = 60
"""Surfaces in one integer of a threat's bit set."""
THROWN = 0.5
"""Part of the fall after a push that fear counts: not every foe can push to the worst side."""
DEADLY = 99
"""Damage that stands for lava and the void."""


def thrown_from(s: StateColumns, bots: Bots, spot: int, tiles: int, mage: int) -> int:
    """Return the greatest damage of a push from a surface of the map, in any direction.

    Args:
        s: State of the game; only work columns change.
        bots: Columns of the bots; changed.
        spot: Surface index.
        tiles: Length of the push in tiles; more than `MOST_PUSHED` count as that.
        mage: 1 if a mage pushes, which adds to fall damage.
    """
    surface = s.surface_of[spot]
    if surface < 0 or tiles <= 0:
        return 0
    tiles = min(tiles, MOST_PUSHED)
    at = (surface * MOST_PUSHED + tiles - 1) * 2 + (1 if mage else 0)
    if bots.thrown[at] == 0:
        extra, worst = number(s, C.MAGE, C.A_AMOUNT) if mage else 0, 0
        for way in range(4):
            _, damage, dead = slide(s, s.base, spot, way, tiles, C.NONE, extra, C.NO, C.NO, C.NO)
            worst = max(worst, DEADLY if dead != C.SURVIVES else damage)
        bots.thrown[at] = worst + 1
    return bots.thrown[at] - 1


def threat_length(s: StateColumns) -> int:
    """Return the number of integers in the bit set of a threat."""
    return (s.n_surfaces + BITS - 1) // BITS


def threats_kept(s: StateColumns) -> int:
    """Return the number of threats that fit in the cache."""
    return min(C.THREATS // threat_length(s), C.MOST_THREATS)


def make_room(s: StateColumns, bots: Bots) -> None:
    """Invalidate all threats if those of every unit might not fit; none may be in use.

    Args:
        s: State of the game; read only.
        bots: Columns of the bots; changed.
    """
    if bots.n_threats < threats_kept(s) // 2:
        return
    bots.n_threats = 0
    for n in range(C.MOST_THREATS):
        bots.threat_key[n] = 0


def threat_row(s: StateColumns, bots: Bots, i: int) -> int:
    """Return the index in `threats` of the surfaces that an enemy can attack next; -1: none.

    Args:
        s: State of the game; only work columns change.
        bots: Columns of the bots; changed.
        i: Index of the enemy.
    """
    splashes = has_ability(s, i, C.SPLASH)
    if not (may_attack(s, i) or splashes) or s.vines[i]:
        return -1
    step_rules, move, reach = gait_of(s, bots, i), usual_move(s, bots, i), max(reach_of(s, i), 1)
    if splashes:
        reach += number(s, C.SPLASH, C.A_RADIUS)
    spot = s.spot[i]
    key = 1 + ((step_rules * 64 + min(move, 63)) * 32 + min(reach, 31)) * C.SPOTS + spot
    kept = threats_kept(s)
    place = (key * 40_503 >> 7) % kept
    while bots.threat_key[place] != 0 and bots.threat_key[place] != key:
        place = (place + 1) % kept
    row = place * threat_length(s)
    if bots.threat_key[place] == 0:
        bots.threat_key[place] = key
        bots.n_threats += 1
        find_threat(s, bots, row, step_rules, move, reach, spot)
    return row


def find_threat(
    s: StateColumns, bots: Bots, row: int, step_rules: int, move: int, reach: int, spot: int
) -> None:
    """Compute the surfaces in reach of a unit after its Move, without other units.

    Args:
        s: State of the game; only work columns change.
        bots: Columns of the bots; changed.
        row: Index in `threats` at which the surfaces are written.
        step_rules: Step rules of the unit, as `gait_of` packs them.
        move: The unit's usual Move in tiles.
        reach: Reach of the unit's attack in tiles.
        spot: Surface index of the unit.
    """
    distance_field(s, bots, step_rules, spot)
    for k in range(threat_length(s)):
        bots.threats[row + k] = 0
    for n in range(s.n_surfaces):
        goal = s.surfaces[n]
        for k in range(bots.n_flooded):
            there = bots.flood_list[k]
            if bots.flood_best[there] <= move and in_reach(s, there, goal, reach):
                bots.threats[row + n // BITS] |= 1 << n % BITS
                break


def count_prey(s: StateColumns, bots: Bots, side: int) -> None:
    """Count for each foe of `update_threats` the own units that it can attack next.

    Args:
        s: State of the game; read only.
        bots: Columns of the bots; changed.
        side: Side of the own units: 0 red, 1 blue.
    """
    for n in range(bots.n_foes):
        bots.foe_prey[n] = 0
        if bots.foe_harm[n]:
            for own in range(s.n_units):
                if s.side[own] == side and s.spot[own] >= 0 and is_prey(s, bots, n, s.spot[own]):
                    bots.foe_prey[n] += 1


def is_prey(s: StateColumns, bots: Bots, n: int, spot: int) -> bool:
    """True if a foe of `update_threats` can attack a surface next.

    Args:
        s: State of the game; read only.
        bots: Columns of the bots; read only.
        n: Index of the foe in `bots.foe`.
        spot: Surface index.
    """
    surface = s.surface_of[spot]
    if surface < 0 or not bots.foe_harm[n]:
        return False
    return bots.threats[bots.foe_threat[n] + surface // BITS] >> surface % BITS & 1 == 1


def danger_at(s: StateColumns, bots: Bots, i: int, spot: int) -> float:
    """Return the damage that the foes of `update_threats` threaten to a unit on a surface.

    A foe strikes once a round, so its attack is divided among the units that it can attack. The
    fall after its push counts by `THROWN`; all of them count at most the health.

    Args:
        s: State of the game; only work columns change.
        bots: Columns of the bots; changed.
        i: Index of the unit.
        spot: Surface index.
    """
    surface = s.surface_of[spot]
    if surface < 0:
        return 0.0
    part, bit = surface // BITS, surface % BITS
    danger = 0.0
    falls = not has_ability(s, i, C.NO_FALL) and not is_immovable(s, i)
    for n in range(bots.n_foes):
        if bots.foe_harm[n] and bots.threats[bots.foe_threat[n] + part] >> bit & 1:
            harm, others = bots.foe_harm[n] * 1.0, bots.foe_prey[n]
            if is_prey(s, bots, n, s.spot[i]):
                others -= 1
            if falls and bots.foe_push[n]:
                mage = has_ability(s, bots.foe[n], C.MAGE)
                fall = thrown_from(s, bots, spot, bots.foe_push[n], mage)
                harm += THROWN * min(fall, s.health[i])
            danger += harm / (1 + others)
    return min(danger, s.health[i] * 1.0)

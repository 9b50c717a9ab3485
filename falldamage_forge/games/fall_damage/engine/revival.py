"""New units during play: Skeletons and revived units."""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import StateColumns
from falldamage_forge.games.fall_damage.engine.effects import emit_event, push_task, put
from falldamage_forge.games.fall_damage.engine.falls import rest_spot
from falldamage_forge.games.fall_damage.engine.notation import spot2_in, spot_in
from falldamage_forge.games.fall_damage.engine.surface_index import earlier, melee_near
from falldamage_forge.games.fall_damage.engine.targeting import ability_reaches
from falldamage_forge.games.fall_damage.engine.terrain_state import stands
from falldamage_forge.games.fall_damage.engine.unit_stats import reach_with


def new_unit(s: StateColumns, side: int, card: int, spot: int, ready: int) -> int:
    """Create a unit on a surface; return its index, -1 if the state is full.

    Args:
        s: State of the game; changed.
        side: 0 red, 1 blue.
        card: Number of the card.
        spot: Surface index.
        ready: First round in which the unit may be activated.
    """
    i = s.n_units
    if i >= C.MOST_UNITS:
        s.lost = C.LOST
        return -1
    s.n_units += 1
    blank_unit(s, i, side, card)
    s.ready_from[i] = ready
    put(s, i, spot)
    emit_event(s, C.E_NEW, i, spot)
    return i


def blank_unit(s: StateColumns, i: int, side: int, card: int) -> None:
    """Reset unit `i` to a fresh one that is off the board.

    Args:
        s: State of the game; changed.
        i: Index of the unit.
        side: 0 red, 1 blue.
        card: Number of the card; negative for none.
    """
    s.activated[i] = 0
    s.moved[i] = 0
    s.acted[i] = 0
    s.move_now[i] = 0
    s.song_now[i] = 0
    s.attack_plus[i] = 0
    s.reach_plus[i] = 0
    s.push_plus[i] = 0
    s.move_plus[i] = 0
    s.jump_plus[i] = 0
    s.mist[i] = 0
    s.mist_rounds[i] = 0
    s.syringe[i] = 0
    s.blood[i] = 0
    s.vines[i] = 0
    s.promo[i] = 0
    s.song_off[i] = 0
    s.no_sight_needed[i] = 0
    s.diagonal[i] = 0
    s.lead_shoes[i] = 0
    s.thorns[i] = 0
    s.discorporate[i] = 0
    s.drum[i] = 0
    s.extra_card[i] = 0
    s.items[i] = 0
    s.carries[i] = 0
    s.used[i] = 0
    s.side[i], s.card[i], s.spot[i] = side, card, -1
    s.health[i] = s.printed[card * C.STATS + C.H] if card >= 0 else 0
    s.max_health[i], s.ready_from[i] = s.health[i], 1
    s.extra[i] = -1
    for k in range(C.M, C.P + 1):
        s.own[i * C.STATS + k] = -1


def raisable(s: StateColumns, i: int, spot: int) -> int:
    """Return the oldest body on a surface that may be raised; -1: none.

    Args:
        s: State of the game; read only.
        i: Index of the unit that raises it.
        spot: Surface index.
    """
    if not stands(s, C.GROUND, spot):
        return -1
    near = s.occupant[spot] < 0 and ability_reaches(s, i, spot, reach_with(s, i, C.RAISE), C.RAISE)
    if not near and not s.raise_where:
        return -1
    for n in range(s.n_bodies):
        if s.body_spot[n] == spot and s.body_used[n] == 0 and may_rise(s, i, s.body_unit[n]):
            return n
    return -1


def may_rise(s: StateColumns, i: int, fallen: int) -> bool:
    """True if a fallen unit may become a Skeleton (option `raise_bodies`).

    Args:
        s: State of the game; read only.
        i: Index of the unit that raises it.
        fallen: Index of the fallen unit.
    """
    if s.raise_bodies == C.BODIES_OWN:
        return s.side[fallen] == s.side[i]
    return s.raise_bodies != C.BODIES_NO_SKELETONS or s.card[fallen] != s.skeleton_card


def beside_free(s: StateColumns, i: int, which: int) -> int:
    """Return the number of free surfaces in melee reach; if `which`, the first one or -1.

    Args:
        s: State of the game; read only.
        i: Index of the unit.
        which: 1 to return the first surface instead of the number.
    """
    count, own = 0, s.spot[i]
    for way in range(4):
        tile = s.near[(own >> 4) * 4 + (way + 2 * s.side[i]) % 4]
        for level in range(16 if tile >= 0 else 0):
            spot = tile << 4 | level
            if not stands(s, C.GROUND, spot) or s.occupant[spot] >= 0:
                continue
            if melee_near(s, own, spot, 0):
                if which:
                    return spot
                count += 1
    return -1 if which else count


def raise_bodies(s: StateColumns, i: int, key: int, skeleton: int) -> None:
    """Raise bodies as Skeletons of the unit's side, ready from the next round.

    Args:
        s: State of the game; changed.
        i: Index of the unit that raises them.
        key: Number of the move, which holds one surface or two.
        skeleton: Number of the Skeleton's card.
    """
    first, second = -1, -1
    one, other = spot_in(key), spot2_in(key)
    if other >= 0 and earlier(s.side[i], other, one):
        one, other = other, one
    for k in range(2):
        spot = one if k == 0 else other
        body = raisable(s, i, spot) if spot >= 0 else -1
        if body < 0:
            continue
        if s.raise_where:
            spot = beside_free(s, i, C.YES)
            if spot < 0:
                continue
        s.body_used[body] = 1
        side = s.side[i]
        risen = new_unit(s, side, skeleton, spot, s.round + 1)
        s.raised[side] += 1
        if first < 0:
            first = risen
        else:
            second = risen
    if second >= 0:
        push_task(s, C.REST, second, 0)
    if first >= 0:
        push_task(s, C.REST, first, 0)


def body_of(s: StateColumns, i: int) -> int:
    """Return the index of a unit's oldest unused body; -1: none.

    Args:
        s: State of the game; read only.
        i: Index of the unit.
    """
    for n in range(s.n_bodies):
        if s.body_unit[n] == i and s.body_used[n] == 0:
            return n
    return -1


def revive(s: StateColumns, i: int, finder: int) -> None:
    """Revive a fallen unit with half its health, without its items and statuses (Unholy Deal).

    Args:
        s: State of the game; changed.
        i: Index of the fallen unit; nothing happens if it has no unused body.
        finder: Index of the unit that found the treasure.
    """
    body = body_of(s, i)
    if body < 0:
        return
    spot = s.body_spot[body]
    if s.revive_at == C.REVIVE_START:
        spot = free_start(s, s.side[i], spot)
    elif s.revive_at == C.REVIVE_FINDER and s.spot[finder] >= 0:
        spot = s.spot[finder]
    if s.occupant[spot] >= 0 or not stands(s, C.GROUND, spot):
        spot = rest_spot(s, spot >> 4, spot & 15, s.side[i])
    if spot < 0:
        return
    s.body_used[body] = 1
    full = s.max_health[i]
    blank_unit(s, i, s.side[i], s.card[i])
    s.health[i], s.max_health[i], s.ready_from[i] = (full + 1) // 2, full, s.round + 1
    put(s, i, spot)
    emit_event(s, C.E_REVIVED, i, spot)
    push_task(s, C.REST, i, 0)


def free_start(s: StateColumns, side: int, other: int) -> int:
    """Return a side's first free start surface, else the surface `other`.

    Args:
        s: State of the game; read only.
        side: 0 red, 1 blue.
        other: Surface index to return if the whole zone is taken.
    """
    first = 0 if side == 0 else s.n_zone_red
    for n in range(first, first + (s.n_zone_red if side == 0 else s.n_zone_blue)):
        if s.occupant[s.zone_spots[n]] < 0:
            return s.zone_spots[n]
    return other


def in_zone(s: StateColumns, spot: int) -> bool:
    """True if a surface is in a start zone.

    Args:
        s: State of the game; read only.
        spot: Surface index.
    """
    for n in range(s.n_zone_red + s.n_zone_blue):
        if s.zone_spots[n] == spot:
            return True
    return False

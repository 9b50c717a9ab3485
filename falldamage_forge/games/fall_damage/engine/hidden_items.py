"""Coming to rest: lava, hidden items, chests; spring traps."""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import State
from falldamage_forge.games.fall_damage.engine.effect_stack import note, owe
from falldamage_forge.games.fall_damage.engine.effects import drop_chest, harm, kill, put, reap
from falldamage_forge.games.fall_damage.engine.falls import fall_number
from falldamage_forge.games.fall_damage.engine.line_of_sight import way_row
from falldamage_forge.games.fall_damage.engine.notation import add, key_of
from falldamage_forge.games.fall_damage.engine.surface_index import within
from falldamage_forge.games.fall_damage.engine.terrain_changes import crowded
from falldamage_forge.games.fall_damage.engine.terrain_state import free, lava, wet


def rest(s: State, i: int, own_move: int) -> None:
    """Lava, then hidden items, then a chest."""
    if s.spot[i] < 0:
        return
    if lava(s, C.GROUND, s.spot[i]) and not s.discorporate[i]:
        kill(s, i, C.BY_LAVA, C.NONE)
        return
    if not s.enter_by or own_move:
        touch(s, i, s.spot[i], C.STILL)


def touch(s: State, i: int, spot: int, again: int) -> None:
    """Set off what lies on a surface; `again` is the task that looks for what else lies there."""
    for n in range(s.n_hidden):
        level = s.hidden_level[n]
        if s.hidden_tile[n] != spot >> 4 or (level >= 0 and level != spot & 15):
            continue
        side, kind, owner = s.hidden_side[n], s.hidden_kind[n], s.hidden_unit[n]
        forget_item(s, n)
        note(s, C.E_SPRUNG, i, spot, kind)
        owe(s, again, i, spot)
        if kind == C.SPRING_ITEM:
            owe(s, C.LAND, i, side, spot, owner)
        else:
            owe(s, C.BITE, i, s.amounts[C.X_AID])
        return
    for n in range(s.n_chests):
        if s.chests[n] == spot:
            drop_chest(s, n)
            note(s, C.E_CHEST, i, spot)
            owe(s, C.OPEN, i)
            return


def hide(s: State, i: int, kind: int, spot: int) -> None:
    """Hide an item on a tile, or on a surface (option `hidden_scope`)."""
    tile = spot >> 4
    if s.n_hidden >= C.MOST_HIDDEN:
        s.lost = C.LOST
        return
    row = s.n_hidden
    s.hidden_side[row], s.hidden_kind[row], s.hidden_tile[row] = s.side[i], kind, tile
    s.hidden_level[row], s.hidden_unit[row] = spot & 15 if s.hidden_scope else -1, i
    s.n_hidden += 1
    for other in range(s.n_units - 1, -1, -1):
        if s.spot[other] >= 0 and s.spot[other] >> 4 == tile:
            owe(s, C.REST, other, 1)


def forget_item(s: State, n: int) -> None:
    """A hidden item is gone."""
    for k in range(n, s.n_hidden - 1):
        s.hidden_side[k], s.hidden_kind[k] = s.hidden_side[k + 1], s.hidden_kind[k + 1]
        s.hidden_tile[k], s.hidden_level[k] = s.hidden_tile[k + 1], s.hidden_level[k + 1]
        s.hidden_unit[k] = s.hidden_unit[k + 1]
    s.n_hidden -= 1


def take_up(s: State, i: int) -> None:
    """A unit's last Spring Trap is gone: it has one at a time (option `trap_limit`)."""
    if s.trap_limit:
        return
    for n in range(s.n_hidden - 1, -1, -1):
        if s.hidden_kind[n] == C.SPRING_ITEM and s.hidden_unit[n] == i:
            forget_item(s, n)


def list_hiding(s: State, i: int, reach: int, kind: int, name: int) -> None:
    """Tiles within a reach where a unit may hide an item; reach 0: any."""
    own = s.spot[i]
    for row in range(s.rows):
        for col in range(s.cols):
            tile = row << 6 | col
            if s.stand[tile] == 0 or (s.kind[tile] == C.FIRE and s.bricks[tile] == 0):
                continue
            if reach and not within(s, row - (own >> 10), col - (own >> 4 & 63), reach):
                continue
            if not s.trap_under_unit and crowded(s, tile):
                continue
            if not s.hidden_scope:
                add(s, key_of(kind, name, tile << 4))
                continue
            for level in range(16):
                if s.stand[tile] >> level & 1:
                    add(s, key_of(kind, name, tile << 4 | level, two=0))


def list_landings(s: State, i: int, spot: int) -> None:
    """Surfaces a Spring Trap may throw a unit to."""
    o, apex = C.GROUND, (spot & 15) + 2
    if not free(s, o, spot >> 4, spot & 15, apex + 1):
        return
    for row in range(s.rows):
        for col in range(s.cols):
            rows, cols = row - (spot >> 10), col - (spot >> 4 & 63)
            if not ((rows == 0 and cols == 0) or within(s, rows, cols, 4)):
                continue
            tile = row << 6 | col
            levels = s.stand[o + tile]
            if s.discorporate[i] or s.spring_lava:
                levels |= s.lava[o + tile]
            for level in range(min(apex, 15) + 1):
                who = s.occupant[tile << 4 | level]
                if not levels >> level & 1 or (who >= 0 and who != i):
                    continue
                if free(s, o, tile, level, apex + 1) and arc_clear(s, spot, tile, apex):
                    add(s, key_of(C.K_LAND, C.M_LAND, tile << 4 | level))


def arc_clear(s: State, spot: int, tile: int, apex: int) -> bool:
    """Whether nothing solid is in the way of a throw at its height (option `spring_arc`)."""
    if not s.spring_arc:
        return True
    row = way_row(s, spot, tile << 4)
    for n in range(s.way_first[row], s.way_first[row] + s.way_count[row]):
        between = (spot >> 4) + s.way_tile[n]
        inside = s.way_low[n] != s.way_high[n]
        if inside and not free(s, C.GROUND, between, apex, apex + 1):
            return False
    return True


def landing_damage(s: State, i: int, goal: int, spot: int) -> int:
    """What coming down from the height of a throw does."""
    drop = (spot & 15) + 2 - (goal & 15)
    return fall_number(s, i, drop, wet(s, C.GROUND, goal), C.NO)


def land(s: State, i: int, goal: int, spot: int, owner: int) -> None:
    """Come down where a Spring Trap threw a unit."""
    put(s, i, goal)
    note(s, C.E_THROWN, i, spot, goal)
    if lava(s, C.GROUND, goal) and not s.discorporate[i]:
        kill(s, i, C.BY_LAVA, owner)
        return
    harm(s, i, landing_damage(s, i, goal, spot), C.BY_FALL, owner)
    reap(s)
    owe(s, C.REST, i, 0)

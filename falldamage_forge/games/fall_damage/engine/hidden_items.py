"""Landings and their triggers: lava, hidden items, chests; spring traps."""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine import effects
from falldamage_forge.games.fall_damage.engine.columns import StateColumns
from falldamage_forge.games.fall_damage.engine.falls import fall_damage
from falldamage_forge.games.fall_damage.engine.line_of_sight import way_row
from falldamage_forge.games.fall_damage.engine.notation import append_move, key_of
from falldamage_forge.games.fall_damage.engine.surface_index import within
from falldamage_forge.games.fall_damage.engine.terrain_changes import tile_is_occupied
from falldamage_forge.games.fall_damage.engine.terrain_state import free, lava, wet
from falldamage_forge.games.fall_damage.engine.unit_stats import number


def resolve_landing(s: StateColumns, i: int, own_move: int) -> None:
    """Resolve a landing: lava kills, then hidden items and chests trigger.

    Args:
        s: State of the game; changed.
        i: Index of the unit.
        own_move: 1 if its own Move ended here (option `enter_by`).
    """
    if s.spot[i] < 0:
        return
    if lava(s, C.GROUND, s.spot[i]) and not s.discorporate[i]:
        effects.kill(s, i, C.BY_LAVA, C.NONE)
        return
    if not s.enter_by or own_move:
        trigger_surface(s, i, s.spot[i], C.STILL)


def trigger_surface(s: StateColumns, i: int, spot: int, again: int) -> None:
    """Trigger the next hidden item or chest on a surface.

    Args:
        s: State of the game; changed.
        i: The unit on the surface.
        spot: Surface index.
        again: Task that looks for further triggers: `codes.STILL` or `codes.TOUCH`.
    """
    for n in range(s.n_hidden):
        level = s.hidden_level[n]
        if s.hidden_tile[n] != spot >> 4 or (level >= 0 and level != spot & 15):
            continue
        side, kind, owner = s.hidden_side[n], s.hidden_kind[n], s.hidden_unit[n]
        forget_item(s, n)
        effects.emit_event(s, C.E_SPRUNG, i, spot, kind)
        effects.push_task(s, again, i, spot)
        if kind == C.SPRING_ITEM:
            effects.push_task(s, C.LAND, i, side, spot, owner)
        else:
            effects.push_task(s, C.BITE, i, s.amounts[C.X_AID])
        return
    for n in range(s.n_chests):
        if s.chests[n] == spot:
            effects.drop_chest(s, n)
            effects.emit_event(s, C.E_CHEST, i, spot)
            effects.push_task(s, C.OPEN, i)
            return


def hide(s: StateColumns, i: int, kind: int, spot: int) -> None:
    """Hide an item on a tile, or on a surface (option `hidden_scope`).

    Args:
        s: State of the game; changed.
        i: Index of the unit that hides it.
        kind: Kind of the item: `codes.SPRING_ITEM` or `codes.AID_ITEM`.
        spot: Surface index on the tile.
    """
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
            effects.push_task(s, C.REST, other, 1)


def forget_item(s: StateColumns, n: int) -> None:
    """Remove hidden item number `n`.

    Args:
        s: State of the game; changed.
        n: Index in the columns of hidden items, below `n_hidden`.
    """
    for k in range(n, s.n_hidden - 1):
        s.hidden_side[k], s.hidden_kind[k] = s.hidden_side[k + 1], s.hidden_kind[k + 1]
        s.hidden_tile[k], s.hidden_level[k] = s.hidden_tile[k + 1], s.hidden_level[k + 1]
        s.hidden_unit[k] = s.hidden_unit[k + 1]
    s.n_hidden -= 1


def take_up(s: StateColumns, i: int) -> None:
    """Remove a unit's previous Spring Trap; it has one at a time (option `trap_limit`).

    Args:
        s: State of the game; changed.
        i: Index of the Tinkerer.
    """
    if s.trap_limit:
        return
    for n in range(s.n_hidden - 1, -1, -1):
        if s.hidden_kind[n] == C.SPRING_ITEM and s.hidden_unit[n] == i:
            forget_item(s, n)


def list_hiding(s: StateColumns, i: int, reach: int, kind: int, name: int) -> None:
    """List the tiles on which a unit may hide an item; `reach` 0 for any tile.

    Args:
        s: State of the game; only work columns change.
        i: Index of the unit that hides it.
        reach: Reach in tiles; 0 for the whole board.
        kind: Kind of the listed moves, such as `codes.K_ACT`.
        name: Name of the listed moves, such as `codes.M_SPRING`.
    """
    own = s.spot[i]
    for row in range(s.rows):
        for col in range(s.cols):
            tile = row << 6 | col
            if s.stand[tile] == 0 or (s.kind[tile] == C.FIRE and s.bricks[tile] == 0):
                continue
            if reach and not within(s, row - (own >> 10), col - (own >> 4 & 63), reach):
                continue
            if not s.trap_under_unit and tile_is_occupied(s, tile):
                continue
            if not s.hidden_scope:
                append_move(s, key_of(kind, name, tile << 4))
                continue
            for level in range(16):
                if s.stand[tile] >> level & 1:
                    append_move(s, key_of(kind, name, tile << 4 | level, two=0))


def list_landings(s: StateColumns, i: int, spot: int) -> None:
    """List the surfaces to which a Spring Trap may throw a unit.

    Args:
        s: State of the game; only work columns change.
        i: Index of the thrown unit.
        spot: Surface index of the trap.

    Source: "thrown up 2 tiles vertically, and up to 4 tiles away of Tinkerer's choosing".
    """
    o, apex = C.GROUND, (spot & 15) + number(s, C.SPRING, C.A_AMOUNT)
    far = number(s, C.SPRING, C.A_RADIUS)
    if not free(s, o, spot >> 4, spot & 15, apex + 1):
        return
    for row in range(s.rows):
        for col in range(s.cols):
            rows, cols = row - (spot >> 10), col - (spot >> 4 & 63)
            if not ((rows == 0 and cols == 0) or within(s, rows, cols, far)):
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
                    append_move(s, key_of(C.K_LAND, C.M_LAND, tile << 4 | level))


def arc_clear(s: StateColumns, spot: int, tile: int, apex: int) -> bool:
    """True if no solid blocks a throw at its highest level (option `spring_arc`).

    Args:
        s: State of the game; read only.
        spot: Surface index from which the unit is thrown.
        tile: Tile number of the landing.
        apex: Highest level of the throw.
    """
    if not s.spring_arc:
        return True
    one, other = min(spot, tile << 4), max(spot, tile << 4)
    row = way_row(s, one, other)
    for n in range(s.way_first[row], s.way_first[row] + s.way_count[row]):
        between = (one >> 4) + s.way_tile[n]
        inside = s.way_low[n] != s.way_high[n]
        if inside and not free(s, C.GROUND, between, apex, apex + 1):
            return False
    return True


def landing_damage(s: StateColumns, i: int, goal: int, spot: int) -> int:
    """Return the fall damage of a throw from the surface `spot` to the surface `goal`.

    Args:
        s: State of the game; read only.
        i: Index of the thrown unit.
        goal: Surface index of the landing.
        spot: Surface index of the trap.

    Source: "thrown up 2 tiles vertically, and up to 4 tiles away of Tinkerer's choosing, including
        Full [Fall] Damage".
    """
    drop = (spot & 15) + number(s, C.SPRING, C.A_AMOUNT) - (goal & 15)
    return fall_damage(s, i, drop, wet(s, C.GROUND, goal), C.NO)


def land(s: StateColumns, i: int, goal: int, spot: int, owner: int) -> None:
    """Land a unit that a Spring Trap has thrown.

    Args:
        s: State of the game; changed.
        i: Index of the thrown unit.
        goal: Surface index of the landing.
        spot: Surface index of the trap.
        owner: Index of the unit that hid the trap; -1 for none.
    """
    effects.put(s, i, goal)
    effects.emit_event(s, C.E_THROWN, i, spot, goal)
    if lava(s, C.GROUND, goal) and not s.discorporate[i]:
        effects.kill(s, i, C.BY_LAVA, owner)
        return
    effects.deal_damage(s, i, landing_damage(s, i, goal, spot), C.BY_FALL, owner)
    effects.remove_dead(s)
    effects.push_task(s, C.REST, i, 0)

"""Checkpoints: a position put aside in `Bots.slots`, and taken back after a playout.

One walk over the columns serves both directions, so that what is stored is what is read. Terrain is
read back only if it differs, because the links near each changed tile are then computed again.
"""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import Column, StateColumns
from falldamage_forge.games.fall_damage.engine.terrain_state import forget_links, restore
from falldamage_forge.playtest.bot_kernels.bot_columns import SLOT, Bots

STORE, READ, COMPARE = range(3)
"""Directions of a walk; `COMPARE` only notes whether the columns differ from the slot."""


def one(bots: Bots, value: int, way: int) -> int:
    """Store or read one integer; return the value that its column gets.

    Args:
        bots: Columns of the bots; changed.
        value: Value of the column now.
        way: `STORE` to store, `READ` to read, `COMPARE` to compare without a change of the slot.
    """
    at = bots.slot_at
    bots.slot_at += 1
    if way == READ:
        return bots.slots[at]
    if way == STORE:
        bots.slots[at] = value
    elif bots.slots[at] != value:
        bots.slot_differs = 1
    return value


def many(bots: Bots, column: Column, count: int, way: int) -> None:
    """Store or read the first `count` entries of a column.

    Args:
        bots: Columns of the bots; changed.
        column: The column; written if `way` is `READ`.
        count: Number of entries.
        way: `STORE` to store, `READ` to read, `COMPARE` to compare without a change of the slot.
    """
    for k in range(count):
        column[k] = one(bots, column[k], way)


def walk_turn(s: StateColumns, bots: Bots, way: int) -> None:
    """Walk over the columns of turns, tasks and legal moves.

    Args:
        s: State of the game; changed if `way` is `READ`.
        bots: Columns of the bots; changed.
        way: `STORE` to store, `READ` to read, `COMPARE` to compare without a change of the slot.
    """
    s.dice, s.lost = one(bots, s.dice, way), one(bots, s.lost, way)
    s.round, s.first = one(bots, s.round, way), one(bots, s.first, way)
    s.to_act, s.left_in_turn = one(bots, s.to_act, way), one(bots, s.left_in_turn, way)
    s.activations_this_round = one(bots, s.activations_this_round, way)
    s.last_actor, s.phase = one(bots, s.last_actor, way), one(bots, s.phase, way)
    s.active, s.result = one(bots, s.active, way), one(bots, s.result, way)
    s.reversal_round, s.prize = one(bots, s.reversal_round, way), one(bots, s.prize, way)
    many(bots, s.raised, 2, way)
    s.n_stack = one(bots, s.n_stack, way)
    many(bots, s.task, s.n_stack, way)
    many(bots, s.task_a, s.n_stack, way)
    many(bots, s.task_b, s.n_stack, way)
    many(bots, s.task_c, s.n_stack, way)
    many(bots, s.task_d, s.n_stack, way)
    many(bots, s.task_e, s.n_stack, way)
    many(bots, s.task_f, s.n_stack, way)
    many(bots, s.task_g, s.n_stack, way)
    s.n_moves = one(bots, s.n_moves, way)
    many(bots, s.moves, s.n_moves, way)


def walk_units(s: StateColumns, bots: Bots, way: int) -> None:
    """Walk over the columns of units.

    Args:
        s: State of the game; changed if `way` is `READ`.
        bots: Columns of the bots; changed.
        way: `STORE` to store, `READ` to read, `COMPARE` to compare without a change of the slot.
    """
    s.n_units = one(bots, s.n_units, way)
    n = s.n_units
    many(bots, s.side, n, way)
    many(bots, s.card, n, way)
    many(bots, s.spot, n, way)
    many(bots, s.health, n, way)
    many(bots, s.max_health, n, way)
    many(bots, s.activated, n, way)
    many(bots, s.ready_from, n, way)
    many(bots, s.moved, n, way)
    many(bots, s.acted, n, way)
    many(bots, s.move_now, n, way)
    many(bots, s.song_now, n, way)
    many(bots, s.attack_plus, n, way)
    many(bots, s.reach_plus, n, way)
    many(bots, s.push_plus, n, way)
    many(bots, s.move_plus, n, way)
    many(bots, s.jump_plus, n, way)
    many(bots, s.mist, n, way)
    many(bots, s.mist_rounds, n, way)
    many(bots, s.syringe, n, way)
    many(bots, s.blood, n, way)
    many(bots, s.vines, n, way)
    many(bots, s.promo, n, way)
    many(bots, s.song_off, n, way)
    many(bots, s.no_sight_needed, n, way)
    many(bots, s.diagonal, n, way)
    many(bots, s.lead_shoes, n, way)
    many(bots, s.thorns, n, way)
    many(bots, s.discorporate, n, way)
    many(bots, s.drum, n, way)
    many(bots, s.extra, n, way)
    many(bots, s.extra_card, n, way)
    many(bots, s.items, n, way)
    many(bots, s.carries, n, way)
    many(bots, s.used, n, way)
    many(bots, s.own, n * C.STATS, way)


def walk_things(s: StateColumns, bots: Bots, way: int) -> None:
    """Walk over chests, hidden items, bodies, zones and bricks.

    Args:
        s: State of the game; changed if `way` is `READ`.
        bots: Columns of the bots; changed.
        way: `STORE` to store, `READ` to read, `COMPARE` to compare without a change of the slot.
    """
    s.n_chests = one(bots, s.n_chests, way)
    many(bots, s.chests, s.n_chests, way)
    s.n_hidden = one(bots, s.n_hidden, way)
    many(bots, s.hidden_side, s.n_hidden, way)
    many(bots, s.hidden_kind, s.n_hidden, way)
    many(bots, s.hidden_tile, s.n_hidden, way)
    many(bots, s.hidden_level, s.n_hidden, way)
    many(bots, s.hidden_unit, s.n_hidden, way)
    s.n_bodies = one(bots, s.n_bodies, way)
    many(bots, s.body_unit, s.n_bodies, way)
    many(bots, s.body_spot, s.n_bodies, way)
    many(bots, s.body_used, s.n_bodies, way)
    s.n_zones = one(bots, s.n_zones, way)
    many(bots, s.zone_kind, s.n_zones, way)
    many(bots, s.zone_side, s.n_zones, way)
    many(bots, s.zone_tile, s.n_zones, way)
    s.n_bricks = one(bots, s.n_bricks, way)
    many(bots, s.brick_owner, s.n_bricks, way)
    many(bots, s.brick_levels, s.n_bricks, way)
    many(bots, s.brick_left, s.n_bricks, way)
    many(bots, s.brick_count, s.n_bricks, way)
    many(bots, s.brick_tiles, s.n_bricks * C.BRICK_LENGTH, way)
    many(bots, s.deck_scar, s.n_decks, way)
    many(bots, s.ladder_scar, s.n_ladders, way)


def walk_terrain(s: StateColumns, bots: Bots, way: int) -> None:
    """Walk over bridges, ladders and the tiles that differ from the map's own.

    Args:
        s: State of the game; changed if `way` is `READ`.
        bots: Columns of the bots; changed.
        way: `STORE` to store, `READ` to read, `COMPARE` to compare without a change of the slot.
    """
    many(bots, s.deck_alive, s.n_decks, way)
    many(bots, s.ladder_alive, s.n_ladders, way)
    count = one(bots, s.n_changed, way)
    s.n_changed = count
    for n in range(count):
        tile = one(bots, s.changes[n], way)
        s.changes[n], s.changed[tile] = tile, 1
        s.level[tile], s.kind[tile] = one(bots, s.level[tile], way), one(bots, s.kind[tile], way)
        s.feature[tile] = one(bots, s.feature[tile], way)
        s.scar[tile] = one(bots, s.scar[tile], way)
        s.bricks[tile], s.top[tile] = one(bots, s.bricks[tile], way), one(bots, s.top[tile], way)
        s.decks[tile], s.stand[tile] = one(bots, s.decks[tile], way), one(bots, s.stand[tile], way)
        s.wet[tile], s.lava[tile] = one(bots, s.wet[tile], way), one(bots, s.lava[tile], way)
        s.sand[tile], s.rope[tile] = one(bots, s.sand[tile], way), one(bots, s.rope[tile], way)
        s.fountain[tile] = one(bots, s.fountain[tile], way)
        s.fog[tile] = one(bots, s.fog[tile], way)
        s.under_deck[tile] = one(bots, s.under_deck[tile], way)
        s.deck_end[tile] = one(bots, s.deck_end[tile], way)
        s.ladder_foot[tile] = one(bots, s.ladder_foot[tile], way)
        s.ladder_top[tile] = one(bots, s.ladder_top[tile], way)


def put_aside(s: StateColumns, bots: Bots, slot: int) -> None:
    """Store the position and its legal moves in a slot.

    Args:
        s: State of the game; read only.
        bots: Columns of the bots; changed.
        slot: Number of the slot, from 0.
    """
    bots.slot_at = slot * SLOT
    walk_turn(s, bots, STORE)
    walk_units(s, bots, STORE)
    walk_things(s, bots, STORE)
    walk_terrain(s, bots, STORE)


def take_back(s: StateColumns, bots: Bots, slot: int) -> None:
    """Return to the position of a slot.

    Args:
        s: State of the game; changed.
        bots: Columns of the bots; changed.
        slot: Number of the slot, from 0.
    """
    for i in range(s.n_units):
        if s.spot[i] >= 0:
            s.occupant[s.spot[i]] = -1
    bots.slot_at = slot * SLOT
    walk_turn(s, bots, READ)
    walk_units(s, bots, READ)
    walk_things(s, bots, READ)
    at = bots.slot_at
    bots.slot_differs = 1 if bots.slots[at + s.n_decks + s.n_ladders] != s.n_changed else 0
    if not bots.slot_differs:
        walk_terrain(s, bots, COMPARE)
    if bots.slot_differs:
        restore(s)
        bots.slot_at = at
        walk_terrain(s, bots, READ)
        for n in range(s.n_changed):
            forget_links(s, s.changes[n])
    for i in range(s.n_units):
        if s.spot[i] >= 0:
            s.occupant[s.spot[i]] = i
    s.n_events, s.ends_of = 0, -1

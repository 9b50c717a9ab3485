"""A plain state written into the columns of its map."""

from __future__ import annotations

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import State as Columns
from falldamage_forge.games.fall_damage.engine.destruction import destroy
from falldamage_forge.games.fall_damage.engine.exchange import (
    GAME,
    NUMBERS,
    PHASES,
    RESULTS,
    SWITCHES,
)
from falldamage_forge.games.fall_damage.engine.match_context import (
    FEATURES,
    KINDS,
    STATS,
)
from falldamage_forge.games.fall_damage.engine.terrain_changes import lay_on
from falldamage_forge.games.fall_damage.engine.terrain_state import changed, mark, rebuild, restore
from falldamage_forge.games.fall_damage.engine.tongue import HIDDEN, ZONES, Tongue
from falldamage_forge.games.fall_damage.play.spots import parse_tile
from falldamage_forge.games.fall_damage.play.state import (
    State,
    Task,
    Unit,
)


def take_over(s: Columns, tongue: Tongue, state: State) -> None:
    """Write a plain state's position into columns of its map."""
    for i in range(s.n_units):
        if s.spot[i] >= 0:
            s.occupant[s.spot[i]] = -1
    restore(s)
    rebuild(s)
    _take_land(s, tongue, state)
    for name in GAME:
        setattr(s, name, getattr(state, name))
    s.phase = next(n for n, phase in PHASES.items() if phase == state.phase)
    s.result = next(n for n, result in RESULTS.items() if result == state.result)
    s.n_units = len(state.units)
    for i, unit in enumerate(state.units):
        _take_unit(s, tongue, i, unit)
    _take_things(s, tongue, state)
    s.n_stack = 0
    for task in state.pending:
        if task[0] == "may_push":
            _take_task(s, tongue, task[2])
        _take_task(s, tongue, task[:2] if task[0] == "may_push" else task)
    s.n_spots = 0
    for side in (0, 1):
        for spot in tongue.fixed[side] if tongue.fixed is not None else ():
            s.spot_side[s.n_spots], s.team_spot[s.n_spots] = side, spot
            s.n_spots += 1
    s.lost, s.n_events, s.n_moves, s.ends_of = 0, 0, 0, -1


def _take_task(s: Columns, tongue: Tongue, task: Task) -> None:
    row = tongue.row(task)
    n = s.n_stack
    s.task[n], s.task_a[n], s.task_b[n], s.task_c[n] = row[0], row[1], row[2], row[3]
    s.task_d[n], s.task_e[n], s.task_f[n], s.task_g[n] = row[4], row[5], row[6], row[7]
    s.n_stack += 1


def _take_unit(s: Columns, tongue: Tongue, i: int, unit: Unit) -> None:
    for name in (*NUMBERS, *SWITCHES):
        getattr(s, name)[i] = int(getattr(unit, name))
    s.card[i] = tongue.cards.index(unit.card) if unit.card else -1
    s.used[i] = sum(1 << C.ABILITIES.index(name) for name in unit.used)
    s.promo[i] = sum(1 << by for by in unit.promo_by)
    s.items[i] = sum(C.ITEM_NAMES.index(name) << 4 * n for n, name in enumerate(unit.items))
    s.extra[i], s.extra_card[i] = -1, 0
    if unit.extra_ability is not None:
        ability, card = unit.extra_ability
        s.extra[i], s.extra_card[i] = C.ABILITIES.index(ability), tongue.cards.index(card)
    own = dict(unit.stats)
    for name, stat in STATS.items():
        s.own[i * C.STATS + stat] = own.get(name, -1)
    if unit.spot >= 0:
        s.occupant[unit.spot] = i


def _take_land(s: Columns, tongue: Tongue, state: State) -> None:
    land, base = state.land, tongue.arena.land
    for tile, old, new in zip(base.tiles(), base.columns, land.columns, strict=True):
        if old is not new and old != new:
            mark(s, tile)
            s.level[tile], s.kind[tile] = new.level, KINDS[new.ground]
            s.feature[tile] = FEATURES[new.feature]
            changed(s, tile)
    for n, deck in enumerate(land.decks):
        if deck is None:
            destroy(s, C.W_DECK, n)
    for n, ladder in enumerate(land.ladders):
        if ladder is None:
            destroy(s, C.W_LADDER, n)
    s.n_bricks = 0
    for owner, levels, tiles, left in land.bricks:
        n = s.n_bricks
        s.brick_owner[n], s.brick_levels[n], s.brick_left[n] = owner, levels, left
        s.brick_count[n] = len(tiles)
        for k, tile in enumerate(tiles):
            s.brick_tiles[n * C.BRICK_LENGTH + k] = tile
            mark(s, tile)
            s.bricks[tile] += levels
            changed(s, tile)
        s.n_bricks += 1
    for name, scar in state.scars:
        kind, where = name.split()
        if kind == "tree":
            mark(s, parse_tile(where))
            s.scar[parse_tile(where)] = scar
        elif kind == "deck":
            s.deck_scar[int(where)] = scar
        else:
            s.ladder_scar[int(where)] = scar


def _take_things(s: Columns, tongue: Tongue, state: State) -> None:
    s.n_chests = len(state.chests)
    s.chests[: s.n_chests] = state.chests
    s.prize = state.prize
    s.n_zones, tongue.zones = 0, []
    for zone in state.zones:
        kind = next(number for number, name in ZONES.items() if name == zone.kind)
        for tile in zone.tiles:
            mark(s, tile)
            lay_on(s, kind, zone.side, tile)
        n = s.n_zones
        tongue.zones.append(zone)
        s.zone_kind[n], s.zone_side[n], s.zone_tile[n] = kind, zone.side, -len(tongue.zones)
        s.n_zones += 1
    s.n_hidden = len(state.hidden)
    for n, item in enumerate(state.hidden):
        s.hidden_side[n], s.hidden_kind[n] = item.side, HIDDEN.index(item.kind)
        s.hidden_tile[n], s.hidden_level[n], s.hidden_unit[n] = item.tile, item.level, item.unit
    s.n_bodies = len(state.bodies)
    for n, body in enumerate(state.bodies):
        s.body_unit[n], s.body_spot[n], s.body_used[n] = body.unit, body.spot, int(body.used)
    s.raised[:], s.seats[:] = state.raised, state.seats
    for side in (0, 1):
        s.n_picks[side] = len(state.picks[side])
        s.n_team[side] = sum(unit.side == side and unit.ready_from == 1 for unit in state.units)
        for n, card in enumerate(state.picks[side]):
            s.picks[side * C.MOST_PICKS + n] = tongue.cards.index(card)

"""Columns as a plain state, and what was noted in them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, get_type_hints

from falldamage_forge.board import Column
from falldamage_forge.games.fall_damage.attack import within
from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import State as Columns
from falldamage_forge.games.fall_damage.engine.match_context import (
    FEATURES,
    KINDS,
    STATS,
)
from falldamage_forge.games.fall_damage.engine.tongue import HIDDEN, PIECES, ZONES, Tongue
from falldamage_forge.games.fall_damage.play.arena import Arena
from falldamage_forge.games.fall_damage.play.land import Land
from falldamage_forge.games.fall_damage.play.spots import tile_name
from falldamage_forge.games.fall_damage.play.state import (
    Body,
    Hidden,
    State,
    Task,
    Unit,
    Zone,
    recount,
)

NUMBERS, SWITCHES = (
    tuple(name for name, found in get_type_hints(Unit).items() if found is kind)
    for kind in (int, bool)
)
"""Columns of units that a plain unit holds as numbers, and as yes or no."""
GAME = (
    "round", "first", "to_act", "left_in_turn", "activations_this_round", "last_actor", "active",
    "reversal_round",
)  # fmt: skip
PHASES = {C.CHOOSE: "choose_unit", C.ACTIVATION: "activation", C.OVER: "over", C.SETUP: "setup"}
RESULTS = {0: "", 1: "red", 2: "blue", 3: "draw", 4: "unfinished"}


def dump(s: Columns, tongue: Tongue) -> State:
    """The position of columns as a plain state."""
    arena = tongue.arena
    state = State(arena, _land(s, arena))
    for name in GAME:
        setattr(state, name, getattr(s, name))
    state.phase, state.result = PHASES[s.phase], RESULTS[s.result]
    state.units = [_unit(s, tongue, i) for i in range(s.n_units)]
    state.pending = pending(s, tongue)
    state.scars = _scars(s)
    state.chests = tuple(s.chests[: s.n_chests])
    state.zones = tuple(
        _zone(tongue, s.zone_kind[n], s.zone_side[n], s.zone_tile[n]) for n in range(s.n_zones)
    )
    state.hidden = tuple(
        Hidden(s.hidden_side[n], HIDDEN[s.hidden_kind[n]], s.hidden_tile[n],
               s.hidden_level[n], s.hidden_unit[n])
        for n in range(s.n_hidden)
    )  # fmt: skip
    state.bodies = tuple(
        Body(s.body_unit[n], s.body_spot[n], bool(s.body_used[n])) for n in range(s.n_bodies)
    )
    state.raised = (s.raised[0], s.raised[1])
    state.seats, state.prize = (s.seats[0], s.seats[1]), s.prize
    red, blue = (
        tuple(
            tongue.cards[card]
            for card in s.picks[side * C.MOST_PICKS : side * C.MOST_PICKS + s.n_picks[side]]
        )
        for side in (0, 1)
    )
    state.picks = (red, blue)
    recount(state)
    return state


def pending(s: Columns, tongue: Tongue) -> list[Task]:
    """What is owed; a push that may be left out is part of its question."""
    found: list[Task] = []
    for n in range(s.n_stack):
        task = tongue.task(task_row(s, n))
        found.append((*task, found.pop()) if s.task[n] == C.MAY_PUSH else task)
    return found


def task_row(s: Columns, n: int) -> list[int]:
    """A task's kind and values."""
    return [
        s.task[n], s.task_a[n], s.task_b[n], s.task_c[n], s.task_d[n], s.task_e[n], s.task_f[n],
        s.task_g[n],
    ]  # fmt: skip


def _unit(s: Columns, tongue: Tongue, i: int) -> Unit:
    unit = Unit(s.side[i], tongue.cards[s.card[i]] if s.card[i] >= 0 else "")
    values, columns = unit.__dict__, s.__dict__
    for name in NUMBERS:
        values[name] = columns[name][i]
    for name in SWITCHES:
        values[name] = columns[name][i] == 1
    if s.used[i]:
        unit.used = tuple(name for n, name in enumerate(C.ABILITIES) if s.used[i] >> n & 1)
    if s.promo[i]:
        unit.promo_by = tuple(n for n in range(C.MOST_UNITS) if s.promo[i] >> n & 1)
    items, names = s.items[i], []
    while items:
        names.append(C.ITEM_NAMES[items & 15])
        items >>= 4
    unit.items = tuple(names)
    if s.extra[i] >= 0:
        unit.extra_ability = (C.ABILITIES[s.extra[i]], tongue.cards[s.extra_card[i]])
    own = s.own[i * C.STATS : (i + 1) * C.STATS]
    if max(own) >= 0:
        unit.stats = tuple((name, own[n]) for name, n in sorted(STATS.items()) if own[n] >= 0)
    return unit


def _land(s: Columns, arena: Arena) -> Land:
    kinds = {number: kind for kind, number in KINDS.items()}
    features = {number: feature for feature, number in FEATURES.items()}
    land = arena.land
    columns = list(land.columns)
    for tile in s.changes[: s.n_changed]:
        columns[land.place(tile)] = Column(
            s.level[tile], kinds[s.kind[tile]], features[s.feature[tile]]
        )
    decks = tuple(deck if s.deck_alive[n] else None for n, deck in enumerate(land.decks))
    ladders = tuple(ladder if s.ladder_alive[n] else None for n, ladder in enumerate(land.ladders))
    bricks = []
    for n in range(s.n_bricks):
        at = n * C.BRICK_LENGTH
        tiles = tuple(s.brick_tiles[at : at + s.brick_count[n]])
        bricks.append((s.brick_owner[n], s.brick_levels[n], tiles, s.brick_left[n]))
    if (tuple(columns), decks, ladders, tuple(bricks)) == (
        land.columns, land.decks, land.ladders, land.bricks,
    ):  # fmt: skip
        return land
    return replace(land, columns=tuple(columns), decks=decks, ladders=ladders, bricks=tuple(bricks))


def _scars(s: Columns) -> tuple[tuple[str, int], ...]:
    found = {f"tree {tile_name(t)}": s.scar[t] for t in s.feature_tiles[: s.n_features]}
    found |= {f"deck {n}": s.deck_scar[n] for n in range(s.n_decks)}
    found |= {f"ladder {n}": s.ladder_scar[n] for n in range(s.n_ladders)}
    return tuple(sorted((name, scar) for name, scar in found.items() if scar))


def _zone(tongue: Tongue, kind: int, side: int, tile: int) -> Zone:
    if tile < 0:
        return tongue.zones[-tile - 1]
    return Zone(ZONES[kind], zone_tiles(tongue.arena, kind, tile), side)


def zone_tiles(arena: Arena, kind: int, tile: int) -> frozenset[int]:
    """The tiles of a zone: a square, for quicksand a circle, as far as there is board."""
    land = arena.land
    if kind == C.SAND_ZONE:
        radius = arena.kit.called("quicksand").radius
        wide = range(-radius, radius + 1)
        around = [(r, c) for r in wide for c in wide if within(r, c, radius, arena.rules)]
    else:
        around = [(row, col) for row in (-1, 0, 1) for col in (-1, 0, 1)]
    places = [((tile >> 6) + row, (tile & 63) + col) for row, col in around]
    return frozenset(
        row << 6 | col for row, col in places if 0 <= row < land.rows and 0 <= col < land.cols
    )


def events(s: Columns, tongue: Tongue) -> list[tuple[Any, ...]]:
    """What was noted since it was last asked; asking forgets it."""
    rows = zip(s.event[: s.n_events], s.event_a, s.event_b, s.event_c, s.event_d, s.event_e,
               strict=False)  # fmt: skip
    found = [_event(s, tongue, *row) for row in rows]
    s.n_events = 0
    return found


def _event(
    s: Columns, tongue: Tongue, kind: int, a: int, b: int, c: int, d: int, e: int
) -> tuple[Any, ...]:
    name = C.EVENTS[kind]
    if kind == C.E_HARM:
        return name, a, b, C.CAUSES[c], d, e
    if kind == C.E_DIE:
        return name, a, b, C.CAUSES[c], d
    if kind == C.E_SIEGE:
        return name, a, tongue.words[b]
    if kind == C.E_AREA:
        return name, a, b, tuple(n for n in range(C.MOST_UNITS) if c >> n & 1)
    if kind == C.E_ABILITY:
        move = tongue.move(b)
        return name, a, move.name.replace(" ", "-"), move.units, move.spots
    if kind == C.E_ITEM:
        return name, a, C.ITEM_NAMES[b]
    if kind == C.E_TREASURE:
        return name, a, tongue.arena.kit.treasure[f"{b // 10}-{b % 10}"].name
    if kind == C.E_SPRUNG:
        return name, a, b, HIDDEN[c]
    if kind == C.E_PUSHED:
        return name, a, b, c, d, e
    if kind == C.E_MOVE:
        return name, a, b, c, d
    if kind == C.E_DESTROYED:
        return name, f"{PIECES[a]} {tile_name(b) if a == C.W_TREE else b}", c
    if kind == C.E_BRICKS:
        at = b * C.BRICK_LENGTH
        return name, a, tuple(s.brick_tiles[at : at + s.brick_count[b]]), c
    if kind == C.E_OVER:
        return name, RESULTS[a]
    if kind in (C.E_SPIRE, C.E_THROWN):
        return name, a, b, c
    if kind in (C.E_ACTIVATE, C.E_ROUND):
        return name, a
    return name, a, b

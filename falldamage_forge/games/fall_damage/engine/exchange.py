"""The engine's columns as a plain state; its numbers of moves as moves, and back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from falldamage_forge.board import Column
from falldamage_forge.games.fall_damage.attack import within
from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import State as Columns
from falldamage_forge.games.fall_damage.engine.destruction import destroy
from falldamage_forge.games.fall_damage.engine.match_context import (
    FEATURES,
    KINDS,
    STATS,
    cards_of,
    words_of,
)
from falldamage_forge.games.fall_damage.engine.terrain_changes import lay_on
from falldamage_forge.games.fall_damage.engine.terrain_state import changed, mark, rebuild, restore
from falldamage_forge.games.fall_damage.play.arena import Arena
from falldamage_forge.games.fall_damage.play.land import Land
from falldamage_forge.games.fall_damage.play.moves import KINDS as MOVE_KINDS
from falldamage_forge.games.fall_damage.play.moves import Move
from falldamage_forge.games.fall_damage.play.spots import parse_tile, tile_name
from falldamage_forge.games.fall_damage.play.state import (
    Body,
    Hidden,
    State,
    Task,
    Unit,
    Zone,
    recount,
)

NUMBERS = (
    "moved", "move_now", "attack_plus", "reach_plus", "push_plus", "move_plus", "jump_plus", "mist",
    "mist_rounds", "blood", "side", "spot", "health", "max_health", "ready_from",
)  # fmt: skip
SWITCHES = (
    "activated", "acted", "carries", "song_now", "syringe", "vines", "song_off", *C.FLAGS,
)  # fmt: skip
"""Columns of units that a plain unit holds as numbers, and as yes or no."""
GAME = (
    "round", "first", "to_act", "left_in_turn", "activations_this_round", "last_actor", "active",
    "reversal_round",
)  # fmt: skip
PHASES = {C.CHOOSE: "choose_unit", C.ACTIVATION: "activation", C.OVER: "over", C.SETUP: "setup"}
RESULTS = {0: "", 1: "red", 2: "blue", 3: "draw", 4: "unfinished"}
ZONES = {C.ROPES_ZONE: "rope", C.FOUNTAIN_ZONE: "fountain", C.FOG_ZONE: "fog",
         C.SAND_ZONE: "quicksand"}  # fmt: skip
TASKS: dict[int, tuple[str, str]] = {
    C.JUDGE: ("judge", ""), C.FIRST_TURN: ("first_turn", ""), C.SONGS: ("songs", ""),
    C.CRUMBLING: ("bricks", ""), C.FOUNTAINS: ("fountains", ""), C.MISTS: ("mist", ""),
    C.BITES: ("bites", ""), C.REFRESH: ("refresh", ""), C.BEGIN: ("begin", "ii"),
    C.WALK: ("walk", "im"), C.ACT: ("act", "imb"), C.CRUMBLE: ("crumble", "i"),
    C.COUNTER_BLOW: ("counter", "ii"), C.PUSH_BY: ("push_by", "iiiiibi"),
    C.SWAP_TILES: ("swap_tiles", "iiii"), C.SHOVE_ALL: ("shove", "iiiiii"),
    C.PUSH: ("push", "iiilbii"), C.REST: ("rest", "ib"), C.STILL: ("still", "ii"),
    C.BITE: ("bite", "ii"), C.OPEN: ("open", "i"), C.GAIN: ("gain", "ir"), C.TIRE: ("tire", "ii"),
    C.WEAR: ("wear", "kibi"), C.PUSH_SPIRE: ("push_spire", "iiii"),
    C.TOP_ROPES: ("top_ropes", "iii"), C.START: ("start", ""), C.COIN_MOVE: ("coin_move", "i"),
    C.ROLL: ("roll", "ii"), C.HAND_ON: ("hand_on", "ir"), C.ELIXIR: ("choose_elixir", "i"),
    C.BOX: ("box", "ii"), C.WIND: ("wind", "iii"), C.FREE_MOVE: ("free_move", "ii"),
    C.FREE_COIN: ("free_coin", "i"), C.LAND: ("land", "iiii"), C.ZONE: ("choose_zone", "iz"),
    C.ERUPTION: ("choose_eruption", "ii"), C.DAM_TILE: ("choose_dam_tile", "i"),
    C.DAM_WAY: ("choose_dam_way", "ii"), C.DAM_LENGTH: ("choose_dam_length", "iii"),
    C.TECTONIC: ("choose_tectonic", "i"), C.AID: ("choose_aid", "i"),
    C.BECOME: ("choose_card", "ii"), C.VICTIM: ("choose_victim", "i"),
    C.GLOVES: ("choose_gloves", "i"), C.SATIATE: ("choose_satiate", "i"),
    C.BOTCHED: ("choose_botched", "i"), C.UNHOLY: ("choose_unholy", "i"),
    C.REVIVE: ("revive", "ii"), C.DROP_UNIT: ("drop_unit", "ibi"),
    C.WEAR_AREA: ("wear_area", "iiiiib"), C.TOUCH: ("touch", "ii"),
    C.DRAFT_NEXT: ("draft_next", ""), C.PLACE_NEXT: ("place_next", "f"),
    C.SKELETONS: ("skeletons", "i"), C.SKELETON: ("skeleton", "i"),
    C.SETTLE_ALL: ("settle_all", ""), C.MAY_PUSH: ("may_push", "i"), C.TOSS: ("toss", ""),
    C.CHOOSE_SIDE: ("choose_side", "i"), C.PICK: ("pick", "i"), C.PLACE: ("place", "i"),
    C.STAND_UP: ("stand", "i"),
}  # fmt: skip
"""Each task's name in plain play and its values: i whole number, b yes or no, m move, r roll,
l level or none, k a kind and a name of terrain, z a zone."""
NUMBERED = {name: (number, form) for number, (name, form) in TASKS.items()}
HIDDEN = ("spring", "aid")
PIECES = {C.W_TREE: "tree", C.W_SPIRE: "spire", C.W_DECK: "deck", C.W_LADDER: "ladder"}
TILED = {("act", "spring trap"), ("choice", "tile"), ("choice", "raise"), ("choice", "sink")}


class Tongue:
    """What the numbers of one map's memory are called."""

    def __init__(self, arena: Arena) -> None:
        self.arena = arena
        self.words = words_of(arena)
        self.cards = cards_of(arena.kit)
        self.moves: dict[int, Move] = {}
        self.fixed: Any = None
        self.zones: list[Zone] = []
        """Zones of no shape that play gives, as a situation may tell them."""

    def move(self, key: int) -> Move:
        """The move of a number."""
        found = self.moves.get(key)
        if found is None:
            found = self.moves[key] = self._read(key)
        return found

    def _read(self, key: int) -> Move:
        kind, name = MOVE_KINDS[key >> 59], C.NAMES[key >> 23 & 63]
        where, second = (key >> 44 & 0x7FFF) - 16, (key >> 29 & 0x7FFF) - 1
        if name == "move" and second >= 0:
            return Move(kind, name, spots=(where,), word=f"hurt {second >> 7} cost {second & 127}")
        units = tuple(u - 1 for u in (key >> 9 & 63, key >> 3 & 63) if u)
        tile, spots = -1, tuple(spot for spot in (where, second) if spot >= 0)
        if (kind, name) in TILED:
            if units:
                return Move(kind, name, spots=(where,))
            tile, spots = where >> 4, ()
        return Move(kind, name, units, spots, tile, (key & 7) - 1, self.words[key >> 15 & 255])

    def key(self, move: Move) -> int:
        """The number of a move."""
        if move.kind in ("move", "free") and move.word:
            _, harm, _, cost = move.word.split()
            return self.key(move._replace(word="")) | (int(harm) << 7 | int(cost)) + 1 << 29
        where = (*move.spots, -1) if move.spots else (move.tile << 4, -1)
        units = (*move.units, -1, -1)
        if (move.kind, move.name) in TILED and move.spots:
            units = (-1, 0)
        low = (move.way + 1) | (units[1] + 1) << 3 | (units[0] + 1) << 9
        low |= self.words.index(move.word) << 15 | C.NAMES.index(move.name) << 23
        return (
            low | (where[1] + 1) << 29 | (where[0] + 16) << 44 | MOVE_KINDS.index(move.kind) << 59
        )

    # -- tasks --------------------------------------------------------------------------------

    def row(self, task: Task) -> list[int]:
        """A task's kind and values as numbers: what `task` reads."""
        number, form = NUMBERED[task[0]]
        values = list(task[1:])
        if task[0] == "wear":
            kind = next(n for n, name in PIECES.items() if name == values[0])
            where = parse_tile(values[1]) if kind == C.W_TREE else int(values[1])
            row = [kind, where, *values[2:]]
        else:
            row = [self._number(letter, v) for letter, v in zip(form, values, strict=False)]
        return [number, *map(int, row), *[0] * (7 - len(row))]

    def _number(self, letter: str, value: Any) -> int:
        if letter == "m":
            return self.key(Move(*value))
        if letter == "r":
            return int(value[0]) * 10 + int(value[2])
        if letter == "l":
            return C.NO_LEVEL if value is None else int(value)
        if letter == "f":
            self.fixed = value
            return int(value is not None)
        if letter == "z":
            return next(number for number, name in ZONES.items() if name == value)
        return int(value)

    def task(self, row: list[int]) -> Task:
        """A task of the core as plain play owes it."""
        name, form = TASKS[row[0]]
        values: list[Any] = []
        for letter, value in zip(form, row[1:], strict=False):
            if letter == "k":
                kind = PIECES[value]
                values += [kind, tile_name(row[2]) if kind == "tree" else str(row[2])]
            else:
                values.append(self._value(letter, value))
        if name == "wear":
            values = [*values[:2], row[3], bool(row[4]), row[5]]
        return (name, *values)

    def _value(self, letter: str, value: int) -> Any:
        if letter == "b":
            return bool(value)
        if letter == "m":
            return tuple(self.move(value))
        if letter == "r":
            return f"{value // 10}-{value % 10}"
        if letter == "l":
            return None if value == C.NO_LEVEL else value
        if letter == "f":
            return self.fixed if value else None
        if letter == "z":
            return ZONES[value]
        return value


# -- from columns to a plain state -----------------------------------------------------------------


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
    """The tiles of a zone around one: a square, for quicksand a circle, as far as the board goes."""
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


# -- from a plain state to columns ----------------------------------------------------------------


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
            task = task[:2]
        _take_task(s, tongue, task)
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

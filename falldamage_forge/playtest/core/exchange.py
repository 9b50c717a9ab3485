"""The engine's columns as a plain state; its numbers of moves as moves, and back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from falldamage_forge.board import Column
from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import State as Columns
from falldamage_forge.games.fall_damage.engine.match_context import (
    FEATURES,
    KINDS,
    STATS,
    cards_of,
    words_of,
)
from falldamage_forge.games.fall_damage.play.arena import Arena
from falldamage_forge.games.fall_damage.play.land import Land
from falldamage_forge.games.fall_damage.play.moves import KINDS as MOVE_KINDS
from falldamage_forge.games.fall_damage.play.moves import Move
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
        _zone(arena, s.zone_kind[n], s.zone_side[n], s.zone_tile[n]) for n in range(s.n_zones)
    )
    state.hidden = tuple(
        Hidden(s.hidden_side[n], ("spring", "aid")[s.hidden_kind[n]], s.hidden_tile[n],
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
    unit = Unit(0, tongue.cards[s.card[i]] if s.card[i] >= 0 else "")
    for name in NUMBERS:
        setattr(unit, name, getattr(s, name)[i])
    for name in SWITCHES:
        setattr(unit, name, bool(getattr(s, name)[i]))
    unit.used = tuple(name for n, name in enumerate(C.ABILITIES) if s.used[i] >> n & 1)
    unit.promo_by = tuple(n for n in range(C.MOST_UNITS) if s.promo[i] >> n & 1)
    items, names = s.items[i], []
    while items:
        names.append(C.ITEM_NAMES[items & 15])
        items >>= 4
    unit.items = tuple(names)
    if s.extra[i] >= 0:
        unit.extra_ability = (C.ABILITIES[s.extra[i]], tongue.cards[s.extra_card[i]])
    own = s.own[i * C.STATS : (i + 1) * C.STATS]
    unit.stats = tuple((name, own[stat]) for name, stat in sorted(STATS.items()) if own[stat] >= 0)
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


def _zone(arena: Arena, kind: int, side: int, tile: int) -> Zone:
    from falldamage_forge.games.fall_damage.play.areas import square

    ground = arena.ground(arena.land)
    if kind == C.SAND_ZONE:
        radius = arena.kit.called("quicksand").radius
        tiles = arena.circle(tile, radius) & frozenset(ground.levels)
    else:
        tiles = square(ground, tile)
    return Zone(ZONES[kind], tiles, side)

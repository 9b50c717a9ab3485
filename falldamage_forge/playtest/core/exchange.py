"""The core's memory as a plain state; its numbers of moves as moves, and back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from falldamage_forge.board import Column
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
from falldamage_forge.playtest.core.loops import layout as L
from falldamage_forge.playtest.core.memory import (
    FEATURES,
    KINDS,
    STATS,
    Memory,
    cards_of,
    words_of,
)

FIELDS = {
    "moved": L.MOVED, "move_now": L.MOVE_NOW, "attack_plus": L.ATTACK_PLUS,
    "reach_plus": L.REACH_PLUS, "push_plus": L.PUSH_PLUS, "move_plus": L.MOVE_PLUS,
    "jump_plus": L.JUMP_PLUS, "mist": L.MIST, "mist_rounds": L.MIST_ROUNDS, "blood": L.BLOOD,
    "side": L.SIDE, "spot": L.SPOT, "health": L.HEALTH, "max_health": L.FULL,
    "ready_from": L.READY,
}  # fmt: skip
SWITCHES = {
    "activated": L.ACTIVATED, "acted": L.ACTED, "song_now": L.SONG_NOW, "syringe": L.SYRINGE,
    "vines": L.VINES, "song_off": L.SONG_OFF, "no_sight_needed": L.NO_SIGHT,
    "diagonal": L.DIAGONAL, "lead_shoes": L.LEAD, "thorns": L.THORNS,
    "discorporate": L.DISCORPORATE, "drum": L.DRUM,
}  # fmt: skip
GAME = {
    "round": L.ROUND, "first": L.FIRST, "to_act": L.TO_ACT, "left_in_turn": L.LEFT,
    "activations_this_round": L.ACTS, "last_actor": L.LAST_ACTOR, "active": L.ACTIVE,
    "reversal_round": L.REVERSAL,
}  # fmt: skip
PHASES = {L.CHOOSE: "choose_unit", L.ACTIVATION: "activation", L.OVER: "over", L.SETUP: "setup"}
RESULTS = {0: "", 1: "red", 2: "blue", 3: "draw", 4: "unfinished"}
ZONES = {L.ROPES_ZONE: "rope", L.FOUNTAIN_ZONE: "fountain", L.FOG_ZONE: "fog",
         L.SAND_ZONE: "quicksand"}  # fmt: skip
TASKS: dict[int, tuple[str, str]] = {
    L.JUDGE: ("judge", ""), L.FIRST_TURN: ("first_turn", ""), L.SONGS: ("songs", ""),
    L.CRUMBLING: ("bricks", ""), L.FOUNTAINS: ("fountains", ""), L.MISTS: ("mist", ""),
    L.BITES: ("bites", ""), L.REFRESH: ("refresh", ""), L.BEGIN: ("begin", "ii"),
    L.WALK: ("walk", "im"), L.ACT: ("act", "imb"), L.CRUMBLE: ("crumble", "i"),
    L.COUNTER_BLOW: ("counter", "ii"), L.PUSH_BY: ("push_by", "iiiiibi"),
    L.SWAP_TILES: ("swap_tiles", "iiii"), L.SHOVE_ALL: ("shove", "iiiiii"),
    L.PUSH: ("push", "iiilbii"), L.REST: ("rest", "ib"), L.STILL: ("still", "ii"),
    L.BITE: ("bite", "ii"), L.OPEN: ("open", "i"), L.GAIN: ("gain", "ir"), L.TIRE: ("tire", "ii"),
    L.WEAR: ("wear", "kibi"), L.PUSH_SPIRE: ("push_spire", "iiii"),
    L.TOP_ROPES: ("top_ropes", "iii"), L.START: ("start", ""), L.COIN_MOVE: ("coin_move", "i"),
    L.ROLL: ("roll", "ii"), L.HAND_ON: ("hand_on", "ir"), L.ELIXIR: ("choose_elixir", "i"),
    L.BOX: ("box", "ii"), L.WIND: ("wind", "iii"), L.FREE_MOVE: ("free_move", "ii"),
    L.FREE_COIN: ("free_coin", "i"), L.LAND: ("land", "iiii"), L.ZONE: ("choose_zone", "iz"),
    L.ERUPTION: ("choose_eruption", "ii"), L.DAM_TILE: ("choose_dam_tile", "i"),
    L.DAM_WAY: ("choose_dam_way", "ii"), L.DAM_LENGTH: ("choose_dam_length", "iii"),
    L.TECTONIC: ("choose_tectonic", "i"), L.AID: ("choose_aid", "i"),
    L.BECOME: ("choose_card", "ii"), L.VICTIM: ("choose_victim", "i"),
    L.GLOVES: ("choose_gloves", "i"), L.SATIATE: ("choose_satiate", "i"),
    L.BOTCHED: ("choose_botched", "i"), L.UNHOLY: ("choose_unholy", "i"),
    L.REVIVE: ("revive", "ii"),
}  # fmt: skip
"""Each task's name in plain play and its values: i whole number, b yes or no, m move, r roll,
l level or none, k a kind and a name of terrain, z a zone."""
PIECES = {L.W_TREE: "tree", L.W_SPIRE: "spire", L.W_DECK: "deck", L.W_LADDER: "ladder"}
TILED = {("act", "spring trap"), ("choice", "tile"), ("choice", "raise"), ("choice", "sink")}


class Tongue:
    """What the numbers of one map's memory are called."""

    def __init__(self, arena: Arena) -> None:
        self.arena = arena
        self.words = words_of(arena)
        self.cards = cards_of(arena.kit)
        self.moves: dict[int, Move] = {}

    def move(self, key: int) -> Move:
        """The move of a number."""
        found = self.moves.get(key)
        if found is None:
            found = self.moves[key] = self._read(key)
        return found

    def _read(self, key: int) -> Move:
        kind, name = MOVE_KINDS[key >> 59], L.NAMES[key >> 23 & 63]
        where, second = (key >> 44 & 0x7FFF) - 16, (key >> 29 & 0x7FFF) - 1
        units = tuple(u - 1 for u in (key >> 9 & 63, key >> 3 & 63) if u)
        tile, spots = -1, tuple(spot for spot in (where, second) if spot >= 0)
        if (kind, name) in TILED:
            tile, spots = where >> 4, ()
        return Move(kind, name, units, spots, tile, (key & 7) - 1, self.words[key >> 15 & 255])

    def key(self, move: Move) -> int:
        """The number of a move."""
        where = (*move.spots, -1) if move.spots else (move.tile << 4, -1)
        units = (*move.units, -1, -1)
        low = (move.way + 1) | (units[1] + 1) << 3 | (units[0] + 1) << 9
        low |= self.words.index(move.word) << 15 | L.NAMES.index(move.name) << 23
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
            return None if value == L.NO_LEVEL else value
        if letter == "z":
            return ZONES[value]
        return value


# -- from memory to a state ------------------------------------------------------------------------


def dump(m: Memory, tongue: Tongue, picks: Any) -> State:
    """The position in memory as a plain state."""
    arena = tongue.arena
    state = State(arena, _land(m, arena), picks=picks)
    for name, at in GAME.items():
        setattr(state, name, int(m[at]))
    state.phase, state.result = PHASES[int(m[L.PHASE])], RESULTS[int(m[L.RESULT])]
    state.units = [_unit(m, tongue, i) for i in range(m[L.N_UNITS])]
    state.pending = [
        tongue.task(numbers(m, at, L.TASK)) for at in rows(m, L.STACK, L.TASK, L.N_STACK)
    ]
    state.scars = _scars(m, tongue)
    state.chests = tuple(int(m[L.CHESTS + n]) for n in range(m[L.N_CHESTS]))
    state.zones = tuple(
        _zone(arena, *numbers(m, at, 3)) for at in rows(m, L.ZONES, L.ZONE_ROW, L.N_ZONES)
    )
    state.hidden = tuple(
        Hidden(int(m[at]), ("spring", "aid")[int(m[at + 1])], *(int(v) for v in m[at + 2 : at + 5]))
        for at in rows(m, L.HIDDENS, L.HIDDEN, L.N_HIDDEN)
    )
    state.bodies = tuple(
        Body(int(m[at]), int(m[at + 1]), bool(m[at + 2]))
        for at in rows(m, L.BODIES, L.BODY, L.N_BODIES)
    )
    state.raised = (int(m[L.RAISED_RED]), int(m[L.RAISED_BLUE]))
    recount(state)
    return state


def rows(m: Memory, begin: int, size: int, count: int) -> range:
    """Where the rows of a list begin."""
    return range(begin, begin + int(m[count]) * size, size)


def numbers(m: Memory, at: int, size: int) -> list[int]:
    """Some of memory as plain numbers, which are many times faster than an array's one by one."""
    part = m[at : at + size]
    return list(part) if isinstance(part, list) else list(part.tolist())


def _unit(m: Memory, tongue: Tongue, index: int) -> Unit:
    row = numbers(m, L.UNITS + index * L.UNIT, L.UNIT)
    unit = Unit(0, tongue.cards[row[L.CARD]])
    for name, field in FIELDS.items():
        setattr(unit, name, row[field])
    for name, field in SWITCHES.items():
        setattr(unit, name, bool(row[field]))
    promo, items = row[L.PROMO], row[L.ITEMS]
    unit.promo_by = tuple(n for n in range(L.MOST_UNITS) if promo >> n & 1)
    names = []
    while items:
        names.append(L.ITEM_NAMES[items & 15])
        items >>= 4
    unit.items = tuple(names)
    if row[L.EXTRA] >= 0:
        unit.extra_ability = (L.ABILITIES[row[L.EXTRA]], tongue.cards[row[L.EXTRA_CARD]])
    unit.stats = tuple(
        (name, row[field]) for name, field in sorted(STATS.items()) if row[field] >= 0
    )
    return unit


def _land(m: Memory, arena: Arena) -> Land:
    kinds = {number: kind for kind, number in KINDS.items()}
    features = {number: feature for feature, number in FEATURES.items()}
    land = arena.land
    columns = list(land.columns)
    for tile in numbers(m, L.CHANGES, m[L.N_CHANGED]):
        level, kind, feature = numbers(m, L.GROUND + tile * L.TILE + L.LEVEL, 3)
        columns[land.place(tile)] = Column(level, kinds[kind], features[feature])
    decks = tuple(
        deck if m[L.DECK_ROWS + n * L.DECK + L.D_ALIVE] else None
        for n, deck in enumerate(land.decks)
    )
    ladders = tuple(
        ladder if m[L.LADDER_ROWS + n * L.LADDER + L.L_ALIVE] else None
        for n, ladder in enumerate(land.ladders)
    )
    bricks = []
    for at in rows(m, L.BRICK_ROWS, L.BRICK, L.N_BRICKS):
        tiles = tuple(int(v) for v in m[at + L.B_TILES : at + L.B_TILES + int(m[at + L.B_COUNT])])
        owner, levels, left = (int(m[at + k]) for k in (L.B_OWNER, L.B_LEVELS, L.B_LEFT))
        bricks.append((owner, levels, tiles, left))
    if (tuple(columns), decks, ladders, tuple(bricks)) == (
        land.columns, land.decks, land.ladders, land.bricks,
    ):  # fmt: skip
        return land
    return replace(land, columns=tuple(columns), decks=decks, ladders=ladders, bricks=tuple(bricks))


def _scars(m: Memory, tongue: Tongue) -> tuple[tuple[str, int], ...]:
    found = {}
    for n in range(m[L.N_FEATURES]):
        tile = int(m[L.FEATURES + n])
        found[f"tree {tile_name(tile)}"] = int(m[L.GROUND + tile * L.TILE + L.SCAR])
    for n in range(m[L.N_DECKS]):
        found[f"deck {n}"] = int(m[L.DECK_ROWS + n * L.DECK + L.D_SCAR])
    for n in range(m[L.N_LADDERS]):
        found[f"ladder {n}"] = int(m[L.LADDER_ROWS + n * L.LADDER + L.L_SCAR])
    return tuple(sorted((name, scar) for name, scar in found.items() if scar))


def _zone(arena: Arena, kind: int, side: int, tile: int) -> Zone:
    from falldamage_forge.games.fall_damage.play.areas import square

    ground = arena.ground(arena.land)
    if kind == L.SAND_ZONE:
        radius = arena.kit.called("quicksand").radius
        tiles = arena.circle(tile, radius) & frozenset(ground.levels)
    else:
        tiles = square(ground, tile)
    return Zone(ZONES[kind], tiles, side)

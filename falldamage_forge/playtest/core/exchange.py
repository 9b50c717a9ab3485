"""The core's memory as a plain state, and back; its numbers of moves as moves."""

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
STATS = {"A": L.OWN_A, "H": L.OWN_H, "J": L.OWN_J, "M": L.OWN_M, "P": L.OWN_P, "R": L.OWN_R}
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
}  # fmt: skip
"""Each task's name in plain play and its values: i whole number, b yes or no, m move, r roll,
l level or none, k a kind and a name of terrain, z a zone."""
CODES = {name: (code, form) for code, (name, form) in TASKS.items() if name != "wear"}
"""What the core knows of that may be owed at a decision."""
TILED = {"spring trap", "tile"}


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
        if name in TILED:
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
                kind = ("tree", "spire", "deck", "ladder")[value]
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

    def row(self, task: Task) -> list[int]:
        """A task of plain play as the core owes it; what it does not know is only marked."""
        if task[0] not in CODES:
            return [L.UNKNOWN] + [0] * (L.TASK - 1)
        code, form = CODES[task[0]]
        found = [code]
        for letter, value in zip(form, task[1:], strict=True):
            if letter == "m":
                found.append(self.key(Move(*value)))
            elif letter == "r":
                found.append(int(value[0]) * 10 + int(value[2]))
            elif letter == "l":
                found.append(L.NO_LEVEL if value is None else value)
            elif letter == "z":
                found.append(next(n for n, name in ZONES.items() if name == value))
            else:
                found.append(int(value))
        return found + [0] * (L.TASK - len(found))


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
    unit.stats = tuple((name, row[field]) for name, field in STATS.items() if row[field] >= 0)
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
    from falldamage_forge.games.fall_damage.play.areas import circle, square

    ground = arena.ground(arena.land)
    if kind == L.SAND_ZONE:
        radius = arena.kit.called("quicksand").radius
        tiles = circle(tile, radius, arena.rules) & frozenset(ground.levels)
    else:
        tiles = square(ground, tile)
    return Zone(ZONES[kind], tiles, side)


# -- from a state to memory ------------------------------------------------------------------------


def _spots_taken(m: Memory) -> list[int]:
    """Where units of memory stand."""
    at = range(L.UNITS + L.SPOT, L.UNITS + m[L.N_UNITS] * L.UNIT, L.UNIT)
    return [int(m[place]) for place in at if m[place] >= 0]


def load(m: Memory, tongue: Tongue, state: State) -> None:
    """Take a plain state over after a rare result; `resume` of the loops works out the rest.

    Zones stay as they are in memory: no rare result lays one. LookupError when it does not fit.
    """
    if len(state.units) > L.MOST_UNITS:
        raise LookupError("more units than fit")
    m[L.N_STACK] = len(state.pending)
    for n, task in enumerate(state.pending):
        m[L.STACK + n * L.TASK : L.STACK + (n + 1) * L.TASK] = tongue.row(task)
    for name, at in GAME.items():
        m[at] = getattr(state, name)
    m[L.PHASE] = next(code for code, name in PHASES.items() if name == state.phase)
    m[L.RESULT] = next(code for code, name in RESULTS.items() if name == state.result)
    for spot in _spots_taken(m):
        m[L.OCC + spot] = -1
    for index, unit in enumerate(state.units):
        _load_unit(m, tongue, index, unit)
    m[L.N_UNITS] = len(state.units)
    _load_land(m, tongue, state)
    _load_lists(m, state)


def _load_unit(m: Memory, tongue: Tongue, index: int, unit: Unit) -> None:
    at = L.UNITS + index * L.UNIT
    row = numbers(m, at, L.UNIT)
    row[L.CARD] = tongue.cards.index(unit.card)
    for name, field in (*FIELDS.items(), *SWITCHES.items()):
        row[field] = int(getattr(unit, name))
    row[L.PROMO] = sum(1 << by for by in unit.promo_by)
    row[L.ITEMS] = sum(
        L.ITEM_NAMES.index(name) << 4 * place for place, name in enumerate(unit.items)
    )
    row[L.EXTRA] = row[L.EXTRA_CARD] = -1
    if unit.extra_ability is not None:
        row[L.EXTRA] = L.ABILITIES.index(unit.extra_ability[0])
        row[L.EXTRA_CARD] = tongue.cards.index(unit.extra_ability[1])
    stats = dict(unit.stats)
    for name, field in STATS.items():
        row[field] = stats.get(name, -1)
    m[at : at + L.UNIT] = row


def _load_land(m: Memory, tongue: Tongue, state: State) -> None:
    land, base = state.land, tongue.arena.land
    scars = dict(state.scars)
    for n, deck in enumerate(land.decks):
        row = L.DECK_ROWS + n * L.DECK
        m[row + L.D_ALIVE], m[row + L.D_SCAR] = int(deck is not None), scars.get(f"deck {n}", 0)
    for n, ladder in enumerate(land.ladders):
        row = L.LADDER_ROWS + n * L.LADDER
        m[row + L.L_ALIVE] = int(ladder is not None)
        m[row + L.L_SCAR] = scars.get(f"ladder {n}", 0)
    m[L.N_BRICKS] = len(land.bricks)
    for n, (owner, levels, tiles, left) in enumerate(land.bricks):
        row = L.BRICK_ROWS + n * L.BRICK
        values = [owner, levels, left, len(tiles), *tiles]
        m[row : row + len(values)] = values
    m[L.N_COLUMNS] = 0
    for tile in land.tiles():
        column, scar = land.column(tile), scars.get(f"tree {tile_name(tile)}", 0)
        if column != base.column(tile) or scar:
            row = L.COLUMNS + 5 * m[L.N_COLUMNS]
            kind, feature = KINDS[column.ground], FEATURES[column.feature]
            m[row : row + 5] = [tile, column.level, kind, feature, scar]
            m[L.N_COLUMNS] += 1


def _load_lists(m: Memory, state: State) -> None:
    m[L.N_CHESTS] = len(state.chests)
    for n, spot in enumerate(state.chests):
        m[L.CHESTS + n] = spot
    m[L.N_HIDDEN] = len(state.hidden)
    for n, item in enumerate(state.hidden):
        row = L.HIDDENS + n * L.HIDDEN
        kind = L.SPRING_ITEM if item.kind == "spring" else L.AID_ITEM
        m[row : row + 5] = [item.side, kind, item.tile, item.level, item.unit]
    m[L.N_BODIES] = len(state.bodies)
    for n, body in enumerate(state.bodies):
        row = L.BODIES + n * L.BODY
        m[row : row + 3] = [body.unit, body.spot, int(body.used)]
    m[L.RAISED_RED], m[L.RAISED_BLUE] = state.raised

"""Simulator of one map: state values are written into its columns, played, and read back.

`take_over` writes a state value; `dump` and `events` read one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from typing import Annotated, Any, get_args, get_origin

from falldamage_forge.board import Column
from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine import columns, decisions, match_context, transition
from falldamage_forge.games.fall_damage.engine.columns import StateColumns as Columns
from falldamage_forge.games.fall_damage.engine.falls import destroy
from falldamage_forge.games.fall_damage.engine.name_tables import PIECES, NameTables
from falldamage_forge.games.fall_damage.engine.records import hints_of
from falldamage_forge.games.fall_damage.engine.state_fields import Moment
from falldamage_forge.games.fall_damage.engine.terrain_changes import lay_on, zone_holds
from falldamage_forge.games.fall_damage.engine.terrain_state import changed, mark, rebuild, restore
from falldamage_forge.games.fall_damage.play.move_value import Move
from falldamage_forge.games.fall_damage.play.state_value import (
    Brick,
    EffectZone,
    FallenUnit,
    HiddenItem,
    MatchContext,
    State,
    Task,
    TerrainValue,
    Unit,
    rebuild_occupancy,
)
from falldamage_forge.games.fall_damage.play.surface_number import parse_tile, tile_name
from falldamage_forge.issues import ForgeError, Issue


def _fields(cls: type, names: Iterable[str] = ()) -> dict[str, tuple[Any, Any]]:
    """Return the kind of each field of a value, and the words of a field that is one of some."""
    hints = hints_of(cls)
    return {
        name: get_args(hint)[:2] if get_origin(hint := hints[name]) is Annotated else (hint, ())
        for name in names or hints
    }


NUMBERS, SWITCHES = (
    tuple(name for name, (kind, _) in _fields(Unit).items() if kind is wanted)
    for wanted in (int, bool)
)
"""Columns of units that a unit value holds as integers, and as booleans."""
MOMENT = _fields(State, (item.name for item in fields(Moment)))
ROWS = (
    ("hidden", "hidden", HiddenItem, _fields(HiddenItem)),
    ("bodies", "body", FallenUnit, _fields(FallenUnit)),
)
"""Lists of a state: the field, the prefix of its columns, the value in it and its fields."""


def take_over(s: Columns, codec: NameTables, state: State) -> None:
    """Write the position of a state value into the columns of its map.

    Args:
        s: Columns of the map; changed.
        codec: Names of the numbers in this map.
        state: Position to write.
    """
    for i in range(s.n_units):
        if s.spot[i] >= 0:
            s.occupant[s.spot[i]] = -1
    restore(s)
    rebuild(s)
    _take_land(s, codec, state)
    for name, (_, words) in MOMENT.items():
        setattr(s, name, _number(getattr(state, name), words))
    s.n_units = len(state.units)
    for i, unit in enumerate(state.units):
        _take_unit(s, codec, i, unit)
    _take_things(s, codec, state)
    s.n_stack = 0
    for task in state.pending:
        if task[0] == "may_push":
            _take_task(s, codec, task[2])
        _take_task(s, codec, task[:2] if task[0] == "may_push" else task)
    s.n_spots = 0
    for side in (0, 1):
        for spot in codec.fixed[side] if codec.fixed is not None else ():
            s.spot_side[s.n_spots], s.team_spot[s.n_spots] = side, spot
            s.n_spots += 1
    s.lost, s.n_events, s.n_moves, s.ends_of = 0, 0, 0, -1


def _take_task(s: Columns, codec: NameTables, task: Task) -> None:
    row = codec.row(task)
    n = s.n_stack
    s.task[n], s.task_a[n], s.task_b[n], s.task_c[n] = row[0], row[1], row[2], row[3]
    s.task_d[n], s.task_e[n], s.task_f[n], s.task_g[n] = row[4], row[5], row[6], row[7]
    s.n_stack += 1


def _take_unit(s: Columns, codec: NameTables, i: int, unit: Unit) -> None:
    for name in (*NUMBERS, *SWITCHES):
        getattr(s, name)[i] = int(getattr(unit, name))
    s.card[i] = codec.cards.index(unit.card) if unit.card else -1
    s.used[i] = sum(1 << C.ABILITIES.index(name) for name in unit.used)
    s.promo[i] = sum(1 << by for by in unit.promo_by)
    s.items[i] = sum(C.ITEM_NAMES.index(name) << 4 * n for n, name in enumerate(unit.items))
    s.extra[i], s.extra_card[i] = -1, 0
    if unit.extra_ability is not None:
        ability, card = unit.extra_ability
        s.extra[i], s.extra_card[i] = C.ABILITIES.index(ability), codec.cards.index(card)
    own = dict(unit.stats)
    for name, stat in match_context.STATS.items():
        s.own[i * C.STATS + stat] = own.get(name, -1)
    if unit.spot >= 0:
        s.occupant[unit.spot] = i


def _take_land(s: Columns, codec: NameTables, state: State) -> None:
    land, base = state.land, codec.ctx.land
    for tile, old, new in zip(base.tiles(), base.columns, land.columns, strict=True):
        if old is not new and old != new:
            mark(s, tile)
            s.level[tile], s.kind[tile] = new.level, match_context.KINDS[new.ground]
            s.feature[tile] = match_context.FEATURES[new.feature]
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


def _take_things(s: Columns, codec: NameTables, state: State) -> None:
    s.n_chests = len(state.chests)
    s.chests[: s.n_chests] = state.chests
    s.prize = state.prize
    s.n_zones, codec.zones = 0, []
    for zone in state.zones:
        kind = C.ZONE_KINDS.index(zone.kind)
        for tile in zone.tiles:
            mark(s, tile)
            lay_on(s, kind, zone.side, tile)
        n = s.n_zones
        codec.zones.append(zone)
        s.zone_kind[n], s.zone_side[n], s.zone_tile[n] = kind, zone.side, -len(codec.zones)
        s.n_zones += 1
    for field, prefix, _, inner in ROWS:
        setattr(s, f"n_{field}", len(getattr(state, field)))
        for n, row in enumerate(getattr(state, field)):
            for name, (_, words) in inner.items():
                getattr(s, f"{prefix}_{name}")[n] = _number(getattr(row, name), words)
    s.raised[:], s.seats[:] = state.raised, state.seats
    for side in (0, 1):
        s.n_picks[side] = len(state.picks[side])
        s.n_team[side] = sum(unit.side == side and unit.ready_from == 1 for unit in state.units)
        for n, card in enumerate(state.picks[side]):
            s.picks[side * C.MOST_PICKS + n] = codec.cards.index(card)


def _number(value: Any, words: Sequence[str]) -> int:
    return words.index(value) if isinstance(value, str) else int(value)


def _value(kind: Any, words: Sequence[str], number: int) -> Any:
    return words[number] if kind is str else kind(number)


def dump(s: Columns, codec: NameTables) -> State:
    """Return the position of the columns as a state value.

    Args:
        s: Columns of the map; read only.
        codec: Names of the numbers in this map.
    """
    ctx = codec.ctx
    state = State(ctx, land=_land(s, ctx))
    for name, (kind, words) in MOMENT.items():
        setattr(state, name, _value(kind, words, getattr(s, name)))
    state.units = [_unit(s, codec, i) for i in range(s.n_units)]
    state.pending = pending(s, codec)
    state.scars = _scars(s)
    state.chests = tuple(s.chests[: s.n_chests])
    state.zones = tuple(
        _zone(s, codec, s.zone_kind[n], s.zone_side[n], s.zone_tile[n]) for n in range(s.n_zones)
    )
    for field, prefix, row, inner in ROWS:
        found = [
            row(*(_value(kind, words, getattr(s, f"{prefix}_{name}")[n])
                  for name, (kind, words) in inner.items()))
            for n in range(getattr(s, f"n_{field}"))
        ]  # fmt: skip
        setattr(state, field, tuple(found))
    state.raised = (s.raised[0], s.raised[1])
    state.seats, state.prize = (s.seats[0], s.seats[1]), s.prize
    red, blue = (
        tuple(
            codec.cards[card]
            for card in s.picks[side * C.MOST_PICKS : side * C.MOST_PICKS + s.n_picks[side]]
        )
        for side in (0, 1)
    )
    state.picks = (red, blue)
    rebuild_occupancy(state)
    return state


def pending(s: Columns, codec: NameTables) -> list[Task]:
    """Return the effect stack; an optional push is part of its decision.

    Args:
        s: Columns of the map; read only.
        codec: Names of the numbers in this map.
    """
    found: list[Task] = []
    for n in range(s.n_stack):
        task = codec.task(task_row(s, n))
        found.append((*task, found.pop()) if s.task[n] == C.MAY_PUSH else task)
    return found


def task_row(s: Columns, n: int) -> list[int]:
    """Return a task's kind and values.

    Args:
        s: Columns of the map; read only.
        n: Index in the task columns, below `n_stack`.
    """
    return [
        s.task[n], s.task_a[n], s.task_b[n], s.task_c[n], s.task_d[n], s.task_e[n], s.task_f[n],
        s.task_g[n],
    ]  # fmt: skip


def _unit(s: Columns, codec: NameTables, i: int) -> Unit:
    unit = Unit(s.side[i], codec.cards[s.card[i]] if s.card[i] >= 0 else "")
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
        unit.extra_ability = (C.ABILITIES[s.extra[i]], codec.cards[s.extra_card[i]])
    own = s.own[i * C.STATS : (i + 1) * C.STATS]
    if max(own) >= 0:
        unit.stats = tuple(
            (name, own[n]) for name, n in sorted(match_context.STATS.items()) if own[n] >= 0
        )
    return unit


def _land(s: Columns, ctx: MatchContext) -> TerrainValue:
    kinds = {number: kind for kind, number in match_context.KINDS.items()}
    features = {number: feature for feature, number in match_context.FEATURES.items()}
    land = ctx.land
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
        bricks.append(Brick(s.brick_owner[n], s.brick_levels[n], tiles, s.brick_left[n]))
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


def _zone(s: Columns, codec: NameTables, kind: int, side: int, tile: int) -> EffectZone:
    if tile < 0:
        return codec.zones[-tile - 1]
    return EffectZone(C.ZONE_KINDS[kind], zone_tiles(s, kind, tile), side)


def zone_tiles(s: Columns, kind: int, tile: int) -> frozenset[int]:
    """Return the tiles of a zone on the board: a square, for quicksand a circle.

    Args:
        s: Columns of the map; read only.
        kind: Kind of the zone, such as `codes.FOG_ZONE`.
        tile: Tile number of the middle.
    """
    wide = range(-s.zone_radius[kind], s.zone_radius[kind] + 1)
    offsets = [(row, col) for row in wide for col in wide if zone_holds(s, kind, row, col)]
    places = [((tile >> 6) + row, (tile & 63) + col) for row, col in offsets]
    return frozenset(
        row << 6 | col for row, col in places if 0 <= row < s.rows and 0 <= col < s.cols
    )


def events(s: Columns, codec: NameTables) -> list[tuple[Any, ...]]:
    """Return the events since the previous call, and clear them.

    Args:
        s: Columns of the map; its events are cleared.
        codec: Names of the numbers in this map.
    """
    rows = zip(s.event[: s.n_events], s.event_a, s.event_b, s.event_c, s.event_d, s.event_e,
               strict=False)  # fmt: skip
    found = [_event(s, codec, *row) for row in rows]
    s.n_events = 0
    return found


EVENT_FORMS = {
    C.E_HARM: "nncnn", C.E_DIE: "nncnn", C.E_SIEGE: "nw", C.E_ITEM: "ni", C.E_SPRUNG: "nnh",
    C.E_PUSHED: "nnnnn", C.E_MOVE: "nnnn", C.E_OVER: "r", C.E_SPIRE: "nnn", C.E_THROWN: "nnn",
    C.E_ACTIVATE: "n", C.E_ROUND: "n",
}  # fmt: skip
"""A letter for each value of an event: n a number, else the list that names it; `nn` if missing."""


def _event(s: Columns, codec: NameTables, kind: int, *values: int) -> tuple[Any, ...]:
    name, (a, b, c, *_) = C.EVENTS[kind], values
    if kind == C.E_AREA:
        return name, a, b, tuple(n for n in range(C.MOST_UNITS) if c >> n & 1)
    if kind == C.E_ABILITY:
        move = codec.move(b)
        return name, a, move.name.replace(" ", "-"), move.units, move.spots
    if kind == C.E_TREASURE:
        return name, a, codec.ctx.content.treasure[f"{b // 10}-{b % 10}"].name
    if kind == C.E_DESTROYED:
        return name, f"{PIECES[a]} {tile_name(b) if a == C.W_TREE else b}", c
    if kind == C.E_BRICKS:
        at = b * C.BRICK_LENGTH
        return name, a, tuple(s.brick_tiles[at : at + s.brick_count[b]]), c
    named = {"c": C.CAUSES, "i": C.ITEM_NAMES, "h": C.HIDDEN_KINDS, "r": C.RESULTS}
    lists: dict[str, Sequence[Any]] = {**named, "w": codec.words}
    form = EVENT_FORMS.get(kind, "nn")
    return name, *(
        lists[letter][value] if letter in lists else value
        for letter, value in zip(form, values, strict=False)
    )


Moves = list[Move]
Events = list[tuple[Any, ...]]


class Simulator:
    """Columns of one match context, and the names of their numbers."""

    def __init__(self, ctx: MatchContext) -> None:
        found = match_context.limits(ctx)
        if found:
            message = f"no game can be played here: {', '.join(found)}"
            raise ForgeError([Issue("FDF386", "error", message)])
        self.ctx, self.codec = ctx, NameTables(ctx)
        self.columns: columns.StateColumns = match_context.new_match(ctx)
        self._held: State | None = None
        self._listed = False

    def take(self, state: State) -> None:
        """Write a state into the columns, unless they already hold it.

        Raises:
            ForgeError (FDF382): If the state is not one of this map.
        """
        if self._held is None or self._held != state:
            self._held, self._listed = None, False
            try:
                take_over(self.columns, self.codec, state)
            except (KeyError, ValueError, TypeError, IndexError, StopIteration):
                message = "the state is not one of this map: its values do not fit together"
                raise ForgeError([Issue("FDF382", "error", message)]) from None

    def read(self) -> State:
        """Return the columns as a state value.

        Raises:
            ForgeError (FDF386): If a list of the engine was full.
        """
        if self.columns.lost:
            message = "the game exceeds the capacity of the engine"
            raise ForgeError([Issue("FDF386", "error", message)])
        found = dump(self.columns, self.codec)
        self._held = found.copy()
        return found

    def list(self) -> None:
        """List the legal moves in the columns."""
        if not self._listed or self.columns.phase == C.OVER:
            transition.list_moves(self.columns)
            self._listed = True

    def moves(self) -> Moves:
        """Return every legal move, in order."""
        s = self.columns
        self.list()
        found = [self.codec.move(key) for key in sorted(s.moves[: s.n_moves])]
        if s.path_choice:
            # Paths are numbers in a key and words in a `Move`, which sort differently.
            found.sort(key=lambda move: move.order)
        return found

    def advance(self, move: Move) -> None:
        """Apply a legal move."""
        self._held, self.columns.n_events = None, 0
        transition.advance(self.columns, self.codec.key(move))
        self._listed = True

    def settle(self) -> None:
        """Resolve pending effects up to the next decision."""
        self._held = None
        transition.run_until_decision(self.columns)
        self._listed = True

    def chooser(self) -> int:
        """Return the current player: a side, or -1 for a chance node."""
        return decisions.chooser(self.columns)

    def events(self) -> Events:
        """Return the events since the previous call."""
        return events(self.columns, self.codec)


def simulator_of(ctx: MatchContext) -> Simulator:
    """Return the simulator of a match context, created by the first call."""
    found: Simulator | None = vars(ctx).get("_desk")
    if found is None:
        found = ctx.__dict__["_desk"] = Simulator(ctx)
    return found


__all__ = ["C", "Simulator", "simulator_of"]

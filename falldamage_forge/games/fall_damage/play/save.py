"""States and boards as JSON and back, and the hash by which two states are told apart."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields
from hashlib import blake2b, sha256
from typing import Any

from falldamage_forge.board import (
    Board,
    Column,
    Deck,
    Feature,
    Ladder,
    StartZone,
    Tile,
    Treasure,
    make_board,
)
from falldamage_forge.board import Ground as Kind
from falldamage_forge.games.fall_damage.play.arena import Arena
from falldamage_forge.games.fall_damage.play.engine import forget, legal
from falldamage_forge.games.fall_damage.play.land import Land
from falldamage_forge.games.fall_damage.play.spots import (
    NOWHERE,
    parse_spot,
    parse_tile,
    spot_name,
    tile_name,
)
from falldamage_forge.games.fall_damage.play.state import (
    SIDES,
    Body,
    Hidden,
    State,
    Unit,
    Zone,
    recount,
)
from falldamage_forge.games.fall_damage.play.stored import refuse, state_problems
from falldamage_forge.issues import ForgeError, Issue

Json = dict[str, Any]
PLAIN = (
    "round", "left_in_turn", "activations_this_round", "last_actor", "phase", "active", "result",
    "reversal_round",
)  # fmt: skip
"""Fields that are written as they are; the others have a form of their own."""
ALWAYS = ("side", "card", "spot", "health", "max_health")
USUAL = tuple((item.name, item.default) for item in fields(Unit) if item.name not in ALWAYS)
"""What a new unit has in every field that is written only where it differs."""


def save(state: State) -> Json:
    """A state as one JSON object."""
    return {
        **{name: getattr(state, name) for name in PLAIN},
        "first": SIDES[state.first],
        "to_act": SIDES[state.to_act],
        "pending": [_listed(task) for task in state.pending],
        "units": [_unit(unit) for unit in state.units],
        "picks": [list(side) for side in state.picks],
        "seats": list(state.seats),
        "land": _land(state.land),
        "scars": dict(state.scars),
        "chests": [spot_name(spot) for spot in state.chests],
        "prize": _spot(state.prize),
        "zones": [
            {"kind": z.kind, "side": z.side, "tiles": [tile_name(t) for t in sorted(z.tiles)]}
            for z in state.zones
        ],
        "hidden": [
            {"side": SIDES[h.side], "kind": h.kind, "tile": tile_name(h.tile), "level": h.level,
             "unit": h.unit}
            for h in state.hidden
        ],
        "bodies": [{"unit": b.unit, "at": spot_name(b.spot), "used": b.used} for b in state.bodies],
        "raised": list(state.raised),
    }  # fmt: skip


def load(arena: Arena, saved: Mapping[str, Any]) -> State:
    """The state of a saved object; ForgeError (FDF382) tells everything in it that cannot be."""
    refuse("FDF382", "the saved game", state_problems(saved, arena))
    try:
        state = _load(arena, saved)
        legal(state.copy())
    except UNPLAYABLE as error:
        forget(arena)
        told = f"the saved game cannot be played on: {error}"
        raise ForgeError([Issue("FDF382", "error", told)]) from None
    return state


UNPLAYABLE = (ArithmeticError, AttributeError, LookupError, StopIteration, TypeError, ValueError)
"""What the engine raises where values are of the form, and mean nothing together."""


def _load(arena: Arena, saved: Mapping[str, Any]) -> State:
    state = State(arena, _read_land(saved["land"]))
    for name in PLAIN:
        setattr(state, name, saved[name])
    state.first, state.to_act = SIDES.index(saved["first"]), SIDES.index(saved["to_act"])
    state.pending = [_tupled(task) for task in saved["pending"]]
    state.units = [_read_unit(entry) for entry in saved["units"]]
    red, blue = (tuple(side) for side in saved["picks"])
    state.picks = (red, blue)
    state.seats, state.raised = _pair(saved["seats"]), _pair(saved["raised"])
    state.scars = tuple(sorted(saved["scars"].items()))
    state.chests = tuple(map(parse_spot, saved["chests"]))
    state.prize = _read_spot(saved["prize"])
    state.zones = tuple(
        Zone(z["kind"], frozenset(map(parse_tile, z["tiles"])), z["side"]) for z in saved["zones"]
    )
    state.hidden = tuple(
        Hidden(SIDES.index(h["side"]), h["kind"], parse_tile(h["tile"]), h["level"], h["unit"])
        for h in saved["hidden"]
    )
    state.bodies = tuple(Body(b["unit"], parse_spot(b["at"]), b["used"]) for b in saved["bodies"])
    recount(state)
    return state


def state_hash(state: State) -> str:
    """16 hexadecimal digits that differ when two states do."""
    text = json.dumps(save(state), separators=(",", ":"), sort_keys=True)
    return blake2b(text.encode(), digest_size=8).hexdigest()


# -- parts -----------------------------------------------------------------------------------------


def _spot(spot: int) -> str | None:
    return None if spot == NOWHERE else spot_name(spot)


def _read_spot(text: str | None) -> int:
    return NOWHERE if text is None else parse_spot(text)


def _pair(values: Sequence[int]) -> tuple[int, int]:
    return values[0], values[1]


def _listed(value: Any) -> Any:
    return [_listed(item) for item in value] if isinstance(value, (tuple, list)) else value


def _tupled(value: Any) -> Any:
    return tuple(_tupled(item) for item in value) if isinstance(value, list) else value


def _unit(unit: Unit) -> Json:
    """Values that differ from those of a new unit; side, card, place and health always."""
    found: Json = {"side": SIDES[unit.side], "card": unit.card, "at": _spot(unit.spot)}
    found |= {"health": unit.health, "max_health": unit.max_health}
    values = vars(unit)
    for name, usual in USUAL:
        if (value := values[name]) != usual:
            found[name] = _listed(value)
    return found


def _read_unit(entry: Mapping[str, Any]) -> Unit:
    given = {key: _tupled(value) for key, value in entry.items() if key not in ("side", "at")}
    return Unit(side=SIDES.index(entry["side"]), spot=_read_spot(entry["at"]), **given)


def _column(column: Column) -> str:
    """`2`, `0 water`, `1 tree`."""
    kind = "" if column.ground is Kind.GROUND else f" {column.ground}"
    return f"{column.level}{kind}{f' {column.feature}' if column.feature else ''}"


def _read_column(text: str) -> Column:
    level, *words = text.split()
    kind, feature = Kind.GROUND, None
    for word in words:
        if word in [str(f) for f in Feature]:
            feature = Feature(word)
        else:
            kind = Kind(word)
    return Column(int(level), kind, feature)


def _land(land: Land) -> Json:
    rows = range(land.rows)
    return {
        "columns": [
            [_column(c) for c in land.columns[row * land.cols : (row + 1) * land.cols]]
            for row in rows
        ],
        "decks": [d and [str(d.a), str(d.b), d.level] for d in land.decks],
        "ladders": [
            x and [f"{x.foot}@{x.foot_level}", f"{x.top}@{x.top_level}"] for x in land.ladders
        ],
        "bricks": [
            {"unit": owner, "levels": levels, "tiles": [tile_name(t) for t in tiles], "left": left}
            for owner, levels, tiles, left in land.bricks
        ],
    }


def _read_land(table: Mapping[str, Any]) -> Land:
    rows = table["columns"]
    return Land(
        len(rows),
        len(rows[0]),
        tuple(_read_column(text) for row in rows for text in row),
        tuple(d and Deck(Tile.parse(d[0]), Tile.parse(d[1]), d[2]) for d in table["decks"]),
        tuple(x and _read_ladder(x) for x in table["ladders"]),
        tuple(
            (b["unit"], b["levels"], tuple(map(parse_tile, b["tiles"])), b["left"])
            for b in table["bricks"]
        ),
    )


def _read_ladder(ends: Sequence[str]) -> Ladder:
    foot, top = map(parse_spot, ends)
    return Ladder(
        Tile(foot >> 10, foot >> 4 & 63), foot & 15, Tile(top >> 10, top >> 4 & 63), top & 15
    )


# -- boards ----------------------------------------------------------------------------------------


def board_json(board: Board, land: Land) -> Json:
    """A board as JSON: what a record needs to be replayed without the map's file."""
    table = _land(land)
    del table["bricks"]
    table["treasures"] = [f"{chest.tile}@{chest.level}" for chest in board.treasures]
    table["starts"] = {
        zone.side: [f"{tile}@{level}" for tile, level in zone.surfaces] for zone in board.starts
    }
    return table


def read_board(table: Mapping[str, Any]) -> Board:
    """The board of a record; ForgeError (FDF382) when it is not one."""
    try:
        land = _read_land({**table, "bricks": []})
        return make_board(
            land.rows,
            land.cols,
            land.columns,
            decks=[deck for deck in land.decks if deck],
            ladders=[ladder for ladder in land.ladders if ladder],
            treasures=[Treasure(*_place(text)) for text in table["treasures"]],
            starts=[
                StartZone(side, tuple(_place(text) for text in places))
                for side, places in table["starts"].items()
            ],
        )
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise ForgeError(
            [Issue("FDF382", "error", f"the record's board cannot be read: {error!r}")]
        ) from None


def _place(text: str) -> tuple[Tile, int]:
    spot = parse_spot(text)
    return Tile(spot >> 10, spot >> 4 & 63), spot & 15


def board_digest(table: Mapping[str, Any]) -> str:
    """sha256 of a board's JSON in its one form."""
    text = json.dumps(table, separators=(",", ":"), sort_keys=True)
    return sha256(text.encode()).hexdigest()

"""Serialisation of states and boards to JSON and back, their checks, and the state hash.

The checks go beyond the schema: every problem has its place, such as `units[2].card`.
`docs/game.schema.json` describes both forms.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from hashlib import blake2b, sha256
from typing import Any

from falldamage_forge.board import Board, Chest, StandingModel, StartZone, make_board
from falldamage_forge.board.surfaces import Surface
from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.play import surface_number
from falldamage_forge.games.fall_damage.play.json_form import (
    Check,
    Problem,
    at,
    children,
    known_hint,
    one_of,
    value_of,
    whole,
)
from falldamage_forge.games.fall_damage.play.legal_apply import forget, legal_moves
from falldamage_forge.games.fall_damage.play.shapes import (
    RECORD,
    STATE,
    STATE_KEYS,
    flag,
    is_read_by,
    number,
    or_none,
    read_land,
    text,
    write_land,
)
from falldamage_forge.games.fall_damage.play.state_value import (
    MatchContext,
    State,
    TerrainValue,
    rebuild_occupancy,
)
from falldamage_forge.games.fall_damage.play.vocabulary import items_of
from falldamage_forge.issues import ForgeError, Issue

Json = dict[str, Any]
Saved = Mapping[str, Any]
RECORD_VERSION = 1
ROLLS = "rolls"
"""Key of a saved state for the number of chance outcomes before it; earlier versions have none."""


def refuse(code: str, what: str, problems: Iterable[Problem]) -> None:
    """Raise all problems as issues; do nothing if there is none.

    Args:
        code: Code of the issues.
        what: Name of the document, for messages.
        problems: The problems.

    Raises:
        ForgeError: With the given code, if there is a problem.
    """
    issues = [
        Issue(code, "error", f"{what}, `{place or 'itself'}`: {message}", hint=hint)
        for place, message, hint in problems
    ]
    if issues:
        raise ForgeError(issues)


def of_another_version(record: Any) -> Iterator[Problem]:
    """Yield a problem if a record has an unknown version; other checks then make no sense."""
    version = record.get("game") if isinstance(record, Mapping) else None
    if isinstance(version, int) and version != RECORD_VERSION:
        yield Problem("game", f"version {version} is not known", f"known: {RECORD_VERSION}")


def record_problems(record: Any, cards: Collection[str]) -> tuple[Problem, ...]:
    """Return everything that makes a record unplayable: its keys, cards and surfaces.

    Args:
        record: Any value of a JSON document.
        cards: Names of the known cards.
    """
    found = tuple(of_another_version(record)) or tuple(RECORD(record, ""))
    if found:
        return found
    board = record["board"]
    return (
        *_rows(board["columns"], "board.columns"),
        *_off(record, "", *_size(board["columns"])),
        *(p for n in (0, 1) for p in _cards(record.get("teams"), n, f"teams[{n}]", cards)),
    )


def state_problems(saved: Any, ctx: MatchContext) -> tuple[Problem, ...]:
    """Return everything that makes a saved state unplayable on its map.

    Args:
        saved: Any value of a JSON document.
        ctx: Map and rules of the game.
    """
    found = tuple(STATE(saved, ""))
    if not found:
        found = tuple(_rows(saved["land"]["columns"], "land.columns"))
    if not found:
        found = tuple(_against_map(saved, ctx))
    return found or tuple(_against_itself(saved, ctx))


def _rows(rows: list[list[str]], place: str) -> Iterator[Problem]:
    widths = {len(row) for row in rows}
    if len(widths) != 1 or widths == {0}:
        yield Problem(place, "the rows are not of one length above 0")


def _size(rows: list[list[str]]) -> tuple[int, int]:
    return len(rows), len(rows[0]) if rows else 0


def _off(value: Any, where: str, rows: int, cols: int) -> Iterator[Problem]:
    """Yield tiles and surfaces in a value that are not on the board."""
    for key, item in children(value):
        yield from _off(item, at(where, key), rows, cols)
    if where.rpartition(".")[2].partition("[")[0] in _PLACED and isinstance(value, str):
        named = surface_number.parse_tile(value.partition("@")[0])
        if named >> 6 >= rows or named & 63 >= cols or named & 63 != named % 64:
            yield Problem(where, f"`{value}` is not on a board of {rows} rows and {cols} columns")


_PLACED = (
    "at", "tile", "tiles", "chests", "prize", "ladders", "treasures", "places", "red", "blue",
)  # fmt: skip
"""Keys of texts that are tiles or surfaces."""


def _cards(sides: Any, n: int, where: str, cards: Collection[str]) -> Iterator[Problem]:
    for at_, name in enumerate(sides[n] if sides else ()):
        if name not in cards:
            yield _unknown(at(where, at_), "card", name, cards)


def _unknown(place: str, what: str, name: str, known: Collection[str]) -> Problem:
    return Problem(place, f"no {what} `{name}`", known_hint(name, dict.fromkeys(known)))


def _against_map(saved: Saved, ctx: MatchContext) -> Iterator[Problem]:
    """Yield differences from the map: its size, its bridges and ladders, places off the board."""
    land, base = saved["land"], ctx.land
    size = _size(land["columns"])
    if size != (base.rows, base.cols):
        message = f"{size[0]} rows and {size[1]} columns, the map has {base.rows} and {base.cols}"
        yield Problem("land.columns", message)
        return
    for name, pieces in (("decks", base.decks), ("ladders", base.ladders)):
        if len(land[name]) != len(pieces):
            message = f"{len(land[name])} of them, the map has {len(pieces)}"
            yield Problem(f"land.{name}", message)
    yield from _off(saved, "", base.rows, base.cols)
    known = {f"deck {n}" for n in range(len(base.decks))}
    known |= {f"ladder {n}" for n in range(len(base.ladders))}
    for name in saved["scars"]:
        kind, _, where = name.partition(" ")
        if name not in known and not (
            kind == "tree" and is_read_by(surface_number.parse_tile)(where)
        ):
            yield _unknown("scars", "piece", name, sorted(known))


def _against_itself(saved: Saved, ctx: MatchContext) -> Iterator[Problem]:
    """Yield unknown names and numbers, and surfaces with two units."""
    units, content = saved["units"], ctx.content
    taken: dict[str, int] = {}
    for n, unit in enumerate(units):
        where = f"units[{n}]"
        yield from _unit(unit, where, len(units), ctx)
        spot_ = unit["at"]
        if spot_ is not None:
            if spot_ in taken:
                yield Problem(f"{where}.at", f"unit {taken[spot_]} stands on `{spot_}` too")
            taken[spot_] = n
    for key in ("last_actor", "active"):
        yield from _number(saved[key], key, len(units))
    for key in ("hidden", "bodies"):
        for n, item in enumerate(saved[key]):
            yield from _number(item["unit"], f"{key}[{n}].unit", len(units))
    for n, brick in enumerate(saved["land"]["bricks"]):
        yield from _number(brick["unit"], f"land.bricks[{n}].unit", len(units))
    for n, zone in enumerate(saved["zones"]):
        if zone["kind"] == "rope" and zone.get("side", -1) < 0:
            yield Problem(f"zones[{n}].side", "a rope belongs to a side, 0 or 1")
    for n in (0, 1):
        yield from _cards(saved["picks"], n, f"picks[{n}]", content.cards)
    if saved["phase"] == "activation" and saved["active"] < 0:
        yield Problem("active", "nobody is active in an activation")
    if (saved["phase"] == "over") != (saved["result"] != ""):
        yield Problem("result", f"`{saved['result']}` in the phase `{saved['phase']}`")
    if saved["seats"][0] == saved["seats"][1]:
        yield Problem("seats", "both sides have the same seat")
    yield from _tasks(saved, len(units))


def _number(value: int, place: str, count: int) -> Iterator[Problem]:
    if value >= count:
        yield Problem(place, f"no unit {value}: there are {count}")


def _unit(unit: Saved, where: str, count: int, ctx: MatchContext) -> Iterator[Problem]:
    content = ctx.content
    if unit["card"] and unit["card"] not in content.cards:
        yield _unknown(f"{where}.card", "card", unit["card"], content.cards)
    if unit["health"] > unit["max_health"]:
        yield Problem(f"{where}.health", f"{unit['health']} of at most {unit['max_health']}")
    if unit["at"] is not None and unit["health"] < 1:
        yield Problem(f"{where}.at", "a unit on the board has no Health")
    items = items_of(content)
    names = (("used", content.abilities, "ability"), ("items", items, "item"))
    for key, known, what in names:
        for n, name in enumerate(unit.get(key, ())):
            if name not in known:
                yield _unknown(f"{where}.{key}[{n}]", what, name, sorted(known))
    ability, card = unit.get("extra_ability") or (None, None)
    if ability is not None and ability not in content.abilities:
        yield _unknown(f"{where}.extra_ability[0]", "ability", ability, content.abilities)
    if card is not None and card not in content.cards:
        yield _unknown(f"{where}.extra_ability[1]", "card", card, content.cards)
    for n, other in enumerate(unit.get("promo_by", ())):
        yield from _number(other, f"{where}.promo_by[{n}]", count)
    for n, (name, _) in enumerate(unit.get("stats", ())):
        if name not in C.STAT_LETTERS:
            yield _unknown(f"{where}.stats[{n}][0]", "value", name, C.STAT_LETTERS)


def _tasks(saved: Saved, count: int) -> Iterator[Problem]:
    """Yield unknown tasks, and tasks with wrong values."""
    from falldamage_forge.games.fall_damage.engine.name_tables import NUMBERED

    for n, task in enumerate(saved["pending"]):
        place = f"pending[{n}]"
        if task[0] not in NUMBERED:
            yield _unknown(f"{place}[0]", "task", task[0], NUMBERED)
            continue
        form = "".join("kk" if letter == "k" else letter for letter in NUMBERED[task[0]][1])
        wanted = len(form) + (task[0] == "may_push")
        if len(task) - 1 != wanted:
            yield Problem(place, f"`{task[0]}` has {len(task) - 1} values of {wanted}")
            continue
        for k, (letter, value) in enumerate(zip(form, task[1:], strict=False), 1):
            yield from _VALUES[letter](value, f"{place}[{k}]")


_ANY: Check = lambda value, place: iter(())  # noqa: E731
_VALUES: Mapping[str, Check] = {
    "i": number,
    "b": flag,
    "r": value_of("a roll, such as `2-5`", is_read_by(lambda t: [int(d) for d in t.split("-", 1)])),
    "l": or_none(whole()),
    "k": text,
    "z": one_of(*C.ZONE_KINDS),
    "m": value_of("a move", lambda value: isinstance(value, list) and len(value) == 7),
    "f": _ANY,
}
"""Checks of task values, by the letters of `engine.name_tables.TASKS`."""


def to_json(state: State) -> Json:
    """Return a state as a JSON object."""
    return {name: shape.write(getattr(state, name)) for name, shape in STATE_KEYS.items()}


def from_json(ctx: MatchContext, saved: Mapping[str, Any]) -> State:
    """Return the state of a JSON object.

    Args:
        ctx: Match context of the state's map.
        saved: The object.

    Raises:
        ForgeError (FDF382): If it is malformed or not playable; all problems are reported.
    """
    refuse("FDF382", "the saved game", state_problems(saved, ctx))
    try:
        state = _load(ctx, saved)
        legal_moves(state.copy())
    except UNPLAYABLE:
        forget(ctx)
        message = "the saved game cannot be played on: its values do not fit together"
        raise ForgeError([Issue("FDF382", "error", message)]) from None
    return state


UNPLAYABLE = (ArithmeticError, AttributeError, LookupError, StopIteration, TypeError, ValueError)
"""Exceptions of the engine for values that are well-formed but inconsistent."""


def _load(ctx: MatchContext, saved: Mapping[str, Any]) -> State:
    state = State(ctx, **{name: shape.read(saved[name]) for name, shape in STATE_KEYS.items()})
    rebuild_occupancy(state)
    return state


def state_hash(state: State) -> str:
    """Return 16 hexadecimal digits that differ if two states differ."""
    text = json.dumps(to_json(state), separators=(",", ":"), sort_keys=True)
    return blake2b(text.encode(), digest_size=8).hexdigest()


# -- boards ----------------------------------------------------------------------------------------


def board_json(board: Board, land: TerrainValue) -> Json:
    """Return a board as JSON, which replays a record without the map's file.

    Args:
        board: The map's board.
        land: Its terrain at the beginning of the game.
    """
    table = write_land(land)
    del table["bricks"]
    table["treasures"] = [f"{chest.tile}@{chest.level}" for chest in board.treasures]
    table["starts"] = {
        zone.side: [f"{tile}@{level}" for tile, level in zone.surfaces] for zone in board.starts
    }
    return table


def read_board(table: Mapping[str, Any]) -> Board:
    """Return the board of a record.

    Raises:
        ForgeError (FDF382): If it is malformed.
    """
    try:
        land = read_land(table)
        return make_board(
            land.rows,
            land.cols,
            land.columns,
            decks=[deck for deck in land.decks if deck],
            ladders=[ladder for ladder in land.ladders if ladder],
            models=[
                StandingModel("model", (at,), ((-1, False),), land.column(number).level)
                for number in land.fixed
                for at in (surface_number.tile_of(number),)
            ],
            treasures=[Chest(at.tile, at.level) for at in map(_surface, table["treasures"])],
            starts=[
                StartZone(side, tuple((at.tile, at.level) for at in map(_surface, places)))
                for side, places in table["starts"].items()
            ],
        )
    except (KeyError, TypeError, ValueError, AttributeError, IndexError):
        message = "the record's board cannot be read: its values do not fit together"
        raise ForgeError([Issue("FDF382", "error", message)]) from None


def _surface(text: str) -> Surface:
    return surface_number.surface_of(surface_number.parse_spot(text))


def board_digest(table: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a board's canonical JSON."""
    text = json.dumps(table, separators=(",", ":"), sort_keys=True)
    return sha256(text.encode()).hexdigest()

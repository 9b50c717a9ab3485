"""The form of saved states and of records, and what in them contradicts itself or their map.

Every problem is told with its place, such as `units[2].card`. `docs/game.schema.json` describes
both forms.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import MISSING, fields
from typing import Any, get_type_hints

from falldamage_forge.board import Feature, Ground
from falldamage_forge.games.fall_damage.play.arena import Arena
from falldamage_forge.games.fall_damage.play.form import (
    Check,
    Form,
    Problem,
    at,
    by_name,
    either,
    known_hint,
    listed,
    one_of,
    shown,
    value_of,
    whole,
)
from falldamage_forge.games.fall_damage.play.spots import parse_spot, parse_tile
from falldamage_forge.games.fall_damage.play.state import SIDES, Unit
from falldamage_forge.issues import ForgeError, Issue

Json = Mapping[str, Any]
RECORD_VERSION = 1
MOST = 1 << 31
"""Beyond any number that a game comes to."""


def is_read_by(read: Callable[[Any], object]) -> Callable[[Any], bool]:
    """Return a test for texts that a reader reads."""

    def good(value: Any) -> bool:
        try:
            read(value)
        except (ValueError, AttributeError, TypeError):
            return False
        return isinstance(value, str)

    return good


def fixed_list(what: str, *checks: Check) -> Check:
    """Return a check for a list with one check for each of its entries."""

    def each(value: Any, place: str) -> Iterator[Problem]:
        if not isinstance(value, list) or len(value) != len(checks):
            yield Problem(place, f"{shown(value)} is not {what}")
            return
        for number, (check, item) in enumerate(zip(checks, value, strict=True)):
            yield from check(item, at(place, number))

    return each


def or_none(check: Check) -> Check:
    """Return a check that lets `null` through."""
    return either(type(None), lambda value, place: iter(()), check)


def _column(text: str) -> None:
    level, *words = text.split(" ")
    grounds = [str(kind) for kind in Ground if kind is not Ground.GROUND]
    features = [str(feature) for feature in Feature]
    if words and words[0] in grounds:
        words = words[1:]
    if words and words[0] in features:
        words = words[1:]
    if words or not (level.isascii() and level.isdigit()):
        raise ValueError(text)


text = value_of("a text", lambda value: isinstance(value, str))
flag = value_of("`true` or `false`", lambda value: isinstance(value, bool))
number = value_of(
    "a whole number", lambda v: isinstance(v, int) and not isinstance(v, bool) and abs(v) < MOST
)
spot = value_of("a surface, such as `E5@2`", is_read_by(parse_spot))
tile = value_of("a tile, such as `E5`", is_read_by(parse_tile))
side = one_of(*SIDES)
column = value_of("a column, such as `2 water`", is_read_by(_column))
RESULT = one_of("", "red", "blue", "draw", "unfinished")
TYPES: Mapping[Any, Check] = {
    int: number,
    bool: flag,
    tuple[int, ...]: listed(whole()),
    tuple[str, ...]: listed(text),
    tuple[str, str] | None: or_none(fixed_list("an ability and a card", text, text)),
    tuple[tuple[str, int], ...]: listed(fixed_list("a value and its number", text, number)),
}
"""How a field of a unit is written, by its type."""
_NAMED: Mapping[str, Check] = {"side": side, "card": text, "at": or_none(spot)}
_HINTS = get_type_hints(Unit)
UNIT = Form(
    "a unit",
    {**_NAMED, "health": number, "max_health": number},
    {
        item.name: TYPES[_HINTS[item.name]]
        for item in fields(Unit)
        if item.default is not MISSING and item.name not in ("spot", "health", "max_health")
    },
)
BRICK = Form(
    "bricks", {"unit": whole(), "levels": whole(), "tiles": listed(tile), "left": number}, {}
)
_LAND: Mapping[str, Check] = {
    "columns": listed(listed(column)),
    "decks": listed(or_none(fixed_list("two tiles and a level", tile, tile, whole()))),
    "ladders": listed(or_none(fixed_list("a foot and a top", spot, spot))),
}
LAND = Form("the land", {**_LAND, "bricks": listed(BRICK)}, {})
BOARD = Form("the board", {**_LAND, "treasures": listed(spot), "starts": by_name(listed(spot))}, {})
ZONE = Form(
    "a zone",
    {
        "kind": one_of("quicksand", "rope", "fountain", "fog"),
        "side": one_of(-1, 0, 1),
        "tiles": listed(tile),
    },
    {},
)
HIDDEN = Form(
    "a hidden item",
    {
        "side": side,
        "kind": one_of("spring", "aid"),
        "tile": tile,
        "level": number,
        "unit": whole(-1),
    },
    {},
)
BODY = Form("a body", {"unit": whole(), "at": spot, "used": flag}, {})
SEATS = fixed_list("two seats", one_of(0, 1), one_of(0, 1))
RAISED = fixed_list("two numbers", whole(), whole())
PICKS = fixed_list("two lists of cards", listed(text), listed(text))
TASK = value_of(
    "a task: its name, then its values",
    lambda value: isinstance(value, list) and bool(value) and isinstance(value[0], str),
)
STATE = Form(
    "a saved state",
    {
        "round": whole(1),
        "left_in_turn": number,
        "activations_this_round": whole(),
        "last_actor": whole(-1),
        "phase": one_of("setup", "choose_unit", "activation", "over"),
        "active": whole(-1),
        "result": RESULT,
        "reversal_round": whole(),
        "first": side,
        "to_act": side,
        "pending": listed(TASK),
        "units": listed(UNIT),
        "picks": PICKS,
        "seats": SEATS,
        "land": LAND,
        "scars": by_name(whole()),
        "chests": listed(spot),
        "prize": or_none(spot),
        "zones": listed(ZONE),
        "hidden": listed(HIDDEN),
        "bodies": listed(BODY),
        "raised": RAISED,
    },
    {},
)
ENTRY = Form("a move", {"move": text}, {"legal": whole(), "hash": text})
RECORD = Form(
    "a record",
    {"game": number, "board": BOARD, "options": by_name(lambda value, place: iter(()))},
    {
        "map": text,
        "teams": or_none(PICKS),
        "places": or_none(fixed_list("two lists of surfaces", listed(spot), listed(spot))),
        "seed": value_of("a whole number", lambda v: type(v) is int),
        "moves": listed(either(str, text, ENTRY)),
        "result": RESULT,
    },
)


def refuse(code: str, what: str, problems: Iterable[Problem]) -> None:
    """Raise ForgeError with every problem, if there is one."""
    issues = [
        Issue(code, "error", f"{what}, `{place or 'itself'}`: {message}", hint=hint)
        for place, message, hint in problems
    ]
    if issues:
        raise ForgeError(issues)


def of_another_version(record: Any) -> Iterator[Problem]:
    """Whether a record says that it is of another version, which then is all to be told."""
    version = record.get("game") if isinstance(record, Mapping) else None
    if isinstance(version, int) and version != RECORD_VERSION:
        yield Problem("game", f"version {version} is not known", f"known: {RECORD_VERSION}")


def record_problems(record: Any, cards: Collection[str]) -> tuple[Problem, ...]:
    """Everything that keeps a record from being played: its keys, its cards and its places."""
    found = tuple(of_another_version(record)) or tuple(RECORD(record, ""))
    if found:
        return found
    board = record["board"]
    return (
        *_rows(board["columns"], "board.columns"),
        *_off(record, "", *_size(board["columns"])),
        *(p for n in (0, 1) for p in _cards(record.get("teams"), n, f"teams[{n}]", cards)),
    )


def state_problems(saved: Any, arena: Arena) -> tuple[Problem, ...]:
    """Everything that keeps a saved state from being played on, on its arena."""
    found = tuple(STATE(saved, ""))
    if not found:
        found = tuple(_rows(saved["land"]["columns"], "land.columns"))
    if not found:
        found = tuple(_against_map(saved, arena))
    return found or tuple(_against_itself(saved, arena))


def _rows(rows: list[list[str]], place: str) -> Iterator[Problem]:
    widths = {len(row) for row in rows}
    if len(widths) != 1 or widths == {0}:
        yield Problem(place, "the rows are not of one length above 0")


def _size(rows: list[list[str]]) -> tuple[int, int]:
    return len(rows), len(rows[0]) if rows else 0


def _off(value: Any, where: str, rows: int, cols: int) -> Iterator[Problem]:
    """Tiles and surfaces in a value that are not on the board."""
    pairs: Iterable[tuple[Any, Any]] = ()
    if isinstance(value, Mapping):
        pairs = value.items()
    elif isinstance(value, list):
        pairs = enumerate(value)
    for key, item in pairs:
        yield from _off(item, at(where, key), rows, cols)
    if where.rpartition(".")[2].partition("[")[0] in _PLACED and isinstance(value, str):
        named = parse_tile(value.partition("@")[0])
        if named >> 6 >= rows or named & 63 >= cols or named & 63 != named % 64:
            yield Problem(where, f"`{value}` is not on a board of {rows} rows and {cols} columns")


_PLACED = (
    "at", "tile", "tiles", "chests", "prize", "ladders", "treasures", "places", "red", "blue",
)  # fmt: skip
"""Keys whose texts are tiles or surfaces."""


def _cards(sides: Any, n: int, where: str, cards: Collection[str]) -> Iterator[Problem]:
    for at_, name in enumerate(sides[n] if sides else ()):
        if name not in cards:
            yield _unknown(at(where, at_), "card", name, cards)


def _unknown(place: str, what: str, name: str, known: Collection[str]) -> Problem:
    return Problem(place, f"no {what} `{name}`", known_hint(name, dict.fromkeys(known)))


def _against_map(saved: Json, arena: Arena) -> Iterator[Problem]:
    """What is not of this map: its size, its pieces, and places off it."""
    land, base = saved["land"], arena.land
    size = _size(land["columns"])
    if size != (base.rows, base.cols):
        told = f"{size[0]} rows and {size[1]} columns, the map has {base.rows} and {base.cols}"
        yield Problem("land.columns", told)
        return
    for name, pieces in (("decks", base.decks), ("ladders", base.ladders)):
        if len(land[name]) != len(pieces):
            told = f"{len(land[name])} of them, the map has {len(pieces)}"
            yield Problem(f"land.{name}", told)
    yield from _off(saved, "", base.rows, base.cols)
    known = {f"deck {n}" for n in range(len(base.decks))}
    known |= {f"ladder {n}" for n in range(len(base.ladders))}
    for name in saved["scars"]:
        kind, _, where = name.partition(" ")
        if name not in known and not (kind == "tree" and is_read_by(parse_tile)(where)):
            yield _unknown("scars", "piece", name, sorted(known))


def _against_itself(saved: Json, arena: Arena) -> Iterator[Problem]:
    """Names and numbers that nothing in the state or the kit has, and two in one place."""
    units, kit = saved["units"], arena.kit
    taken: dict[str, int] = {}
    for n, unit in enumerate(units):
        where = f"units[{n}]"
        yield from _unit(unit, where, len(units), arena)
        spot_ = unit["at"]
        if spot_ is not None:
            if spot_ in taken:
                yield Problem(f"{where}.at", f"unit {taken[spot_]} stands on `{spot_}`, too")
            taken[spot_] = n
    for key in ("last_actor", "active"):
        yield from _number(saved[key], key, len(units))
    for key in ("hidden", "bodies"):
        for n, item in enumerate(saved[key]):
            yield from _number(item["unit"], f"{key}[{n}].unit", len(units))
    for n, brick in enumerate(saved["land"]["bricks"]):
        yield from _number(brick["unit"], f"land.bricks[{n}].unit", len(units))
    for n in (0, 1):
        yield from _cards(saved["picks"], n, f"picks[{n}]", kit.cards)
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


def _unit(unit: Json, where: str, count: int, arena: Arena) -> Iterator[Problem]:
    kit = arena.kit
    if unit["card"] and unit["card"] not in kit.cards:
        yield _unknown(f"{where}.card", "card", unit["card"], kit.cards)
    if unit["health"] > unit["max_health"]:
        yield Problem(f"{where}.health", f"{unit['health']} of at most {unit['max_health']}")
    if unit["at"] is not None and unit["health"] < 1:
        yield Problem(f"{where}.at", "it stands, and has no Health")
    items = {result.name for result in kit.treasure.values() if result.effect in _KEPT}
    names = (("used", kit.abilities, "ability"), ("items", items, "item"))
    for key, known, what in names:
        for n, name in enumerate(unit.get(key, ())):
            if name not in known:
                yield _unknown(f"{where}.{key}[{n}]", what, name, sorted(known))
    ability, card = unit.get("extra_ability") or (None, None)
    if ability is not None and ability not in kit.abilities:
        yield _unknown(f"{where}.extra_ability[0]", "ability", ability, kit.abilities)
    if card is not None and card not in kit.cards:
        yield _unknown(f"{where}.extra_ability[1]", "card", card, kit.cards)
    for n, other in enumerate(unit.get("promo_by", ())):
        yield from _number(other, f"{where}.promo_by[{n}]", count)
    for n, (name, _) in enumerate(unit.get("stats", ())):
        if name not in "MJHARP" or len(name) != 1:
            yield _unknown(f"{where}.stats[{n}][0]", "value", name, "MJHARP")


_KEPT = ("item", "elixir")
"""Effects of results that are kept as items."""


def _tasks(saved: Json, count: int) -> Iterator[Problem]:
    """Tasks that nobody knows, or with values that they do not have."""
    from falldamage_forge.games.fall_damage.engine.tongue import NUMBERED

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
    "z": one_of("quicksand", "rope", "fountain", "fog"),
    "m": value_of("a move", lambda value: isinstance(value, list) and len(value) == 7),
    "f": _ANY,
}
"""Values of tasks, by the letters of `engine.tongue.TASKS`."""

"""Shapes: one declaration each of a value's JSON check, its encoder and its decoder.

Saved states, records and hashes follow from these declarations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, fields
from typing import Any, NamedTuple, get_type_hints

from falldamage_forge.board import Column, Deck, Feature, Ground, Ladder
from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.play import surface_number
from falldamage_forge.games.fall_damage.play.json_form import (
    MOST,
    Check,
    Form,
    Problem,
    at,
    by_name,
    either,
    listed,
    one_of,
    shown,
    value_of,
    whole,
)
from falldamage_forge.games.fall_damage.play.state_value import (
    SIDES,
    Brick,
    EffectZone,
    FallenUnit,
    HiddenItem,
    TerrainValue,
    Unit,
)


class Shape(NamedTuple):
    """Check, encoder and decoder of a JSON value."""

    check: Check
    write: Callable[[Any], Any]
    read: Callable[[Any], Any]


def is_read_by(read: Callable[[Any], object]) -> Callable[[Any], bool]:
    """Return a predicate that is true for texts that a reader accepts."""

    def good(value: Any) -> bool:
        try:
            read(value)
        except (ValueError, AttributeError, TypeError):
            return False
        return isinstance(value, str)

    return good


def fixed_list(what: str, *entries: Check) -> Check:
    """Return a check for a list with one check per entry."""

    def each(value: Any, place: str) -> Iterator[Problem]:
        if not isinstance(value, list) or len(value) != len(entries):
            yield Problem(place, f"{shown(value)} is not {what}")
            return
        for number, (check, item) in enumerate(zip(entries, value, strict=True)):
            yield from check(item, at(place, number))

    return each


def or_none(check: Check) -> Check:
    """Return a check that also accepts `null`."""
    return either(type(None), lambda value, place: iter(()), check)


def plain(check: Check) -> Shape:
    """Return the shape of plain values and nested tuples of them."""
    return Shape(check, _listed, _tupled)


def _listed(value: Any) -> Any:
    return [_listed(item) for item in value] if isinstance(value, (tuple, list)) else value


def _tupled(value: Any) -> Any:
    return tuple(_tupled(item) for item in value) if isinstance(value, list) else value


def many(shape: Shape, kind: Callable[[Any], Any] = tuple) -> Shape:
    """Return the shape of a list; a set is written in sorted order."""
    return Shape(
        listed(shape.check),
        lambda things: [
            shape.write(one) for one in (sorted(things) if kind is frozenset else things)
        ],
        lambda entries: kind(map(shape.read, entries)),
    )


def maybe(shape: Shape, nothing: Any = None) -> Shape:
    """Return the shape of an optional value, `null` if it is missing."""
    return Shape(
        or_none(shape.check),
        lambda value: None if value == nothing else shape.write(value),
        lambda entry: nothing if entry is None else shape.read(entry),
    )


NAMES = {"at": "spot"}
"""Keys that differ from the field's name."""


def thing(
    what: str,
    build: Callable[..., Any],
    always: Mapping[str, Shape],
    usual: Mapping[str, tuple[Shape, Any]] | None = None,
) -> Shape:
    """Return the shape of an object.

    Args:
        what: Description, for messages.
        build: Constructor, called with the fields as keywords.
        always: Shapes of the required keys.
        usual: Shape and default of the optional keys; defaults are not written.
    """
    other = usual or {}
    optional = {key: shape for key, (shape, _) in other.items()}
    shapes = {**always, **optional}

    def write(value: Any) -> dict[str, Any]:
        found = {key: s.write(getattr(value, NAMES.get(key, key))) for key, s in always.items()}
        for key, (shape, default) in other.items():
            if (here := getattr(value, key)) != default:
                found[key] = shape.write(here)
        return found

    def read(entry: Mapping[str, Any]) -> Any:
        return build(**{NAMES.get(key, key): shapes[key].read(v) for key, v in entry.items()})

    return Shape(
        Form(what, checks(always), checks({k: s for k, (s, _) in other.items()})), write, read
    )


def checks(shapes: Mapping[str, Shape]) -> dict[str, Check]:
    """Return the checks of shapes, by key."""
    return {key: shape.check for key, shape in shapes.items()}


text = value_of("a text", lambda value: isinstance(value, str))
flag = value_of("`true` or `false`", lambda value: isinstance(value, bool))
number = value_of(
    "a whole number", lambda v: isinstance(v, int) and not isinstance(v, bool) and abs(v) < MOST
)
spot = value_of("a surface, such as `E5@2`", is_read_by(surface_number.parse_spot))
tile = value_of("a tile, such as `E5`", is_read_by(surface_number.parse_tile))
SIDE = Shape(one_of(*SIDES), SIDES.__getitem__, SIDES.index)
SPOT = Shape(spot, surface_number.spot_name, surface_number.parse_spot)
TILE = Shape(tile, surface_number.tile_name, surface_number.parse_tile)
PLACE = maybe(SPOT, surface_number.NOWHERE)

# -- units and items -------------------------------------------------------------------------------

TYPES: Mapping[Any, Check] = {
    int: number,
    bool: flag,
    tuple[int, ...]: listed(whole()),
    tuple[str, ...]: listed(text),
    tuple[str, str] | None: or_none(fixed_list("an ability and a card", text, text)),
    tuple[tuple[str, int], ...]: listed(fixed_list("a value and its number", text, number)),
}
"""Check of a unit's field, by its type."""
_UNIT = {
    "side": SIDE, "card": plain(text), "at": PLACE,
    "health": plain(number), "max_health": plain(number),
}  # fmt: skip
_HINTS = get_type_hints(Unit)
UNIT = thing(
    "a unit",
    Unit,
    _UNIT,
    {
        item.name: (plain(TYPES[_HINTS[item.name]]), item.default)
        for item in fields(Unit)
        if item.default is not MISSING and item.name not in (*_UNIT, "spot")
    },
)
ZONE = thing(
    "a zone",
    EffectZone,
    {
        "kind": plain(one_of(*C.ZONE_KINDS)),
        "side": plain(one_of(-1, 0, 1)),
        "tiles": many(TILE, frozenset),
    },
)
HIDDEN = thing(
    "a hidden item",
    HiddenItem,
    {
        "side": SIDE,
        "kind": plain(one_of(*C.HIDDEN_KINDS)),
        "tile": TILE,
        "level": plain(number),
        "unit": plain(whole(-1)),
    },
)
BODY = thing("a body", FallenUnit, {"unit": plain(whole()), "at": SPOT, "used": plain(flag)})
BRICK = thing(
    "bricks",
    Brick,
    {
        "unit": plain(whole()), "levels": plain(whole()), "tiles": many(TILE),
        "left": plain(number),
    },
)  # fmt: skip

# -- the land --------------------------------------------------------------------------------------


def _column(column: Column) -> str:
    """Return a column as `2`, `0 water` or `1 tree`."""
    ground = "" if column.ground is Ground.GROUND else f" {column.ground}"
    return f"{column.level}{ground}{f' {column.feature}' if column.feature else ''}"


def _read_column(words: str) -> Column:
    level, *rest = words.split(" ")
    ground, feature = Ground.GROUND, None
    if rest and rest[0] in [str(kind) for kind in Ground if kind is not Ground.GROUND]:
        ground = Ground(rest.pop(0))
    if rest and rest[0] in list(map(str, Feature)):
        feature = Feature(rest.pop(0))
    if rest or not (level.isascii() and level.isdigit()):
        raise ValueError(words)
    return Column(int(level), ground, feature)


def _read_deck(entry: list[Any]) -> Deck:
    return Deck(
        surface_number.tile_of(surface_number.parse_tile(entry[0])),
        surface_number.tile_of(surface_number.parse_tile(entry[1])),
        entry[2],
    )


def _read_ladder(ends: list[str]) -> Ladder:
    foot, top = (surface_number.surface_of(surface_number.parse_spot(end)) for end in ends)
    return Ladder(foot.tile, foot.level, top.tile, top.level)


COLUMN = Shape(
    value_of("a column, such as `2 water`", is_read_by(_read_column)), _column, _read_column
)
DECK = Shape(
    fixed_list("two tiles and a level", tile, tile, whole()),
    lambda deck: [str(deck.a), str(deck.b), deck.level],
    _read_deck,
)
LADDER = Shape(
    fixed_list("a foot and a top", spot, spot),
    lambda x: [f"{x.foot}@{x.foot_level}", f"{x.top}@{x.top_level}"],
    _read_ladder,
)
PIECES = {"decks": many(maybe(DECK)), "ladders": many(maybe(LADDER))}
LAND_KEYS = {"columns": many(many(COLUMN)), **PIECES}
"""Keys of the terrain that a record's board has too."""
BRICKS = many(BRICK)


def write_land(land: TerrainValue) -> dict[str, Any]:
    """Return terrain as JSON, row by row."""
    rows = [land.columns[at : at + land.cols] for at in range(0, len(land.columns), land.cols)]
    written = {key: shape.write(getattr(land, key)) for key, shape in PIECES.items()}
    columns = LAND_KEYS["columns"].write(rows)
    return {"columns": columns, **written, "bricks": BRICKS.write(land.bricks)}


def read_land(table: Mapping[str, Any]) -> TerrainValue:
    """Return the terrain of JSON; a record's board has no bricks."""
    rows = LAND_KEYS["columns"].read(table["columns"])
    pieces = {key: shape.read(table[key]) for key, shape in PIECES.items()}
    flat = tuple(column for row in rows for column in row)
    return TerrainValue(
        len(rows), len(rows[0]), flat, bricks=BRICKS.read(table.get("bricks", ())), **pieces
    )


LAND = Shape(
    Form("the land", {**checks(LAND_KEYS), "bricks": BRICKS.check}, {}), write_land, read_land
)

# -- states and records ----------------------------------------------------------------------------

RESULT = one_of(*C.RESULTS)
PICKS = fixed_list("two lists of cards", listed(text), listed(text))
TASK = value_of(
    "a task: its name, then its values",
    lambda value: isinstance(value, list) and bool(value) and isinstance(value[0], str),
)
STATE_KEYS = {
    "round": plain(whole(1)),
    "left_in_turn": plain(number),
    "activations_this_round": plain(whole()),
    "last_actor": plain(whole(-1)),
    "phase": plain(one_of(*C.PHASES)),
    "active": plain(whole(-1)),
    "result": plain(RESULT),
    "reversal_round": plain(whole()),
    "first": SIDE,
    "to_act": SIDE,
    "pending": many(plain(TASK), list),
    "units": many(UNIT, list),
    "picks": plain(PICKS),
    "seats": plain(fixed_list("two seats", one_of(0, 1), one_of(0, 1))),
    "land": LAND,
    "scars": Shape(by_name(whole()), dict, lambda table: tuple(sorted(table.items()))),
    "chests": many(SPOT),
    "prize": PLACE,
    "zones": many(ZONE),
    "hidden": many(HIDDEN),
    "bodies": many(BODY),
    "raised": plain(fixed_list("two numbers", whole(), whole())),
}
"""Shapes of a saved state's fields."""
STATE = Form("a saved state", checks(STATE_KEYS), {"rolls": whole()})
BOARD = Form(
    "the board",
    {**checks(LAND_KEYS), "treasures": listed(spot), "starts": by_name(listed(spot))},
    {},
)
ENTRY = Form("a move", {"move": text}, {"legal": whole(), "hash": text})
UNDO = Form("an undo", {"at": whole(), "moves": whole(1)}, {})
RECORD = Form(
    "a record",
    {"game": number, "board": BOARD, "options": by_name(lambda value, place: iter(()))},
    {
        "map": text,
        "teams": or_none(PICKS),
        "places": or_none(fixed_list("two lists of surfaces", listed(spot), listed(spot))),
        "seed": value_of("a whole number", lambda v: type(v) is int),
        "moves": listed(either(str, text, ENTRY)),
        "undos": listed(UNDO),
        "result": RESULT,
    },
)

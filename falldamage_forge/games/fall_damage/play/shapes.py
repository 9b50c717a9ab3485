"""Shapes: one declaration each of a value's JSON check, its encoder and its decoder.

Saved states, records and hashes follow from these declarations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Annotated, Any, NamedTuple, get_args, get_origin

from falldamage_forge.board import Column, Deck, Feature, Ground, Ladder
from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.records import hints_of
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
    Brick,
    EffectZone,
    FallenUnit,
    HiddenItem,
    State,
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
    """Return a check for a list with one check per entry.

    Args:
        what: The list in words, such as `a pair`, for the message.
        *entries: Check of each entry, in order.
    """

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
    """Return the shape of a list; a set is written in sorted order.

    Args:
        shape: Shape of an entry.
        kind: Makes the value of the list's entries, such as `tuple`.
    """
    return Shape(
        listed(shape.check),
        lambda things: [
            shape.write(one) for one in (sorted(things) if kind is frozenset else things)
        ],
        lambda entries: kind(map(shape.read, entries)),
    )


def maybe(shape: Shape, nothing: Any = None) -> Shape:
    """Return the shape of an optional value, `null` if it is missing.

    Args:
        shape: Shape of a value that is not missing.
        nothing: Value that is written as `null`.
    """
    return Shape(
        or_none(shape.check),
        lambda value: None if value == nothing else shape.write(value),
        lambda entry: nothing if entry is None else shape.read(entry),
    )


KEYS = {"spot": "at"}
"""Keys that differ from the field's name."""


def thing(what: str, kind: type, always: Sequence[str] = ()) -> Shape:
    """Return the shape of an object with the fields of a class.

    Args:
        what: Description, for messages.
        kind: The class, called with the fields as keywords.
        always: Fields that are always written, first; the others may be missing, and their defaults
            are not written. All fields, in the order of the class, if empty.
    """
    hints = hints_of(kind)
    names = {KEYS.get(name, name): name for name in (*(always or hints), *hints)}
    shapes = {key: shape_of(hints[name]) for key, name in names.items()}
    must = dict(list(shapes.items())[: len(always or hints)])
    may = {key: shape for key, shape in shapes.items() if key not in must}

    def write(value: Any) -> dict[str, Any]:
        found = {key: shape.write(getattr(value, names[key])) for key, shape in must.items()}
        for key, shape in may.items():
            if (here := getattr(value, names[key])) != getattr(kind, names[key]):
                found[key] = shape.write(here)
        return found

    def read(entry: Mapping[str, Any]) -> Any:
        return kind(**{names[key]: shapes[key].read(value) for key, value in entry.items()})

    return Shape(Form(what, checks(must), checks(may)), write, read)


def shape_of(hint: Any) -> Shape:
    """Return the shape of an annotation of `state_fields.py` or `state_value.py`."""
    if get_origin(hint) is Annotated:
        kind, said = get_args(hint)
        if isinstance(said, range):
            return plain(whole(said.start))
        if isinstance(said, tuple):
            indexed = kind is int and isinstance(said[0], str)
            check = one_of(*said)
            return Shape(check, said.__getitem__, said.index) if indexed else plain(check)
        return SHAPES[said] if said in SHAPES else _fixed(said, get_args(kind))
    kind, inner = get_origin(hint), get_args(hint)
    if kind in (tuple, list, frozenset):
        return many(shape_of(inner[0]), kind)
    return maybe(shape_of(inner[0])) if inner else SHAPES[hint]


def _fixed(what: str, hints: Sequence[Any]) -> Shape:
    """Return the shape of a tuple with a type per entry."""
    shapes = [shape_of(hint) for hint in hints]
    return Shape(
        fixed_list(what, *(shape.check for shape in shapes)),
        lambda value: [shape.write(one) for shape, one in zip(shapes, value, strict=True)],
        lambda entry: tuple(shape.read(one) for shape, one in zip(shapes, entry, strict=True)),
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
SPOT = Shape(spot, surface_number.spot_name, surface_number.parse_spot)
TILE = Shape(tile, surface_number.tile_name, surface_number.parse_tile)
TASK = value_of(
    "a task: its name, then its values",
    lambda value: isinstance(value, list) and bool(value) and isinstance(value[0], str),
)
SHAPES: dict[Any, Shape] = {
    int: plain(number),
    bool: plain(flag),
    str: plain(text),
    "spot": SPOT,
    "tile": TILE,
    "place": maybe(SPOT, surface_number.NOWHERE),
    "task": plain(TASK),
    "scars": Shape(by_name(whole()), dict, lambda table: tuple(sorted(table.items()))),
}
"""Shapes of values by their type, or by the word of their annotation."""
SHAPES[Unit] = thing("a unit", Unit, ("side", "card", "spot", "health", "max_health"))
SHAPES[EffectZone] = thing("a zone", EffectZone, ("kind", "side", "tiles"))
SHAPES[HiddenItem] = thing("a hidden item", HiddenItem)
SHAPES[FallenUnit] = thing("a body", FallenUnit)
SHAPES[Brick] = thing("bricks", Brick)

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
BRICKS = many(SHAPES[Brick])
FIXED = many(TILE)
"""Tiles of models, which only the terrain of a map with models has."""


def write_land(land: TerrainValue) -> dict[str, Any]:
    """Return terrain as JSON, row by row."""
    rows = [land.columns[at : at + land.cols] for at in range(0, len(land.columns), land.cols)]
    written = {key: shape.write(getattr(land, key)) for key, shape in PIECES.items()}
    columns = LAND_KEYS["columns"].write(rows)
    fixed = {"fixed": FIXED.write(land.fixed)} if land.fixed else {}
    return {"columns": columns, **written, "bricks": BRICKS.write(land.bricks), **fixed}


def read_land(table: Mapping[str, Any]) -> TerrainValue:
    """Return the terrain of JSON; a record's board has no bricks."""
    rows = LAND_KEYS["columns"].read(table["columns"])
    pieces = {key: shape.read(table[key]) for key, shape in PIECES.items()}
    flat = tuple(column for row in rows for column in row)
    bricks, fixed = BRICKS.read(table.get("bricks", ())), FIXED.read(table.get("fixed", ()))
    return TerrainValue(len(rows), len(rows[0]), flat, bricks=bricks, fixed=fixed, **pieces)


SHAPES[TerrainValue] = Shape(
    Form("the land", {**checks(LAND_KEYS), "bricks": BRICKS.check}, {"fixed": FIXED.check}),
    write_land,
    read_land,
)

# -- states and records ----------------------------------------------------------------------------

RESULT = one_of(*C.RESULTS)
PICKS = fixed_list("two lists of cards", listed(text), listed(text))
STATE_KEYS = {
    item.name: shape_of(hint)
    for item in fields(State)
    if item.compare and (hint := hints_of(State)[item.name])
}
"""Shapes of a saved state's fields: of all that make two states equal."""
STATE = Form("a saved state", checks(STATE_KEYS), {"rolls": whole()})
BOARD = Form(
    "the board",
    {**checks(LAND_KEYS), "treasures": listed(spot), "starts": by_name(listed(spot))},
    {"fixed": FIXED.check},
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

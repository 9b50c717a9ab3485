"""Form of conformance cases: the keys of a file for `fdforge conform`, and their checks.

The checks do not use the engine. `docs/game.md` describes the form.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from falldamage_forge.board import Tile
from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.records import hints_of
from falldamage_forge.games.fall_damage.play.game_data import GameData
from falldamage_forge.games.fall_damage.play.json_form import (
    Check,
    Choice,
    Form,
    Problem,
    at,
    by_name,
    children,
    either,
    known_hint,
    listed,
    numbers,
    one_of,
    shown,
    value_of,
    whole,
)
from falldamage_forge.games.fall_damage.play.shapes import fixed_list, flag, number, text
from falldamage_forge.games.fall_damage.play.state_value import SIDES, Unit
from falldamage_forge.games.fall_damage.play.vocabulary import (
    ACTIONS,
    action_name,
    item_name,
    items_of,
    terrain_name,
    terrain_names,
)

Json = Mapping[str, Any]

place = numbers("a place: [row, column, level]", 3)
tile = numbers("a tile: [row, column]", 2)
tile_or_place = numbers("a place: [row, column] or [row, column, level]", 2, 3)
side = one_of(*SIDES)
level = one_of(*range(C.MOST_LEVEL + 1))
anything = value_of("anything", lambda value: True)
yes = one_of(True)


def by_tile(check: Check) -> Check:
    """Return a check for an object whose keys are tiles, such as `"0,2"`."""

    def each(value: Any, where: str) -> Iterator[Problem]:
        yield from by_name(check)(value, where)
        for key in value if isinstance(value, Mapping) else ():
            parts = str(key).split(",")
            if len(parts) != 2 or not all(p.isascii() and p.isdigit() for p in parts):
                yield Problem(where, f"`{key}` is not a tile", 'write "row,column", such as "0,2"')

    return each


NOTES = dict.fromkeys(("id", "title", "note", "rule", "sentence", "why"), text)
"""Texts of an example that are shown or ignored."""
COUNTS, FLAGS = (
    tuple(name for name, hint in hints_of(Unit).items() if hint is kind) for kind in (int, bool)
)
"""Integer and boolean fields of a unit value that an example may set."""
CONDITION: Mapping[str, Check] = {
    **dict.fromkeys(COUNTS, number),
    **dict.fromkeys(FLAGS, flag),
    "items": listed(text), "used": listed(text), "promo_by": listed(text),
    "extra_ability": either(list, fixed_list("ability and card", text, text), one_of(None)),
}  # fmt: skip
"""Values of a unit: the same in `units` and in `expect.units`."""

UNIT = Form("a unit", {"id": text, "side": side, "card": text, "at": place}, CONDITION)
DECK = Form("a deck", {"a": tile, "b": tile, "level": level}, {"damage": whole()})
LADDER = Form("a ladder", {"foot": tile_or_place, "top": tile_or_place}, {})
TILES = ("lava", "water", "trees", "spires", "treasures")
MAP = Form(
    "a map",
    {"heights": listed(listed(level))},
    {**dict.fromkeys(TILES, listed(tile)), "decks": listed(DECK), "ladders": listed(LADDER)},
)
HIDDEN = Form(
    "a hidden item", {"side": side, "kind": one_of(*C.HIDDEN_KINDS), "tile": tile}, {}
)  # fmt: skip
BODY = Form("a body", {"at": place}, {"card": text, "side": side})
BODIES = listed(either(list, place, BODY))
STATE = Form(
    "`state`",
    {},
    {
        "round": whole(1), "first": side, "to_act": side, "activations_this_round": whole(),
        "hidden": listed(HIDDEN), "bodies": BODIES, "force_treasure": text,
    },
)  # fmt: skip
CHANCE = Choice(
    "outcome of chance",
    {
        "coin": Form("a coin", {"coin": one_of("heads", "tails")}, {}),
        "die": Form("a die", {"die": one_of(*range(1, 7))}, {}),
    },
)
WAY = one_of("north", "east", "south", "west")
_ACTION = {
    "target": text, "targets": listed(text), "at": tile_or_place, "direction": WAY,
    "terrain": either(list, tile, text), "bodies": listed(place),
}  # fmt: skip
STEP = Choice(
    "step",
    {
        "unit": Form("this step", {"unit": text}, {}),
        "end": Form("this step", {"end": yes}, {}),
        "end_turn": Form("this step", {"end_turn": yes}, {}),
        "move": Form("this step", {"move": place}, {}),
        "trap_landing": Form("this step", {"trap_landing": place}, {}),
        "wind": Form("this step", {"wind": WAY}, {}),
        "action": Form("an action", {"action": text}, _ACTION),
        "treasure": Form("this step", {"treasure": text}, {}),
        "hand_on": Form("this step", {"hand_on": either(str, text, one_of(None))}, {}),
        "say": Form("this step", {"say": text}, {}),
    },
)
"""Kinds of a step; the first whose key is present applies."""
NEW_UNIT = Form("a new unit", {"side": side, "card": text, "at": place, "health": whole()}, {})
UNIT_THEN = Form("an expected unit", {}, {"at": place, "card": text, "side": side, **CONDITION})
EXPECT = Form(
    "`expect`",
    {},
    {
        "legal": listed(STEP), "not_legal": listed(STEP), "units": by_name(UNIT_THEN),
        "dead": listed(text), "bodies": BODIES, "new_units": listed(NEW_UNIT),
        "chests": listed(place), "hidden": listed(HIDDEN), "levels": by_tile(whole()),
        "features": by_tile(one_of("tree", "spire", None)), "decks": listed(whole()),
        "ladders": listed(LADDER), "round": whole(1), "to_act": side, "first": side, "over": flag,
        "winner": one_of("red", "blue", None), "perft": listed(whole()),
    },
)  # fmt: skip
EXAMPLE = Form(
    "an example",
    {"map": MAP, "units": listed(UNIT), "expect": EXPECT},
    {
        **NOTES, "id": either(str, text, whole()), "options": by_name(anything), "state": STATE,
        "chance": listed(CHANCE), "do": listed(STEP),
    },
)  # fmt: skip


def problems(example: Any, content: GameData) -> tuple[Problem, ...]:
    """Return everything that makes an example unplayable.

    Args:
        example: One entry of `examples`, as JSON.
        content: Cards, abilities and treasure.
    """
    found = tuple(EXAMPLE(example, ""))
    return found or tuple(_references(example, content))


def _references(example: Json, content: GameData) -> Iterator[Problem]:
    """Yield references to units, cards, names or tiles that do not exist."""
    heights = example["map"]["heights"]
    widths = {len(row) for row in heights}
    if len(widths) != 1 or widths == {0}:
        yield Problem("map.heights", "the rows are not of one length above 0")
        return
    if not example["expect"]:
        yield Problem("expect", "nothing is expected", known_hint("", EXPECT.may))
    ids = [unit["id"] for unit in example["units"]]
    for twice in sorted({name for name in ids if ids.count(name) > 1}):
        yield Problem("units", f"two units have the id `{twice}`")
    for where, name in _named(example):
        if name not in ids:
            yield Problem(where, f"no unit `{name}`", known_hint(name, dict.fromkeys(ids)))
    for where, what, name, known in _words(example, content):
        if name not in known:
            yield Problem(where, f"no {what} `{name}`", known_hint(name, dict.fromkeys(known)))
    yield from _off_board(example, "", len(heights), widths.pop())


def _named(example: Json) -> Iterator[tuple[str, str]]:
    """Yield the units that are referenced by id, with the place of the reference."""
    expect = example["expect"]
    steps = [(f"do[{n}]", step) for n, step in enumerate(example.get("do", ()))]
    for key in ("legal", "not_legal"):
        steps += [(f"expect.{key}[{n}]", step) for n, step in enumerate(expect.get(key, ()))]
    for where, step in steps:
        for key in ("unit", "target", "treasure", "hand_on"):
            if step.get(key) is not None:
                yield f"{where}.{key}", step[key]
        for n, name in enumerate(step.get("targets", ())):
            yield f"{where}.targets[{n}]", name
    for name in expect.get("units", ()):
        yield "expect.units", name
    for n, name in enumerate(expect.get("dead", ())):
        yield f"expect.dead[{n}]", name
    if "force_treasure" in example.get("state", {}):
        yield "state.force_treasure", example["state"]["force_treasure"]
    units = [(f"units[{n}]", unit) for n, unit in enumerate(example["units"])]
    units += [(f"expect.units.{name}", unit) for name, unit in expect.get("units", {}).items()]
    for where, unit in units:
        for m, name in enumerate(unit.get("promo_by", ())):
            yield f"{where}.promo_by[{m}]", name


def _inner(value: Any, where: str) -> Iterator[tuple[str, str, Any]]:
    """Yield every key of an object and of all objects in it: place, key, value."""
    for key, item in children(value):
        yield at(where, key), str(key), item
        yield from _inner(item, at(where, key))


def _words(example: Json, content: GameData) -> Iterator[tuple[str, str, str, Collection[str]]]:
    """Yield the names from the vocabulary: place, kind, name, and the known names."""
    items, pieces = items_of(content), _pieces(example["map"])
    for where, key, value in _inner(example, ""):
        if where.startswith("options"):
            continue
        if key == "card":
            yield where, "card", value, content.cards
        elif key == "action":
            yield where, "action", action_name(value), ACTIONS
        elif key == "terrain" and isinstance(value, str):
            yield where, "terrain", terrain_name(value), pieces
        elif key == "items":
            for n, name in enumerate(value):
                yield at(where, n), "item", item_name(name), items
        elif key == "used":
            for n, name in enumerate(value):
                yield at(where, n), "ability", name, content.abilities
        elif key == "extra_ability" and value is not None:
            known = ("ability", content.abilities), ("card", content.cards)
            for n, (name, (what, names)) in enumerate(zip(value, known, strict=False)):
                yield at(where, n), what, name, names


def _pieces(table: Json) -> tuple[str, ...]:
    """Return the names of the terrain targets of a map."""
    features = {
        str(Tile(row, col)): kind
        for kind in ("tree", "spire")
        for row, col in table.get(f"{kind}s", ())
    }
    return terrain_names(len(table.get("decks", ())), len(table.get("ladders", ())), features)


_GRID = ("map.heights", "options", "expect.perft", "expect.decks")
"""Lists of numbers that are not tiles or surfaces."""


def _off_board(example: Json, where: str, rows: int, cols: int) -> Iterator[Problem]:
    for there, _, item in _inner(example, where):
        if there.startswith(_GRID) or not isinstance(item, list):
            continue
        if len(item) in (2, 3) and all(isinstance(n, int) for n in item):
            row, col = item[:2]
            if row >= rows or col >= cols:
                message = f"{shown(item)} is not on the map of {rows} rows and {cols} columns"
                yield Problem(there, message)
    for key in ("levels", "features"):
        for name in example["expect"].get(key, ()):
            row, col = map(int, name.split(","))
            if row >= rows or col >= cols:
                yield Problem(f"expect.{key}", f"`{name}` is not on the map")

"""Boards, readings, units and words drawn by a seed, for every game alike."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import fields, replace
from fractions import Fraction
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from falldamage_forge.board import DIRECTIONS, WAYS, Board, Chest, Fitting, StartZone, Tile
from falldamage_forge.board import make_board as made
from falldamage_forge.board.surfaces import Surface
from falldamage_forge.presets import load_rules
from falldamage_forge.rules.argument_types import UM, WAY
from falldamage_forge.rules.position import Position
from falldamage_forge.rules.ruleset import Ruleset
from tests.rules.randomboards import random_board

Dice = random.Random
FITTED = {
    "gang-skirmish": (*["railing"] * 4, "obstruction", *["field"] * 3, "pitfall"),
    "gatefall": ("gate", "base", "base", "base"),
}
NUMBERS = {
    "headroom": (1, 3), "tree_height": (1, 3), "spire_height": (1, 4), "spire_damage": (0, 3),
    "deck_thickness": (0, 1), "los_eye": (0, 1), "climb": (1, 2, 6), "gate": (1, 2, 9),
    "tile_mm": (25.4, 30, 40), "rise_mm": (10, 12.7, 12.8, 25.4),
    "move_in": (1, 3, 6, 12), "base_mm": (10, 25, 25.4, 30, 40, 60), "initiative": (2, 4, 7),
    "strength": (0, 3, 6), "moves": (1, 2), "move_ft": (5, 15, 20, 40), "agility": (-2, 0, 3),
    "difficult_dr": (5, 12, 18), "speed": (1, 2, 3), "reach": (1, 2, 4), "squares": (1, 2),
    "move": (0, 1, 2, 4), "jump": (0, 1, 2, 3),
}  # fmt: skip
"""By option or property of a unit: what is tried for a number."""
FORTY = ",".join("12" * 20)
DECKS = ("1,1,1,1,1,1,1,0,0,0", "0,1,2,3,4", "0,1,2,3,4,5", "0,0,0,0,20", "0,0,0,0,21", "1,1,1,1",
         "0,0,0,0,0", "-1,1,1,1,1", FORTY, f"{FORTY},1", "3,0,0,0,0,3")  # fmt: skip
LENGTHS = ("0", "1mm", "12.7mm", "12.701mm", "1in", "25.399mm", "30mm", "2in", "3.5in", "-1in")


def words_of(name: str, kind: Any) -> tuple[Any, ...]:
    """What is tried for an option or a property of some type."""
    if get_origin(kind) is Literal:
        return get_args(kind)
    inner = tuple(value for one in get_args(kind) for value in words_of("", one))
    return (*inner, *NUMBERS.get(name, ()))


def some(dice: Dice, kind: type, most: int) -> dict[str, Any]:
    """Up to so many of a table's fields with a value each."""
    hints = get_type_hints(kind)
    known = {item.name: words_of(item.name, hints[item.name]) for item in fields(kind)}
    able = [name for name, words in known.items() if words]
    return {name: dice.choice(known[name]) for name in dice.sample(able, min(most, len(able)))}


def setting(dice: Dice, rules: str) -> Ruleset:
    """A game under a few of its readings."""
    game = load_rules(rules)
    pairs = some(dice, type(game.options), max(4, len(fields(game.options)) // 5))
    return game.with_options((name, value, None) for name, value in pairs.items())


def crowded(dice: Dice, game: str, rows: int = 5, cols: int = 6) -> Board:
    """A random board with two starts, two chests and what fittings the game knows."""
    board = random_board(dice.randrange(10**6), rows, cols)
    tiles = list(board.tiles())

    def level(tile: Tile) -> int:
        return board.column(tile).level

    low, high = dice.sample(range(rows), 2)
    zones = [
        StartZone(side, tuple((Tile(row, col), level(Tile(row, col))) for col in
                              sorted(dice.sample(range(cols), 3))))
        for side, row in (("red", low), ("blue", high))
    ]  # fmt: skip
    chests = [Chest(tile, level(tile)) for tile in sorted(dice.sample(tiles, 2))]
    kinds = FITTED.get(game, ())
    there = zip(kinds, dice.sample(tiles, len(kinds)), strict=True)
    fittings = [fitted(dice, kind, tile, level(tile)) for kind, tile in there]
    return made(
        rows, cols, board.columns, decks=board.decks, ladders=board.ladders,
        starts=zones, treasures=chests, fittings=fittings,
    )  # fmt: skip


def ill_set(dice: Dice, board: Board) -> Board:
    """The board with any number of start zones of any size anywhere, and chests likewise."""
    tiles = list(board.tiles())

    def spots(count: int) -> tuple[tuple[Tile, int], ...]:
        chosen = sorted(dice.sample(tiles, count))
        return tuple((tile, board.column(tile).level + (dice.random() < 0.1)) for tile in chosen)

    sides = ("red", "blue", "green")[: dice.randrange(4)]
    zones = [StartZone(side, spots(dice.choice((1, 4, 8, 16)))) for side in sides]
    chests = tuple(Chest(*spot) for spot in spots(5))
    return replace(board, starts=tuple(zones), treasures=chests)


def fitted(dice: Dice, kind: str, tile: Tile, level: int) -> Fitting:
    """One fitting, with what its kind is told by."""
    sides, name, um = (), "", 0
    if kind == "railing":
        sides = tuple(side for side in DIRECTIONS if dice.random() < 0.6) or DIRECTIONS[:1]
        name = dice.choice(("", "", "none", "partial", "full", "no-line-of-sight"))
        um = dice.choice((12_700, 25_400, 50_800))
    elif kind == "field":
        name, um = "heavy-g", dice.choice((12_700, 38_100, 63_500))
    elif kind == "obstruction":
        um = dice.choice((12_700, 25_400, 76_200))
    elif kind == "base":
        name = dice.choice(("red", "blue"))
    return Fitting(kind, tile, level, sides, name, um)


def drawn(dice: Dice, rules: str) -> Position:
    """A crowded board under some readings of a game; of four rows where ways are by the ruler."""
    rows = 5 if rules == "fall-damage" else 4
    return Position(crowded(dice, rules, rows), setting(dice, rules))


def word(dice: Dice, p: Position, hint: Any) -> str:
    """A text for an argument of a question, by its type; one of thirty is no such text."""
    if dice.randrange(30) == 0:
        return dice.choice(("", "Z99", "7", "1e9", "1001", "no-such", "C3@9", "½"))
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        marks = inner[1:]
        if UM in marks or WAY in marks:
            return dice.choice(LENGTHS if UM in marks else tuple(WAYS))
        (bounds,) = marks
        return str(dice.choice(range(max(bounds[0], -1), bounds[-1] + 1)[:8]))
    if origin is Literal:
        return str(dice.choice(inner)).replace("_", "-")
    if type(None) in inner:
        kinds = [one for one in inner if one is not type(None)]
        return "none" if dice.random() < 0.3 else word(dice, p, kinds[0])
    if hint == tuple[int, ...]:
        return dice.choice(DECKS)
    if origin is not None and issubclass(origin, Iterable):
        return ",".join(word(dice, p, inner[0]) for _ in range(dice.randrange(4)))
    plain: dict[Any, Callable[[], object]] = {
        Surface: lambda: dice.choice(p.graph.surfaces),
        Tile: lambda: dice.choice(list(p.board.tiles())),
        bool: lambda: dice.choice(("yes", "no")),
        int: lambda: dice.randint(-1, 8),
        Fraction: lambda: Fraction(dice.randint(0, 6), 6),
        str: lambda: dice.choice(("red", "blue")),
    }
    return str(plain.get(hint, lambda: dice.choice(list(p.game.units)))())

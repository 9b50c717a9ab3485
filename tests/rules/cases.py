"""Worked examples of the rulebook's sentences: boards as small height fields."""

import json
from pathlib import Path
from typing import Any

from falldamage_forge.board import (
    DIRECTION_NAMES,
    Board,
    Chest,
    Column,
    Deck,
    Feature,
    Fitting,
    Ground,
    Ladder,
    Tile,
    make_board,
)
from falldamage_forge.board.surfaces import Surface
from falldamage_forge.games.fall_damage.options import FallDamageOptions
from falldamage_forge.games.fall_damage.unit_cards import MovementProfile
from falldamage_forge.rules.unit_values import Occupants
from tests.rules.asking import fall_damage

FILE = Path(__file__).parents[1] / "data" / "rules_cases.json"
CASES: list[dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))


def cases(query: str) -> list[dict[str, Any]]:
    return [case for case in CASES if case["query"] == query]


def board_of(table: dict[str, Any]) -> Board:
    heights = table["heights"]
    rows, cols = len(heights), len(heights[0])
    listed = {
        name: {Tile(*cell) for cell in table.get(name, ())}
        for name in ("water", "lava", "trees", "spires")
    }

    def column(tile: Tile) -> Column:
        ground = Ground.WATER if tile in listed["water"] else Ground.GROUND
        ground = Ground.LAVA if tile in listed["lava"] else ground
        feature = Feature.TREE if tile in listed["trees"] else None
        feature = Feature.SPIRE if tile in listed["spires"] else feature
        return Column(heights[tile.row][tile.col], ground, feature)

    tiles = [Tile(row, col) for row in range(rows) for col in range(cols)]
    return make_board(
        rows,
        cols,
        map(column, tiles),
        decks=[Deck(Tile(r, c - 1), Tile(r, c + 1), z) for r, c, z in table.get("decks", ())],
        ladders=[
            Ladder(Tile(*foot[:2]), foot[2], Tile(*top[:2]), top[2])
            for foot, top in table.get("ladders", ())
        ],
        treasures=[
            Chest(Tile(*cell), heights[cell[0]][cell[1]]) for cell in table.get("treasure", ())
        ],
        fittings=[
            Fitting(kind, Tile(row, col), heights[row][col], _sides(sides), name, um)
            for kind, row, col, sides, name, um in table.get("fittings", ())
        ],
    )


def _sides(letters: str) -> tuple[tuple[int, int], ...]:
    return tuple(side for side, name in DIRECTION_NAMES.items() if name[0] in letters)


def options_of(case: dict[str, Any]) -> FallDamageOptions:
    return fall_damage(case.get("options", {})).options


def surface(cell: list[int]) -> Surface:
    return Surface(Tile(cell[0], cell[1]), cell[2])


def key(place: Surface) -> str:
    return f"{place.tile.row},{place.tile.col},{place.level}"


def profile_of(table: dict[str, Any]) -> MovementProfile:
    flags = {name: value for name, value in table.items() if name not in ("M", "J")}
    return MovementProfile(table["M"], table["J"], **flags)


def occupants_of(units: list[dict[str, Any]]) -> Occupants:
    def side(name: str) -> frozenset[Surface]:
        return frozenset(surface(u["at"]) for u in units if u["side"] == name)

    return Occupants(side("enemy"), side("friend"))

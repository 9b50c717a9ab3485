"""Worked examples of the rulebook's sentences: boards as small height fields."""

import json
from pathlib import Path
from typing import Any

from falldamage_forge.board import (
    Board,
    Column,
    Deck,
    Feature,
    Ground,
    Ladder,
    Tile,
    Treasure,
    make_board,
)
from falldamage_forge.presets import load_ruleset
from falldamage_forge.rules.movement import Occupancy, Profile
from falldamage_forge.rules.ruleset import Options, with_options
from falldamage_forge.surfaces import Surface, SurfaceGraph

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
            Treasure(Tile(*cell), heights[cell[0]][cell[1]]) for cell in table.get("treasure", ())
        ],
    )


def options_of(case: dict[str, Any]) -> Options:
    given = [(name, value, None) for name, value in case.get("options", {}).items()]
    return with_options(load_ruleset("fall-damage"), given).options


def surface(cell: list[int]) -> Surface:
    return Surface(Tile(cell[0], cell[1]), cell[2])


def key(place: Surface) -> str:
    return f"{place.tile.row},{place.tile.col},{place.level}"


def profile_of(table: dict[str, Any]) -> Profile:
    flags = {name: value for name, value in table.items() if name not in ("M", "J")}
    return Profile(table["M"], table["J"], **flags)


def occupancy_of(graph: SurfaceGraph, units: list[dict[str, Any]]) -> Occupancy:
    def side(name: str) -> frozenset[int]:
        return frozenset(graph.index[surface(u["at"])] for u in units if u["side"] == name)

    return Occupancy(side("enemy"), side("friend"))

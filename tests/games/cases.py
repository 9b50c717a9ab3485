"""Runs worked examples: a function with its arguments, or a small board with what is reached."""

import importlib
import inspect
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

from falldamage_forge.board import Tile
from falldamage_forge.games.engine import Model, reach
from falldamage_forge.games.setting import Occupants, Setting
from falldamage_forge.presets import load_rules
from falldamage_forge.surfaces import Surface
from falldamage_forge.tables import read_table
from tests.rules.cases import board_of

DATA = Path(__file__).parents[1] / "data"


def load(game: str) -> list[dict[str, Any]]:
    cases: list[dict[str, Any]] = json.loads((DATA / f"{game}_cases.json").read_text("utf-8"))
    return cases


def names(case: dict[str, Any]) -> str:
    return f"{case['id']}-{case.get('call', 'board').split('.')[-1]}"


def surface(cell: list[int]) -> Surface:
    return Surface(Tile(cell[0], cell[1]), cell[2])


def setting_of(game: str, case: dict[str, Any]) -> Setting:
    rules = load_rules(game)
    assert isinstance(rules, Setting)
    return rules.under((name, value, None) for name, value in case.get("options", {}).items())


def model_of(game: str, case: dict[str, Any]) -> Model:
    setting = setting_of(game, case)
    profile = read_table(type(next(iter(setting.profiles.values()))), case["unit"], case["id"])
    setting.profiles["case"] = profile  # type: ignore[index]
    try:
        return setting.model(board_of(case["board"]), "case", others_of(case))
    finally:
        del setting.profiles["case"]  # type: ignore[attr-defined]


def others_of(case: dict[str, Any]) -> Occupants:
    sides = case.get("others", {})
    return Occupants(
        frozenset(map(surface, sides.get("enemies", ()))),
        frozenset(map(surface, sides.get("friends", ()))),
    )


def told(value: Any) -> Any:
    """A result as JSON has it: fractions as text, tuples as lists, keys as text."""
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, dict):
        return {str(key): told(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return [told(item) for item in value]
    return value


def call(package: str, case: dict[str, Any], setting: Setting, tiles: set[str]) -> Any:
    """Call `module.function` of a game; `tiles` names the arguments that are tiles."""
    module, _, name = case["call"].partition(".")
    room = f"falldamage_forge.games.{package}.{module}"
    function = getattr(importlib.import_module(room), name)
    arguments = dict(case["args"])
    for key, value in arguments.items():
        if key in tiles and value and isinstance(value[0], list):
            arguments[key] = [Tile(*cell) for cell in value]
        elif key in tiles and value:
            arguments[key] = Tile(*value)
        elif key == "deck":
            arguments[key] = tuple(value)
    if "bases" in arguments:
        arguments["bases"] = frozenset(arguments["bases"])
    if "board" in arguments:
        rows, cols = arguments["board"]
        arguments["board"] = board_of({"heights": [[0] * cols] * rows})
    if "options" in inspect.signature(function).parameters:
        arguments["options"] = setting.readings
    return told(function(**arguments))


def check_reach(model: Model, case: dict[str, Any]) -> None:
    start = model.index[surface(case["start"])]
    found = {
        f"{row.surface.tile.row},{row.surface.tile.col},{row.surface.level}": told(
            (row.turns, row.chance, row.now)
        )
        for row in reach(model, start)
    }
    for key, expected in case["reach"].items():
        assert found.get(key) == expected, f"{case['id']}: {key}"
    for key in case["never"]:
        assert key not in found, f"{case['id']}: {key}"

"""Runs worked examples: a function with its arguments, or a small board with what is reached."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

from falldamage_forge.board import Tile
from falldamage_forge.board.surfaces import Surface
from falldamage_forge.infra.toml_loader import read_table
from falldamage_forge.presets import load_rules
from falldamage_forge.rules.position import Position
from falldamage_forge.rules.ruleset import Ruleset
from falldamage_forge.rules.unit_on_board import BoardUnit
from tests.rules.cases import board_of

DATA = Path(__file__).parents[1] / "data"


def load(game: str) -> list[dict[str, Any]]:
    cases: list[dict[str, Any]] = json.loads((DATA / f"{game}_cases.json").read_text("utf-8"))
    return cases


def names(case: dict[str, Any]) -> str:
    return f"{case['id']}-{case.get('call', 'board').split('.')[-1]}"


def surface(cell: list[int]) -> Surface:
    return Surface(Tile(cell[0], cell[1]), cell[2])


def setting_of(game: str, case: dict[str, Any]) -> Ruleset:
    options = case.get("options", {}).items()
    return load_rules(game).with_options((name, value, None) for name, value in options)


def unit_of(game: str, case: dict[str, Any]) -> tuple[Position, Any]:
    """The board under the game, and the unit's profile."""
    made = setting_of(game, case)
    profile = read_table(type(next(iter(made.units.values()))), case["unit"], case["id"])
    return Position(board_of(case["board"]), made), profile


def others_of(case: dict[str, Any]) -> dict[str, list[Surface]]:
    sides = case.get("others", {})
    return {name: list(map(surface, sides.get(name, ()))) for name in ("enemies", "friends")}


def told(value: Any) -> Any:
    """A result as JSON has it: fractions as text, tuples as lists, keys as text."""
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, dict):
        return {str(key): told(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return [told(item) for item in value]
    return value


def text_of(key: str, value: Any) -> str:
    """An argument as one would write it on the command line."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list) and value and key in TILES and not isinstance(value[0], list):
        return str(Tile(*value))
    if isinstance(value, list):
        return ",".join(text_of(key, item) for item in value)
    if isinstance(value, int) and key.endswith("_um"):
        return f"{value // 1000}.{value % 1000:03d}mm" if value >= 0 else f"-{text_of(key, -value)}"
    return str(value).replace("_", "-")


TILES = {"one", "other", "targets", "ones", "others", "attacker", "target", "bases", "tiles"}


def question_of(case: dict[str, Any]) -> tuple[str, dict[str, str]]:
    """The name a worked example is asked under, and its arguments as texts."""
    name = case["call"].partition(".")[2].removesuffix("_um").replace("_", "-")
    given = {key: text_of(key, value) for key, value in case["args"].items() if key != "board"}
    return name, given


def call(case: dict[str, Any], setting: Ruleset) -> Any:
    """Ask a worked example, as `fdforge ask` does."""
    rows, cols = case["args"].get("board", (20, 20))
    position = Position(board_of({"heights": [[0] * cols] * rows}), setting)
    name, given = question_of(case)
    answer = position.ask(name, **given).json()["answer"]
    if isinstance(case["expect"], list) and isinstance(answer, dict):
        return list(answer.values())
    if case["call"] == "squares.closest":
        return [[tile.row, tile.col] for tile in map(Tile.parse, answer)]
    return answer


def check_reach(game: str, case: dict[str, Any]) -> None:
    position, profile = unit_of(game, case)
    unit = BoardUnit(position, case["id"], profile)
    answer = unit.reach(surface(case["start"]), **others_of(case))
    found = {}
    for row in answer.surfaces:
        now = tuple((way.cost, way.chance) for way in row.now)
        key = f"{row.surface.tile.row},{row.surface.tile.col},{row.surface.level}"
        found[key] = told((row.turns, row.chance, now))
    for key, expected in case["reach"].items():
        assert found.get(key) == expected, f"{case['id']}: {key}"
    for key in case["never"]:
        assert key not in found, f"{case['id']}: {key}"

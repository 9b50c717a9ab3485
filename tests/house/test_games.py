"""A game is known by its own files alone: nobody else asks for it by name."""

import ast
from pathlib import Path

import pytest

from falldamage_forge.games.registry import GAMES
from falldamage_forge.presets import names

PACKAGE = Path(__file__).resolve().parents[2] / "falldamage_forge"
WORDS = set(GAMES) | set(names("rulesets")) | {name.replace("-", "_") for name in GAMES}
OWN = {PACKAGE / "games" / name.replace("-", "_") for name in GAMES}


def branches(text: str) -> list[int]:
    """Lines on which a game's name is compared with, matched, or used as a key."""
    found = []
    for node in ast.walk(ast.parse(text)):
        parts: list[ast.AST] = []
        if isinstance(node, ast.Compare):
            parts = [node]
        elif isinstance(node, ast.match_case):
            parts = [node.pattern]
        elif isinstance(node, ast.Subscript):
            parts = [node.slice]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            parts = list(node.args) if node.func.attr in ("startswith", "endswith") else []
        for part in parts:
            for leaf in ast.walk(part):
                if isinstance(leaf, ast.Constant) and leaf.value in WORDS:
                    found.append(getattr(node, "lineno", getattr(leaf, "lineno", 0)))
    return found


OTHERS = sorted(
    path
    for path in PACKAGE.rglob("*.py")
    if not any(folder in path.parents or path == folder.with_suffix(".py") for folder in OWN)
)


@pytest.mark.parametrize("path", OTHERS, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_nobody_branches_on_a_games_name(path: Path) -> None:
    assert branches(path.read_text("utf-8")) == []


@pytest.mark.parametrize(
    "text",
    [
        'if ruleset == "gatefall": pass',
        'if rules.name in ("x", "falchion"): pass',
        'match name:\n    case "gang-skirmish": pass',
        'table["fall-damage"]',
        'name.startswith("gatefall")',
    ],
)
def test_the_search_finds_what_it_is_for(text: str) -> None:
    assert branches(text)
    assert not branches('load("gatefall")\nif name == other: pass')


def test_the_engine_imports_no_game() -> None:
    for path in (PACKAGE / "games").glob("*.py"):
        if path.stem == "registry":
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                parts = node.module.split(".")
                assert not (
                    parts[:2] == ["falldamage_forge", "games"]
                    and parts[2:3]
                    and (PACKAGE / "games" / parts[2]).is_dir()
                ), f"{path.name} imports {node.module}"

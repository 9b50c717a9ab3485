"""The house's layering: who may import whom, as one table."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "falldamage_forge"

BASE = {"issues", "lengths"}
CORE = BASE | {"board", "tables"}
MAY_IMPORT = {
    "issues": set(),
    "lengths": set(),
    "tables": {"issues"},
    "board": {"issues"},
    "surfaces": {"board"},
    "legality": {"board", "issues"},
    "diagnostics": {"issues", "tables"},
    "lang": CORE,
    "rules": CORE | {"surfaces"},
    "games": CORE | {"surfaces", "rules"},
    "pieces": CORE,
    "geometry": CORE | {"pieces", "printing"},
    "printing": CORE | {"pieces"},
    "export": CORE | {"pieces", "geometry", "printing"},
    "render": CORE | {"surfaces", "rules", "pieces", "geometry", "printing"},
    "presets": CORE | {"rules", "games", "pieces", "printing", "geometry"},
    "pipeline": CORE
    | {
        "surfaces",
        "legality",
        "lang",
        "rules",
        "games",
        "pieces",
        "geometry",
        "printing",
        "export",
        "render",
    },
}
MAY_IMPORT["assemble"] = MAY_IMPORT["pipeline"] | {"pipeline"}
EVERYTHING = {"cli", "__main__", "__init__"}


def room_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported_rooms(path: Path) -> set[str]:
    rooms = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            parts = name.split(".")
            if parts[0] == PACKAGE.name and len(parts) > 1:
                rooms.add(parts[1])
    return rooms


SOURCES = sorted(PACKAGE.rglob("*.py"))


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_room_imports_only_the_rooms_below_it(path: Path) -> None:
    room = room_of(path)
    if room in EVERYTHING:
        return
    assert room in MAY_IMPORT, f"{room} is a new room: give it a line in the table"
    strangers = imported_rooms(path) - MAY_IMPORT[room] - {room, "__version__"}
    assert not strangers, f"{room} may not import {sorted(strangers)}"


def test_the_table_can_fail(tmp_path: Path) -> None:
    bad = tmp_path / "bad.py"
    bad.write_text("from falldamage_forge.geometry import build\n")
    assert imported_rooms(bad) == {"geometry"} - MAY_IMPORT["rules"]


def test_only_the_outer_rooms_read_write_or_print() -> None:
    outer = {"cli", "presets", "__main__"}
    forbidden = {"open", "print", "input"}
    for path in SOURCES:
        if room_of(path) in outer:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in forbidden, f"{path}:{node.lineno} calls {node.func.id}"


def test_no_file_outgrows_its_room() -> None:
    long = {
        str(path.relative_to(PACKAGE)): lines
        for path in SOURCES
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > 440
    }
    assert not long, f"split these: {long}"

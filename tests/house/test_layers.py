"""The house's layering: who may import whom, as one table."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "falldamage_forge"

BASE = {"infra", "issues", "lengths"}
CORE = BASE | {"board", "elements"}
PLAY = CORE | {"rules", "games", "metrics"}
THINGS = CORE | {"pieces", "printing", "geometry", "models"}
MAY_IMPORT = {
    "infra": {"issues"},
    "issues": {"infra"},
    "lengths": {"infra"},
    "models": {"infra", "issues"},
    "board": {"infra", "issues"},
    "elements": {"infra", "issues", "board"},
    "diagnostics": {"infra", "issues", "languages"},
    "lang": CORE,
    "languages": {"infra", "issues", "elements"},
    "rules": CORE,
    "games": CORE | {"rules"},
    "metrics": CORE | {"rules"},
    "pieces": CORE,
    "printing": CORE | {"pieces"},
    "geometry": THINGS,
    "presets": THINGS | PLAY,
    "export": THINGS | {"presets"},
    "render": THINGS | PLAY | {"diagnostics", "export", "languages"},
    "playtest": PLAY | {"presets"},
    "maps": THINGS | PLAY | {"diagnostics", "lang", "presets", "remedies", "render"},
    "builds": THINGS | PLAY | {"lang", "languages", "export", "maps", "presets", "render"},
    "event": THINGS | {"export", "render"},
    "library": THINGS
    | PLAY
    | {"builds", "diagnostics", "lang", "maps", "playtest", "presets", "remedies", "render"},
    "remedies": PLAY | {"lang"},
    "search": THINGS | PLAY | {"builds", "lang", "library", "maps", "playtest", "presets"},
    "studio": THINGS
    | PLAY
    | {
        "builds",
        "diagnostics",
        "export",
        "lang",
        "languages",
        "library",
        "maps",
        "playtest",
        "presets",
        "render",
    },
}
DOORS = {"cli"}
"""Doors ask the library; what they may reach besides it is everything below."""
EVERYTHING = {*DOORS, "__main__", "__init__"}


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
MAX_LINES = 440
"""Most lines of a module, without docstrings."""


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_room_imports_only_the_rooms_below_it(path: Path) -> None:
    room = room_of(path)
    if room in EVERYTHING:
        return
    assert room in MAY_IMPORT, f"{room} is a new room: give it a line in the table"
    strangers = imported_rooms(path) - MAY_IMPORT[room] - {room, "values"}
    assert not strangers, f"{room} may not import {sorted(strangers)}"


def test_the_table_can_fail(tmp_path: Path) -> None:
    bad = tmp_path / "bad.py"
    bad.write_text("from falldamage_forge.geometry import piece_mesh\n")
    assert imported_rooms(bad) - MAY_IMPORT["rules"] == {"geometry"}


def test_only_the_outer_rooms_read_write_or_print() -> None:
    outer = {"cli", "presets", "infra", "__main__"}
    forbidden = {"open", "print", "input"}
    for path in SOURCES:
        if room_of(path) in outer:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in forbidden, f"{path}:{node.lineno} calls {node.func.id}"


def test_the_library_knows_no_door() -> None:
    """Nothing below the doors imports click, or prints, or leaves."""
    for path in SOURCES:
        if room_of(path) in EVERYTHING:
            continue
        text = path.read_text(encoding="utf-8")
        assert "import click" not in text, path
        assert "sys.exit" not in text, path
        assert "SystemExit" not in text, path


def lines_without_docstrings(source: str) -> int:
    """Lines of a module, its docstrings left out: a list of arguments is no reason to split."""
    texts = (node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Expr))
    docstrings = (
        text.end_lineno - text.lineno + 1
        for text in texts
        if isinstance(text, ast.Constant) and isinstance(text.value, str) and text.end_lineno
    )
    return len(source.splitlines()) - sum(docstrings)


def test_no_file_outgrows_its_room() -> None:
    long = {
        str(path.relative_to(PACKAGE)): lines
        for path in SOURCES
        if (lines := lines_without_docstrings(path.read_text(encoding="utf-8"))) > MAX_LINES
    }
    assert not long, f"split these: {long}"


def test_lines_of_a_docstring_do_not_count() -> None:
    assert lines_without_docstrings('"""A.\n\nB.\n"""\nx = 1\n') == 1

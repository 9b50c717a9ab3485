"""The house's layering: who may import whom, as one table."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "falldamage_forge"

BASE = {"extras", "issues", "lengths", "paths", "visible", "waiting"}
CORE = BASE | {"board", "tables"}
PLAY = CORE | {"rules", "games", "measures"}
THINGS = CORE | {"pieces", "printing", "geometry"}
MAY_IMPORT = {
    "issues": set(),
    "lengths": set(),
    "waiting": set(),
    "folding": {"issues"},
    "cache": set(),
    "extras": {"issues"},
    "paths": set(),
    "pool": {"cache"},
    "values": set(),
    "arguments": {"issues"},
    "visible": set(),
    "tables": {"issues"},
    "files": {"issues", "paths"},
    "staging": {"issues", "export", "paths", "visible"},
    "board": {"issues"},
    "diagnostics": {"issues", "folding", "tables", "visible"},
    "lang": CORE | {"cache"},
    "rules": CORE | {"arguments"},
    "games": CORE | {"rules"},
    "measures": CORE | {"rules"},
    "pieces": CORE,
    "geometry": THINGS | {"cache", "pool"},
    "printing": CORE | {"pieces"},
    "export": THINGS | {"cache"},
    "render": THINGS | PLAY | {"folding", "cache", "pool"},
    "presets": THINGS | PLAY,
    "playtest": PLAY | {"presets", "cache"},
    "tabletop": PLAY | {"arguments", "presets", "forge"},
    "edits": PLAY | {"checks", "files", "forge", "lang", "presets"},
    "profiles": THINGS | {"presets", "export"},
    "assemble": THINGS | {"lang", "export"},
    "build_files": THINGS | {"assemble", "lang", "export", "render"},
    "checks": PLAY | {"lang", "pieces", "assemble", "geometry"},
    "advice": PLAY | {"lang", "pieces", "checks"},
    "bundle": THINGS
    | PLAY
    | {"assemble", "build_files", "export", "render", "staging", "forge", "pool", "profiles"},
    "search": THINGS
    | PLAY
    | {"assemble", "files", "forge", "lang", "playtest", "presets", "staging"},
    "studio": THINGS
    | PLAY
    | {
        "assemble",
        "build_files",
        "bundle",
        "cache",
        "diagnostics",
        "edits",
        "export",
        "files",
        "folding",
        "forge",
        "lang",
        "playtest",
        "presets",
        "render",
        "staging",
    },
    "called": THINGS | PLAY | {"files", "lang", "presets"},
    "forge": THINGS
    | PLAY
    | {
        "advice",
        "arguments",
        "assemble",
        "bundle",
        "called",
        "checks",
        "files",
        "folding",
        "lang",
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


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_room_imports_only_the_rooms_below_it(path: Path) -> None:
    room = room_of(path)
    if room in EVERYTHING:
        return
    assert room in MAY_IMPORT, f"{room} is a new room: give it a line in the table"
    strangers = imported_rooms(path) - MAY_IMPORT[room] - {room, "__version__", "values"}
    assert not strangers, f"{room} may not import {sorted(strangers)}"


def test_the_table_can_fail(tmp_path: Path) -> None:
    bad = tmp_path / "bad.py"
    bad.write_text("from falldamage_forge.geometry import build\n")
    assert imported_rooms(bad) - MAY_IMPORT["rules"] == {"geometry"}


def test_only_the_outer_rooms_read_write_or_print() -> None:
    outer = {"cli", "presets", "files", "staging", "__main__"}
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


def test_no_file_outgrows_its_room() -> None:
    long = {
        str(path.relative_to(PACKAGE)): lines
        for path in SOURCES
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > 440
    }
    assert not long, f"split these: {long}"

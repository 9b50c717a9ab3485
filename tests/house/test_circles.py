"""No circles of imports, counted with imports for types and inside functions."""

import ast
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from tests.cli.running import python
from tests.house.test_layers import PACKAGE

Imports = Mapping[str, set[str]]


def imports_of(root: Path) -> dict[str, set[str]]:
    """The modules of a package, each with those it imports anywhere: at load, later, for types."""
    files = {
        ".".join(path.relative_to(root).with_suffix("").parts).removesuffix("__init__").rstrip("."):
        path
        for path in root.rglob("*.py")
    }  # fmt: skip
    found: dict[str, set[str]] = {}
    for module, path in files.items():
        names: set[str] = set()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                inner = {f"{node.module}.{alias.name}" for alias in node.names}
                own = {name for name in inner if name.removeprefix(f"{root.name}.") in files}
                names |= own or {str(node.module)}
        own = {name for name in names if name.partition(".")[0] == root.name}
        found[module] = {name.removeprefix(root.name).lstrip(".") for name in own} - {module}
    return found


def circles(imports: Imports) -> list[set[str]]:
    """Modules that import each other, directly or by others."""
    reached: dict[str, set[str]] = {}
    for module in imports:
        seen: set[str] = set()
        waiting = [module]
        while waiting:
            new = imports.get(waiting.pop(), set()) - seen
            seen |= new
            waiting += new
        reached[module] = seen
    found = {
        frozenset(b for b in reached[a] if a in reached.get(b, ()))
        for a in imports
        if a in reached[a]
    }
    return sorted(map(set, found), key=sorted)


def test_modules_do_not_import_each_other() -> None:
    found = [sorted(one) for one in circles(imports_of(PACKAGE))]
    assert not found, f"cut by a module below both, not by an import inside a function: {found}"


def test_rooms_do_not_import_each_other() -> None:
    """A room is a package or a module at the top; no two of them know each other.

    Readers of files in `infra` raise issues, and an issue is a value of its `lazy_dataclass`.
    """
    rooms: dict[str, set[str]] = defaultdict(set)
    for module, names in imports_of(PACKAGE).items():
        room = module.partition(".")[0]
        rooms[room] |= {name.partition(".")[0] for name in names} - {room}
    assert circles(rooms) == [{"infra", "issues"}]


def test_imports_for_types_and_inside_functions_count(tmp_path: Path) -> None:
    root = tmp_path / "house"
    (root / "room").mkdir(parents=True)
    texts = {
        "__init__": "",
        "low": "from house.room import value\n",
        "room/__init__": "",
        "room/value": "if TYPE_CHECKING:\n    from house.high import Name\n",
        "high": "def late():\n    import house.low\n",
        "alone": "import house.low\nimport typing\n",
    }
    for name, text in texts.items():
        (root / f"{name}.py").write_text(text, "utf-8")
    assert circles(imports_of(root)) == [{"high", "low", "room.value"}]


def test_no_thread_waits_for_a_package_that_waits_for_it() -> None:
    """A package that imports its own modules is in a circle with them, as each imports it first.

    Two threads that enter it by different doors break the circle in the middle, and one of them
    finds a module without its names: cards of the studio's gallery came as errors. Such packages
    are few, and there before the studio has a second thread.
    """
    modules = {PACKAGE.name + f".{name}".rstrip("."): name for name in imports_of(PACKAGE)}
    early = "import sys, falldamage_forge.studio.server as _; print(*sys.modules)"
    there = set(python("-c", early).split())
    late = [name for name, key in modules.items() if name not in there and imports_itself(key)]
    assert not late, f"write only a docstring into the `__init__.py` of {late}"
    assert "falldamage_forge.board" in modules and imports_itself("board")


def imports_itself(package: str) -> bool:
    """True for a package whose `__init__.py` imports one of its modules while it is loaded."""
    path = PACKAGE.joinpath(*package.split("."), "__init__.py")
    if not package or not path.exists():
        return False
    own = f"{PACKAGE.name}.{package}"
    return any(
        isinstance(node, ast.ImportFrom) and str(node.module).startswith(own)
        for node in ast.parse(path.read_text(encoding="utf-8")).body
    )

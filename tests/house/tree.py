"""Page of modules: each module with the first sentence of its docstring.

`python -m tests.house.tree` writes it into `docs/tree.md`.
"""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "falldamage_forge"
HEAD = """# Modules

Each module with the first sentence of its docstring. A module name occurs once in the package,
except for the modules that each game has, `lang/ast.py`, and commands and elements:
`cli/commands/NAME.py` is the command NAME, `elements/NAME.py` the element.
[Architecture](architecture.md) describes how the packages work together.
"""


def first_line(path: Path) -> str:
    """The first line of a module's docstring, its code marks kept."""
    text = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
    return text.split("\n\n")[0].replace("\n", " ").split(". ")[0].rstrip(".").replace("|", "\\|")


def page() -> str:
    """The page: a heading and a table for each package."""
    parts = [HEAD]
    for folder in [PACKAGE, *sorted(path for path in PACKAGE.rglob("*") if path.is_dir())]:
        modules = sorted(path for path in folder.glob("*.py") if path.stem != "__init__")
        init = folder / "__init__.py"
        if not init.exists():
            continue
        name = folder.relative_to(PACKAGE.parent).as_posix()
        parts.append(f"## `{name}`\n\n{first_line(init)}.\n")
        if modules:
            rows = [f"| `{path.stem}` | {first_line(path)} |" for path in modules]
            parts.append("\n".join(["| module | purpose |", "|---|---|", *rows]) + "\n")
    return "\n".join(parts)


if __name__ == "__main__":
    (ROOT / "docs" / "tree.md").write_text(page(), encoding="utf-8")

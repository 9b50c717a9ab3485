"""Parsed sources kept on disk, so that a known text needs neither the parser nor its library.

The key is a digest of the text, the file's name, and the modules that parse. The entry holds the
AST and its issues, read by an unpickler that makes values of these classes only.
"""

from __future__ import annotations

import hashlib
import io
import pickle
from functools import cache
from pathlib import Path
from typing import Any

from falldamage_forge.elements import own_folders
from falldamage_forge.infra import disk_cache as store
from falldamage_forge.issues import Issue
from falldamage_forge.lang import ast
from falldamage_forge.lang.parser import parse

ROOT = Path(__file__).resolve().parent.parent
SOURCES = (
    *("infra/lazy_dataclass.py", "infra/look_alikes.py", "infra/plain_text.py"),
    *("infra/visible_text.py", "issues/__init__.py", "lang/__init__.py", "lang/fitting_syntax.py"),
    *("lang/ast.py", "lang/ast_builder.py", "lang/block_scanner.py", "lang/common_mistakes.py"),
    *("lang/grammar.lark", "lang/grammar.py", "lang/parse_cache.py", "lang/parser.py"),
)
"""Files that determine the result of `parse`, besides tables of the board and of elements."""
PLAIN = ("falldamage_forge.lang.ast", "falldamage_forge.issues", "falldamage_forge.board")
"""Modules of the classes that an entry may hold, and of those below them."""
MOST = 200_000
"""Most characters of a text whose result is kept."""
Parsed = tuple[ast.Document, tuple[Issue, ...]]


def parsed(text: str, file: str) -> Parsed:
    """Return the result of `parse`, from the disk cache if the text is known.

    Args:
        text: Source text.
        file: Name of the file, for source spans.
    """
    if len(text) > MOST or not store.is_enabled():
        return parse(text, file)
    content = [each.encode("utf-8", "surrogatepass") for each in (text, file)]
    version, key = version_of_parser(), store.key_of("parsed", content)
    found = _read(store.get(version, key))
    if found is None:
        found = parse(text, file)
        store.put(version, key, pickle.dumps(found, 5))
    return found


@cache
def version_of_parser() -> str:
    """Return a digest of the sources that parse."""
    digest = hashlib.sha256()
    folders = (ROOT / "board", ROOT / "elements", *own_folders())
    tables = (path for folder in folders for path in sorted(folder.glob("*.py")))
    for path in (*(ROOT / name for name in SOURCES), *tables):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return f"parsed-{digest.hexdigest()[:16]}"


def _read(data: bytes | None) -> Parsed | None:
    """Return the value of an entry; None if it is not one."""
    if data is None:
        return None
    try:
        document, issues = _Values(io.BytesIO(data)).load()
    except Exception:  # bytes of another program may fail in any way
        return None
    sound = isinstance(document, ast.Document) and isinstance(issues, tuple)
    return (document, issues) if sound else None


class _Values(pickle.Unpickler):
    """Unpickles values of the AST alone, so that a file on disk runs no other code."""

    def find_class(self, module: str, name: str) -> Any:
        found = super().find_class(module, name) if module.startswith(PLAIN) else None
        if not isinstance(found, type) or not found.__module__.startswith(PLAIN):
            raise pickle.UnpicklingError(f"{module}.{name} in a parsed source")
        return found

"""Answers that were looked at and are kept, by name, as a digest of each.

A change of any figure, place or word is told. To see it, run both checkouts with FORGE_KEPT=FOLDER,
which writes the answers themselves, and compare the folders; FORGE_ACCEPT=1 (with `-n 0`) takes new
ones over.
"""

import json
import os
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from typing import Any

from falldamage_forge.issues import ForgeError, Issue
from falldamage_forge.pieces.model import Placement

FILE = Path(__file__).parent / "data" / "kept.json"
KEPT: dict[str, str] = json.loads(FILE.read_text("utf-8")) if FILE.exists() else {}


def placed(placement: Placement) -> list[object]:
    """Which part stands where, and how."""
    return [placement.piece.key, placement.tile, placement.level, placement.quarter_turns,
            placement.raised_mm]  # fmt: skip


def rounded(value: Any) -> Any:
    """Plain values; numbers with a point to seven places of weight."""
    if isinstance(value, float):
        return f"{value:.7g}"
    if isinstance(value, dict):
        return {str(key): rounded(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(item) for item in value]
    if isinstance(value, set | frozenset):
        return sorted(map(str, value))
    return value if value is None or isinstance(value, bool | int | str) else str(value)


def is_kept(name: str, value: Any) -> bool:
    """Whether a value is the one that is kept under a name."""
    plain = rounded(value)
    if folder := os.environ.get("FORGE_KEPT"):
        Path(folder).mkdir(parents=True, exist_ok=True)
        shown = json.dumps(plain, sort_keys=True, indent=1)
        (Path(folder) / f"{name}.json").write_text(shown, "utf-8")
    text = json.dumps(plain, sort_keys=True)
    found = blake2b(text.encode(), digest_size=8).hexdigest()
    if "FORGE_ACCEPT" in os.environ:
        KEPT[name] = found
        FILE.write_text(json.dumps(KEPT, indent=0, sort_keys=True) + "\n", "utf-8")
    return KEPT.get(name) == found


def said(ask: Callable[..., Any], *words: Any, **wish: Any) -> Any:
    """An answer, or the words of a refusal."""
    try:
        found = ask(*words, **wish)
    except (ForgeError, ValueError) as error:
        return [str(error), *(map(row, error.issues) if isinstance(error, ForgeError) else ())]
    return found.json() if hasattr(found, "json") else found


def row(issue: Issue) -> list[Any]:
    """All that is said of a defect."""
    return [str(issue), issue.hint, issue.tiles, [note.message for note in issue.notes]]

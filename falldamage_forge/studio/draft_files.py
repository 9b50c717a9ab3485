"""Drafts: texts without a file, stored in a folder of the user so that a kill loses nothing.

Each draft is a plain `.forge` file; a draft is deleted when its text is in its own file.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
from datetime import UTC, datetime
from pathlib import Path

from falldamage_forge.infra.atomic_write import write_file
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.infra.source_loader import MAX_SOURCE_BYTES
from falldamage_forge.infra.user_paths import resolved

FOLDER = "FDFORGE_DRAFTS_DIR"
"""Environment variable that moves the folder."""
MOST = 30
"""Greatest number of drafts; the oldest are deleted."""
_NAME = re.compile(r"[a-z0-9-]{1,80}")
_TITLE = re.compile(r'^title\s+"([^"\n]*)"', re.M)


def folder() -> Path:
    """Return the folder of the drafts."""
    if setting := os.environ.get(FOLDER):
        return Path(setting)
    import platformdirs

    return platformdirs.user_state_path("falldamage-forge") / "drafts"


@dataclass(frozen=True, slots=True)
class Draft:
    """A stored text; `when` is its time, ISO 8601 in UTC."""

    id: str
    title: str
    when: str
    lines: int


def id_for(file: Path | None) -> str:
    """Return the id of a session's draft: the same for the same file, a new one for None."""
    if file is None:
        return f"new-{secrets.token_hex(6)}"
    stem = re.sub(r"[^a-z0-9]+", "-", file.stem.lower()).strip("-")[:40]
    return f"{stem or 'map'}-{hashlib.sha256(os.fsencode(resolved(file))).hexdigest()[:12]}"


def save_draft(draft: str, text: str) -> None:
    """Write a draft atomically; ForgeError (FDF295) if that fails.

    Args:
        draft: Name of the draft.
        text: Text of the map.
    """
    write_file(_path(draft), text.encode())
    for old in _files()[MOST:]:
        old.unlink(missing_ok=True)


def delete_draft(draft: str) -> None:
    """Delete a draft if it exists; errors are ignored."""
    try:
        _path(draft).unlink(missing_ok=True)
    except (OSError, ValueError):
        return


def read_draft(draft: str) -> str | None:
    """Return the text of a draft; None if it cannot be read."""
    try:
        data = _path(draft).read_bytes()
        return data.decode() if len(data) <= MAX_SOURCE_BYTES else None
    except (OSError, ValueError):
        return None


def drafts(except_id: str = "") -> tuple[Draft, ...]:
    """Return all drafts but one, newest first."""
    found = []
    for path in _files():
        text = read_draft(path.stem) if path.stem != except_id else None
        if text is not None:
            title = _TITLE.search(text)
            when = datetime.fromtimestamp(path.stat().st_mtime, UTC).isoformat(timespec="seconds")
            found.append(Draft(path.stem, title[1] if title else path.stem, when, _lines(text)))
    return tuple(found)


def _lines(text: str) -> int:
    return text.count("\n") + (not text.endswith("\n"))


def _files() -> list[Path]:
    try:
        paths = [(path.stat().st_mtime_ns, path) for path in folder().glob("*.forge")]
    except OSError:
        return []
    return [path for _, path in sorted(paths, reverse=True)]


def _path(draft: str) -> Path:
    if not _NAME.fullmatch(draft):
        raise ValueError(f"`{draft}` names no draft")
    return folder() / f"{draft}.forge"

"""Texts that are nowhere else: written to a folder of one's own, so that no kill loses them.

Each is a plain `.forge` file, as good as any; what has come into its own file is taken away.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from falldamage_forge.files import MAX_SOURCE_BYTES
from falldamage_forge.paths import resolved
from falldamage_forge.staging import write_file

FOLDER = "FDFORGE_DRAFTS_DIR"
"""Environment variable: another place."""
MOST = 30
"""Drafts that are kept; the oldest go."""
_NAME = re.compile(r"[a-z0-9-]{1,80}")
_TITLE = re.compile(r'^title\s+"([^"\n]*)"', re.M)


def folder() -> Path:
    """Where drafts are kept."""
    if told := os.environ.get(FOLDER):
        return Path(told)
    import platformdirs

    return platformdirs.user_state_path("falldamage-forge") / "drafts"


@dataclass(frozen=True, slots=True)
class Draft:
    """A text that can be gone on with; `when` it was kept, ISO in UTC."""

    id: str
    title: str
    when: str
    lines: int


def id_for(file: Path | None) -> str:
    """The name of a session's draft: the same for the same file, a new one for none."""
    if file is None:
        return f"new-{secrets.token_hex(6)}"
    stem = re.sub(r"[^a-z0-9]+", "-", file.stem.lower()).strip("-")[:40]
    return f"{stem or 'map'}-{hashlib.sha256(os.fsencode(resolved(file))).hexdigest()[:12]}"


def keep(draft: str, text: str) -> None:
    """Keep a text in one step; ForgeError (FDF295) where that cannot be done."""
    write_file(_path(draft), text.encode())
    for old in _files()[MOST:]:
        old.unlink(missing_ok=True)


def forget(draft: str) -> None:
    """Take a draft away, if it is there and can be."""
    try:
        _path(draft).unlink(missing_ok=True)
    except (OSError, ValueError):
        return


def text_of(draft: str) -> str | None:
    """The text of a draft; None where there is none that can be read."""
    try:
        data = _path(draft).read_bytes()
        return data.decode() if len(data) <= MAX_SOURCE_BYTES else None
    except (OSError, ValueError):
        return None


def drafts(but: str = "") -> tuple[Draft, ...]:
    """All that are kept, newest first, without one's own."""
    found = []
    for path in _files():
        text = text_of(path.stem) if path.stem != but else None
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

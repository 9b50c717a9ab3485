"""Bytes kept on disk between runs, by the name of what they were made of.

Safe to lose and safe to share: an entry is written beside its place and moved there in one step, it
carries its own checksum, and whatever cannot be read or written counts as not there. All of them
together have a limit: what was used longest ago goes first. Entries of other versions of the code
lie in folders of their own, which go when they have not been used for a month.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

from falldamage_forge.values import dataclass

FOLDER, SWITCH = "FDFORGE_CACHE_DIR", "FDFORGE_CACHE"
"""Environment variables: another place, and `off`."""
LIMIT, USUAL_MB = "FDFORGE_CACHE_MB", 500
"""Environment variable: how many megabytes may be kept, and how many where it says none."""
SUFFIX = ".mesh"
_SLACK = 16
"""After a sixteenth of the limit was written it is looked at anew, and as much is made free."""
_SUM_BYTES = 32
_MONTH_S = 30 * 24 * 3600
_switched_off = False
_unseen_bytes: int | None = None
"""What this process wrote since it last looked at the whole; None before it ever did."""


def switch_off() -> None:
    """Neither read nor write entries for the rest of this process."""
    global _switched_off  # noqa: PLW0603
    _switched_off = True


def is_on() -> bool:
    """Whether entries are read and written."""
    return not _switched_off and os.environ.get(SWITCH, "").lower() not in ("off", "0", "no")


def folder() -> Path:
    """Where entries are kept."""
    if told := os.environ.get(FOLDER):
        return Path(told)
    import platformdirs

    return platformdirs.user_cache_path("falldamage-forge") / "meshes"


def get(version: str, key: str) -> bytes | None:
    """The bytes of an entry; None when there are none that can be trusted."""
    if not is_on():
        return None
    path = folder() / version / f"{key}{SUFFIX}"
    try:
        data = path.read_bytes()
    except OSError:
        return None
    with contextlib.suppress(OSError):
        os.utime(path)  # by this it is known what was used longest ago
    checksum, body = data[:_SUM_BYTES], data[_SUM_BYTES:]
    return body if hashlib.sha256(body).digest() == checksum else None


def has(version: str, key: str) -> bool:
    """Whether there is an entry; whether it can be trusted, `get` tells."""
    return is_on() and os.path.exists(folder() / version / f"{key}{SUFFIX}")  # noqa: PTH110


def put(version: str, key: str, body: bytes) -> None:
    """Keep the bytes of an entry if that can be done; sweep old versions when a new one begins."""
    if not is_on():
        return
    own = folder() / version
    with contextlib.suppress(OSError):
        if not own.is_dir():
            own.mkdir(parents=True, exist_ok=True)
            _sweep(own)
        number, name = tempfile.mkstemp(prefix=".new-", dir=own)
        aside = Path(name)
        try:
            with os.fdopen(number, "wb") as stream:
                stream.write(hashlib.sha256(body).digest() + body)
            aside.replace(own / f"{key}{SUFFIX}")
            _keep_below(limit_bytes(), len(body) + _SUM_BYTES)
        finally:
            aside.unlink(missing_ok=True)


def limit_bytes() -> int:
    """How much may be kept."""
    told = os.environ.get(LIMIT, "")
    return int(told if told.isdecimal() else USUAL_MB) * 1_000_000


def _keep_below(limit: int, added: int) -> None:
    """Make room once enough was written to look; a sixteenth stays free for what comes next."""
    global _unseen_bytes  # noqa: PLW0603
    if _unseen_bytes is not None:
        _unseen_bytes += added
        if _unseen_bytes < limit // _SLACK:
            return
    _unseen_bytes = 0
    entries = [(path.stat().st_mtime_ns, path, size) for path, size in _entries()]
    total = sum(size for _, _, size in entries)
    for _, path, size in sorted(entries):
        if total <= limit - limit // _SLACK:
            return
        path.unlink(missing_ok=True)
        total -= size


@cache
def room_version(room: Path, libraries: tuple[str, ...]) -> str:
    """A digest of all code in a folder and of the libraries it makes things with.

    Raises OSError and ModuleNotFoundError where these cannot be told.
    """
    from importlib import metadata

    digest = hashlib.sha256()
    for path in sorted(room.rglob("*.py")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    for name in libraries:
        digest.update(f"{name} {metadata.version(name)}\n".encode())
    return digest.hexdigest()[:16]


def remembered(
    room: Path,
    libraries: tuple[str, ...],
    what: str,
    content: Iterable[bytes],
    make: Callable[[], bytes],
) -> bytes:
    """The bytes that `make` gives; from disk if this very code made `what` of this content before.

    `content` is all that decides them; what cannot be kept is made each time.
    """
    if not is_on():
        return make()
    try:
        version = room_version(room, libraries)
    except (OSError, ModuleNotFoundError):
        return make()
    digest = hashlib.sha256(what.encode())
    for part in content:
        digest.update(len(part).to_bytes(8, "little"))
        digest.update(part)
    key = digest.hexdigest()
    found = get(version, key)
    if found is None:
        found = make()
        put(version, key, found)
    return found


def _sweep(own: Path) -> None:
    """Remove the folders of other versions that nothing was added to for a month."""
    for other in own.parent.iterdir():
        if other != own and other.is_dir() and time.time() - other.stat().st_mtime > _MONTH_S:
            shutil.rmtree(other, ignore_errors=True)


@dataclass(frozen=True, slots=True)
class Kept:
    """What is there: entries, their bytes, and the versions of the code they are of."""

    entries: int
    size_bytes: int
    versions: int


def kept() -> Kept:
    """What is kept now."""
    sizes = [size for _, size in _entries()]
    parents = {path.parent for path, _ in _entries()}
    return Kept(len(sizes), sum(sizes), len(parents))


def clear() -> Kept:
    """Remove every entry; tells what went. Other files in the folder stay."""
    gone = kept()
    for path, _ in list(_entries()):
        path.unlink(missing_ok=True)
    with contextlib.suppress(OSError):
        for own in folder().iterdir():
            with contextlib.suppress(OSError):
                own.rmdir()
    return gone


def _entries() -> Iterator[tuple[Path, int]]:
    with contextlib.suppress(OSError):
        for path in sorted(folder().glob(f"*/*{SUFFIX}")):
            with contextlib.suppress(OSError):
                yield path, path.stat().st_size

"""Disk cache: bytes by the digest of their inputs, kept between runs.

Entries are written atomically and carry a checksum; an entry that cannot be read or written counts
as a miss, so the folder may be deleted or shared at any time. The total size has a limit: the
least recently used entries go first. Each version of the code has a folder of its own, which is
removed after a month without use. Callers: meshes, pictures, Pyodide.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import time
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.infra.user_paths import new_beside

FOLDER, SWITCH = "FDFORGE_CACHE_DIR", "FDFORGE_CACHE"
"""Environment variables: the cache folder, and `off` to disable the cache."""
LIMIT, USUAL_MB = "FDFORGE_CACHE_MB", 500
"""Environment variable with the limit in megabytes, and its default."""
SUFFIX = ".mesh"
_SLACK = 16
"""After a sixteenth of the limit was written the size is measured; as much is then freed."""
_SUM_BYTES = 32
_MONTH_S = 30 * 24 * 3600
_switched_off = False
_unseen_bytes: int | None = None
"""Bytes that this process wrote since it last measured the cache; None before the first time."""


def disable() -> None:
    """Disable the cache for the rest of this process."""
    global _switched_off  # noqa: PLW0603
    _switched_off = True


def is_enabled() -> bool:
    """True if the cache is read and written."""
    return not _switched_off and os.environ.get(SWITCH, "").lower() not in ("off", "0", "no")


def folder() -> Path:
    """Return the folder of the cache."""
    if setting := os.environ.get(FOLDER):
        return Path(setting)
    import platformdirs

    return platformdirs.user_cache_path("falldamage-forge") / "meshes"


def get(version: str, key: str) -> bytes | None:
    """Return the bytes of an entry; None if it is missing or its checksum is wrong.

    Args:
        version: Folder of the entry, see `package_version_digest`.
        key: Digest of the entry's inputs.
    """
    if not is_enabled():
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
    """True if an entry exists; its checksum is only tested by `get`.

    Args:
        version: Folder of entries that one version of the code wrote.
        key: Name of the entry.
    """
    return is_enabled() and os.path.exists(folder() / version / f"{key}{SUFFIX}")  # noqa: PTH110


def put(version: str, key: str, body: bytes) -> None:
    """Write an entry; do nothing if that fails. A new version's first entry removes old versions.

    Args:
        version: Folder of the entry, see `package_version_digest`.
        key: Digest of the entry's inputs.
        body: The bytes.
    """
    if not is_enabled():
        return
    own = folder() / version
    with contextlib.suppress(OSError):
        if not own.is_dir():
            own.mkdir(parents=True, exist_ok=True)
            _sweep(own)
        path = own / f"{key}{SUFFIX}"
        with new_beside(path, ".new-") as aside:
            aside.write_bytes(hashlib.sha256(body).digest() + body)
            aside.replace(path)
            _keep_below(limit_bytes(), len(body) + _SUM_BYTES)


def limit_bytes() -> int:
    """Return the greatest total size in bytes."""
    setting = os.environ.get(LIMIT, "")
    return int(setting if setting.isdecimal() else USUAL_MB) * 1_000_000


def _keep_below(limit: int, added: int) -> None:
    """Measure the cache once enough was written, and free a sixteenth of the limit."""
    global _unseen_bytes  # noqa: PLW0603
    if _unseen_bytes is not None:
        _unseen_bytes += added
        if _unseen_bytes < limit // _SLACK:
            return
    _unseen_bytes = 0
    entries = [(found.st_mtime_ns, path, found.st_size) for path, found in _entries()]
    total = sum(size for _, _, size in entries)
    room = limit - limit // _SLACK
    for _, path, size in sorted(entries) if total > room else ():
        if total <= room:
            return
        path.unlink(missing_ok=True)
        total -= size


@cache
def package_version_digest(room: Path, libraries: tuple[str, ...]) -> str:
    """Return a digest of all files in a folder and of the versions of libraries.

    Tables, grammars and pages count as code does; compiled modules do not.

    Args:
        room: The folder of the package whose code makes the entries.
        libraries: Names of the distributions that the code calls.

    Raises:
        OSError: If the folder cannot be read.
        ModuleNotFoundError: If a library is not installed.
    """
    digest = hashlib.sha256()
    for path in sorted(_files_below(room)):
        name = path.removeprefix(f"{room}{os.sep}").replace(os.sep, "/")
        digest.update(name.encode() + b"\0" + _file_digest(path))
    for name in libraries:
        digest.update(f"{name} {_library_version(name)}\n".encode())
    return digest.hexdigest()[:16]


@cache
def _library_version(name: str) -> str:
    """Return the version of a distribution, which is looked up once for all packages."""
    from importlib import metadata

    return metadata.version(name)


@cache
def _file_digest(path: str) -> bytes:
    """Return the digest of a file, which is read once for all packages that hold it."""
    return hashlib.sha256(Path(path).read_bytes()).digest()


def _files_below(room: Path) -> Iterator[str]:
    """Yield the files of a package, without those that Python compiles."""
    for parent, folders, files in os.walk(room, onerror=_raise):
        folders[:] = [name for name in folders if name != "__pycache__"]
        yield from (os.path.join(parent, name) for name in files)  # noqa: PTH118


def _raise(error: OSError) -> None:
    raise error


def key_of(what: str, content: Iterable[bytes]) -> str:
    """Return the key of an entry: a digest of its kind and of all its inputs.

    Args:
        what: Kind of the entry.
        content: The inputs as bytes.
    """
    digest = hashlib.sha256(what.encode())
    for part in content:
        digest.update(len(part).to_bytes(8, "little"))
        digest.update(part)
    return digest.hexdigest()


def get_or_compute(
    room: Path,
    libraries: tuple[str, ...],
    what: str,
    content: Iterable[bytes],
    make: Callable[[], bytes],
) -> bytes:
    """Return the entry for some inputs; compute and store it on a cache miss.

    Args:
        room: The folder of the package whose code makes the entry.
        libraries: Names of the distributions that the code calls.
        what: Kind of the entry; part of its key.
        content: All other inputs of `make`, as bytes.
        make: Computes the bytes.
    """
    address = _address(room, libraries, what, content)
    if address is None:
        return make()
    found = get(*address)
    if found is None:
        found = make()
        put(*address, found)
    return found


def is_stored(room: Path, libraries: tuple[str, ...], what: str, content: Iterable[bytes]) -> bool:
    """True if `get_or_compute` with the same arguments would most likely compute nothing.

    Args:
        room: The folder of the package whose code makes the entry.
        libraries: Names of the distributions that the code calls.
        what: Kind of the entry.
        content: All other inputs, as bytes.
    """
    address = _address(room, libraries, what, content)
    return address is not None and has(*address)


def _address(
    room: Path, libraries: tuple[str, ...], what: str, content: Iterable[bytes]
) -> tuple[str, str] | None:
    """Return version and key of an entry; None if nothing is cached."""
    if not is_enabled():
        return None
    try:
        version = package_version_digest(room, libraries)
    except (OSError, ModuleNotFoundError):
        return None
    return version, key_of(what, content)


def _sweep(own: Path) -> None:
    """Remove the folders of other versions that had no new entry for a month."""
    for other in own.parent.iterdir():
        if other != own and other.is_dir() and time.time() - other.stat().st_mtime > _MONTH_S:
            shutil.rmtree(other, ignore_errors=True)


@dataclass(frozen=True, slots=True)
class CacheStats:
    """Size of the cache: entries, their total size in bytes, and versions of the code."""

    entries: int
    size_bytes: int
    versions: int


def stats() -> CacheStats:
    """Return the size of the cache."""
    sizes = [found.st_size for _, found in _entries()]
    parents = {path.parent for path, _ in _entries()}
    return CacheStats(len(sizes), sum(sizes), len(parents))


def clear() -> CacheStats:
    """Remove every entry and return what was removed. Other files in the folder stay."""
    gone = stats()
    for path, _ in list(_entries()):
        path.unlink(missing_ok=True)
    with contextlib.suppress(OSError):
        for own in folder().iterdir():
            with contextlib.suppress(OSError):
                own.rmdir()
    return gone


def _entries() -> Iterator[tuple[Path, os.stat_result]]:
    with contextlib.suppress(OSError):
        for path in folder().glob(f"*/*{SUFFIX}"):
            with contextlib.suppress(OSError):
                yield path, path.stat()

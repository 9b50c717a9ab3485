"""Atomic file and folder writes.

A folder is staged beside its target; every file is synced and read back; then the staged folder and
the target are exchanged in one step. After a kill at any moment the target is the old folder or the
new one. A staging folder may be left over; the next run removes it. One process may write into a
folder at a time (advisory lock).
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import json
import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import Literal

from falldamage_forge.infra.artifacts import MANIFEST, Artifact
from falldamage_forge.infra.user_paths import new_beside, resolved, unfinished
from falldamage_forge.infra.visible_text import UNSEEN
from falldamage_forge.issues import ForgeError, refuse

_RESERVED = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?", re.IGNORECASE)
_STAGING = ".forge-staging-"
POSIX = os.name == "posix"
_DAY_S = 24 * 3600
_FAR = 1 << 20
"""Offset of the locked byte, behind the holder's name: a mandatory lock hides what it covers."""


def safe_name(text: str) -> str:
    """Return the text as a file name valid on every system.

    Separators, reserved names and dots at the end are replaced.
    """
    name = re.sub(rf'[\x00-\x1f{UNSEEN}<>:"/\\|?*]+', "-", text).strip(" .-") or "map"
    name = name.encode()[:120].decode("utf-8", "ignore").rstrip(" .")
    return f"map-{name}" if _RESERVED.fullmatch(name) else name


def write_folder(target: Path, artifacts: Iterable[Artifact]) -> None:
    """Replace the export in `target` by the artifacts, all or nothing.

    Files of the old folder that its manifest does not list are kept.

    Args:
        target: The folder; it may be new, empty, or an earlier export.
        artifacts: The files; may be a generator. The manifest is among them.

    Raises:
        ForgeError: FDF295 if the folder holds other files, the disk is full or is read-only;
            FDF296 if another process writes into it; FDF297 for an unsafe file name.
    """
    try:
        target = _writable(target)
        target.parent.mkdir(parents=True, exist_ok=True)
        with folder_lock(target), _staged(target, artifacts) as staging:
            _carry_over(target, staging)
            _sync_folder(staging)
            _exchange(staging, target)
            _sync_folder(target.parent)
    except OSError as error:
        reason = error.strerror or str(error)
        hint = "free some room and build again" if error.errno == errno.ENOSPC else None
        raise refuse(
            "FDF295", f"cannot write `{target}`: {reason}; what was there is untouched", hint
        ) from None


def _writable(path: Path) -> Path:
    """Return the path with links followed; OSError for a loop, FDF295 for a device or pipe."""
    path = resolved(path)
    if path.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    if path.exists() and not (path.is_file() or path.is_dir()):
        # A rename would put a file in the place of the device.
        raise refuse("FDF295", f"cannot write `{path}`: it is not a regular file")
    return path


@contextlib.contextmanager
def _staged(target: Path, artifacts: Iterable[Artifact]) -> Iterator[Path]:
    """Yield a complete copy of the artifacts beside the target; remove it afterwards."""
    check_target(target)
    _sweep(target)
    staging = Path(tempfile.mkdtemp(prefix=f"{_STAGING}{os.getpid()}-", dir=target.parent))
    with unfinished(staging):
        try:
            for artifact in artifacts:
                _write_inside(staging, artifact)
            staging.chmod(0o755)
            yield staging
        finally:
            shutil.rmtree(staging, ignore_errors=True)


def _write_inside(folder: Path, artifact: Artifact) -> None:
    """Write one file, sync it, and compare it with its content."""
    parts = PurePosixPath(artifact.path).parts
    if any(part != safe_name(part) for part in parts):
        raise refuse("FDF297", f"`{artifact.path}` is no safe file name")
    path = folder.joinpath(*parts)
    path.parent.mkdir(parents=True, exist_ok=True)
    _write_synced(path, artifact.data)
    if path.read_bytes() != artifact.data:
        raise OSError(errno.EIO, "the file does not hold what was written", str(path))


def _write_synced(path: Path, data: bytes) -> None:
    with path.open("wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())


def _sync_folder(folder: Path) -> None:
    if POSIX:
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def _old_files(target: Path) -> set[str] | None:
    """Return the files in a folder's manifest; None if it has none."""
    try:
        table = json.loads((target / MANIFEST).read_text(encoding="utf-8"))
        return {*map(str, table["files"]), MANIFEST}
    except (OSError, ValueError, KeyError, TypeError):
        return None


def check_target(target: Path) -> None:
    """Raise FDF295 unless the folder is new, empty or an earlier export. Call before long work."""
    if not target.exists():
        return
    if not target.is_dir():
        raise refuse("FDF295", f"`{target}` is a file, not a folder", "choose another -o")
    if any(target.iterdir()) and _old_files(target) is None:
        raise refuse(
            "FDF295",
            f"`{target}` holds files that are not an export",
            "choose an empty folder, or one that an earlier build wrote",
        )


Kind = Literal["file", "folder", "inside", "any"]
"""Kinds of output: a file, a folder that is replaced as a whole, files inside of one, any."""
_BLOCK = bytes(4096)


def check_writable(path: Path, kind: Kind = "any") -> None:
    """Try to write at a path, and leave nothing behind. Call before long work.

    A temporary file is written into the folder that the write will change, or into the nearest
    folder above that exists.

    Args:
        path: The file or folder that will be written.
        kind: What will be written.

    Raises:
        ForgeError: FDF295 if it cannot be written.
    """
    try:
        target = _writable(path)
        if kind == "file" and target.is_dir():
            raise refuse("FDF295", f"`{path}` is a folder, not a file", "choose another name")
        if kind in ("folder", "inside") and target.is_file():
            raise refuse("FDF295", f"`{path}` is a file, not a folder", "choose another name")
        if is_read_only(target):
            raise refuse("FDF295", f"`{path}` is read-only", "choose another name")
        room = target if kind == "inside" else target.parent
        while not room.exists() and room != room.parent:
            room = room.parent
        with new_beside(room / "x", f"{_STAGING}{os.getpid()}-") as aside:
            aside.write_bytes(_BLOCK)
    except OSError as error:
        raise _unwritten(path, error) from None


def is_read_only(path: Path) -> bool:
    """True for a file without any write permission; the superuser may write it nevertheless."""
    return path.is_file() and not path.stat().st_mode & 0o222


def _unwritten(path: Path, error: OSError) -> ForgeError:
    hint = "free some room and try again" if error.errno == errno.ENOSPC else None
    return refuse("FDF295", f"cannot write `{path}`: {error.strerror or error}", hint)


def _carry_over(target: Path, staging: Path) -> None:
    """Copy the user's own files (notes, G-code) from the old export into the new one."""
    if not target.is_dir():
        return
    old = _old_files(target) or set()
    for path in sorted(target.rglob("*")):
        name = path.relative_to(target).as_posix()
        copy = staging / name
        if name in old or copy.exists() or (path.is_dir() and not path.is_symlink()):
            continue
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, copy, follow_symlinks=False)


def _exchange(staging: Path, target: Path) -> None:
    """Put the staged folder in the target's place, atomically where the system can."""
    if not target.exists():
        staging.rename(target)
        staging.mkdir()  # so that the sweeping afterwards has something to find
        return
    if _exchange_at_once(staging, target):
        return
    aside = target.with_name(f"{_STAGING}{os.getpid()}-old-{target.name}")
    target.rename(aside)
    try:
        staging.rename(target)
    except OSError:
        aside.rename(target)
        raise
    aside.rename(staging)


def _exchange_at_once(one: Path, other: Path) -> bool:
    """Exchange by renameat2 (Linux) or renamex_np (macOS); False where neither exists."""
    names = os.fsencode(one), os.fsencode(other)
    try:
        library = ctypes.CDLL(None, use_errno=True)
        if sys.platform == "darwin":
            return bool(library.renamex_np(*names, 2) == 0)
        return bool(library.renameat2(-100, names[0], -100, names[1], 2) == 0)
    except (OSError, AttributeError, TypeError):
        return False


def _sweep(target: Path) -> None:
    """Remove leftovers of dead processes beside the target; restore an old folder moved aside."""
    for path in target.parent.glob(f"{_STAGING}*"):
        pid, _, rest = path.name.removeprefix(_STAGING).partition("-")
        if not pid.isdigit() or _alive(int(pid), path):
            continue
        if rest == f"old-{target.name}" and not target.exists():
            path.rename(target)
        elif not rest.startswith("old-") or (target.exists() and rest == f"old-{target.name}"):
            shutil.rmtree(path, ignore_errors=True)


def _alive(pid: int, made: Path) -> bool:
    """True if a process may still run; on Windows, where a query sends Ctrl-C, true for a day."""
    if pid == os.getpid():
        return False
    if not POSIX:
        return time.time() - made.stat().st_mtime < _DAY_S
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


@contextlib.contextmanager
def folder_lock(target: Path, doing: str = "built") -> Iterator[None]:
    """Hold the lock of a folder. The lock file names its holder; the system releases it at exit.

    Args:
        target: The folder.
        doing: Participle in the message to a second process, such as `built`.

    Raises:
        ForgeError: FDF296 if another process holds the lock.
    """
    import socket

    path = target.with_name(f".{target.name}.forge-lock")
    number = _taken(path, target, doing)
    try:
        os.ftruncate(number, 0)
        os.lseek(number, 0, os.SEEK_SET)
        os.write(number, f"process {os.getpid()} on {socket.gethostname()}\n".encode())
        yield
    finally:
        if POSIX:
            path.unlink(missing_ok=True)
        os.close(number)
        if not POSIX:  # an open file cannot be removed there, and another's is open
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)


def _taken(path: Path, target: Path, doing: str) -> int:
    """Return the lock's open file; retry if its last holder removed the name in between."""
    while True:
        number = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        if not _take(number):
            holder = os.read(number, 200).decode("utf-8", "replace").strip() or "another process"
            os.close(number)
            raise refuse(
                "FDF296",
                f"`{target}` is being {doing} by {holder}",
                "wait for it, or choose another folder",
            )
        with contextlib.suppress(OSError):
            if os.path.samestat(os.fstat(number), path.stat()):
                return number
        os.close(number)


def _take(number: int) -> bool:
    """Take an exclusive lock that the system releases when the process ends."""
    try:
        import fcntl
    except ImportError:
        return _take_byte(number)
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _take_byte(number: int) -> bool:
    """Take the lock on Windows: one byte of the file."""
    try:
        import msvcrt
    except ImportError:
        return True
    os.lseek(number, _FAR, os.SEEK_SET)
    try:
        msvcrt.locking(number, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
    except OSError:
        return False
    finally:
        os.lseek(number, 0, os.SEEK_SET)
    return True


def is_leftover(path: Path) -> bool:
    """True if a killed process left this file or folder half written."""
    return path.name.startswith(_STAGING)


def write_file(path: Path, data: bytes, mode: int | None = None) -> None:
    """Replace one file atomically; on any error the old one stays.

    Args:
        path: The file.
        data: Its new content.
        mode: Permission bits; None keeps those of the old file, or the system's default.

    Raises:
        ForgeError: FDF295 if it cannot be written.
    """
    with _beside(path, data, mode) as (aside, target):
        aside.replace(target)


def create_file(path: Path, data: bytes) -> bool:
    """Write a new file atomically: it holds all of the data, or does not exist.

    Args:
        path: The file.
        data: Its content.

    Returns:
        False if the file exists; it stays as it is.

    Raises:
        ForgeError: FDF295 if it cannot be written.
    """
    with _beside(path, data) as (aside, target):
        if target.exists():
            return False
        try:
            os.link(aside, target)
        except FileExistsError:
            return False
        except OSError:  # a file system without links
            aside.replace(target)
        return True


def compare_and_swap_file(path: Path, data: bytes, known: bytes) -> bytes | None:
    """Replace a file atomically if it still holds `known`; a missing file is created.

    Args:
        path: The file.
        data: Its new content.
        known: The content that the caller read last.

    Returns:
        None if the file was replaced, else its present content.

    Raises:
        ForgeError: FDF295 if it cannot be written.
    """
    with _beside(path, data) as (aside, target):
        if not target.exists():
            aside.replace(target)
            return None
        if not _exchange_at_once(aside, target):
            found = target.read_bytes()
            if found != known:
                return found
            aside.replace(target)
            return None
        # What was there is looked at after the exchange: nobody can come in between.
        found = aside.read_bytes()
        if found == known:
            return None
        _exchange_at_once(aside, target)
        return found


@contextlib.contextmanager
def _beside(path: Path, data: bytes, mode: int | None = None) -> Iterator[tuple[Path, Path]]:
    """Yield a temporary file with bytes and permissions, and its target; remove it afterwards."""
    try:
        path = _writable(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        with new_beside(path, _STAGING) as aside:
            _write_synced(aside, data)
            if mode is None:
                mode = path.stat().st_mode & 0o777 if path.exists() else 0o644
            aside.chmod(mode)
            yield aside, path
    except OSError as error:
        raise _unwritten(path, error) from None

"""Files onto the disk so that nothing is ever half there.

A folder is staged beside its target, every file synced and read back, and only then exchanged with
the target in one step. Whoever is killed leaves the last good folder or the new one, and maybe a
staging folder that the next run sweeps away.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import json
import os
import re
import shutil
import socket
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

from falldamage_forge.cli.common import refuse
from falldamage_forge.export.artifacts import MANIFEST, Artifact
from falldamage_forge.issues import ForgeError

_RESERVED = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?", re.IGNORECASE)
_STAGING = ".forge-staging-"


def safe_name(text: str) -> str:
    """A file or folder name that every system takes: no separators, reserved names, end dots."""
    name = re.sub(r'[\x00-\x1f<>:"/\\|?*]+', "-", text).strip(" .-") or "map"
    name = name.encode()[:120].decode("utf-8", "ignore").rstrip(" .")
    return f"map-{name}" if _RESERVED.fullmatch(name) else name


def write_folder(target: Path, artifacts: Iterable[Artifact]) -> None:
    """Replace the export in `target` by the artifacts, all or nothing.

    Files in the old folder that are not in its manifest are carried over. Raises ForgeError
    (FDF295) when the folder is somebody else's, the disk is full or may not be written, and
    (FDF296) when another process builds into it.
    """
    try:
        target = target.resolve()
        target.parent.mkdir(parents=True, exist_ok=True)
        with _lock(target), _staged(target, artifacts) as staging:
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


@contextlib.contextmanager
def _staged(target: Path, artifacts: Iterable[Artifact]) -> Iterator[Path]:
    """A finished copy of the artifacts beside the target; swept away afterwards."""
    _check_owner(target)
    _sweep(target)
    staging = Path(tempfile.mkdtemp(prefix=f"{_STAGING}{os.getpid()}-", dir=target.parent))
    try:
        for artifact in artifacts:
            _write_inside(staging, artifact)
        staging.chmod(0o755)
        yield staging
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def _write_inside(folder: Path, artifact: Artifact) -> None:
    """One file, synced and compared with what should be in it."""
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
    if os.name == "posix":
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def _old_files(target: Path) -> set[str] | None:
    """The files of the export in a folder by its manifest; None when there is none."""
    try:
        table = json.loads((target / MANIFEST).read_text(encoding="utf-8"))
        return {*map(str, table["files"]), MANIFEST}
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _check_owner(target: Path) -> None:
    """Only an empty folder or an earlier export may be replaced."""
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


def _carry_over(target: Path, staging: Path) -> None:
    """Copy what a user put into the old export (notes, G-code) into the new one."""
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
    """Put the staged folder in the target's place in one step where the system can."""
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
    """renameat2(RENAME_EXCHANGE) on Linux, renamex_np(RENAME_SWAP) on macOS; False elsewhere."""
    names = os.fsencode(one), os.fsencode(other)
    try:
        library = ctypes.CDLL(None, use_errno=True)
        if sys.platform == "darwin":
            return bool(library.renamex_np(*names, 2) == 0)
        return bool(library.renameat2(-100, names[0], -100, names[1], 2) == 0)
    except (OSError, AttributeError, TypeError):
        return False


def _sweep(target: Path) -> None:
    """Remove what dead processes left beside the target; give back an old folder left aside."""
    for path in target.parent.glob(f"{_STAGING}*"):
        pid, _, rest = path.name.removeprefix(_STAGING).partition("-")
        if not pid.isdigit() or _alive(int(pid)):
            continue
        if rest == f"old-{target.name}" and not target.exists():
            path.rename(target)
        elif not rest.startswith("old-") or (target.exists() and rest == f"old-{target.name}"):
            shutil.rmtree(path, ignore_errors=True)


def _alive(pid: int) -> bool:
    if pid == os.getpid():
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


@contextlib.contextmanager
def _lock(target: Path) -> Iterator[None]:
    """One builder a folder; the lock file names its holder, and dies with the process."""
    path = target.with_name(f".{target.name}.forge-lock")
    number = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        if not _take(number):
            holder = os.read(number, 200).decode("utf-8", "replace").strip() or "another process"
            raise refuse(
                "FDF296",
                f"`{target}` is being built by {holder}",
                "wait for it, or choose another -o",
            )
        os.ftruncate(number, 0)
        os.pwrite(number, f"process {os.getpid()} on {socket.gethostname()}\n".encode(), 0)
        yield
        path.unlink(missing_ok=True)
    finally:
        os.close(number)


def _take(number: int) -> bool:
    """An exclusive lock that the system releases when the process ends."""
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def write_file(path: Path, data: bytes) -> None:
    """Replace one file in one step; the old one stays whole if anything fails (FDF295)."""
    path = path.resolve()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        number, name = tempfile.mkstemp(prefix=_STAGING, dir=path.parent)
        os.close(number)
        aside = Path(name)
        try:
            _write_synced(aside, data)
            aside.chmod(0o644)
            aside.replace(path)
        finally:
            aside.unlink(missing_ok=True)
    except OSError as error:
        raise refuse("FDF295", f"cannot write `{path}`: {error.strerror or error}") from None


__all__ = ["ForgeError", "safe_name", "write_file", "write_folder"]

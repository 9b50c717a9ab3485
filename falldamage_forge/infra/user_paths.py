"""Paths that the user gives: resolve them, quote them for a shell, write beside them."""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path


def resolved(path: Path) -> Path:
    """Return the absolute path with links followed; a loop of links stays in it.

    `Path.resolve` raises RuntimeError for a loop. Here the caller gets an OSError on opening it.
    """
    return Path(os.path.realpath(path))


def quoted(path: Path | str) -> str:
    """Return a path quoted for a shell."""
    return shlex.quote(str(path))


@contextlib.contextmanager
def new_beside(target: Path, prefix: str) -> Iterator[Path]:
    """Yield an empty temporary file in the target's folder; remove it if it was not moved.

    A rename within one folder is atomic, so readers see the whole old or the whole new file.

    Args:
        target: The file that the caller will replace.
        prefix: Start of the temporary file's name.
    """
    import tempfile

    number, name = tempfile.mkstemp(prefix=prefix, dir=target.parent)
    os.close(number)
    aside = Path(name)
    with unfinished(aside):
        try:
            yield aside
        finally:
            aside.unlink(missing_ok=True)


_unfinished: set[Path] = set()
"""Temporary files and folders of this process."""


@contextlib.contextmanager
def unfinished(path: Path) -> Iterator[None]:
    """Note a temporary file or folder for `remove_unfinished` as long as the block runs."""
    _unfinished.add(path)
    try:
        yield
    finally:
        _unfinished.discard(path)


def remove_unfinished() -> None:
    """Remove the temporary files and folders of this process, which is about to end at once."""
    for path in tuple(_unfinished):
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            with contextlib.suppress(OSError):
                path.unlink()

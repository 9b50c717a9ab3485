"""Folder of an archive: atomic writes, one search at a time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from falldamage_forge.infra.atomic_write import folder_lock, is_leftover, write_file
from falldamage_forge.infra.source_loader import read_source, read_text
from falldamage_forge.infra.user_paths import resolved
from falldamage_forge.issues import refuse
from falldamage_forge.search.archive import MAP_NAME, Archive, index_text, read_index

INDEX = "index.json"
MAX_INDEX_BYTES = 200_000_000


@contextmanager
def lock_archive(folder: Path) -> Iterator[None]:
    """Lock the archive while the context lasts, and remove leftovers of a killed search.

    Raises:
        ForgeError (FDF296): If another search holds the lock.
    """
    folder = resolved(folder)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _unwritten(folder, error) from None
    with folder_lock(folder, "searched"):
        if folder.is_dir():
            for path in folder.iterdir():
                if is_leftover(path):
                    path.unlink(missing_ok=True)
        yield


def load(folder: Path, *, missing_ok: bool = False) -> Archive:
    """Return the archive of a folder.

    Args:
        folder: The folder.
        missing_ok: True to return an empty archive if there is none.

    Raises:
        ForgeError (FDF504): If there is no archive, or it is incomplete.
    """
    index = folder / INDEX
    if not index.exists():
        if not missing_ok:
            hint = "`fdforge search` makes one"
            raise refuse("FDF504", f"there is no archive in `{folder}`", hint)
        strange = folder.is_dir() and [p for p in folder.iterdir() if not _ours(p)]
        if strange:
            hint = "choose an empty folder"
            raise refuse("FDF504", f"`{folder}` holds files that are no archive", hint)
        return Archive()
    texts = {path.stem: read_source(path, str(path)) for path in sorted(folder.glob("*.forge"))}
    return read_index(read_text(index, str(index), most=MAX_INDEX_BYTES), texts, str(index))


def forget(folder: Path) -> None:
    """Remove the index of an archive without maps, and its folder if that is empty then."""
    with suppress(OSError):
        (folder / INDEX).unlink(missing_ok=True)
        folder.rmdir()


def save(folder: Path, archive: Archive) -> None:
    """Write an archive: new maps, then the index, then remove maps that it no longer names.

    If the process is killed or the disk is full (FDF295), the folder holds the old archive or the
    new one, complete. Files of other names are not touched.

    Args:
        folder: Folder of the archive.
        archive: Best map of each cell.

    Raises:
        ForgeError (FDF295): If a file cannot be written.
    """
    kept = {f"{elite.name}.forge": elite for elite in archive.ranked()}
    for name, elite in kept.items():
        if not (folder / name).exists():
            write_file(folder / name, elite.text.encode())
    write_file(folder / INDEX, index_text(archive).encode())
    try:
        for path in folder.glob("*.forge"):
            if path.name not in kept and _ours(path):
                path.unlink(missing_ok=True)
    except OSError as error:
        raise _unwritten(folder, error) from None


def _ours(path: Path) -> bool:
    """True if a file is a map of an archive, or a leftover of an atomic write."""
    return is_leftover(path) or MAP_NAME.fullmatch(path.name) is not None


def _unwritten(folder: Path, error: OSError) -> Exception:
    return refuse("FDF295", f"cannot write `{folder}`: {error.strerror or error}")

"""The folder of an archive: whole whenever somebody looks, and of one searcher at a time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from falldamage_forge.files import read_text
from falldamage_forge.issues import refuse
from falldamage_forge.paths import resolved
from falldamage_forge.search.archive import MAP_NAME, Archive, index_text, read_index
from falldamage_forge.staging import leftover, locked, write_file

INDEX = "index.json"


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Keep others from changing the archive; ForgeError (FDF296) when somebody does already.

    What a searcher that was killed has left behind is taken away first.
    """
    folder = resolved(folder)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _unwritten(folder, error) from None
    with locked(folder, "searched"):
        if folder.is_dir():
            for path in folder.iterdir():
                if leftover(path):
                    path.unlink(missing_ok=True)
        yield


def load(folder: Path, *, missing_ok: bool = False) -> Archive:
    """The archive of a folder; an empty one where there is none and that may be.

    ForgeError (FDF504) for a folder that is none, or not whole.
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
    texts = {path.stem: read_text(path, str(path)) for path in sorted(folder.glob("*.forge"))}
    return read_index(index.read_text(encoding="utf-8"), texts, str(index))


def forget(folder: Path) -> None:
    """Take the index of an archive without maps away, and the folder where it is empty then."""
    with suppress(OSError):
        (folder / INDEX).unlink(missing_ok=True)
        folder.rmdir()


def save(folder: Path, archive: Archive) -> None:
    """New maps first, then the index in one step, then what it no longer names is taken away.

    Whoever is killed, or finds the disk full (FDF295), leaves the old index with all of its maps,
    or the new one with all of its. Files of other names are left alone.
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
    """Whether a file is a map of an archive, or half of one."""
    return leftover(path) or MAP_NAME.fullmatch(path.name) is not None


def _unwritten(folder: Path, error: OSError) -> Exception:
    return refuse("FDF295", f"cannot write `{folder}`: {error.strerror or error}")

"""Files that a dropped map names: they come to lie beside the open map, all of them or none."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING

from falldamage_forge.infra.atomic_write import create_file, safe_name
from falldamage_forge.infra.user_paths import resolved
from falldamage_forge.issues import ForgeError, refuse
from falldamage_forge.models.model_file import SUFFIXES
from falldamage_forge.models.triangles import MAX_BYTES
from falldamage_forge.studio.model_drop import folder_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from falldamage_forge.studio.session import Session

NAMED = frozenset({".forge", *SUFFIXES})
"""Kinds of files that a map names."""


def read_files(data: bytes) -> dict[str, bytes]:
    """Return files by their paths from the folder of their map, with `/`.

    Args:
        data: A line of JSON, `[[path, bytes], ...]`, then the content of each file.

    Raises:
        ForgeError: FDF295 if the files are larger than a model may be.
        ValueError: For data of another form.
    """
    if len(data) > MAX_BYTES:
        why = f"all of them together have more than {MAX_BYTES // 1_000_000} MB"
        raise refuse("FDF295", f"cannot write the files that the map names: {why}")
    line, _, content = data.partition(b"\n")
    index = [(str(name), int(size)) for name, size in json.loads(line)]
    if sum(size for _, size in index) != len(content):
        raise ValueError("the sizes do not fit")
    found, at = dict[str, bytes](), 0
    for name, size in index:
        found[name], at = content[at : at + size], at + size
    return found


def keep_beside(session: Session, files: Mapping[str, bytes]) -> None:
    """Write files that a dropped map names beside a session's map; no other file is replaced.

    Args:
        session: The session.
        files: Content by path from the map's folder, with `/`.

    Raises:
        ForgeError: FDF208 for a map that is no file, FDF294 for a path that leaves its folder or a
            file of another kind, FDF295 if another file has that name or one cannot be written.
            Nothing is left behind then.
    """
    folder = resolved(folder_of(session))
    targets = [(name, _target(folder, name), data) for name, data in files.items()]
    missing = [each for each in targets if not _is_there(*each)]
    made: list[Path] = []
    try:
        for name, target, data in missing:
            made += _make_folders(target.parent)
            if create_file(target, data):
                made.append(target)
            elif not _is_there(name, target, data):  # it was taken away again
                raise _refused(name)
    except ForgeError:
        for one in reversed(made):
            with suppress(OSError):  # another program's file lies in a folder by now
                one.rmdir() if one.is_dir() else one.unlink()
        raise


def _target(folder: Path, name: str) -> Path:
    """Return the path of a file in a folder."""
    plain = all(part == safe_name(part) for part in name.split("/"))
    target = resolved(folder / name) if plain else folder
    if folder not in target.parents or target.suffix.lower() not in NAMED:
        why = "imports may not leave the folder of the map"
        raise refuse("FDF294", f"cannot read `{name}`: {why}")
    return target


def _is_there(name: str, target: Path, data: bytes) -> bool:
    """True if a file has this content; refuse another file of its name."""
    if not target.exists():
        return False
    if target.is_file() and target.read_bytes() == data:
        return True
    raise _refused(name)


def _refused(name: str) -> ForgeError:
    why = "another file of that name lies beside the open map"
    return refuse("FDF295", f"cannot write `{name}`: {why}")


def _make_folders(folder: Path) -> list[Path]:
    """Make a folder and those above it; return those that are new, the outermost first."""
    new = [one for one in (folder, *folder.parents) if not one.exists()]
    with suppress(OSError):  # `create_file` says what is wrong
        folder.mkdir(parents=True, exist_ok=True)
    return new[::-1]

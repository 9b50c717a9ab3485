"""Standing folder: compare the files of an export with its manifest, byte for byte."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path, PurePosixPath

from falldamage_forge.infra.artifacts import MANIFEST
from falldamage_forge.infra.atomic_write import folder_lock
from falldamage_forge.infra.user_paths import resolved


def is_standing(folder: Path, sha256: str) -> bool:
    """True if a folder holds a manifest of this digest and every file that it lists, unchanged.

    Files that the manifest does not list are not looked at.

    Args:
        folder: The folder of an export.
        sha256: SHA-256 of the manifest as hex.

    Raises:
        ForgeError: FDF296 if another process writes into the folder.
    """
    try:
        folder = resolved(folder)
        if not folder.is_dir():
            return False
        with folder_lock(folder):
            data = (folder / MANIFEST).read_bytes()
            if hashlib.sha256(data).hexdigest() != sha256:
                return False
            files = json.loads(data)["files"]
            return all(_is_as_listed(folder, path, entry) for path, entry in files.items())
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return False


def _is_as_listed(folder: Path, path: str, entry: dict[str, object]) -> bool:
    """True if a regular file has the size and the digest of its entry in the manifest."""
    file = folder.joinpath(*PurePosixPath(path).parts)
    if file.is_symlink() or file.stat().st_size != entry["bytes"]:
        return False
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest() == entry["sha256"]

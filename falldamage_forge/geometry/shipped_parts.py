"""Meshes and sizes that come with the package: those of the presets' parts in the default style.

The file holds entries of the mesh cache, each compressed by xz, behind an index in JSON. It names
the sources that made it; other sources make every mesh themselves. xz carries a checksum, so that
a damaged entry counts as a missing one. `python -m falldamage_forge.cli.ship_parts` writes it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).resolve().parent / "shipped_parts.bin"
MAGIC = b"FDF parts 1\n"
_WIDTH = 4
"""Bytes of the length of the index."""


def pack(sources: str, libraries: Mapping[str, str], entries: Mapping[str, bytes]) -> bytes:
    """Return the bytes of a file.

    Args:
        sources: Digest of the sources that made the entries.
        libraries: Version of each library that made them, by name.
        entries: Entries by their keys in the cache.
    """
    import lzma

    bodies = {key: lzma.compress(entries[key], preset=9) for key in sorted(entries)}
    places, at = {}, 0
    for key, body in bodies.items():
        places[key] = (at, len(body))
        at += len(body)
    about = {"sources": sources, "libraries": dict(sorted(libraries.items())), "entries": places}
    index = lzma.compress(json.dumps(about).encode(), preset=9)
    return b"".join((MAGIC, len(index).to_bytes(_WIDTH, "little"), index, *bodies.values()))


@cache
def about(path: Path = FILE) -> Mapping[str, Any]:
    """Return the index of a file: `sources`, `libraries`, and `entries` by key.

    Places of entries count from the start of the file; without a readable file there are none.
    """
    import lzma

    try:
        with path.open("rb") as stream:
            if stream.read(len(MAGIC)) != MAGIC:
                return {}
            index = stream.read(int.from_bytes(stream.read(_WIDTH), "little"))
            found = dict(json.loads(lzma.decompress(index)))
            first = stream.tell()
        places = {key: (first + at, size) for key, (at, size) in found["entries"].items()}
    except (OSError, lzma.LZMAError, ValueError, KeyError, TypeError):
        return {}
    return {**found, "entries": places}


def has(sources: str, key: str, path: Path = FILE) -> bool:
    """True if these sources made an entry of the file."""
    index = about(path)
    return index.get("sources") == sources and key in index["entries"]


def entry(sources: str, key: str, path: Path = FILE) -> bytes | None:
    """Return an entry; None if there is none, if other sources made it, or if it is damaged.

    Args:
        sources: Digest of the present sources.
        key: Key of the entry in the cache.
        path: The file.
    """
    import lzma

    if not has(sources, key, path):
        return None
    at, size = about(path)["entries"][key]
    try:
        with path.open("rb") as stream:
            stream.seek(at)
            return lzma.decompress(stream.read(size))
    except (OSError, lzma.LZMAError):
        return None

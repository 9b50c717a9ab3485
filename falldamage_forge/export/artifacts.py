"""A file to be written: where, and its bytes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from falldamage_forge.visible import visible

MANIFEST = "manifest.json"


@dataclass(frozen=True, slots=True)
class Entry:
    """What the manifest tells of a file."""

    path: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Artifact:
    """One output. `path` is relative to the output folder, with `/`, safe on every system."""

    path: str
    data: bytes

    @property
    def sha256(self) -> str:
        """Hex digest of the bytes."""
        return hashlib.sha256(self.data).hexdigest()

    @property
    def entry(self) -> Entry:
        """The file without its bytes."""
        return Entry(self.path, len(self.data), self.sha256)


def json_bytes(value: Any) -> bytes:
    """Readable JSON in the order given, ending in a line feed."""
    return (visible(json.dumps(value, indent=2, ensure_ascii=False)) + "\n").encode()


def manifest(artifacts: Iterable[Artifact], about: Mapping[str, Any]) -> Artifact:
    """`manifest.json`: what the export is, and size and sha256 of each other file. No dates."""
    return _manifest([item.entry for item in artifacts], about)


def with_manifest(artifacts: Iterable[Artifact], about: Mapping[str, Any]) -> Iterator[Artifact]:
    """The files one by one, and their manifest last; the bytes of none are held on to."""
    entries = []
    for artifact in artifacts:
        entries.append(artifact.entry)
        yield artifact
    yield _manifest(entries, about)


def _manifest(entries: Iterable[Entry], about: Mapping[str, Any]) -> Artifact:
    files = {
        entry.path: {"bytes": entry.size, "sha256": entry.sha256}
        for entry in sorted(entries, key=lambda entry: entry.path)
    }
    return Artifact(MANIFEST, json_bytes({**about, "files": files}))

"""Output files in memory: relative path, bytes, and the manifest that lists them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.infra.visible_text import visible

MANIFEST = "manifest.json"


@dataclass(frozen=True, slots=True)
class ManifestEntry:
    """The manifest's line of one file: path, size in bytes, SHA-256 as hex."""

    path: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Artifact:
    """One output file. `path` is relative to the output folder, with `/`, valid on every system."""

    path: str
    data: bytes

    @property
    def sha256(self) -> str:
        """Return the SHA-256 of the bytes as hex."""
        return hashlib.sha256(self.data).hexdigest()

    @property
    def entry(self) -> ManifestEntry:
        """Return the manifest's line of this file."""
        return ManifestEntry(self.path, len(self.data), self.sha256)


def json_bytes(value: Any) -> bytes:
    """Return indented JSON in UTF-8 with keys in the order given and a final line feed."""
    return (visible(json.dumps(value, indent=2, ensure_ascii=False)) + "\n").encode()


def manifest(artifacts: Iterable[Artifact], about: Mapping[str, Any]) -> Artifact:
    """Return `manifest.json`: `about`, then size and SHA-256 of each file by path. No dates.

    Args:
        artifacts: The other files of the export.
        about: JSON values that describe the export; they come first.
    """
    return _manifest([item.entry for item in artifacts], about)


def with_manifest(artifacts: Iterable[Artifact], about: Mapping[str, Any]) -> Iterator[Artifact]:
    """Yield each file, then the manifest. At most one file's bytes are held at a time.

    Args:
        artifacts: The files of the export; may be a generator.
        about: JSON values that describe the export.
    """
    entries = []
    for artifact in artifacts:
        entries.append(artifact.entry)
        yield artifact
    yield _manifest(entries, about)


def entries_of(manifest: Artifact) -> tuple[ManifestEntry, ...]:
    """Return the entries that a manifest lists, and its own as the last.

    Args:
        manifest: Result of `manifest`, or the last of `with_manifest`.
    """
    files = json.loads(manifest.data)["files"]
    listed = (ManifestEntry(path, each["bytes"], each["sha256"]) for path, each in files.items())
    return (*listed, manifest.entry)


def _manifest(entries: Iterable[ManifestEntry], about: Mapping[str, Any]) -> Artifact:
    files = {
        entry.path: {"bytes": entry.size, "sha256": entry.sha256}
        for entry in sorted(entries, key=lambda entry: entry.path)
    }
    return Artifact(MANIFEST, json_bytes({**about, "files": files}))

"""A file to be written: where, and its bytes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from falldamage_forge.visible import visible

MANIFEST = "manifest.json"


@dataclass(frozen=True, slots=True)
class Artifact:
    """One output. `path` is relative to the output folder, with `/`, safe on every system."""

    path: str
    data: bytes

    @property
    def sha256(self) -> str:
        """Hex digest of the bytes."""
        return hashlib.sha256(self.data).hexdigest()


def json_bytes(value: Any) -> bytes:
    """Readable JSON in the order given, ending in a line feed."""
    return (visible(json.dumps(value, indent=2, ensure_ascii=False)) + "\n").encode()


def manifest(artifacts: Iterable[Artifact], about: Mapping[str, Any]) -> Artifact:
    """`manifest.json`: what the export is, and size and sha256 of each other file. No dates."""
    files = {
        item.path: {"bytes": len(item.data), "sha256": item.sha256}
        for item in sorted(artifacts, key=lambda item: item.path)
    }
    return Artifact(MANIFEST, json_bytes({**about, "files": files}))

"""Build stamp: a digest of all inputs of a build, so that a folder that is still right stays.

The stamp is kept in the disk cache. Its key is a digest of every input of a build: the installed
code with its presets and libraries, the sources, the issues, the ruleset, the printer, the options
and the target. Its value is the digest of the manifest and the summary that the command prints.
A folder stands if its manifest has that digest and every listed file has the listed bytes; each
file is read again each time. `fdforge build` calls it.
"""

from __future__ import annotations

import hashlib
import json
import sys
import zlib
from collections.abc import Iterable
from dataclasses import asdict
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from falldamage_forge.infra import disk_cache
from falldamage_forge.infra.artifacts import MANIFEST, ManifestEntry
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.infra.standing_folder import is_standing
from falldamage_forge.infra.toml_loader import read_table
from falldamage_forge.issues import ForgeError, Issue

if TYPE_CHECKING:
    from falldamage_forge.builds.pipeline import BuildOptions
    from falldamage_forge.maps.loaded_map import Checked
    from falldamage_forge.printing.printer import Printer

LIBRARIES = (
    *("click", "lark", "numpy", "shapely", "manifold3d", "trimesh", "numpy-stl", "highspy"),
    *("resvg-py", "reportlab", "pillow", "platformdirs", "segno"),
)
"""Distributions that a build calls: the dependencies of the package."""
PACKAGE = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True)
class BuildSummary:
    """Summary of a build for the user: its issues, and lines in the user's language."""

    issues: tuple[Issue, ...] = ()
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BuildStamp:
    """The stamp of one build; `version` is empty where the code's version is unknown."""

    version: str
    key: str

    def summary_of(self, folder: Path) -> BuildSummary | None:
        """Return the summary of the build if the folder is as that build left it, else None.

        Args:
            folder: The output folder.

        Raises:
            ForgeError: FDF296 if another process writes into the folder.
        """
        data = disk_cache.get(self.version, self.key) if self.version else None
        if data is None:
            return None
        try:
            entry = json.loads(data)
            found = read_table(BuildSummary, entry["summary"], "a build's summary")
            sha256 = str(entry["manifest"])
        except (ValueError, KeyError, TypeError, ForgeError):
            return None
        return found if is_standing(folder, sha256) else None

    def store(self, files: Iterable[ManifestEntry], summary: BuildSummary) -> None:
        """Store the summary of a build whose files were written.

        Args:
            files: Entries of the written files, the manifest among them.
            summary: Summary of the build.
        """
        sha256 = next(file.sha256 for file in files if file.path == MANIFEST)
        if self.version:
            value = {"manifest": sha256, "summary": asdict(summary, dict_factory=_without_none)}
            disk_cache.put(self.version, self.key, json.dumps(value).encode())


def build_stamp(
    checked: Checked,
    printer: Printer,
    options: BuildOptions,
    target: Path,
    presets: Path,
    **words: Any,
) -> BuildStamp:
    """Return the stamp of a build.

    Args:
        checked: The checked map.
        printer: The printer with its process.
        options: The build's options.
        target: The output folder, as the summary names it.
        presets: The folder of the presets.
        **words: Further options that decide which files are written.
    """
    texts = sorted(checked.map.texts.items())
    inputs = (
        *(checked.map.name, texts, checked.issues, checked.position.game),
        *(printer, options, str(target), sorted(words.items())),
    )
    digest = hashlib.sha256(b"build")
    for each in inputs:
        part = repr(each).encode("utf-8", "surrogatepass")
        digest.update(len(part).to_bytes(8, "little") + part)
    return BuildStamp(_version(presets), digest.hexdigest())


def _without_none(items: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return fields as a table: a missing key is the default, which None is."""
    return {name: value for name, value in items if value is not None}


def _version(presets: Path) -> str:
    """Return a digest of code, presets, libraries and interpreter; empty if it is unknown."""
    try:
        parts = [disk_cache.package_version_digest(PACKAGE, LIBRARIES)]
        if PACKAGE not in presets.parents:
            parts.append(disk_cache.package_version_digest(presets, ()))
    except (OSError, metadata.PackageNotFoundError):
        return ""
    parts += [sys.version, zlib.ZLIB_RUNTIME_VERSION]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]

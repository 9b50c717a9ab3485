"""Pyodide runtime: the npm package in one pinned version with a verified digest."""

from __future__ import annotations

import base64
import hashlib
import io
import subprocess
import tarfile
import tempfile
from pathlib import Path

from falldamage_forge.infra import disk_cache
from falldamage_forge.issues import ForgeError, refuse

VERSION = "314.0.7"
SHA512 = "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
"""Base64 digest, as the npm registry publishes it."""
FILES = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "python_stdlib.zip",
    "pyodide-lock.json",
)
"""Files of the package that a page needs."""
KEPT = "pyodide"
"""Version of its entry in the disk cache."""
HINT = f"install npm, or fetch the file with `npm pack pyodide@{VERSION}` and name it by --pyodide"


def runtime(archive: Path | None = None) -> dict[str, bytes]:
    """Return the files by name, from an archive, the disk cache or npm.

    Args:
        archive: A downloaded package; None uses the cache or npm.

    Raises:
        ForgeError: FDF294 if it cannot be fetched or has another digest.
    """
    data = _read(archive) if archive else disk_cache.get(KEPT, VERSION)
    if data is None:
        data = _packed()
        disk_cache.put(KEPT, VERSION, data)
    if base64.b64encode(hashlib.sha512(data).digest()).decode() != SHA512:
        raise refuse("FDF294", f"this is not pyodide {VERSION}: its digest is another", HINT)
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:gz") as package:
        found = {}
        for name in FILES:
            member = package.extractfile(f"package/{name}")
            assert member is not None  # the digest says that it is there
            found[name] = member.read()
    return found


def _read(archive: Path) -> bytes:
    try:
        return archive.read_bytes()
    except OSError as error:
        raise refuse("FDF294", f"cannot read `{archive}`: {error.strerror}", HINT) from None


def _packed() -> bytes:
    """Return the package's archive by `npm pack`, which runs none of its scripts."""
    with tempfile.TemporaryDirectory() as folder:
        words = ["npm", "pack", f"pyodide@{VERSION}", "--ignore-scripts", "--silent"]
        try:
            done = subprocess.run(
                [*words, "--pack-destination", folder],
                capture_output=True,
                text=True,
                check=False,
                timeout=600,
                cwd=folder,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise _missing(str(error)) from None
        archives = sorted(Path(folder).glob("*.tgz"))
        if done.returncode or not archives:
            raise _missing(done.stderr.strip() or f"npm ended with {done.returncode}")
        return archives[0].read_bytes()


def _missing(why: str) -> ForgeError:
    return refuse("FDF294", f"cannot fetch pyodide {VERSION}: {why.splitlines()[-1][:200]}", HINT)

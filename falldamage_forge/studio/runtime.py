"""Python for the browser: the npm package `pyodide`, one pinned version, its digest checked."""

from __future__ import annotations

import base64
import hashlib
import io
import subprocess
import tarfile
import tempfile
from pathlib import Path

from falldamage_forge import cache
from falldamage_forge.issues import ForgeError, refuse

VERSION = "314.0.7"
SHA512 = "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
"""Base64, as npm's registry tells it."""
FILES = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "python_stdlib.zip",
    "pyodide-lock.json",
)
"""What a page needs of it."""
KEPT = "pyodide"
"""The version of its entry in the cache on disk."""
HINT = f"install npm, or fetch the file with `npm pack pyodide@{VERSION}` and name it by --pyodide"


def runtime(archive: Path | None = None) -> dict[str, bytes]:
    """The files by name: of an `archive` that was fetched before, of the cache, or from npm now.

    ForgeError (FDF294) when it cannot be had or is not the pinned one.
    """
    data = _read(archive) if archive else cache.get(KEPT, VERSION)
    if data is None:
        data = _packed()
        cache.put(KEPT, VERSION, data)
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
    """The package's archive by `npm pack`, which runs no scripts of it."""
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

"""Compile the engine ahead: a process of its own makes it for the next playtest.

The process notes how far it is in the folder of the cache. While the note is fresh, no other
process starts.
"""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from falldamage_forge.infra import disk_cache
from falldamage_forge.infra.process_pool import HELPERS, away

NOTE = "engine-compiling"
FRESH_S = 120.0
"""Seconds without news after which the process counts as ended."""
_STARTED: list[Any] = []
"""Processes that this process started, kept so that Python does not wait for them."""


def is_wanted() -> bool:
    """True if the engine can be compiled, and helpers and the cache are not switched off."""
    helps = os.environ.get(HELPERS, "").strip() != "0"
    return helps and disk_cache.is_enabled() and find_spec("numba") is not None


def progress() -> tuple[int, int] | None:
    """Return how many functions are compiled, and of how many; None if no process compiles."""
    with suppress(OSError, ValueError):
        if time.time() - _note().stat().st_mtime < FRESH_S:
            done, of = map(int, _note().read_text("ascii").split())
            return done, of
    return None


def begin() -> None:
    """Start a process that compiles the engine for the default options; it outlives this one."""
    from subprocess import DEVNULL, Popen

    with suppress(OSError):
        _tell(0, 0)
        words = [sys.executable, "-m", __name__]
        _STARTED.append(Popen(words, stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL, **away()))


def main() -> None:
    """Compile with the least priority, and keep the note fresh."""
    from falldamage_forge.playtest.bot_kernels.batch_runner import load_kernels

    if hasattr(os, "nice"):
        os.nice(19)
    try:
        load_kernels(tell=_tell)
    finally:
        _note().unlink(missing_ok=True)


def _note() -> Path:
    return disk_cache.folder() / NOTE


def _tell(done: int, of: int) -> None:
    with suppress(OSError):
        _note().parent.mkdir(parents=True, exist_ok=True)
        _note().write_text(f"{done} {of}", "ascii")


if __name__ == "__main__":
    main()

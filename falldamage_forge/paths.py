"""Paths of the user's: where they lead, and how to write them in a shell."""

from __future__ import annotations

import os
import shlex
from pathlib import Path


def resolved(path: Path) -> Path:
    """Return the absolute path with links followed; a loop of links stays in it.

    `Path.resolve` raises RuntimeError for a loop. Here whoever opens the path gets an OSError.
    """
    return Path(os.path.realpath(path))


def quoted(path: Path | str) -> str:
    """Return a path as a word of a command line, to be copied from a message."""
    return shlex.quote(str(path))

"""Runs the real command in a process of its own, as a user does."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


SMALL = """\
forge 1
board 10x10
symmetry rotate 180 swap red blue
stack {tower} height 1
stack C5 height 1
treasure at {tower}
start red at B1..I1
"""


def small_map(path: Path, tower: str = "D4") -> Path:
    """A map of a handful of pieces, written to a file."""
    path.write_text(SMALL.format(tower=tower))
    return path


def fdforge(*words: object, cwd: Path = ROOT, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "falldamage_forge", *map(str, words)],
        cwd=cwd,
        env={**os.environ, "NO_COLOR": "1", "PYTHONPATH": str(ROOT), **env},
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )


def tree(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }

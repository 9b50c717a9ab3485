"""Runs the real command in a process of its own, as a user does, or as it is typed, in this one."""

import io
import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any
from unittest.mock import patch

from falldamage_forge.cli import main
from falldamage_forge.cli.progress_bar import show_progress
from falldamage_forge.infra import disk_cache
from tests.amount import EXHAUSTIVE
from tests.patience import PATIENCE_S

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


def run(
    words: Sequence[object], *, cwd: Path = ROOT, check: bool = False, **more: Any
) -> subprocess.CompletedProcess[str]:
    """Any program to its end, with what it writes; none is waited for without a bound."""
    return subprocess.run(
        list(map(str, words)),
        cwd=cwd, check=check, capture_output=True, text=True, timeout=PATIENCE_S, **more,
    )  # fmt: skip


def python(*words: object, **env: str) -> str:
    """The output of another Python, which must end well; `env` is added to the environment."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), **env}
    done = run([sys.executable, *words], env=env)
    assert done.returncode == 0, done.stderr
    return done.stdout


def fdforge(*words: object, cwd: Path = ROOT, **env: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "NO_COLOR": "1", "PYTHONPATH": str(ROOT), **env}
    return run([sys.executable, "-m", "falldamage_forge", *words], cwd=cwd, env=env)


def typed(*words: object, cwd: Path = ROOT, **env: str) -> subprocess.CompletedProcess[str]:
    """The same from its words to its exit code in this process, which has all imported already.

    For what is told and written. What a process is for, such as to be killed, to find nothing in
    memory or to write the same bytes as another, is asked of `fdforge`; with FORGE_EXHAUSTIVE
    everything is.
    """
    if EXHAUSTIVE:
        return fdforge(*words, cwd=cwd, **env)
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    argv = ["fdforge", *map(str, words)]
    status: object = 0
    with (
        patch.object(sys, "argv", argv),
        patch.object(disk_cache, "_switched_off", False),
        patch.dict(os.environ, {"NO_COLOR": "1", **env}),
        chdir(cwd),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as end:
            status = end.code or 0
        finally:
            show_progress("")
    assert isinstance(status, int)
    told, said = (stream.buffer.getvalue().decode() for stream in (out, err))  # type: ignore[attr-defined]
    return subprocess.CompletedProcess(argv, status, told, said)


def tree(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }

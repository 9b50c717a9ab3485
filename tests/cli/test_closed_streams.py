"""Closed or missing standard streams: they swallow, and a command ends as with open ones."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from falldamage_forge.cli import main
from tests.cli.running import ROOT, run, small_map

pytestmark = pytest.mark.skipif(os.name != "posix", reason="a shell closes the descriptors")

COMMANDS = {
    "presets": 0,
    "check m.forge": 0,
    "check missing.forge": 1,
    "check --no-such-option": 2,
    "explain FDF344": 0,
    "show m.forge": 0,
    "playtest m.forge --games 4 --engine plain --json": 0,
    "build m.forge --no-pictures -o out": 0,
    "bot greedy": 0,
}
"""Commands and their exit codes; `bot` reads requests to the end of its input."""
CLOSED = ("0<&-", "1>&-", "2>&-", "0<&- 1>&- 2>&-")


@pytest.mark.parametrize("closed", CLOSED)
@pytest.mark.parametrize("words", COMMANDS)
def test_command_ends_with_closed_descriptors_as_with_open_ones(
    words: str, closed: str, tmp_path: Path
) -> None:
    small_map(tmp_path / "m.forge")
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    line = f'exec "$0" -m falldamage_forge {words} {closed}'
    done = run(["sh", "-c", line, sys.executable], cwd=tmp_path, env=env, stdin=subprocess.DEVNULL)
    assert done.returncode == COMMANDS[words], done.stderr
    assert "Traceback" not in done.stderr
    if "1>&-" in closed:
        assert not done.stdout
    assert (tmp_path / "m.forge").read_text() == small_map(tmp_path / "again.forge").read_text()


@pytest.mark.parametrize("kind", ["missing", "closed"])
@pytest.mark.parametrize(
    "names", [("stdin",), ("stdout",), ("stderr",), ("stdin", "stdout", "stderr")]
)
def test_missing_stream_objects_swallow(
    names: tuple[str, ...], kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As under `pythonw`, where `sys.stdout` is None."""
    for name in names:
        stream = None
        if kind == "closed":
            with Path(os.devnull).open(encoding="utf-8") as stream:
                pass
        monkeypatch.setattr(sys, name, stream)
    for words, code in ((["presets"], 0), (["check"], 2), (["explain", "FDF999"], 1)):
        monkeypatch.setattr(sys, "argv", ["fdforge", *words])
        with pytest.raises(SystemExit) as ended:
            main()
        assert (ended.value.code or 0) == code

"""Long commands on a terminal: they show what they do, and Ctrl-C ends them with nothing left."""

import io
import os
import re
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from falldamage_forge.cli import STOPPED, STOPPED_STATUS, progress_bar
from falldamage_forge.cli.progress_bar import ProgressBar
from tests.cli.running import ROOT, small_map
from tests.patience import SILENCE_S, at_most

pytestmark = pytest.mark.skipif(os.name != "posix", reason="terminals of POSIX")

HEARING = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from falldamage_forge import cli
{more}
cli.start()
"""
"""A command as the whole of a process that hears Ctrl-C, whoever started the tests."""
EVENT = """\
title = "Cup"
tables = ["m.forge"]
at_once = 1
printing = { printers = 1, start = 2026-11-25, ready = 2026-12-25 }
"""
GAMES = "--games 200 --bots careful,greedy --engine plain"

COMMANDS = {
    "build m.forge -o OUT": "packing plates",
    "sheets m.forge -o OUT": "drawing the parts",
    "report m.forge -o OUT": "packing plates",
    "publish m.forge -o OUT": "taking covers",
    "kit m.forge -o OUT": "packing plates",
    "event event.toml -o OUT": "packing plates",
    f"playtest m.forge {GAMES} -o OUT": "playing",
    "search --archive OUT --seed 1 --evaluations 4000 --batch 500": "maps looked at",
    "prove m.forge": "putting",
    "gallery -o OUT": "drawing",
}
"""Each long command, and words of its progress."""


@dataclass
class Running:
    """A process on a terminal of its own, and what it wrote there."""

    process: subprocess.Popen[bytes]
    terminal: int
    written: str = ""

    def read(self) -> bool:
        """Read on; False at the end."""
        select.select([self.terminal], [], [])
        try:
            data = os.read(self.terminal, 1 << 16)
        except OSError:  # Linux: nobody holds the other end
            data = b""
        self.written += data.decode(errors="replace")
        return bool(data)

    def until(self, words: str) -> None:
        """Read until words that match a regular expression were written."""
        while not re.search(words, self.written):
            assert self.read(), f"it ended without `{words}`: {self.written}"

    def stop(self) -> int:
        """Send Ctrl-C, read to the end, and return the exit status."""
        os.killpg(self.process.pid, signal.SIGINT)
        while self.read():
            pass
        return self.process.wait()


@contextmanager
def on_terminal(place: Path, *words: str, more: str = "") -> Iterator[Running]:
    here, there = os.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", HEARING.format(more=more), *words],
        stdin=there, stdout=there, stderr=there, cwd=place, start_new_session=True,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm"},
    )  # fmt: skip
    os.close(there)
    kill = partial(os.killpg, process.pid, signal.SIGKILL)
    try:
        with at_most(SILENCE_S, kill):
            yield Running(process, here)
    finally:
        if process.poll() is None:
            kill()
        process.wait()
        os.close(here)


@pytest.mark.parametrize("command", list(COMMANDS))
def test_long_commands_tell_what_they_do_and_stop_without_a_trace(
    command: str, tmp_path: Path
) -> None:
    small_map(tmp_path / "m.forge")
    (tmp_path / "event.toml").write_text(EVENT)
    before = set(tmp_path.iterdir())
    with on_terminal(tmp_path, *command.replace("OUT", "out").split()) as run:
        run.until(COMMANDS[command])
        status = run.stop()
    assert status == STOPPED_STATUS, run.written
    assert "Traceback" not in run.written
    assert run.written.rstrip().endswith(STOPPED)
    assert set(tmp_path.iterdir()) == before


NATIVE = """
import hashlib, sys
from falldamage_forge.cli import progress_bar
from falldamage_forge.infra.user_paths import new_beside
from pathlib import Path
def main():
    with new_beside(Path("target"), "half-"):
        progress_bar.show_progress("computing")
        hashlib.pbkdf2_hmac("sha256", b"", b"", 2**31 - 1)
cli.main = main
"""
"""Hours of native code, during which Python hears nothing."""


def test_ctrl_c_ends_native_code_and_what_it_had_begun_to_write(tmp_path: Path) -> None:
    with on_terminal(tmp_path, more=NATIVE) as run:
        run.until("computing")
        # It beats on: the thread that shows the time runs beside native code.
        run.until(r"computing  \d+ s")
        assert list(tmp_path.iterdir())
        assert run.stop() == STOPPED_STATUS
    assert run.written.rstrip().endswith(STOPPED)
    assert not list(tmp_path.iterdir())


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_silent_step_beats_until_the_bar_is_cleared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(progress_bar, "BEAT_S", 0.01)
    before, stream = threading.active_count(), Terminal()
    bar = ProgressBar(stream, beats=True)
    bar.tell("packing", 1, 4)
    while len(re.findall(r"1 of 4  packing  \d+ s", stream.getvalue())) < 3:
        time.sleep(0.01)
    bar.clear()
    whole = stream.getvalue()
    while threading.active_count() > before:
        time.sleep(0.01)
    assert whole.endswith("\r\033[K")
    assert stream.getvalue() == whole

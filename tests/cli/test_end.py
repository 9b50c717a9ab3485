"""The end of the process: `start` leaves at once, with all that an end of the interpreter does."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import ROOT, run

AT_END = """
import atexit, sys, threading
from falldamage_forge import cli
atexit.register(lambda: print("registered"))
status, thread = sys.argv[1:]
def main():
    print("written")
    if thread == "thread":
        threading.Timer(0.2, lambda: print("thread")).start()
    sys.exit(status if status == "words" else int(status) if status != "none" else None)
cli.main = main
cli.start()
"""


@pytest.mark.parametrize("thread", ["alone", "thread"])
@pytest.mark.parametrize(("status", "code"), [("0", 0), ("3", 3), ("none", 0), ("words", 1)])
def test_exit_code_streams_threads_and_what_is_registered(
    status: str, code: int, thread: str
) -> None:
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = run([sys.executable, "-c", AT_END, status, thread], env=env)
    lines = ["written", *["thread"] * (thread == "thread"), "registered"]
    assert (done.returncode, done.stdout.split()) == (code, lines), done.stderr


@pytest.mark.parametrize(
    ("words", "code"), [("presets", 0), ("explain FDF999", 1), ("no-such-command", 2)]
)
def test_commands_exit_as_main_does(words: str, code: int) -> None:
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    enders = ("start", "main")
    done = [
        run([sys.executable, "-c", f"from falldamage_forge.cli import {name}; {name}()",
             *words.split()], env=env)
        for name in enders
    ]  # fmt: skip
    assert [each.returncode for each in done] == [code, code]
    assert done[0].stdout == done[1].stdout
    assert done[0].stderr == done[1].stderr


@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
def test_closed_pipe_ends_as_with_main(tmp_path: Path) -> None:
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    ends = []
    for name in ("start", "main"):
        code = f"from falldamage_forge.cli import {name}; {name}()"
        read, write = os.pipe()
        os.close(read)
        with subprocess.Popen(
            [sys.executable, "-c", code, "presets"], env=env, stdout=write, stderr=subprocess.PIPE
        ) as child:
            os.close(write)
            _, words = child.communicate()
        ends.append((child.returncode, words))
    assert ends[0] == ends[1]
    assert b"Traceback" not in ends[0][1]

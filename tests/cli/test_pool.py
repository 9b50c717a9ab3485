"""Work shared with other processes: the same files, whoever helps and whatever befalls them."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from falldamage_forge import cache, pool
from tests.cli.running import ROOT, fdforge, small_map, tree

IMPATIENT = """
import signal
from falldamage_forge.cli import main, waiting
signal.signal(signal.SIGINT, signal.default_int_handler)
waiting.PATIENCE_S = 0.0
main()
"""
"""A command that tells in a log of all that it does, and hears Ctrl-C whoever started the tests."""


@pytest.fixture
def helpers(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv(pool.HELPERS, "1")
    pool.open_pool()
    yield
    pool.close_pool()


def test_a_build_with_helpers_writes_the_same_bytes(tmp_path: Path) -> None:
    small = small_map(tmp_path / "small.forge")
    nothing_kept = {cache.FOLDER: str(tmp_path / "meshes")}
    for name, env in (
        ("alone", {pool.HELPERS: "0"}),
        ("helped", {pool.HELPERS: "2"} | nothing_kept),
    ):
        run = fdforge("build", small, "-o", tmp_path / name, **env)
        assert run.returncode == 0, run.stderr
    assert tree(tmp_path / "alone") == tree(tmp_path / "helped")


def _who(number: int) -> tuple[int, int]:
    return number, os.getpid()


def test_results_keep_their_order_and_others_do_help(helpers: None) -> None:
    tasks = [pool.begin(partial(_who, number)) for number in range(6)]
    assert tasks[0].ended.wait(180), "nobody helps"
    first = tasks[0].result()
    found = [first, *(task.result() for task in tasks[1:])]
    assert [number for number, _ in found] == list(range(6))
    assert first[1] != os.getpid()


def _die_elsewhere(here: int) -> str:
    if os.getpid() != here:
        os._exit(9)
    return "done"


def test_what_a_killed_helper_had_is_done_here(helpers: None) -> None:
    tasks = [pool.begin(partial(_die_elsewhere, os.getpid())) for _ in range(5)]
    assert tasks[0].ended.wait(60)
    assert [task.result() for task in reversed(tasks)] == ["done"] * 5
    assert pool.begin(partial(_die_elsewhere, os.getpid())).result() == "done"


def _refuse() -> None:
    raise ValueError("no")


def test_errors_come_back(helpers: None) -> None:
    task = pool.begin(_refuse)
    assert task.ended.wait(60)
    with pytest.raises(ValueError, match="no"):
        task.result()


def _chatty() -> str:
    print("not an answer")
    return "answer"


def test_what_is_printed_is_no_answer(helpers: None) -> None:
    task = pool.begin(_chatty)
    assert task.ended.wait(60)
    assert task.answer == (True, "answer")


@pytest.mark.skipif(os.name != "posix", reason="Ctrl-C reaches a group of processes on POSIX")
@pytest.mark.parametrize("told", ["making", "taking pictures"])
def test_ctrl_c_ends_a_build_and_its_helpers_without_a_word(told: str, tmp_path: Path) -> None:
    small, meshes = small_map(tmp_path / "small.forge"), tmp_path / "meshes"
    run = subprocess.Popen(
        [sys.executable, "-c", IMPATIENT, "build", small, "-o", tmp_path / "out"],
        env={**os.environ, cache.FOLDER: str(meshes), pool.HELPERS: "1"},
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
        text=True,
    )
    assert run.stderr is not None
    heard = next(line for line in run.stderr if line.startswith(told))
    os.killpg(run.pid, signal.SIGINT)
    _, rest = run.communicate(timeout=60)
    # Python ends by the signal itself where it was making a class out of text just then.
    assert run.returncode in (130, -signal.SIGINT), heard + rest
    assert "Traceback" not in rest
    assert rest.splitlines()[-1] == "stopped; nothing was left half done"
    assert {path.name for path in tmp_path.iterdir()} <= {"small.forge", "meshes"}


def test_a_library_gives_nothing_away() -> None:
    assert pool.begin(partial(_who, 1)).result() == (1, os.getpid())


LEADER = """
import sys, time
from functools import partial
from falldamage_forge import pool
from tests.cli.test_pool import _slow
pool.open_pool()
tasks = [pool.begin(partial(_slow, float(sys.argv[1]), b"x" * int(sys.argv[2]))) for _ in range(4)]
print("begun", flush=True)
time.sleep(60)
"""


def _slow(seconds: float, load: bytes) -> bytes:
    time.sleep(seconds)
    return load


@pytest.mark.skipif(os.name != "posix", reason="kills by signal")
@pytest.mark.parametrize("wait_s", [0.0, 0.05, 0.3, 1.0])
@pytest.mark.parametrize("size", [10, 3_000_000])
def test_helpers_of_a_killed_process_end_without_a_word(wait_s: float, size: int) -> None:
    words = [sys.executable, "-c", LEADER, "0.2", str(size)]
    env = {**os.environ, pool.HELPERS: "2", "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        words, cwd=ROOT, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as leader:
        assert leader.stdout is not None
        assert leader.stdout.readline() == "begun\n"
        time.sleep(wait_s)
        leader.kill()
        _, told = leader.communicate(timeout=60)  # ends when the last helper has closed it
    assert told == ""

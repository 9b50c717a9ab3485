"""Work shared with other processes: the same files, whoever helps and whatever befalls them."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from itertools import product
from pathlib import Path
from threading import Timer

import pytest

from falldamage_forge.infra import disk_cache, process_pool
from falldamage_forge.infra.interrupts import interrupts_deferred
from tests.amount import EXHAUSTIVE, some
from tests.cli.running import ROOT, fdforge, small_map, tree
from tests.patience import PATIENCE_S, SILENCE_S, at_most

IMPATIENT = """
import signal
from falldamage_forge.cli import main, progress_bar
signal.signal(signal.SIGINT, signal.default_int_handler)
progress_bar.PATIENCE_S = 0.0
main()
"""
"""A command that tells in a log of all that it does, and hears Ctrl-C whoever started the tests."""


@pytest.fixture
def helpers(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv(process_pool.HELPERS, "1")
    process_pool.open_pool()
    with at_most(PATIENCE_S, process_pool.close_pool):
        yield
    process_pool.close_pool()


def test_a_build_with_helpers_writes_the_same_bytes(tmp_path: Path) -> None:
    """By default plain meshes and plates; with FORGE_EXHAUSTIVE relief and pictures, too."""
    less = () if EXHAUSTIVE else ("--no-pictures", "--style", "plain")
    small = small_map(tmp_path / "small.forge")
    nothing_kept = {disk_cache.FOLDER: str(tmp_path / "meshes")}
    for name, env in (
        ("alone", {process_pool.HELPERS: "0"}),
        ("helped", {process_pool.HELPERS: "2"} | nothing_kept),
    ):
        run = fdforge("build", small, *less, "-o", tmp_path / name, **env)
        assert run.returncode == 0, run.stderr
    assert tree(tmp_path / "alone") == tree(tmp_path / "helped")


def _who(number: int) -> tuple[int, int]:
    return number, os.getpid()


def test_a_pool_that_closes_drops_nothing_that_someone_waits_for() -> None:
    pool = process_pool.Pool(0)
    task = pool.begin(partial(_who, 3))
    pool.close()
    assert task.ended.is_set(), "whoever waits for it waits for ever"
    assert task.result() == (3, os.getpid())


def test_results_keep_their_order_and_others_do_help(helpers: None) -> None:
    tasks = [process_pool.submit(partial(_who, number)) for number in range(6)]
    assert tasks[0].ended.wait(180), "nobody helps"
    first = tasks[0].result()
    found = [first, *(task.result() for task in tasks[1:])]
    assert [number for number, _ in found] == list(range(6))
    assert first[1] != os.getpid()


def test_what_is_queued_first_is_made_before_all_that_waits() -> None:
    """A pool without workers takes its calls in the order of the queue once it has one."""
    pool, made = process_pool.Pool(0), list[int]()
    waiting = [pool.begin(partial(made.append, number)) for number in range(3)]
    urgent = pool.begin(partial(made.append, 9), first=True)
    assert list(pool.waiting) == [urgent, *waiting]
    assert not urgent.has_ended
    urgent.result()
    assert urgent.has_ended and made == [9]
    pool.close()


def _die_elsewhere(here: int) -> str:
    if os.getpid() != here:
        os._exit(9)
    return "done"


def test_call_of_a_killed_worker_is_repeated(helpers: None) -> None:
    tasks = [process_pool.submit(partial(_die_elsewhere, os.getpid())) for _ in range(5)]
    assert tasks[0].ended.wait(60)
    assert [task.result() for task in reversed(tasks)] == ["done"] * 5
    assert process_pool.submit(partial(_die_elsewhere, os.getpid())).result() == "done"


def _refuse() -> None:
    raise ValueError("no")


def test_errors_come_back(helpers: None) -> None:
    task = process_pool.submit(_refuse)
    assert task.ended.wait(60)
    with pytest.raises(ValueError, match="no"):
        task.result()


def _chatty() -> str:
    print("not an answer")
    return "answer"


def test_output_of_a_worker_is_not_taken_as_its_answer(helpers: None) -> None:
    task = process_pool.submit(_chatty)
    assert task.ended.wait(60)
    assert task.answer == (True, "answer")


def _count(most: int, tell: process_pool.Tell) -> str:
    for number in range(most):
        tell(number)
    if most > 2:
        raise FileNotFoundError(f"{most}")
    return "counted"


@pytest.fixture
def helper() -> Iterator[process_pool.Helper]:
    helper = process_pool.Helper()
    with at_most(SILENCE_S, helper.close):
        yield helper
    helper.close()


def test_worker_answers_calls_in_turn(helper: process_pool.Helper) -> None:
    """Whatever ends a call, the next one gets its own answers and nobody else's."""
    for most in (2, 0, 3, 1):
        told = helper.follow(partial(_count, most))
        assert [next(told) for _ in range(most)] == [*range(most)]
        with pytest.raises(FileNotFoundError if most > 2 else StopIteration):
            next(told)
        assert helper.ask(partial(_who, most))[0] == most
        with pytest.raises(ValueError, match="no"):
            helper.ask(_refuse)


@pytest.mark.parametrize("how", ["closed", "dies"])
def test_caller_of_a_worker_that_ends_gets_an_exception(
    helper: process_pool.Helper, how: str
) -> None:
    told = helper.follow(partial(_tell_and_sleep, how == "dies"))
    assert next(told) == "here"
    if how == "closed":
        Timer(0.1, helper.close).start()
    with pytest.raises(process_pool.Gone):
        next(told)
    with pytest.raises(process_pool.Gone):
        helper.ask(partial(_who, 1))
    assert not helper.alive


def _tell_and_sleep(dies: bool, tell: process_pool.Tell) -> None:
    tell("here")
    if dies:
        os._exit(9)
    time.sleep(60)


def test_what_is_called_first_answers_nothing() -> None:
    helper = process_pool.Helper(partial(os.putenv, "FIRST", "called"))
    try:
        assert helper.ask(partial(subprocess.getoutput, "echo $FIRST")) == "called"
    finally:
        helper.close()


@pytest.mark.parametrize("helpers", [0, 1, 2])
def test_parallel_map_keeps_its_order_if_a_worker_dies(helpers: int) -> None:
    own = process_pool.Pool(helpers)
    try:
        calls = [partial(_die_now_and_then, number, os.getpid()) for number in range(12)]
        assert list(own.map(calls)) == list(range(12))
    finally:
        own.close()


def _die_now_and_then(number: int, here: int) -> int:
    if number % 3 == 0:
        _die_elsewhere(here)
    return number


def test_ctrl_c_waits_for_the_end_of_a_deferring_block() -> None:
    own = signal.signal(signal.SIGINT, signal.default_int_handler)
    steps = []

    def block() -> None:
        with interrupts_deferred():
            signal.raise_signal(signal.SIGINT)
            steps.append("whole")

    try:
        with pytest.raises(KeyboardInterrupt):
            block()
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, own)
    assert steps == ["whole"]


@pytest.mark.skipif(os.name != "posix", reason="Ctrl-C reaches a group of processes on POSIX")
@pytest.mark.parametrize("told", ["building", "taking pictures"])
def test_ctrl_c_ends_a_build_and_its_helpers_without_a_word(told: str, tmp_path: Path) -> None:
    small, meshes = small_map(tmp_path / "small.forge"), tmp_path / "meshes"
    run = subprocess.Popen(
        [sys.executable, "-c", IMPATIENT, "build", small, "-o", tmp_path / "out"],
        env={**os.environ, disk_cache.FOLDER: str(meshes), process_pool.HELPERS: "1"},
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
        text=True,
    )
    assert run.stderr is not None
    with at_most(SILENCE_S, partial(os.killpg, run.pid, signal.SIGKILL)):
        heard = next(line for line in run.stderr if line.startswith(told))
        os.killpg(run.pid, signal.SIGINT)
        _, rest = run.communicate()
    # Python ends by the signal itself where it was making a class out of text just then.
    assert run.returncode in (130, -signal.SIGINT), heard + rest
    assert "Traceback" not in rest
    assert rest.splitlines()[-1] == "stopped; no file was left incomplete"
    assert {path.name for path in tmp_path.iterdir()} <= {"small.forge", "meshes"}


def test_a_library_gives_nothing_away() -> None:
    assert process_pool.submit(partial(_who, 1)).result() == (1, os.getpid())


LEADER = """
import sys, time
from functools import partial
from falldamage_forge.infra import process_pool
from tests.cli.test_pool import _slow
if sys.argv[3] == "new":
    process_pool.can_be_copied = lambda: False
process_pool.open_pool()
work = partial(_slow, float(sys.argv[1]), b"x" * int(sys.argv[2]))
tasks = [process_pool.submit(work) for _ in range(4)]
print("begun", flush=True)
time.sleep(60)
"""


def _slow(seconds: float, load: bytes) -> bytes:
    time.sleep(seconds)
    return load


KILLS = [*product((10, 3_000_000), (0.0, 0.05, 0.3, 1.0))]
"""How large an answer is under way, and when its process is killed."""


@pytest.mark.skipif(os.name != "posix", reason="kills by signal")
@pytest.mark.parametrize("kind", ["copies", "new"])
@pytest.mark.parametrize(("size", "wait_s"), some(KILLS, 4))
def test_helpers_of_a_killed_process_end_without_a_word(
    size: int, wait_s: float, kind: str
) -> None:
    words = [sys.executable, "-c", LEADER, "0.2", str(size), kind]
    env = {**os.environ, process_pool.HELPERS: "2", "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        words, cwd=ROOT, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as leader:
        assert leader.stdout is not None
        with at_most(SILENCE_S, leader.kill):
            assert leader.stdout.readline() == "begun\n"
        time.sleep(wait_s)
        leader.kill()
        _, told = leader.communicate(timeout=60)  # ends when the last helper has closed it
    assert told == ""

"""A copied process goes on with its task alone: it has what its original had, and ends with it."""

import os
import signal
import sys
import time
from collections.abc import Iterator
from typing import BinaryIO

import pytest

from falldamage_forge.infra import process_pool
from falldamage_forge.infra.copied_process import CopiedProcess
from tests.cli.running import python
from tests.patience import PATIENCE_S, at_most

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="copies are made by fork")

MARKS: list[str] = []
"""What this process knows and a new one does not."""


def _echo(inputs: BinaryIO, outputs: BinaryIO) -> None:
    print("not an answer", flush=True)
    for line in inputs:
        outputs.write(b"heard " + line + repr(MARKS).encode() + b"\n")
        outputs.flush()


@pytest.fixture
def copy() -> Iterator[CopiedProcess]:
    MARKS[:] = ["here"]
    copy = CopiedProcess(_echo)
    MARKS[:] = []
    with at_most(PATIENCE_S, copy.kill):
        yield copy
    copy.kill()
    copy.wait()


def ask(copy: CopiedProcess, word: bytes) -> list[bytes]:
    copy.stdin.write(word + b"\n")
    copy.stdin.flush()
    return [copy.stdout.readline(), copy.stdout.readline()]


def test_copy_knows_what_was_known_and_answers_alone(copy: CopiedProcess) -> None:
    assert ask(copy, b"one") == [b"heard one\n", b"['here']\n"]
    assert copy.poll() is None


def test_copy_ends_with_its_input(copy: CopiedProcess) -> None:
    copy.stdin.close()
    assert copy.stdout.read() == b""
    assert copy.wait() == 0


def test_copy_is_killed_and_its_end_is_known_from_then_on(copy: CopiedProcess) -> None:
    copy.kill()
    assert copy.wait() == copy.wait() == copy.poll() == signal.SIGKILL
    copy.kill()


def test_copy_is_out_of_reach_of_ctrl_c(copy: CopiedProcess) -> None:
    ask(copy, b"it stands")
    assert os.getpgid(copy.pid) == copy.pid
    os.kill(copy.pid, signal.SIGINT)
    assert ask(copy, b"two")[0] == b"heard two\n"


def _fail(_inputs: BinaryIO, _outputs: BinaryIO) -> None:
    raise ValueError("no")


def test_failed_task_ends_the_copy_and_nothing_else_of_its_original() -> None:
    steps = []
    try:
        copy = CopiedProcess(_fail)
        steps.append(os.getpid())
    finally:
        if steps != [os.getpid()]:
            os._exit(9)  # a copy that went on with this test
    assert copy.stdout.read() == b""
    copy.wait()


@pytest.mark.skipif(sys.platform != "linux", reason="Linux lists the threads of a process")
def test_process_with_a_thread_of_its_own_making_is_not_copied() -> None:
    """Threads that Python does not know of are those of native libraries."""
    code = """
import _thread, threading
from falldamage_forge.infra.copied_process import can_be_copied
end, begun = threading.Event(), threading.Lock()
print(can_be_copied())
threading.Thread(target=end.wait, daemon=True).start()
print(can_be_copied())
begun.acquire()
_thread.start_new_thread(lambda: (begun.release(), end.wait()), ())
begun.acquire()
print(can_be_copied())
"""
    assert python("-c", code).split() == ["True", "True", "False"]


COMMAND = """
import os
from functools import partial
from falldamage_forge.infra import process_pool
from tests.cli import test_copied_process as here
process_pool.open_pool()
process_pool.warm_up("json.tool")
here.MARKS[:] = ["before"]
tasks = [process_pool.submit(partial(here.known, n)) for n in range(6)]
assert all(task.ended.wait(60) for task in tasks), "nobody helps"
here.MARKS[:] = ["after"]
print(sorted({(len({task.result()[0] for task in tasks} - {os.getpid()}), *task.result()[1:])
              for task in tasks}))
process_pool.close_pool()
print(process_pool.submit(partial(here.known, 0)).result()[1:])
"""


def known(number: int) -> tuple[int, str, int]:
    """Return the process, what it knows, and how many workers it would give work to."""
    time.sleep(0.05 * (number % 2))
    pool = process_pool._pool
    return os.getpid(), MARKS[0], 0 if pool is None else len(pool.threads)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere workers are new processes")
def test_workers_of_a_command_have_what_it_has() -> None:
    told = python("-c", COMMAND, **{process_pool.HELPERS: "2"})
    assert told.splitlines() == ["[(2, 'before', 0)]", "('after', 0)"]

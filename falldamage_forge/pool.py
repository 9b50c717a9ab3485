"""Work given to the machine's other processors: the same results, sooner.

A helper is a process that is handed calls on its standard input and answers on its output. It never
hears of Ctrl-C, which would have it say so: whoever is helped ends it, and it ends by itself when
its input does. (An executor of `concurrent.futures` does hear, and prints tracebacks of its own
when it breaks while work that was taken back is waiting.)

Nothing is given away before `open_pool`, which only a program's own start may call.
"""

from __future__ import annotations

import os
import pickle
import sys
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib import import_module
from threading import Condition, Event, Thread
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from falldamage_forge import cache

if TYPE_CHECKING:
    from subprocess import Popen

HELPERS = "FDFORGE_HELPERS"
"""Environment variable: how many processes help; 0 for none."""
MOST = 7
LONGEST_S = 2.0
"""At the end a helper that is just starting is waited for so long."""
R = TypeVar("R")
_BOOT = (
    "import os, pickle, sys\n"
    "try: sys.path[:], kept = pickle.load(sys.stdin.buffer)\n"
    "except Exception: pass\n"
    "else:\n"
    "    from falldamage_forge.pool import serve; serve(kept)"
)


class _Pool:
    """Calls that wait, and a thread for each helper, which hands them over one by one."""

    def __init__(self, helpers: int) -> None:
        self.wanted = helpers
        self.waiting: deque[Task[Any]] = deque()
        self.processes: list[Popen[bytes]] = []
        self.threads: list[Thread] = []
        self.turn = Condition()
        self.open = True

    def give(self, task: Task[Any]) -> None:
        with self.turn:
            self.waiting.append(task)
            self.turn.notify()
            if self.wanted:
                self.wanted -= 1
                self.threads.append(Thread(target=self._help, daemon=True))
                self.threads[-1].start()

    def take_back(self, task: Task[Any]) -> bool:
        """Whether nobody has begun it, and now nobody else will."""
        with self.turn:
            if task not in self.waiting:
                return False
            self.waiting.remove(task)
            return True

    def close(self) -> None:
        with self.turn:
            self.open = False
            self.waiting.clear()
            self.turn.notify_all()
            for process in self.processes:
                process.kill()
        for thread in self.threads:
            thread.join(LONGEST_S)

    def _help(self) -> None:
        try:
            with _started() as process:
                self.processes.append(process)
                while (task := self._next()) is not None:
                    _hand_over(task, process)
        except Exception:  # it could not start, or was killed: what it had is made here
            return

    def _next(self) -> Task[Any] | None:
        with self.turn:
            self.turn.wait_for(lambda: self.waiting or not self.open)
            return self.waiting.popleft() if self.open else None


class Task(Generic[R]):
    """A call that somebody else may be making."""

    def __init__(self, call: Callable[[], R], pool: _Pool | None = None) -> None:
        self.call, self.pool = call, pool
        self.ended = Event()
        self.answer: tuple[bool, Any] | None = None

    def result(self) -> R:
        """What the call returns or raises; made here if nobody has begun it, or could end it."""
        if self.pool is None or self.pool.take_back(self):
            return self.call()
        while not self.ended.wait(0.5):  # a longer wait cannot be stopped on Windows
            pass
        if self.answer is None:
            return self.call()
        well, found = self.answer
        if not well:
            raise found
        value: R = found
        return value


_pool: _Pool | None = None


def open_pool() -> None:
    """Let work be given away from now on, to a process for each processor but this one's."""
    global _pool  # noqa: PLW0603
    told = os.environ.get(HELPERS, "")
    helpers = min(int(told) if told.isdecimal() else _processors() - 1, MOST)
    _pool = _Pool(helpers) if helpers > 0 else None


def close_pool() -> None:
    """Drop what is waiting, end the helpers, and give nothing away any more."""
    global _pool  # noqa: PLW0603
    if _pool is not None:
        _pool.close()
        _pool = None


def begin(call: Callable[[], R]) -> Task[R]:
    """A call to be made by another process while this one goes on; `call` has to be picklable.

    Ask for the results from the last to the first: others begin at the first.
    """
    task = Task(call, _pool)
    if _pool is not None:
        _pool.give(task)
    return task


def wake(module: str) -> None:
    """Let a helper start and import a module, while this process gets its work ready."""
    begin(partial(import_module, module))


def _started() -> Popen[bytes]:
    from subprocess import PIPE, Popen

    away: dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        from subprocess import CREATE_NEW_PROCESS_GROUP

        away = {"creationflags": CREATE_NEW_PROCESS_GROUP}
    process = Popen([sys.executable, "-c", _BOOT], stdin=PIPE, stdout=PIPE, **away)
    _write(process, (sys.path, cache.is_on()))
    return process


def _write(process: Popen[bytes], value: object) -> None:
    assert process.stdin is not None
    process.stdin.write(pickle.dumps(value))
    process.stdin.flush()


def _hand_over(task: Task[Any], process: Popen[bytes]) -> None:
    assert process.stdout is not None
    try:
        _write(process, task.call)
        task.answer = pickle.load(process.stdout)
    finally:
        task.ended.set()


def serve(kept: bool) -> None:
    """A helper's life: make calls that come on standard input until there are no more.

    It ends without a word when the process that it helps was killed in the middle of a call.
    """
    if not kept:
        cache.switch_off()
    # What is printed by accident must not get between the answers.
    with suppress(EOFError, OSError, pickle.UnpicklingError), os.fdopen(os.dup(1), "wb") as answers:
        os.dup2(2, 1)
        while True:
            call = pickle.load(sys.stdin.buffer)
            answers.write(_answer(call))
            answers.flush()


def _answer(call: Callable[[], object]) -> bytes:
    try:
        return pickle.dumps((True, call()))
    except Exception as error:
        return pickle.dumps((False, error))


def _processors() -> int:
    if sys.platform == "emscripten" or getattr(sys, "frozen", False):
        return 1
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not told on macOS and Windows
        return os.cpu_count() or 1

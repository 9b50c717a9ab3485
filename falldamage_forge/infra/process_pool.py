"""Process pool: run picklable calls in parallel; results do not depend on it.

A worker is a process that reads calls on its standard input and writes results to its output. It
ignores Ctrl-C: its owner ends it, and it ends when its input closes. (Workers of
`concurrent.futures` receive Ctrl-C, and print tracebacks if they break while cancelled work waits.)
The workers of a command are copies of its process where that is safe: they need not import again
what it has.

Three entry points: `submit` for the calls of a command (before `open_pool`, which only a program's
start may call, they run here), a `Pool` of n workers for searches and games, and a `Helper` for the
studio, which kills work that is no longer wanted.
"""

from __future__ import annotations

import os
import pickle
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from importlib import import_module
from threading import Condition, Event, Thread
from typing import Any, BinaryIO, Generic, TypeVar

from falldamage_forge.infra import disk_cache
from falldamage_forge.infra.copied_process import CopiedProcess, can_be_copied

HELPERS = "FDFORGE_HELPERS"
"""Environment variable: number of workers; 0 for none."""
MOST = 7
RETRIES = 4
"""Number of workers started in a row in place of one that died."""
LONGEST_S = 2.0
"""Seconds to wait at exit for a worker that is still starting."""
ENDED = (EOFError, OSError, pickle.UnpicklingError)
"""How a worker learns, in the middle of a call too, that whom it works for has ended."""
R = TypeVar("R")
Tell = Callable[[Any], None]
_BOOT = (
    "import os, pickle, sys\n"
    "try: sys.path[:], kept = pickle.load(sys.stdin.buffer)\n"
    "except Exception: pass\n"
    "else:\n"
    "    from falldamage_forge.infra.process_pool import serve_new; serve_new(kept)"
)


def away() -> dict[str, Any]:
    """Return arguments of `Popen` for a process that Ctrl-C in the terminal does not reach."""
    if sys.platform == "win32":
        from subprocess import CREATE_NEW_PROCESS_GROUP

        return {"creationflags": CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True}


class Gone(Exception):
    """The worker process ended before it answered."""


class Helper:
    """A worker process that runs calls one after the other until it is closed."""

    def __init__(self, first: Callable[[], object] | None = None, *, copy: bool = False) -> None:
        """Start the process.

        Args:
            first: A call that the process runs before all others; its result is dropped.
            copy: True for a copy of this process, which `can_be_copied`.
        """
        from subprocess import PIPE, Popen

        self._process: Popen[bytes] | CopiedProcess
        if copy:
            self._process = CopiedProcess(_serve_as_copy)
        else:
            self._process = Popen([sys.executable, "-c", _BOOT], stdin=PIPE, stdout=PIPE, **away())
        with suppress(Gone):
            if not copy:
                self._write((sys.path, disk_cache.is_enabled()))
            self._write(first)

    @property
    def alive(self) -> bool:
        """True if the process has not ended."""
        return self._process.poll() is None

    def kill(self) -> None:
        """Kill the process without waiting for its end."""
        self._process.kill()

    def ask(self, call: Callable[[], R]) -> R:
        """Run a call in the process and return its result.

        Args:
            call: Picklable, as its result must be.

        Raises:
            Gone: The process ended before it answered.
            Exception: The exception that the call raised.
        """
        self._write((call, False))
        value: R = self._read()[1]
        return value

    def follow(self, call: Callable[[Tell], object]) -> Iterator[Any]:
        """Run a call in the process and yield the values that it reports; raises as `ask`.

        Args:
            call: Picklable; its argument is the function to report a value with.
        """
        self._write((call, True))
        return self._told()

    def close(self) -> None:
        """Kill the process; callers that wait for a result get `Gone`."""
        self._process.kill()
        self._process.wait()

    def _write(self, value: object) -> None:
        assert self._process.stdin is not None
        data = pickle.dumps(value)
        try:
            self._process.stdin.write(data)
            self._process.stdin.flush()
        except (OSError, ValueError):
            self.close()  # its end may be seen before it has ended
            raise Gone from None

    def _told(self) -> Iterator[Any]:
        while (answer := self._read())[0] == "told":
            yield answer[1]

    def _read(self) -> tuple[str, Any]:
        """Return the next reported value or the result of the call, or raise its exception."""
        assert self._process.stdout is not None
        try:
            what, value = pickle.load(self._process.stdout)
        except (EOFError, OSError, ValueError, pickle.UnpicklingError):
            self.close()
            raise Gone from None
        if what == "failed":
            raise value
        return what, value


class Pool:
    """A queue of calls, with a thread for each worker that passes them on."""

    def __init__(self, helpers: int, *, copies: bool = False) -> None:
        """Start with an empty queue and no worker; the first calls start them.

        Args:
            helpers: Number of workers.
            copies: True if this process is a command, of which workers may be copies.
        """
        self.wanted, self.copies = helpers, copies
        self.waiting: deque[PoolFuture[Any]] = deque()
        self.helpers: list[Helper] = []
        self.threads: list[Thread] = []
        self.turn = Condition()
        self.open = True

    def begin(self, call: Callable[[], R], *, first: bool = False) -> PoolFuture[R]:
        """Queue a picklable call and return its future.

        Args:
            call: The call.
            first: True to queue it before all others.
        """
        task = PoolFuture(call, self)
        with self.turn:
            if first:
                self.waiting.appendleft(task)
            else:
                self.waiting.append(task)
            self.turn.notify()
            self.start_copies()
            if self.wanted:
                self.wanted -= 1
                self._pass_to([None])
        return task

    def _pass_to(self, helpers: Iterable[Helper | None]) -> None:
        """Start a thread for each worker; None is one that its thread starts."""
        for helper in helpers:
            thread = Thread(target=self._help, args=(helper,), daemon=True)
            thread.start()
            self.threads.append(thread)  # last: Ctrl-C before its start must not find it

    def map(self, calls: Iterable[Callable[[], R]]) -> Iterator[R]:
        """Yield the results of picklable calls in order; this process takes waiting calls, too."""
        tasks = [self.begin(call) for call in calls]
        last = len(tasks) - 1
        for number, task in enumerate(tasks):
            while last > number and not task.ended.is_set():
                tasks[last].make_if_waiting()
                last -= 1
            yield task.result()

    def start_copies(self) -> None:
        """Start the workers as copies where that is safe; else the first calls start them."""
        with self.turn:
            if self.copies and not self.threads and can_be_copied():
                with suppress(OSError):
                    self._pass_to([Helper(copy=True) for _ in range(self.wanted)])
                    self.wanted = 0

    def take_back(self, task: PoolFuture[Any]) -> bool:
        """Remove a call from the queue; True if no worker had started it."""
        with self.turn:
            if task not in self.waiting:
                return False
            self.waiting.remove(task)
            return True

    def close(self) -> None:
        """Drop the queue and end the workers."""
        with self.turn:
            self.open = False
            for task in self.waiting:
                task.ended.set()  # who waits for it makes it itself
            self.waiting.clear()
            self.turn.notify_all()
            for helper in self.helpers:
                helper.close()
        for thread in self.threads:
            thread.join(LONGEST_S)

    def _help(self, helper: Helper | None) -> None:
        for _ in range(RETRIES):
            with self.turn:
                try:
                    helper = helper or Helper()
                except OSError:  # it cannot start: what it would have done is made here
                    return
                if not self.open:
                    helper.close()
                    return
                self.helpers.append(helper)
            with suppress(Gone):
                while (task := self._next()) is not None:
                    task.make_by(helper)
                return
            helper = None

    def _next(self) -> PoolFuture[Any] | None:
        with self.turn:
            self.turn.wait_for(lambda: self.waiting or not self.open)
            return self.waiting.popleft() if self.open else None


class PoolFuture(Generic[R]):
    """The result of a call that a worker may be running."""

    def __init__(self, call: Callable[[], R], pool: Pool | None = None) -> None:
        self.call, self.pool = call, pool
        self.ended = Event()
        self.answer: tuple[bool, Any] | None = None

    def result(self) -> R:
        """Return the call's result or raise its exception; run it here if no worker finished it.

        It is run once, however often its result is asked for.
        """
        if not self.ended.is_set():
            self.make_if_waiting()
        while not self.ended.wait(0.5):  # a longer wait cannot be stopped on Windows
            pass
        if self.answer is None:
            self._make()
        assert self.answer is not None
        well, found = self.answer
        if not well:
            raise found
        value: R = found
        return value

    @property
    def has_ended(self) -> bool:
        """True if `result` waits for nothing."""
        return self.answer is not None

    def make_if_waiting(self) -> None:
        """Run the call here unless a worker has started it."""
        if self.pool is None or self.pool.take_back(self):
            self._make()
            self.ended.set()

    def _make(self) -> None:
        try:
            self.answer = True, self.call()
        except Exception as error:
            self.answer = False, error

    def make_by(self, helper: Helper) -> None:
        """Run the call in a worker; if that ends first, `result` runs it here."""
        try:
            self.answer = True, helper.ask(self.call)
        except Gone:
            raise
        except Exception as error:
            self.answer = False, error
        finally:
            self.ended.set()


_pool: Pool | None = None


def open_pool() -> None:
    """Start to distribute submitted calls, with a worker for each processor but one."""
    global _pool  # noqa: PLW0603
    setting = os.environ.get(HELPERS, "")
    helpers = min(int(setting) if setting.isdecimal() else _processors() - 1, MOST)
    _pool = Pool(helpers, copies=True) if helpers > 0 else None


def close_pool() -> None:
    """Drop the queue and end the workers; later calls run in this process."""
    global _pool  # noqa: PLW0603
    if _pool is not None:
        _pool.close()
        _pool = None


def kill_pool() -> None:
    """Kill the workers of a process that is about to end at once; waits for nothing."""
    for helper in () if _pool is None else tuple(_pool.helpers):
        helper.kill()


def submit(call: Callable[[], R], *, first: bool = False) -> PoolFuture[R]:
    """Queue a picklable call for another process and return its future.

    Ask for the results from the last to the first: workers start with the first.

    Args:
        call: The call.
        first: True to queue it before all others.
    """
    return PoolFuture(call) if _pool is None else _pool.begin(call, first=first)


def copy_workers(*modules: str) -> None:
    """Start the workers now if they will be copies: a native library may soon make threads.

    From here on this process and they keep the memory of freed arrays.

    Args:
        modules: Names of modules that their calls and this process need, imported before.
    """
    if _pool is not None and can_be_copied():
        from falldamage_forge.infra.freed_memory import keep_freed_memory

        keep_freed_memory()
        for name in modules:
            import_module(name)
        _pool.start_copies()


def warm_up(module: str) -> None:
    """Start a worker that imports `module`, unless workers will be copies that have it."""
    if not can_be_copied():
        submit(partial(import_module, module))


def serve_new(kept: bool) -> None:
    """Run the calls of standard input in a new process, and write their answers to its output.

    Args:
        kept: False disables the disk cache in the worker.
    """
    if not kept:
        disk_cache.disable()
    with suppress(*ENDED), os.fdopen(os.dup(1), "wb") as answers:
        os.dup2(2, 1)  # what is printed by accident must not get between the answers
        _serve(sys.stdin.buffer, answers)


def _serve_as_copy(calls: BinaryIO, answers: BinaryIO) -> None:
    """Run calls in a copy of a process: the workers of that are not the copy's."""
    global _pool  # noqa: PLW0603
    _pool = None
    with suppress(*ENDED):
        _serve(calls, answers)


def _serve(calls: BinaryIO, answers: BinaryIO) -> None:
    """Run calls until they end (the main loop of a worker).

    Args:
        calls: Pickled calls.
        answers: Takes what they report and return.

    Raises:
        EOFError, OSError, UnpicklingError: `ENDED`: there is no one to work for.
    """
    if (first := pickle.load(calls)) is not None:
        first()

    def write(answer: bytes) -> None:
        answers.write(answer)
        answers.flush()

    def tell(value: object) -> None:
        write(pickle.dumps(("told", value)))

    while True:
        call, tells = pickle.load(calls)
        try:
            answer = pickle.dumps(("returned", call(tell) if tells else call()))
        except Exception as error:
            answer = pickle.dumps(("failed", error))
        write(answer)


def _processors() -> int:
    if sys.platform == "emscripten" or getattr(sys, "frozen", False):
        return 1
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not told on macOS and Windows
        return os.cpu_count() or 1

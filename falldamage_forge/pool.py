"""Work given to the machine's other processors: the same results, sooner.

Nothing is given away before `open_pool`, which only a program's own start may call: a new process
imports the program that began it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Generic, TypeVar

from falldamage_forge import cache

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

HELPERS = "FDFORGE_HELPERS"
"""Environment variable: how many processes help; 0 for none."""
MOST = 7
R = TypeVar("R")

_helpers = 0
_pool: ProcessPoolExecutor | None = None


def open_pool() -> None:
    """Let work be given away from now on, to a process for each processor but this one's."""
    global _helpers  # noqa: PLW0603
    told = os.environ.get(HELPERS, "")
    _helpers = min(int(told) if told.isdecimal() else _processors() - 1, MOST)


def close_pool() -> None:
    """Drop what is waiting and give nothing away any more."""
    global _helpers, _pool  # noqa: PLW0603
    _helpers = 0
    if _pool is not None:
        _pool.shutdown(wait=False, cancel_futures=True)
        _pool = None


class Task(Generic[R]):
    """A call that somebody else may be making."""

    def __init__(self, call: Callable[[], R], given: Future[R] | None = None) -> None:
        self.call, self.given = call, given

    def result(self) -> R:
        """What the call returns or raises; made here if nobody has begun it."""
        if self.given is None or self.given.cancel():
            return self.call()
        from concurrent.futures.process import BrokenProcessPool

        try:
            return self.given.result()
        except BrokenProcessPool:  # its process was killed: of memory, as a rule
            return self.call()


def begin(call: Callable[[], R]) -> Task[R]:
    """A call to be made by another process while this one goes on; `call` has to be picklable.

    Ask for the results from the last to the first: others begin at the first.
    """
    if not _helpers:
        return Task(call)
    from concurrent.futures.process import BrokenProcessPool

    try:
        return Task(call, _opened().submit(call))
    except (OSError, BrokenProcessPool):
        close_pool()
        return Task(call)


def wake(module: str) -> None:
    """Let a helper start and import a module, while this process gets its work ready."""
    begin(partial(import_module, module))


def _opened() -> ProcessPoolExecutor:
    global _pool  # noqa: PLW0603
    if _pool is None:
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import get_context

        fresh = get_context("spawn")
        _pool = ProcessPoolExecutor(_helpers, fresh, initializer=_start, initargs=(cache.is_on(),))
    return _pool


def _start(cached: bool) -> None:
    import signal
    from threading import Thread

    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends a helper without a word
    Thread(target=_end_with_parent, daemon=True).start()
    if not cached:
        cache.switch_off()


def _end_with_parent() -> None:
    """A helper whose parent was killed would wait for work for ever."""
    from multiprocessing import parent_process

    if parent := parent_process():
        parent.join()
        os._exit(1)


def _processors() -> int:
    if sys.platform == "emscripten":
        return 1
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not told on macOS and Windows
        return os.cpu_count() or 1

"""Ctrl-C at safe moments, and soon.

Native libraries that are loading crash or swallow Ctrl-C, so it is deferred meanwhile. Native code
that computes for seconds keeps Python from hearing it; then a thread ends the process.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def interrupts_deferred() -> Iterator[None]:
    """Defer Ctrl-C to the end of a block; only Python's own handler in the main thread is deferred.

    Raises:
        KeyboardInterrupt: At the end of the block, if Ctrl-C was pressed in it.
    """
    own = signal.getsignal(signal.SIGINT)
    here = threading.current_thread() is threading.main_thread()
    if not here or own not in (signal.default_int_handler, _hear):
        yield
        return
    pressed: list[int] = []

    def note(number: int, _frame: FrameType | None) -> None:
        pressed.append(number)

    signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, own)
    if pressed:
        _heard.set()
        raise KeyboardInterrupt


GRACE_S = 0.35
"""Seconds that native code may take after Ctrl-C before the process is ended."""
_heard = threading.Event()
_give_up: Callable[[], object] | None = None


def own_process(give_up: Callable[[], object]) -> None:
    """Let `answer_soon` end this process: its command is all that it does.

    Args:
        give_up: Ends the process at once; a thread calls it.
    """
    global _give_up  # noqa: PLW0603
    _give_up = give_up


def answer_soon() -> None:
    """Answer Ctrl-C within half a second from now on, also while native code runs.

    Nothing changes in a process that `own_process` does not name, or whose Ctrl-C other code
    hears, such as a server. Call it before long work.
    """
    here = threading.current_thread() is threading.main_thread()
    usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if _give_up is None or os.name != "posix" or not here or not usual:
        return
    signal.signal(signal.SIGINT, _hear)
    read, write = os.pipe()
    os.set_blocking(write, False)
    signal.set_wakeup_fd(write, warn_on_full_buffer=False)
    threading.Thread(target=_watch, args=(read, _give_up), daemon=True).start()


def _hear(_number: int, _frame: FrameType | None) -> None:
    _heard.set()
    raise KeyboardInterrupt


def _watch(pipe: int, give_up: Callable[[], object]) -> None:
    """End the process if Python does not hear Ctrl-C soon after the system reports it."""
    while signals := os.read(pipe, 1):
        if signals[0] == signal.SIGINT and not _heard.wait(GRACE_S):
            give_up()

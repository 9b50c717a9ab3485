"""Ctrl-C at safe moments: native libraries that are loading crash or swallow it."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def interrupts_deferred() -> Iterator[None]:
    """Defer Ctrl-C to the end of a block; only Python's own handler in the main thread is deferred.

    Raises:
        KeyboardInterrupt: At the end of the block, if Ctrl-C was pressed in it.
    """
    own = signal.default_int_handler
    here = threading.current_thread() is threading.main_thread()
    if not here or signal.getsignal(signal.SIGINT) is not own:
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
        raise KeyboardInterrupt

"""Bounds on waits for other processes: a silent process fails its test, not the run."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

PATIENCE_S = 240
"""Seconds for a command from its start to its end, on a slow and busy machine."""
SILENCE_S = 120
"""Seconds for one answer of a process that runs on."""


@contextmanager
def at_most(seconds: float, end: Callable[[], object]) -> Iterator[None]:
    """Fail if the block takes longer than so many seconds.

    Args:
        seconds: The bound.
        end: Ends the wait of the block from another thread; it kills the process waited for.

    Raises:
        TimeoutError: If `end` was called.
    """
    late = threading.Event()

    def stop() -> None:
        late.set()
        end()

    timer = threading.Timer(seconds, stop)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        if late.is_set():
            raise TimeoutError(f"no answer in {seconds:g} s")

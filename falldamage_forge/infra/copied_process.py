"""Copied process: a copy of this process that goes on with another task (`fork` of POSIX).

A new interpreter imports again what this one has; a copy has it, and starts in milliseconds. But a
copy has one thread: what another thread of a native library held stays held for ever. So a process
is copied only on Linux, which lists all threads, and only while Python made all of them.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable
from typing import BinaryIO

Task = Callable[[BinaryIO, BinaryIO], object]
"""Reads from its first stream until that ends, and writes to the second."""
_THREADS = "/proc/self/task"
"""Folder of Linux with an entry for each thread of this process."""


def can_be_copied() -> bool:
    """Return True if a copy of this process lacks no thread of a native library."""
    try:
        return len(os.listdir(_THREADS)) == threading.active_count()  # noqa: PTH208
    except OSError:
        return False


class CopiedProcess:
    """A copy of this process; has what callers need of `subprocess.Popen`.

    Attributes:
        stdin: Its first stream.
        stdout: Its second stream.
    """

    def __init__(self, task: Task) -> None:
        """Copy this process.

        Args:
            task: All that the copy does. Ctrl-C in the terminal does not reach it.

        Raises:
            OSError: The system has no room for it.
        """
        read, self._own_end = os.pipe()
        heard, write = os.pipe()
        # Ctrl-C waits: in a copy that is not yet apart it would end what its original was about.
        waiting = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            with warnings.catch_warnings():  # Python 3.12 warns of its own threads, at rest here
                warnings.simplefilter("ignore", DeprecationWarning)
                self.pid = os.fork()
            if not self.pid:
                _do(task, (self._own_end, heard), read, write)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, waiting)
        os.close(read)
        os.close(write)
        self.stdin, self.stdout = os.fdopen(self._own_end, "wb"), os.fdopen(heard, "rb")
        self._ended: int | None = None

    def poll(self) -> int | None:
        """Return the exit status; None while it runs."""
        return self._status(os.WNOHANG)

    def wait(self) -> int:
        """Wait for its end and return the exit status."""
        status = self._status(0)
        assert status is not None
        return status

    def kill(self) -> None:
        """Kill it without waiting for its end."""
        if self.poll() is None:
            os.kill(self.pid, signal.SIGKILL)

    def _status(self, how: int) -> int | None:
        if self._ended is None:
            try:
                pid, status = os.waitpid(self.pid, how)
            except ChildProcessError:  # another thread has seen its end
                pid, status = self.pid, 0
            if pid:
                self._ended = status
        return self._ended


def _do(task: Task, not_mine: tuple[int, ...], read: int, write: int) -> None:
    """Do the task as the copy and end; nothing of what its original was about to do is done."""
    try:
        os.setsid()
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        for end in not_mine:
            os.close(end)
        # A thread of the original may have been writing: the copy's own streams are free.
        sys.stdout = sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        with os.fdopen(read, "rb") as inputs, os.fdopen(write, "wb") as outputs:
            task(inputs, outputs)
    finally:
        os._exit(0)

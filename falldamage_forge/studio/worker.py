"""Slow work in a process of its own: the newest wish wins, and what is overdue is killed."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable
from multiprocessing.connection import Connection
from threading import Lock
from typing import Any

from falldamage_forge.studio.session import DOWNLOADS, LATE, STAGES, Session

Reply = Callable[[dict[str, Any]], None]


def serve(pipe: Connection) -> None:
    """Do what comes along the pipe, until it closes. Answers are (number, kind, value)."""
    from falldamage_forge.issues import ForgeError

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    step_back()
    try:
        while True:
            number, kind, session = pipe.recv()
            try:
                _do(pipe, number, kind, session)
            except ForgeError as error:
                pipe.send((number, "failed", "; ".join(i.message for i in error.issues[:5])))
            except Exception as error:
                # Whatever goes wrong with one map, the worker serves the next.
                pipe.send((number, "failed", f"{type(error).__name__}: {error}"))
    except (EOFError, OSError):
        return


def step_back() -> None:
    """Leave the processor to whoever answers hands, where the system knows of that."""
    if hasattr(os, "nice"):
        os.nice(10)


def _do(pipe: Connection, number: int, kind: str, session: Session) -> None:
    if kind in DOWNLOADS:
        make, _ = DOWNLOADS[kind]
        data = make(session, lambda what, share: pipe.send((number, "progress", (what, share))))
        pipe.send((number, "made", data))
        return
    for stage in LATE:
        pipe.send((number, "told", STAGES[stage](session)))
    pipe.send((number, "done", None))


class Worker:
    """A process that does one thing at a time; a new wish ends the one under way."""

    def __init__(self) -> None:
        self._context = multiprocessing.get_context("spawn")
        self._lock = Lock()
        self._number = 0
        self._busy = False
        self._start()

    def _start(self) -> None:
        self._pipe, theirs = self._context.Pipe()
        self._process = self._context.Process(target=serve, args=(theirs,), daemon=True)
        self._process.start()
        theirs.close()

    def wish(self, kind: str, session: Session) -> tuple[int, Connection]:
        """Begin something (`stages`, one of DOWNLOADS); its number, and where answers come."""
        with self._lock:
            self._number += 1
            if self._busy or not self._process.is_alive():
                self.stop()
                self._start()
            self._busy = True
            self._pipe.send((self._number, kind, session))
            return self._number, self._pipe

    def done(self, number: int) -> None:
        """What had this number has come to its end."""
        if number == self._number:
            self._busy = False

    def stop(self) -> None:
        """End the process; what it did is lost."""
        self._process.kill()
        self._process.join()
        self._pipe.close()
        self._busy = False

"""Worker process for slow work: the latest request wins, an outdated one is killed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from threading import Lock
from typing import Any

from falldamage_forge.infra.process_pool import Gone, Helper, Tell
from falldamage_forge.issues import ForgeError
from falldamage_forge.studio.build_downloads import DOWNLOADS
from falldamage_forge.studio.play_mode import HINT, hint_message
from falldamage_forge.studio.session import Session
from falldamage_forge.studio.session_stages import LATE, STAGES


def lower_priority() -> None:
    """Lower the process's priority where the system can, so that input is answered first."""
    if hasattr(os, "nice"):
        os.nice(10)


def work(kind: str, session: Session, tell: Tell) -> None:
    """Run a request and report its results, as (type of message, value).

    Args:
        kind: `stages`, `hint`, or a download.
        session: The session.
        tell: Receives each result.
    """
    try:
        if kind in DOWNLOADS:
            make, _ = DOWNLOADS[kind]
            tell(("made", make(session, lambda *said: tell(("progress", said)))))
            return
        answers = [hint_message] if kind == HINT else [STAGES[stage] for stage in LATE]
        for answer in answers:
            tell(("told", answer(session)))
        tell(("done", None))
    except ForgeError as error:
        tell(("failed", "; ".join(issue.message for issue in error.issues[:5])))
    except Exception as error:
        # Whatever goes wrong with one map, the worker serves the next.
        tell(("failed", f"{type(error).__name__}: {error}"))


class WorkerProcess:
    """A process that runs one request at a time; a new one kills the running one.

    The process starts with the first request.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._wishes = 0
        self._busy = False
        self._closed = False
        self._helper: Helper | None = None

    def submit(self, kind: str, session: Session) -> tuple[int, Iterator[tuple[str, Any]]]:
        """Start a request.

        Args:
            kind: `stages`, `hint`, or a download.
            session: The session.

        Returns:
            Its number, and an iterator of its results, which raises Gone if a newer request or
            `stop` ends it.

        Raises:
            Gone: The worker is closed.
        """
        with self._lock:
            self._wishes += 1
            if self._busy or self._helper is None or not self._helper.alive:
                self.stop()
                self._helper = Helper(lower_priority)
            if self._closed:  # asked last: `close` may run while the process starts
                self.stop()
                raise Gone
            self._busy = True
            return self._wishes, self._helper.follow(partial(work, kind, session))

    def done(self, number: int) -> None:
        """Mark the request of a number as finished."""
        if number == self._wishes:
            self._busy = False

    def stop(self) -> None:
        """Kill the process; its results are lost."""
        if self._helper:
            self._helper.close()
        self._busy = False

    def close(self) -> None:
        """Kill the process and take no further requests."""
        self._closed = True
        self.stop()

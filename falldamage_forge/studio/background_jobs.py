"""Background jobs of a session in a worker process; the latest request wins."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from falldamage_forge.infra.process_pool import Gone
from falldamage_forge.languages.translator import ENGLISH
from falldamage_forge.studio.protocol import message
from falldamage_forge.studio.session import Session
from falldamage_forge.studio.worker_process import WorkerProcess

REST_S = 0.4
"""Seconds without input before metrics and pieces are computed."""


class BackgroundJobs:
    """Late stages and downloads of a session that changes meanwhile."""

    def __init__(
        self, session: Callable[[], Session], tell: Callable[[dict[str, Any]], None]
    ) -> None:
        """Create the jobs of a session.

        Args:
            session: Returns the present session when a job starts.
            tell: Sends a message with a result to the clients.
        """
        self.made: dict[str, bytes] = {}
        self._session, self._tell = session, tell
        self._worker = WorkerProcess()
        self._task: asyncio.Task[None] | None = None
        self._kind = ""
        self._resting = False
        self._meant: object = None  # text and settings whose late stages have been told

    def schedule_stages(self) -> None:
        """Start the late stages after a pause of input; they follow a download that runs."""
        if self._task is None or self._task.done() or self._kind == "stages":
            self._start("stages", REST_S, ENGLISH)

    def postpone_stages(self) -> None:
        """Restart the pause before the late stages that have not started."""
        if self._resting:
            self.stop()

    def start_download(self, what: str, language: str) -> None:
        """Start a download in a client's language at once.

        Args:
            what: Kind of the download.
            language: Language of its texts: `en` or `de`.
        """
        self._start(what, 0.0, language)

    async def cancel(self) -> None:
        """End the running job; the late stages follow."""
        self.stop()
        await asyncio.to_thread(self._worker.stop)
        self._tell(message("progress", of=None, what=None, share=0))
        self.schedule_stages()

    def stop(self) -> None:
        """Start no further jobs."""
        if self._task:
            self._task.cancel()
        self._task = None

    def close(self) -> None:
        """End all jobs and the worker process."""
        self.stop()
        self._worker.close()

    def _start(self, kind: str, rest: float, language: str) -> None:
        self.stop()
        self._kind = kind
        self._task = asyncio.create_task(self._work(kind, rest, language))

    async def _work(self, kind: str, rest: float, language: str) -> None:
        self._resting = kind == "stages"
        await asyncio.sleep(rest)
        self._resting = False
        session = self._session()
        plain = replace(session, past=(), future=(), language=language)
        what, value = "failed", None
        try:
            number, answers = await asyncio.to_thread(self._worker.submit, kind, plain)
            while answer := await asyncio.to_thread(next, answers, None):
                what, value = answer
                if what == "told":
                    self._tell(value)
                elif what == "progress":
                    self._tell(message("progress", of=kind, what=value[0], share=value[1]))
        except Gone:
            return  # a newer wish or the end of the session has ended it
        self._worker.done(number)
        await self._ended(kind, what, value, session)

    async def _ended(self, kind: str, what: str, value: Any, session: Session) -> None:
        if kind == "stages":
            self._meant = _means(session)
        if what == "failed":
            self._tell(message("error", message=value, of=kind))
        elif what == "made":
            self.made[kind] = value
            self._tell(message("made", of=kind, size=len(value)))
        if self._meant != _means(self._session()):
            self._task = None  # this task has come to its end and is not to be cancelled
            self.schedule_stages()


def _means(session: Session) -> object:
    return session.revision, session.settings

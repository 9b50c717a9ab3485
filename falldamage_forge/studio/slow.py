"""What takes long, in a process beside the studio: the newest wish is the one that counts."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from multiprocessing.connection import Connection
from typing import Any

from falldamage_forge.studio.protocol import message
from falldamage_forge.studio.session import Session
from falldamage_forge.studio.worker import Worker

REST_S = 0.4
"""How long hands must rest before measures and pieces are worked out."""


class Slow:
    """Late stages and downloads of a session that changes under way."""

    def __init__(
        self, session: Callable[[], Session], tell: Callable[[dict[str, Any]], Awaitable[None]]
    ) -> None:
        """`session` is asked for what counts when work begins; `tell` gets what comes of it."""
        self.made: dict[str, bytes] = {}
        self._session, self._tell = session, tell
        self._worker: Worker | None = None
        self._task: asyncio.Task[None] | None = None
        self._resting = False
        self._meant: object = None  # text and settings whose late stages have been told

    def later(self) -> None:
        """The late stages, once hands rest."""
        self._start("stages", REST_S)

    def wait(self) -> None:
        """Hands are at work: late stages that have not begun wait until they rest again."""
        if self._resting:
            self.stop()

    def make(self, what: str) -> None:
        """A download, now."""
        self._start(what, 0.0)

    async def cancel(self) -> None:
        """End what is under way; the late stages follow."""
        self.stop()
        if self._worker:
            await asyncio.to_thread(self._worker.stop)
        await self._tell(message("progress", of=None, what=None, share=0))
        self.later()

    def stop(self) -> None:
        """Begin nothing more."""
        if self._task:
            self._task.cancel()

    def close(self) -> None:
        """End everything."""
        self.stop()
        if self._worker:
            self._worker.stop()

    def _start(self, kind: str, rest: float) -> None:
        self.stop()
        self._task = asyncio.create_task(self._work(kind, rest))

    async def _work(self, kind: str, rest: float) -> None:
        self._resting = True
        await asyncio.sleep(rest)
        self._resting = False
        session = self._session()
        if self._worker is None:
            self._worker = await asyncio.to_thread(Worker)
        worker = self._worker
        plain = replace(session, past=(), future=())
        number, pipe = await asyncio.to_thread(worker.wish, kind, plain)
        what: str = ""
        value: Any = None
        while what not in {"done", "failed", "made"}:
            try:
                its, what, value = await asyncio.to_thread(_next, pipe)
            except (EOFError, OSError):
                return  # a newer wish has ended it
            if its != number:
                return
            if what == "told":
                await self._tell(value)
            elif what == "progress":
                await self._tell(message("progress", of=kind, what=value[0], share=value[1]))
        worker.done(number)
        await self._ended(kind, what, value, session)

    async def _ended(self, kind: str, what: str, value: Any, session: Session) -> None:
        if kind == "stages":
            self._meant = _means(session)
        if what == "failed":
            await self._tell(message("error", message=value, of=kind))
        elif what == "made":
            self.made[kind] = value
            await self._tell(message("made", of=kind, size=len(value)))
        if self._meant != _means(self._session()):
            self._task = None  # this task has come to its end and is not to be cancelled
            self.later()


def _means(session: Session) -> object:
    return session.revision, session.settings


def _next(pipe: Connection) -> tuple[int, str, Any]:
    """The next answer. Looks every now and then, so that a closed pipe is noticed."""
    while not pipe.poll(0.2):
        if pipe.closed:
            raise EOFError
    answer: tuple[int, str, Any] = pipe.recv()
    return answer

"""What one page is told and may say, so that a slow or loud page is nobody else's trouble."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

Said = dict[str, Any]
MOST = 400
"""Messages that may wait for a page; one that has not read so many is given up."""


class Outbox:
    """The messages on their way to one page, in order."""

    def __init__(self, send: Callable[[Said], Awaitable[None]], name: str = "") -> None:
        """`send` brings one message to the page, and waits until it is on its way.

        `name` is the page's own, the same after its line broke; none has one of its own.
        """
        self._send = send
        self.name = name or f"unnamed {id(self)}"
        self._waiting: asyncio.Queue[Said] = asyncio.Queue(MOST)
        self.full = asyncio.Event()
        """Set when the page is to be given up."""

    def put(self, told: Said) -> None:
        """Tell the page something, without waiting for it."""
        try:
            self._waiting.put_nowait(told)
        except asyncio.QueueFull:
            self.full.set()

    async def run(self) -> None:
        """Send for as long as the page lives."""
        while True:
            await self._send(await self._waiting.get())


class Rate:
    """How fast a page may speak: `most` messages a second on average, in bursts of as many."""

    def __init__(self, most: int) -> None:
        self._most, self._left, self._at = most, float(most), time.monotonic()

    def takes(self) -> bool:
        """Whether one more message is within the limit."""
        now = time.monotonic()
        self._left = min(self._most, self._left + (now - self._at) * self._most)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True

"""Send queue and rate limiter: a slow or loud client does not disturb the others."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

from falldamage_forge.languages.translator import ENGLISH
from falldamage_forge.studio.spoken_message import spoken_message

Said = dict[str, Any]
MOST = 400
"""Greatest number of waiting messages; a client that exceeds it is disconnected."""


class SendQueue:
    """The messages for one client, in order."""

    def __init__(self, send: Callable[[Said], Awaitable[None]], name: str = "") -> None:
        """Create the queue of a client.

        Args:
            send: Sends one message and waits until it is under way.
            name: The client's name, the same after a reconnect; empty creates one.
        """
        self._send = send
        self.name = name or f"unnamed {id(self)}"
        self.language = ENGLISH
        self._waiting: asyncio.Queue[Said] = asyncio.Queue(MOST)
        self.full = asyncio.Event()
        """Set when the client must be disconnected."""

    def put(self, told: Said) -> None:
        """Queue a message in the language of the client."""
        try:
            self._waiting.put_nowait(spoken_message(told, self.language))
        except asyncio.QueueFull:
            self.full.set()

    async def run(self) -> None:
        """Send messages until the client disconnects."""
        while True:
            await self._send(await self._waiting.get())


class RateLimiter:
    """Rate limit: `most` messages a second on average, in bursts of as many."""

    def __init__(self, most: int) -> None:
        self._most, self._left, self._at = most, float(most), time.monotonic()

    def allow(self) -> bool:
        """True if one more message is within the limit."""
        now = time.monotonic()
        self._left = min(self._most, self._left + (now - self._at) * self._most)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True

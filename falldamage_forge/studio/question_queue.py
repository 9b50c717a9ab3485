"""Question queue: of a client's questions of one kind, only the newest waits for its answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from falldamage_forge.studio.send_queue import SendQueue

Said = dict[str, Any]


class QuestionQueue:
    """Questions by client and type; a newer one replaces the one that waits."""

    def __init__(self, reply: Callable[[Said], Awaitable[Iterable[Said]]]) -> None:
        """Create the queue.

        Args:
            reply: Computes the messages that answer a question.
        """
        self._reply = reply
        self._asked: dict[tuple[SendQueue, str], Said] = {}

    async def ask(self, said: Said, page: SendQueue) -> None:
        """Answer a question, or leave it to the call that answers an older one of its kind.

        Args:
            said: Message of a client.
            page: Queue of that client.
        """
        slot = (page, said["type"])
        waiting = slot in self._asked
        self._asked[slot] = said
        if waiting:
            return
        answered: Said | None = None
        try:
            while self._asked[slot] is not answered:
                answered = self._asked[slot]
                for told in await self._reply(answered):
                    page.put(told)
        finally:
            del self._asked[slot]

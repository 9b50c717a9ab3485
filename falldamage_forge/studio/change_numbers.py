"""Change numbers: the last change of each client that was handled, so that each counts once."""

from __future__ import annotations

from typing import Any

from falldamage_forge.studio.send_queue import SendQueue

MOST_NAMES = 1000
"""Greatest number of clients that are remembered; the oldest are dropped."""


class ChangeNumbers:
    """The last handled change by the name of its client; a name survives its sockets."""

    def __init__(self) -> None:
        self._heard: dict[str, tuple[int, bool]] = {}

    def last(self, page: SendQueue) -> dict[str, Any]:
        """Return the number of a client's last handled change, and whether it was stale."""
        number, stale = self._heard.get(page.name, (0, False))
        return {"heard": number, "stale": stale}

    def admit(self, page: SendQueue, number: int | None) -> bool:
        """True if a change was not handled before, or has no number; it counts as handled then.

        Args:
            page: Queue of the client.
            number: Number of the change; None: without.
        """
        if number is None:
            return True
        if number <= self._heard.get(page.name, (0, False))[0]:
            return False
        self.store(page, number)
        return True

    def store(self, page: SendQueue, number: int, stale: bool = False) -> None:
        """Remember a change as handled.

        Args:
            page: The client.
            number: The number of the change.
            stale: True if it was about an older text and changed nothing.
        """
        self._heard.pop(page.name, None)
        self._heard[page.name] = number, stale
        if len(self._heard) > MOST_NAMES:
            del self._heard[next(iter(self._heard))]

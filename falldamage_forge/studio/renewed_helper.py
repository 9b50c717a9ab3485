"""A worker process of low priority that is started when it is needed, and again if it died."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from falldamage_forge.infra.process_pool import Gone, Helper
from falldamage_forge.studio.worker_process import lower_priority

R = TypeVar("R")


class RenewedHelper:
    """Runs calls one after the other until it is closed."""

    def __init__(self) -> None:
        """Start nothing: the first call starts the process."""
        self._helper: Helper | None = None
        self._closed = False

    def ask(self, call: Callable[[], R]) -> R:
        """Run a call in the process and return its result.

        Args:
            call: Picklable, as its result must be.

        Raises:
            Gone: It is closed, or the process ended before it answered.
            Exception: The exception that the call raised.
        """
        if self._closed:
            raise Gone
        if self._helper is None or not self._helper.alive:
            self._helper = Helper(lower_priority)
        if self._closed:  # meanwhile, by another thread that knew of no process
            self._helper.close()
        return self._helper.ask(call)

    def close(self) -> None:
        """End the process; a call that waits for a result gets Gone, as each later one."""
        self._closed = True
        if self._helper:
            self._helper.close()

"""Dask cluster: calls on the workers of a scheduler; results do not depend on them.

Dask resubmits the calls of a lost worker. A cluster that is lost itself is FDF505.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

from falldamage_forge.infra.optional_libraries import missing
from falldamage_forge.issues import refuse

CONNECT_S = 10
"""Seconds to wait for a scheduler."""
RETRIES = 3
"""Number of retries of a call after its worker died."""
R = TypeVar("R")


class Cluster:
    """The workers of a scheduler."""

    def __init__(self, address: str, remedy: str) -> None:
        """Connect to a scheduler.

        Args:
            address: Its address, such as `tcp://head:8786`.
            remedy: Hint of the error for lost results.

        Raises:
            ForgeError (FDF503, FDF505): If distributed is missing, or no scheduler answers.
        """
        try:
            import distributed
        except ImportError:
            raise missing("cluster", "working on a cluster") from None
        dask: Any = distributed
        # The error is reported once, as an issue, without a traceback of each thread.
        for name in ("distributed", "distributed.client", "tornado.application"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
        self.remedy = remedy
        try:
            self.client: Any = dask.Client(address, timeout=CONNECT_S, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            message = f"no dask scheduler answers at `{address}`: {error}"
            hint = "start one with `dask scheduler`, and workers with `dask worker ADDRESS`"
            raise refuse("FDF505", message, hint) from None

    @property
    def size(self) -> int:
        """Number of threads of all current workers."""
        with self._reached(0):
            threads: dict[str, int] = self.client.nthreads()
            return max(1, sum(threads.values()))

    def map(self, call: Callable[..., R], pieces: Sequence[tuple[Any, ...]]) -> Iterator[R]:
        """Submit a call for each tuple of arguments; return an iterator over the results, in order.

        Every argument is sent with every call, because data stored on a worker is lost with it.

        Args:
            call: Function that every worker can import.
            pieces: Arguments of each call.

        Raises:
            ForgeError (FDF505): If results are lost.
        """
        with self._reached(len(pieces)):
            futures = [
                self.client.submit(call, *piece, pure=False, retries=RETRIES) for piece in pieces
            ]
        return self._results(futures)

    def _results(self, futures: list[Any]) -> Iterator[Any]:
        for done, future in enumerate(futures):
            with self._reached(len(futures) - done):
                found = future.result()
            yield found

    @contextmanager
    def _reached(self, left: int) -> Iterator[None]:
        """Convert exceptions of Dask about lost workers or schedulers to FDF505."""
        from distributed.client import FutureCancelledError
        from distributed.scheduler import KilledWorker

        try:
            yield
        except (OSError, KilledWorker, FutureCancelledError, TimeoutError) as error:
            why = f"{type(error).__name__}: {str(error).splitlines()[0]}"
            raise refuse("FDF505", f"{left} results are lost ({why})", self.remedy) from None

    def close(self) -> None:
        """Disconnect; the cluster keeps running."""
        with suppress(Exception):
            self.client.close(timeout=2)

"""Who judges chunks: this process, processes beside it, or a cluster of dask's.

A crew answers in any order, and every chunk exactly once, whatever dies on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from typing import Any, Protocol

from falldamage_forge.issues import ForgeError, Issue
from falldamage_forge.playtest.cluster import connected
from falldamage_forge.search.judge import Chunk, Judged, Setup, judge_chunk

RETRIES = 3
"""How often a chunk is given out again after the worker that had it died."""


class Crew(Protocol):
    """Judges of chunks."""

    @property
    def size(self) -> int:
        """How many judge at the same time."""

    def judge(self, chunks: Sequence[Chunk]) -> Iterator[Judged]:
        """The answers, in any order. ForgeError (FDF505) when they cannot be had."""

    def close(self) -> None:
        """Let everybody go."""


class Alone:
    """This process."""

    size = 1

    def __init__(self, setup: Setup) -> None:
        self.setup = setup

    def judge(self, chunks: Sequence[Chunk]) -> Iterator[Judged]:
        """One after the other."""
        return (judge_chunk(self.setup, chunk) for chunk in chunks)

    def close(self) -> None:
        """Nobody is there to go."""


_SETUP: list[Setup] = []


def _begin(setup: Setup) -> None:
    import signal

    # Ctrl-C is for the one who leads; workers end when they are let go.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _SETUP[:] = [setup]


def _judge_here(chunk: Chunk) -> Judged:
    return judge_chunk(_SETUP[0], chunk)


class Processes:
    """Processes on this machine; a pool that lost one is made anew, and what it had given again."""

    def __init__(self, setup: Setup, size: int) -> None:
        self.setup, self.size = setup, size
        self.pool = self._pool()

    def _pool(self) -> ProcessPoolExecutor:
        from multiprocessing import get_context

        return ProcessPoolExecutor(
            self.size, mp_context=get_context("spawn"), initializer=_begin, initargs=(self.setup,)
        )

    def judge(self, chunks: Sequence[Chunk]) -> Iterator[Judged]:
        """As they are done; all are given out at once."""
        left = {chunk.number: chunk for chunk in chunks}
        return self._answers(left, self._give_out(left))

    def _give_out(self, left: dict[int, Chunk]) -> list[Future[Judged]]:
        try:
            return [self.pool.submit(_judge_here, chunk) for chunk in left.values()]
        except BrokenProcessPool:
            self.pool.shutdown(wait=False, cancel_futures=True)
            self.pool = self._pool()
            return [self.pool.submit(_judge_here, chunk) for chunk in left.values()]

    def _answers(self, left: dict[int, Chunk], waiting: list[Future[Judged]]) -> Iterator[Judged]:
        for _ in range(RETRIES + 1):
            try:
                for future in as_completed(waiting):
                    answer = future.result()
                    if left.pop(answer.number, None) is not None:
                        yield answer
                return
            except BrokenProcessPool:
                waiting = self._give_out(left)
        raise _lost(len(left), "workers died again and again")

    def close(self) -> None:
        """End the processes."""
        self.pool.shutdown(wait=True, cancel_futures=True)


class Cluster:
    """Workers of a dask scheduler, on any number of machines."""

    def __init__(self, setup: Setup, address: str) -> None:
        """ForgeError (FDF503) without dask, (FDF505) when nobody answers at the address."""
        self.client: Any = connected(address)
        self.setup = setup

    @property
    def size(self) -> int:
        """Threads of all workers there are now."""
        with _reached(lambda: 0):
            threads: dict[str, int] = self.client.nthreads()
            return max(1, sum(threads.values()))

    def judge(self, chunks: Sequence[Chunk]) -> Iterator[Judged]:
        """As they are done; dask gives again what a lost worker had.

        The setup goes along with every chunk: data left with workers dies with them.
        """
        with _reached(lambda: len(chunks)):
            futures = [
                self.client.submit(judge_chunk, self.setup, chunk, pure=False, retries=RETRIES)
                for chunk in chunks
            ]
        return self._answers({chunk.number for chunk in chunks}, futures)

    def _answers(self, left: set[int], futures: list[Any]) -> Iterator[Judged]:
        import distributed

        dask: Any = distributed
        with _reached(lambda: len(left)):
            for future in dask.as_completed(futures, loop=self.client.loop):
                answer: Judged = future.result()
                if answer.number in left:
                    left.remove(answer.number)
                    yield answer

    def close(self) -> None:
        """Leave the cluster as it is."""
        with suppress(Exception):
            self.client.close(timeout=2)


@contextmanager
def _reached(left: Callable[[], int]) -> Iterator[None]:
    """What dask raises when workers or the scheduler are gone, as FDF505."""
    from distributed.client import FutureCancelledError
    from distributed.scheduler import KilledWorker

    try:
        yield
    except (OSError, KilledWorker, FutureCancelledError, TimeoutError) as error:
        raise _lost(left(), f"{type(error).__name__}: {str(error).splitlines()[0]}") from None


def _lost(count: int, why: str) -> ForgeError:
    message = f"parts of the last batch are lost, {count} in all ({why})"
    hint = "the archive is whole as it was before the batch; the same command goes on from there"
    return ForgeError([Issue("FDF505", "error", message, hint=hint)])

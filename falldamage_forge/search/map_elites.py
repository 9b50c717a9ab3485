"""MAP-Elites: batches of candidates, evaluated anywhere, merged in a fixed order.

A batch is planned before it begins: parents are drawn by seed and number from the archive, and each
candidate has its own seed. So the archive does not depend on the number of workers or the order of
results. An executor (this process, local processes, a Dask cluster) yields every result exactly
once, in any order, even if workers die.

Source: J.-B. Mouret and J. Clune, "Illuminating search spaces by mapping elites" (2015).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from random import Random

from falldamage_forge.infra.dask_cluster import Cluster
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.infra.process_pool import Pool
from falldamage_forge.search.archive import Archive, Elite
from falldamage_forge.search.evaluate import (
    OWN,
    CandidateChunk,
    CandidateSpec,
    ChunkResult,
    EvaluationSetup,
    evaluate_chunk,
)


class Executor:
    """Executor in this process and others here; this one does the chunks of one that died."""

    def __init__(self, setup: EvaluationSetup, workers: int = 1) -> None:
        self.setup, self.workers = setup, workers
        self.pool = Pool(workers - 1)

    @property
    def size(self) -> int:
        """Number of chunks evaluated at the same time."""
        return self.workers

    def evaluate(self, chunks: Sequence[CandidateChunk]) -> Iterator[ChunkResult]:
        """Yield the results, in any order if other processes work, too.

        Raises:
            ForgeError (FDF505): If results are lost.
        """
        calls = [partial(evaluate_chunk, self.setup, chunk) for chunk in chunks]
        return self.pool.map(calls) if self.size > 1 else (call() for call in calls)

    def close(self) -> None:
        """Release the workers."""
        self.pool.close()


class DaskExecutor(Executor):
    """Executor on the workers of a Dask scheduler."""

    def __init__(self, setup: EvaluationSetup, address: str) -> None:
        """Connect to a scheduler.

        Raises:
            ForgeError (FDF503, FDF505): If distributed is missing, or no scheduler answers.
        """
        self.cluster = Cluster(address, "the same command continues from the last whole batch")
        self.setup = setup

    @property
    def size(self) -> int:
        """Number of threads of all current workers."""
        return self.cluster.size

    def evaluate(self, chunks: Sequence[CandidateChunk]) -> Iterator[ChunkResult]:
        """Yield the results; Dask resubmits the chunks of a lost worker."""
        return self.cluster.map(evaluate_chunk, [(self.setup, chunk) for chunk in chunks])

    def close(self) -> None:
        """Disconnect; the cluster keeps running."""
        self.cluster.close()


FRESH = 0.2
"""Share of candidates without a parent, or with the user's map as parent."""
CHUNKS_A_WORKER = 4


@dataclass(frozen=True)
class SearchConfig:
    """Extent of a search: `evaluations` more maps or `minutes`, whichever ends first.

    `batch` is the number of candidates per batch, `chunk` per chunk (None: by the executor's size).
    """

    seed: int
    batch: int
    chunk: int | None = None
    evaluations: int | None = None
    minutes: float | None = None


def run_search(
    archive: Archive,
    setup: EvaluationSetup,
    executor: Executor,
    plan: SearchConfig,
    tell: Callable[[int], object] = lambda maps: None,
) -> Iterator[Archive]:
    """Yield the archive after each batch; each is an independent value.

    Args:
        archive: Archive to continue.
        setup: Setup of the evaluation.
        executor: Executor of the chunks.
        plan: Extent of the search.
        tell: Callback with the number of maps of a batch that are evaluated so far.
    """
    begun = time.monotonic()
    until = archive.evaluations + plan.evaluations if plan.evaluations else None
    while until is None or archive.evaluations < until:
        if plan.minutes is not None and time.monotonic() - begun >= 60 * plan.minutes:
            return
        children = plan_batch(archive, setup, plan.seed, plan.batch)
        size = plan.chunk or max(1, -(-plan.batch // (CHUNKS_A_WORKER * executor.size)))
        results: list[ChunkResult] = []
        for result in executor.evaluate(split_chunks(children, size, archive)):
            results.append(result)
            tell(min(len(results) * size, plan.batch))
        archive = merge_results(archive, results, plan.batch)
        yield archive


def whole_batches(plan: SearchConfig) -> int:
    """Return the greatest number of maps that `run_search` evaluates; 0 without a limit."""
    return -(-(plan.evaluations or 0) // plan.batch) * plan.batch


def plan_batch(
    archive: Archive, setup: EvaluationSetup, seed: int, size: int
) -> tuple[CandidateSpec, ...]:
    """Return the candidates of the next batch.

    Args:
        archive: Best maps so far; parents are drawn from it.
        setup: Styles of the search.
        seed: Seed of the search.
        size: Number of candidates.
    """
    rng = Random(f"{seed}/{archive.batches}")
    by_style: dict[str, list[Elite]] = {}
    for elite in archive.ranked():
        by_style.setdefault(elite.style, []).append(elite)
    names = [style.grammar.name for style in setup.styles] or [OWN]
    children = []
    for number in range(size):
        style = rng.choice(names)
        parents = by_style.get(style)
        fresh = parents is None or rng.random() < FRESH
        parent = None if fresh or parents is None else rng.choice(parents)
        genome = None if parent is None else parent.sketch or parent.text
        children.append(CandidateSpec(f"{seed}/{archive.batches}/{number}", style, genome))
    return tuple(children)


def split_chunks(
    children: Sequence[CandidateSpec], size: int, archive: Archive
) -> list[CandidateChunk]:
    """Return candidates as chunks of `size`.

    Args:
        children: Candidates of a batch.
        size: Candidates in a chunk, at least 1.
        archive: Best maps so far, whose quality the candidates must beat.
    """
    known = {cell: elite.quality for cell, elite in archive.elites.items()}
    return [
        CandidateChunk(number, tuple(children[at : at + size]), known)
        for number, at in enumerate(range(0, len(children), size))
    ]


def merge_results(archive: Archive, results: Iterable[ChunkResult], children: int) -> Archive:
    """Return the archive after a batch; results are merged in the candidates' order.

    Args:
        archive: Archive before the batch; left as it is.
        results: Results of the chunks, in any order.
        children: Number of candidates in the batch.
    """
    after = archive.copy()
    for each in sorted(results, key=lambda judged: judged.number):
        for elite in each.elites:
            after.add(elite)
        for why, count in each.refused.items():
            after.refused[why] = after.refused.get(why, 0) + count
    after.batches += 1
    after.evaluations += children
    after.note()
    return after

"""Quality diversity (MAP-Elites): batches of children, judged anywhere, folded in one order.

A batch is decided before it begins: parents are drawn by seed and number from the archive as it
is, child number i has a seed of its own, and what a child becomes depends on nothing else. So the
archive is the same however many workers there are, in whatever order they answer.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from falldamage_forge.search.archive import Archive, Elite
from falldamage_forge.search.judge import OWN, Child, Chunk, Judged, Setup

if TYPE_CHECKING:
    from falldamage_forge.search.crew import Crew

FRESH = 0.2
"""Share of children that have no parent, or have somebody's own map for one."""
CHUNKS_A_WORKER = 4


@dataclass(frozen=True)
class Plan:
    """How far to search: `evaluations` maps more or for so many minutes, whichever comes first."""

    seed: int
    batch: int
    chunk: int | None = None
    evaluations: int | None = None
    minutes: float | None = None


def search(archive: Archive, setup: Setup, crew: Crew, plan: Plan) -> Iterator[Archive]:
    """The archive after each batch; each is a value of its own, so that one can stop anywhere."""
    begun = time.monotonic()
    until = archive.evaluations + plan.evaluations if plan.evaluations else None
    while until is None or archive.evaluations < until:
        if plan.minutes is not None and time.monotonic() - begun >= 60 * plan.minutes:
            return
        children = plan_batch(archive, setup, plan.seed, plan.batch)
        size = plan.chunk or max(1, -(-plan.batch // (CHUNKS_A_WORKER * crew.size)))
        archive = folded(archive, list(crew.judge(split(children, size, archive))), plan.batch)
        yield archive


def whole_batches(plan: Plan) -> int:
    """Return how many maps `search` judges at most, all batches being whole; 0 without a limit."""
    return -(-(plan.evaluations or 0) // plan.batch) * plan.batch


def plan_batch(archive: Archive, setup: Setup, seed: int, size: int) -> tuple[Child, ...]:
    """The children of the next batch."""
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
        children.append(Child(f"{seed}/{archive.batches}/{number}", style, genome))
    return tuple(children)


def split(children: Sequence[Child], size: int, archive: Archive) -> list[Chunk]:
    """Chunks of so many children each."""
    known = {cell: elite.quality for cell, elite in archive.elites.items()}
    return [
        Chunk(number, tuple(children[at : at + size]), known)
        for number, at in enumerate(range(0, len(children), size))
    ]


def folded(archive: Archive, results: Iterable[Judged], children: int) -> Archive:
    """The archive after a batch, whose answers are taken over in the children's order."""
    after = archive.copy()
    for each in sorted(results, key=lambda judged: judged.number):
        for elite in each.elites:
            after.offer(elite)
        for why, count in each.refused.items():
            after.refused[why] = after.refused.get(why, 0) + count
    after.batches += 1
    after.evaluations += children
    after.note()
    return after

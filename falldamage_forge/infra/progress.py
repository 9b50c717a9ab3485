"""Progress callbacks: one signature for every long task."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Protocol, TypeVar

T = TypeVar("T")


class ProgressCallback(Protocol):
    """A function that receives the current step and `done` of `of` steps; 0 of 0 if unknown."""

    def __call__(self, what: str, done: int = 0, of: int = 0) -> None:
        """Report a step.

        Args:
            what: The step, such as `packing plates`; empty when the task has ended.
            done: Steps finished.
            of: All steps; 0 if their number is not known.
        """


def no_progress(what: str, done: int = 0, of: int = 0) -> None:
    """Ignore progress.

    Args:
        what: What is being done.
        done: Number of finished parts.
        of: Number of all parts; 0: unknown.
    """


def track(items: Collection[T], description: str, progress: ProgressCallback) -> Iterator[T]:
    """Yield the items in order and report progress before each.

    Args:
        items: The items; their number is the total.
        description: The step's text; `{}` stands for the item.
        progress: The callback.
    """
    for done, thing in enumerate(items):
        progress(description.format(thing), done, len(items))
        yield thing

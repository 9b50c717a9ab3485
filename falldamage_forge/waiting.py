"""What is told while something takes its time: one shape for all that is long."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Protocol, TypeVar

T = TypeVar("T")


class Progress(Protocol):
    """Told what is being done now, and that `done` of `of` are done; 0 of 0 where no one knows."""

    def __call__(self, what: str, done: int = 0, of: int = 0) -> None:
        """Tell it."""


def quiet(what: str, done: int = 0, of: int = 0) -> None:
    """Tells nobody."""
    del what, done, of


def each(things: Collection[T], doing: str, progress: Progress) -> Iterator[T]:
    """The things in order, told before each: `doing` names it where it has a `{}`."""
    for done, thing in enumerate(things):
        progress(doing.format(thing), done, len(things))
        yield thing

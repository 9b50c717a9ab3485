"""What is worked out once and kept: answers are asked for far more often than they change."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


class Row(dict[int, T]):
    """Answers about one thing and another, by the other, made when first asked for."""

    __slots__ = ("make",)

    def __init__(self, make: Callable[[int], T]) -> None:
        self.make = make

    def __missing__(self, key: int) -> T:
        found = self[key] = self.make(key)
        return found

"""Reproducible random numbers: SplitMix64 in Python integers."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import TypeVar

T = TypeVar("T")
MASK = (1 << 64) - 1
STEP = 0x9E3779B97F4A7C15
"""Distance of two states of a stream."""


class SplitMix64:
    """A stream of 64-bit numbers from a seed.

    Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014).
    """

    def __init__(self, seed: int) -> None:
        self.state = seed & MASK

    @classmethod
    def after(cls, seed: int, draws: int) -> SplitMix64:
        """Return the stream of a seed after a number of draws.

        Args:
            seed: Seed of the stream, from 0 to 2^64 - 1.
            draws: Number of draws to skip.
        """
        return cls(seed + draws * STEP)

    def draw(self) -> int:
        """Return the next 64-bit number."""
        self.state = (self.state + STEP) & MASK
        z = self.state
        z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ z >> 27) * 0x94D049BB133111EB) & MASK
        return z ^ z >> 31

    def below(self, count: int) -> int:
        """Return a number from 0 to `count` - 1; the modulus bias is below 1 in 10^15."""
        return self.draw() % count

    def choice(self, things: Sequence[T]) -> T:
        """Return a random element."""
        return things[self.below(len(things))]

    def shuffled(self, things: Sequence[T]) -> list[T]:
        """Return the elements in random order."""
        left, found = list(things), []
        while left:
            found.append(left.pop(self.below(len(left))))
        return found


def seed_of(*parts: object) -> int:
    """Return a 64-bit seed of values, from their text.

    Args:
        parts: Values with a stable `str`.
    """
    text = "\x1f".join(map(str, parts)).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(text, digest_size=8).digest(), "big")

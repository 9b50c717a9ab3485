"""How much a run asks: a few of a kind by default, every one with `FORGE_EXHAUSTIVE=1`."""

import os
from collections.abc import Sequence
from typing import TypeVar

Thing = TypeVar("Thing")
EXHAUSTIVE = "FORGE_EXHAUSTIVE" in os.environ


def some(things: Sequence[Thing], few: int) -> list[Thing]:
    """Evenly spread ones of a long list, the first among them."""
    if EXHAUSTIVE or few >= len(things):
        return list(things)
    return [things[n * len(things) // few] for n in range(few)]

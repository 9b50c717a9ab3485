"""Sets of surfaces as two 64-bit words, and the constants and tables that all kernels share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import numba as nb
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

MOST = 128
"""Greatest number of surfaces."""
DECKS = 4
"""Greatest number of decks over a tile."""
HEIGHTS = 32
"""Levels of rise and fall in the table `UnitTables.allowed`."""
COSTS = 5
BUDGET = 4
"""Levels of climb and fall distinguished if Jump is a budget of the whole turn."""
NEVER = 127
WINDOW = 16
LINKS = 4096

U = np.uint64
ONE, NONE, LOW = U(1), U(0), U(63)
WATER, LAVA, TREE, SPIRE = 1, 2, 1, 2
SIDES, CHEST = 2, 2

# Columns of the answers.
SURFACES, OK = 0, 1
COLUMNS = 11
"""Surfaces, playable, the four values of each proof, and the classes cut off."""

Ints = NDArray[Any]
"""Integer or boolean arrays; numba infers which."""
Words = NDArray[np.uint64]
Word = np.uint64
F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """Return a function that numba compiles at its first call and caches on disk."""
    made: Any = nb.njit(cache=True)(function)
    typed: F = made
    return typed


class BoardArrays(NamedTuple):
    """A board as arrays, or a batch with one more axis; shapes as in `batch_engine.BoardBatch`."""

    cols: int
    level: Ints
    ground: Ints
    feature: Ints
    decks: Ints
    ladders: Ints
    starts: Ints
    chests: Ints


class OptionFlags(NamedTuple):
    """Options of moves and pushes; `headroom`, `tree` and `spire` in levels.

    `slab` is 1 if decks fill the level below their top; `leaps` is 1 if none lead up, 2 if they
    keep their level.
    """

    headroom: int
    tree: int
    spire: int
    slab: int
    leaps: int
    enter: bool
    inherit: bool
    flush: bool
    by_height: bool
    free_down: bool
    climb_counts: bool
    fall_counts: bool
    over_empty: bool
    void: bool
    slides_paid: bool
    strikes_down: bool


class UnitTables(NamedTuple):
    """Families of units: (Jump, levels cost Move, no fall damage) by family.

    `allowed[family, key]` is true for links that a family takes. Links of one `pattern[key]` are
    taken by the same families; `members[family]` are its patterns as bits; `upright` are families
    that pay for levels. `classes` and `proofs` are rows of (family, Move); `nested` is true if the
    second proof unit can do all that the first can.
    """

    families: Ints
    upright: Ints
    allowed: Ints
    pattern: Ints
    members: Ints
    patterns: int
    classes: Ints
    proofs: Ints
    nested: bool


class SurfaceArrays(NamedTuple):
    """Top of each tile, its first surface and their number; tile and level of each surface."""

    top: Ints
    first: Ints
    many: Ints
    at: Ints
    z: Ints


class LinkArrays(NamedTuple):
    """Links of the terrain, and the sets that each family reaches by them.

    `links[begin[a]:begin[a + 1]]` lead out of surface a; `by_cost[family, surface, cost]` are the
    sets; `zones` are the start surfaces of both sides and the surfaces of chests; `filed` is a work
    array.
    """

    links: Ints
    begin: Ints
    rungs: Ints
    filed: Words
    by_cost: Words
    deepest: Ints
    zones: Words


class WorkArrays(NamedTuple):
    """Work arrays of the turn searches and of the vertex-disjoint paths."""

    window: Words
    detail: Words
    states: Words
    flow: Words
    used: Ints
    came: Ints
    queue: Ints


class SightTables(NamedTuple):
    """Parameters of lines of sight in parts of a level: scale, eye height, deck thickness.

    `crossings[begin[offset]:]` are (row, col, enter, leave) of the tiles that a line of an offset
    crosses, after a first row with the number of parts of the line.
    """

    scale: int
    eye: int
    thick: int
    strict: bool
    crossings: Ints
    begin: Ints


def _trailing(typing_context: Any, value: Any) -> Any:
    """Return the index of the lowest set bit of a nonzero word, as one instruction."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), generate


_known: Any = intrinsic(_trailing)
lowest: Callable[[Word], Word] = _known
"""Index of the lowest set bit of a nonzero word."""


@compiled
def bits(word: Word) -> int:
    """Return the number of set bits."""
    number = 0
    while word != NONE:
        word &= word - ONE
        number += 1
    return number

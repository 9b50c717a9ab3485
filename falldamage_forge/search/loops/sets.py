"""Sets of surfaces as two words of bits, and the numbers that all loops share."""

from __future__ import annotations

import numba as nb
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

MOST = 128
"""Surfaces that two words hold."""
DECKS = 4
"""Decks over one tile."""
HEIGHTS = 32
"""Levels of rise and fall in the tables of what a family may do."""
COSTS = 5
BUDGET = 4
"""Levels of climb and fall told apart where Jump is a budget of the whole turn."""
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
"""Surfaces, whether it is playable, the four figures of each proof, and the classes cut off."""


@intrinsic
def lowest(typing_context, value):
    """The number of the lowest bit that is set, of a word that is not 0."""

    def generate(context, builder, signature, arguments):
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), generate


@nb.njit(cache=True)
def bits(word):
    """How many bits are set."""
    number = 0
    while word != NONE:
        word &= word - ONE
        number += 1
    return number

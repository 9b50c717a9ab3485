"""Random numbers of games and playouts: SplitMix64 in signed 64-bit integers.

Source: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014.
"""

from falldamage_forge.games.fall_damage.engine.columns import StateColumns
from falldamage_forge.playtest.bot_kernels.bot_columns import Bots

GAMMA, MIX, STIR = -0x61C8864680B583EB, -0x40A7B892E31B1A47, -0x6B2FB644ECCEEE15
"""Constants of SplitMix64 as signed integers."""
LOW = 0x7FFF_FFFF_FFFF_FFFF


def wrapped(number: int) -> int:
    """Return an integer wrapped to 64 bits; compiled code skips the call, as its integers wrap."""
    return (number & LOW) - ((number >> 63 & 1) << 63)


def shifted(number: int, bits: int) -> int:
    """Return a number shifted right without its sign.

    Args:
        number: A signed 64-bit integer.
        bits: Bits to shift, from 1 to 63.
    """
    return number >> bits & LOW >> (bits - 1)


def below(s: StateColumns, count: int) -> int:
    """Return a random integer from 0 to `count` - 1, and advance the state's generator.

    Args:
        s: State of the game; only work columns change.
        count: Number of equally likely results, at least 1.
    """
    s.dice = wrapped(s.dice + GAMMA)
    mixed = wrapped((s.dice ^ shifted(s.dice, 30)) * MIX)
    mixed = wrapped((mixed ^ shifted(mixed, 27)) * STIR)
    mixed ^= shifted(mixed, 31)
    return (shifted(mixed, 1) % count * 2 + (mixed & 1)) % count


def nth(s: StateColumns, bots: Bots, place: int) -> int:
    """Return the move at an index of the sorted list, by quickselect; the list is reordered.

    Args:
        s: State of the game; only work columns change.
        bots: Columns of the bots; read only.
        place: Index in the sorted list, below `n_moves`.
    """
    low, high = 0, s.n_moves - 1
    while low < high:
        pivot = s.moves[(low + high) >> 1]
        i, j = low, high
        while i <= j:
            while s.moves[i] < pivot:
                i += 1
            while s.moves[j] > pivot:
                j -= 1
            if i <= j:
                s.moves[i], s.moves[j] = s.moves[j], s.moves[i]
                i += 1
                j -= 1
        if place <= j:
            high = j
        elif place >= i:
            low = i
        else:
            return s.moves[place]
    return s.moves[place]

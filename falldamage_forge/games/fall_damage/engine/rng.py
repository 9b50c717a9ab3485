"""The game's random numbers: SplitMix64 on signed whole numbers of 64 bits."""

from falldamage_forge.games.fall_damage.engine.columns import State

GAMMA, MIX, STIR = -0x61C8864680B583EB, -0x40A7B892E31B1A47, -0x6B2FB644ECCEEE15
"""SplitMix64's three numbers as signed ones."""
LOW = 0x7FFF_FFFF_FFFF_FFFF


def wrapped(number: int) -> int:
    """A whole number as it is left in 64 bits; compiled, it is that already."""
    return (number & LOW) - ((number >> 63 & 1) << 63)


def shifted(number: int, bits: int) -> int:
    """A number's bits moved down, as if it had no sign."""
    return number >> bits & LOW >> (bits - 1)


def below(s: State, count: int) -> int:
    """A random number below another; the state's dice go on."""
    s.dice = wrapped(s.dice + GAMMA)
    mixed = wrapped((s.dice ^ shifted(s.dice, 30)) * MIX)
    mixed = wrapped((mixed ^ shifted(mixed, 27)) * STIR)
    mixed ^= shifted(mixed, 31)
    return (shifted(mixed, 1) % count * 2 + (mixed & 1)) % count

"""Moves as numbers that sort like the plain engine's lists."""

from falldamage_forge.playtest.core.loops import layout as L
from falldamage_forge.playtest.core.loops.inner import loop


@loop
def key_of(kind, name, where=-16, where2=-1, word=0, one=-1, two=-1, way=-1):
    """A move as one number; `where` is a spot, or a tile times 16."""
    low = (way + 1) | (two + 1) << 3 | (one + 1) << 9 | word << 15 | name << 23
    return low | (where2 + 1) << 29 | (where + 16) << 44 | kind << 59


@loop
def kind_in(key):
    """The kind of a move."""
    return key >> 59


@loop
def name_in(key):
    """The name of a move."""
    return key >> 23 & 63


@loop
def spot_in(key):
    """The first spot of a move, or its tile times 16; -16: none."""
    return (key >> 44 & 0x7FFF) - 16


@loop
def spot2_in(key):
    """The second spot of a move; -1: none."""
    return (key >> 29 & 0x7FFF) - 1


@loop
def word_in(key):
    """The word of a move."""
    return key >> 15 & 255


@loop
def meaning(m, word):
    """The tile or number a word names."""
    return m[L.WORDS + word * 2 + 1]


@loop
def unit_in(key):
    """The first unit of a move; -1: none."""
    return (key >> 9 & 63) - 1


@loop
def unit2_in(key):
    """The second unit of a move; -1: none."""
    return (key >> 3 & 63) - 1


@loop
def way_in(key):
    """The way of a move; -1: none."""
    return (key & 7) - 1


@loop
def add(m, key):
    """One more legal move."""
    if m[L.N_MOVES] >= L.MOST_MOVES:
        m[L.HAND] = L.LOST
        return
    m[L.MOVES + m[L.N_MOVES]] = key
    m[L.N_MOVES] += 1

"""Moves as numbers that sort as lists of moves do."""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import State


def key_of(
    kind: int,
    name: int,
    where: int = -16,
    where2: int = -1,
    word: int = 0,
    one: int = -1,
    two: int = -1,
    way: int = -1,
) -> int:
    """A move as one number; `where` is a spot, or a tile times 16."""
    low = (way + 1) | (two + 1) << 3 | (one + 1) << 9 | word << 15 | name << 23
    first, second = where + 16, where2 + 1
    # Beyond row 30 a place takes a bit that compiled numbers do not have.
    far = (first >> 15 | second >> 15 << 1) << 32 << 31
    return far | low | (second & 0x7FFF) << 29 | (first & 0x7FFF) << 44 | kind << 59


def kind_in(key: int) -> int:
    """The kind of a move."""
    return key >> 59 & 15


def name_in(key: int) -> int:
    """The name of a move."""
    return key >> 23 & 63


def spot_in(key: int) -> int:
    """The first spot of a move, or its tile times 16; -16: none."""
    return (key >> 44 & 0x7FFF | (key >> 63 & 1) << 15) - 16


def spot2_in(key: int) -> int:
    """The second spot of a move; -1: none."""
    return (key >> 29 & 0x7FFF | (key >> 63 >> 1 & 1) << 15) - 1


def word_in(key: int) -> int:
    """The word of a move."""
    return key >> 15 & 255


def meaning(s: State, word: int) -> int:
    """The tile or number a word names."""
    return s.word_value[word]


def unit_in(key: int) -> int:
    """The first unit of a move; -1: none."""
    return (key >> 9 & 63) - 1


def unit2_in(key: int) -> int:
    """The second unit of a move; -1: none."""
    return (key >> 3 & 63) - 1


def way_in(key: int) -> int:
    """The way of a move; -1: none."""
    return (key & 7) - 1


def add(s: State, key: int) -> None:
    """One more legal move."""
    if s.n_moves >= C.MOST_MOVES:
        s.lost = C.LOST
        return
    s.moves[s.n_moves] = key
    s.n_moves += 1

"""Moves as integers that sort in the order of legal moves."""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import StateColumns

WORDED = 1 << 16
"""Bit of a move with a word."""


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
    """Return a move as an integer.

    Args:
        kind: Kind of the move, such as `codes.K_MOVE`.
        name: Name of the move, such as `codes.M_ATTACK`.
        where: Surface, or a tile times 16; -16 for none.
        where2: Second surface, or damage and cost of a path; -1 for none.
        word: Word; 0 for none. A move has no word if it has a second unit: they share their bits.
        one: First unit; -1 for none.
        two: Second unit; -1 for none.
        way: Direction; -1 for none.
    """
    what = WORDED | word << 6 | (one + 1) if word else (one + 1) << 6 | (two + 1)
    first, second = where + 16, where2 + 1
    return (way + 1) | what << 3 | name << 20 | second << 26 | first << 42 | kind << 58


def kind_in(key: int) -> int:
    """Return the kind of a move."""
    return key >> 58


def name_in(key: int) -> int:
    """Return the name of a move."""
    return key >> 20 & 63


def spot_in(key: int) -> int:
    """Return the first spot of a move, or its tile times 16; -16: none."""
    return (key >> 42 & 0xFFFF) - 16


def spot2_in(key: int) -> int:
    """Return the second spot of a move; -1: none."""
    return (key >> 26 & 0xFFFF) - 1


def word_in(key: int) -> int:
    """Return the word of a move."""
    return key >> 9 & 1023 if key >> 3 & WORDED else 0


def decode_word(s: StateColumns, word: int) -> int:
    """Return the tile or number a word names.

    Args:
        s: State of the game; read only.
        word: Index of the word.
    """
    return s.word_value[word]


def unit_in(key: int) -> int:
    """Return the first unit of a move; -1: none."""
    return (key >> (3 if key >> 3 & WORDED else 9) & 63) - 1


def unit2_in(key: int) -> int:
    """Return the second unit of a move; -1: none."""
    return -1 if key >> 3 & WORDED else (key >> 3 & 63) - 1


def way_in(key: int) -> int:
    """Return the way of a move; -1: none."""
    return (key & 7) - 1


def append_move(s: StateColumns, key: int) -> None:
    """Append a legal move; `lost` is set if the list is full.

    Args:
        s: State of the game; only work columns change.
        key: Number of the move.
    """
    if s.n_moves >= C.MOST_MOVES:
        s.lost = C.LOST
        return
    s.moves[s.n_moves] = key
    s.n_moves += 1

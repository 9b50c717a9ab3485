"""Nearest legal act: a refused gesture between two tiles, with an end near the one that was meant.

The rules are not known here: each candidate is asked of the gesture itself.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

from falldamage_forge.board import DIRECTIONS, Board, Tile
from falldamage_forge.elements import ELEMENTS

MAX_TRIES = 8
"""Greatest number of candidates; each takes as long as a preview."""


def nearest_act(board: Board, words: str, fits: Callable[[str], bool]) -> str | None:
    """Return the legal gesture nearest to a refused one with two ends; None if none is near.

    Args:
        board: The board before the gesture.
        words: The refused gesture, such as `bridge E9 F7`.
        fits: Returns whether a gesture in words can be applied.
    """
    parts = words.split()
    element = ELEMENTS.get(parts[0]) if parts else None
    if len(parts) < 3 or element is None or element.form != "span":
        return None
    try:
        first, last = map(Tile.parse, parts[1:3])
    except ValueError:
        return None
    reach = max(board.rows, board.cols) if element.level else 1
    ends = (
        Tile(first.row + down * far, first.col + right * far)
        for down, right in DIRECTIONS
        for far in range(1, reach + 1)
    )
    near = sorted((end for end in ends if end in board), key=lambda end: _between(end, last))
    # A ladder has a foot and a top; what has one level is the same from both ends.
    ways = 1 if element.level else 2
    pairs = (pair for end in near for pair in ((first, end), (end, first))[:ways])
    for one, other in islice(pairs, MAX_TRIES):
        tried = " ".join((element.word, str(one), str(other), *parts[3:]))
        if fits(tried):
            return tried
    return None


def _between(one: Tile, other: Tile) -> int:
    """Return the number of steps between two tiles."""
    return abs(one.row - other.row) + abs(one.col - other.col)

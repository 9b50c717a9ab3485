"""Extra parts of a board that stand on none of its tiles: the rim, and parts that a map adds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from falldamage_forge.board import BOARD_STEP, Board
from falldamage_forge.pieces.catalogue import Catalogue, rim_keys

TIES_A_STRIP = 2
"""A strip is joined to its quadrant at both of its corner tiles."""


def rim_of(board: Board, *, ties: bool = True) -> dict[str, int]:
    """Return the strips north (letters) and west (numbers) of a board, and their ties, by key.

    Args:
        board: The board.
        ties: False if magnets join the strips.
    """
    letters = [rim_keys(first)[0] for first in range(0, board.cols, BOARD_STEP)]
    numbers = [rim_keys(first)[1] for first in range(0, board.rows, BOARD_STEP)]
    strips = [*letters, *numbers]
    tied = {"tie": TIES_A_STRIP * len(strips)} if ties else {}
    return {**dict.fromkeys(strips, 1), **tied}


def extra_parts(
    board: Board, catalogue: Catalogue, extras: Iterable[tuple[str, int]], *, rim: bool
) -> dict[str, int]:
    """Return the parts of a map that do not follow from its board, by key.

    Args:
        board: Gives the number of rim strips.
        catalogue: Pieces to look names up in.
        extras: (piece name, count) pairs of the map.
        rim: True to include the lettered rim.

    Raises:
        ForgeError: (FDF400) If a piece is unknown.
    """
    strips = rim_of(board, ties=not catalogue.magnets) if rim else {}
    counts = Counter(catalogue.keyed(strips))
    for key, count in extras:
        counts[catalogue[key].key] += count
    return dict(sorted(counts.items()))


def combine_extras(tables: Iterable[Mapping[str, int]], *, together: bool) -> dict[str, int]:
    """Return the extras of several maps: the maximum of each, or the sum if `together`.

    Args:
        tables: Extras of each map: number by key.
        together: True if all maps stand at the same time.
    """
    counts: Counter[str] = Counter()
    for table in tables:
        counts = counts + Counter(table) if together else counts | Counter(table)
    return dict(sorted(counts.items()))

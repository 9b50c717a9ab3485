"""Parts that go along with a board and stand on none of its tiles: the rim, and what a map adds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from falldamage_forge.board import BOARD_STEP, Board
from falldamage_forge.pieces.catalogue import Catalogue, rim_keys

TIES_A_STRIP = 2
"""A strip is joined to its quadrant at both of its corner tiles."""


def rim_of(board: Board) -> dict[str, int]:
    """Strips along a board's north (letters) and west (numbers), and their ties, by key."""
    letters = [rim_keys(first)[0] for first in range(0, board.cols, BOARD_STEP)]
    numbers = [rim_keys(first)[1] for first in range(0, board.rows, BOARD_STEP)]
    strips = [*letters, *numbers]
    return {**dict.fromkeys(strips, 1), "tie": TIES_A_STRIP * len(strips)}


def beside(
    board: Board, catalogue: Catalogue, extras: Iterable[tuple[str, int]], *, rim: bool
) -> dict[str, int]:
    """Parts of a map that its board does not ask for, by key; ForgeError for an unknown piece."""
    found = Counter(catalogue.keyed(rim_of(board)) if rim else {})
    for key, count in extras:
        found[catalogue[key].key] += count
    return dict(sorted(found.items()))


def of_several(tables: Iterable[Mapping[str, int]], *, together: bool) -> dict[str, int]:
    """What goes along with several maps: the most of each, or with `together` the sum."""
    found: Counter[str] = Counter()
    for table in tables:
        found = found + Counter(table) if together else found | Counter(table)
    return dict(sorted(found.items()))

"""Variety of a board: how much its levels and its passages differ, as shares below 1."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterator

from falldamage_forge.board import Board, Ground


def variety(values: Collection[Hashable]) -> float:
    """Return the probability that two values differ, each drawn at random (Gini-Simpson index)."""
    counts = Counter(values)
    return 1 - sum(count * count for count in counts.values()) / max(len(values), 1) ** 2


def level_variety(board: Board) -> float:
    """Return the variety of the levels of columns without lava."""
    return variety([column.level for column in board.columns if column.ground is not Ground.LAVA])


def passage_variety(board: Board) -> float:
    """Return the variety of the widths of passages: wide and narrow ones make choices."""
    return variety([*_widths(board)])


def _widths(board: Board) -> Iterator[int]:
    """Yield how many steps of at most one level cross each line between two rows or columns."""
    rows, cols, columns = board.rows, board.cols, board.columns
    decks = [
        {tile.row * cols + tile.col for tile in (deck.a, *deck.tiles, deck.b)}
        for deck in board.decks
    ]

    def crosses(a: int, b: int) -> bool:
        one, other = columns[a], columns[b]
        dry = one.ground is not Ground.LAVA and other.ground is not Ground.LAVA
        return (dry and abs(one.level - other.level) <= 1) or any({a, b} <= deck for deck in decks)

    for row in range(rows - 1):
        yield sum(crosses(row * cols + col, (row + 1) * cols + col) for col in range(cols))
    for col in range(cols - 1):
        yield sum(crosses(row * cols + col, row * cols + col + 1) for row in range(rows))

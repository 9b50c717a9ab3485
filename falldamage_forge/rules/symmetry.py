"""Symmetry of a board: is it its own image, and which sides change places?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from falldamage_forge.board import Board, Deck, Tile, make_board

Move = Callable[[int, int, int, int], tuple[int, int]]

OPERATORS: Mapping[str, Move] = {
    "rotate-90": lambda r, c, rows, cols: (c, rows - 1 - r),
    "rotate-180": lambda r, c, rows, cols: (rows - 1 - r, cols - 1 - c),
    "rotate-270": lambda r, c, rows, cols: (cols - 1 - c, r),
    "mirror-x": lambda r, c, rows, cols: (r, cols - 1 - c),
    "mirror-y": lambda r, c, rows, cols: (rows - 1 - r, c),
}
"""Where (row, col) of a rows x cols board goes. Rotation is clockwise; x runs west to east."""


def image(board: Board, operator: str) -> Board:
    """The board under an operator; quarter turns exchange its sides' lengths."""
    move = OPERATORS[operator]

    def to(tile: Tile) -> Tile:
        return Tile(*move(tile.row, tile.col, board.rows, board.cols))

    turned = operator in ("rotate-90", "rotate-270")
    rows, cols = (board.cols, board.rows) if turned else (board.rows, board.cols)
    columns = {to(tile): board.column(tile) for tile in board.tiles()}
    return make_board(
        rows,
        cols,
        [columns[Tile(row, col)] for row in range(rows) for col in range(cols)],
        decks=[Deck.between(to(deck.a), to(deck.b), deck.level) for deck in board.decks],
        ladders=[replace(x, foot=to(x.foot), top=to(x.top)) for x in board.ladders],
        treasures=[replace(chest, tile=to(chest.tile)) for chest in board.treasures],
        starts=[
            replace(zone, surfaces=tuple(sorted((to(t), level) for t, level in zone.surfaces)))
            for zone in board.starts
        ],
    )


def differences(board: Board, operator: str) -> tuple[Tile, ...]:
    """Tiles at which the board and its image differ, apart from who starts where; sorted.

    Sides may change places: start zones are compared as a set of zones.
    """
    other = image(board, operator)
    if (other.rows, other.cols) != (board.rows, board.cols):
        return tuple(board.tiles())
    tiles = {tile for tile in board.tiles() if board.column(tile) != other.column(tile)}
    tiles |= {deck.a for deck in set(board.decks) ^ set(other.decks)}
    tiles |= {ladder.foot for ladder in set(board.ladders) ^ set(other.ladders)}
    tiles |= {chest.tile for chest in set(board.treasures) ^ set(other.treasures)}
    zones = {frozenset(zone.surfaces) for zone in board.starts}
    for zone in zones ^ {frozenset(zone.surfaces) for zone in other.starts}:
        tiles |= {tile for tile, _ in zone if tile in board}
    return tuple(sorted(tiles))


def symmetries(board: Board) -> tuple[str, ...]:
    """The operators that leave the board as it is."""
    return tuple(name for name in OPERATORS if not differences(board, name))

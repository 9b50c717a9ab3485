"""A part of a board as a board of its own."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from falldamage_forge.board.grid import Tile
from falldamage_forge.board.model import Board, Deck, make_board
from falldamage_forge.values import dataclass


@dataclass(frozen=True, slots=True)
class Window:
    """Rows and columns from the first to before the last."""

    top: int
    left: int
    bottom: int
    right: int

    def __contains__(self, tile: object) -> bool:
        """Whether a tile lies in it."""
        return (
            isinstance(tile, Tile)
            and self.top <= tile.row < self.bottom
            and self.left <= tile.col < self.right
        )


def window_around(board: Board, tiles: Iterable[Tile], margin: int) -> Window:
    """The window of a margin around some tiles, wider where it would cut a deck or a ladder."""
    rows, cols = zip(*tiles, strict=True)
    window = _clipped(
        board, min(rows) - margin, min(cols) - margin, max(rows) + margin, max(cols) + margin
    )
    things = [(deck.a, deck.b) for deck in board.decks]
    things += [(ladder.foot, ladder.top) for ladder in board.ladders]
    while cut := [pair for pair in things if _crosses(pair, window)]:
        ends = [tile for pair in cut for tile in pair]
        window = _clipped(
            board,
            min(window.top, *(tile.row for tile in ends)),
            min(window.left, *(tile.col for tile in ends)),
            max(window.bottom - 1, *(tile.row for tile in ends)),
            max(window.right - 1, *(tile.col for tile in ends)),
        )
    return window


def _clipped(board: Board, top: int, left: int, last_row: int, last_col: int) -> Window:
    return Window(
        max(top, 0), max(left, 0), min(last_row + 1, board.rows), min(last_col + 1, board.cols)
    )


def _crosses(ends: tuple[Tile, Tile], window: Window) -> bool:
    """Whether something between two tiles in a line lies partly in a window."""
    a, b = min(ends), max(ends)
    line = {Tile(row, col) for row in range(a.row, b.row + 1) for col in range(a.col, b.col + 1)}
    inside = sum(tile in window for tile in line)
    return 0 < inside < len(line)


def seen_through(board: Board, window: Window) -> Board:
    """What a window holds of a board, without starts and treasure, from A1 on."""
    rows, cols = window.bottom - window.top, window.right - window.left

    def to(tile: Tile) -> Tile:
        return Tile(tile.row - window.top, tile.col - window.left)

    return make_board(
        rows,
        cols,
        [
            board.column((window.top + row, window.left + col))
            for row in range(rows)
            for col in range(cols)
        ],
        decks=[
            Deck.between(to(x.a), to(x.b), x.level, arch=x.arch)
            for x in board.decks
            if x.a in window and x.b in window
        ],
        ladders=[
            replace(x, foot=to(x.foot), top=to(x.top))
            for x in board.ladders
            if x.foot in window and x.top in window
        ],
        battlements=[replace(x, tile=to(x.tile)) for x in board.battlements if x.tile in window],
        steps=[replace(x, tile=to(x.tile)) for x in board.steps if x.tile in window],
        fittings=[replace(x, tile=to(x.tile)) for x in board.fittings if x.tile in window],
    )

"""Crop: a part of a board as a board of its own."""

from __future__ import annotations

from collections.abc import Iterable

from falldamage_forge.board.board_model import LISTS, Board, make_board
from falldamage_forge.board.coordinates import Tile
from falldamage_forge.infra.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class CropBox:
    """Rows `top` to before `bottom` and columns `left` to before `right`, in tiles."""

    top: int
    left: int
    bottom: int
    right: int

    def __contains__(self, tile: object) -> bool:
        """True if a tile lies in the box."""
        return (
            isinstance(tile, Tile)
            and self.top <= tile.row < self.bottom
            and self.left <= tile.col < self.right
        )


def crop_box_around(board: Board, tiles: Iterable[Tile], margin: int) -> CropBox:
    """Return the box around some tiles, grown until it cuts no deck, ladder or other span.

    Args:
        board: The board to crop.
        tiles: At least one tile.
        margin: Tiles to add on each side; the box stays on the board.
    """
    rows, cols = zip(*tiles, strict=True)
    box = _clipped(
        board, min(rows) - margin, min(cols) - margin, max(rows) + margin, max(cols) + margin
    )
    things = [x.ends for name in LISTS for x in board.items(name)]
    while cut := [pair for pair in things if _crosses(pair, box)]:
        ends = [tile for pair in cut for tile in pair]
        box = _clipped(
            board,
            min(box.top, *(tile.row for tile in ends)),
            min(box.left, *(tile.col for tile in ends)),
            max(box.bottom - 1, *(tile.row for tile in ends)),
            max(box.right - 1, *(tile.col for tile in ends)),
        )
    return box


def _clipped(board: Board, top: int, left: int, last_row: int, last_col: int) -> CropBox:
    return CropBox(
        max(top, 0), max(left, 0), min(last_row + 1, board.rows), min(last_col + 1, board.cols)
    )


def _crosses(ends: tuple[Tile, ...], box: CropBox) -> bool:
    """True if the line of tiles between two ends lies partly in a box."""
    a, b = min(ends), max(ends)
    line = {Tile(row, col) for row in range(a.row, b.row + 1) for col in range(a.col, b.col + 1)}
    inside = sum(tile in box for tile in line)
    return 0 < inside < len(line)


def crop_board(board: Board, box: CropBox) -> Board:
    """Return the part of a board in a box, A1 at the box's corner, without starts and chests.

    Args:
        board: The board.
        box: Part of the board; `bottom` and `right` are exclusive.
    """
    rows, cols = box.bottom - box.top, box.right - box.left

    def to(tile: Tile) -> Tile:
        return Tile(tile.row - box.top, tile.col - box.left)

    return make_board(
        rows,
        cols,
        [
            board.column((box.top + row, box.left + col))
            for row in range(rows)
            for col in range(cols)
        ],
        **{**board.moved(to, box), "treasures": ()},
    )

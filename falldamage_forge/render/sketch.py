"""What every painter of an isometric picture needs."""

from __future__ import annotations

from dataclasses import dataclass

from falldamage_forge.board import Board, Tile
from falldamage_forge.render.palette import Palette
from falldamage_forge.render.projection import Projection
from falldamage_forge.render.scene import Pen


@dataclass(frozen=True)
class Sketch:
    """Where to draw, how spots become pixels, and the colours."""

    board: Board
    pen: Pen
    at: Projection
    palette: Palette

    def level(self, row: int, col: int) -> int:
        """The level of a column, or -1 beyond the rim."""
        tile = Tile(row, col)
        return self.board.column(tile).level if tile in self.board else -1


def noise(*numbers: int) -> float:
    """A fixed number from 0 to 1 for some whole numbers: texture that never changes."""
    value = 0x9E3779B9
    for number in numbers:
        value = ((value ^ (number + 0x7F4A7C15)) * 0x85EBCA6B) & 0xFFFFFFFF
        value ^= value >> 13
    return ((value * 0xC2B2AE35 & 0xFFFFFFFF) >> 8) / 0xFFFFFF

"""Paint context of an isometric picture."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from falldamage_forge.board import Board, Tile
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.render.display_list import Pen
from falldamage_forge.render.isometric_projection import Projection
from falldamage_forge.render.palette import Palette


def no_shadows(_: Tile, __: float) -> tuple[()]:
    """Return no shadows."""
    return ()


@dataclass(frozen=True)
class PaintContext:
    """Board, pen, projection and colours of a picture."""

    board: Board
    pen: Pen
    at: Projection
    palette: Palette
    cast: Callable[[Tile, float], Sequence[Sequence[tuple[float, float]]]] = no_shadows
    """Returns the outlines, as (row, col) corners, of further shadows on a surface of a tile."""

    def level(self, row: int, col: int) -> int:
        """Return the level of a column, or -1 beyond the board.

        Args:
            row: Row from the north.
            col: Column from the west.
        """
        tile = Tile(row, col)
        return self.board.column(tile).level if tile in self.board else -1


def noise(*numbers: int) -> float:
    """Return a fixed pseudo-random number from 0 to 1 for some integers, for textures."""
    value = 0x9E3779B9
    for number in numbers:
        value = ((value ^ (number + 0x7F4A7C15)) * 0x85EBCA6B) & 0xFFFFFFFF
        value ^= value >> 13
    return ((value * 0xC2B2AE35 & 0xFFFFFFFF) >> 8) / 0xFFFFFF

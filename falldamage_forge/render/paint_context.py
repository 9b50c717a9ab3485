"""Paint context of an isometric picture."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import field

from falldamage_forge.board import Board, Ground, Tile
from falldamage_forge.board.coordinates import DIRECTIONS
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.render.display_list import PaintedPath, Pen
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
    drawn: dict[Hashable, tuple[PaintedPath, ...]] = field(default_factory=dict)
    """Shapes of earlier pictures of a series, by all that they depend on."""

    def once(self, looks: Hashable, paint: Callable[[], None]) -> None:
        """Paint, or add the shapes of an earlier picture of the series.

        Args:
            looks: All that the shapes depend on, but for projection and colours.
            paint: Draws them with the pen.
        """
        shapes = self.pen.shapes
        if looks in self.drawn:
            shapes += self.drawn[looks]
        else:
            start = len(shapes)
            paint()
            self.drawn[looks] = tuple(shapes[start:])

    def beside(self, tile: Tile) -> tuple[tuple[int, Ground | None], ...]:
        """Return level and ground of the four neighbours; level -1 beyond the board."""
        near = (Tile(tile.row + row, tile.col + col) for row, col in DIRECTIONS)
        columns = [self.board.column(one) if one in self.board else None for one in near]
        return tuple((one.level, one.ground) if one else (-1, None) for one in columns)

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

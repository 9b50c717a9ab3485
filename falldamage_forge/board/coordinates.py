"""Grid coordinates: tiles and their names, directions, and the transforms of a board.

Compass words, offsets and quarter turns are written in this module only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from falldamage_forge.infra.look_alikes import look_alike_hint

_TILE = re.compile(r"([A-Za-z]{1,2})([1-9][0-9]{0,2})")


def column_name(col: int) -> str:
    """Return the letters of a column counted from 0: A … Z, then AA … AZ, then BA."""
    return chr(65 + col) if col < 26 else chr(64 + col // 26) + chr(65 + col % 26)


def column_index(letters: str) -> int:
    """Return the column, counted from 0, of its letters; the inverse of `column_name`."""
    index = 0
    for letter in letters.upper():
        index = index * 26 + ord(letter) - 64
    return index - 1


class Tile(NamedTuple):
    """A grid cell. `row` counts south and `col` east from the north-west corner, from 0."""

    row: int
    col: int

    @classmethod
    def parse(cls, text: str) -> Tile:
        """Return the tile of a name such as `A1` (north-west corner) or `J10`.

        Raises:
            ValueError: If the text is not a tile's name.
        """
        match = _TILE.fullmatch(text)
        if match is None:
            how = look_alike_hint(text) or "write a column letter and a row, such as E5"
            raise ValueError(f"`{text}` is not a tile; {how}")
        return cls(int(match[2]) - 1, column_index(match[1]))

    def __str__(self) -> str:
        return f"{column_name(self.col)}{self.row + 1}"

    def step(self, offset: tuple[int, int], count: int = 1) -> Tile:
        """Return the tile `count` steps along a (d_row, d_col) offset; it may be off the board.

        Args:
            offset: Rows down and columns to the right of a step.
            count: Number of steps; negative for the other direction.
        """
        return Tile(self.row + offset[0] * count, self.col + offset[1] * count)


_PLACE = re.compile(r"([A-Za-z]{1,2}[1-9][0-9]{0,2})(?:@([0-9]{1,2}))?")


def parse_place(text: str) -> tuple[Tile, int | None]:
    """Return tile and level of `E5@2`, or tile and None of `E5`.

    Raises:
        ValueError: If the text is neither.
    """
    match = _PLACE.fullmatch(text.strip())
    if match is None:
        how = look_alike_hint(text) or "write E5, or E5@2 for level 2"
        raise ValueError(f"`{text}` is not a surface; {how}")
    return Tile.parse(match[1]), int(match[2]) if match[2] else None


NORTH, EAST, SOUTH, WEST = (-1, 0), (0, 1), (1, 0), (0, -1)
DIRECTIONS = (NORTH, EAST, SOUTH, WEST)
DIRECTION_NAMES = dict(zip(DIRECTIONS, ("north", "east", "south", "west"), strict=True))
WAYS = {name: offset for offset, name in DIRECTION_NAMES.items()}
"""(d_row, d_col) offsets by direction name."""

TurnMove = Callable[[int, int, int, int], tuple[int, int]]

TURNS: Mapping[str, TurnMove] = {
    "rotate-90": lambda r, c, rows, cols: (c, rows - 1 - r),
    "rotate-180": lambda r, c, rows, cols: (rows - 1 - r, cols - 1 - c),
    "rotate-270": lambda r, c, rows, cols: (cols - 1 - c, r),
    "mirror-x": lambda r, c, rows, cols: (r, cols - 1 - c),
    "mirror-y": lambda r, c, rows, cols: (rows - 1 - r, c),
}
"""Transforms by name: (row, col, rows, cols) to the new (row, col).

Rotations are clockwise; x runs west to east.
"""
QUARTERS = ("rotate-90", "rotate-270")
"""Transforms that exchange the numbers of rows and columns."""


def transform_tile(name: str, rows: int, cols: int) -> Callable[[Tile], Tile]:
    """Return the function that maps a tile of a board to its image.

    Args:
        name: Key of `TURNS`.
        rows: Rows of the board before the transform.
        cols: Columns of the board before the transform.

    Raises:
        KeyError: If there is no such transform.
    """
    move = TURNS[name]
    return lambda tile: Tile(*move(tile.row, tile.col, rows, cols))


def transformed_size(name: str, rows: int, cols: int) -> tuple[int, int]:
    """Return (rows, cols) of a board after a transform.

    Args:
        name: Name of the transform, such as `rotate-90`.
        rows: Rows before the transform.
        cols: Columns before the transform.
    """
    return (cols, rows) if name in QUARTERS else (rows, cols)

"""Surface numbers: a surface as an integer that does not depend on the terrain.

A surface number is `row << 10 | col << 4 | level`, so numbers sort by row, column, level. A tile
number is `surface number >> 4`.
"""

from __future__ import annotations

from falldamage_forge.board import Tile, column_name
from falldamage_forge.board.surfaces import Surface

NOWHERE = -1
TOP_LEVEL = 15
"""Greatest level: a column of 12 with three bricks."""


def spot_at(row: int, col: int, level: int) -> int:
    """Return the surface number of a row, a column and a level, all from 0.

    Args:
        row: Row from 0, the north.
        col: Column from 0, the west.
        level: Level from 0 to 15.
    """
    return row << 10 | col << 4 | level


def spot_of(surface: Surface) -> int:
    """Return the number of a surface."""
    return surface.tile.row << 10 | surface.tile.col << 4 | surface.level


def surface_of(spot: int) -> Surface:
    """Return the surface of a number."""
    return Surface(Tile(spot >> 10, spot >> 4 & 63), spot & 15)


def tile_number(tile: Tile) -> int:
    """Return the number of a tile."""
    return tile.row << 6 | tile.col


def tile_of(number: int) -> Tile:
    """Return the tile of a number."""
    return Tile(number >> 6, number & 63)


def tile_name(number: int) -> str:
    """Return a tile's name such as `E5`."""
    return f"{column_name(number & 63)}{(number >> 6) + 1}"


def spot_name(spot: int) -> str:
    """Return a surface's name such as `E5@2`."""
    return f"{tile_name(spot >> 4)}@{spot & 15}"


def parse_tile(text: str) -> int:
    """Return the number of a tile's name.

    Raises:
        ValueError: If the text is not a tile.
    """
    return tile_number(Tile.parse(text))


def parse_spot(text: str) -> int:
    """Return the number of a surface's name such as `E5@2`.

    Raises:
        ValueError: If the text is not a surface.
    """
    name, sign, level = text.partition("@")
    if not sign or not level.isdigit() or int(level) > TOP_LEVEL:
        raise ValueError(f"`{text}` is not a surface; write a tile and a level, such as E5@2")
    return parse_tile(name) << 4 | int(level)

"""Spots: a surface as one whole number, the same whatever the terrain becomes in play.

A spot holds row, column and level (`row << 10 | col << 4 | level`), so spots sort as the board
reads: by row, column, level. A tile's number is its spot's without the level (`spot >> 4`).
"""

from __future__ import annotations

from functools import lru_cache

from falldamage_forge.board import DIRECTIONS, Tile, column_name
from falldamage_forge.board.surfaces import Surface

NOWHERE = -1
TOP_LEVEL = 15
"""Levels of a spot end here: a column of 12 with three bricks."""
STEPS = tuple((rows << 6) + cols for rows, cols in DIRECTIONS)
"""What to add to a tile's number to go north, east, south, west."""


def spot_at(row: int, col: int, level: int) -> int:
    """The spot of a row, a column and a level, all from 0."""
    return row << 10 | col << 4 | level


def spot_of(surface: Surface) -> int:
    """The spot of a surface."""
    return surface.tile.row << 10 | surface.tile.col << 4 | surface.level


def surface_of(spot: int) -> Surface:
    """The surface of a spot."""
    return Surface(Tile(spot >> 10, spot >> 4 & 63), spot & 15)


def tile_number(tile: Tile) -> int:
    """The number of a tile."""
    return tile.row << 6 | tile.col


def tile_of(number: int) -> Tile:
    """The tile of a number."""
    return Tile(number >> 6, number & 63)


def tile_name(number: int) -> str:
    """`E5`."""
    return f"{column_name(number & 63)}{(number >> 6) + 1}"


def spot_name(spot: int) -> str:
    """`E5@2`."""
    return f"{tile_name(spot >> 4)}@{spot & 15}"


def parse_tile(text: str) -> int:
    """The number of a tile's name; ValueError otherwise."""
    return tile_number(Tile.parse(text))


def parse_spot(text: str) -> int:
    """The spot of `E5@2`; ValueError otherwise."""
    name, sign, level = text.partition("@")
    if not sign or not level.isdigit() or int(level) > TOP_LEVEL:
        raise ValueError(f"`{text}` is not a surface; write a tile and a level, such as E5@2")
    return parse_tile(name) << 4 | int(level)


def apart(one: int, other: int) -> int:
    """Tiles between two spots, walked along rows and columns (Manhattan)."""
    return abs((one >> 10) - (other >> 10)) + abs((one >> 4 & 63) - (other >> 4 & 63))


def around(one: int, other: int) -> int:
    """Tiles between two spots, diagonals counted as one (Chebyshev)."""
    return max(abs((one >> 10) - (other >> 10)), abs((one >> 4 & 63) - (other >> 4 & 63)))


def nearness(spot: int, to: int) -> tuple[int, int, int, int]:
    """How near a spot is, with every tie broken: tiles, levels between, level, then the board."""
    return apart(spot, to), abs((spot & 15) - (to & 15)), spot & 15, spot >> 4


@lru_cache(maxsize=20_000)
def neighbours(tile: int, rows: int, cols: int) -> tuple[tuple[int, int], ...]:
    """The next tile and the one after it, north, east, south, west; -1 off the board."""
    found = []
    for row, col in DIRECTIONS:
        near = ((tile >> 6) + row, (tile & 63) + col)
        far = (near[0] + row, near[1] + col)
        if 0 <= near[0] < rows and 0 <= near[1] < cols:
            inside = 0 <= far[0] < rows and 0 <= far[1] < cols
            found.append((near[0] << 6 | near[1], far[0] << 6 | far[1] if inside else -1))
    return tuple(found)

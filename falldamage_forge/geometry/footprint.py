"""Footprints: cells, their outlines, edges and rims.

Coordinates are a piece's own frame on the table: x east, y north, the footprint's north-west corner
at (0, 0), z = 0 the level it stands on (the top of a quadrant and of a deck).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from falldamage_forge.board.coordinates import DIRECTIONS
from falldamage_forge.geometry.design_parameters import DesignParameters

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

Cell = tuple[int, int]
Cells = tuple[Cell, ...]
SIDES: tuple[Cell, ...] = DIRECTIONS
"""(row, col) steps north, east, south, west; a side's index is its number of clockwise turns."""


def outline(cells: Cells, fit: DesignParameters) -> BaseGeometry:
    """Return the footprint's outline, inset from its tiles by the side gap.

    Args:
        cells: Tiles of the footprint.
        fit: Design parameters of the printer and grid, in mm.
    """
    import shapely

    pitch = fit.grid.pitch_mm
    squares = []
    for row, col in cells:
        x, y = fit.grid.corner_mm(row, col)
        squares.append(shapely.box(x, y - pitch, x + pitch, y))
    return offset_polygon(shapely.union_all(squares), -fit.side_mm)


def offset_polygon(shape: BaseGeometry, by_mm: float) -> BaseGeometry:
    """Return a shape with its edges moved outward (negative: inward), corners kept sharp.

    Args:
        shape: Polygons in mm.
        by_mm: Distance; negative: inward.
    """
    import shapely

    return shapely.buffer(shape, by_mm, join_style="mitre", mitre_limit=10.0)


def center_on_cell(shape: BaseGeometry, cell: Cell, fit: DesignParameters) -> BaseGeometry:
    """Return a shape about (0, 0) moved to a cell's middle.

    Args:
        shape: Polygons about (0, 0), in mm.
        cell: Tile as (row, column).
        fit: Design parameters of the printer and grid, in mm.
    """
    from shapely import affinity

    return affinity.translate(shape, *fit.grid.centre_mm(*cell))


def rotate_polygon(shape: BaseGeometry, quarters: int) -> BaseGeometry:
    """Return a shape turned clockwise about (0, 0).

    Args:
        shape: Polygons in mm.
        quarters: Number of quarter turns.
    """
    from shapely import affinity

    return affinity.rotate(shape, -90 * quarters, origin=(0, 0))


def split_edges(cells: Cells) -> tuple[list[tuple[Cell, int]], list[tuple[Cell, int]]]:
    """Return (cell, side) pairs on the footprint's rim, and those between two of its cells."""
    inside = set(cells)
    rim: list[tuple[Cell, int]] = []
    inner: list[tuple[Cell, int]] = []
    for cell in cells:
        for side, (row, col) in enumerate(SIDES):
            near = (cell[0] + row, cell[1] + col)
            (inner if near in inside else rim).append((cell, side))
    return rim, inner


CROSS_MM, LONG_CROSS_MM = 1.2, 2.0
"""Half length of the crosses that support the middle of a tile's thin skin, and of those of one
wide line: their ends reach past the ribs of a top, as a slicer leaves out short ones."""


def cross(wall_mm: float, reach_mm: float = CROSS_MM) -> BaseGeometry:
    """Return the section of a post about (0, 0): two crossing walls."""
    import shapely

    half = wall_mm / 2
    return shapely.union(
        shapely.box(-reach_mm, -half, reach_mm, half), shapely.box(-half, -reach_mm, half, reach_mm)
    )


def wall_ring(shape: BaseGeometry, wall_mm: float) -> BaseGeometry:
    """Return the band of an outline within `wall_mm` of its edge.

    Args:
        shape: Outline in mm.
        wall_mm: Width of the band.
    """
    import shapely

    return shapely.difference(shape, offset_polygon(shape, -wall_mm))


def square(half_mm: float) -> BaseGeometry:
    """Return a square about (0, 0) from half its side."""
    import shapely

    return shapely.box(-half_mm, -half_mm, half_mm, half_mm)

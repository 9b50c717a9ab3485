"""What the tops and bottoms of tiles have in common: outlines, sockets, keyholes, pegs, ribs.

Everything is in a piece's own frame as it stands on the table: x east, y north, the footprint's
north-west corner at (0, 0), z = 0 the level it stands on (a quadrant's and a deck's top).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from falldamage_forge.geometry.connectors import STANDARD, keyhole, side_gap_mm, socket
from falldamage_forge.geometry.fits import Fit
from falldamage_forge.geometry.loft import FLARE, extrude, prism
from falldamage_forge.geometry.solids import (
    Solid,
    cut,
    frustum,
    hull,
    moved,
    rise_for_mm,
    swept,
    union,
)

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

Cell = tuple[int, int]
Cells = tuple[Cell, ...]
LIFT_MM = 0.2
"""Inner ribs end this far from the table and the skin's face, so that only walls touch either."""
SIDES: tuple[Cell, ...] = ((-1, 0), (0, 1), (1, 0), (0, -1))
"""(row, col) steps north, east, south, west: a side's index is its clockwise quarter turns."""


def outline(cells: Cells, fit: Fit) -> BaseGeometry:
    """The footprint's outline, inside its tiles by the side gap."""
    import shapely

    pitch = fit.grid.pitch_mm
    squares = []
    for row, col in cells:
        x, y = fit.grid.corner_mm(row, col)
        squares.append(shapely.box(x, y - pitch, x + pitch, y))
    joined = shapely.union_all(squares)
    return shapely.buffer(joined, -side_gap_mm(fit.seam_mm), join_style="mitre")


def centred(shape: BaseGeometry, cell: Cell, fit: Fit) -> BaseGeometry:
    """A shape round (0, 0) moved to a cell's middle."""
    from shapely import affinity

    return affinity.translate(shape, *fit.grid.centre_mm(*cell))


def edge_holes(cell: Cell, side: int, fit: Fit, grow_mm: float = 0.0) -> Iterator[BaseGeometry]:
    """The two keyholes of one edge of a cell's top (negative growth: the knobs that enter it)."""
    for hole in _edge_holes(side, grow_mm, fit.grid.pitch_mm):
        yield centred(hole, cell, fit)


@cache
def _edge_holes(side: int, grow_mm: float, pitch_mm: float) -> tuple[BaseGeometry, ...]:
    """The keyholes of one edge of a tile round (0, 0)."""
    from shapely import affinity

    offset = STANDARD.keyhole_offset_mm
    return tuple(
        affinity.rotate(
            affinity.translate(keyhole(grow_mm), x, pitch_mm / 2), -90 * side, origin=(0, 0)
        )
        for x in (-offset, offset)
    )


def split_edges(cells: Cells) -> tuple[list[tuple[Cell, int]], list[tuple[Cell, int]]]:
    """(cell, side) pairs on the footprint's rim, and those between two of its cells."""
    inside = set(cells)
    rim: list[tuple[Cell, int]] = []
    inner: list[tuple[Cell, int]] = []
    for cell in cells:
        for side, (row, col) in enumerate(SIDES):
            near = (cell[0] + row, cell[1] + col)
            (inner if near in inside else rim).append((cell, side))
    return rim, inner


def wall_ring(shape: BaseGeometry, wall_mm: float) -> BaseGeometry:
    """The band of an outline that lies within `wall_mm` of its edge."""
    import shapely

    return shapely.difference(shape, shapely.buffer(shape, -wall_mm, join_style="mitre"))


def tub(cell: Cell, fit: Fit) -> BaseGeometry:
    """The outline of the block of walls and floor that a socket is cut into."""
    return centred(square(STANDARD.socket_mm / 2 + STANDARD.wall_mm), cell, fit)


def socket_hole(cell: Cell, fit: Fit, depth_mm: float) -> Solid:
    """What a socket takes away of a top at z = 0, with its chamfered mouth."""
    return moved(_socket_tool(depth_mm), *fit.grid.centre_mm(*cell))


@cache
def _socket_tool(depth_mm: float) -> Solid:
    mouth = (-STANDARD.mouth_mm, STANDARD.mouth_mm)
    return prism(socket(), -depth_mm, 0.0, high=mouth, beyond_mm=1.0)


def edge_tubs(edges: list[tuple[Cell, int]], shape: BaseGeometry, fit: Fit) -> Solid:
    """Walls and floors under the keyholes of a top at z = 0, which carry a bridge's knobs."""
    import shapely

    grown = [
        shapely.buffer(hole, STANDARD.wall_mm)
        for cell, side in edges
        for hole in edge_holes(cell, side, fit)
    ]
    low = -STANDARD.keyhole_depth_mm - STANDARD.skin_mm
    return extrude(shapely.intersection(shapely.union_all(grown), shape), low, -LIFT_MM)


def edge_cuts(edges: list[tuple[Cell, int]], fit: Fit) -> list[Solid]:
    """What keyholes take away of a top at z = 0; their mouths flare against elephant's foot."""
    return [
        moved(tool, *fit.grid.centre_mm(*cell))
        for cell, side in edges
        for tool in _edge_tools(side, fit.grid.pitch_mm)
    ]


@cache
def _edge_tools(side: int, pitch_mm: float) -> tuple[Solid, ...]:
    return tuple(
        prism(hole, -STANDARD.keyhole_depth_mm, 0.0, high=FLARE, beyond_mm=1.0)
        for hole in _edge_holes(side, 0.0, pitch_mm)
    )


def beams(edges: list[tuple[Cell, int]], fit: Fit) -> BaseGeometry:
    """Ribs under a top from socket to edge, between the two keyholes of each edge."""
    import shapely
    from shapely import affinity

    half = STANDARD.wall_mm / 2
    start, end = STANDARD.socket_mm / 2 + half, fit.grid.pitch_mm / 2
    rib = shapely.box(-half, start, half, end)
    ribs = [
        centred(affinity.rotate(rib, -90 * side, origin=(0, 0)), cell, fit) for cell, side in edges
    ]
    return shapely.union_all(ribs)


def crosses(cells: Cells, fit: Fit, reach_mm: float) -> BaseGeometry:
    """Cross-shaped posts under every inner corner of four tiles; empty where there is none."""
    import shapely

    half = STANDARD.wall_mm / 2
    shapes = []
    for row, col in inner_corners(cells):
        x, y = fit.grid.corner_mm(row, col)
        shapes.append(shapely.box(x - reach_mm, y - half, x + reach_mm, y + half))
        shapes.append(shapely.box(x - half, y - reach_mm, x + half, y + reach_mm))
    return shapely.union_all(shapes)


def inner_corners(cells: Cells) -> list[Cell]:
    """Grid corners (the north-west ones of these cells) that four of the cells share."""
    inside = set(cells)
    return [
        (row, col)
        for row, col in cells
        if {(row - 1, col), (row, col - 1), (row - 1, col - 1)} <= inside
    ]


def peg(fit: Fit, length_mm: float, root_mm: float) -> Solid:
    """A hollow square peg round (0, 0): from `root_mm` down to -length, tapered inside and out."""
    half = STANDARD.socket_mm / 2 - fit.fit_mm
    inside = _square_peg(half - STANDARD.peg_wall_mm, length_mm, root_mm + 1.0)
    tip = half - STANDARD.peg_wall_mm - STANDARD.tip_mm
    below = frustum(tip, tip, -length_mm - 1.0, -length_mm)
    return cut(plug(fit, length_mm, root_mm), [inside, below])


def plug(fit: Fit, length_mm: float, root_mm: float) -> Solid:
    """A solid square peg with the same outside."""
    return _square_peg(STANDARD.socket_mm / 2 - fit.fit_mm, length_mm, root_mm)


def _square_peg(half_mm: float, length_mm: float, root_mm: float) -> Solid:
    """A square of `half_mm` that narrows by the tip's chamfer just before z = -length."""
    tip = min(STANDARD.tip_mm, length_mm * 0.3)
    rise = rise_for_mm(tip, STANDARD.slope_deg)
    return prism(square(half_mm), -length_mm, root_mm, low=(tip, rise))


def square(half_mm: float) -> BaseGeometry:
    """A square round (0, 0) from half its side."""
    import shapely

    return shapely.box(-half_mm, -half_mm, half_mm, half_mm)


def peg_with_ribs(cell: Cell, fit: Fit) -> Solid:
    """A peg below z = 0 in an open bottom, on four ribs that spring from the tile's corners.

    Printed upside down the ribs grow out of the walls at the allowed slope and end under the
    peg's corners, so each side of the peg is a bridge of less than `bridge_mm`.
    """
    root, anchor = 1.2, 1.8
    corner = STANDARD.socket_mm / 2 - fit.fit_mm
    inner = (corner - STANDARD.peg_wall_mm) * math.sqrt(2)
    low = 2 * LIFT_MM
    end = fit.grid.pitch_mm / 2 * math.sqrt(2) + 0.5
    top = anchor + rise_for_mm(end - inner, STANDARD.slope_deg)
    half = STANDARD.wall_mm / 2
    profile = [(inner, low), (end, low), (end, top), (inner, anchor)]
    rib = hull([(r, side * half, z) for r, z in profile for side in (-1, 1)])
    parts = [peg(fit, STANDARD.peg_length_mm, root)]
    parts += [rib.rotate((0, 0, 45 + 90 * turn)) for turn in range(4)]
    x, y = fit.grid.centre_mm(*cell)
    return moved(union(parts), x, y)


def diaphragm(cell: Cell, side: int, fit: Fit, top_mm: float) -> Solid:
    """A wall under an edge between two cells, with a pointed opening towards the top."""
    import shapely

    half = fit.grid.pitch_mm / 2
    fin, tie = 4.0, 1.2
    spring = tie + rise_for_mm(half - fin, STANDARD.slope_deg)
    sheet: BaseGeometry = shapely.box(-half, LIFT_MM, half, top_mm - LIFT_MM)
    if spring < top_mm:
        opening = [
            (fin - half, top_mm + 1),
            (fin - half, spring),
            (0.0, tie),
            (half - fin, spring),
            (half - fin, top_mm + 1),
        ]
        sheet = shapely.difference(sheet, shapely.Polygon(opening))
    wall = STANDARD.wall_mm / 2
    x, y = fit.grid.centre_mm(*cell)
    row, col = SIDES[side]
    axis = "y" if row else "x"
    upright = swept(extrude(sheet, -wall, wall), axis)
    return moved(upright, x + col * half, y - row * half)

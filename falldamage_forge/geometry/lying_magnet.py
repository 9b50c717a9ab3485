"""Pockets for disc magnets that lie flat: under a stud, and at the foot of the block above it.

Every magnet lies with its marked face up, so that a foot draws to a stud at every quarter turn. A
dimple in a pocket's end stands for the mark, which goes in first. Under a block's stud the pocket
is closed: the magnet is laid in while the print pauses, as a block is printed top down. The others
are open below: a base's under its studs, a block's at its foot, where a post holds it.

A pocket is an octagon. Its flats squeeze the magnet, its corners leave room.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from falldamage_forge.geometry.connector_standard import LAYER_MM, STANDARD
from falldamage_forge.geometry.csg import Solid, translate, union
from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.geometry.footprint import Cells
from falldamage_forge.geometry.loft import extrude
from falldamage_forge.geometry.magnet_pocket import block_magnet_of
from falldamage_forge.geometry.stud import LINES_MM, SUNK_MM
from falldamage_forge.lengths import MagnetSize, round_to_layers_mm
from falldamage_forge.pieces.piece import Piece

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

COVER_MM = STANDARD.skin_mm + LAYER_MM
"""Distance of a pocket from the top of its stud: two layers below the strokes of a paving."""
SQUEEZE_MM = 0.06
"""Distance by which each flat of a pocket reaches into the magnet."""
LID_MM = 3 * LAYER_MM
"""Thickness of a post's floors, which are bridges of a magnet's width."""
FOOT_MM = LAYER_MM
"""Height of a post's foot above the stud that its block stands on."""
DIMPLE_MM, DIMPLE_DEEP_MM = 2.0, LAYER_MM
"""Width and depth of the dimple in a pocket's end."""
WINDOW_MM, WINDOW_HIGH_MM = 1.2, 4 * LAYER_MM
"""Width and height of the windows of a post: they show its magnet, and no room is shut."""
WAY_MM = 0.4
"""Room round a magnet on its way to a pocket of the base."""


def room_mm(magnet: MagnetSize) -> float:
    """Return the height of a closed pocket, in whole layers."""
    return round_to_layers_mm(magnet.height_mm, up=True)


def foot_room_mm(magnet: MagnetSize) -> float:
    """Return the depth of a foot's pocket, in whole layers: the magnet ends below the post."""
    return math.floor(magnet.height_mm / LAYER_MM + 1e-6) * LAYER_MM


def lying_gap_mm(magnet: MagnetSize) -> float:
    """Return the distance of a foot's magnet from that under the stud below it, face to face."""
    return COVER_MM + FOOT_MM - (magnet.height_mm - foot_room_mm(magnet))


def pause_mm(magnet: MagnetSize) -> float:
    """Return the height above the bed at which a block's closed pockets are open for the last time.

    Args:
        magnet: Size of the magnets.
    """
    return COVER_MM + room_mm(magnet)


def closed_magnet_of(piece: Piece) -> MagnetSize | None:
    """Return the size of the magnets that are laid into a part while its print pauses."""
    return block_magnet_of(piece) if piece.builder == "block" else None


def block_magnets(
    cells: Cells, magnet: MagnetSize, fit: DesignParameters, top_mm: float
) -> tuple[Solid, Solid]:
    """Return the posts of a block, one in each tile, and the volumes that they are cleared of.

    Args:
        cells: Tiles of its footprint.
        magnet: Size of the magnets.
        fit: Design parameters of the printer and grid, in mm.
        top_mm: Height of its top.
    """
    ceiling, floor = top_mm - COVER_MM - room_mm(magnet), FOOT_MM + foot_room_mm(magnet)
    post = extrude(_plan(magnet, LINES_MM), FOOT_MM, top_mm - SUNK_MM)
    rooms = [
        _pocket(magnet, ceiling, top_mm - COVER_MM) + _window(magnet, ceiling),
        _pocket(magnet, FOOT_MM - 1.0, floor),
    ]
    if ceiling - floor > 3 * LID_MM:
        low = floor + LID_MM
        rooms.append(extrude(_plan(magnet), low, ceiling - LID_MM) + _window(magnet, low))
    return _each(cells, fit, post), _each(cells, fit, union(rooms))


def base_magnets(
    cells: Cells, magnet: MagnetSize, fit: DesignParameters, low_mm: float
) -> tuple[Solid, Solid]:
    """Return the walls of pockets under a base's studs, and the volumes that they are cleared of.

    Args:
        cells: Tiles of its footprint.
        magnet: Size of the magnets.
        fit: Design parameters of the printer and grid, in mm.
        low_mm: Height of the base's foot, below its top at 0.
    """
    mouth = -COVER_MM - room_mm(magnet)
    wall = extrude(_plan(magnet, LINES_MM), mouth, -SUNK_MM)
    way = extrude(_plan(magnet, SQUEEZE_MM + WAY_MM), low_mm - 1.0, mouth)
    return _each(cells, fit, wall), _each(cells, fit, _pocket(magnet, mouth, -COVER_MM) + way)


def _pocket(magnet: MagnetSize, low_mm: float, end_mm: float) -> Solid:
    """Return a pocket from its mouth up to its end, with the dimple there."""
    dimple = extrude(_octagon(DIMPLE_MM / 2), end_mm - LAYER_MM, end_mm + DIMPLE_DEEP_MM)
    return extrude(_plan(magnet), low_mm, end_mm) + dimple


def _window(magnet: MagnetSize, low_mm: float) -> Solid:
    """Return the window in a post's wall, from the lowest height of the room behind it."""
    import shapely

    half, far = WINDOW_MM / 2, magnet.diameter_mm / 2 + 2 * LINES_MM
    return extrude(shapely.box(0.0, -half, far, half), low_mm, low_mm + WINDOW_HIGH_MM)


def _plan(magnet: MagnetSize, wider_mm: float = 0.0) -> BaseGeometry:
    """Return a pocket from above, or one that is wider all round."""
    return _octagon(magnet.diameter_mm / 2 - SQUEEZE_MM + wider_mm)


def _octagon(half_mm: float) -> BaseGeometry:
    """Return an octagon about (0, 0) by the distance of its flats."""
    import shapely

    corner = half_mm / math.cos(math.pi / 8)
    turns = (math.pi * (2 * n + 1) / 8 for n in range(8))
    return shapely.Polygon([(corner * math.cos(at), corner * math.sin(at)) for at in turns])


def _each(cells: Cells, fit: DesignParameters, solid: Solid) -> Solid:
    """Return copies of a solid in the middle of each tile."""
    return union([translate(solid, *fit.grid.centre_mm(*cell)) for cell in cells])

"""Seam tie: what joins two parts of a model, pressed in from below.

It is a bow tie of the base's outline, as high as the room over the studs, so that the parts lean
neither apart nor past one another. Its pockets cut through the rings at a seam; the stud below
keeps it there.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from falldamage_forge.geometry.baseplate import tie_gap_mm, tie_half
from falldamage_forge.geometry.connector_standard import LAYER_MM, STANDARD
from falldamage_forge.geometry.csg import Solid, union
from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.geometry.footprint import Cell, rotate_polygon
from falldamage_forge.geometry.loft import RELIEF, extrude, prism
from falldamage_forge.geometry.piece_style import SurfaceFinish
from falldamage_forge.pieces.piece import Piece

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

LOW_MM = LAYER_MM
"""Height of a tie's underside above the stud, on which it would come to rest."""
HIGH_MM = 7.92
"""Height of its top."""
POCKET_MM = HIGH_MM + LAYER_MM
"""Height of its pocket."""


def seam_tie(piece: Piece, fit: DesignParameters, finish: SurfaceFinish) -> Solid:
    """Return a tie across the north edge of its tile.

    Args:
        piece: Piece to draw, with its grid.
        fit: Design parameters of the printer and grid, in mm.
        finish: Unused; a tie is hidden.
    """
    import shapely
    from shapely import affinity

    half = tie_half(fit)
    whole = shapely.union(half, rotate_polygon(half, 2))
    x, _ = fit.grid.centre_mm(0, 0)
    return prism(affinity.translate(whole, x, 0.0), LOW_MM, HIGH_MM, low=RELIEF)


def seam_pockets(edges: Iterable[tuple[Cell, int]], fit: DesignParameters) -> Solid:
    """Return the pockets of ties across some edges of tiles, open below.

    Args:
        edges: Tile and side of each: 0 for the north, clockwise.
        fit: Design parameters of the printer and grid, in mm.
    """
    from shapely import affinity

    half, pitch = tie_half(fit, tie_gap_mm(fit)), fit.grid.pitch_mm / 2
    pocket: BaseGeometry = affinity.translate(half, 0.0, pitch)
    low = -STANDARD.skirt_mm - 1.0
    return union(
        [
            extrude(
                affinity.translate(rotate_polygon(pocket, side), *fit.grid.centre_mm(*cell)),
                low,
                POCKET_MM,
            )
            for cell, side in edges
        ]
    )

"""Tools for building that are not part of the board: the lifter for blocks among others."""

from __future__ import annotations

from functools import cache

from falldamage_forge.geometry.connector_standard import STANDARD, heads
from falldamage_forge.geometry.csg import Solid, force_evaluation, stand_upright, translate
from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.geometry.loft import RELIEF, prism
from falldamage_forge.geometry.piece_style import SurfaceFinish
from falldamage_forge.pieces.piece import Piece

JAW_MM = 0.84
"""Thin enough for a groove that a neighbour's wall half fills."""
ARM_MM, WIDE_MM, TALL_MM = 2.52, 6.0, 48.0
CATCH_MM = 0.20
"""Reach of the jaws under the stud."""


def lifter(piece: Piece, fit: DesignParameters, finish: SurfaceFinish) -> Solid:
    """Return tongs whose jaws enter the grooves at two sides of a block and grip under its stud.

    It is drawn in use on the tile that it grips; its jaws hang below z = 0. It is printed lying.
    """
    x, y = fit.grid.centre_mm(0, 0)
    return translate(_tongs(fit), x, y + WIDE_MM / 2)


@cache
def _tongs(fit: DesignParameters) -> Solid:
    import shapely
    from shapely import affinity

    sizes, standard = heads(fit), STANDARD
    inner = sizes.face_mm + 0.12
    low = -standard.skirt_mm + 0.12
    nib = sizes.face_mm - CATCH_MM
    # A wall may stand beside the groove: all that grips or carries stays this side of it.
    outer = inner + JAW_MM
    jaw = [
        (outer - ARM_MM, 3.6),
        (inner, 0.6),
        (inner, -standard.face_depth_mm - 0.04),
        (nib, -standard.under_depth_mm),
        (nib, low + 0.08),
        (nib + 0.3, low),
        (outer, low),
        (outer, TALL_MM),
        (0.0, TALL_MM),
        (0.0, TALL_MM - ARM_MM),
        (outer - ARM_MM, TALL_MM - ARM_MM),
    ]
    half = shapely.Polygon(jaw)
    whole = shapely.union(half, affinity.scale(half, -1.0, 1.0, origin=(0, 0)))
    flat = prism(shapely.buffer(whole, 0), 0.0, WIDE_MM, high=RELIEF)
    return force_evaluation(stand_upright(flat, "y"))

"""What helps to build and is no part of the table: the lifter for blocks among others."""

from __future__ import annotations

from functools import cache

from falldamage_forge.geometry.fits import Fit
from falldamage_forge.geometry.loft import RELIEF, prism
from falldamage_forge.geometry.solids import Solid, made, moved, swept
from falldamage_forge.geometry.standard import STANDARD, heads
from falldamage_forge.geometry.style import Finish
from falldamage_forge.pieces.model import Piece

JAW_MM = 0.84
"""Thin enough for a groove that is half filled by a neighbour's wall."""
ARM_MM, WIDE_MM, TALL_MM = 2.52, 6.0, 48.0
CATCH_MM = 0.20
"""How far the jaws reach under the head."""


def lifter(piece: Piece, fit: Fit, finish: Finish) -> Solid:
    """Tongs whose jaws go into the grooves at two sides of a block and grip under its head.

    Drawn as it is used on the tile it stands over; its jaws hang below z = 0. Printed lying.
    """
    x, y = fit.grid.centre_mm(0, 0)
    return moved(_tongs(fit), x, y + WIDE_MM / 2)


@cache
def _tongs(fit: Fit) -> Solid:
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
    return made(swept(flat, "y"))

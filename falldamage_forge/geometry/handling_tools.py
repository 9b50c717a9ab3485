"""Tools that are not part of the board: the lifter for blocks among others, the tray of figures."""

from __future__ import annotations

from functools import cache
from math import sqrt
from typing import TYPE_CHECKING

from falldamage_forge.geometry import dial
from falldamage_forge.geometry.connector_standard import LAYER_MM, STANDARD, heads
from falldamage_forge.geometry.csg import Solid, force_evaluation, stand_upright, translate, union
from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.geometry.loft import RELIEF, extrude, prism
from falldamage_forge.geometry.piece_style import SurfaceFinish
from falldamage_forge.geometry.terrain_features import on_tile
from falldamage_forge.pieces.piece import Piece

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

JAW_MM = 0.84
"""Thin enough for a groove that a neighbour's wall half fills."""
ARM_MM, WIDE_MM, TALL_MM = 2.52, 6.0, 48.0
CATCH_MM = 0.20
"""Reach of the jaws under the stud."""
ROWS, IN_ROW = 4, 6
"""Sockets of the figures' tray: every second row is shifted by half a socket."""
SOCKET_MM, SIDE_MM = dial.RADIUS_MM + 0.2, 0.84
"""Radius of a socket, in which a dial turns, and the wall round it, two lines."""
FLOOR_MM, DEEP_MM = 0.72, 5.04
"""Thickness of the tray's floor, and depth of a socket: a whole dial."""
LEDGE_MM, CORNER_MM = 3.6, 2.0
"""Width of a socket's floor, and radius below which corners between sockets are filled."""


def lifter(piece: Piece, fit: DesignParameters, finish: SurfaceFinish) -> Solid:
    """Return tongs whose jaws enter the grooves at two sides of a block and grip under its stud.

    It is drawn in use on the tile that it grips; its jaws hang below z = 0. It is printed lying.

    Args:
        piece: Piece to draw, with its grid and parameters.
        fit: Design parameters of the printer and grid, in mm.
        finish: Looks of its sides and top.
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
    # As a chamfer the relief would cross itself at the nibs; each layer leaves less of them out.
    whole, (width, deep) = shapely.buffer(whole, 0), RELIEF
    feet = [
        extrude(whole.buffer(-inset, join_style="mitre"), WIDE_MM - deep - 0.1, WIDE_MM - above)
        for inset, above in ((width / 2, LAYER_MM), (width, 0.0))
    ]
    flat = union([extrude(whole, 0.0, WIDE_MM - deep), *feet])
    return force_evaluation(stand_upright(flat, "y"))


def sockets() -> list[tuple[float, float]]:
    """Return the middles of the tray's sockets in mm, about the tray's middle."""
    apart = 2 * SOCKET_MM + SIDE_MM
    return [
        (
            (column - (IN_ROW - 1) / 2 + (0.25 if row % 2 else -0.25)) * apart,
            (row - (ROWS - 1) / 2) * apart * sqrt(3) / 2,
        )
        for row in range(ROWS)
        for column in range(IN_ROW)
    ]


def tray(piece: Piece, fit: DesignParameters, finish: SurfaceFinish) -> Solid:
    """Return the tray in which figures stand on their dials, none of them touching another.

    Args:
        piece: Piece to draw, with its grid and parameters.
        fit: Design parameters of the printer and grid, in mm.
        finish: Looks of its sides and top.
    """
    import shapely

    middles = shapely.points(sockets())

    def discs(radius_mm: float) -> BaseGeometry:
        return shapely.union_all(shapely.buffer(middles, radius_mm, quad_segs=16))

    whole = discs(SOCKET_MM + SIDE_MM).buffer(CORNER_MM).buffer(-CORNER_MM).simplify(0.01)
    floor = whole.difference(discs(SOCKET_MM - LEDGE_MM))
    walls = whole.difference(discs(SOCKET_MM))
    layers = [
        prism(floor, 0.0, FLOOR_MM, low=RELIEF),
        extrude(walls, FLOOR_MM - 0.12, FLOOR_MM + DEEP_MM),
    ]
    return on_tile(union(layers), fit)

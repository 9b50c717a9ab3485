"""Spires and trees on a block's skirt, and the chest, which stands loose.

Bodies print upright: hollow, open below, no slope below 50 degrees inside or outside.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from falldamage_forge.geometry.connector_standard import STANDARD, heads
from falldamage_forge.geometry.csg import (
    Solid,
    force_evaluation,
    fresh_copy,
    subtract,
    translate,
    union,
)
from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.geometry.footprint import square
from falldamage_forge.geometry.legs import ring_foot, seat_room, tongue_slits
from falldamage_forge.geometry.loft import RELIEF, extrude, loft_profile, prism
from falldamage_forge.geometry.piece_style import SurfaceFinish
from falldamage_forge.geometry.relief.chests import CHESTS, HIGH_MM, LONG_MM, WIDE_MM
from falldamage_forge.geometry.relief.elements import DRAWN_MM, RISE, FigureEnvelope
from falldamage_forge.geometry.relief.spires import spire_body
from falldamage_forge.geometry.relief.trees import tree_body
from falldamage_forge.pieces.piece import Piece

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

CHEST_ROOM_MM = 3.4
"""Distance of a chest from a tile's edges."""
ROOF_TIP_MM = 0.8
"""Half size at which the cavity over the stud ends."""
FINEST_MM = 0.02
"""Minimum edge length of bodies."""


def on_tile(solid: Solid, fit: DesignParameters) -> Solid:
    """Return a solid about (0, 0) moved to the middle of its tile.

    Args:
        solid: Solid about (0, 0), in mm.
        fit: Design parameters of the printer and grid, in mm.
    """
    return translate(solid, *fit.grid.centre_mm(0, 0))


def on_ring(body: Solid, hollow: Solid, fit: DesignParameters) -> Solid:
    """Return a body from z = 0 up, less its cavity, on a block's skirt with its beads.

    Args:
        body: Closed body above z = 0, about (0, 0), in mm.
        hollow: Its cavity, in mm.
        fit: Design parameters of the printer and grid, in mm.
    """
    room, ring, slits = (
        fresh_copy(part) for part in (seat_room(fit), ring_foot(fit), tongue_slits(fit))
    )
    shell = subtract(_coarse(subtract(body, [hollow, _roof(fit)])), [room])
    return force_evaluation(on_tile(subtract(union([shell, ring]), [slits]), fit))


def spire(piece: Piece, fit: DesignParameters, finish: SurfaceFinish) -> Solid:
    """Return a castle spire of the kind of its variant, as tall as its levels.

    Args:
        piece: Piece to draw, with its grid and parameters.
        fit: Design parameters of the printer and grid, in mm.
        finish: Looks of its sides and top.
    """
    kind, number = _of_variant(finish.spires, piece.variant)
    return _spire(kind, number, finish.wall, fit.grid.height_mm(piece.levels), fit)


@cache
def _spire(kind: str, number: int, wall: str, top: float, fit: DesignParameters) -> Solid:
    return on_ring(*spire_body(kind, _room(top, fit), number, wall), fit)


def tree(piece: Piece, fit: DesignParameters, finish: SurfaceFinish) -> Solid:
    """Return a tree of the kind of its variant, as tall as its levels.

    Args:
        piece: Piece to draw, with its grid and parameters.
        fit: Design parameters of the printer and grid, in mm.
        finish: Looks of its sides and top.
    """
    kind, number = _of_variant(finish.trees, piece.variant)
    return _tree(kind, number, fit.grid.height_mm(piece.levels), fit)


@cache
def _tree(kind: str, number: int, top: float, fit: DesignParameters) -> Solid:
    return on_ring(*tree_body(kind, _room(top, fit), number), fit)


def _of_variant(kinds: Sequence[str], variant: int) -> tuple[str, int]:
    """Return the kind of a variant, and the number of its shape among those of that kind."""
    number, index = divmod(variant, len(kinds))
    return kinds[index], number


def _coarse(body: Solid) -> Solid:
    """Return a body without edges that CuraEngine collapses.

    It merges corners that nearly coincide; a layer torn there is open, and gets supports.
    """
    return body.simplify(FINEST_MM)


def _room(top: float, fit: DesignParameters) -> FigureEnvelope:
    """Return the volume that a body may fill."""
    sizes = heads(fit)
    wide = fit.grid.pitch_mm / DRAWN_MM
    return FigureEnvelope(sizes.outline_mm, top, fit.wall_mm, wide, sizes.skirt_mm)


def _roof(fit: DesignParameters) -> Solid:
    """Return the cavity over the stud: from the skirt it closes to the middle as a roof."""
    skirt = heads(fit).skirt_mm
    inset = round(skirt - ROOF_TIP_MM, 4)
    profile = [(-STANDARD.skirt_mm, 0.0), (0.0, 0.0), (inset * RISE, inset)]
    return force_evaluation(loft_profile(square(skirt), profile))


def chest(piece: Piece, fit: DesignParameters, finish: SurfaceFinish) -> Solid:
    """Return a treasure of the kind of its variant; it is loose, to be picked up.

    Args:
        piece: Piece to draw, with its grid and parameters.
        fit: Design parameters of the printer and grid, in mm.
        finish: Looks of its sides and top.
    """
    kind, _ = _of_variant(finish.chests, piece.variant)
    half = round(fit.grid.pitch_mm / 2 - CHEST_ROOM_MM, 4)
    return on_tile(_chest(kind, min(LONG_MM, half)), fit)


@cache
def _chest(kind: str, long: float) -> Solid:
    """Return a treasure whose edges on the bed are drawn in."""
    import shapely

    def box(wide: float, deep: float) -> BaseGeometry:
        return shapely.box(-wide, -deep, wide, deep)

    room = extrude(box(long + 1.0, WIDE_MM + 2.0), 0.0, HIGH_MM - RELIEF[1])
    envelope = union([room, prism(box(long, WIDE_MM), 0.0, HIGH_MM, high=RELIEF)])
    return force_evaluation(CHESTS[kind](long) ^ envelope)

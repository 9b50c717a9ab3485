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
    stand_upright,
    subtract,
    translate,
    union,
)
from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.geometry.footprint import square
from falldamage_forge.geometry.legs import ring_foot, seat_room, tongue_slits
from falldamage_forge.geometry.loft import RELIEF, extrude, loft_profile, prism
from falldamage_forge.geometry.piece_style import SurfaceFinish
from falldamage_forge.geometry.relief.elements import DRAWN_MM, RISE, FigureEnvelope
from falldamage_forge.geometry.relief.spires import spire_body
from falldamage_forge.geometry.relief.trees import tree_body
from falldamage_forge.pieces.piece import Piece

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

CHEST_MM, CHEST_LONG_MM, CHEST_ROOM_MM = 12.0, 10.0, 3.4
"""Height of the chest, its maximum half length, and its distance from a tile's edges."""
ROOF_TIP_MM = 0.8
"""Half size at which the cavity over the stud ends."""
FINEST_MM = 0.02
"""Minimum edge length of bodies."""


def on_tile(solid: Solid, fit: DesignParameters) -> Solid:
    """Return a solid about (0, 0) moved to the middle of its tile."""
    return translate(solid, *fit.grid.centre_mm(0, 0))


def on_ring(body: Solid, hollow: Solid, fit: DesignParameters) -> Solid:
    """Return a body from z = 0 up, less its cavity, on a block's skirt with its beads."""
    room, ring, slits = (
        fresh_copy(part) for part in (seat_room(fit), ring_foot(fit), tongue_slits(fit))
    )
    shell = subtract(_coarse(subtract(body, [hollow, _roof(fit)])), [room])
    return force_evaluation(on_tile(subtract(union([shell, ring]), [slits]), fit))


def spire(piece: Piece, fit: DesignParameters, finish: SurfaceFinish) -> Solid:
    """Return a castle spire of the kind of its variant, as tall as its levels."""
    kind, number = _of_variant(finish.spires, piece.variant)
    return _spire(kind, number, finish.wall, fit.grid.height_mm(piece.levels), fit)


@cache
def _spire(kind: str, number: int, wall: str, top: float, fit: DesignParameters) -> Solid:
    return on_ring(*spire_body(kind, _room(top, fit), number, wall), fit)


def tree(piece: Piece, fit: DesignParameters, finish: SurfaceFinish) -> Solid:
    """Return a tree of the kind of its variant, as tall as its levels."""
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
    """Return a treasure chest with two straps, printed lid down; it is loose, to be picked up."""
    half = round(fit.grid.pitch_mm / 2 - CHEST_ROOM_MM, 4)
    return on_tile(_chest(min(CHEST_LONG_MM, half)), fit)


@cache
def _chest(length: float) -> Solid:
    import shapely

    width, body = 7.2, 7.68
    notch = 0.6 * RISE
    lid = width - (CHEST_MM - body) / RISE + 0.8
    side = [
        (width, 0.0),
        (width, body - 0.4 - notch),
        (width - 0.6, body - 0.4),
        (width, body - 0.4 + notch),
        (width, body + notch),
        (lid, CHEST_MM),
    ]
    cross = _mirrored(side)
    plain = _mirrored([(width, 0.0), (width, body + notch), (lid, CHEST_MM)])
    strap = shapely.intersection(
        shapely.buffer(plain, 0.6, join_style="mitre"), shapely.box(-20, 0, 20, CHEST_MM)
    )
    solids = [
        stand_upright(prism(cross, -length, length, low=RELIEF, high=RELIEF), "x"),
        *(stand_upright(extrude(strap, x - 1.2, x + 1.2), "x") for x in (-6.0, 6.0)),
    ]
    foot = shapely.box(-length - 1, -width - 2, length + 1, width + 2)
    face = shapely.box(-length, 0.6 - width, length, width - 0.6)
    envelope = union(
        [extrude(foot, 0.0, CHEST_MM - RELIEF[1]), prism(face, 0.0, CHEST_MM, high=RELIEF)]
    )
    return force_evaluation(union(solids) ^ envelope)


def _mirrored(points: Sequence[tuple[float, float]]) -> BaseGeometry:
    import shapely

    return shapely.Polygon([*points, *((-y, z) for y, z in reversed(points))])

"""The connector standard: every number of every joint, once, and the outlines made of them.

Female parts have the nominal size and male parts are smaller by the printer's `fit_mm` on each
side; only the base's seam is the other way round, because its gap is `seam_mm`. All lengths in mm.

Tiles are joined in five ways:
- seam: round knobs at grid lines hold quadrants together; four edges are alike, and a knob at `s`
  along an edge (counter-clockwise) meets a pocket at `150 - s` of the next quadrant;
- stack: a square peg under a piece sits in the square socket of any tile's top, at any turn;
- edge: two keyholes at each edge of a tile's top take a bridge's knobs or a ladder's toes;
- topper: a thin tile with a peg below and a shallow socket above, for water, lava and markers;
- dowel: a double peg between a socket above and one below, for pieces that print upright.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry


@dataclass(frozen=True, slots=True)
class Standard:
    """The numbers. Heights are multiples of 0.2 and 0.24 mm, so that both layers print them."""

    # walls and skins of every hollow piece
    wall_mm: float = 0.84
    skin_mm: float = 0.8
    relief_width_mm: float = 0.3
    relief_height_mm: float = 0.4
    # seam of the base
    base_mm: float = 4.0
    rim_mm: float = 1.26
    seam_radius_mm: float = 4.0
    seam_neck_mm: float = 5.0
    seam_centre_mm: float = 3.9
    # stack
    socket_mm: float = 12.0
    socket_depth_mm: float = 4.0
    mouth_mm: float = 0.4
    peg_length_mm: float = 3.6
    peg_wall_mm: float = 0.84
    tip_mm: float = 0.6
    short_peg_mm: float = 1.0
    recess_mm: float = 1.2
    topper_mm: float = 2.0
    dowel_mm: float = 7.6
    # edge keyholes
    keyhole_offset_mm: float = 4.0
    keyhole_radius_mm: float = 2.6
    keyhole_neck_mm: float = 3.4
    keyhole_centre_mm: float = 3.4
    keyhole_depth_mm: float = 2.4
    # decks and ladders
    deck_mm: float = 4.8
    ladder_mm: float = 3.0
    # overhangs
    slope_deg: float = 52.0
    bridge_mm: float = 12.0


STANDARD = Standard()
ARC_SEGMENTS = 5
"""Segments in a quarter of a circle."""


def side_gap_mm(seam_mm: float) -> float:
    """How far a piece stays inside its tiles on each side, so that neighbours never touch."""
    return seam_mm / 2


@cache
def socket() -> BaseGeometry:
    """The square hole round (0, 0)."""
    import shapely

    half = STANDARD.socket_mm / 2
    return shapely.box(-half, -half, half, half)


@cache
def keyhole(grow_mm: float = 0.0) -> BaseGeometry:
    """A keyhole (or, with negative growth, a knob) whose neck opens at y = 0 and runs to -y.

    The neck reaches 2 mm beyond the edge so that it can be joined with, or cut from, what is there.
    """
    import shapely

    standard = STANDARD
    radius = standard.keyhole_radius_mm + grow_mm
    half = standard.keyhole_neck_mm / 2 + grow_mm
    head = shapely.Point(0, -standard.keyhole_centre_mm).buffer(radius, quad_segs=ARC_SEGMENTS)
    neck = shapely.box(-half, -standard.keyhole_centre_mm, half, 2.0)
    return shapely.union(head, neck)


@cache
def seam_knob(grow_mm: float = 0.0) -> BaseGeometry:
    """A seam knob (or, grown, its pocket) that reaches to +y from an edge at y = 0."""
    import shapely

    standard = STANDARD
    centre = standard.seam_centre_mm
    head = shapely.Point(0, centre).buffer(
        standard.seam_radius_mm + grow_mm, quad_segs=ARC_SEGMENTS
    )
    half = standard.seam_neck_mm / 2 + grow_mm
    neck = shapely.box(-half, -2.0, half, centre)
    return shapely.union(head, neck)


def seam_places(edge_tiles: int, pitch_mm: float) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Where knobs and pockets lie along an edge, in mm from its start, read counter-clockwise.

    They alternate over the grid lines, knob first, so a knob at `s` meets a pocket at `length - s`
    of an equal edge opposite; only an odd number of tiles makes all edges alike.
    """
    lines = range(1, edge_tiles)
    knobs = tuple(line * pitch_mm for line in lines if line % 2 == 1)
    pockets = tuple(line * pitch_mm for line in lines if line % 2 == 0)
    return knobs, pockets

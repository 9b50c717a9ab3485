"""Builders of what stands or lies on a surface: spire, tree, toppers, markers, chest, dowel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from falldamage_forge.geometry.connectors import STANDARD, side_gap_mm, socket
from falldamage_forge.geometry.fits import Fit
from falldamage_forge.geometry.loft import RELIEF, prism
from falldamage_forge.geometry.solids import (
    Solid,
    cut,
    frustum,
    hull,
    moved,
    revolve,
    rings_of,
    rise_for_mm,
    union,
)
from falldamage_forge.geometry.tiles import peg, plug
from falldamage_forge.pieces.model import Piece

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

Profile = Sequence[tuple[float, float]]
ROUND = 32
"""Sides of round things."""


def _at_tile(solid: Solid, fit: Fit) -> Solid:
    x, y = fit.grid.centre_mm(0, 0)
    return moved(solid, x, y)


def shell(profile: Profile, fit: Fit, segments: int = ROUND) -> Solid:
    """A hollow body of revolution that stands on its rim, with a dowel's socket in its foot.

    `profile` are (radius, height) points from the rim at z = 0 to the tip; the hollow follows it
    `wall_mm` inside and is open below. Four ribs hold the socket.
    """
    import shapely

    standard = STANDARD
    wall = standard.wall_mm + 0.06
    right = [(0.0, 0.0), *profile, (0.0, profile[-1][1])]
    mirrored = shapely.union(
        shapely.Polygon(right), shapely.Polygon([(-radius, z) for radius, z in right])
    )
    inside = shapely.buffer(mirrored, -wall, join_style="mitre")
    foot = profile[0][0]
    half = shapely.intersection(inside, shapely.box(0.0, 0.0, foot + 20, profile[-1][1]))
    below = shapely.box(0.0, -1.0, foot - 3.0, 2 * wall)
    hollow = shapely.union(half, shapely.intersection(below, shapely.box(0, -1, foot, 3)))
    hollow = shapely.intersection(hollow, shapely.box(0.0, -1.0, 100, profile[-1][1] - 3.0))
    (ring,) = rings_of(hollow)
    cavity = revolve(ring, segments)
    body = revolve([(0.0, 0.0), *profile, (0.0, profile[-1][1])], segments)
    tub_half = standard.socket_mm / 2 + standard.wall_mm
    tub_top = standard.socket_depth_mm + standard.skin_mm
    ribs = [
        hull(
            [
                (x, y, z)
                for x in (-foot, foot)
                for y in (-0.42, 0.42)
                for z in (0.0, standard.socket_depth_mm)
            ]
        ).rotate((0, 0, 90 * turn))
        for turn in range(2)
    ]
    inner = union([frustum(tub_half, tub_half, 0.0, tub_top), *ribs]) ^ body
    mouth = (-standard.mouth_mm, standard.mouth_mm)
    hole = prism(socket(), -standard.socket_depth_mm, 0.0, high=mouth, beyond_mm=1.0)
    return _at_tile(cut(union([cut(body, [cavity]), inner]), [hole.rotate((180, 0, 0))]), fit)


def spire(piece: Piece, fit: Fit) -> Solid:
    """A castle's turret with a pointed roof, as tall as its levels, upright on a wide foot."""
    top = fit.grid.height_mm(piece.levels)
    flare = rise_for_mm(2.5, STANDARD.slope_deg)
    profile = [
        (14.0, 0.0),
        (14.0, 2.4),
        (11.5, 2.4 + flare),
        (11.5, 21.0),
        (14.0, 21.0 + flare),
        (14.0, 25.6),
        (1.6, top - 3.0),
        (1.6, top),
    ]
    return shell(profile, fit)


def tree(piece: Piece, fit: Fit) -> Solid:
    """A fir of three tiers on a mound of roots; each tier's underside keeps the allowed slope."""
    top = fit.grid.height_mm(piece.levels)
    slope = STANDARD.slope_deg

    def flare(inner: float, outer: float) -> float:
        return rise_for_mm(outer - inner, slope)

    profile = [(12.0, 0.0), (12.0, 2.0), (10.4, 5.2)]
    z = 5.2 + flare(4.6, 10.4)
    profile.append((4.6, z))
    for inner, outer, fall in ((4.6, 12.0, 11.0), (4.4, 9.6, 8.6), (3.4, 6.6, 0.0)):
        if profile[-1][0] != inner:
            profile.append((inner, z))
        z += flare(inner, outer)
        profile.append((outer, z))
        z += fall
    tip = [(1.0, top)]
    return shell([*profile, *tip], fit, 12)


def topper_outline(fit: Fit) -> BaseGeometry:
    """A tile's outline that leaves room for a ladder's foot at each edge; round (0, 0)."""
    import shapely
    from shapely import affinity

    half = fit.grid.pitch_mm / 2
    shape: BaseGeometry = shapely.box(-half, -half, half, half)
    shape = shapely.buffer(shape, -side_gap_mm(fit.seam_mm), join_style="mitre")
    notch = shapely.box(-8.4, half - 3.8, 8.4, half + 1)
    slits = [
        shapely.box(offset - 1.9, half - 6.4, offset + 1.9, half)
        for offset in (-STANDARD.keyhole_offset_mm, STANDARD.keyhole_offset_mm)
    ]
    tool = shapely.union_all([notch, *slits])
    for turn in range(4):
        shape = shapely.difference(shape, affinity.rotate(tool, 90 * turn, origin=(0, 0)))
    return shape


def topper(piece: Piece, fit: Fit) -> Solid:
    """A thin tile of water or lava: a peg below, and above a shallow socket for what lies on it."""
    plate = prism(topper_outline(fit), 0.0, STANDARD.topper_mm, high=RELIEF)
    return _at_tile(cut(union([plate, peg(fit, STANDARD.peg_length_mm, 0.4)]), [_recess()]), fit)


def marker(piece: Piece, fit: Fit) -> Solid:
    """A small round token with a short peg below and a shallow socket above."""
    import shapely

    circle = shapely.Point(0, 0).buffer(9.5, quad_segs=12)
    disc = prism(circle, 0.0, STANDARD.topper_mm, high=RELIEF)
    return _at_tile(cut(union([disc, plug(fit, STANDARD.short_peg_mm, 0.4)]), [_recess()]), fit)


def _recess() -> Solid:
    mouth = (-STANDARD.mouth_mm, STANDARD.mouth_mm)
    top = STANDARD.topper_mm
    return prism(socket(), top - STANDARD.recess_mm, top, high=mouth, beyond_mm=1.0)


def chest(piece: Piece, fit: Fit) -> Solid:
    """A treasure chest with a short peg, printed lid down."""
    length, width, body, lid = 10.0, 7.2, 8.0, 4.0
    run = lid / rise_for_mm(1.0, STANDARD.slope_deg)
    points = [(x, y, z) for x in (-length, length) for y in (-width, width) for z in (0.0, body)]
    points += [(x, y, body + lid) for x in (-length, length) for y in (run - width, width - run)]
    return _at_tile(union([hull(points), plug(fit, STANDARD.short_peg_mm, 0.4)]), fit)


def dowel(piece: Piece, fit: Fit) -> Solid:
    """A double-ended peg round z = 0: half in the tile below, half in the foot above."""
    half = STANDARD.dowel_mm / 2
    lower = plug(fit, half, 0.0)
    return _at_tile(union([lower, lower.rotate((180, 0, 0))]), fit)

"""What stands upright on a tile: spires and trees on four legs, and the chest, which stands loose.

Bodies print upright: hollow, open below, no slope below 50 degrees inside or outside.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from falldamage_forge.geometry.finish.model import DRAWN_MM, Room
from falldamage_forge.geometry.finish.spires import spire_body
from falldamage_forge.geometry.finish.trees import tree_body
from falldamage_forge.geometry.fits import Fit
from falldamage_forge.geometry.legs import corner_legs, leg_slots, seat_room
from falldamage_forge.geometry.loft import RELIEF, extrude, prism, profiled
from falldamage_forge.geometry.solids import Solid, cut, made, moved, newer, swept, union
from falldamage_forge.geometry.standard import STANDARD, heads, places
from falldamage_forge.geometry.style import Finish
from falldamage_forge.geometry.tiles import square
from falldamage_forge.pieces.model import Piece

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

CHEST_MM, CHEST_LONG_MM, CHEST_ROOM_MM = 12.0, 10.0, 3.4
"""Its height, half its length at most, and what it leaves at a tile's edges for a ladder's foot."""
FOOT_ROOM_MM = 1.8
"""Up to so far from a tile's edge to its middle roots lean inwards between arches."""
LADDER_MM = 3.1
"""So far from a tile's edge ladders reach in, and a little."""
LEG_RISE = 1.4
"""So steeply close the arches between a spire's legs, which lean inside as well."""
ROOT_RISE, ROOT_RISES = 1.7, {"fir": 1.6}
"""The same for trees, by kind: where they meet a trunk, CuraEngine's verdict hangs on them."""
FINEST_MM = 0.02
"""Corners of bodies are as far apart at least."""
RISE = 1.24
"""Height for each mm that an outside leans out, or a hollow closes: 51 degrees."""


def on_tile(solid: Solid, fit: Fit) -> Solid:
    """A solid round (0, 0) moved to the middle of its tile."""
    return moved(solid, *fit.grid.centre_mm(0, 0))


def on_legs(body: Solid, fit: Fit) -> Solid:
    """A body from z = 0 up, on four legs that click."""
    room, legs, slots = (newer(part) for part in (seat_room(fit), corner_legs(fit), leg_slots(fit)))
    return made(on_tile(cut(union([cut(body, [room]), legs]), [slots]), fit))


def arches(fit: Fit, rise: float = RISE) -> Solid:
    """Pointed openings through all four sides, from below the tile's top."""
    low, half_mm = -STANDARD.skirt_mm - 0.3, places(fit).leg_arch_mm
    far = fit.grid.pitch_mm / 2 + 5.0
    points = [
        (-half_mm, low),
        (half_mm, low),
        (half_mm, 0.0),
        (0.0, half_mm * rise),
        (-half_mm, 0.0),
    ]
    import shapely

    flat = extrude(shapely.Polygon(points), -far, far)
    return union([swept(flat, "y"), swept(flat, "x")])


def spire(piece: Piece, fit: Fit, finish: Finish) -> Solid:
    """A castle's spire of the kind that its variant takes, as tall as its levels."""
    kind = finish.spires[piece.variant % len(finish.spires)]
    return _spire(kind, fit.grid.height_mm(piece.levels), fit)


@cache
def _spire(kind: str, top: float, fit: Fit) -> Solid:
    body, hollow = spire_body(kind, _room(top, fit))
    return made(
        on_legs(_coarse(cut(body, [hollow, _foot_room(fit), arches(fit, rise=LEG_RISE)])), fit)
    )


def tree(piece: Piece, fit: Fit, finish: Finish) -> Solid:
    """A tree of the kind that its variant takes, on four roots."""
    kind = finish.trees[piece.variant % len(finish.trees)]
    return _tree(kind, fit.grid.height_mm(piece.levels), fit)


@cache
def _tree(kind: str, top: float, fit: Fit) -> Solid:
    body, hollow = tree_body(kind, _room(top, fit))
    roots = arches(fit, rise=ROOT_RISES.get(kind, ROOT_RISE))
    return made(on_legs(_coarse(cut(body, [hollow, _foot_room(fit), roots])), fit))


def _coarse(body: Solid) -> Solid:
    """A body without edges that CuraEngine draws as points.

    It joins corners that are nearly one; a layer that tears there is open, and it lays supports.
    """
    return body.simplify(FINEST_MM)


def _room(top: float, fit: Fit) -> Room:
    """What a body may fill: beside it a ladder may lean, with a tenth of its thickness to spare."""
    half, side = fit.grid.pitch_mm / 2, places(fit).side_half_mm
    ladder = (round(half - LADDER_MM, 4), round(side + 0.35, 4))
    return Room(heads(fit).outline_mm, top, fit.wall_mm, fit.grid.pitch_mm / DRAWN_MM, *ladder)


def _foot_room(fit: Fit) -> Solid:
    """What a body leaves free between its skirts: it begins as thin as these and thickens inwards.

    Where arches cut it off, thicker walls would begin in the air.
    """
    skirt = heads(fit).skirt_mm
    high = round(fit.grid.pitch_mm / 2 - FOOT_ROOM_MM, 4)
    profile = [(-STANDARD.skirt_mm, 0.0), (0.0, 0.0), (high, high / RISE)]
    return made(profiled(square(skirt), profile))


def chest(piece: Piece, fit: Fit, finish: Finish) -> Solid:
    """A treasure chest with two straps; it is picked up in play, so nothing holds it. Lid down."""
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
        swept(prism(cross, -length, length, low=RELIEF, high=RELIEF), "x"),
        *(swept(extrude(strap, x - 1.2, x + 1.2), "x") for x in (-6.0, 6.0)),
    ]
    foot = shapely.box(-length - 1, -width - 2, length + 1, width + 2)
    face = shapely.box(-length, 0.6 - width, length, width - 0.6)
    envelope = union(
        [extrude(foot, 0.0, CHEST_MM - RELIEF[1]), prism(face, 0.0, CHEST_MM, high=RELIEF)]
    )
    return made(union(solids) ^ envelope)


def _mirrored(points: Sequence[tuple[float, float]]) -> BaseGeometry:
    import shapely

    return shapely.Polygon([*points, *((-y, z) for y, z in reversed(points))])

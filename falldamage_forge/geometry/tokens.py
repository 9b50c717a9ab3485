"""Builders of what lies flat: toppers of water and lava, markers, tokens, stands, rim strips."""

from __future__ import annotations

import math
import random
from functools import cache
from typing import TYPE_CHECKING

from falldamage_forge.geometry.connectors import STANDARD, side_gap_mm, socket
from falldamage_forge.geometry.features import at_tile
from falldamage_forge.geometry.fits import Fit
from falldamage_forge.geometry.glyphs import drawn, sign, text
from falldamage_forge.geometry.loft import FLARE, RELIEF, extrude, prism
from falldamage_forge.geometry.solids import Solid, cut, union
from falldamage_forge.geometry.style import Surface
from falldamage_forge.geometry.terrain import seam_outline
from falldamage_forge.geometry.tiles import edge_holes, peg, plug, square, wall_ring
from falldamage_forge.pieces.model import Piece

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

SIGN_DEPTH_MM = 0.4
SKIN_MM = STANDARD.skin_mm + SIGN_DEPTH_MM
"""Thickness of an engraved plate."""
STAND_MM = 3.0
RIM_WIDTH_MM = 12.0
TOKEN_RADIUS_MM, STAND_RADIUS_MM = 10.4, 12.4


def _edge_holes(fit: Fit) -> list[BaseGeometry]:
    """The eight keyholes of a tile's top round (0, 0): a topper lets a ladder's toes through."""
    from shapely import affinity

    x, y = fit.grid.centre_mm(0, 0)
    return [
        affinity.translate(hole, -x, -y)
        for side in range(4)
        for hole in edge_holes((0, 0), side, fit)
    ]


def topper(piece: Piece, fit: Fit, surface: Surface) -> Solid:
    """A thin tile of water or lava, hollow below, that has all the connectors of a tile's top.

    A peg below, and above keyholes and a shallow socket for what stands or lies on it.
    """
    import shapely

    standard = STANDARD
    top, wall = standard.topper_mm, standard.wall_mm
    shape = square(fit.grid.pitch_mm / 2 - side_gap_mm(fit.seam_mm))
    holes = shapely.union_all(_edge_holes(fit))
    solid_below = shapely.union(square(standard.socket_mm / 2 + wall), shapely.buffer(holes, wall))
    hollow = shapely.difference(shapely.buffer(shape, -wall, join_style="mitre"), solid_below)
    rooms = [part for part in shapely.get_parts(hollow) if part.area > 4.0]
    lines = {"waves": _waves, "cracks": _cracks}[str(piece["pattern"])](fit.grid.pitch_mm / 2)
    keep_out = shapely.union(holes, square(standard.socket_mm / 2 + standard.mouth_mm))
    drawing = shapely.intersection(lines, shapely.buffer(shape, -0.9))
    drawing = shapely.difference(drawing, shapely.buffer(keep_out, 0.9))
    strokes = [part for part in shapely.get_parts(drawing) if part.area > 1.2]
    tools = [
        _recess(),
        extrude(shapely.multipolygons(rooms), -1.0, top - SKIN_MM),
        extrude(shapely.multipolygons(strokes), top - SIGN_DEPTH_MM, top + 1.0),
    ]
    plate = union([prism(shape, 0.0, top, high=RELIEF), peg(fit, standard.peg_length_mm, 0.4)])
    cuts = [prism(hole, -1.0, top, high=FLARE, beyond_mm=1.0) for hole in shapely.get_parts(holes)]
    return at_tile(cut(plate, [*tools, *cuts]), fit)


def _recess() -> Solid:
    """The shallow socket of a topper or a marker."""
    mouth = (-STANDARD.mouth_mm, STANDARD.mouth_mm)
    top = STANDARD.topper_mm
    return prism(socket(), top - STANDARD.recess_mm, top, high=mouth, beyond_mm=1.0)


@cache
def _waves(half: float) -> BaseGeometry:
    """Waves from west to east."""
    lines = []
    for row in range(7):
        y = -half + 2.6 + row * 4.2
        steps = range(41)
        lines.append(
            [
                (-half + 2 * half * k / 40, y + 0.8 * math.sin(k * math.pi / 5 + row * 1.3))
                for k in steps
            ]
        )
    return drawn(lines, 0.8)


@cache
def _cracks(half: float) -> BaseGeometry:
    """Cracks that run outward from the middle, the same ones each time."""
    chance = random.Random(7)
    lines = []
    for spoke in range(14):
        angle = 2 * math.pi * spoke / 14 + chance.uniform(-0.1, 0.1)
        line = [(0.0, 0.0)]
        while max(abs(line[-1][0]), abs(line[-1][1])) < half + 2:
            bent = angle + chance.uniform(-0.6, 0.6)
            x, y = line[-1]
            line.append((x + 3.4 * math.cos(bent), y + 3.4 * math.sin(bent)))
        lines.append(line)
    return drawn(lines, 0.8)


def marker(piece: Piece, fit: Fit, surface: Surface) -> Solid:
    """A start tile's round marker: a short peg below and a shallow socket above."""
    plate = prism(_disc(TOKEN_RADIUS_MM), 0.0, STANDARD.topper_mm, high=RELIEF)
    return at_tile(cut(union([plate, plug(fit, STANDARD.short_peg_mm, 0.4)]), [_recess()]), fit)


def _disc(radius_mm: float) -> BaseGeometry:
    import shapely

    return shapely.Point(0, 0).buffer(radius_mm, quad_segs=12)


def token(piece: Piece, fit: Fit, surface: Surface) -> Solid:
    """A round token with an engraved sign and a short peg: hidden item, push, spring trap."""
    top = STANDARD.topper_mm
    engraved = extrude(sign(str(piece["sign"]), 6.0, 0.9), top - SIGN_DEPTH_MM, top + 1.0)
    plate = cut(prism(_disc(TOKEN_RADIUS_MM), 0.0, top, high=RELIEF), [engraved])
    return at_tile(union([plate, plug(fit, STANDARD.short_peg_mm, 0.4)]), fit)


def stand(piece: Piece, fit: Fit, surface: Surface) -> Solid:
    """A unit's round stand: a slot for a card figure, and the emblem of its class before it."""
    import shapely
    from shapely import affinity

    emblem = affinity.translate(sign(str(piece["sign"]), 4.2), 0.0, -6.2)
    slot = shapely.box(-9.0, 1.2, 9.0, 1.2 + float(piece["slot"]))
    tools = [
        extrude(emblem, STAND_MM - SIGN_DEPTH_MM, STAND_MM + 1.0),
        extrude(slot, STAND_MM - 2.0, STAND_MM + 1.0),
    ]
    return at_tile(cut(prism(_disc(STAND_RADIUS_MM), 0.0, STAND_MM, low=RELIEF), tools), fit)


def rim_strip(piece: Piece, fit: Fit, surface: Surface) -> Solid:
    """A strip along the base's rim with the coordinates of five tiles.

    It lies north of a quadrant and joins its edge as another quadrant would. Letters read from the
    south; numbers (`turned`) read upright when the strip lies west of the base, a turn to the left.
    """
    import shapely
    from shapely import affinity

    standard = STANDARD
    words = str(piece["text"]).split(" ")
    count = len(words)
    length = count * fit.grid.pitch_mm
    cells = tuple((row, col) for row in range(count) for col in range(count))
    square_edge = affinity.translate(seam_outline(cells, fit), 0.0, length)
    shape = shapely.intersection(square_edge, shapely.box(-1, -20, length + 1, RIM_WIDTH_MM))
    signs = []
    for index, word in enumerate(reversed(words) if piece["turned"] else words):
        drawing = text(word, 6.0, 0.9)
        if piece["turned"]:
            drawing = affinity.rotate(drawing, -90, origin=(0, 0))
        middle = (index + 0.5) * fit.grid.pitch_mm
        signs.append(affinity.translate(drawing, middle, RIM_WIDTH_MM / 2 + 0.4))
    bottom = -standard.base_mm
    parts = [extrude(shape, -SKIN_MM, 0.0), extrude(wall_ring(shape, standard.rim_mm), bottom, 0.0)]
    engraved = extrude(shapely.union_all(signs), -SIGN_DEPTH_MM, 1.0)
    return cut(union(parts) ^ prism(shape, bottom, 0.0, high=RELIEF), [engraved])

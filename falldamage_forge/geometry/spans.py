"""Builders of ways between terrain: plank and arch bridges, ladders."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from falldamage_forge.geometry.connectors import STANDARD, side_gap_mm
from falldamage_forge.geometry.fits import Fit
from falldamage_forge.geometry.loft import RELIEF, extrude, prism
from falldamage_forge.geometry.solids import Solid, cut, made, moved, swept, union
from falldamage_forge.geometry.style import Surface
from falldamage_forge.geometry.terrain import engraving, ribbed
from falldamage_forge.geometry.tiles import (
    Cells,
    beams,
    edge_cuts,
    edge_holes,
    edge_tubs,
    outline,
    split_edges,
)
from falldamage_forge.pieces.model import Piece

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

JOIN_MM = -STANDARD.keyhole_depth_mm - 0.2
"""An arch's walls begin inside the deck's rim, below its keyholes."""
ARCH_MM = 22.0
"""How deep an arch bridge's feet hang below its top; a level is 30 mm."""


def plank_bridge(piece: Piece, fit: Fit, surface: Surface) -> Solid:
    """A straight deck, west to east, hung by two knobs at each end in its supports' keyholes."""
    return _deck(piece.footprint, fit, surface)


def arch_bridge(piece: Piece, fit: Fit, surface: Surface) -> Solid:
    """A deck on two side walls that end below in one pointed arch over the whole span.

    Printed top down the walls grow upward, so the arch needs no support however flat it is.
    """
    import shapely

    cells = piece.footprint
    gap = side_gap_mm(fit.seam_mm)
    length = len(cells) * fit.grid.pitch_mm
    half = length / 2
    rise = ARCH_MM - STANDARD.deck_mm
    steps = 12
    curve = []
    for index in range(steps + 1):
        share = index / steps
        lift = rise * (0.7 * (2 * share - share * share) + 0.3 * share)
        curve.append((gap + 1.6 + share * (half - gap - 1.6), lift - ARCH_MM))
    arch = [*curve, *((length - x, z) for x, z in reversed(curve[:-1]))]
    sheet = shapely.Polygon(
        [(gap, JOIN_MM), (gap, -ARCH_MM), *arch, (length - gap, -ARCH_MM), (length - gap, JOIN_MM)]
    )
    wall = STANDARD.rim_mm
    width = fit.grid.pitch_mm
    flat = extrude(sheet, 0.0, wall)
    sides = [moved(swept(flat, "y"), y_mm=-gap), moved(swept(flat, "y"), y_mm=wall + gap - width)]
    return union([_deck(cells, fit, surface), *sides])


@cache
def _deck(cells: Cells, fit: Fit, surface: Surface) -> Solid:
    """A deck with its top at z = 0."""
    import shapely

    body = outline(cells, fit)
    knobs = shapely.union_all(
        [
            knob
            for cell, side in (((0, -1), 1), ((0, len(cells)), 3))
            for knob in edge_holes(cell, side, fit, -fit.fit_mm)
        ]
    )
    rim, inner = split_edges(cells)
    sides = [(cell, side) for cell, side in rim if side in (0, 2)]
    plate = ribbed(
        cells, body, beams(rim + inner, fit), inner, STANDARD.deck_mm, fit, surface, knobs
    )
    lines = engraving(cells, rim + inner, body, 0.0, surface, fit)
    whole = union([plate, edge_tubs(sides, body, fit)])
    return made(cut(whole, [*edge_cuts(sides, fit), *lines]))


def ladder(piece: Piece, fit: Fit, surface: Surface) -> Solid:
    """A ladder at the north edge of its foot's tile, up to the top of the terrain behind it.

    Source: "Ladders slot between tiles and lean against terrain" (rulebook, Bridges & Ladders):
    two toes drop into the tile's keyholes at that edge. It lies on its back to be printed.
    """
    import shapely

    standard = STANDARD
    top = fit.grid.height_mm(piece.levels)
    low = 0.2 - standard.keyhole_depth_mm
    rail, step = 6.5, fit.grid.rise_mm / 3
    rails = [shapely.box(x - 1.5, 0.0, x + 1.5, top) for x in (-rail, rail)]
    rungs = [
        shapely.box(-rail, step * (index + 0.5) - 1.5, rail, step * (index + 0.5) + 1.5)
        for index in range(3 * piece.levels)
    ]
    offset, half = standard.keyhole_offset_mm, standard.keyhole_neck_mm / 2 - fit.fit_mm
    ankles = [shapely.box(x - half, low, x + half, 1.0) for x in (-offset, offset)]
    face = shapely.union_all([*rails, *rungs, *ankles, shapely.box(-rail, 0.0, rail, step / 2)])
    back = side_gap_mm(fit.seam_mm) + fit.fit_mm
    middle = fit.grid.pitch_mm / 2
    body = swept(prism(face, 0.0, standard.ladder_mm, low=RELIEF), "y")
    return union([moved(body, middle, -back), extrude(toes(fit, back + 1.0), low, 0.0)])


def toes(fit: Fit, from_mm: float) -> BaseGeometry:
    """The two toes of the north edge of a tile, seen from above, from so far inside its edge.

    A toe is what of a knob is no wider than its neck: lying on its back it needs no support.
    """
    import shapely

    half = STANDARD.keyhole_neck_mm / 2 - fit.fit_mm
    middle, pitch = fit.grid.pitch_mm / 2, fit.grid.pitch_mm
    offset = STANDARD.keyhole_offset_mm
    return shapely.intersection(
        shapely.union_all(list(edge_holes((0, 0), 0, fit, -fit.fit_mm))),
        shapely.union_all(
            [
                shapely.box(middle + x - half, -pitch, middle + x + half, -from_mm)
                for x in (-offset, offset)
            ]
        ),
    )

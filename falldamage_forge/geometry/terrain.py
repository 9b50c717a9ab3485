"""Builders of what the table is made of: the base's quadrant, blocks, and decks.

All three are a thin skin on walls, open below, printed top down on the bed: no infill, no supports.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from falldamage_forge.geometry.connectors import (
    STANDARD,
    seam_knob,
    seam_places,
    side_gap_mm,
)
from falldamage_forge.geometry.fits import Fit
from falldamage_forge.geometry.loft import RELIEF, extrude, prism
from falldamage_forge.geometry.solids import Solid, cut, moved, swept, union
from falldamage_forge.geometry.tiles import (
    Cell,
    Cells,
    beams,
    crosses,
    diaphragm,
    edge_cuts,
    edge_holes,
    edge_tubs,
    inner_corners,
    outline,
    peg_with_ribs,
    socket_hole,
    socket_tub,
    split_edges,
    wall_ring,
)
from falldamage_forge.pieces.model import Piece

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry


def block(piece: Piece, fit: Fit) -> Solid:
    """A block of whole tiles, `levels` high, with a peg under its outermost tiles."""
    return _block(piece.footprint, fit, fit.grid.height_mm(piece.levels))


def _block(cells: Cells, fit: Fit, top: float) -> Solid:
    standard = STANDARD
    shape = outline(cells, fit)
    rim, inner = split_edges(cells)
    tub_floor = top - standard.socket_depth_mm - standard.skin_mm
    parts = [
        extrude(shape, top - standard.skin_mm, top),
        extrude(wall_ring(shape, standard.wall_mm), 0.0, top),
        edge_tubs(rim, shape, fit, top),
    ]
    parts += [socket_tub(cell, fit, top, tub_floor) for cell in cells]
    parts += [diaphragm(cell, side, fit, top) for cell, side in inner if side in (1, 2)]
    if inner:
        parts.append(beams(inner, fit, top, tub_floor))
    parts += [peg_with_ribs(cell, fit) for cell in peg_cells(cells)]
    envelope = union(
        [
            prism(shape, 0.0, top, high=RELIEF),
            extrude(shape, -standard.peg_length_mm - 1.0, 0.0),
        ]
    )
    holes = [socket_hole(cell, fit, top, standard.socket_depth_mm) for cell in cells]
    return cut(union(parts) ^ envelope, [*holes, *edge_cuts(rim + inner, fit, top)])


def peg_cells(cells: Cells) -> list[Cell]:
    """The cells that get a peg: those at the corners of the footprint's rectangle."""
    rows = {min(row for row, _ in cells), max(row for row, _ in cells)}
    cols = {min(col for _, col in cells), max(col for _, col in cells)}
    return [cell for cell in cells if cell[0] in rows and cell[1] in cols]


def quadrant(piece: Piece, fit: Fit) -> Solid:
    """One design for the whole base: all four edges alike, sockets right through."""
    standard = STANDARD
    cells = piece.footprint
    shape = seam_outline(cells, fit)
    rim, inner = split_edges(cells)
    bottom = -standard.base_mm
    parts = [
        extrude(shape, -standard.skin_mm, 0.0),
        extrude(wall_ring(shape, standard.rim_mm), bottom, 0.0),
        beams(rim + inner, fit, 0.0, bottom),
        *(socket_tub(cell, fit, 0.0, bottom) for cell in cells),
    ]
    if inner_corners(cells):
        parts.append(crosses(cells, fit, 6.0, 0.0, bottom))
    holes = [socket_hole(cell, fit, 0.0, standard.base_mm + 1.0) for cell in cells]
    envelope = prism(shape, bottom, 0.0, high=RELIEF)
    return cut(union(parts) ^ envelope, [*holes, *edge_cuts(rim + inner, fit, 0.0)])


def seam_outline(cells: Cells, fit: Fit) -> BaseGeometry:
    """A quadrant's outline: the square inside its tiles, with knobs out and pockets in."""
    import shapely
    from shapely import affinity

    count = max(col for _, col in cells) + 1
    length = count * fit.grid.pitch_mm
    knobs, pockets = seam_places(count, fit.grid.pitch_mm)
    middle = (length / 2, -length / 2)
    shape: BaseGeometry = outline(cells, fit)
    for turn in range(4):
        # The north edge read counter-clockwise runs from east to west.
        for place in knobs:
            knob = affinity.translate(seam_knob(), length - place, 0.0)
            shape = shapely.union(shape, affinity.rotate(knob, 90 * turn, origin=middle))
        for place in pockets:
            pocket = affinity.rotate(seam_knob(fit.seam_mm), 180, origin=(0, 0))
            pocket = affinity.translate(pocket, length - place, 0.0)
            shape = shapely.difference(shape, affinity.rotate(pocket, 90 * turn, origin=middle))
    return shape


def plank_bridge(piece: Piece, fit: Fit) -> Solid:
    """A straight deck, west to east, hung by two knobs at each end in its supports' keyholes."""
    import shapely

    standard = STANDARD
    cells = piece.footprint
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
    bottom = -standard.deck_mm
    parts = [
        extrude(body, -standard.skin_mm, 0.0),
        extrude(knobs, -standard.keyhole_depth_mm, 0.0),
        extrude(wall_ring(body, standard.rim_mm), bottom, 0.0),
        edge_tubs(sides, body, fit, 0.0),
        beams(rim + inner, fit, 0.0, bottom),
        *(socket_tub(cell, fit, 0.0, bottom) for cell in cells),
    ]
    # The knobs' necks reach into the body no deeper than they are thick, so one outline holds both.
    envelope = prism(shapely.union(body, knobs), bottom, 0.0, high=RELIEF)
    holes = [socket_hole(cell, fit, 0.0, standard.deck_mm + 1.0) for cell in cells]
    return cut(union(parts) ^ envelope, [*holes, *edge_cuts(sides + inner, fit, 0.0)])


def ladder(piece: Piece, fit: Fit) -> Solid:
    """A ladder at the north edge of its foot's tile, up to the top of the terrain behind it.

    Source: "Ladders slot between tiles and lean against terrain" (rulebook, Bridges & Ladders):
    two toes drop into the tile's keyholes at that edge. It lies on its back to be printed.
    """
    import shapely

    standard = STANDARD
    grid = fit.grid
    top = grid.height_mm(piece.levels)
    half = standard.keyhole_neck_mm / 2 - fit.fit_mm
    rail, step = 6.5, grid.rise_mm / 3
    rails = [shapely.box(x - 1.5, 0.0, x + 1.5, top) for x in (-rail, rail)]
    rungs = [
        shapely.box(-rail, step * (index + 0.5) - 1.5, rail, step * (index + 0.5) + 1.5)
        for index in range(3 * piece.levels)
    ]
    low = 0.2 - standard.keyhole_depth_mm
    offset = standard.keyhole_offset_mm
    ankles = [shapely.box(x - half, low, x + half, 1.0) for x in (-offset, offset)]
    face = shapely.union_all([*rails, *rungs, *ankles, shapely.box(-rail, 0.0, rail, 3.0)])
    back = side_gap_mm(fit.seam_mm) + fit.fit_mm
    body = swept(prism(face, 0.0, standard.ladder_mm, low=RELIEF), "y")
    # A toe is what of a knob is no wider than its neck, so that it needs no support on its back.
    middle = grid.pitch_mm / 2
    toes = shapely.intersection(
        shapely.union_all(list(edge_holes((0, 0), 0, fit, -fit.fit_mm))),
        shapely.union_all(
            [
                shapely.box(middle + x - half, -grid.pitch_mm, middle + x + half, -back - 1.0)
                for x in (-offset, offset)
            ]
        ),
    )
    return union([moved(body, middle, -back), extrude(toes, low, 0.0)])


__all__ = ["block", "ladder", "peg_cells", "plank_bridge", "quadrant", "seam_outline"]

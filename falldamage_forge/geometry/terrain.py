"""Builders of what the table is made of: the base's quadrant, blocks, and decks.

All three are a thin skin on walls, open below, printed top down on the bed: no infill, no supports.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from falldamage_forge.geometry.connectors import STANDARD, seam_knob, seam_places, socket
from falldamage_forge.geometry.fits import Fit
from falldamage_forge.geometry.loft import RELIEF, extrude, prism
from falldamage_forge.geometry.relief import top_lines, walls
from falldamage_forge.geometry.solids import Solid, cut, union
from falldamage_forge.geometry.style import Surface
from falldamage_forge.geometry.tiles import (
    Cell,
    Cells,
    beams,
    centred,
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


def block(piece: Piece, fit: Fit, surface: Surface) -> Solid:
    """A block of whole tiles, `levels` high, with a peg under its outermost tiles."""
    return _block(piece.footprint, fit, fit.grid.height_mm(piece.levels), surface)


def step(piece: Piece, fit: Fit, surface: Surface) -> Solid:
    """A block of half a level: two of them are a stair, and no jump is needed in between."""
    return _block(piece.footprint, fit, fit.grid.rise_mm / 2, surface)


def _block(cells: Cells, fit: Fit, top: float, surface: Surface) -> Solid:
    standard = STANDARD
    shape = outline(cells, fit)
    rim, inner = split_edges(cells)
    skin = skin_mm(surface)
    box, outer = walls(shape, top, skin, surface, fit)
    tub_floor = top - standard.socket_depth_mm - standard.skin_mm
    parts = [box, edge_tubs(rim, shape, fit, top)]
    parts += [socket_tub(cell, fit, top, tub_floor) for cell in cells]
    parts += [diaphragm(cell, side, fit, top) for cell, side in inner if side in (1, 2)]
    if inner:
        parts.append(beams(inner, fit, top, tub_floor))
    parts += [peg_with_ribs(cell, fit) for cell in peg_cells(cells)]
    envelope = union([outer, extrude(shape, -standard.peg_length_mm - 1.0, 0.0)])
    holes = [socket_hole(cell, fit, top, standard.socket_depth_mm) for cell in cells]
    lines = engraving(cells, rim + inner, top, surface, fit)
    return cut(union(parts) ^ envelope, [*holes, *edge_cuts(rim + inner, fit, top), *lines])


def skin_mm(surface: Surface) -> float:
    """Thickness of a top: engraved lines are added to what is needed without them."""
    return STANDARD.skin_mm + (surface.top_depth_mm if surface.top != "none" else 0.0)


def engraving(
    cells: Cells, edges: list[tuple[Cell, int]], top: float, surface: Surface, fit: Fit
) -> list[Solid]:
    """What a style's lines take away from a top; an empty list for a bare one."""
    import shapely

    if surface.top == "none":
        return []
    holes = [hole for cell, side in edges for hole in edge_holes(cell, side, fit)]
    keep_out = shapely.union_all([*holes, *(centred(socket(), cell, fit) for cell in cells)])
    lines = top_lines(cells, keep_out, surface, fit)
    if lines.is_empty:
        return []
    return [extrude(lines, top - surface.top_depth_mm, top + 1.0)]


def peg_cells(cells: Cells) -> list[Cell]:
    """The cells that get a peg: those at the corners of the footprint's rectangle."""
    rows = {min(row for row, _ in cells), max(row for row, _ in cells)}
    cols = {min(col for _, col in cells), max(col for _, col in cells)}
    return [cell for cell in cells if cell[0] in rows and cell[1] in cols]


def quadrant(piece: Piece, fit: Fit, surface: Surface) -> Solid:
    """One design for the whole base: all four edges alike, sockets right through."""
    standard = STANDARD
    cells = piece.footprint
    shape = seam_outline(cells, fit)
    rim, inner = split_edges(cells)
    bottom = -standard.base_mm
    parts = [
        extrude(shape, -skin_mm(surface), 0.0),
        extrude(wall_ring(shape, standard.rim_mm), bottom, 0.0),
        beams(rim + inner, fit, 0.0, bottom),
        *(socket_tub(cell, fit, 0.0, bottom) for cell in cells),
    ]
    if inner_corners(cells):
        parts.append(crosses(cells, fit, 6.0, 0.0, bottom))
    holes = [socket_hole(cell, fit, 0.0, standard.base_mm + 1.0) for cell in cells]
    envelope = prism(shape, bottom, 0.0, high=RELIEF)
    lines = engraving(cells, rim + inner, 0.0, surface, fit)
    return cut(union(parts) ^ envelope, [*holes, *edge_cuts(rim + inner, fit, 0.0), *lines])


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

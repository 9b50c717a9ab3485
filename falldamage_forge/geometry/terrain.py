"""Builders of what the table is made of: the base's quadrant, blocks, and decks.

All three are a thin skin on walls, open below, printed top down on the bed: no infill, no supports.
"""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING

from falldamage_forge.geometry.connectors import STANDARD, seam_knob, seam_places, socket
from falldamage_forge.geometry.fits import Fit
from falldamage_forge.geometry.loft import RELIEF, extrude, prism
from falldamage_forge.geometry.magnets import magnet_cup, magnet_pocket, magnet_tip
from falldamage_forge.geometry.relief import hull, top_lines
from falldamage_forge.geometry.solids import WELD_MM, Solid, cut, made, moved, union
from falldamage_forge.geometry.style import Magnets, Surface
from falldamage_forge.geometry.tiles import (
    LIFT_MM,
    Cell,
    Cells,
    beams,
    centred,
    crosses,
    diaphragm,
    edge_cuts,
    edge_holes,
    edge_tubs,
    outline,
    peg_with_ribs,
    socket_hole,
    split_edges,
    tub,
    wall_ring,
)
from falldamage_forge.pieces.model import Piece

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from shapely.geometry.base import BaseGeometry


def block(piece: Piece, fit: Fit, surface: Surface) -> Solid:
    """A block of whole tiles, `levels` high, with a peg under its outermost tiles.

    With bare walls a taller block is the lowest one pulled long: between the ribs below and the
    sockets above its section does not change.
    """
    top = fit.grid.height_mm(piece.levels)
    if surface.wall != "none" or piece.levels == 1:
        return _block(piece.footprint, fit, top, surface)
    lowest = _block(piece.footprint, fit, fit.grid.rise_mm, surface)
    return lowest.warp_batch(partial(_pulled, by_mm=top - fit.grid.rise_mm))


PULL_ABOVE_MM = 22.0
"""The ribs of pegs and diaphragms end below, the works under a top begin above this height."""


def _pulled(points: NDArray[np.float64], by_mm: float) -> NDArray[np.float64]:
    """Points (n, 3), those of the upper end lifted."""
    import numpy as np

    lifted: NDArray[np.float64] = np.array(points)
    lifted[:, 2] += by_mm * (lifted[:, 2] > PULL_ABOVE_MM)
    return lifted


def step(piece: Piece, fit: Fit, surface: Surface) -> Solid:
    """A block of half a level: two of them are a stair, and no jump is needed in between."""
    return _block(piece.footprint, fit, fit.grid.rise_mm / 2, surface)


@cache
def _block(cells: Cells, fit: Fit, top: float, surface: Surface) -> Solid:
    shape = outline(cells, fit)
    rim, inner = split_edges(cells)
    works, tools = _top_works(cells, fit, surface.magnets)
    walls_and_top = hull(shape, top, skin_mm(surface), surface, fit)
    # Rings have points at the joints of every course: without the idle ones all goes sooner.
    parts = [walls_and_top.simplify(WELD_MM), moved(works, z_mm=top)]
    inset = within(shape)
    walls = [diaphragm(cell, side, fit, top) for cell, side in inner if side in (1, 2)]
    if walls:
        parts.append(union(walls) ^ extrude(inset, 0.0, top))
    parts.append(_bottom_works(cells, fit, surface.magnets) ^ extrude(inset, -10.0, top - 0.2))
    lines = engraving(cells, rim + inner, shape, top, surface, fit)
    return made(cut(union(parts), [moved(tools, z_mm=top), *lines]))


def within(shape: BaseGeometry) -> BaseGeometry:
    """Where ribs may go: into the walls, which lie here whatever their grooves, but not through."""
    import shapely

    return shapely.buffer(shape, -0.7, join_style="mitre")


@cache
def _top_works(cells: Cells, fit: Fit, magnets: Magnets | None) -> tuple[Solid, Solid]:
    """What lies under a top at z = 0 to hold its connectors, and what these take away."""
    import shapely

    standard = STANDARD
    shape = outline(cells, fit)
    rim, inner = split_edges(cells)
    floor = -standard.socket_depth_mm - standard.skin_mm
    parts = [edge_tubs(rim, within(shape), fit)]
    ribs = shapely.union_all([beams(inner, fit), *(tub(cell, fit) for cell in cells)])
    parts.append(extrude(ribs, floor, -LIFT_MM))
    holes = [socket_hole(cell, fit, standard.socket_depth_mm) for cell in cells]
    if magnets:
        for cell in peg_cells(cells):
            x, y = fit.grid.centre_mm(*cell)
            parts.append(moved(magnet_cup(magnets), x, y, floor))
            holes.append(moved(magnet_pocket(magnets), x, y, floor))
    return made(union(parts)), made(union([*holes, *edge_cuts(rim + inner, fit)]))


@cache
def _bottom_works(cells: Cells, fit: Fit, magnets: Magnets | None) -> Solid:
    """Pegs and their ribs below and above z = 0."""
    pegs = [peg_with_ribs(cell, fit) for cell in peg_cells(cells)]
    if magnets:
        for cell in peg_cells(cells):
            pegs.append(moved(magnet_tip(magnets, fit), *fit.grid.centre_mm(*cell)))
    works = union(pegs)
    if magnets:
        low = magnets.height_mm + 0.1 - STANDARD.peg_length_mm
        pockets = [
            moved(magnet_pocket(magnets), *fit.grid.centre_mm(*cell), low)
            for cell in peg_cells(cells)
        ]
        works = cut(works, pockets)
    return made(works)


def skin_mm(surface: Surface) -> float:
    """Thickness of a top: engraved lines are added to what is needed without them."""
    return STANDARD.skin_mm + (surface.top_depth_mm if surface.top != "none" else 0.0)


def engraving(
    cells: Cells,
    edges: list[tuple[Cell, int]],
    shape: BaseGeometry,
    top: float,
    surface: Surface,
    fit: Fit,
) -> list[Solid]:
    """What a style's lines take away from a top; an empty list for a bare one."""
    import shapely

    if surface.top == "none":
        return []
    holes = [hole for cell, side in edges for hole in edge_holes(cell, side, fit)]
    keep_out = shapely.union_all([*holes, *(centred(socket(), cell, fit) for cell in cells)])
    lines = top_lines(cells, shape, keep_out, surface, fit)
    if lines.is_empty:
        return []
    return [extrude(lines, top - surface.top_depth_mm, top + 1.0)]


def peg_cells(cells: Cells) -> list[Cell]:
    """The cells that get a peg: those at the corners of the footprint's rectangle."""
    rows = {min(row for row, _ in cells), max(row for row, _ in cells)}
    cols = {min(col for _, col in cells), max(col for _, col in cells)}
    return [cell for cell in cells if cell[0] in rows and cell[1] in cols]


def quadrant(piece: Piece, fit: Fit, surface: Surface) -> Solid:
    """One design for the whole base: all four edges alike, sockets and keyholes right through."""
    import shapely

    cells = piece.footprint
    shape = seam_outline(cells, fit)
    rim, inner = split_edges(cells)
    ribs = shapely.union(beams(rim + inner, fit), crosses(cells, fit, 6.0))
    plate = ribbed(cells, shape, ribs, rim + inner, STANDARD.base_mm, fit, surface)
    return cut(plate, engraving(cells, rim + inner, shape, 0.0, surface, fit))


def ribbed(
    cells: Cells,
    body: BaseGeometry,
    ribs: BaseGeometry,
    edges: list[tuple[Cell, int]],
    height_mm: float,
    fit: Fit,
    surface: Surface,
    knobs: BaseGeometry | None = None,
) -> Solid:
    """A plate with its top at z = 0: a skin over a rim, ribs and socket walls, open below.

    Sockets, and keyholes at the given edges, go right through. It is made in layers of outlines,
    which is much faster than cutting two hundred holes out of a solid.
    """
    import shapely

    slots = shapely.union_all(
        [hole for cell, side in edges for hole in edge_holes(cell, side, fit)]
    )
    sockets = shapely.union_all([centred(socket(), cell, fit) for cell in cells])
    walls = [wall_ring(body, STANDARD.rim_mm), ribs, *(tub(cell, fit) for cell in cells)]
    frame = shapely.difference(shapely.intersection(shapely.union_all(walls), body), sockets)
    skin, slotted = skin_mm(surface), STANDARD.keyhole_depth_mm
    knobs = knobs or shapely.Polygon()
    middle = shapely.union(shapely.difference(frame, slots), knobs)
    top = shapely.difference(shapely.union(body, knobs), shapely.union(slots, sockets))
    plate = union(
        [
            extrude(frame, -height_mm, -slotted),
            extrude(middle, -slotted, -skin),
            prism(top, -skin, 0.0, high=RELIEF),
        ]
    )
    return cut(plate, [socket_hole(cell, fit, height_mm + 1.0) for cell in cells])


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

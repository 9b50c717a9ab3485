"""Blocks and steps: shells open below, that stand in the groove of a tile and click under its head.

Printed top down on the bed: no infill, no supports. `z = 0` is the level a block stands on; its
skirt reaches below.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from falldamage_forge.geometry.finish.apply import faced, paving
from falldamage_forge.geometry.fits import Fit
from falldamage_forge.geometry.head import (
    INSIDE_MM,
    all_edges,
    hollows,
    keyholes,
    tops,
)
from falldamage_forge.geometry.loft import extrude, profiled
from falldamage_forge.geometry.solids import Solid, cut, hull, made, moved, union
from falldamage_forge.geometry.standard import STANDARD, heads, places
from falldamage_forge.geometry.style import Finish
from falldamage_forge.geometry.tiles import (
    Cell,
    Cells,
    grown,
    outline,
    split_edges,
    wall_ring,
)
from falldamage_forge.lengths import GRID
from falldamage_forge.pieces.model import Piece

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

FACED_FROM_MM = 2.64
"""A wall's drawing begins so far above a block's foot, where its seat has become a wall."""
PILASTER_MM = 3.2


def block(piece: Piece, fit: Fit, finish: Finish) -> Solid:
    """A block of whole tiles, `levels` high."""
    top = fit.grid.height_mm(piece.levels)
    return shell(piece.footprint, fit, top, finish, variant=piece.variant)


def step(piece: Piece, fit: Fit, finish: Finish) -> Solid:
    """A block of half a level: from it to the next level no jump is needed."""
    return shell(piece.footprint, fit, places(fit).step_mm, finish, variant=piece.variant)


@cache
def shell(
    cells: Cells,
    fit: Fit,
    top: float,
    finish: Finish,
    bead_mm: float | None = None,
    *,
    variant: int = 0,
) -> Solid:
    """The walls, the heads on them, what stiffens them, and the beads of the click.

    `bead_mm` is the half size that beads reach in to, where it is not that of the fit.
    """
    shape = outline(cells, fit)
    fin = STANDARD.fin_mm
    ceiling, deep = top - fin, fin
    if fit.grid != GRID:
        # Heights that are no round numbers differ by rounding, which would leave a film between.
        ceiling, deep = round(ceiling, 4), fin + 1.0
    stones = moved(tops(cells, fit), z_mm=top) ^ extrude(grown(shape, 1.0), ceiling, top + 1.0)
    hollow = moved(hollows(cells, fit, STANDARD.skin_mm, deep), z_mm=top)
    bosses, cuts = keyholes(all_edges(cells), fit)
    ribs, strokes = paving(cells, fit, finish.top, variant, STANDARD.skin_mm)
    parts = [
        _walls(shape, fit, ceiling, finish.wall, variant),
        cut(stones, [hollow]),
        *(moved(part, z_mm=top) for part in (bosses, ribs)),
        *pilasters(cells, fit, top),
        beads(cells, fit, bead_mm),
    ]
    return made(cut(union(parts), [moved(tool, z_mm=top) for tool in (cuts, strokes)]))


def _walls(shape: BaseGeometry, fit: Fit, top: float, name: str, variant: int) -> Solid:
    """Skirt, seat and walls up to a height; between both ends they are a wall's drawing."""
    standard, sizes = STANDARD, heads(fit)
    skirt = sizes.outline_mm - sizes.skirt_mm
    seat = sizes.outline_mm - sizes.seat_mm
    column, cavity = faced(
        shape, name, variant, fit.grid, FACED_FROM_MM, top, fit.wall_mm - INSIDE_MM
    )
    above = top + INSIDE_MM
    room = grown(shape, -fit.wall_mm)
    inside = [
        (-1.0, seat),
        (0.0, seat),
        (standard.seat_rise_mm, fit.wall_mm),
        (FACED_FROM_MM, fit.wall_mm),
    ]
    under = extrude(grown(shape, -skirt), -standard.skirt_mm - 1.0, 0.0)
    body = union([extrude(shape, -standard.skirt_mm, FACED_FROM_MM), column])
    body = union([body, extrude(shape, top, above)])
    tools = [under, profiled(shape, inside), cavity, extrude(room, top, top + 1.0)]
    return cut(body, tools)


def beads(cells: Cells, fit: Fit, bead_mm: float | None = None) -> Solid:
    """The beads of a skirt; two opposite walls bend outward as it goes down over the heads."""
    return union([_bead(cell, side, fit, bead_mm) for cell, side in bead_seats(cells)])


def bead_seats(cells: Cells) -> list[tuple[Cell, int]]:
    """Where beads are: in mid-edge of the outermost tiles of the western and eastern side."""
    rim, _ = split_edges(cells)
    found = []
    for side, pick in ((1, max), (3, min)):
        last = pick(col for _, col in cells)
        rows = sorted(cell for cell, k in rim if k == side and cell[1] == last)
        found += [(cell, side) for cell in sorted({rows[0], rows[-1]})]
    return found


def bead_profile(fit: Fit, inner_mm: float) -> list[tuple[float, float]]:
    """(half size, z) points of a bead's section: it grows out of the skirt at 45 degrees.

    Its upper flank meets the lower flank of a head's face. Its crest covers the middle of the
    skirt's last layer, so that the layer is printed as far in as the crest.
    """
    standard, sizes = STANDARD, heads(fit)
    root, run = sizes.skirt_mm + 0.2, sizes.skirt_mm - inner_mm
    under = -standard.under_depth_mm
    return [
        (root, under + run - 0.02),
        (sizes.skirt_mm, under + run - 0.02),
        (inner_mm, under),
        (inner_mm, -standard.bead_low_mm),
        (sizes.skirt_mm, -standard.skirt_mm),
        (root, -standard.skirt_mm),
    ]


def _bead(cell: Cell, side: int, fit: Fit, bead_mm: float | None) -> Solid:
    half = STANDARD.bead_half_mm
    profile = bead_profile(fit, bead_mm or heads(fit).bead_mm)
    bar = hull([(x, y, z) for y, z in profile for x in (-half, half)])
    return moved(bar.rotate((0, 0, -90 * side)), *fit.grid.centre_mm(*cell))


def pilasters(cells: Cells, fit: Fit, top: float) -> list[Solid]:
    """Ribs inside the walls that carry beads, where grid lines meet them: long ones bend as short.

    Walls to the north and south only stand, and need none.
    """
    import shapely

    _, inner = split_edges(cells)
    # Wider than the fins they stand on, so that no two faces coincide.
    half, pitch = fit.wall_mm / 2 + 0.03, fit.grid.pitch_mm / 2
    lines = []
    for cell, side in inner:
        if side != 2:
            continue
        x, y = fit.grid.centre_mm(*cell)
        lines.append(shapely.box(x - pitch, y - pitch - half, x + pitch, y - pitch + half))
    if not lines:
        return []
    near = wall_ring(grown(outline(cells, fit), -0.7), PILASTER_MM + fit.wall_mm - 0.7)
    shape = shapely.intersection(shapely.union_all(lines), near)
    return [extrude(shape, 0.48, top - STANDARD.fin_mm + 0.24)]

"""Blocks and steps: shells open below that stand in a tile's groove and snap under its stud.

They are printed upside down, without infill or supports. `z = 0` is the level that a block stands
on; its skirt reaches below.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from falldamage_forge.geometry.connector_standard import STANDARD, heads, places
from falldamage_forge.geometry.csg import Solid, force_evaluation, hull, subtract, translate, union
from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.geometry.footprint import (
    Cell,
    Cells,
    offset_polygon,
    outline,
    split_edges,
    wall_ring,
)
from falldamage_forge.geometry.loft import extrude, loft_profile
from falldamage_forge.geometry.lying_magnet import block_magnets
from falldamage_forge.geometry.magnet_pocket import block_magnet_of
from falldamage_forge.geometry.piece_style import SurfaceFinish
from falldamage_forge.geometry.relief.apply_relief import paving, wall_with_relief
from falldamage_forge.geometry.relief.broken_parapets import BROKEN
from falldamage_forge.geometry.relief.broken_tops import broken_points, broken_top
from falldamage_forge.geometry.relief.elements import Outline
from falldamage_forge.geometry.relief.wall_patterns import is_crag
from falldamage_forge.geometry.stud import INSIDE_MM, all_edges, keyholes, stud_cavities, tops
from falldamage_forge.lengths import GRID, MagnetSize
from falldamage_forge.pieces.lost_corners import Site, broken_sites
from falldamage_forge.pieces.piece import Piece

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

FACED_FROM_MM = 2.64
"""Height above a block's foot at which the relief of its walls begins, above the seat."""
PILASTER_MM, PILASTER_FROM_MM, PILASTER_WIDE_MM = 3.2, 0.7, 0.9
"""Length of a rib inside its wall, the distance from the outline at which it begins there, and its
width in walls of one line.

Where stones lie outmost, such a wall ends before that: its ribs begin in its middle. They have two
narrow lines: of one line that meets another one, slicers leave out layers now and then.
"""


def block(piece: Piece, fit: DesignParameters, finish: SurfaceFinish) -> Solid:
    """Return a block of whole tiles, `levels` high.

    Args:
        piece: Piece to draw, with its grid and parameters.
        fit: Design parameters of the printer and grid, in mm.
        finish: Looks of its sides and top.
    """
    top = fit.grid.height_mm(piece.levels)
    lost = broken_sites(piece.footprint, piece.variant) if finish.wall in BROKEN else ()
    held = block_magnet_of(piece)
    return shell(piece.footprint, fit, top, finish, variant=piece.variant, lost=lost, magnet=held)


def step(piece: Piece, fit: DesignParameters, finish: SurfaceFinish) -> Solid:
    """Return a block of half a level, so that the next level needs no jump.

    Args:
        piece: Piece to draw, with its grid and parameters.
        fit: Design parameters of the printer and grid, in mm.
        finish: Looks of its sides and top.
    """
    return shell(piece.footprint, fit, places(fit).step_mm, finish, variant=piece.variant)


@cache
def shell(
    cells: Cells,
    fit: DesignParameters,
    top: float,
    finish: SurfaceFinish,
    bead_mm: float | None = None,
    *,
    variant: int = 0,
    lost: tuple[Site, ...] = (),
    magnet: MagnetSize | None = None,
) -> Solid:
    """Return a shell: walls, studs on top, stiffening ribs, and snap-fit beads.

    Args:
        cells: (row, col) of the tiles covered.
        fit: Gaps of the printer.
        top: Height of the top in mm.
        finish: Reliefs of walls and top.
        bead_mm: Half size that the beads reach in to; None for that of `fit`.
        variant: Number of the relief's variant.
        lost: Sites at which the top is broken.
        magnet: Size of the magnets in it; None for none.
    """
    shape = outline(cells, fit)
    fin = STANDARD.fin_mm
    ceiling, deep = top - fin, fin
    if fit.grid != GRID:
        # Heights that are no round numbers differ by rounding, which would leave a film between.
        ceiling, deep = round(ceiling, 4), fin + 1.0
    stones = translate(tops(cells, fit), z_mm=top) ^ extrude(
        offset_polygon(shape, 1.0), ceiling, top + 1.0
    )
    hollow = translate(stud_cavities(cells, fit, STANDARD.skin_mm, deep), z_mm=top)
    bosses, cuts = keyholes(all_edges(cells), fit)
    ribs, strokes = paving(cells, fit, finish.top, variant, STANDARD.skin_mm)
    body, walls = _walls(shape, fit, ceiling, finish.wall, variant, broken_points(lost, fit))
    parts = [
        walls,
        subtract(stones, [hollow]),
        *(translate(part, z_mm=top) for part in (bosses, ribs)),
        *_ribs(shape, cells, fit, top, finish.wall, variant),
        beads(cells, fit, bead_mm),
    ]
    tools = [translate(tool, z_mm=top) for tool in (cuts, strokes)]
    if magnet is not None:
        posts, rooms = block_magnets(cells, magnet, fit, top)
        parts.append(posts)
        tools.append(rooms)
    if lost:
        gone, behind = broken_top(lost, fit, top, f"{cells} {variant}")
        parts.append(union([body, stones]) ^ behind)
        tools = [*(subtract(tool, [behind]) for tool in tools), gone]
    return force_evaluation(subtract(union(parts), tools))


def _walls(
    shape: BaseGeometry,
    fit: DesignParameters,
    top: float,
    name: str,
    variant: int,
    broken: Outline = (),
) -> tuple[Solid, Solid]:
    """Return (skirt, seat and walls up to a height, filled; the same, hollow), with relief."""
    standard, sizes = STANDARD, heads(fit)
    skirt = sizes.outline_mm - sizes.skirt_mm
    seat = sizes.outline_mm - sizes.seat_mm
    column, cavity = wall_with_relief(
        shape,
        name,
        variant,
        fit.grid,
        FACED_FROM_MM,
        top,
        fit.wall_mm - INSIDE_MM,
        broken=broken,
    )
    above = top + INSIDE_MM
    room = offset_polygon(shape, -fit.wall_mm)
    inside = [
        (-1.0, seat),
        (0.0, seat),
        (standard.seat_rise_mm, fit.wall_mm),
        (FACED_FROM_MM, fit.wall_mm),
    ]
    under = extrude(offset_polygon(shape, -skirt), -standard.skirt_mm - 1.0, 0.0)
    body = union([extrude(shape, -standard.skirt_mm, FACED_FROM_MM), column])
    body = union([body, extrude(shape, top, above)])
    tools = [under, loft_profile(shape, inside), cavity, extrude(room, top, top + 1.0)]
    return body, subtract(body, tools)


def _ribs(
    shape: BaseGeometry, cells: Cells, fit: DesignParameters, top: float, name: str, variant: int
) -> list[Solid]:
    """Return the pilasters; they end in the middle of walls deeper or thinner than usual."""
    ribs = pilasters(cells, fit, top)
    if not ribs or (_reaches_ribs(fit) and not is_crag(name, fit.grid)):
        return ribs
    ceiling = top - STANDARD.fin_mm
    core, _ = wall_with_relief(
        shape, name, variant, fit.grid, FACED_FROM_MM, ceiling, 0.0, fit.wall_mm / 2
    )
    outside = subtract(extrude(offset_polygon(shape, 1.0), FACED_FROM_MM, ceiling), [core])
    return [subtract(rib, [outside]) for rib in ribs]


def _reaches_ribs(fit: DesignParameters) -> bool:
    """True for walls that reach their ribs wherever stones lie."""
    return fit.wall_mm > PILASTER_FROM_MM


def beads(cells: Cells, fit: DesignParameters, bead_mm: float | None = None) -> Solid:
    """Return the beads of a skirt, on two opposite walls that bend on the way over the studs.

    Args:
        cells: Tiles of the footprint.
        fit: Design parameters of the printer and grid, in mm.
        bead_mm: Reach of the beads; None: that of the design parameters.
    """
    return union([_bead(cell, side, fit, bead_mm) for cell, side in bead_seats(cells)])


def bead_seats(cells: Cells) -> list[tuple[Cell, int]]:
    """Return the (cell, side) of each bead: mid-edge of the outermost tiles west and east."""
    rim, _ = split_edges(cells)
    seats = []
    for side, pick in ((1, max), (3, min)):
        last = pick(col for _, col in cells)
        rows = sorted(cell for cell, k in rim if k == side and cell[1] == last)
        seats += [(cell, side) for cell in sorted({rows[0], rows[-1]})]
    return seats


def bead_profile(fit: DesignParameters, inner_mm: float) -> list[tuple[float, float]]:
    """Return the section of a bead.

    Its upper flank meets the lower flank of a stud's face. Its crest covers the middle of a layer,
    so that the layer is printed as far in as the crest; its foot leads the skirt over the stud.

    Args:
        fit: Gaps of the printer.
        inner_mm: Half size at the crest.

    Returns:
        (half size, z) points in mm.
    """
    standard, sizes = STANDARD, heads(fit)
    root, crest = sizes.skirt_mm + 0.2, -standard.bead_high_mm
    run = sizes.skirt_mm - inner_mm
    high = crest + standard.bead_flank * run
    low = min(standard.skirt_mm, standard.bead_foot_mm + run / standard.flare)
    return [
        (root, high),
        (sizes.skirt_mm, high),
        (inner_mm, crest),
        (inner_mm, -standard.bead_foot_mm),
        (sizes.skirt_mm, -low),
        (root, -low),
    ]


def _bead(cell: Cell, side: int, fit: DesignParameters, bead_mm: float | None) -> Solid:
    half = STANDARD.bead_half_mm
    profile = bead_profile(fit, bead_mm or heads(fit).bead_mm)
    bar = hull([(x, y, z) for y, z in profile for x in (-half, half)])
    return translate(bar.rotate((0, 0, -90 * side)), *fit.grid.centre_mm(*cell))


def pilasters(cells: Cells, fit: DesignParameters, top: float) -> list[Solid]:
    """Return ribs inside the walls with beads, at grid lines, so that long walls bend like short.

    Walls to the north and south carry no beads and need no ribs.

    Args:
        cells: Tiles of the footprint.
        fit: Design parameters of the printer and grid, in mm.
        top: Height of the ribs' upper ends, in mm.
    """
    import shapely

    _, inner = split_edges(cells)
    # Wider than the fins they stand on, so that no two faces coincide.
    half, pitch = fit.wall_mm / 2 + 0.03, fit.grid.pitch_mm / 2
    if not _reaches_ribs(fit):
        half = PILASTER_WIDE_MM / 2
    lines = []
    for cell, side in inner:
        if side != 2:
            continue
        x, y = fit.grid.centre_mm(*cell)
        lines.append(shapely.box(x - pitch, y - pitch - half, x + pitch, y - pitch + half))
    if not lines:
        return []
    start = PILASTER_FROM_MM if _reaches_ribs(fit) else fit.wall_mm / 2
    near = wall_ring(offset_polygon(outline(cells, fit), -start), PILASTER_MM + fit.wall_mm - start)
    shape = shapely.intersection(shapely.union_all(lines), near)
    return [extrude(shape, 0.48, top - STANDARD.fin_mm + 0.24)]

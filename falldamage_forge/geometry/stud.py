"""Stud: the stone on top of every tile, with the groove round it and its keyholes.

A top is a union of studs over its cells; the cavity below follows the flare at a wall's distance.
The top is at z = 0; frames are those of `footprint`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

from falldamage_forge.geometry.connector_standard import (
    BULB,
    LAYER_MM,
    NECK,
    SHALLOW_BULB,
    SHALLOW_NECK,
    STANDARD,
    Steps,
    corner_mm,
    heads,
    places,
)
from falldamage_forge.geometry.csg import (
    Solid,
    force_evaluation,
    stand_upright,
    subtract,
    translate,
    union,
)
from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.geometry.footprint import SIDES, Cell, Cells, offset_polygon, outline, square
from falldamage_forge.geometry.layered_profile import Profile
from falldamage_forge.geometry.loft import extrude, loft_profile

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

BELOW_MM = 9.0
"""Depth of a stud's solid below its top, for builders to cut from."""
FLOOR_MM = 0.48
"""Thickness below a keyhole, in whole layers; the wall round it is two lines."""
LINES_MM = 0.84
"""Width of two printed lines, independent of the process's walls."""
SUNK_MM = 0.3
"""Depth below the top, inside every skin, at which what stands under the skin begins."""
STRAIGHT_MM = 0.006
"""Allowed distance of a keyhole's flank from its steps at the middles of layers."""
INSIDE_MM = 0.02
"""Overlap of solids that are joined, so that no two faces nearly coincide."""


@cache
def octagon(half_mm: float, corner: float) -> BaseGeometry:
    """Return a square about (0, 0) with its corners cut off by `corner` along each side.

    Args:
        half_mm: Half size of the square.
        corner: Length of a cut along a side, in mm.
    """
    import shapely

    h, c = half_mm, half_mm - corner
    points = [(h, -c), (h, c), (c, h), (-c, h), (-h, c), (-h, -c), (-c, -h), (c, -h)]
    return shapely.Polygon(points)


@cache
def head_profile(fit: DesignParameters) -> Profile:
    """Return (z, half size) of a stud from its top down: bevel, face, undercut, throat, flare."""
    standard, sizes = STANDARD, heads(fit)
    pit = sizes.throat_mm + standard.flare * (standard.pit_depth_mm - standard.throat_depth_mm)
    return (
        (0.0, sizes.top_mm),
        (-standard.bevel_depth_mm, sizes.face_mm),
        (-standard.face_depth_mm, sizes.face_mm),
        (-standard.under_depth_mm, sizes.throat_mm),
        (-standard.throat_depth_mm, sizes.throat_mm),
        (-standard.pit_depth_mm, pit),
    )


@cache
def stud(fit: DesignParameters) -> Solid:
    """Return one tile's stud about (0, 0), as wide as its tile and slightly deeper than the groove.

    Flares of neighbours meet at the grid line. At the tile's corners, which are cut off, they
    continue to a small pit where four studs meet, until one layer closes the rest.
    """
    standard, top = STANDARD, heads(fit).top_mm
    pitch = fit.grid.pitch_mm / 2 + INSIDE_MM
    profile = [(z, top - half) for z, half in reversed(head_profile(fit))]
    low = profile[0][0]
    stone = loft_profile(octagon(top, standard.corner_mm), profile)
    tile = square(pitch)
    return force_evaluation(
        (stone ^ extrude(tile, low, 1.0)) + extrude(tile, -BELOW_MM, low + INSIDE_MM)
    )


def tops(cells: Cells, fit: DesignParameters) -> Solid:
    """Return the studs of a footprint, joined, inside its outline, `BELOW_MM` deep.

    Args:
        cells: Tiles of the footprint.
        fit: Design parameters of the printer and grid, in mm.
    """
    stones = union([_at(stud(fit), cell, fit) for cell in cells])
    return force_evaluation(stones ^ extrude(outline(cells, fit), -BELOW_MM, 1.0))


def _at(solid: Solid, cell: Cell, fit: DesignParameters, z_mm: float = 0.0) -> Solid:
    x, y = fit.grid.centre_mm(*cell)
    return translate(solid, x, y, z_mm)


def stud_cavities(cells: Cells, fit: DesignParameters, skin_mm: float, depth_mm: float) -> Solid:
    """Return the cavity under each cell's skin down to a depth, a wall inside its flares.

    Outer sides keep a wall to the outline. Between two cells a fin of a wall's thickness stands on
    their grid line.

    Args:
        cells: (row, col) of the tiles.
        fit: Gaps of the printer.
        skin_mm: Thickness of the skin.
        depth_mm: Depth of the cavity below the top.
    """
    rooms = union([_hollow(cell, cells, fit, skin_mm, depth_mm) for cell in cells])
    # A hair wider than the walls' own hollow, so that no two faces coincide.
    within = offset_polygon(outline(cells, fit), INSIDE_MM - fit.wall_mm)
    return force_evaluation(rooms ^ extrude(within, -depth_mm - 1.0, 0.0))


def _hollow(
    cell: Cell, cells: Cells, fit: DesignParameters, skin_mm: float, depth_mm: float
) -> Solid:
    wall = fit.wall_mm
    outer, inner = heads(fit).outline_mm - wall, fit.grid.pitch_mm / 2 - wall / 2
    inside = set(cells)
    north, east, south, west = (
        inner if (cell[0] + row, cell[1] + col) in inside else outer for row, col in SIDES
    )
    import shapely

    room = extrude(shapely.box(-west, -south, east, north), -depth_mm, -skin_mm)
    return _at(_cone(fit, skin_mm) ^ room, cell, fit)


@cache
def _cone(fit: DesignParameters, skin_mm: float) -> Solid:
    """Return the inside of a stud, about (0, 0): the throat a wall inside, then along the flare."""
    sizes, standard = heads(fit), STANDARD
    half = sizes.throat_mm - fit.wall_mm
    corner = max(corner_mm(half, fit), 0.02)
    grown = 4.0
    foot = -standard.throat_depth_mm - grown / standard.flare
    profile = [(-40.0, -grown), (foot, -grown), (-standard.throat_depth_mm, 0.0), (-skin_mm, 0.0)]
    return force_evaluation(loft_profile(octagon(half, corner), profile))


def keyhole(fit: DesignParameters, bulb: float, neck: float) -> BaseGeometry:
    """Return the outlines of the two keyholes of a tile's north edge, about (0, 0).

    They run past the edge, so that a cut is open there.

    Args:
        fit: Gaps of the printer.
        bulb: Half width of the bulb in mm; 0 to omit it.
        neck: Half width of the neck in mm; 0 to omit it.
    """
    import shapely

    at = places(fit)
    parts = []
    for x in (-at.key_at_mm, at.key_at_mm):
        if bulb:
            parts.append(shapely.box(x - bulb, at.bulb_from_mm, x + bulb, at.bulb_to_mm))
        if neck:
            parts.append(shapely.box(x - neck, at.bulb_to_mm - 0.5, x + neck, at.beyond_mm))
    return shapely.union_all(parts)


def _key_shell(fit: DesignParameters) -> tuple[float, float]:
    """Return the thickness of the walls round keyholes and of the floors below them.

    Shells of one line have one line and one layer there: blades rest on ledges, not on floors.
    """
    return (fit.wall_mm, LAYER_MM) if fit.one_line else (LINES_MM, FLOOR_MM)


@cache
def _side_works(fit: DesignParameters, shallow: bool) -> tuple[Solid, Solid]:
    """Return (bosses, cuts) of the two keyholes of the north edge of a tile about (0, 0)."""
    import shapely

    at, throat = places(fit), heads(fit).throat_mm
    wall, floor = _key_shell(fit)
    inner, joined = at.bulb_from_mm - wall, at.bulb_to_mm - 0.5
    bulb, neck = (SHALLOW_BULB, SHALLOW_NECK) if shallow else (BULB, NECK)
    bar = shapely.box(-wall / 2, -bulb[-1][0] - floor, wall / 2, -SUNK_MM)
    cuts = [
        _swept(_vee(bulb, 1.0), at.bulb_from_mm, at.bulb_to_mm),
        _swept(_vee(neck, 1.0), joined, at.beyond_mm),
    ]
    bosses = [
        _swept(_vee(bulb, -SUNK_MM, wall), inner, at.bulb_to_mm),
        _swept(_vee(neck, -SUNK_MM, wall), joined, throat),
        _swept(bar, inner, throat),
    ]
    both = [
        union([translate(solid, x) for solid in solids for x in (-at.key_at_mm, at.key_at_mm)])
        for solids in (bosses, cuts)
    ]
    return force_evaluation(both[0]), force_evaluation(both[1])


def _vee(steps: Steps, high_mm: float, wall_mm: float = 0.0) -> BaseGeometry:
    """Return the section (x, z) of a bulb or a neck: a V that is printed as these steps.

    Its flanks pass through the steps at the middles of layers, where a slicer cuts them. Stairs
    would be printed alike and have twice as many triangles.

    Args:
        steps: Steps from the mouth down.
        high_mm: z of its upper end.
        wall_mm: Thickness by which it is wider on either side.
    """
    import shapely

    middles = [(half, LAYER_MM / 2 - depth) for depth, half in steps]
    (first, high), (second, below) = middles[:2]
    (before, above), (last, low) = middles[-2:]
    mouth = (first + (second - first) * high / (high - below), 0.0)
    tip = (0.0, low - last * (above - low) / (before - last))
    flank = shapely.simplify(shapely.LineString([mouth, *middles, tip]), STRAIGHT_MM)
    # The flat end of a wide one lies on a layer; a V without width ends in its tip.
    end = [(0.0, -steps[-1][0])] if wall_mm else []
    right = [(x + wall_mm, z) for x, z in ((mouth[0], 1.0), *flank.coords, *end)]
    both = shapely.Polygon([*right, *((-x, z) for x, z in reversed(right))])
    return shapely.intersection(both, shapely.box(-BELOW_MM, -BELOW_MM, BELOW_MM, high_mm))


def _swept(section: BaseGeometry, start_mm: float, end_mm: float) -> Solid:
    """Return a section (x, z) swept along y."""
    return translate(stand_upright(extrude(section, 0.0, end_mm - start_mm), "y"), y_mm=end_mm)


Edge = tuple[Cell, int]
"""A cell and one of its sides, by its index in `SIDES`."""


def keyholes(
    edges: Iterable[Edge], fit: DesignParameters, *, shallow: bool = False
) -> tuple[Solid, Solid]:
    """Return (bosses, cuts) of the keyholes of these edges, the top at z = 0.

    Args:
        edges: Cells and sides.
        fit: Gaps of the printer.
        shallow: True for keyholes of the baseplate.
    """
    bosses, cuts = _side_works(fit, shallow)
    turned = {
        side: (bosses.rotate((0, 0, -90 * side)), cuts.rotate((0, 0, -90 * side)))
        for side in range(4)
    }
    edges = tuple(edges)
    return (
        union([_at(turned[side][0], cell, fit) for cell, side in edges]),
        union([_at(turned[side][1], cell, fit) for cell, side in edges]),
    )


def all_edges(cells: Cells) -> tuple[Edge, ...]:
    """Return all four edges of every cell."""
    return tuple((cell, side) for cell in cells for side in range(4))


def engrave_top(solid: Solid, bosses: Solid, cuts: Solid) -> Solid:
    """Return a top with bosses added, then cuts removed.

    Args:
        solid: Piece with a plain top.
        bosses: Solid to add.
        cuts: Solid to take away.
    """
    return subtract(solid + bosses, [cuts])

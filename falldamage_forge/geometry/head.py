"""The head: the stone that every tile's top is, with the groove round it and its keyholes.

A top is a union of heads over its cells; what is hollow below it follows the flare a wall inside.
Everything here has the top at z = 0; frames are those of `tiles`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

from falldamage_forge.geometry.fits import Fit
from falldamage_forge.geometry.laid import Profile
from falldamage_forge.geometry.loft import extrude, profiled
from falldamage_forge.geometry.solids import Solid, cut, made, moved, union
from falldamage_forge.geometry.standard import (
    BULB,
    LAYER_MM,
    NECK,
    SHALLOW_BULB,
    SHALLOW_NECK,
    STANDARD,
    Heads,
    Steps,
    corner_mm,
    heads,
    places,
)
from falldamage_forge.geometry.tiles import SIDES, Cell, Cells, grown, outline, square

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

BELOW_MM = 9.0
"""A head's solid goes on so far below its top, for builders to cut from."""
FLOOR_MM = 0.48
"""Plastic below a keyhole, in whole layers; round it there is a wall of two lines."""
LINES_MM = 0.84
"""Two printed lines, whatever walls a process has."""
INSIDE_MM = 0.02
"""Solids that are joined overlap by so much, so that no two faces nearly coincide."""


@cache
def octagon(half_mm: float, corner: float) -> BaseGeometry:
    """A square round (0, 0) with its corners cut off."""
    import shapely

    h, c = half_mm, half_mm - corner
    points = [(h, -c), (h, c), (c, h), (-c, h), (-h, c), (-h, -c), (-c, -h), (c, -h)]
    return shapely.Polygon(points)


@cache
def head_profile(fit: Fit) -> Profile:
    """(z, half size) of a head from its top down: bevel, face, undercut, throat, flare."""
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
def head(fit: Fit) -> Solid:
    """One tile's head round (0, 0), as wide as its tile and a hair below the groove.

    Neighbours' flares meet at the grid line; at the tile's corners, which are cut off, they go on
    to a small pit where four heads meet, until one layer closes what is left of it.
    """
    standard, top = STANDARD, heads(fit).top_mm
    pitch = fit.grid.pitch_mm / 2 + INSIDE_MM
    profile = [(z, top - half) for z, half in reversed(head_profile(fit))]
    low = profile[0][0]
    stone = profiled(octagon(top, standard.corner_mm), profile)
    tile = square(pitch)
    return made((stone ^ extrude(tile, low, 1.0)) + extrude(tile, -BELOW_MM, low + INSIDE_MM))


def tops(cells: Cells, fit: Fit) -> Solid:
    """The heads of a footprint, joined, inside its outline, `BELOW_MM` deep."""
    stones = union([_at(head(fit), cell, fit) for cell in cells])
    return made(stones ^ extrude(outline(cells, fit), -BELOW_MM, 1.0))


def _at(solid: Solid, cell: Cell, fit: Fit, z_mm: float = 0.0) -> Solid:
    x, y = fit.grid.centre_mm(*cell)
    return moved(solid, x, y, z_mm)


def hollows(cells: Cells, fit: Fit, skin_mm: float, depth_mm: float) -> Solid:
    """What is hollow under each cell's skin down to a depth: a wall inside its flares.

    Outer sides keep a wall to the outline; between two cells a fin of a wall stands on their grid
    line as far down as the hollows go.
    """
    rooms = union([_hollow(cell, cells, fit, skin_mm, depth_mm) for cell in cells])
    # A hair wider than the walls' own hollow, so that no two faces coincide.
    within = grown(outline(cells, fit), INSIDE_MM - fit.wall_mm)
    return made(rooms ^ extrude(within, -depth_mm - 1.0, 0.0))


def _hollow(cell: Cell, cells: Cells, fit: Fit, skin_mm: float, depth_mm: float) -> Solid:
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
def _cone(fit: Fit, skin_mm: float) -> Solid:
    """The inside of a head, round (0, 0): the throat a wall inside, then along the flare."""
    sizes, standard = heads(fit), STANDARD
    half = sizes.throat_mm - fit.wall_mm
    corner = max(corner_mm(half, fit), 0.02)
    grown = 4.0
    foot = -standard.throat_depth_mm - grown / standard.flare
    profile = [(-40.0, -grown), (foot, -grown), (-standard.throat_depth_mm, 0.0), (-skin_mm, 0.0)]
    return made(profiled(octagon(half, corner), profile))


def keyhole(fit: Fit, bulb: float, neck: float, inner_mm: float | None = None) -> BaseGeometry:
    """The two keyholes of a tile's north edge, round (0, 0), from half widths of bulb and neck.

    They run past the edge, so that a cut is open there.
    """
    import shapely

    at = places(fit)
    start = at.bulb_from_mm if inner_mm is None else inner_mm
    parts = []
    for x in (-at.key_at_mm, at.key_at_mm):
        if bulb:
            parts.append(shapely.box(x - bulb, start, x + bulb, at.bulb_to_mm))
        if neck:
            parts.append(shapely.box(x - neck, at.bulb_to_mm - 0.5, x + neck, at.beyond_mm))
    return shapely.union_all(parts)


def _paired(bulb: Steps, neck: Steps) -> list[tuple[float, float, float]]:
    """(depth, bulb, neck) of every step; 0 where one of them has ended."""
    necks = dict(neck)
    return [(depth, half, necks.get(depth, 0.0)) for depth, half in bulb]


@cache
def _side_works(fit: Fit, shallow: bool) -> tuple[Solid, Solid]:
    """(bosses, cuts) of the two keyholes of the north edge of a tile round (0, 0)."""
    import shapely

    bulb, neck = (SHALLOW_BULB, SHALLOW_NECK) if shallow else (BULB, NECK)
    steps = _paired(bulb, neck)
    at = places(fit)
    inner = at.bulb_from_mm - LINES_MM
    clip = shapely.box(-at.half_mm, 0.0, at.half_mm, heads(fit).throat_mm)
    cuts, bosses = [], []
    for depth, wide, narrow in steps:
        cuts.append(extrude(keyhole(fit, wide, narrow), -depth, 1.0))
        grown = keyhole(fit, wide + LINES_MM, narrow + LINES_MM, inner)
        bosses.append(extrude(shapely.intersection(grown, clip), -depth, LAYER_MM - depth))
    bar = keyhole(fit, LINES_MM / 2, LINES_MM / 2, inner)
    low = -steps[-1][0] - FLOOR_MM
    bosses.append(extrude(shapely.intersection(bar, clip), low, -0.3))
    return made(union(bosses)), made(union(cuts))


Edge = tuple[Cell, int]
"""A cell and one of its sides, by its index in `SIDES`."""


def keyholes(edges: Iterable[Edge], fit: Fit, *, shallow: bool = False) -> tuple[Solid, Solid]:
    """(what lies under the keyholes of these edges, what they take away), the top at z = 0."""
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
    """All four edges of every cell."""
    return tuple((cell, side) for cell in cells for side in range(4))


def heads_of(fit: Fit) -> Heads:
    """The half sizes, for builders."""
    return heads(fit)


def engraved(solid: Solid, bosses: Solid, cuts: Solid) -> Solid:
    """A top with what lies under its cuts, and without them."""
    return cut(solid + bosses, [cuts])

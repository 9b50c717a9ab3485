"""Grooves: courses of bricks on walls, flags, boards and blades of grass on tops.

A groove in a wall bends the whole wall inward, so it is as thick as ever; grooves that run along
have flanks at the allowed slope. Grooves on a top lie on the bed and need no flank.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from falldamage_forge.geometry.connectors import STANDARD
from falldamage_forge.geometry.fits import Fit
from falldamage_forge.geometry.loft import RELIEF, Profile, profiled
from falldamage_forge.geometry.solids import Solid, cut, prisms, rings_of, rise_for_mm
from falldamage_forge.geometry.style import Surface
from falldamage_forge.geometry.tiles import Cells

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

Point = tuple[float, float]
Joint = tuple[Point, Point, float, float]
"""A point on a wall, the wall's direction there (unit vector), and the joint's low and high z."""

FLAT_MM = 0.3
"""Width of a groove's bottom."""
EDGE_MM = 3.0
"""No course ends nearer than this to a wall's upper or lower edge."""


def course_heights(surface: Surface, top_mm: float) -> list[float]:
    """Where grooves run along a wall of that height."""
    if surface.wall == "none":
        return []
    if surface.wall == "strata":
        steps = (7.0, 11.0, 19.0, 23.0)
        heights = [30.0 * level + step for level in range(math.ceil(top_mm / 30)) for step in steps]
    else:
        count = round(top_mm / surface.row_mm)
        heights = [surface.row_mm * (index + 1) for index in range(count)]
    return [height for height in heights if EDGE_MM < height < top_mm - EDGE_MM]


def walls(
    outline: BaseGeometry, top_mm: float, skin_mm: float, surface: Surface, fit: Fit
) -> tuple[Solid, Solid]:
    """A hollow box over an outline, open below, and the solid it was before it was hollowed.

    Both have the style's grooves and the relief of the upper edge, which lies on the bed.
    """
    heights = course_heights(surface, top_mm)
    joints = list(_joints(outline, heights, top_mm, surface, fit))
    depth, wall = surface.depth_mm, STANDARD.wall_mm
    outer = profiled(
        outline, [*_along(heights, depth, 0.0, top_mm - RELIEF[1], 0.0), (top_mm, RELIEF[0])]
    )
    hollow = profiled(outline, _along(heights, depth, -1.0, top_mm - skin_mm, wall))
    if joints:
        groove = surface.groove_mm / 2
        outer = cut(outer, [_upright(joints, groove, -0.5, depth - 0.1)])
        hollow = cut(hollow, [_upright(joints, groove + 0.5, wall - 0.3, wall + depth - 0.1)])
    return cut(outer, [hollow]), outer


def _along(
    heights: Iterable[float], depth: float, low: float, high: float, inset: float
) -> list[tuple[float, float]]:
    """A wall's profile with a groove at each height."""
    reach = FLAT_MM / 2 + rise_for_mm(depth, STANDARD.slope_deg)
    profile = [(low, inset)]
    for height in heights:
        profile += [
            (height - reach, inset),
            (height - FLAT_MM / 2, inset + depth),
            (height + FLAT_MM / 2, inset + depth),
            (height + reach, inset),
        ]
    return [*profile, (high, inset)]


def _joints(
    outline: BaseGeometry, heights: list[float], top_mm: float, surface: Surface, fit: Fit
) -> Iterator[Joint]:
    """Upright joints between the bricks of each course, half a brick apart from row to row."""
    if surface.wall != "courses":
        return
    import shapely

    rows = [0.0, *heights, top_mm]
    pitch = fit.grid.pitch_mm
    for ring in rings_of(shapely.orient_polygons(outline)):
        for (x0, y0), (x1, y1) in zip(ring, ring[1:] + ring[:1], strict=True):
            length = math.hypot(x1 - x0, y1 - y0)
            if length < pitch / 2:
                continue
            along = ((x1 - x0) / length, (y1 - y0) / length)
            start = x0 * along[0] + y0 * along[1]
            for row, (low, high) in enumerate(itertools.pairwise(rows)):
                shift = surface.length_mm / 2 if row % 2 else 0.0
                first = math.ceil((start - shift) / surface.length_mm)
                for index in range(first, first + math.ceil(length / surface.length_mm) + 1):
                    run = index * surface.length_mm + shift - start
                    if 2.0 < run < length - 2.0:
                        place = (x0 + along[0] * run, y0 + along[1] * run)
                        yield place, along, low - (row == 0), high + (high == top_mm)


def _upright(joints: list[Joint], half_mm: float, out_mm: float, depth_mm: float) -> Solid:
    """Upright prisms at joints, from `out_mm` to `depth_mm` inside the wall's face, narrowing."""
    narrow = max(half_mm - 0.3, 0.15)
    outlines = []
    for (x, y), (dx, dy), low, high in joints:
        # The ring runs counter-clockwise, so its inside lies to the left.
        corners = [(-half_mm, out_mm), (half_mm, out_mm), (narrow, depth_mm), (-narrow, depth_mm)]
        ring = [(x + run * dx - into * dy, y + run * dy + into * dx) for run, into in corners]
        outlines.append((ring, low, high))
    return prisms(outlines)


def top_lines(cells: Cells, keep_out: BaseGeometry, surface: Surface, fit: Fit) -> BaseGeometry:
    """The strokes of a top's pattern over a footprint, as one outline; may be empty.

    `keep_out` is what they stay clear of: sockets, keyholes and their walls.
    """
    import shapely

    strokes = {"none": _no_lines, "flags": _flags, "boards": _boards, "blades": _blades}
    lines = list(strokes[surface.top](cells, surface, fit))
    if not lines:
        return shapely.Polygon()
    width = surface.groove_mm / 2
    drawn = shapely.union_all(shapely.buffer(lines, width, cap_style="square", join_style="mitre"))
    clear = shapely.difference(drawn, shapely.buffer(keep_out, 0.9, join_style="mitre"))
    # What a nozzle cannot draw is left out: stubs narrower or shorter than a stroke.
    drawable = shapely.buffer(
        shapely.buffer(clear, -0.29, join_style="mitre"), 0.29, join_style="mitre"
    )
    kept = [part for part in shapely.get_parts(drawable) if part.area >= 1.0]
    return shapely.MultiPolygon(kept)


def _no_lines(cells: Cells, surface: Surface, fit: Fit) -> Iterator[BaseGeometry]:
    return iter(())


def _extent(cells: Cells, fit: Fit) -> tuple[float, float]:
    pitch = fit.grid.pitch_mm
    return (
        (1 + max(col for _, col in cells)) * pitch,
        (1 + max(row for row, _ in cells)) * pitch,
    )


def _flags(cells: Cells, surface: Surface, fit: Fit) -> Iterator[BaseGeometry]:
    """Paving: lines west to east, and joints between them half a flag apart from row to row."""
    import shapely

    width, depth = _extent(cells, fit)
    step = surface.step_mm
    rows = round(depth / step)
    for row in range(rows):
        y = -row * step
        if row:
            yield shapely.linestrings([(0.0, y), (width, y)])
        x = step * 1.5 / (2 if row % 2 else 1)
        while x < width:
            yield shapely.linestrings([(x, y), (x, y - step)])
            x += step * 1.5


def _boards(cells: Cells, surface: Surface, fit: Fit) -> Iterator[BaseGeometry]:
    """Boards across the way: lines north to south."""
    import shapely

    width, depth = _extent(cells, fit)
    for index in range(1, round(width / surface.step_mm)):
        x = index * surface.step_mm
        yield shapely.linestrings([(x, 0.0), (x, -depth)])


def _blades(cells: Cells, surface: Surface, fit: Fit) -> Iterator[BaseGeometry]:
    """Tufts of grass: short strokes at a fixed seed for each tile, so a piece is always itself."""
    import shapely

    for row, col in cells:
        x, y = fit.grid.corner_mm(row, col)
        chance = random.Random(row * 64 + col)
        for _ in range(round((fit.grid.pitch_mm / surface.step_mm) ** 2 * 3)):
            at_x = x + chance.uniform(1.5, fit.grid.pitch_mm - 1.5)
            at_y = y - chance.uniform(1.5, fit.grid.pitch_mm - 1.5)
            turn = chance.choice((0.9, 1.3, 1.8, 2.2))
            run_x, run_y = 1.3 * math.cos(turn), 1.3 * math.sin(turn)
            yield shapely.linestrings([(at_x - run_x, at_y - run_y), (at_x + run_x, at_y + run_y)])


__all__ = ["Profile", "course_heights", "top_lines", "walls"]

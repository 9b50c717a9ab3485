"""Grooves: courses of bricks on walls, flags, boards and blades of grass on tops.

A groove in a wall bends the whole wall inward, so it is as thick as ever; grooves that run along
have flanks at the allowed slope. Grooves on a top lie on the bed and need no flank.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from falldamage_forge.geometry.connectors import STANDARD
from falldamage_forge.geometry.fits import Fit
from falldamage_forge.geometry.loft import RELIEF, shell_of
from falldamage_forge.geometry.solids import Solid, rings_of, rise_for_mm
from falldamage_forge.geometry.style import Surface
from falldamage_forge.geometry.tiles import Cells
from falldamage_forge.lengths import GRID

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from shapely.geometry.base import BaseGeometry

Point = tuple[float, float]
FLAT_MM = 0.3
"""Width of a groove's bottom."""
EDGE_MM = 3.0
"""No course ends nearer than this to a wall's upper or lower edge."""
CLEAR_MM = 0.9
"""Strokes on a top end so far from its edge and from what is sunk into it."""
JOINT_EDGE_MM = 2.5
"""No joint is nearer than this to a corner."""


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


def hull(outline: BaseGeometry, top_mm: float, skin_mm: float, surface: Surface, fit: Fit) -> Solid:
    """A box over an outline of one ring, hollow and open below, with the style's grooves.

    Walls are a wall thick everywhere: the inside follows the outside. The upper edge, which lies
    on the bed, has its relief. Built as one mesh, since a boolean a brick would take seconds.
    """
    import shapely

    (ring,) = rings_of(shapely.orient_polygons(outline))
    heights = course_heights(surface, top_mm)
    wall, groove = STANDARD.wall_mm, surface.groove_mm / 2
    outer, inner = (
        _displaced(ring, half, heights, surface, fit) for half in (groove, groove + 0.5)
    )
    levels = _levels(heights, surface, top_mm)
    outside = [(height, place(0.0)) for height, place in _rings(outer, levels)]
    crown = levels[-1]
    outside[-1] = (top_mm - RELIEF[1], outside[-1][1])
    outside.append((top_mm, outer(crown[1], crown[2], RELIEF[0])))
    low = top_mm - skin_mm
    inside = [(height, place(wall)) for height, place in _rings(inner, levels) if height < low]
    inside.append((low, inner(crown[1], crown[2], wall)))
    return shell_of(outside, inside)


Level = tuple[float, int, float]
"""A height, the parity of its course (which joints show) and how deep its groove is."""
Displaced = Callable[[int, float, float], "NDArray[np.float64]"]


def _levels(heights: list[float], surface: Surface, top_mm: float) -> list[Level]:
    """The heights at which a wall's section changes, from below.

    Courses count from the top, whose joints must stay clear of the keyholes' necks.
    """
    depth = surface.depth_mm
    reach = FLAT_MM / 2 + rise_for_mm(depth, STANDARD.slope_deg)
    first = _clearer_parity(surface)
    parity = [(first + len(heights) - row) % 2 for row in range(len(heights) + 1)]
    levels: list[Level] = [(0.0, parity[0], 0.0)]
    for row, height in enumerate(heights):
        levels += [
            (height - reach, parity[row], 0.0),
            (height - FLAT_MM / 2, parity[row], depth),
            (height + FLAT_MM / 2, parity[row], depth),
            (height + reach, parity[row + 1], 0.0),
        ]
    return [*levels, (top_mm, parity[-1], 0.0)]


def _clearer_parity(surface: Surface) -> int:
    """Which course's joints keep farther from the necks of a tile's keyholes."""
    pitch = GRID.pitch_mm
    necks = [pitch / 2 + side * STANDARD.keyhole_offset_mm for side in (-1, 1)]
    step = surface.length_mm / 2

    def room(parity: int) -> float:
        joints = [index * step for index in range(parity, round(pitch / step) + 1, 2)]
        return min(abs(joint - neck) for joint in joints for neck in necks)

    return max((0, 1), key=room)


def _rings(
    wall: Displaced, levels: list[Level]
) -> Iterator[tuple[float, Callable[[float], NDArray[np.float64]]]]:
    """Each level's height, and its ring for any inset."""
    for height, parity, depth in levels:
        yield height, partial(_ring_at, wall, parity, depth)


def _ring_at(wall: Displaced, parity: int, depth: float, inset: float) -> NDArray[np.float64]:
    return wall(parity, depth, inset)


def _displaced(
    ring: Sequence[Point], half_mm: float, heights: list[float], surface: Surface, fit: Fit
) -> Displaced:
    """A ring with points at every joint, as a function of course, groove depth and inset.

    A joint is as deep as a groove, less a tenth of a millimetre, so that it ends inside one.
    """
    import numpy as np

    points, mitres, shows = [], [], []
    narrow = max(half_mm - 0.3, 0.15)
    corners = np.array(ring)
    along = np.roll(corners, -1, axis=0) - corners
    lengths = np.hypot(along[:, 0], along[:, 1])
    along /= lengths[:, None]
    normals = np.column_stack([-along[:, 1], along[:, 0]])
    for index, (corner, normal) in enumerate(zip(corners, normals, strict=True)):
        before = normals[index - 1]
        points.append(corner)
        mitres.append((normal + before) / (1.0 + normal @ before))
        shows.append((0.0, 0.0))
        for run, parity in _joints(corner @ along[index], lengths[index], surface, bool(heights)):
            for step, deep in ((-half_mm, 0), (-narrow, 1), (narrow, 1), (half_mm, 0)):
                points.append(corner + along[index] * (run + step))
                mitres.append(normal)
                shows.append((deep * (parity == 0), deep * (parity == 1)))
    place, mitre, show = np.array(points), np.array(mitres), np.array(shows, dtype=np.float64)

    def at(parity: int, depth: float, inset: float) -> NDArray[np.float64]:
        joint = show[:, parity] * (surface.depth_mm - 0.1)
        moved: NDArray[np.float64] = place + mitre * (inset + np.maximum(joint, depth))[:, None]
        return np.round(moved, 4)

    return at


def _joints(
    start: float, length: float, surface: Surface, courses: bool
) -> Iterator[tuple[float, int]]:
    """(run, parity) of the joints of an edge from its start, in order along it.

    `start` places the edge on the board's lines, so that bricks go on over neighbouring pieces.
    """
    if surface.wall != "courses" or not courses:
        return
    step = surface.length_mm / 2
    first = math.ceil(start / step)
    for index in range(first, first + math.ceil(length / step) + 1):
        run = index * step - start
        if JOINT_EDGE_MM < run < length - JOINT_EDGE_MM:
            yield run, index % 2


def top_lines(
    cells: Cells, shape: BaseGeometry, keep_out: BaseGeometry, surface: Surface, fit: Fit
) -> BaseGeometry:
    """The strokes of a top's pattern over a footprint, as one outline; may be empty.

    They stay inside the top's `shape`, since a stroke that opens at its edge has a ceiling that
    slicers want to support, and clear of `keep_out`: sockets, keyholes and their walls.
    """
    import shapely

    strokes = {"none": _no_lines, "flags": _flags, "boards": _boards, "blades": _blades}
    lines = list(strokes[surface.top](cells, surface, fit))
    if not lines:
        return shapely.Polygon()
    width = surface.line_mm / 2
    drawn = shapely.union_all(shapely.buffer(lines, width, cap_style="square", join_style="mitre"))
    # A strip between two strokes that is narrower than a line would not print: it goes as well.
    drawn = shapely.buffer(
        shapely.buffer(drawn, 0.22, join_style="mitre"), -0.22, join_style="mitre"
    )
    inside = shapely.buffer(shape, -CLEAR_MM, join_style="mitre")
    around = shapely.buffer(keep_out, CLEAR_MM, join_style="mitre")
    clear = shapely.difference(shapely.intersection(drawn, inside), around)
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

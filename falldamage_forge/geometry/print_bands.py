"""Print bands of a mesh: what a nozzle meets in its layers, by sections at a few heights.

Between two of its level faces the layers of a part are much alike, so one section stands for a band
of them. A nozzle follows the section's outlines: how fast, is decided by the corners, and by its
braking before and after them. Chords of the section are the strokes that fill its skins.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from falldamage_forge.geometry.connector_standard import LAYER_MM
from falldamage_forge.geometry.mesh_properties import FLAT_COSINE
from falldamage_forge.printing.estimate_model import (
    FIRST_LINES,
    FIRST_SKINS,
    JERK_MM_S,
    LINES,
    SKINS,
    SLOW,
    Band,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from falldamage_forge.geometry.mesh import Mesh

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

TALL_MM = 5.0
"""A band is no taller than this."""
LEVELS = 10
"""Number of heights of level faces, those of the largest area first, that part bands."""
APART_MM = 0.2
"""Bands are no thinner than this."""
TOP_MM, BOTTOM_MM = 1.2, 0.72
"""Thickness of skins below a part's tops and above its undersides; infill is between them."""
SHELL_MM = 0.87
"""Thickness of the two lines along an outline, within which skins lie."""
LEAST_STROKE_MM = 0.5
"""Least length of a stroke; lines along the outlines fill narrower places."""
THIN_MM = 0.46
"""Sections whose area is below this times their outline are walls without skins."""
LINE_MM = 0.42
"""Distance of the strokes of skins."""
OUTLINE = math.pi / 4
"""Length of an outline relative to the sides of its cells, the mean over all directions."""
SLOPE_COSINE = 0.5
"""Faces within 60 degrees of level have skins below or above them."""
BRIDGED = 12.0
"""Area of bridges relative to that of ceilings: most span half a millimetre, and are anchored."""
REACH = 6
"""A nozzle looks for corners among 2^6 segments ahead and behind."""


class _Outlines(NamedTuple):
    """Segments of the outlines of all sections: section, both ends, the segment that follows."""

    section: Ints
    start: Floats
    end: Floats
    after: Ints


def print_bands(mesh: Mesh) -> tuple[Band, ...]:
    """Return the print bands of a mesh in print pose, from the bed up.

    An open mesh has no outlines: it counts as its bounding box until the build refuses it.
    """
    import numpy as np

    vertices = mesh.vertices.astype(np.float64)
    vertices[:, 2] -= vertices[:, 2].min()
    faces = mesh.faces.astype(np.int64)
    corners = vertices[faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]) / 2
    area, rise = np.linalg.norm(normals, axis=1), normals[:, 2]
    middle = corners[:, :, 2].mean(axis=1)
    level = np.abs(rise) > FLAT_COSINE * area
    tops = _tops(vertices[:, 2].max(), middle[level], area[level])
    bottoms = np.concatenate([[0.0], tops[:-1]])
    heights, thick = (bottoms + tops) / 2, tops - bottoms
    count = len(tops)
    lines = _outlines(vertices, faces, corners[:, :, 2], heights)
    if len(np.unique(lines.after)) < len(lines.after):
        width, depth, height = np.ptp(vertices, axis=0).tolist()
        return (Band(height, width * depth, 2 * (width + depth), 1, 0.0, 0.0),)

    length = np.hypot(*(lines.end - lines.start).T)
    outline = _sums(lines.section, length, count)
    (x0, y0), (x1, y1) = lines.start.T, lines.end.T
    section = _sums(lines.section, (x1 * y0 - x0 * y1) / 2, count)
    # The whole mesh tells exactly what the sections only sample.
    side = np.sqrt(np.maximum(area**2 - rise**2, 0))[~level].sum()
    longer = np.clip(side / (outline @ thick), 0.8, 1.25)
    larger = np.clip(
        np.einsum("ij,ij->", corners[:, 0], normals) / 3 / (section @ thick), 0.8, 1.25
    )
    outline, section = outline * longer, section * larger
    loops, (lost, slow) = _followed(lines, length, count)
    chosen = np.flatnonzero((section > THIN_MM * outline)[lines.section])
    skin, border, stroke_s, strokes = _strokes(
        lines.section[chosen], lines.start[chosen], lines.end[chosen], count
    )
    skin = np.minimum(skin, section)
    up, down = rise > SLOPE_COSINE * area, -rise > SLOPE_COSINE * area
    covered = _between(middle[up], rise[up], heights, heights + TOP_MM)
    covered += _between(middle[down], -rise[down], heights - BOTTOM_MM, heights)
    solid = np.minimum(skin, covered)
    sparse = skin - solid
    sparse_mm = border * sparse / np.maximum(skin, 1e-9)
    ceiling = level & (rise < 0) & (middle > 1.5 * LAYER_MM)
    lies_in = np.searchsorted(bottoms, middle[ceiling] + 1e-3, "right") - 1
    bridged = BRIDGED * _sums(lies_in, area[ceiling], count)
    bridged[1:] += np.maximum(sparse[:-1] - sparse[1:], 0)
    columns = (
        tops.round(3),
        (section - skin).round(2),
        outline.round(2),
        loops,
        (lost * longer).round(4),
        (slow * longer).round(4),
        solid.round(2),
        sparse.round(2),
        stroke_s.round(5),
        strokes.round(5),
        np.minimum(bridged, solid).round(2),
        sparse_mm.round(2),
    )
    return tuple(Band(*row) for row in zip(*(each.tolist() for each in columns), strict=True))


def _tops(height: float, levels: Floats, areas: Floats) -> Floats:
    """Return the upper ends of bands: level faces, where skins end, and what is left evenly."""
    import numpy as np

    sums = np.bincount(np.round(levels / (LAYER_MM / 2)).astype(int), areas)
    largest = np.argsort(-sums, kind="stable")[:LEVELS]
    parting = largest[sums[largest] > max(3.0, 0.01 * sums.sum())] * (LAYER_MM / 2)
    ends = [0.0, LAYER_MM, height]
    for more in (parting, parting - TOP_MM, parting + BOTTOM_MM):
        for each in more.tolist():
            if 0 < each < height and min(abs(each - end) for end in ends) > APART_MM:
                ends.append(each)
    ends = sorted({min(end, height) for end in ends})
    parts = [
        np.linspace(a, b, int(np.ceil((b - a) / TALL_MM - 1e-9)) + 1)[1:] for a, b in pairwise(ends)
    ]
    return np.concatenate(parts)


def _outlines(vertices: Floats, faces: Ints, z: Floats, heights: Floats) -> _Outlines:
    """Return the outlines of a closed mesh at rising heights, the solid on their left."""
    import numpy as np

    first = np.searchsorted(heights, z.min(axis=1))
    count = np.searchsorted(heights, z.max(axis=1)) - first
    face, section = _ranges(first, count)
    height = heights[section]
    above = z[face] > height[:, None]
    ahead = above[:, [1, 2, 0]]
    row = np.arange(len(face))
    cut = faces[face]

    def crossing(edge: Ints, lower: int) -> tuple[Ints, Floats]:
        """The key and the place where a face's edge is cut, the lower corner first."""
        a, b = cut[row, (edge + lower) % 3], cut[row, (edge + 1 - lower) % 3]
        low, high = vertices[a], vertices[b]
        share = (height - low[:, 2]) / (high[:, 2] - low[:, 2])
        key = (a * len(vertices) + b) * len(heights) + section
        return key, low[:, :2] + (high - low)[:, :2] * share[:, None]

    entry, start = crossing((~above & ahead).argmax(axis=1), 0)
    leave, end = crossing((above & ~ahead).argmax(axis=1), 1)
    order = np.argsort(entry)
    found = np.searchsorted(entry[order], leave)
    return _Outlines(section, start, end, order[np.minimum(found, len(order) - 1)])


def _ranges(first: Ints, count: Ints) -> tuple[Ints, Ints]:
    """Return, for ranges of integers one after the other, the range's number and the integer."""
    import numpy as np

    owner = np.repeat(np.arange(len(count)), count)
    return owner, np.arange(len(owner)) - (np.cumsum(count) - count - first)[owner]


def _followed(lines: _Outlines, length: Floats, count: int) -> tuple[Ints, list[Floats]]:
    """Return of each section the number of outlines, and what corners cost at two speeds."""
    import numpy as np

    before = np.empty_like(lines.after)
    before[lines.after] = np.arange(len(lines.after))
    course = (lines.end - lines.start) / np.maximum(length, 1e-9)[:, None]
    turn = np.abs(course[lines.after] - course).max(axis=1)
    turn[(length < 1e-6) | (length[lines.after] < 1e-6)] = 0.0
    corner = np.minimum(JERK_MM_S / np.maximum(turn, 1e-6), 1e4) ** 2
    first = lines.section == 0
    lost = []
    for motion, reach in ((LINES, REACH), (SLOW, REACH // 3)):
        speed = np.where(first, FIRST_LINES.speed, motion.speed)
        slope = np.where(first, FIRST_LINES.slope, motion.slope)
        fast = np.minimum(corner, speed**2)
        # Squares of speeds at the ends of segments, each bound by twice as many as before.
        on, off, ahead, behind = lines.after, before, length[lines.after], length
        for _ in range(reach):
            braked = np.minimum(fast[on] + 2 * slope * ahead, fast[off] + 2 * slope * behind)
            fast = np.minimum(fast, braked)
            ahead, behind = ahead + ahead[on], behind + behind[off]
            on, off = on[on], off[off]
        spent = _seconds(length, fast[before], fast, speed, slope) - length / speed
        lost.append(_sums(lines.section, np.maximum(spent, 0), count))
    return np.bincount(lines.section[_heads(lines.after)], minlength=count), lost


def _sums(owner: Ints, values: Floats, count: int) -> Floats:
    """Return the sums of the values of each owner."""
    import numpy as np

    return np.asarray(np.bincount(owner, values, count), dtype=np.float64)


def _heads(after: Ints) -> Ints:
    """Return one segment of each outline: that of least number."""
    import numpy as np

    own = np.arange(len(after))
    least, on = np.minimum(own, after), after[after]
    # Each sees twice as many segments as before, until it has seen all of its outline.
    while (lower := np.minimum(least, least[on])).tobytes() != least.tobytes():
        least, on = lower, on[on]
    return np.flatnonzero(least == own)


def _seconds(
    length: Floats | float, before: Floats, after: Floats, speed: Floats, slope: Floats
) -> Floats:
    """Return the time of segments from the squares of the speeds at their ends."""
    import numpy as np

    peak = np.minimum((before + after) / 2 + slope * length, speed**2)
    peak = np.maximum(peak, np.maximum(before, after))
    top = np.sqrt(peak)
    ramps = (2 * peak - before - after) / (2 * slope)
    changes = (2 * top - np.sqrt(before) - np.sqrt(after)) / slope
    return changes + np.maximum(length - ramps, 0) / top


def _strokes(
    section: Ints, start: Floats, end: Floats, count: int
) -> tuple[Floats, Floats, Floats, Floats]:
    """Return of each section the skin in mm2, its outline in mm, seconds and strokes of a mm of it.

    Chords a millimetre apart stand for the strokes, along both axes in turn as the slicer's. Cells
    of a square millimetre that lie in strokes along both are skin.
    """
    import numpy as np

    seconds, number, length = np.zeros((3, count))
    if not len(section):
        return seconds, length, seconds, number
    rest = np.full(1, JERK_MM_S**2)
    origin = np.floor(start.min(axis=0))
    cells = np.ceil(start.max(axis=0) - origin).astype(np.int64)
    skin = np.ones((count, *cells), bool)
    for along in (0, 1):
        of, chord, low, high = _chords(section, start - origin, end - origin, along)
        stroke = high - low - 2 * SHELL_MM
        laid = stroke > LEAST_STROKE_MM
        of, chord, stroke = of[laid], chord[laid], stroke[laid]
        first_cell = np.ceil(low[laid] + SHELL_MM - 0.5).astype(np.int64)
        last_cell = np.ceil(high[laid] - SHELL_MM - 0.5).astype(np.int64)
        owner, cell = _ranges(first_cell, last_cell - first_cell)
        place = (cell, chord[owner]) if along == 0 else (chord[owner], cell)
        within = np.zeros_like(skin)
        within[of[owner], place[0], place[1]] = True
        skin &= within
        speed = np.where(of == 0, FIRST_SKINS.speed, SKINS.speed)
        slope = np.where(of == 0, FIRST_SKINS.slope, SKINS.slope)
        # A stroke, and the way to the next one.
        spent = _seconds(stroke, rest, rest, speed, slope)
        spent += _seconds(LINE_MM, rest, rest, speed, slope)
        seconds += _sums(of, spent, count)
        number += np.bincount(of, minlength=count)
        length += _sums(of, stroke, count)
    length = np.maximum(length, 1e-9)
    area = np.count_nonzero(skin, axis=(1, 2)).astype(np.float64)
    sides = np.zeros(count)
    for axis in (1, 2):
        padded = np.insert(skin, 0, False, axis=axis)
        sides += np.count_nonzero(np.diff(padded, axis=axis, append=False), axis=(1, 2))
    return area, OUTLINE * sides, seconds / length, number / length


def _chords(
    section: Ints, start: Floats, end: Floats, along: int
) -> tuple[Ints, Ints, Floats, Floats]:
    """Return the chords of sections along an axis: section, number across, and both ends."""
    import numpy as np

    across = 1 - along
    low = np.minimum(start[:, across], end[:, across])
    high = np.maximum(start[:, across], end[:, across])
    first = np.ceil(low - 0.5).astype(np.int64)
    owner, chord = _ranges(first, np.ceil(high - 0.5).astype(np.int64) - first)
    a, b, of = start[owner], end[owner], section[owner]
    share = (chord + 0.5 - a[:, across]) / (b[:, across] - a[:, across])
    place = a[:, along] + (b[:, along] - a[:, along]) * share
    order = np.lexsort((place, chord, of))
    enter, leave = order[::2], order[1::2]
    return of[enter], chord[enter], place[enter], place[leave]


def _between(places: Floats, values: Floats, low: Floats, high: Floats) -> Floats:
    """Return the sums of values whose places lie between two heights."""
    import numpy as np

    order = np.argsort(places)
    sums = np.concatenate([[0.0], np.cumsum(values[order])])
    above, below = (sums[np.searchsorted(places[order], height)] for height in (high, low))
    return np.asarray(above - below)

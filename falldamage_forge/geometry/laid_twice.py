"""Lines of a layer that lie on each other: a wall that a slicer lays twice in the same place.

Generators of lines of varying width close a wall of one line between two of two lines as if it had
two, and lay both in its middle: twice the filament, which has nowhere to go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

STEP_MM = 0.2
"""Distance of the points that stand for a line."""
NEAR_MM = 0.1
"""Points of two lines that lie on each other are no farther apart."""
PARALLEL = 0.95
"""Least cosine between the courses of such lines."""
OWN_MM = 1.0
"""Along its course a line has left this far what is no other line."""


def laid_twice(lines: NDArray[np.float64]) -> list[tuple[float, tuple[float, float]]]:
    """Return the length (mm) and a place (mm) of each run of a layer that is laid twice.

    Args:
        lines: Rows of x0, y0, x1, y1 (mm) and more, in the order in which they are laid.
    """
    import numpy as np
    import shapely

    ends = lines[:, :4].reshape(-1, 2, 2)
    course = ends[:, 1] - ends[:, 0]
    length = np.hypot(*course.T)
    count = np.ceil(length / STEP_MM).astype(np.int64)
    line = np.repeat(np.arange(len(lines)), count)
    number = np.arange(len(line)) - (np.cumsum(count) - count)[line]
    share = (number + 0.5) / count[line]
    places = ends[line, 0] + course[line] * share[:, None]
    along = (np.cumsum(length) - length)[line] + share * length[line]
    way = (course / length[:, None])[line]
    points = shapely.points(places)
    one, other = shapely.STRtree(points).query(points, predicate="dwithin", distance=NEAR_MM)
    alike = along[one] - along[other] > OWN_MM
    alike &= np.abs(np.einsum("ij,ij->i", way[one], way[other])) > PARALLEL
    doubled = np.unique(one[alike])
    if not len(doubled):
        return []
    dots = shapely.buffer(points[doubled], STEP_MM)
    runs = shapely.get_parts(shapely.union_all(dots))
    which = shapely.STRtree(runs).query(points[doubled], predicate="within")[1]
    weight = (length / count)[line[doubled]]
    found = np.bincount(which, weight, len(runs))
    return [
        (float(mm), (float(at.x), float(at.y)))
        for mm, at in zip(found, shapely.point_on_surface(runs), strict=True)
    ]

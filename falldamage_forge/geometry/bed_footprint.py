"""Footprint of a part on the bed, as a few boxes: an L leaves a corner free, a slab does not.

The packer gets these boxes, so that other parts may fill free corners.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from falldamage_forge.geometry.mesh import Mesh
from falldamage_forge.printing.plates import Box

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

STRIPS = 64
"""Strips that a mesh is divided into; steps of the outline are exact to a strip's depth."""
LEAST_STEP_MM = 8.0
"""Smaller steps of the outline are ignored: no part would fit into them."""
MOST_BOXES = 4
WORTH_IT = 0.9
"""Boxes are only used if they cover less than this share of the bounding box."""


def outline_boxes(mesh: Mesh) -> tuple[Box, ...]:
    """Return boxes that cover a mesh seen from above.

    Args:
        mesh: Mesh in print pose.

    Returns:
        (x, y, width, depth) in mm from the mesh's corner; empty if the bounding box is as good.
    """
    import numpy as np

    points = mesh.vertices[:, :2].astype(np.float64)
    low, high = points.min(axis=0), points.max(axis=0)
    points -= low
    width, depth = (float(side) for side in high - low)
    if _reaches_all_corners(points, width, depth):
        return ()
    cuts = np.linspace(0.0, depth, STRIPS + 1)
    lefts, rights = _strip_extents(points, mesh.faces, cuts)
    boxes: list[list[float]] = []
    for bottom, top, left, right in zip(cuts[:-1], cuts[1:], lefts, rights, strict=True):
        last = boxes[-1] if boxes else None
        if last and max(abs(left - last[0]), abs(right - last[2])) < LEAST_STEP_MM:
            boxes[-1] = [min(left, last[0]), last[1], max(right, last[2]), top]
        else:
            boxes.append([left, bottom, right, top])
    if not 1 < len(boxes) <= MOST_BOXES:
        return ()
    if sum((box[2] - box[0]) * (box[3] - box[1]) for box in boxes) > WORTH_IT * width * depth:
        return ()
    return tuple(
        (float(left), float(bottom), float(right - left), float(top - bottom))
        for left, bottom, right, top in boxes
    )


def _reaches_all_corners(points: NDArray[np.float64], width: float, depth: float) -> bool:
    import numpy as np

    middle = np.array([width, depth]) / 2
    reach = np.abs(points - middle) > middle - LEAST_STEP_MM
    corners = points[reach.all(axis=1)] > middle
    return len(np.unique(corners, axis=0)) == 4


def _strip_extents(
    points: NDArray[np.float64], faces: NDArray[np.int32], cuts: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the least and greatest x of the mesh in each strip between two cuts."""
    import numpy as np

    edges = faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
    a, b = points[edges[:, 0]], points[edges[:, 1]]
    swap = a[:, 1] > b[:, 1]
    a[swap], b[swap] = b[swap], a[swap].copy()
    run = np.where(b[:, 1] > a[:, 1], b[:, 1] - a[:, 1], 1.0)
    lefts, rights = [], []
    for bottom, top in itertools.pairwise(cuts):
        here = (a[:, 1] <= top) & (b[:, 1] >= bottom)
        p, q, rise = a[here], b[here], run[here]
        start = np.clip((bottom - p[:, 1]) / rise, 0.0, 1.0)
        end = np.clip((top - p[:, 1]) / rise, 0.0, 1.0)
        end = np.where(q[:, 1] > p[:, 1], end, 1.0)
        dx = q[:, 0] - p[:, 0]
        xs = np.concatenate([p[:, 0] + start * dx, p[:, 0] + end * dx])
        lefts.append(xs.min())
        rights.append(xs.max())
    return np.array(lefts), np.array(rights)

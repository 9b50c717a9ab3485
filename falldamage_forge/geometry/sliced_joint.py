"""Two parts seated as they were laid: the play between them, what catches, and the click, in mm.

Each layer is a slab of what its lines cover; `joint_check` judges the same slabs by volume.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from falldamage_forge.geometry.csg import Solid, force_evaluation, rings_of, translate
from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.geometry.joint_check import (
    ACROSS,
    PULL_MM,
    Joint,
    Vector,
    overlap_mm3,
)
from falldamage_forge.geometry.layered_mesh import Box, moved_box
from falldamage_forge.geometry.piece_mesh import placement_transform, play_transform
from falldamage_forge.geometry.slicing import polygons
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.pieces.piece import Placement

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

Slab = tuple[float, float, "BaseGeometry"]
"""Bottom and top in mm, and the outline between them, in print pose."""

TOUCH_MM3 = 0.001
"""Parts that share more than this touch."""
FREE_MM = 0.8
"""Moved so far without touching, a part is not stopped at all."""
STEP_MM = 0.004
SIMPLER_MM = 0.004
LIFTS_MM = tuple(0.06 + 0.08 * step for step in range(16))
"""A part is looked at on its way up, or down for one that is pressed in from below."""
SPECK_MM2 = 0.01


@dataclass(frozen=True, slots=True)
class JointFit:
    """How two seated parts fit. `play_mm` is to the north, east, south and west; None: free.

    `catch_mm` is how broad what stops the part is, in the direction where that is least.
    """

    play_mm: tuple[float | None, ...]
    catch_mm: float
    click_mm: float


def slabs_standing(
    placement: Placement, slabs: Sequence[Slab], fit: DesignParameters, near: Box
) -> Solid:
    """The share of a part's slabs that lies in a box of the board's mm, standing on the board.

    Args:
        placement: Piece, tile, level and turn.
        slabs: Layers of the part, as sliced.
        fit: Design parameters of the printer and grid, in mm.
        near: Low x, y, z and high x, y, z of the box, in the board's mm.
    """
    import numpy as np
    import shapely
    from manifold3d import CrossSection, FillRule, Manifold

    matrix = placement_transform(placement) @ play_transform(placement.piece, fit)
    box = moved_box(near, np.linalg.inv(matrix).astype(np.float64))
    found = []
    for bottom, top, outline in slabs:
        if top > box[2] and bottom < box[5]:
            inside = shapely.clip_by_rect(outline, box[0], box[1], box[3], box[4])
            rings = [ring for ring in rings_of(inside.simplify(SIMPLER_MM)) if len(ring) >= 3]
            if rings:
                flat = CrossSection(rings, FillRule.EvenOdd)
                found.append(translate(Manifold.extrude(flat, top - bottom), z_mm=bottom))
    return force_evaluation(Manifold.compose(found).transform(matrix[:3].tolist()))


def joint_fit(joint: Joint, a: Solid, b: Solid) -> JointFit:
    """Measure a joint whose parts stand seated on the board.

    Args:
        joint: Joint of the two pieces.
        a: Solid of the first, on the board, in mm.
        b: Solid of the second, on the board, in mm.
    """
    way, seated = -1 if joint.from_below else 1, overlap_mm3(a, b)
    lifted = (a ^ translate(b, z_mm=way * lift) for lift in LIFTS_MM)
    caught = (
        _breadth_mm(a ^ translate(b, *(PULL_MM * part for part in pull)), pull)
        for pull in joint.pulls
    )
    return JointFit(
        tuple(_play_mm(a, b, direction, seated) for direction in ACROSS),
        min(caught, default=0.0),
        max(map(_depth_mm, lifted), default=0.0),
    )


def _play_mm(a: Solid, b: Solid, way: Vector, seated: float) -> float | None:
    """How far b moves that way until it runs into a, beyond the mm³ they share when seated."""

    def touches(by_mm: float) -> bool:
        moved = translate(b, *(by_mm * part for part in way))
        return overlap_mm3(a, moved) > seated + TOUCH_MM3

    if not touches(FREE_MM):
        return None
    low, high = 0.0, FREE_MM
    while high - low > STEP_MM:
        middle = (low + high) / 2
        low, high = (low, middle) if touches(middle) else (middle, high)
    return high


def _breadth_mm(shared: Solid, pull: Vector) -> float:
    """The greatest extent, across the pull, of a separate piece of what two parts share."""
    axis = 1 if pull[0] else 0
    boxes = (piece.bounding_box() for piece in shared.decompose() if piece.volume() > TOUCH_MM3)
    return max((box[axis + 3] - box[axis] for box in boxes), default=0.0)


def _depth_mm(shared: Solid) -> float:
    """The greatest width, at any height, of what two parts share."""
    import shapely

    return max(
        (
            2 * float(shapely.maximum_inscribed_circle(bit, tolerance=0.002).length)
            for section in _sections(shared)
            for bit in shapely.get_parts(section)
            if bit.geom_type == "Polygon" and bit.area > SPECK_MM2
        ),
        default=0.0,
    )


def _sections(solid: Solid) -> Iterator[BaseGeometry]:
    """A section between every two heights at which a solid has corners."""
    import numpy as np

    if not solid.is_empty():
        heights = np.unique(np.round(np.asarray(solid.to_mesh64().vert_properties)[:, 2], 3))
        for low, high in pairwise(heights):
            yield polygons(solid.slice((low + high) / 2))

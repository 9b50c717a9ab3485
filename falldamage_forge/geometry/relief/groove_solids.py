"""Grooves as solids: cut from a top, with ribs below that close the skin, or from a side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from falldamage_forge.geometry.csg import Solid, hull, union
from falldamage_forge.geometry.loft import extrude
from falldamage_forge.geometry.relief.elements import Groove, Point

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

RIB_MM = 0.35
"""Reach of a rib beyond its groove on either side; together one printed line."""
CROSSING_MM, WIDER_MM = 0.46, 0.2
"""Width of grooves in a thin skin where they meet, and how much farther a rib reaches there.

Between two lines a slicer lays a third one, short and loose over the void; four of them lie on the
edges. Of wide lines two fill a rib, and it stays as it is.
"""
LEFT_MM, THIN_LEFT_MM = 0.48, 0.24
"""Thickness left under a groove: two layers, or one under narrow strokes in a thin skin."""
ABOVE_MM = 0.5
JOINT_MM, JOINT_HALF_MM = 0.32, 0.3
"""Depth and half width of a joint in an upright face."""
CORNER_RISE = 1.8
"""Least rise for each mm of run where two faces meet at a corner."""


def groove_solids(grooves: Sequence[Groove], skin_mm: float, one_line: bool) -> tuple[Solid, Solid]:
    """Return ribs to add under a skin and tools to cut from it, about a tile's middle.

    z = 0 is the top. Both are empty for a bare top. Ribs are added where a groove leaves less than
    two layers of skin.

    Args:
        grooves: Lines with width and depth, in mm from the tile's middle.
        skin_mm: Thickness of the top's skin.
        one_line: True for a printer of one wide line.
    """
    import shapely

    ribs, cuts = [union([])], [union([])]
    for groove in grooves:
        cuts.append(extrude(groove.outline, -groove.depth_mm, ABOVE_MM))
        left = THIN_LEFT_MM if skin_mm <= 2 * groove.depth_mm + 0.01 else LEFT_MM
        if groove.depth_mm + left > skin_mm + 0.01:
            wide: BaseGeometry = shapely.buffer(groove.outline, RIB_MM, quad_segs=1)
            wide = shapely.simplify(wide, 0.05)
            if left == THIN_LEFT_MM and not one_line:
                crossings = shapely.buffer(groove.outline, -CROSSING_MM / 2, quad_segs=1)
                reach = CROSSING_MM / 2 + RIB_MM + WIDER_MM
                wide = shapely.union(wide, shapely.buffer(crossings, reach, quad_segs=2))
            ribs.append(extrude(wide, -groove.depth_mm - left, -skin_mm / 2))
    return union(ribs), union(cuts)


def v_joint(a: Point, b: Point, face_mm: float) -> Solid:
    """Return the V of a joint in a north face at y = `face_mm`; its lower flank slopes.

    Args:
        a: One end as (along, height), in mm.
        b: Other end, in mm.
        face_mm: Distance of the face from the middle.
    """
    wide, out = JOINT_HALF_MM + 1.0, 1.0
    drop = (JOINT_MM + out) * CORNER_RISE
    mouth = ((wide, 0.0), (-wide, 0.0), (0.0, -drop))
    points = [(u, face_mm - JOINT_MM, v) for u, v in (a, b)]
    return hull([*points, *((u + x, face_mm + out, v + z) for u, v in (a, b) for x, z in mouth)])

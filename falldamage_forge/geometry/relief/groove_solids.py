"""Grooves as solids: the volume cut from a top, and the ribs below that keep the skin closed."""

from __future__ import annotations

from collections.abc import Sequence

from falldamage_forge.geometry.csg import Solid, union
from falldamage_forge.geometry.loft import extrude
from falldamage_forge.geometry.relief.elements import Groove

RIB_MM = 0.35
"""Reach of a rib beyond its groove on either side; together one printed line."""
LEFT_MM, THIN_LEFT_MM = 0.48, 0.24
"""Thickness left under a groove: two layers, or one under narrow strokes in a thin skin."""
ABOVE_MM = 0.5


def groove_solids(grooves: Sequence[Groove], skin_mm: float) -> tuple[Solid, Solid]:
    """Return ribs to add under a skin and tools to cut from it, about a tile's middle.

    z = 0 is the top. Both are empty for a bare top. Ribs are added where a groove leaves less than
    two layers of skin.
    """
    import shapely

    ribs, cuts = [union([])], [union([])]
    for groove in grooves:
        cuts.append(extrude(groove.outline, -groove.depth_mm, ABOVE_MM))
        left = THIN_LEFT_MM if skin_mm <= 2 * groove.depth_mm + 0.01 else LEFT_MM
        if groove.depth_mm + left > skin_mm + 0.01:
            wide = shapely.buffer(groove.outline, RIB_MM, quad_segs=1)
            wide = shapely.simplify(wide, 0.05)
            ribs.append(extrude(wide, -groove.depth_mm - left, -skin_mm / 2))
    return union(ribs), union(cuts)

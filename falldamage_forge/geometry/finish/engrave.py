"""Grooves as solids: what is cut from a top, and what is left under it so that it stays closed."""

from __future__ import annotations

from collections.abc import Sequence

from falldamage_forge.geometry.finish.model import Groove
from falldamage_forge.geometry.loft import extrude
from falldamage_forge.geometry.solids import Solid, union

RIB_MM = 0.35
"""How far a rib reaches beyond its groove on either side: with it, one printed line."""
LEFT_MM, THIN_LEFT_MM = 0.48, 0.24
"""What is left under a groove: two layers, or one under narrow strokes in a thin skin."""
ABOVE_MM = 0.5


def engraved(grooves: Sequence[Groove], skin_mm: float) -> tuple[Solid, Solid]:
    """Ribs to add under a skin and tools to cut from it, about a tile's middle, z = 0 its top.

    Both are empty for a bare top; ribs are where a groove leaves less than two layers of skin.
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

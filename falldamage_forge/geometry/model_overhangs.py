"""Overhangs of a model: areas of its layers that droop in print unless they are supported."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from falldamage_forge.geometry.connector_standard import LAYER_MM
from falldamage_forge.geometry.printability import BRIDGE_MM, CANTILEVER_MM
from falldamage_forge.geometry.slicing import LayerSlices, Overhang, leaning_layers, overhangs

if TYPE_CHECKING:
    from falldamage_forge.geometry.csg import Solid

LEAST_MM2 = 2.0
"""Smaller overhangs droop by a line or two, which a model's own relief hides."""
DETAIL_MM = 0.05
"""Detail of a scan that no layer shows, and that would be cut in each of them."""


class OverhangSum(NamedTuple):
    """Overhangs of a part that are longer than is printed without supports.

    Attributes:
        area_mm2: Area of all such overhangs.
        layers: Number of layers that have one.
        low_mm: Height of the lowest above the tile's top.
        worst_mm2: Largest area in one layer.
        worst_mm: Height of that layer.
    """

    area_mm2: float = 0.0
    layers: int = 0
    low_mm: float = 0.0
    worst_mm2: float = 0.0
    worst_mm: float = 0.0


def model_overhangs(solid: Solid) -> OverhangSum:
    """Return the sum of a model's overhangs.

    Args:
        solid: Its part without its joint, which prints without supports, in mm from z = 0 up.
    """
    from falldamage_forge.geometry.csg import to_mesh

    solid = solid.simplify(DETAIL_MM)
    layers = LayerSlices(solid, LAYER_MM)
    areas: dict[float, float] = {}
    for found in _drooping(layers, leaning_layers(to_mesh(solid), layers)):
        areas[found.place[2]] = areas.get(found.place[2], 0.0) + found.area_mm2
    if not areas:
        return OverhangSum()
    worst = max(areas, key=lambda height: (areas[height], -height))
    return OverhangSum(sum(areas.values()), len(areas), min(areas), areas[worst], worst)


def _drooping(layers: LayerSlices, indices: list[int]) -> Iterator[Overhang]:
    """Yield the overhangs that are longer than our own parts have."""
    most = {"bridge": BRIDGE_MM, "cantilever": CANTILEVER_MM, "island": 0.0}
    for found in overhangs(layers, indices):
        if found.reach_mm > most[found.kind] and found.area_mm2 >= LEAST_MM2:
            yield found

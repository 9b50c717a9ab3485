"""Size of a part for lists, plates and estimates, as plain values that can be cached."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from falldamage_forge.geometry.mesh_properties import MeshProperties, measure
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.printing.plates import Box

if TYPE_CHECKING:
    from falldamage_forge.geometry.mesh import Mesh


@dataclass(frozen=True, slots=True)
class PartSize:
    """A part on the bed: its mesh properties, and the boxes it covers (empty: its bounding box)."""

    measure: MeshProperties
    outline: tuple[Box, ...] = ()

    def row(self) -> list[Any]:
        """Return the size as JSON values; `size_from` reads them back without loss."""
        own = self.measure
        numbers = (own.volume_mm3, own.area_mm2, own.flat_mm2, own.size_mm, own.crease_mm)
        return [*numbers, self.outline]


def size_from(row: Sequence[Any]) -> PartSize:
    """Return the size of a row from `PartSize.row`."""
    volume, area, flat, sides, crease, outline = row
    boxes = tuple((x, y, w, d) for x, y, w, d in outline)
    width, depth, height = sides
    return PartSize(MeshProperties(volume, area, flat, (width, depth, height), crease), boxes)


@lru_cache(maxsize=512)
def size_of(mesh: Mesh) -> PartSize:
    """Return the size of a mesh in print pose; builds of the same parts share it."""
    from falldamage_forge.geometry.bed_footprint import outline_boxes

    return PartSize(measure(mesh), outline_boxes(mesh))

"""What lists, plates and estimates need of a piece's mesh; as plain values that can be kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from falldamage_forge.geometry.measure import Measure, measure
from falldamage_forge.printing.plates import Box

if TYPE_CHECKING:
    from falldamage_forge.geometry.mesh import Mesh


@dataclass(frozen=True, slots=True)
class PartSize:
    """A part as it lies on the bed: its numbers, and the boxes it takes (empty: its box)."""

    measure: Measure
    outline: tuple[Box, ...] = ()

    def row(self) -> list[Any]:
        """The same as JSON values; `size_from` reads them back without loss."""
        own = self.measure
        numbers = (own.volume_mm3, own.area_mm2, own.flat_mm2, own.size_mm, own.crease_mm)
        return [*numbers, self.outline]


def size_from(row: Sequence[Any]) -> PartSize:
    """The size of a row."""
    volume, area, flat, sides, crease, outline = row
    boxes = tuple((x, y, w, d) for x, y, w, d in outline)
    width, depth, height = sides
    return PartSize(Measure(volume, area, flat, (width, depth, height), crease), boxes)


def size_of(mesh: Mesh) -> PartSize:
    """The size of a mesh in print pose."""
    from falldamage_forge.geometry.outline import outline_boxes

    return PartSize(measure(mesh), outline_boxes(mesh))

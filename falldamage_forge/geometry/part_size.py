"""Size of a part for lists, plates and estimates, as plain values that can be cached."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from falldamage_forge.geometry.mesh_cache import encode_cached_mesh, load_entry, store_entry
from falldamage_forge.geometry.mesh_properties import MeshProperties, measure
from falldamage_forge.infra import disk_cache as disk
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.printing.estimate_model import Band
from falldamage_forge.printing.plates import Box

if TYPE_CHECKING:
    from falldamage_forge.geometry.mesh import Mesh


@dataclass(frozen=True, slots=True)
class PartSize:
    """A part on the bed: its mesh properties, and the boxes it covers (empty: its bounding box).

    `low_mm` is the corner of least x, y, z in print pose, `bands` what the estimate reads.
    """

    measure: MeshProperties
    outline: tuple[Box, ...] = ()
    low_mm: tuple[float, ...] = (0.0, 0.0, 0.0)
    bands: tuple[Band, ...] = ()

    def bounds_mm(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Return least and greatest x, y, z of its mesh."""
        high = (low + side for low, side in zip(self.low_mm, self.measure.size_mm, strict=True))
        return self.low_mm, tuple(high)

    def row(self) -> list[Any]:
        """Return the size as JSON values; `size_from` reads them back without loss."""
        own = self.measure
        numbers = (own.volume_mm3, own.area_mm2, own.flat_mm2, own.size_mm)
        return [*numbers, self.outline, self.low_mm, self.bands]


def size_from(row: Sequence[Any]) -> PartSize:
    """Return the size of a row from `PartSize.row`."""
    volume, area, flat, sides, outline, low, bands = row
    boxes = tuple((x, y, w, d) for x, y, w, d in outline)
    width, depth, height = sides
    return PartSize(
        MeshProperties(volume, area, flat, (width, depth, height)),
        boxes,
        tuple(low),
        tuple(Band(*band) for band in bands),
    )


@lru_cache(maxsize=512)
def size_of(mesh: Mesh) -> PartSize:
    """Return the size of a mesh in print pose; builds share it, and the disk cache stores it."""
    if not disk.is_enabled():
        return measured_size(mesh)
    key = mesh_size_key(mesh)
    size = stored_size(key)
    if size is None:
        size = measured_size(mesh)
        store_entry(key, encode_size(size))
    return size


def mesh_size_key(mesh: Mesh) -> str:
    """Return the key of a mesh's size in the mesh cache."""
    return hashlib.sha256(b"size" + encode_cached_mesh(mesh)).hexdigest()


def encode_size(size: PartSize) -> bytes:
    """Return a size as an entry of the mesh cache; `stored_size` reads it."""
    return json.dumps(size.row(), separators=(",", ":")).encode()


def stored_size(key: str) -> PartSize | None:
    """Return the size in an entry of the mesh cache; None if there is none, or it is damaged."""
    if data := load_entry(key):
        with contextlib.suppress(ValueError, TypeError):
            return size_from(json.loads(data))
    return None


def measured_size(mesh: Mesh) -> PartSize:
    """Return the size of a mesh in print pose, without the cache."""
    from falldamage_forge.geometry.bed_footprint import outline_boxes
    from falldamage_forge.geometry.print_bands import print_bands

    return PartSize(measure(mesh), outline_boxes(mesh), mesh.bounds_mm()[0], print_bands(mesh))

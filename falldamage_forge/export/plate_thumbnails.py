"""Thumbnails of plates for a slicer's list: the bed from above with simple shading.

Each piece is drawn once, its triangles from the lowest to the highest, and pasted at its slots.
Results are cached on disk.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

from falldamage_forge.export.threemf import PlateContents
from falldamage_forge.geometry.mesh import Mesh
from falldamage_forge.infra import disk_cache
from falldamage_forge.printing.plates import Plate
from falldamage_forge.printing.printer import Printer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL.Image import Image

_FOLDER = Path(__file__).resolve().parent
PIXELS, SMALL_PIXELS = 512, 128
FINER = 2
"""Supersampling factor of the pictures."""
RIM_PIXELS = 10
BED, LINE, GROUND = (226, 228, 232), (204, 207, 213), (250, 250, 250)
LIGHT = (-0.35, 0.45, 0.82)
"""Unit vector towards the light."""
DARK, DEEP = 0.45, 0.62
"""Share of a colour that remains away from the light, and at the foot of a part."""


class ThumbnailRenderer:
    """Draws the plates of a project; each piece is drawn once."""

    def __init__(self, contents: PlateContents, printer: Printer) -> None:
        self.contents, self.bed_mm = contents, printer.bed_mm
        self.scale = (PIXELS - 2 * RIM_PIXELS) * FINER / max(printer.bed_mm)
        self.sprites: dict[str, Image] = {}

    def of(self, plate: Plate) -> tuple[bytes, bytes]:
        """Return a plate as PNG, 512 and 128 pixels wide and high."""
        keys = sorted(plate.counts())
        slots = [(s.key, s.quarter_turns, s.x_mm, s.y_mm, s.depth_mm) for s in plate.slots]
        about = repr((slots, self.bed_mm, [self._colour(key) for key in keys]))
        content = (about.encode(), *(self.contents.meshes[key].digest().encode() for key in keys))
        both = disk_cache.get_or_compute(
            _FOLDER, ("numpy", "pillow"), "plate", content, lambda: _joined(*self._drawn(plate))
        )
        size = int.from_bytes(both[:4], "little")
        return both[4 : 4 + size], both[4 + size :]

    def _colour(self, key: str) -> str:
        return self.contents.colours[self.contents.groups[key]]

    def _drawn(self, plate: Plate) -> tuple[bytes, bytes]:
        from PIL import Image

        picture = self._bed()
        left, low = self._corner()
        for slot in plate.slots:
            sprite = self._sprite(slot.key)
            for _ in range(slot.quarter_turns % 4):
                sprite = sprite.transpose(Image.Transpose.ROTATE_90)
            x = left + slot.x_mm * self.scale
            y = low - (slot.y_mm + slot.depth_mm) * self.scale
            picture.paste(sprite, (round(x), round(y)), sprite)
        sizes = (PIXELS, SMALL_PIXELS)
        return tuple(_png(picture.resize((size, size), Image.Resampling.BOX)) for size in sizes)  # type: ignore[return-value]

    def _corner(self) -> tuple[float, float]:
        """Return the pixels of the bed's lower left corner; the bed is centred."""
        side = PIXELS * FINER
        width, depth = (each * self.scale for each in self.bed_mm)
        return (side - width) / 2, (side + depth) / 2

    def _bed(self) -> Image:
        from PIL import Image, ImageDraw

        picture = Image.new("RGB", (PIXELS * FINER, PIXELS * FINER), GROUND)
        pen = ImageDraw.Draw(picture)
        left, low = self._corner()
        right, high = left + self.bed_mm[0] * self.scale, low - self.bed_mm[1] * self.scale
        pen.rounded_rectangle((left, high, right, low), 8 * FINER, BED, LINE, FINER)
        for mm in range(30, int(max(self.bed_mm)), 30):
            x, y = left + mm * self.scale, low - mm * self.scale
            if x < right:
                pen.line((x, high, x, low), LINE, FINER)
            if y > high:
                pen.line((left, y, right, y), LINE, FINER)
        return picture

    def _sprite(self, key: str) -> Image:
        if key not in self.sprites:
            self.sprites[key] = _draw(self.contents.meshes[key], self._colour(key), self.scale)
        return self.sprites[key]


def _draw(mesh: Mesh, colour: str, scale: float) -> Image:
    """Return a piece from above on a transparent ground, at `scale` pixels per mm."""
    import numpy as np
    from PIL import Image, ImageDraw

    points = mesh.vertices.astype(np.float64)
    low, high = points.min(axis=0), points.max(axis=0)
    size = np.ceil((high - low)[:2] * scale).astype(int) + 1
    flat = np.stack([points[:, 0] - low[0], high[1] - points[:, 1]], axis=1) * scale
    faces, colours = _seen(mesh, points, low[2], high[2], colour)
    picture = Image.new("RGBA", (int(size[0]), int(size[1])), (0, 0, 0, 0))
    pen = ImageDraw.Draw(picture)
    for corners, fill in zip(flat[faces].reshape(-1, 6).tolist(), colours.tolist(), strict=True):
        pen.polygon(corners, fill=(*fill, 255))
    return picture


def _seen(
    mesh: Mesh, points: NDArray[np.float64], low_mm: float, high_mm: float, colour: str
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return the triangles that face up, lowest first, and the colour of each, 0 to 255, (n, 3)."""
    import numpy as np

    a, b, c = (points[mesh.faces[:, corner]] for corner in range(3))
    normals = np.cross(b - a, c - a)
    lengths = np.maximum(np.linalg.norm(normals, axis=1), 1e-12)
    up = normals[:, 2] > 0.01 * lengths
    middle = (a[:, 2] + b[:, 2] + c[:, 2]) / 3
    order = np.flatnonzero(up)[np.argsort(middle[up], kind="stable")]
    lit = np.clip(normals[order] @ np.array(LIGHT) / lengths[order], 0, 1)
    height = (middle[order] - low_mm) / max(high_mm - low_mm, 1e-9)
    shade = (DARK + (1 - DARK) * lit) * (DEEP + (1 - DEEP) * height)
    base = np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)])
    # Flat faces in the light have the colour itself.
    bright = np.clip(base * (shade / (DARK + (1 - DARK) * LIGHT[2]))[:, None], 0, 255)
    return mesh.faces[order], bright.astype(np.int64)


def _joined(large: bytes, small: bytes) -> bytes:
    return len(large).to_bytes(4, "little") + large + small


def _png(picture: Image) -> bytes:
    stream = io.BytesIO()
    picture.save(stream, "PNG", compress_level=6)
    return stream.getvalue()

"""Height field: the highest and the lowest point of a part in each cell of a fine grid.

A part that comes straight down meets another exactly where the other's highest point lies above its
own lowest point: lifted by the difference the two touch. So a comparison of two fields covers every
height of the way at once. Cells divide a tile evenly and are sampled at their middles. Fields of
placed parts come from one field of the piece by quarter turns and whole tiles.
"""

from __future__ import annotations

import math
import struct
from typing import TYPE_CHECKING

from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.lengths import PrintGrid

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Heights = NDArray[np.float32]

CELL_MM = 0.5
"""Greatest side of a cell."""
TOUCH_MM = 0.1
"""Depth from which two fields collide; less is contact."""


_HEAD = struct.Struct("<4i")


def cells_per_tile(grid: PrintGrid) -> int:
    """Return the number of cells along a tile: the least whose side is at most `CELL_MM`."""
    return math.ceil(grid.pitch_mm / CELL_MM)


@dataclass(frozen=True, slots=True, eq=False)
class HeightField:
    """Highest and lowest points of a part in mm, shape (rows, columns) with y and x.

    `x` and `y` are the cells at which the arrays begin. An empty cell is -inf high and inf low.
    """

    x: int
    y: int
    high: Heights
    low: Heights

    def turned(self, quarter_turns: int, depth: int, width: int) -> HeightField:
        """Return the field after clockwise quarter turns, its north-west corner in place again.

        Args:
            quarter_turns: Number of turns seen from above.
            depth: Cells of the unturned footprint along y.
            width: Cells of the unturned footprint along x.
        """
        field = self
        for _ in range(quarter_turns % 4):
            # (x, y) -> (y + depth, -x), as `placement_transform` turns points.
            x, y = field.y + depth, -field.x - field.high.shape[1]
            field = HeightField(x, y, field.high.T[::-1], field.low.T[::-1])
            depth, width = width, depth
        return field

    def moved(self, x: int, y: int, z_mm: float) -> HeightField:
        """Return the field shifted by whole cells and a height.

        Args:
            x: Cells to the east.
            y: Cells to the north.
            z_mm: Shift upwards.
        """
        return HeightField(self.x + x, self.y + y, self.high + z_mm, self.low + z_mm)

    def blocked_by(self, other: HeightField) -> bool:
        """True if a part with this field, on its way down to its place, collides with another."""
        left, right = (
            max(self.x, other.x),
            min(self.x + self.low.shape[1], other.x + other.high.shape[1]),
        )
        near, far = (
            max(self.y, other.y),
            min(self.y + self.low.shape[0], other.y + other.high.shape[0]),
        )
        if left >= right or near >= far:
            return False
        high = other.high[near - other.y : far - other.y, left - other.x : right - other.x]
        low = self.low[near - self.y : far - self.y, left - self.x : right - self.x]
        return bool(collisions(high - low).any())


def collisions(depth_mm: Heights) -> NDArray[np.bool_]:
    """Return the cells of collisions that are at least two cells wide and deep.

    Narrower ones are beads that click, at most 0.46 mm wide.

    Args:
        depth_mm: Height of the other part above this one's lowest points in each cell.
    """
    import numpy as np

    deep = depth_mm > TOUCH_MM
    square = deep[1:, 1:] & deep[:-1, 1:] & deep[1:, :-1] & deep[:-1, :-1]
    wide = np.zeros_like(deep)
    for rows in (slice(1, None), slice(None, -1)):
        for cols in (slice(1, None), slice(None, -1)):
            wide[rows, cols] |= square
    return wide


def height_field(
    vertices: NDArray[np.float64], faces: NDArray[np.int32], cell_mm: float
) -> HeightField:
    """Return the height field of a closed mesh.

    Args:
        vertices: Corners in mm, shape (n, 3).
        faces: Triangles as indices of corners, shape (m, 3).
        cell_mm: Side of a cell.
    """
    import numpy as np

    points = vertices.astype(np.float64) * (1 / cell_mm, 1 / cell_mm, 1.0)
    least = np.floor(points[:, :2].min(axis=0)).astype(np.int64)
    size = np.ceil(points[:, :2].max(axis=0)).astype(np.int64) - least
    # Middles of cells become whole numbers.
    points[:, :2] -= least + 0.5
    high = np.full(size[0] * size[1], -np.inf, np.float32)
    low = np.full(size[0] * size[1], np.inf, np.float32)
    cells, heights = _samples(points[faces], int(size[0]))
    np.maximum.at(high, cells, heights)
    np.minimum.at(low, cells, heights)
    shape = (int(size[1]), int(size[0]))
    return HeightField(int(least[0]), int(least[1]), high.reshape(shape), low.reshape(shape))


def encode_field(field: HeightField) -> bytes:
    """Return a field as bytes, little-endian: x, y, rows and columns, then both arrays."""
    head = _HEAD.pack(field.x, field.y, *field.high.shape)
    return b"".join((head, field.high.astype("<f4").tobytes(), field.low.astype("<f4").tobytes()))


def decode_field(data: bytes) -> HeightField | None:
    """Return the field of `encode_field`; None if the bytes are no field."""
    import numpy as np

    if len(data) < _HEAD.size:
        return None
    x, y, rows, cols = _HEAD.unpack_from(data)
    if min(rows, cols) < 1 or len(data) != _HEAD.size + 8 * rows * cols:
        return None
    high, low = np.frombuffer(data, "<f4", offset=_HEAD.size).reshape(2, rows, cols)
    return HeightField(x, y, high, low)


def _samples(
    triangles: NDArray[np.float64], width: int
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Return the flat cells that triangles cover, and their heights there.

    Args:
        triangles: Corners (x, y in cells, z in mm), shape (n, 3, 3).
        width: Cells in a row.
    """
    import numpy as np

    first = np.ceil(triangles[:, :, 1].min(axis=1)).astype(np.int64)
    count = np.floor(triangles[:, :, 1].max(axis=1)).astype(np.int64) - first + 1
    spread = np.ceil(triangles[:, :, 0].min(axis=1)) <= triangles[:, :, 0].max(axis=1)
    crossed = (count > 0) & spread
    triangles, first, count = triangles[crossed], first[crossed], count[crossed]
    owner, row = _counted(count)
    row += first[owner]
    start, end = triangles, triangles[:, (1, 2, 0)]
    rise = end[:, :, 1] - start[:, :, 1]
    slope = (end[:, :, 0] - start[:, :, 0]) / np.where(rise == 0, np.inf, rise)
    offset = row[:, None] - start[owner, :, 1]
    along = start[owner, :, 0] + offset * slope[owner]
    span = rise[owner]
    met = (offset * np.sign(span) >= 0) & (np.abs(offset) <= np.abs(span)) & (span != 0)
    left = np.ceil(np.where(met, along, np.inf).min(axis=1))
    right = np.floor(np.where(met, along, -np.inf).max(axis=1))
    filled = left <= right
    owner, row, left, right = owner[filled], row[filled], left[filled], right[filled]
    line, column = _counted((right - left).astype(np.int64) + 1)
    column += left[line].astype(np.int64)
    owner, row = owner[line], row[line]
    a, b, c = triangles[:, 0], triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    area = b[:, 0] * c[:, 1] - b[:, 1] * c[:, 0]
    steep = np.abs(area) < 1e-9
    area = np.where(steep, np.inf, area)
    by_x = (b[:, 2] * c[:, 1] - b[:, 1] * c[:, 2]) / area
    by_y = (b[:, 0] * c[:, 2] - b[:, 2] * c[:, 0]) / area
    z = a[owner, 2] + by_x[owner] * (column - a[owner, 0]) + by_y[owner] * (row - a[owner, 1])
    floor, roof = triangles[:, :, 2].min(axis=1), triangles[:, :, 2].max(axis=1)
    z = np.clip(z, floor[owner], roof[owner])
    return row * width + column, z.astype(np.float32)


def _counted(counts: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the index of each item repeated by its count, and 0, 1, … within each."""
    import numpy as np

    owner = np.repeat(np.arange(len(counts)), counts)
    start = np.cumsum(counts) - counts
    return owner, np.arange(len(owner)) - start[owner]

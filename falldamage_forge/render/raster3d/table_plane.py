"""Table of a scene: wood grain, the light on it, darker corners."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from falldamage_forge.geometry.mesh import extent
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.render.raster3d.camera import Camera
from falldamage_forge.render.raster3d.scene_settings import SceneSettings

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class TablePlane:
    """The table as a grid: its corner, its step and its places, shape (n, 3)."""

    corner_mm: tuple[float, float]
    step_mm: float
    shape: tuple[int, int]
    places: Floats


def ground_of(triangles: Floats, step_mm: float) -> TablePlane:
    """Return the table under triangles, shape (n, 3, 3), as far as their shadows fall.

    Args:
        triangles: Corners of the bodies, in mm.
        step_mm: Size of a cell of the table.
    """
    import numpy as np

    low, high = extent(triangles.reshape(-1, 3))
    step = max(step_mm, float((high - low).max()) / 500)
    start, end = low - 0.45 * (high - low).max(), high + 0.45 * (high - low).max()
    across, along = (np.arange(start[axis], end[axis], step) for axis in (0, 1))
    x, y = np.meshgrid(across, along)
    places = np.stack([x.ravel(), y.ravel(), np.full(x.size, low[2] + 0.01)])
    return TablePlane(
        (float(start[0]), float(start[1])), step, x.shape, places.astype(np.float32).T
    )


@dataclass(frozen=True, slots=True, eq=False)
class SeenTable:
    """The part of the table that a camera sees.

    `x` and `y` in mm and `dim`, the brightness, of each bare pixel, shape (n,); `used` are the
    places of the grid next to them, shape (m,).
    """

    x: NDArray[np.float64]
    y: NDArray[np.float64]
    dim: NDArray[np.float64]
    used: NDArray[np.int64]


def seen_table(
    ground: TablePlane, room: SceneSettings, camera: Camera, bare: NDArray[np.bool_]
) -> SeenTable:
    """Return the table in the pixels that are `bare`.

    Args:
        ground: Grid of the table.
        room: Scene settings.
        camera: Camera of the picture.
        bare: Shape (rows, columns), true where the table is seen.
    """
    import numpy as np

    height, width = bare.shape
    smooth = camera.wide // width
    rows, cols = np.nonzero(bare)
    middle = (smooth - 1) / 2
    rays = camera.rays(rows * smooth + middle, cols * smooth + middle)
    eye = camera.eye_mm
    depth = (ground.places[0, 2] - eye[2]) / np.minimum(rays[:, 2], -1e-3)
    x, y = eye[0] + depth * rays[:, 0], eye[1] + depth * rays[:, 1]
    far = np.hypot(cols / width - 0.5, rows / height - 0.5)
    dim = 1 - room.fall * np.clip(far / 0.7, 0, 1) ** 2
    (row, _), (col, _) = _cells(ground, x, y)
    wide = ground.shape[1]
    near = np.zeros(len(ground.places), np.bool_)
    for step in (0, 1, wide, wide + 1):
        near[row * wide + col + step] = True
    return SeenTable(x, y, dim, np.flatnonzero(near))


def table(
    ground: TablePlane, seen: SeenTable, light: tuple[Floats, Floats], room: SceneSettings
) -> Floats:
    """Return the table's colour in the bare pixels, shape (n, 3).

    Args:
        ground: Grid of the table.
        seen: The part of it that is seen.
        light: Light of the sky and of the lamp on each of the `used` places, shape (m,) each.
        room: Scene settings.
    """
    import numpy as np

    soft, hard = (each[:, None] for each in _between(ground, seen, light))
    whole = soft * np.array(room.sky) + hard * np.array(room.key)
    boards = _boards(seen.x, seen.y, room)
    out: Floats = (whole * boards * seen.dim[:, None]).astype(np.float32)
    return out


def _between(ground: TablePlane, seen: SeenTable, light: Sequence[Floats]) -> list[Floats]:
    """Return values interpolated between the grid's places, clamped at its rim, shape (n,) each."""
    import numpy as np

    (row, along), (col, across) = _cells(ground, seen.x, seen.y)
    wide = ground.shape[1]
    first = row * wide + col
    values = []
    for own in light:
        each = np.zeros(len(ground.places), np.float32)
        each[seen.used] = own
        near, far = (
            np.take(each, first + step) * (1 - across) + np.take(each, first + step + 1) * across
            for step in (0, wide)
        )
        values.append((near * (1 - along) + far * along).astype(np.float32))
    return values


def _cells(
    ground: TablePlane, x: NDArray[np.float64], y: NDArray[np.float64]
) -> tuple[tuple[NDArray[np.int64], NDArray[np.float64]], ...]:
    """Return the row and the column of the grid before each point, with the shares beyond them."""
    deep, wide = ground.shape
    across = _cell((x - ground.corner_mm[0]) / ground.step_mm, wide)
    return _cell((y - ground.corner_mm[1]) / ground.step_mm, deep), across


def _cell(at: NDArray[np.float64], count: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the last of `count` grid lines before each point, and the share beyond it."""
    import numpy as np

    inside = np.clip(at, 0, count - 1)
    before = np.minimum(inside.astype(np.int64), count - 2)
    return before, inside - before


def _boards(
    x: NDArray[np.float64], y: NDArray[np.float64], room: SceneSettings
) -> NDArray[np.float64]:
    import numpy as np

    one, two = (np.array(colour) for colour in room.table)
    if not room.planks_mm:
        return np.broadcast_to(one, (len(x), 3))
    board = np.floor(y / room.planks_mm)
    inside = y / room.planks_mm - board
    shift = (board * 0.6180339887) % 1.0
    bend = y + 7 * np.sin(x / 173 + 40 * shift) + 2.6 * np.sin(x / 59 + 17 * shift)
    bend += 0.7 * np.sin(x / 23 + y / 11)
    # Rings of many widths, each board's of its own tree.
    rings = sum(
        weight * np.sin(bend / wide + 50 * shift + 1.3 * np.sin(bend / (4.1 * wide) + x / 310))
        for wide, weight in ((13.0, 0.55), (5.3, 0.45), (2.1, 0.38), (0.9, 0.30), (0.37, 0.22))
    )
    share = 0.5 + 0.30 * rings + 0.40 * (shift - 0.5)
    seam = np.minimum(inside, 1 - inside) * room.planks_mm
    tone = one + (two - one) * np.clip(share, 0, 1)[:, None]
    shaded: NDArray[np.float64] = tone * (1 - 0.75 * np.exp(-((seam / 0.7) ** 2)))[:, None]
    return shaded

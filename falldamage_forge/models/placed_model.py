"""Placed model: the closed solid of a file in the millimetres of its tiles."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import ForgeError, refuse
from falldamage_forge.models.model_file import read_model
from falldamage_forge.models.model_repair import Repaired, repaired
from falldamage_forge.models.model_scale import (
    LEAST_MM,
    MOST_MM,
    UNITS_MM,
    Size,
    factor_of,
    guessed_unit,
)
from falldamage_forge.models.triangles import Triangles

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SHEET_MM = 1.2
"""Thickness of walls that are one triangle thick in the file, on the table."""


@dataclass(frozen=True, slots=True)
class ModelPose:
    """How a model lies on its tiles.

    Attributes:
        cols: Columns of tiles.
        rows: Rows of tiles.
        scale: Scale, see `factor_of`.
        unit: Unit of the file's numbers; empty takes the file's or guesses it.
        turn: Clockwise turn in degrees, seen from above.
        flip: True to turn it upside down first.
        mirrored: True for its mirror image, west and east swapped.
        gap_mm: Width of the gap at both sides of its tiles together.
        pitch_mm: Side of a tile.
    """

    cols: int = 1
    rows: int = 1
    scale: str = "fit"
    unit: str = ""
    turn: int = 0
    flip: bool = False
    mirrored: bool = False
    gap_mm: float = 0.2
    pitch_mm: float = 30.0


@dataclass(frozen=True, slots=True, eq=False)
class PlacedModel:
    """A closed solid on its tiles: x from 0 east, y from 0 south to negative, z from 0 up.

    Attributes:
        points: Corners in mm, float64 of shape (n, 3).
        faces: Indices of corners, int64 of shape (m, 3).
        size_mm: Size on the table.
        file_mm: Size of the file, in its own millimetres.
        unit: Unit of the file's numbers.
        guessed: True if the unit is a guess.
        kind: Format of the file.
        triangles: Triangles of the file.
        repair: Its repair.
        said: What the reader had to correct.
    """

    points: NDArray[np.float64]
    faces: NDArray[np.int64]
    size_mm: Size
    file_mm: Size
    unit: str
    guessed: bool
    kind: str
    triangles: int
    repair: Repaired
    said: tuple[str, ...]


@lru_cache(maxsize=4)
def _read(path: Path, name: str, changed: int) -> Triangles:
    return read_model(path, name)[0]


@lru_cache(maxsize=2)
def _closed(path: Path, name: str, changed: int, way: ModelPose) -> Repaired | None:
    """Return the closed solid of a file in its own size, which is repaired once for all scales.

    None if it has a wall without thickness, whose repair depends on the scale, or is no solid.
    `way` has the unit, the turn and the flip.
    """
    found = _read(path, name, changed)
    try:
        return repaired(_turned(found.points * UNITS_MM[way.unit], way), found.faces, name)
    except ForgeError:
        return None


def placed_model(path: Path, name: str, pose: ModelPose, *, any_size: bool = False) -> PlacedModel:
    """Return the closed solid of a file on its tiles.

    Args:
        path: The file.
        name: Its name in messages.
        pose: How it lies on its tiles.
        any_size: True to return one that fits no tiles, too.

    Raises:
        ForgeError: FDF294 and FDF510 to FDF513 for a bad file, FDF514 if it does not fit its tiles.
    """
    import numpy as np

    changed = path.stat().st_mtime_ns if path.is_file() else 0
    found = _read(path, name, changed)
    used = found.points[np.unique(found.faces)]
    size = np.ptp(used, axis=0)
    guess = guessed_unit((float(size[0]), float(size[1]), float(size[2])))
    unit = pose.unit or found.unit or guess
    points = found.points * UNITS_MM[unit]
    file_mm = size_of(points[np.unique(found.faces)])
    points = _turned(points, pose)
    turned = size_of(points[np.unique(found.faces)])
    room = (pose.cols * pose.pitch_mm - pose.gap_mm, pose.rows * pose.pitch_mm - pose.gap_mm)
    factor = factor_of(pose.scale, turned, room, pose.pitch_mm)
    way = ModelPose(unit=unit, turn=pose.turn, flip=pose.flip)
    solid = _closed(path, name, changed, way)
    if solid is None:
        solid = repaired(points, found.faces, name, SHEET_MM / factor)
    if pose.scale == "fit":  # thickened walls take room too
        factor = factor_of("fit", size_of(solid.points), room, pose.pitch_mm)
    corners = solid.points * factor
    placed = size_of(corners)
    if not any_size:
        _require_fitting(name, placed, room, pose)
    low, high = corners.min(axis=0), corners.max(axis=0)
    middle = np.array([(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, low[2]])
    centre = np.array([pose.cols * pose.pitch_mm / 2, -pose.rows * pose.pitch_mm / 2, 0.0])
    faces = solid.faces
    if pose.mirrored:
        corners = (corners - middle) * (-1.0, 1.0, 1.0) + centre
        faces = faces[:, ::-1]
    else:
        corners = corners - middle + centre
    guessed = not (pose.unit or found.unit)
    count = len(found.faces)
    return PlacedModel(
        corners, faces, placed, file_mm, unit, guessed, found.kind, count, solid, found.said
    )


def size_of(points: NDArray[np.float64]) -> Size:
    """Return the size of points of shape (n, 3) along x, y and z."""
    x, y, z = (points.max(axis=0) - points.min(axis=0)).tolist()
    return x, y, z


def _turned(points: NDArray[np.float64], pose: ModelPose) -> NDArray[np.float64]:
    """Return corners after the flip about x and the clockwise turn."""
    if pose.flip:
        points = points * (1.0, -1.0, -1.0)
    for _ in range(pose.turn // 90):
        points = points[:, [1, 0, 2]] * (1.0, -1.0, 1.0)
    return points


def _require_fitting(name: str, size: Size, room: tuple[float, float], pose: ModelPose) -> None:
    """Refuse a model that is larger than its tiles, or too low or high (FDF514)."""
    wide, deep, high = size
    shown = f"{wide:.1f} x {deep:.1f} x {high:.1f} mm"
    if wide > room[0] + 0.05 or deep > room[1] + 0.05:
        tiles = f"{pose.cols}x{pose.rows} tiles are {room[0]:.1f} x {room[1]:.1f} mm"
        hint = "give it more `tiles`, a smaller `scale`, or `scale fit`"
        raise refuse("FDF514", f"`{name}` is {shown}, and its {tiles}", hint)
    if not LEAST_MM <= high <= MOST_MM:
        hint = f"a model is from {LEAST_MM:g} to {MOST_MM:g} mm high: set its `unit` or `scale`"
        raise refuse("FDF514", f"`{name}` is {shown}", hint)

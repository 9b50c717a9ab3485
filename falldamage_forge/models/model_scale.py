"""Scale of a model: the unit of its file, its size on the table, and proposals for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

Size = tuple[float, float, float]
UNITS_MM = {"micron": 0.001, "mm": 1.0, "cm": 10.0, "inch": 25.4, "foot": 304.8, "m": 1000.0}
INCH_MM = 25.4
METRES_BELOW, INCHES_BELOW = 0.7, 12.0
"""Files whose greatest dimension is smaller are taken for metres, and for inches."""
MOST_MM = 400.0
"""Greatest height of a model on the table; no printer is higher."""
LEAST_MM = 2.0


class Proposal(NamedTuple):
    """A scale with the size of the model on the table, and the tiles that it then covers."""

    scale: str
    size_mm: Size
    cols: int
    rows: int


def guessed_unit(size: Size) -> str:
    """Return the unit that a file's numbers probably have.

    Args:
        size: Size of the model along x, y and z in the file's numbers.
    """
    most = max(size)
    return "m" if most <= METRES_BELOW else "inch" if most <= INCHES_BELOW else "mm"


def factor_of(scale: str, size_mm: Size, room_mm: tuple[float, float], pitch_mm: float) -> float:
    """Return the factor from a model's own millimetres to those on the table.

    Args:
        scale: `fit`, `28/32`, `1in`, `none` or a percentage such as `50%`.
        size_mm: Size of the model, already turned.
        room_mm: Width and depth of its tiles inside their outline.
        pitch_mm: Side of a tile.
    """
    if scale == "fit":
        sides = zip(room_mm, size_mm[:2], strict=True)
        return min(room / max(side, 1e-9) for room, side in sides)
    if scale.endswith("%"):
        return float(scale[:-1]) / 100
    return {"none": 1.0, "28/32": 32 / 28, "1in": pitch_mm / INCH_MM}[scale]


def proposals(size_mm: Size, pitch_mm: float, gap_mm: float, most: int) -> Iterator[Proposal]:
    """Yield scales under which a model covers at most some tiles, the plainest first.

    Args:
        size_mm: Size of the model in its own millimetres, already turned.
        pitch_mm: Side of a tile.
        gap_mm: Width of the gap at both sides of a footprint together.
        most: Most tiles of a side.
    """
    for scale in ("none", "1in", "28/32", "50%"):
        factor = factor_of(scale, size_mm, (0.0, 0.0), pitch_mm)
        wide, deep, high = (side * factor for side in size_mm)
        cols, rows = (max(1, -int(-(side + gap_mm - 0.01) // pitch_mm)) for side in (wide, deep))
        if cols <= most and rows <= most and LEAST_MM <= high <= MOST_MM:
            yield Proposal(scale, (wide, deep, high), cols, rows)
    cols, rows = fitting_tiles(size_mm)
    room = (cols * pitch_mm - gap_mm, rows * pitch_mm - gap_mm)
    factor = factor_of("fit", size_mm, room, pitch_mm)
    wide, deep, high = (side * factor for side in size_mm)
    yield Proposal("fit", (wide, deep, high), cols, rows)


def fitting_tiles(size_mm: Size) -> tuple[int, int]:
    """Return the tiles whose shape is nearest to a model's, its shorter side one tile.

    Args:
        size_mm: Size of the model, already turned.
    """
    wide, deep = max(size_mm[0], 1e-9), max(size_mm[1], 1e-9)
    ratio = min(max(wide / deep, 1 / 4), 4)
    return (max(1, round(ratio)), 1) if ratio >= 1 else (1, max(1, round(1 / ratio)))


def is_upside_down(points: object, faces: object) -> bool:
    """True if a model rests on far less than lies flat on top of it.

    Args:
        points: Corners, float64 of shape (n, 3).
        faces: Indices of corners, of shape (m, 3).
    """
    import numpy as np

    corners, rows = np.asarray(points), np.asarray(faces)
    a, b, c = (corners[rows[:, k]] for k in range(3))
    up = np.cross(b - a, c - a)[:, 2] / 2
    low, high = corners[:, 2].min(), corners[:, 2].max()
    near = 0.02 * (high - low)
    heights = (a + b + c)[:, 2] / 3
    foot = -up[(heights < low + near) & (up < 0)].sum()
    roof = up[(heights > high - near) & (up > 0)].sum()
    across = np.ptp(corners[:, 0]) * np.ptp(corners[:, 1])
    return bool(foot < 0.1 * across and roof > 0.3 * across and roof > 4 * foot)

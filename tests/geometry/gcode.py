"""Lines that PrusaSlicer lays, about the middle of the bed."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from falldamage_forge.printing.gcode import THREADS, read_layers
from falldamage_forge.printing.slicer_settings import told_settings

Line = tuple[float, float, float, float, float]
"""x and y of both ends about the bed's middle, and the width, in mm."""
BED_MM = 90.0


def laid_lines(text: str) -> list[list[Line]]:
    """The lines of each layer, from the bed up; bridges, which are round threads, are left out."""
    return [
        [tuple(line) for line in layer.lines[~np.isin(layer.kinds, THREADS), :5].tolist()]
        for layer in read_layers(text, told_settings(text), (BED_MM, BED_MM))
    ]


def spans(lines: list[Line], y_mm: float, near_mm: float = 13.0) -> Iterator[tuple[float, float]]:
    """How near to the middle and how far out lines reach that cross y, those past `near_mm`."""
    for x0, y0, x1, y1, width in lines:
        low, high = sorted((y0, y1))
        if low < y_mm < high and high - low > 1.0:
            x = abs(x0 + (x1 - x0) * (y_mm - y0) / (y1 - y0))
            if x > near_mm:
                yield x - width / 2, x + width / 2

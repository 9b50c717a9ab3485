"""What PrusaSlicer lays down: lines as wide as the filament that they take."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from .slicing import WORD, prusa_settings

Line = tuple[float, float, float, float, float]
"""x and y of both ends about the bed's middle, and the width, in mm."""
BED_MM = 90.0


def laid_lines(text: str) -> list[list[Line]]:
    """The lines of each layer, from the bed up; bridges, which are round threads, are left out.

    PrusaSlicer lays a line of height h and width w with round sides: its section is
    h (w - h) + pi h^2 / 4. A flow below 1 makes up for a filament that swells.
    """
    told = prusa_settings(text)
    flow = float(told["extrusion_multiplier"].split(",")[0])
    strand_mm2 = math.pi * float(told["filament_diameter"].split(",")[0]) ** 2 / 4
    layers: dict[float, list[Line]] = {}
    x = y = z = 0.0
    kind, high = "", float(told["first_layer_height"])
    for line in text.splitlines():
        if line.startswith(";TYPE:"):
            kind = line[6:].strip()
        elif line.startswith(";HEIGHT:"):
            high = float(line[8:])
        elif line.startswith(("G1 ", "G0 ")):
            words = {axis: float(value) for axis, value in WORD.findall(line.split(";")[0])}
            after = (words.get("X", x), words.get("Y", y))
            z = words.get("Z", z)
            run = math.dist((x, y), after)
            if words.get("E", 0.0) > 0 and run > 1e-6 and not re.match("Bridge|Overhang", kind):
                section = words["E"] * strand_mm2 / flow / run
                width = section / high + high * (1 - math.pi / 4)
                ends = (x - BED_MM, y - BED_MM, after[0] - BED_MM, after[1] - BED_MM)
                layers.setdefault(round(z, 3), []).append((*ends, width))
            x, y = after
    return [layers[height] for height in sorted(layers)]


def spans(lines: list[Line], y_mm: float, near_mm: float = 13.0) -> Iterator[tuple[float, float]]:
    """How near to the middle and how far out lines reach that cross y, those past `near_mm`."""
    for x0, y0, x1, y1, width in lines:
        low, high = sorted((y0, y1))
        if low < y_mm < high and high - low > 1.0:
            x = abs(x0 + (x1 - x0) * (y_mm - y0) / (y1 - y0))
            if x > near_mm:
                yield x - width / 2, x + width / 2

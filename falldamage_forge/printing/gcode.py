"""PrusaSlicer's G-code as layers of lines, each as wide as the filament that it takes.

PrusaSlicer lays a line of height h and width w with round sides: its section is
h (w - h) + pi h^2 / 4. Bridges and overhanging walls are round threads. An extrusion multiplier
below 1 makes up for a filament that swells, so filament is divided by the multiplier of the
settings that were meant: under another multiplier lines come out in another width.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import refuse
from falldamage_forge.printing.prusaslicer import OVERHEAD, gcode_commands

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

THREADS = ("Bridge infill", "Internal bridge infill", "Overhang perimeter")
"""Features laid as round threads."""
OUTER = "External perimeter"
WALLS = (OUTER, "Perimeter", "Overhang perimeter")
"""Features that follow outlines."""
SPARSE = "Internal infill"
BESIDE = (
    "Skirt",
    "Skirt/Brim",
    "Brim",
    "Support material",
    "Support material interface",
    "Wipe tower",
)
"""Features that are no part of the part."""
LEAST_RUN_MM = 1e-6
SURE_MM = 0.01
"""G-code has places in micrometres, so a shorter run is no measure of its width."""


@dataclass(frozen=True, slots=True, eq=False)
class LaidLayer:
    """The lines of one layer; `lines` has a row x0, y0, x1, y1, width (mm), volume (mm³) for each.

    `kinds` names the feature of each line as the slicer does.
    """

    top_mm: float
    height_mm: float
    lines: NDArray[np.float64]
    kinds: NDArray[np.str_]

    @property
    def middle_mm(self) -> float:
        """The height at which a slicer cuts the part for this layer."""
        return self.top_mm - self.height_mm / 2

    def of(self, *kinds: str) -> NDArray[np.float64]:
        """The lines of some features."""
        import numpy as np

        return self.lines[np.isin(self.kinds, kinds)]

    def of_part(self) -> NDArray[np.float64]:
        """The lines of the part itself."""
        import numpy as np

        return self.lines[~np.isin(self.kinds, BESIDE)]


def read_layers(
    gcode: str, meant: Mapping[str, str], origin_mm: tuple[float, float] = (0.0, 0.0)
) -> tuple[LaidLayer, ...]:
    """The layers of a G-code with relative extrusion, from the bed up.

    Args:
        gcode: PrusaSlicer's text.
        meant: Settings that the part should have been sliced with; filament counts by them.
        origin_mm: The place on the bed that x and y count from.

    Raises:
        ForgeError: FDF471 when no line of the part is laid.
    """
    flow = _first(meant.get("extrusion_multiplier", "1"))
    strand_mm2 = math.pi * _first(meant.get("filament_diameter", "1.75")) ** 2 / 4
    rows: dict[float, list[tuple[float, ...]]] = {}
    kinds: dict[float, list[str]] = {}
    (left, low), x, y, z = origin_mm, 0.0, 0.0, 0.0
    for kind, words, _ in gcode_commands(gcode):
        after, z = (words.get("X", x), words.get("Y", y)), words.get("Z", z)
        run, filament = math.dist((x, y), after), words.get("E", 0.0)
        if filament > 0 and run > LEAST_RUN_MM and kind != OVERHEAD:
            top = round(z, 4)
            volume = filament * strand_mm2 / flow
            ends = (x - left, y - low, after[0] - left, after[1] - low)
            laid = rows.setdefault(top, [])
            sure = run > SURE_MM or not laid
            laid.append((*ends, volume / run if sure else laid[-1][4], volume))
            kinds.setdefault(top, []).append(kind)
        x, y = after
    # Supports have layers of their own between those of the part.
    tops = sorted(top for top in rows if not set(kinds[top]) <= set(BESIDE))
    if not tops:
        raise refuse("FDF471", "PrusaSlicer laid no line for a part")
    for top in sorted(set(rows) - set(tops)):
        above = tops[min(bisect_left(tops, top), len(tops) - 1)]
        rows[above] += rows[top]
        kinds[above] += kinds[top]
    below = [0.0, *tops]
    return tuple(
        _layer(top, top - under, rows[top], kinds[top])
        for under, top in zip(below, tops, strict=False)
    )


def _layer(top: float, height: float, rows: list[Any], kinds: list[str]) -> LaidLayer:
    """A layer whose rows hold the lines' sections in mm² where widths are wanted."""
    import numpy as np

    lines, names = np.array(rows), np.array(kinds)
    section = lines[:, 4]
    flat = section / height + height * (1 - math.pi / 4)
    lines[:, 4] = np.where(np.isin(names, THREADS), 2 * np.sqrt(section / math.pi), flat)
    return LaidLayer(top, height, lines, names)


def _first(words: str) -> float:
    """The first of a setting's values, one for each extruder."""
    return float(words.partition(",")[0])

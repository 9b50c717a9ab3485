"""Lengths as people write them, to millimetres and back; and the grid of the printed board."""

from __future__ import annotations

import math
import re

from falldamage_forge.values import dataclass

MM_PER_UNIT = {"mm": 1.0, "cm": 10.0, "in": 25.4, '"': 25.4}
_LENGTH = re.compile(r'\s*(\d{1,6}(?:\.\d{1,6}|/[1-9]\d{0,2})?)\s*(mm|cm|in|")?\s*')


def parse_length_mm(text: str) -> float:
    """Millimetres of `0.15mm`, `3 cm`, `1/2in`, `1"` or a bare number (already mm).

    Raises ValueError with a sentence for anything else, negative numbers included.
    """
    match = _LENGTH.fullmatch(text)
    if match is None:
        raise ValueError(f"`{text}` is not a length; write for example 0.15mm, 3cm or 1in")
    whole, _, parts = match[1].partition("/")
    return float(whole) * MM_PER_UNIT[match[2] or "mm"] / int(parts or 1)


def format_length(length_mm: float) -> str:
    """The shortest exact text of a length, always in mm: `0.15mm`, `30mm`."""
    return f"{length_mm:.6f}".rstrip("0").rstrip(".") + "mm"


@dataclass(frozen=True, slots=True)
class Grid:
    """The only conversion between tiles and levels and millimetres.

    x grows east with columns, y grows north against rows, z grows up with levels; tile (0, 0)
    covers x 0..pitch and y -pitch..0, so a board seen from above reads as its text does.
    Source: "Each tile measures roughly 30mm cubed" (rulebook, Jump).
    """

    pitch_mm: float = 30.0
    rise_mm: float = 30.0

    def corner_mm(self, row: int, col: int) -> tuple[float, float]:
        """x and y of a tile's north-west corner."""
        return col * self.pitch_mm, -row * self.pitch_mm

    def centre_mm(self, row: int, col: int) -> tuple[float, float]:
        """x and y of a tile's middle."""
        return (col + 0.5) * self.pitch_mm, -(row + 0.5) * self.pitch_mm

    def height_mm(self, level: int) -> float:
        """z of a level's surface above the base's playing surface."""
        return level * self.rise_mm

    @property
    def tie_tile(self) -> int:
        """In which tile of a quadrant's edge ties lie, counted from its corners, from 0.

        The first, or the second where two ties at one corner would meet.
        """
        return 0 if self.pitch_mm >= TIES_APART_MM else 1


TIES_APART_MM = 29.0
"""On smaller tiles ties in the middle of corner tiles meet: each is 14 mm long and wide."""
GRID = Grid()
LAYER_MM = 0.24
"""The layer that terrain is printed in, the first one too."""


def layered_mm(height_mm: float, *, up: bool = False) -> float:
    """The nearest height of whole layers, or the next one that is not lower."""
    layers = round(height_mm / LAYER_MM, 6)
    return round((math.ceil(layers) if up else round(layers)) * LAYER_MM, 4)


def printed(tile_mm: float | None = None, rise_mm: float | None = None) -> Grid:
    """The grid of a table of such tiles and levels, ours where one is not said.

    Levels are printed in whole layers: pieces lie top down, and a part of a layer is none.
    """
    tile_mm = GRID.pitch_mm if tile_mm is None else tile_mm
    return Grid(tile_mm, GRID.rise_mm if rise_mm is None else layered_mm(rise_mm))


GAPS_MM = {"fit_mm": (0.05, 0.25), "seam_mm": (0.05, 0.40), "click_mm": (0.10, 0.26)}
"""Gaps that joints still hold with: beyond these skirts rattle, or no bead reaches its head."""


CAP_MM = 1.92
"""How much higher a tile is for a cap on it: water, lava, a start's marker."""

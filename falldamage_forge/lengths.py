"""Lengths: parsing to millimetres, and the grid of the printed board."""

from __future__ import annotations

import math
import re

from falldamage_forge.infra.lazy_dataclass import dataclass

MM_PER_UNIT = {"mm": 1.0, "cm": 10.0, "in": 25.4, '"': 25.4}
_LENGTH = re.compile(r'\s*(\d{1,6}(?:\.\d{1,6}|/[1-9]\d{0,2})?)\s*(mm|cm|in|")?\s*')


def parse_length_mm(text: str) -> float:
    """Return a length in mm: `0.15mm`, `3 cm`, `1/2in`, `1"`, or a bare number in mm.

    Raises:
        ValueError: A sentence for the user, for any other text and for negative lengths.
    """
    match = _LENGTH.fullmatch(text)
    if match is None:
        raise ValueError(f"`{text}` is not a length; write for example 0.15mm, 3cm or 1in")
    whole, _, parts = match[1].partition("/")
    return float(whole) * MM_PER_UNIT[match[2] or "mm"] / int(parts or 1)


def parse_box_mm(text: str) -> tuple[float, float, float]:
    """Return width, depth and height in mm of a box such as `345x220x80` or `12in x 8in x 3in`.

    Raises:
        ValueError: A sentence for the user, for any other text.
    """
    sides = [parse_length_mm(side) for side in text.lower().split("x")]
    if len(sides) != 3 or min(sides) <= 0:
        raise ValueError(f"`{text}` is not a box; write width x depth x height: 345x220x80")
    return sides[0], sides[1], sides[2]


@dataclass(frozen=True, slots=True)
class PrintGrid:
    """The only conversion between tiles, levels and millimetres.

    x grows east with columns, y grows north against rows, z grows up with levels. Tile (0, 0)
    covers x 0..pitch and y -pitch..0, so a plan view has the same orientation as the text.
    `pitch_mm` is the side of a tile, `rise_mm` the height of a level.

    Source: "Each tile measures roughly 30mm cubed" (rulebook, Jump).
    """

    pitch_mm: float = 30.0
    rise_mm: float = 30.0

    def corner_mm(self, row: int, col: int) -> tuple[float, float]:
        """Return x and y of a tile's north-west corner in mm."""
        return col * self.pitch_mm, -row * self.pitch_mm

    def centre_mm(self, row: int, col: int) -> tuple[float, float]:
        """Return x and y of a tile's centre in mm."""
        return (col + 0.5) * self.pitch_mm, -(row + 0.5) * self.pitch_mm

    def height_mm(self, level: int) -> float:
        """Return z of a level's surface above the base's playing surface in mm."""
        return level * self.rise_mm

    @property
    def tie_tile(self) -> int:
        """Return the index of the tile in a quadrant's edge that holds the tie, from its corner.

        It is 0, or 1 on small tiles where two ties at one corner would meet.
        """
        return 0 if self.pitch_mm >= TIES_APART_MM else 1


TIES_APART_MM = 29.7
"""Least tile size in mm at which ties in corner tiles do not meet; each is 14 mm long and wide."""
GRID = PrintGrid()
LAYER_MM = 0.24
"""Layer height of terrain in mm, the first layer included."""


def round_to_layers_mm(height_mm: float, *, up: bool = False) -> float:
    """Return a height rounded to whole layers.

    Args:
        height_mm: The height in mm.
        up: True for the next whole layer above instead of the nearest.
    """
    layers = round(height_mm / LAYER_MM, 6)
    return round((math.ceil(layers) if up else round(layers)) * LAYER_MM, 4)


def print_grid(tile_mm: float | None = None, rise_mm: float | None = None) -> PrintGrid:
    """Return the grid of a table; None is the default of 30 mm.

    Levels are rounded to whole layers, since pieces are printed upside down.

    Args:
        tile_mm: Side of a tile in mm.
        rise_mm: Height of a level in mm.
    """
    tile_mm = GRID.pitch_mm if tile_mm is None else tile_mm
    return PrintGrid(tile_mm, GRID.rise_mm if rise_mm is None else round_to_layers_mm(rise_mm))


GAPS_MM = {
    "fit_mm": (0.10, 0.34),
    "seam_mm": (0.05, 0.40),
    "click_mm": (0.17, 0.46),
    "blade_mm": (0.12, 0.36),
    "tie_mm": (0.15, 0.42),
}
"""Range of clearances in mm: above it skirts rattle, or beads do not reach under heads.

Gaps of blades and ties that follow a fit in its range stay in their own.
"""


@dataclass(frozen=True, slots=True)
class MagnetSize:
    """A disc magnet: diameter and height in mm."""

    diameter_mm: float
    height_mm: float

    @property
    def name(self) -> str:
        """The size as sellers and maps write it: `6x2`."""
        return f"{self.diameter_mm:g}x{self.height_mm:g}"


MAGNETS = {
    size.name: size
    for size in (
        MagnetSize(5.0, 2.0),
        MagnetSize(6.0, 2.0),
        MagnetSize(6.0, 3.0),
        MagnetSize(8.0, 3.0),
    )
}
"""Magnets that the base has pockets for, by name."""
IN_BLOCKS = "-blocks"
"""End of the name of magnets that hold blocks too: `6x2-blocks`."""
_MAGNET = re.compile(r"(\d{1,3}(?:\.\d{1,2})?)x(\d{1,3}(?:\.\d{1,2})?)", re.ASCII)


def magnet_size(held: str) -> MagnetSize | None:
    """Return the size of the magnets of a table; None for a table without.

    Args:
        held: `6x2`, `6x2-blocks` if they hold blocks too, or empty.
    """
    return MAGNETS.get(held.removesuffix(IN_BLOCKS))


def magnet_problem(text: str) -> str:
    """Return the reason why a text names no size of magnets with a pocket; empty if it does.

    Args:
        text: Diameter and height in mm, such as `6x2`.
    """
    if text in MAGNETS:
        return ""
    found = _MAGNET.fullmatch(text)
    if found is None:
        return f"`{text[:20]}` is no size of a disc magnet"
    diameter_mm, height_mm = map(float, found.groups())
    sizes = MAGNETS.values()
    widest, thickest = (max(getattr(x, k) for x in sizes) for k in ("diameter_mm", "height_mm"))
    least = min(sizes, key=lambda x: (x.diameter_mm, x.height_mm))
    why = "pockets are made for the usual sizes"
    if height_mm > diameter_mm:
        why = "it is a rod, and a pocket takes a disc"
    elif diameter_mm > widest:
        why = f"it stands on its rim, and no base is high enough for more than {widest:g} mm"
    elif height_mm > thickest:
        why = f"the edge of a tile has room for {thickest:g} mm, up to the post under its middle"
    elif diameter_mm < least.diameter_mm or height_mm < least.height_mm:
        why = f"it pulls too weakly; the least is {least.name}"
    return f"the base has no pocket for magnets {text}: {why}"


CAP_MM = 1.92
"""Height in mm that a cap adds to a tile: water, lava, a start's marker."""
